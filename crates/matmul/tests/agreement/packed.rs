//! Packed operands, workspaces, parts of views and threads give the same products as plain views.

#![allow(clippy::unwrap_used, reason = "a test")]

use tautochrone_matmul::{
    Error, Matrix, MatrixMut, Multiplier, Operand, Threads, Width, Word, Workspace,
};
use tautochrone_simd::Isa;

use crate::{defined, fill, z_view};

const M: usize = 45;
const K: usize = 1100;
const N: usize = 37;

fn words(len: usize) -> Vec<u64> {
    fill(len, 1, |v| v)
}

fn bytes(len: usize) -> Vec<i8> {
    fill(len, 2, |v| v as i8)
}

fn product<X: Operand, Y: Operand>(x: Matrix<'_, X>, y: Matrix<'_, Y>) -> Vec<u64> {
    defined(&vec![0; x.rows() * y.columns()], x, y)
}

/// Whether X, packed for partners of a width, is multiplied by Y alone and in a sum of products; a
/// partner that is too wide is named, and nothing else is refused.
fn takes<W: Word, X: Operand, Y: Operand>(
    multiplier: Multiplier,
    x: Matrix<'_, X>,
    width: Width,
    y: Matrix<'_, Y>,
    want: &[W],
) -> bool {
    let left = multiplier.pack_left::<W, _>(x, width).unwrap();
    assert_eq!((left.rows(), left.columns()), (M, K));
    let formed = [false, true].map(|pairs| {
        let mut z = vec![W::default(); M * N];
        let formed = if pairs {
            multiplier.sum_of_products(&[(&left, y)]).add_to(z_view(&mut z, M, N))
        } else {
            multiplier.product(&left, y).write_to(z_view(&mut z, M, N))
        };
        assert!(formed.is_err() || z == want, "{}: packed for {width:?}", multiplier.isa());
        formed
    });
    let refused = Err(Error::TooWide { bits: y.bits() });
    assert!(formed == [Ok(()); 2] || formed == [refused; 2], "{width:?}: {formed:?}");
    formed[0].is_ok()
}

/// Partners a little wider than what an operand was packed for, at the ends of their range: sums of
/// their digits' products fill 32 bits before the block that was planned is full.
#[test]
fn a_packed_operand_takes_slightly_wider_partners_or_says_so() {
    let x = vec![0x7fff_7fff_7fff_7fff_u64; M * K];
    let x = Matrix::row_major(&x, M, K).unwrap();
    for bits in 2..=16 {
        let y = vec![(1_i16 << (bits - 2)) - 1 + (1 << (bits - 2)); K * N];
        let y = Matrix::column_major(&y, K, N).unwrap().with_bits(bits);
        let want = product(x, y);
        for isa in Isa::all() {
            takes(Multiplier::new_on(isa), x, Width::signed(2), y, &want);
        }
    }
}

/// What was packed for one signed digit has no line sums, which unsigned bytes need on some
/// instruction sets: the other operand is as many bits and refused, or multiplied.
#[test]
fn a_packed_operand_takes_partners_of_the_other_sign_or_says_so() {
    let x: Vec<i8> = (0..M * K).map(|i| i as i8).collect();
    let y: Vec<u8> = (0..K * N).map(|i| !(i as u8) | 128).collect();
    let x = Matrix::row_major(&x, M, K).unwrap();
    let y = Matrix::column_major(&y, K, N).unwrap();
    let want = defined(&vec![0_u32; M * N], x, y);
    for isa in Isa::all() {
        for width in [Width::signed(2), Width::signed(8), Width::unsigned(8)] {
            let taken = takes(Multiplier::new_on(isa), x, width, y, &want);
            assert!(taken || width != Width::unsigned(8), "{isa}");
        }
    }
}

#[test]
fn a_packed_operand_takes_wider_partners_or_says_so() {
    let (x, y) = (words(M * K), words(K * N));
    let x = Matrix::row_major(&x, M, K).unwrap();
    let y = Matrix::column_major(&y, K, N).unwrap();
    let want = product(x, y);
    for isa in Isa::all() {
        for width in [Width::signed(2), Width::signed(8), Width::signed(40), Width::unsigned(64)] {
            takes(Multiplier::new_on(isa), x, width, y, &want);
        }
    }
}

#[test]
fn operands_packed_for_different_kernels_are_refused() {
    let (x, y) = (words(M * K), words(K * N));
    let (x, y) = (Matrix::row_major(&x, M, K).unwrap(), Matrix::column_major(&y, K, N).unwrap());
    let left =
        Multiplier::new_on(Isa::PORTABLE).pack_left::<u64, _>(x, Width::of::<u64>()).unwrap();
    let mut z = vec![0; M * N];
    for isa in Isa::all().filter(|isa| isa.avx2().is_some()) {
        let right = Multiplier::new_on(isa).pack_right::<u64, _>(y, Width::of::<u64>()).unwrap();
        let z = z_view(&mut z, M, N);
        assert_eq!(Multiplier::new().product(&left, &right).write_to(z), Err(Error::PackedDiffer));
    }
}

