//! Every kernel with every digit it takes, forced, against the definition: shapes around the tiles,
//! hostile entries, operands that are stored and packed in every way.

#![allow(clippy::unwrap_used, reason = "tests")]

use alloc::vec::Vec;
use alloc::{format, vec};

use tautochrone_simd::{Feature, Isa};

use super::{Backend, Kernel, table};
use crate::choose::{How, Way};
use crate::width::Width;
use crate::word::Operand;
use crate::{Error, Matrix, MatrixMut, Multiplier, Threads, Word, reference};

/// All kernels of this machine, and the emulated AMX tiles; operands are packed by AVX-512 VBMI,
/// where kernels have it, and in plain Rust.
fn forced() -> impl Iterator<Item = (Kernel, Multiplier)> {
    let (digit, method, tile) = table::AMX[0];
    let tiles = Kernel { backend: Backend::Emulated, digit, method, tile };
    let mut different: Vec<Kernel> = Vec::new();
    for kernel in Isa::all().flat_map(Kernel::all).chain([tiles]) {
        if !different.contains(&kernel) {
            different.push(kernel);
        }
    }
    let (best, other) = (Isa::detect(), Isa::detect().without(Feature::Vbmi));
    different.into_iter().flat_map(move |kernel| {
        let [one, two] = [best, other].map(|isa| kernel.backend.packer(isa));
        [best].into_iter().chain((one != two).then_some(other)).map(move |isa| {
            let multiplier = Multiplier::new_on(isa).with_threads(Threads::One);
            (kernel, multiplier.by(Way(How::Kernel(kernel))))
        })
    })
}

fn fill<T: Operand>(len: usize, mut state: u64, from: impl Fn(u64) -> T) -> Vec<T> {
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        match state >> 61 {
            0 => from(u64::MAX),
            1 => from(1 << 63 | 1 << 31 | 1 << 15 | 1 << 7),
            2 => from(0x7fff_ffff_7fff_7f7f),
            _ => from(state >> 3 ^ state << 40),
        }
    };
    (0..len).map(|_| next()).collect()
}

/// The low `bits` bits, sign-extended or not: an entry within the stated width.
fn truncated<T: Operand>(bits: u32, value: u64) -> u64 {
    let up = value << (64 - bits);
    if T::SIGNED { (up as i64 >> (64 - bits)) as u64 } else { up >> (64 - bits) }
}

/// Entries of X, Y and Z from 64 bits.
type From64<X, Y, W> = (fn(u64) -> X, fn(u64) -> Y, fn(u64) -> W);

/// Whether every entry fits `bits` bits.
fn fits<T: Operand>(entries: &[T], bits: u32) -> Result<(), Error> {
    let mut entries = entries.iter().map(|entry| entry.widen());
    let all = entries.all(|entry| truncated::<T>(bits, entry) == entry);
    if all { Ok(()) } else { Err(Error::BeyondBits { bits }) }
}

fn check<W: Word, X: Operand, Y: Operand>(
    shape: (usize, usize, usize),
    bits: (u32, u32),
    from: From64<X, Y, W>,
) {
    check_residues(W::BITS, shape, bits, from);
}

