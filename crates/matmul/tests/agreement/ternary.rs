//! Products by a ternary matrix agree with the definition on every instruction set, shape and word.

use proptest::prelude::*;
use tautochrone_matmul::{
    Error, Matrix, MatrixMut, Multiplier, Product, Ternary, Threads, Width, Word, reference,
};
use tautochrone_simd::{Feature, Isa};

use crate::{defined, z_view};

/// The multiplier as it is, and one for each way without multiplications.
fn by_all<W: Word>(
    multiplier: Multiplier,
    x: Matrix<'_, W>,
    y: Ternary<'_>,
) -> impl Iterator<Item = Multiplier> {
    let product = multiplier.product::<W>(x, y);
    let ways = product.ways();
    assert!(product.way().is_some_and(|way| ways.contains(&way)), "{multiplier:?}");
    let ways = ways.into_iter().filter(|way| !way.multiplies());
    std::iter::once(multiplier).chain(ways.map(move |way| multiplier.by(way)))
}

/// A Z whose columns have a gap between them.
fn gapped<W: Word>(z: &mut [W], m: usize, n: usize) -> MatrixMut<'_, W> {
    MatrixMut::strided(z, m, n, m + 1).expect("shape")
}

/// A public Y, or a secret one.
fn agree<W: Word>(
    (m, k, n): (usize, usize, usize),
    row_major: bool,
    x: &[u64],
    y: &[i8],
    public: bool,
) -> Result<(), TestCaseError> {
    let x: Vec<W> = x.iter().cycle().take(m * k).map(|&x| W::truncate(x)).collect();
    let y: Vec<i8> = y.iter().copied().cycle().take(k * n).collect();
    let (x, y) = if row_major {
        (Matrix::row_major(&x, m, k), Matrix::row_major(&y, k, n))
    } else {
        (Matrix::column_major(&x, m, k), Matrix::column_major(&y, k, n))
    };
    let (x, y) = (x.expect("shape"), y.expect("shape"));
    let start: Vec<W> = (0..(m + 1) * n).map(|i| W::truncate(u64::MAX / (i as u64 + 1))).collect();
    let mut want = start.clone();
    reference::multiply_add(x, y, gapped(&mut want, m, n));
    let y = if public { Ternary::public_vartime(y) } else { Ternary::secret(y) }.expect("ternary");
    for isa in Isa::all() {
        for threads in [Threads::One, Threads::Ambient] {
            let multiplier = Multiplier::new_on(isa).with_threads(threads);
            let all: Vec<_> = by_all(multiplier, x, y).collect();
            assert!(!public || all.len() >= 3, "tables of three columns and of four");
            for multiplier in all {
                let mut got = start.clone();
                multiplier.product(x, y).add_to(gapped(&mut got, m, n)).expect("shapes agree");
                prop_assert!(got == want, "{isa} {m} x {k} x {n}, {multiplier:?}");
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn every_instruction_set_agrees_with_the_definition(
        m in prop::sample::select(&[0_usize, 1, 7, 8, 15, 16, 17, 63, 64, 65, 130][..]),
        k in prop::sample::select(&[0_usize, 1, 3, 4, 5, 15, 16, 17, 33, 100][..]),
        n in prop::sample::select(&[0_usize, 1, 2, 9, 50, 511][..]),
        row_major: bool,
        x in prop::collection::vec(prop_oneof![any::<u64>(), Just(u64::MAX), Just(1 << 63)], 1..60),
        y in prop::collection::vec(-1_i8..=1, 1..70),
    ) {
        agree::<u8>((m, k, n), row_major, &x, &y, true)?;
        agree::<u16>((m, k, n), row_major, &x, &y, true)?;
        agree::<u32>((m, k, n), row_major, &x, &y, true)?;
        agree::<u64>((m, k, n), row_major, &x, &y, true)?;
    }
}

fn narrow_agrees(
    (m, k, n): (usize, usize, usize),
    bound: u8,
    x: &[i8],
    y: &[i8],
    threads: Threads,
) {
    let x: Vec<i8> = x.iter().cycle().take(m * k).copied().collect();
    let y: Vec<i8> = y.iter().cycle().take(k * n).copied().collect();
    let x = Matrix::column_major(&x, m, k).expect("shape");
    let y = Matrix::column_major(&y, k, n).expect("shape");
    let start: Vec<u32> = (0..(m + 1) * n).map(|i| u32::MAX / (i as u32 + 1)).collect();
    let mut want = start.clone();
    reference::multiply_add(x, y, gapped(&mut want, m, n));
    // Without VBMI, AVX-512 has tables as AVX2.
    for isa in Isa::all().flat_map(|isa| [isa, isa.without(Feature::Vbmi)]) {
        let mut got = start.clone();
        let multiplier = Multiplier::new_on(isa).with_threads(threads);
        let packed = multiplier.pack_narrow(x, bound).expect("narrow");
        assert_eq!((packed.rows(), packed.columns()), (m, k));
        let y = Ternary::public_vartime(y).expect("ternary");
        multiplier.product(&packed, y).add_to(gapped(&mut got, m, n)).expect("shapes agree");
        assert!(got == want, "{isa} {m} x {k} x {n}, entries up to {bound}");
    }
}

/// The largest sums that bytes take, and random ones.
#[test]
fn narrow_entries_agree_with_the_definition() {
    let random: Vec<i8> = (0..997).map(|i: i32| (i * i % 11 - 5) as i8).collect();
    for bound in 0..=5 {
        let entries: Vec<i8> = random.iter().map(|&x| x.clamp(-bound, bound)).collect();
        let largest = [bound];
        for (m, k, n) in [(1, 1, 1), (63, 127, 3), (64, 128, 2), (65, 300, 5), (130, 1000, 9)] {
            for threads in [Threads::One, Threads::Ambient] {
                let bound = bound.unsigned_abs();
                narrow_agrees((m, k, n), bound, &largest, &[1], threads);
                narrow_agrees((m, k, n), bound, &largest, &[-1], threads);
                narrow_agrees((m, k, n), bound, &entries, &[1, 0, -1, -1, 0, 1, 1], threads);
            }
        }
    }
    narrow_agrees((200, 400, 90), 1, &[1, -1, 0, 1, 1], &[1, 0, -1, -1, 0, 1, 1], Threads::Ambient);
    // Longer than sums of 16 bits, whose largest are 258 of 127.
    for bound in [1_i8, 2, 5] {
        narrow_agrees((1, 70_001, 1), bound.unsigned_abs(), &[bound], &[1], Threads::One);
        narrow_agrees((1, 70_001, 1), bound.unsigned_abs(), &[bound], &[-1], Threads::One);
    }
    narrow_agrees((0, 4, 2), 1, &[1], &[1], Threads::One);
    narrow_agrees((4, 0, 2), 1, &[1], &[1], Threads::One);
}

/// Threads share rows of Z, or columns, the last of them fewer than the others.
#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_agrees_with_the_definition() {
    let words: Vec<u64> = (1..1000_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let signs: Vec<i8> = (0..997).map(|i: i32| (i * i % 3 - 1) as i8).collect();
    for threads in [2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            agree::<u16>((131, 300, 50), false, &words, &signs, true).expect("16 bits");
            agree::<u32>((131, 300, 50), true, &words, &signs, true).expect("32 bits");
            narrow_agrees((200, 120, 90), 1, &signs, &signs[1..], Threads::Ambient);
            // A single column, whose stride is less than its rows.
            let (ones, mut z) = (vec![1_i8; 1100 * 1000], vec![0_u32; 1100]);
            let x = Matrix::column_major(&ones, 1100, 1000).expect("shape");
            let y = Matrix::column_major(&ones[..1000], 1000, 1).expect("shape");
            let multiplier = Multiplier::new_on(Isa::detect_vectors().without(Feature::Vbmi));
            let x = multiplier.pack_narrow(x, 1).expect("narrow");
            let y = Ternary::public_vartime(y).expect("ternary");
            let all = MatrixMut::strided(&mut z, 1100, 1, 1).expect("shape");
            multiplier.product(&x, y).add_to(all).expect("shapes agree");
            assert_eq!(z, [1000; 1100]);
        });
    }
}

/// With both operands secret.
#[test]
fn lookups_agree_with_the_definition() {
    let words: Vec<u64> = (1..1000_u64).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let signs: Vec<i8> = (0..997).map(|i: i32| (i * i % 3 - 1) as i8).collect();
    let shapes = [
        (1, 1, 1),
        (3, 2, 15),
        (4, 3, 16),
        (5, 4, 17),
        (15, 95, 63),
        (16, 96, 64),
        (17, 97, 65),
        (33, 200, 130),
        (0, 4, 2),
        (4, 0, 2),
        (4, 2, 0),
        (130, 200, 60),
    ];
    for shape in shapes {
        let extremes = [(&[u32::MAX.into()][..], &[-1_i8][..]), (&[1 << 31], &[1])];
        for (words, signs) in [(&words[..], &signs[..])].into_iter().chain(extremes) {
            for row_major in [true, false] {
                agree::<u32>(shape, row_major, words, signs, false).expect("equal");
            }
        }
    }
}

/// A matrix without rows needs no slice, for any strides.
#[test]
fn empty_sums_with_gaps_add_nothing() {
    let x = Matrix::<u32>::row_major(&[], 2, 0).expect("nothing");
    let y = Matrix::strided(&[], 0, 5, 1, 7).expect("nothing");
    for isa in Isa::all() {
        let multiplier = Multiplier::new_on(isa);
        let narrow = Matrix::row_major(&[], 2, 0).expect("nothing");
        let narrow = multiplier.pack_narrow(narrow, 1).expect("narrow");
        let (public, secret) = (Ternary::public_vartime(y), Ternary::secret(y));
        let (public, secret) = (public.expect("nothing"), secret.expect("nothing"));
        for product in [
            multiplier.product(&narrow, public),
            multiplier.product(x, public),
            multiplier.product(x, secret),
            multiplier.product(x, y),
        ] {
            let mut z = [9; 10];
            assert_eq!(product.add_to(z_view(&mut z, 2, 5)), Ok(()), "{isa}");
            assert_eq!(z, [9; 10], "{isa}");
        }
    }
}

#[test]
fn narrow_means_at_most_five() {
    let one = Matrix::column_major(&[1_i8], 1, 1).expect("shape");
    let error = Multiplier::new().pack_narrow(one, 6).map(|_| ());
    assert_eq!(error, Err(Error::Bound { got: 6, max: 5 }));
}

#[test]
fn other_entries_are_refused() {
    let mut y = [0_i8; 6];
    for value in (i8::MIN..=i8::MAX).filter(|value| !(-1..=1).contains(value)) {
        for at in 0..y.len() {
            y[at] = value;
            for (rows, columns, row, column) in
                [(3, 2, 1, 3), (3, 2, 2, 1), (2, 2, 2, 3), (1, 3, 9, 2)]
            {
                let matrix =
                    Matrix::strided(&y, rows, columns, row, column).expect("a slice of six");
                let contains = (0..rows).any(|i| (0..columns).any(|j| i * row + j * column == at));
                let expected = if contains { Err(Error::NotTernary) } else { Ok(()) };
                assert_eq!(
                    Ternary::public_vartime(matrix).map(|_| ()),
                    expected,
                    "{value} at {at}"
                );
                assert_eq!(Ternary::secret(matrix).map(|_| ()), expected, "{value} at {at}");
            }
            y[at] = 0;
        }
    }
    assert!(Ternary::secret(Matrix::row_major(&[-1, 0, 1], 1, 3).expect("shape")).is_ok());
}

#[test]
fn entries_beyond_the_bound_are_refused() {
    for isa in Isa::all() {
        let multiplier = Multiplier::new_on(isa);
        for bound in 0..=5_i8 {
            for entry in [bound + 1, -bound - 1, i8::MAX, i8::MIN] {
                for at in [0, 13, 199] {
                    let mut x = vec![bound; 200];
                    x[at] = entry;
                    let x = Matrix::column_major(&x, 20, 10).expect("shape");
                    let bound = bound.unsigned_abs();
                    let error = multiplier.pack_narrow(x, bound).map(|_| ());
                    assert_eq!(error, Err(Error::BeyondBound { bound }), "{isa} {entry}");
                }
            }
        }
    }
}

/// A packed operand whose entries index tables needs a partner that may.
#[test]
fn partners_of_narrow_operands_are_public() {
    let (x, y) = ([1_i8; 6], [1_i8; 6]);
    let x = Matrix::column_major(&x, 2, 3).expect("shape");
    let y = Matrix::column_major(&y, 3, 2).expect("shape");
    for isa in Isa::all() {
        let multiplier = Multiplier::new_on(isa);
        let packed = multiplier.pack_narrow(x, 1).expect("narrow");
        let mut out = [7_u32; 4];

        let secret = Ternary::secret(y).expect("ternary");
        let error = multiplier.product(&packed, secret).write_to(z_view(&mut out, 2, 2));
        assert_eq!(error, Err(Error::NeedsPublicTernary), "{isa}");
        let error = multiplier.product(&packed, y).write_to(z_view(&mut out, 2, 2));
        assert_eq!(error, Err(Error::NeedsPublicTernary), "{isa}");
        let public = Ternary::public_vartime(y).expect("ternary");
        let product = multiplier.product(&packed, public);
        product.write_to(z_view(&mut out, 2, 2)).expect("shapes agree");
        assert_eq!(out, [3; 4], "{isa}");
    }
}

/// Products 9 x 5 are these sums less 1 modulo 2^bits, added to -1, column-major and row-major, and
/// overwriting what was there.
fn are_formed<'a>(products: impl Fn() -> Vec<Product<'a, u32>>, sums: &[u32], bits: u32) {
    let mask = u32::MAX >> (32 - u32::min(bits, 32));
    let want: Vec<u32> = sums.iter().map(|sum| sum & mask).collect();
    for product in products() {
        let mut z = [u32::MAX; 45];
        product.add_to(z_view(&mut z, 9, 5)).expect("shapes agree");
        assert!(z == want[..], "{bits}");
    }
    for product in products() {
        let mut z = [u32::MAX; 45];
        let rows = MatrixMut::row_major(&mut z, 9, 5).expect("shape");
        product.add_to(rows).expect("shapes agree");
        assert!((0..45).all(|at| z[at] == want[at / 5 + at % 5 * 9]), "{bits}: row-major");
    }
    for product in products() {
        let mut z = [7; 45];
        product.write_to(z_view(&mut z, 9, 5)).expect("shapes agree");
        let written = want.iter().map(|sum| sum.wrapping_add(1) & mask);
        assert!(written.eq(z), "{bits}: overwritten");
    }
}