#[test]
fn workspaces_may_hold_leftovers_of_any_product() {
    let (x, y) = (words(M * K), bytes(K * N));
    let x = Matrix::row_major(&x, M, K).unwrap();
    let y = Matrix::column_major(&y, K, N).unwrap();
    for isa in Isa::all() {
        let multiplier = Multiplier::new_on(isa).with_threads(Threads::One);
        let widths = (Width::of::<u64>(), Width::of::<i8>());
        let mut workspace = multiplier.workspace::<u64>(widths, (M, K, N));
        for (m, k, n) in [(M, K, N), (5, 70, 3), (M, 3, 1), (1, K, N), (33, 65, 13)] {
            let (x, y) = (x.rows_in(0..m).columns_in(0..k), y.rows_in(0..k).columns_in(0..n));
            let mut z = vec![9; m * n];
            let product_in = multiplier.product(x, y).in_workspace(&mut workspace);
            product_in.write_to(z_view(&mut z, m, n)).unwrap();
            assert!(z == product(x, y), "{isa}: {m} x {k} x {n}");
        }
        workspace.erase();
    }
    let mut empty = Workspace::new();
    let mut z = [1u64; 4];
    let nothing = Matrix::row_major(&[0u64; 0], 2, 0).unwrap();
    let product = Multiplier::new().product(nothing, nothing.transposed());
    product.in_workspace(&mut empty).write_to(z_view(&mut z, 2, 2)).unwrap();
    assert_eq!(z, [0; 4], "an empty sum is zero");
}

#[test]
fn threads_do_not_change_the_product() {
    // Above the size from which work is split; both splits occur.
    for (m, k, n) in [(64, 300, 100), (700, 300, 10), (2, 1200, 900)] {
        let (x, y) = (words(m * k), bytes(k * n));
        let x = Matrix::row_major(&x, m, k).unwrap();
        let y = Matrix::column_major(&y, k, n).unwrap();
        let want = product(x, y);
        for isa in Isa::all() {
            for threads in [Threads::One, Threads::Ambient] {
                let mut z = vec![1; m * n];
                let multiplier = Multiplier::new_on(isa).with_threads(threads);
                multiplier.product(x, y).write_to(z_view(&mut z, m, n)).unwrap();
                assert!(z == want, "{isa}, {threads:?}: {m} x {k} x {n}");
            }
        }
    }
}

/// Entries of which one is beyond the bits that are stated, at every position, on either side.
#[test]
fn entries_beyond_the_stated_bits_are_refused() {
    let (m, k, n) = (3, 70, 5);
    for (bits, inside, beyond) in
        [(2, [-2, 1], [2, -3]), (7, [-64, 63], [64, -65]), (31, [1 << 29, -1], [1 << 30, i32::MIN])]
    {
        for isa in Isa::all() {
            let multiplier = Multiplier::new_on(isa);
            let refused = |x: &[i32], y: &[i32], expected: Result<(), Error>| {
                for transposed in [false, true] {
                    let matrix = |data, rows, columns| {
                        if transposed {
                            Matrix::column_major(data, columns, rows).unwrap().transposed()
                        } else {
                            Matrix::column_major(data, rows, columns).unwrap()
                        }
                    };
                    let (x, y) = (matrix(x, m, k).with_bits(bits), matrix(y, k, n).with_bits(bits));
                    let mut z = vec![7_u64; m * n];
                    let formed = multiplier.product(x, y).write_to(z_view(&mut z, m, n));
                    assert_eq!(formed, expected, "{isa} {bits}");
                    assert_eq!(z.iter().all(|&z| z == 7), expected.is_err());
                    let width = Width::signed(bits);
                    let left = multiplier.pack_left::<u64, _>(x, width).map(|_| ());
                    let right = multiplier.pack_right::<u64, _>(y, width).map(|_| ());
                    assert_eq!(left.and(right), expected, "{isa} {bits}");
                }
            };
            let (mut x, mut y) = (inside.repeat(m * k / 2), inside.repeat(k * n / 2));
            refused(&x, &y, Ok(()));
            for (at, &entry) in (0..).zip(beyond.iter().cycle().take(m * k)) {
                let before = core::mem::replace(&mut x[at], entry);
                refused(&x, &y, Err(Error::BeyondBits { bits }));
                x[at] = before;
                let before = core::mem::replace(&mut y[at], entry);
                refused(&x, &y, Err(Error::BeyondBits { bits }));
                y[at] = before;
            }
        }
    }
}