/// Residues of `bits` bits; entries may have higher bits.
fn check_residues<W: Word, X: Operand, Y: Operand>(
    bits: u32,
    (m, k, n): (usize, usize, usize),
    (x_bits, y_bits): (u32, u32),
    (x_from, y_from, z_from): From64<X, Y, W>,
) {
    let mask = W::truncate(u64::MAX >> (64 - bits));
    let x = fill(m * k, 1, |v| x_from(truncated::<X>(x_bits, v)));
    let y = fill(k * n, 2, |v| y_from(truncated::<Y>(y_bits, v)));
    let start = fill(m * n, 3, z_from);
    let fewer = (x_bits.max(2) - 1, y_bits.max(2) - 1);
    let verdicts = (fits(&x, fewer.0), fits(&y, fewer.1));
    // Terms of a sum are adjacent, or lines are.
    let along = (Matrix::row_major(&x, m, k), Matrix::column_major(&y, k, n));
    let across = (Matrix::column_major(&x, m, k), Matrix::row_major(&y, k, n));
    for (x, y) in [along, across] {
        let (x, y) = (x.unwrap().with_bits(x_bits), y.unwrap().with_bits(y_bits));
        let mut want = start.clone();
        reference::multiply_add(x, y, MatrixMut::column_major(&mut want, m, n).unwrap());
        for z in &mut want {
            *z = z.and(mask);
        }
        for (_, forced) in forced() {
            let forced = forced.with_modulus_bits(bits);
            let of = || format!("{forced:?} {m} x {k} x {n}, {x:?} {y:?}");
            let mut got = start.clone();
            let z = MatrixMut::column_major(&mut got, m, n).unwrap();
            forced.product(x, y).add_to(z).unwrap();
            assert!(got == want, "{}", of());
            let left = forced.pack_left::<W, X>(x, y.width()).unwrap();
            let right = forced.pack_right::<W, Y>(y, x.width()).unwrap();
            let z = MatrixMut::column_major(&mut got, m, n).unwrap();
            forced.product(&left, &right).write_to(z).unwrap();
            assert!(got.iter().all(|z| z.and(mask) == *z), "{}", of());
            for (got, start) in got.iter_mut().zip(&start) {
                *got = got.wrapping_add(*start).and(mask);
            }
            assert!(got == want, "{}, packed before and written", of());
            let left = forced.pack_left::<W, X>(x.with_bits(fewer.0), y.width());
            let right = forced.pack_right::<W, Y>(y.with_bits(fewer.1), x.width());
            assert_eq!((left.map(|_| ()), right.map(|_| ())), verdicts, "{}", of());
        }
    }
}

/// Around the tiles of 8, 16 and 32 rows, of 4, 6, 12 and 32 columns, and the steps of 64 terms;
/// several panels that are packed together, and nothing.
const SHAPES: [(usize, usize, usize); 13] = [
    (0, 3, 2),
    (3, 0, 2),
    (3, 2, 0),
    (1, 1, 1),
    (149, 66, 70),
    (3, 513, 130),
    (33, 63, 31),
    (32, 64, 32),
    (31, 65, 33),
    (17, 2, 13),
    (16, 1025, 6),
    (9, 130, 1),
    (1, 257, 25),
];

#[test]
fn kernels_agree_for_whole_words() {
    for shape in SHAPES {
        check::<u8, u8, u8>(shape, (8, 8), (|v| v as u8, |v| v as u8, |v| v as u8));
        check::<u16, u16, i16>(shape, (16, 16), (|v| v as u16, |v| v as i16, |v| v as u16));
        check::<u32, u32, i32>(shape, (32, 32), (|v| v as u32, |v| v as i32, |v| v as u32));
        check::<u64, i64, u64>(shape, (64, 64), (|v| v as i64, |v| v, |v| v));
    }
}

#[test]
fn kernels_agree_for_narrow_entries() {
    for shape in SHAPES {
        check::<u64, u64, i8>(shape, (64, 7), (|v| v, |v| v as i8, |v| v));
        check::<u64, i8, i8>(shape, (7, 2), (|v| v as i8, |v| v as i8, |v| v));
        check::<u64, u64, i64>(shape, (64, 37), (|v| v, |v| v as i64, |v| v));
        check::<u64, i64, u64>(shape, (33, 24), (|v| v as i64, |v| v, |v| v));
        check::<u64, u8, u8>(shape, (8, 8), (|v| v as u8, |v| v as u8, |v| v));
        check::<u16, u32, u32>(shape, (20, 30), (|v| v as u32, |v| v as u32, |v| v as u16));
        check::<u64, i16, i16>(shape, (16, 16), (|v| v as i16, |v| v as i16, |v| v));
        check::<u32, u16, i64>(shape, (11, 20), (|v| v as u16, |v| v as i64, |v| v as u32));
        check::<u32, i8, u8>(shape, (8, 8), (|v| v as i8, |v| v as u8, |v| v as u32));
        check::<u16, i64, u8>(shape, (64, 1), (|v| v as i64, |v| v as u8, |v| v as u16));
        check::<u8, i32, i8>(shape, (9, 3), (|v| v as i32, |v| v as i8, |v| v as u8));
    }
}

/// Every number of digits of X, of Y and of words has its own order of products in tiles.
#[test]
fn kernels_agree_for_all_numbers_of_digits() {
    for (x, y) in (1..=8).flat_map(|x| (1..=8).map(move |y| (x, y))) {
        for word in x.max(y)..=8 {
            let from: From64<_, i64, _> = (|v| v, |v| v as i64, |v| v);
            check_residues::<u64, u64, i64>(8 * word, (5, 65, 3), (8 * x, 8 * y), from);
        }
    }
}