/// Left operands of words, of narrow entries, and packed ones, with partners of which no more is
/// known than their bits, and ternary ones; residues of fewer bits than words have.
#[test]
fn all_left_operands_take_all_partners() {
    let y: Vec<i8> = (0..70 * 5).map(|i: i32| (i * i % 3 - 1) as i8).collect();
    let words: Vec<u32> = (0..9 * 70_u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let x = Matrix::column_major(&words, 9, 70).expect("shape");
    let small = Matrix::column_major(&y[..9 * 35], 9, 35).expect("shape");
    let y = Matrix::column_major(&y, 70, 5).expect("shape");
    let few = y.rows_in(0..35);
    let (sums, small_sums) = (defined(&[u32::MAX; 45], x, y), defined(&[u32::MAX; 45], small, few));
    let ternary = |y| [Ternary::public_vartime(y), Ternary::secret(y)].map(|y| y.expect("ternary"));
    let (ternary_y, [few_public, few_secret]) = (ternary(y), ternary(few));
    for (isa, bits) in Isa::all().flat_map(|isa| [1, 25, 29, 31, 32, 64].map(|bits| (isa, bits))) {
        let multiplier = Multiplier::new_on(isa).with_modulus_bits(bits);
        let packed = multiplier.pack_left::<u32, _>(x, Width::signed(2)).expect("words");
        let of_words = || {
            let of_ternary =
                ternary_y.map(|y| [multiplier.product(x, y), multiplier.product(&packed, y)]);
            let others = [multiplier.product(x, y), multiplier.product(&packed, y)];
            of_ternary.into_iter().flatten().chain(others).collect()
        };
        are_formed(of_words, &sums, bits);
        let narrow = multiplier.pack_narrow(small, 1).expect("small");
        let of_small = || {
            vec![
                multiplier.product(small, few_public),
                multiplier.product(small, few_secret),
                multiplier.product(&narrow, few_public),
            ]
        };
        are_formed(of_small, &small_sums, bits);
        let (mut z, nothing) =
            ([1_u32; 45], multiplier.product(x.columns_in(0..0), y.rows_in(0..0)));
        nothing.add_to(z_view(&mut z, 9, 5)).expect("shapes agree");
        assert_eq!(z, [1; 45], "{isa} {bits}: an empty sum");
    }
    let packed = Multiplier::new().with_modulus_bits(20);
    let packed = packed.pack_left::<u32, _>(x, Width::signed(2)).expect("words");
    let mut z = vec![0; 45];
    let error = Multiplier::new().product(&packed, y).write_to(z_view(&mut z, 9, 5));
    assert_eq!(error, Err(Error::PackedDiffer));
}