/// Products of parts of the sum, added up: of one, of two and of more blocks than a section of the
/// kernel for tiles has, some of them short or empty.
#[test]
fn products_add_up() {
    let lengths = [vec![K], vec![0, 64, K - 64], vec![], vec![33; 40], vec![2000, 1, 4200, 7]];
    let shape = |workspace: &mut Workspace, multiplier: &Multiplier, wide, lengths: &[usize]| {
        let total: usize = lengths.iter().sum();
        let (x, y) = (words(M * total), words(total * N));
        let y: Vec<i16> = y.iter().map(|v| if wide { *v as i16 } else { *v as i16 >> 8 }).collect();
        let x = Matrix::column_major(&x, M, total).unwrap();
        let y = Matrix::column_major(&y, total, N).unwrap();
        let y = y.with_bits(if wide { 16 } else { 8 });
        let start = words(M * N);
        let want = defined(&start, x, y);
        let (mut left, mut right, mut first) = (Vec::new(), Vec::new(), 0);
        for &length in lengths {
            let range = first..first + length;
            let x = x.columns_in(range.clone());
            left.push(multiplier.pack_left::<u64, _>(x, y.width()).unwrap());
            right.push(y.rows_in(range));
            first += length;
        }
        let pairs: Vec<_> = left.iter().zip(right).collect();
        let mut got = start.clone();
        let product = multiplier.sum_of_products(&pairs).in_workspace(workspace);
        product.add_to(z_view(&mut got, M, N)).unwrap();
        assert!(got == want, "{}: {lengths:?}, wide {wide}", multiplier.isa());
        let mut rows = vec![7; M * N];
        let z = MatrixMut::row_major(&mut rows, M, N).unwrap();
        multiplier.sum_of_products(&pairs).write_to(z).unwrap();
        let difference = |i: usize, j: usize| want[i + j * M].wrapping_sub(start[i + j * M]);
        assert!((0..M * N).all(|at| rows[at] == difference(at / N, at % N)), "row-major");
    };
    let workspace = &mut Workspace::new();
    for isa in Isa::all() {
        for lengths in &lengths {
            for wide in [false, true] {
                shape(workspace, &Multiplier::new_on(isa), wide, lengths);
                let one = Multiplier::new_on(isa).with_threads(Threads::One);
                shape(workspace, &one, wide, lengths);
            }
        }
    }
}

/// Sums so long, for so few columns of Y, that X is packed and multiplied in parts of the sum, and
/// the parts in strips of rows; Y packed for the product or before, Z overwritten or added to.
#[test]
fn long_sums_are_formed_in_parts() {
    let (m, k, n) = (300, 2500, 20);
    let (x, y) = (words(m * k), bytes(k * n));
    let y = Matrix::column_major(&y, k, n).unwrap();
    for x in [Matrix::column_major(&x, m, k).unwrap(), Matrix::row_major(&x, m, k).unwrap()] {
        let want = product(x, y);
        for isa in Isa::all() {
            for bits in [37, 64] {
                let multiplier = Multiplier::new_on(isa).with_modulus_bits(bits);
                let right = multiplier.pack_right::<u64, _>(y, Width::of::<u64>()).unwrap();
                assert_eq!((right.rows(), right.columns()), (k, n));
                let mask = u64::MAX >> (64 - bits);
                let check = |z: &[u64], factor: u64, what: &str| {
                    let expected = want.iter().map(|v| v.wrapping_mul(factor) & mask);
                    assert!(z.iter().copied().eq(expected), "{isa}, 2^{bits}: {what}");
                };
                let mut z = vec![7; m * n];
                multiplier.product(x, y).write_to(z_view(&mut z, m, n)).unwrap();
                check(&z, 1, "overwritten");
                multiplier.product(x, y).add_to(z_view(&mut z, m, n)).unwrap();
                check(&z, 2, "added to");
                multiplier.product(x, &right).add_to(z_view(&mut z, m, n)).unwrap();
                check(&z, 3, "by a packed Y");
                multiplier.product(x, &right).write_to(z_view(&mut z, m, n)).unwrap();
                check(&z, 1, "overwritten, by a packed Y");
            }
        }
    }
}

#[test]
fn products_that_do_not_belong_together_are_refused() {
    let x = words(M * K);
    let x = Matrix::row_major(&x, M, K).unwrap();
    let y = vec![1_i32; K * N];
    let y = Matrix::column_major(&y, K, N).unwrap();
    for isa in Isa::all() {
        let multiplier = Multiplier::new_on(isa);
        let pack = |bits| multiplier.pack_left::<u64, _>(x, Width::signed(bits)).unwrap();
        let (narrow, wide) = (pack(2), pack(64));
        let mut z = vec![7_u64; M * N];
        let add =
            |z: &mut [u64], pairs: &[_]| multiplier.sum_of_products(pairs).add_to(z_view(z, M, N));
        let error =
            add(&mut z, &[(&narrow, y.with_bits(2)), (&narrow, y.with_bits(1))]).unwrap_err();
        assert!(matches!(error, Error::BeyondBits { bits: 1 }), "{isa}: {error}");
        let short = y.rows_in(1..K);
        assert!(matches!(add(&mut z, &[(&narrow, short)]), Err(Error::Shape { .. })), "{isa}");
        let few = y.columns_in(1..N);
        let both = add(&mut z, &[(&narrow, y), (&narrow, few)]);
        assert!(matches!(both, Err(Error::Shape { .. })), "{isa}");
        assert!(z.iter().all(|&z| z == 7), "{isa}: Z is left as it is");
        // An operand that was packed for other partners may lie in another way.
        let both = add(&mut z, &[(&narrow, y.with_bits(2)), (&wide, y.with_bits(2))]);
        assert!(matches!(both, Ok(()) | Err(Error::PackedDiffer)), "{isa}: {both:?}");
    }
}