#[test]
fn long_sums_stay_exact_for_words_of_64_bits() {
    // 10007 terms: ten blocks of 1024, each at its extremes.
    let shape = (2, 10_007, 2);
    check::<u64, u64, u64>(shape, (64, 64), (|_| u64::MAX, |_| u64::MAX, |v| v));
    check::<u64, u64, i64>(shape, (64, 64), (|_| u64::MAX, |_| i64::MIN, |v| v));
    check::<u64, u64, u64>(
        shape,
        (64, 64),
        (|_| 0xffff_ffff_ffff_ffff, |_| 0x8080_8080_8080_8080, |v| v),
    );
    check::<u64, u64, u64>(
        shape,
        (64, 64),
        (|_| 0x8000_8000_8000_8000, |_| 0x7f7f_7f7f_7f7f_7f7f, |v| v),
    );
    check::<u64, i16, i16>(shape, (16, 16), (|_| i16::MIN, |_| i16::MIN, |v| v));
}

/// Entries of a matrix that are all alike.
#[derive(Clone, Copy, Debug)]
struct Alike {
    entry: u64,
    width: Width,
}

impl Alike {
    /// The ends of widths around the ends of digits.
    fn ends() -> impl Iterator<Item = Self> {
        let both = |bits| [Width::signed(bits), Width::unsigned(bits)];
        [1, 7, 8, 9, 15, 16, 17, 32, 33, 64].into_iter().flat_map(both).flat_map(|width| {
            let top = 1 << (width.bits - 1);
            let ends = if width.signed {
                [top - 1, u64::wrapping_neg(top)]
            } else {
                [top, u64::MAX >> (64 - width.bits)]
            };
            ends.map(|entry| Self { entry, width })
        })
    }

    /// This times that, `K` terms of one sum.
    fn product(self, y: Self, multiplier: Multiplier) -> u64 {
        let (x, y_width) = (vec![self.entry; K], y.width);
        let y = vec![y.entry; K];
        let signed = |v: &[u64]| v.iter().map(|v| v.cast_signed()).collect::<Vec<_>>();
        let (xs, ys) = (signed(&x), signed(&y));
        let xs = Matrix::row_major(&xs, 1, K).unwrap().with_bits(self.width.bits);
        let ys = Matrix::column_major(&ys, K, 1).unwrap().with_bits(y_width.bits);
        let x = Matrix::row_major(&x, 1, K).unwrap().with_bits(self.width.bits);
        let y = Matrix::column_major(&y, K, 1).unwrap().with_bits(y_width.bits);
        let mut z = [0];
        let view = MatrixMut::column_major(&mut z, 1, 1).unwrap();
        match (self.width.signed, y_width.signed) {
            (true, true) => multiplier.product(xs, ys).write_to(view),
            (true, false) => multiplier.product(xs, y).write_to(view),
            (false, true) => multiplier.product(x, ys).write_to(view),
            (false, false) => multiplier.product(x, y).write_to(view),
        }
        .unwrap();
        z[0]
    }
}

/// Terms of a whole block, and of one that is not.
const K: usize = 1100;

/// No sums of digits are larger than the sums of these matrices, and modulo 2^64 lanes of 32 bits
/// must hold them.
#[test]
fn ends_of_widths_stay_exact() {
    // The emulated tiles are slow, and like others but for the order of terms.
    for (kernel, forced) in forced().filter(|(kernel, _)| kernel.backend != Backend::Emulated) {
        for x in Alike::ends() {
            for y in Alike::ends() {
                let want = (K as u64).wrapping_mul(x.entry).wrapping_mul(y.entry);
                assert_eq!(x.product(y, forced), want, "{kernel:?} {x:?} {y:?}");
            }
        }
    }
}

