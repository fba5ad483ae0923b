//! Every instruction set against the definition: ragged shapes, all type pairs, hostile values.

#![allow(clippy::unwrap_used, reason = "a test")]

use proptest::prelude::*;
use tautochrone_matmul::{Error, Matrix, MatrixMut, Multiplier, Operand, Word};
use tautochrone_simd::Isa;

use crate::{added, defined, fill};

fn check<W: Word, X: Operand, Y: Operand>(
    (m, k, n): (usize, usize, usize),
    seed: u64,
    (x_from, y_from, z_from): (impl Fn(u64) -> X, impl Fn(u64) -> Y, impl Fn(u64) -> W),
) {
    let (x, y) = (fill(m * k, seed, x_from), fill(k * n, seed ^ 0x55, y_from));
    let start = fill(m * n, seed ^ 0xaa, z_from);
    for layout in 0..4 {
        let x = if layout & 1 == 0 {
            Matrix::row_major(&x, m, k)
        } else {
            Matrix::column_major(&x, m, k)
        }
        .unwrap();
        let y = if layout & 2 == 0 {
            Matrix::row_major(&y, k, n)
        } else {
            Matrix::column_major(&y, k, n)
        }
        .unwrap();
        let want = defined(&start, x, y);
        for isa in Isa::all() {
            let got = added(Multiplier::new_on(isa), &start, x, y);
            assert!(got == want, "{isa}: {m} x {k} x {n}, layout {layout}");
        }
    }
}

fn check_types(shape: (usize, usize, usize), seed: u64) {
    check::<u8, u8, i8>(shape, seed, (|v| v as u8, |v| v as i8, |v| v as u8));
    check::<u16, i8, u16>(shape, seed, (|v| v as i8, |v| v as u16, |v| v as u16));
    check::<u32, u32, i8>(shape, seed, (|v| v as u32, |v| v as i8, |v| v as u32));
    check::<u32, i8, i8>(shape, seed, (|v| v as i8, |v| v as i8, |v| v as u32));
    check::<u32, u32, i64>(shape, seed, (|v| v as u32, |v| v as i64, |v| v as u32));
    check::<u64, u64, i8>(shape, seed, (|v| v, |v| v as i8, |v| v));
    check::<u64, u64, i64>(shape, seed, (|v| v, |v| v as i64, |v| v));
    check::<u64, i16, u32>(shape, seed, (|v| v as i16, |v| v as u32, |v| v));
    check::<u64, i32, u8>(shape, seed, (|v| v as i32, |v| v as u8, |v| v));
}

/// 0, 1, a tile and its neighbours, primes.
const SIZES: [usize; 13] = [0, 1, 2, 5, 11, 12, 13, 17, 31, 32, 33, 64, 97];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn all_isas_agree_on_ragged_shapes(
        m in prop::sample::select(&SIZES[..]),
        k in prop::sample::select(&SIZES[..]),
        n in prop::sample::select(&SIZES[..]),
        seed: u64,
    ) {
        check_types((m, k, n), seed);
    }
}

#[test]
fn blocks_larger_than_the_cache_tiles() {
    check_types((397, 259, 29), 1);
    check_types((3, 513, 130), 2);
}

#[test]
fn long_sums_of_the_largest_values() {
    let k = 10_007;
    check::<u64, u64, u64>((3, k, 2), 3, (|_| u64::MAX, |_| u64::MAX - 1, |v| v));
    check::<u32, i8, i8>((17, k, 2), 3, (|_| i8::MIN, |_| i8::MIN, |v| v as u32));
}

#[test]
fn multiply_overwrites_and_strides_leave_gaps_alone() {
    let (x, y) = ([1_u32, 2, 3, 4], [5_u32, 6, 7, 8]);
    let mut z = [99_u32; 8];
    let (x, y) = (Matrix::row_major(&x, 2, 2).unwrap(), Matrix::column_major(&y, 2, 2).unwrap());
    Multiplier::new().product(x, y).write_to(MatrixMut::strided(&mut z, 2, 2, 5).unwrap()).unwrap();
    assert_eq!(z, [17, 39, 99, 99, 99, 23, 53, 99]);
}

#[test]
fn bad_shapes_are_named() {
    let data = [0_u32; 6];
    assert_eq!(
        Matrix::row_major(&data, 2, 4).unwrap_err(),
        Error::Length { rows: 2, columns: 4, needed: 8, got: 6 }
    );
    assert!(Matrix::strided(&data, usize::MAX, 2, usize::MAX, 1).is_err(), "no overflow");
    assert!(Matrix::strided(&data, 0, 9, 1, 1).is_ok(), "an empty matrix needs nothing");
    let mut out = [0_u32; 6];
    assert_eq!(
        MatrixMut::strided(&mut out, 3, 2, 2).unwrap_err(),
        Error::Overlap { rows: 3, stride: 2 }
    );
    let x = Matrix::row_major(&data, 2, 3).unwrap();
    let z = MatrixMut::column_major(&mut out, 2, 2).unwrap();
    assert!(matches!(Multiplier::new().product(x, x).write_to(z), Err(Error::Shape { .. })));
}
