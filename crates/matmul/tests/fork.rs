//! Products in a forked child: what the parent used of the CPU, tiles among it, works there too.
#![cfg(unix)]

use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Threads};
use tautochrone_simd::Isa;
use tautochrone_testkit::fork::in_child;

/// A child inherits the permission to use tiles, which Linux gave to the parent, but not their
/// state: the first tile instruction of the child allocates it anew.
#[test]
fn a_forked_child_multiplies_as_its_parent_does() {
    const N: usize = 96;
    let x: Vec<u32> = (0..N * N).map(|i| (i as u32).wrapping_mul(0x9e37_79b9)).collect();
    let y: Vec<i8> = (0..N * N).map(|i| (i * 7 % 251) as i8).collect();
    let product = |isa| {
        let mut z = vec![0_u32; N * N];
        let x = Matrix::row_major(&x, N, N).expect("a matrix");
        let y = Matrix::column_major(&y, N, N).expect("a matrix");
        let view = MatrixMut::column_major(&mut z, N, N).expect("a matrix");
        // A child has no other threads.
        Multiplier::new_on(isa)
            .with_threads(Threads::One)
            .product(x, y)
            .write_to(view)
            .expect("a product");
        z
    };
    let want = product(Isa::PORTABLE);
    for isa in Isa::all() {
        // Its kernel has run in this thread.
        assert_eq!(product(isa), want, "{isa}");
        assert!(in_child(|| product(isa) == want), "{isa}: a wrong product, or a signal");
    }
}
