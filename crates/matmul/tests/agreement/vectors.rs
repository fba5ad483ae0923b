//! Products with a vector, row-major results and results with gaps agree with the definition.

#![allow(clippy::unwrap_used, reason = "a test")]

use tautochrone_matmul::{Error, Matrix, MatrixMut, Multiplier, Operand, Threads, Word, reference};
use tautochrone_simd::Isa;

use crate::{defined, fill, z_view};

fn agree<W: Word, X: Operand, Y: Operand>(
    (m, k, n): (usize, usize, usize),
    (x_from, y_from): (impl Fn(u64) -> X, impl Fn(u64) -> Y),
) {
    // Space for a gap after each entry, and after each row or column.
    let (x, y) = (fill(2 * (m + 1) * (k + 1), 1, x_from), fill(2 * k * n, 2, y_from));
    let start = fill(m * n, 3, W::truncate);
    let dense = Matrix::column_major(&y[..k * n], k, n).unwrap();
    for (x, y) in [
        (Matrix::row_major(&x[..m * k], m, k).unwrap(), dense),
        (Matrix::column_major(&x[..m * k], m, k).unwrap(), dense),
        (Matrix::strided(&x, m, k, k + 1, 1).unwrap(), dense),
        (Matrix::strided(&x, m, k, 1, m + 1).unwrap(), dense),
        (
            Matrix::strided(&x, m, k, 2 * k + 1, 2).unwrap(),
            Matrix::strided(&y, k, n, 2, 2 * k).unwrap(),
        ),
    ] {
        let want = defined(&start, x, y);
        let of_rows = |entries: &[W]| -> Vec<W> {
            (0..m * n).map(|at| entries[at / n + at % n * m]).collect()
        };
        let rows = of_rows(&want);
        for isa in Isa::all() {
            for threads in [Threads::One, Threads::Ambient] {
                let multiplier = Multiplier::new_on(isa).with_threads(threads);
                let mut got = start.clone();
                multiplier.product(x, y).add_to(z_view(&mut got, m, n)).unwrap();
                assert!(got == want, "{isa}: {m} x {k} x {n}");
                let mut got = of_rows(&start);
                let z = MatrixMut::row_major(&mut got, m, n).unwrap();
                multiplier.product(x, y).add_to(z).unwrap();
                assert!(got == rows, "{isa}: {m} x {k} x {n}, row-major");
            }
        }
        let mut got = of_rows(&start);
        reference::multiply_add(x, y, MatrixMut::row_major(&mut got, m, n).unwrap());
        assert!(got == rows, "the definition, row-major");
    }
}

#[test]
fn vectors_and_rows_agree_with_the_definition() {
    for shape in [
        (1, 1, 1),
        (0, 3, 1),
        (3, 0, 1),
        (2, 5, 1),
        (7, 64, 1),
        (130, 131, 1),
        // Two tasks of sums, and threads.
        (4099, 3, 1),
        (1030, 1030, 1),
        (1, 33, 65),
        (1, 4, 0),
        (5, 9, 6),
    ] {
        agree::<u8, u8, i8>(shape, (|v| v as u8, |v| v as i8));
        agree::<u16, i8, u16>(shape, (|v| v as i8, |v| v as u16));
        agree::<u32, i8, u32>(shape, (|v| v as i8, |v| v as u32));
        agree::<u32, u16, i64>(shape, (|v| v as u16, |v| v as i64));
        agree::<u32, u64, u32>(shape, (|v| v, |v| v as u32));
        agree::<u64, u64, i8>(shape, (|v| v, |v| v as i8));
        agree::<u64, i32, u64>(shape, (|v| v as i32, |v| v));
    }
}

#[test]
fn multiply_overwrites_and_strides_leave_gaps_alone() {
    let (x, y) = ([1_u32, 2, 3, 4], [5_u32, 6, 7, 8]);
    let mut z = [99_u32; 8];
    let (x, y) = (Matrix::row_major(&x, 2, 2).unwrap(), Matrix::column_major(&y, 2, 2).unwrap());
    Multiplier::new().product(x, y).write_to(MatrixMut::strided(&mut z, 2, 2, 5).unwrap()).unwrap();
    assert_eq!(z, [17, 39, 99, 99, 99, 23, 53, 99]);
}

/// Stated bits are checked for vectors as for all else, and shapes are the user's.
#[test]
fn refusals() {
    let x = [1_u32, 2, 3, 8];
    let x = Matrix::row_major(&x, 2, 2).unwrap();
    let y = [1_u32, 1];
    let y = Matrix::column_major(&y, 2, 1).unwrap();
    let mut z = [5_u32; 2];
    let mut form = |x: Matrix<'_, u32>| {
        let z = MatrixMut::column_major(&mut z, 2, 1).unwrap();
        Multiplier::new().product(x, y).write_to(z)
    };
    assert_eq!(form(x.with_bits(3)), Err(Error::BeyondBits { bits: 3 }));
    assert_eq!(form(x.with_bits(4)), Ok(()));
    assert_eq!(z, [3, 11]);
    let (mut z, length) = ([0_u32; 6], Error::Length { rows: 2, columns: 4, needed: 8, got: 6 });
    assert_eq!(Matrix::row_major(&z, 2, 4).unwrap_err(), length);
    assert!(Matrix::strided(&z, usize::MAX, 2, usize::MAX, 1).is_err(), "no overflow");
    assert!(Matrix::strided(&z, 0, 9, 1, 1).is_ok(), "an empty matrix needs nothing");
    assert_eq!(MatrixMut::row_major(&mut z, 2, 4).unwrap_err(), length);
    let overlap = MatrixMut::strided(&mut z, 3, 2, 2).unwrap_err();
    assert_eq!(overlap, Error::Overlap { rows: 3, stride: 2 });
    let z = MatrixMut::row_major(&mut z, 2, 3).unwrap();
    assert_eq!((z.rows(), z.columns()), (2, 3));
    assert_eq!(format!("{z:?}"), "MatrixMut(2 x 3)");
    let z = z.transposed();
    assert_eq!((z.rows(), z.columns()), (3, 2));
    assert!(matches!(Multiplier::new().product(x, x).write_to(z), Err(Error::Shape { .. })));
}
