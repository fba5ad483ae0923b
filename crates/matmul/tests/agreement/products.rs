//! Results that leave gaps alone, and shapes that do not fit.

#![allow(clippy::unwrap_used, reason = "a test")]

use tautochrone_matmul::{Error, Matrix, MatrixMut, Multiplier};

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
