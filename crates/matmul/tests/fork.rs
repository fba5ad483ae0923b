//! Products in a forked child: what the parent used of the CPU, tiles among it, works there too.
#![cfg(unix)]
#![allow(unsafe_code)]

use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Threads};
use tautochrone_simd::Isa;

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

/// Linux gives the permission to use tiles to a child, and their state, allocated for the parent's
/// thread, not: the child's first tile instruction allocates it anew.
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
        // Of other threads a child has none.
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
        // SAFETY: the child is a copy of this thread, the only test of its program. It multiplies
        // on its own and ends at once, without the parent's handlers.
        let child = unsafe { fork() };
        if child == 0 {
            let wrong = product(isa) != want;
            // SAFETY: ends the child.
            unsafe { _exit(i32::from(wrong)) }
        }
        assert!(child > 0, "fork failed");
        let mut status = -1;
        // SAFETY: `status` is writable and outlives the call; the child is ours.
        assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0, "{isa}: the product is wrong, or a signal ended the child");
    }
}