#[test]
fn kernels_agree_modulo_smaller_powers() {
    for shape in [(33, 65, 31), (1, 1, 1), (7, 1100, 5)] {
        for bits in [1, 24, 25, 28, 29, 31, 32, 33, 37, 40, 41, 47, 48, 49, 52, 53, 56, 57, 63] {
            let from: From64<_, i64, _> = (|v| v, |v| v as i64, |v| v);
            check_residues::<u64, u64, i64>(bits, shape, (64, bits.min(30)), from);
            check_residues::<u64, u64, u64>(bits, shape, (64, 64), (|v| v, |v| v, |v| v));
        }
        for bits in [1, 7, 8, 9, 17, 25, 29, 31] {
            let from: From64<_, i8, _> = (|v| v as u32, |v| v as i8, |v| v as u32);
            check_residues::<u32, u32, i8>(bits, shape, (32, 2), from);
            let from: From64<_, i64, _> = (|v| v as u32, |v| v as i64, |v| v as u32);
            check_residues::<u32, u32, i64>(bits, shape, (32, 27), from);
        }
        check_residues::<u8, u8, u8>(5, shape, (8, 8), (|v| v as u8, |v| v as u8, |v| v as u8));
        let from: From64<_, u16, _> = (|v| v as u16, |v| v as u16, |v| v as u16);
        check_residues::<u16, u16, u16>(11, shape, (16, 16), from);
    }
}

/// Left operands of two bits an entry, alone and beside others, on every kernel: strips that end
/// within a panel, blocks whose steps do not fill a byte's four tiles.
#[test]
fn entries_of_two_bits_are_multiplied_as_any() {
    for (m, k, n) in [(1, 1, 1), (17, 65, 3), (70, 300, 33), (1100, 70, 5), (40, 1500, 20)] {
        let two_bits: Vec<i8> = fill(m * k, 5, |v| (v >> 62) as i8 - 2);
        let bytes: Vec<i8> = fill(m * k, 6, |v| (v >> 40) as i8);
        let y: Vec<i8> = fill(k * n, 7, |v| (v >> 33) as i8 & 1);
        let start: Vec<u32> = fill(m * n, 8, |v| v as u32);
        let narrow = Matrix::column_major(&two_bits, m, k).unwrap().with_bits(2);
        let wide = Matrix::column_major(&bytes, m, k).unwrap();
        let y = Matrix::column_major(&y, k, n).unwrap().with_bits(2);
        let mut want = start.clone();
        for x in [narrow, wide, narrow, narrow] {
            let z = MatrixMut::column_major(&mut want, m, n).unwrap();
            reference::multiply_add(x, y, z);
        }
        for (kernel, forced) in forced() {
            let compact = forced.pack_left_compact::<u32, _>(narrow, Width::signed(2)).unwrap();
            let pack = |x| forced.pack_left::<u32, _>(x, Width::signed(2)).unwrap();
            let (narrow, wide) = (pack(narrow), pack(wide));
            let all = [&compact, &wide, &narrow, &compact];
            let mut got = start.clone();
            let z = MatrixMut::column_major(&mut got, m, n).unwrap();
            forced.sum_of_products(&all.map(|x| (x, y))).add_to(z).unwrap();
            assert!(got == want, "{kernel:?} {m} x {k} x {n}, together");
            let z = MatrixMut::column_major(&mut got, m, n).unwrap();
            forced.sum_of_products(&all.map(|x| (x, y))).write_to(z).unwrap();
            let sums = got.iter().zip(&start).map(|(got, start)| got.wrapping_add(*start));
            assert!(sums.eq(want.iter().copied()), "{kernel:?} {m} x {k} x {n}, written");
            let mut got = start.clone();
            for x in all {
                let z = MatrixMut::column_major(&mut got, m, n).unwrap();
                forced.product(x, y).add_to(z).unwrap();
            }
            assert!(got == want, "{kernel:?} {m} x {k} x {n}, one by one");
            // 24 steps, which fill six groups of four.
            if kernel.backend.has_tiles() && k == 1500 {
                assert_eq!(4 * compact.bytes(), narrow.bytes(), "{kernel:?}");
            }
        }
    }
    let x = Matrix::column_major(&[1_i8, -2, 2, 0], 2, 2).unwrap().with_bits(2);
    for (kernel, forced) in forced() {
        let packed = forced.pack_left::<u32, _>(x, Width::signed(2));
        assert_eq!(packed.unwrap_err(), Error::BeyondBits { bits: 2 }, "{kernel:?}");
        let packed = forced.pack_left_compact::<u32, _>(x, Width::signed(2));
        assert_eq!(packed.unwrap_err(), Error::BeyondBits { bits: 2 }, "{kernel:?}");
    }
}
