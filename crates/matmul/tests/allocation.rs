//! A product in a workspace that is large enough allocates nothing.
#![allow(unsafe_code, reason = "a global allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Threads, Width};
use tautochrone_simd::Isa;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of this thread while `work` runs.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

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
        // The count does count.
        assert!(allocations(|| drop(std::hint::black_box(vec![1]))) > 0);
    }
}
