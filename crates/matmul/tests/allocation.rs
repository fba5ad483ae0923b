//! A product in a workspace that is large enough allocates nothing.

use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Threads, Width};
use tautochrone_simd::Isa;
use tautochrone_testkit::allocations::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn products_in_a_workspace_allocate_nothing() {
    let (m, k, n) = (45, 1100, 37);
    let (x, y) = (vec![3_u64; m * k], vec![-5_i8; k * n]);
    let x = Matrix::row_major(&x, m, k).expect("shape");
    let y = Matrix::column_major(&y, k, n).expect("shape");
    for isa in Isa::all() {
        let multiplier = Multiplier::new_on(isa).with_threads(Threads::One);
        let widths = (Width::of::<u64>(), Width::of::<i8>());
        let mut workspace = multiplier.workspace::<u64>(widths, (m, k, n));
        let mut z = vec![0_u64; m * n];
        let count = allocations(|| {
            let view = MatrixMut::column_major(&mut z, m, n).expect("shape");
            multiplier
                .product(x, y)
                .in_workspace(&mut workspace)
                .write_to(view)
                .expect("shapes agree");
            let view = MatrixMut::column_major(&mut z, m, n).expect("shape");
            multiplier
                .product(x, y)
                .in_workspace(&mut workspace)
                .add_to(view)
                .expect("shapes agree");
        });
        assert_eq!(count, 0, "{isa}");
        assert_eq!(z[0] as i64, -2 * 15 * 1100);
    }
}
