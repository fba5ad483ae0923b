//! The kernels run on the host, for tests: exact, slow, blind to races between warps.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_int, c_void};

use tautochrone_gauss::facct::Facct;

use crate::reference::{Key, SHARE, WARP};

unsafe extern "C" {
    fn tautochrone_emulate(
        name: *const c_char,
        grid_x: u32,
        grid_y: u32,
        threads: u32,
        parameters: *mut *mut c_void,
    ) -> c_int;
}

/// # Safety
/// `parameters` must point to the kernel's parameters, in order and of their types.
unsafe fn launch(name: &CStr, grid: (u32, u32), threads: u32, parameters: &mut [*mut c_void]) {
    // SAFETY: the name is a C string; the caller vouches for the parameters.
    let code = unsafe {
        tautochrone_emulate(name.as_ptr(), grid.0, grid.1, threads, parameters.as_mut_ptr())
    };
    assert_eq!(code, 0, "no kernel {name:?}");
}

fn parameter<T>(value: &T) -> *mut c_void {
    core::ptr::from_ref(value).cast_mut().cast()
}

/// Kernel `uniform` on `out`.
pub fn uniform(key: &Key, out: &mut [u64]) {
    const THREADS: u32 = 128;
    let (count, blocks) = (out.len() as u64, out.len().div_ceil(8 * THREADS as usize) as u32);
    let pointer = out.as_mut_ptr();
    let mut parameters = [parameter(&pointer), parameter(&count), parameter(key)];
    // SAFETY: the kernel's parameter list is (pointer, u64, Key); it writes `count` words.
    unsafe { launch(c"uniform", (blocks, 1), THREADS, &mut parameters) }
}

/// Kernel `facct` on `out`, two warps a block.
pub fn gaussian(sampler: &Facct, key: &Key, out: &mut [i64]) {
    let constants = sampler.trial_constants();
    let (count, share) = (out.len() as u64, SHARE as u32);
    let (pointer, constants) = (out.as_mut_ptr(), &raw const constants);
    let mut parameters = [
        parameter(&pointer),
        parameter(&count),
        parameter(&share),
        parameter(key),
        parameter(&constants),
    ];
    let blocks = out.len().div_ceil(2 * SHARE) as u32;
    // SAFETY: the kernel's parameter list is (pointer, u64, u32, Key, pointer to constants); it writes `count` samples.
    unsafe { launch(c"facct", (blocks, 1), 2 * WARP as u32, &mut parameters) }
}

mod sealed {
    pub trait Sealed {}
}

/// Entries of matrices: `u8`, `u16`, `u32`, `u64`.
pub trait Element: Copy + Default + sealed::Sealed {
    #[doc(hidden)]
    const TENSOR: &CStr;
    #[doc(hidden)]
    const IMAD: &CStr;
}

macro_rules! element {
    ($($type:ty, $tensor:literal, $imad:literal;)*) => {$(
        impl sealed::Sealed for $type {}
        impl Element for $type {
            const TENSOR: &CStr = $tensor;
            const IMAD: &CStr = $imad;
        }
    )*};
}
element! {
    u8, c"matmul8", c"imad8";
    u16, c"matmul16", c"imad16";
    u32, c"matmul32", c"imad32";
    u64, c"matmul64", c"imad64";
}

/// Kernel `matmulW`; shapes as in [`crate::reference::matmul`].
pub fn matmul<T: Element>(x: &[T], y: &[T], k: usize) -> Vec<T> {
    product(T::TENSOR, |m, n| (m.div_ceil(16), n.div_ceil(8)), 32, x, y, k)
}

/// Kernel `imadW`; shapes as in [`crate::reference::matmul`].
pub fn imad<T: Element>(x: &[T], y: &[T], k: usize) -> Vec<T> {
    product(T::IMAD, |m, n| ((m * n).div_ceil(128), 1), 128, x, y, k)
}

fn product<T: Element>(
    name: &CStr,
    grid: impl Fn(u32, u32) -> (u32, u32),
    threads: u32,
    x: &[T],
    y: &[T],
    k: usize,
) -> Vec<T> {
    assert!(k > 0 && x.len().is_multiple_of(k) && y.len().is_multiple_of(k), "lines of k entries");
    let (m, n, k) = ((x.len() / k) as u32, (y.len() / k) as u32, k as u32);
    let mut z = vec![T::default(); m as usize * n as usize];
    let (pz, px, py) = (z.as_mut_ptr(), x.as_ptr(), y.as_ptr());
    let mut parameters = [
        parameter(&pz),
        parameter(&px),
        parameter(&py),
        parameter(&m),
        parameter(&n),
        parameter(&k),
    ];
    // SAFETY: three pointers to m n, m k and n k entries of the kernel's type, three u32.
    unsafe { launch(name, grid(m, n), threads, &mut parameters) }
    z
}
