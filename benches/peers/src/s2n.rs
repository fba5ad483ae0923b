//! Products of s2n-bignum (s2n-bignum.h), for CPUs with ADX.

unsafe extern "C" {
    fn bignum_kmul_16_32(z: *mut u64, x: *const u64, y: *const u64, t: *mut u64);
    fn bignum_kmul_32_64(z: *mut u64, x: *const u64, y: *const u64, t: *mut u64);
    fn bignum_ksqr_16_32(z: *mut u64, x: *const u64, t: *mut u64);
    fn bignum_ksqr_32_64(z: *mut u64, x: *const u64, t: *mut u64);
}

/// Whether there are products of `n` limbs by `n` on this CPU.
pub(crate) fn has(n: usize) -> bool {
    matches!(n, 16 | 32)
        && std::arch::is_x86_feature_detected!("adx")
        && std::arch::is_x86_feature_detected!("bmi2")
}

/// z := x y.
///
/// # Panics
/// Without [`has`], or if widths differ.
pub(crate) fn mul(z: &mut [u64], x: &[u64], y: &[u64]) {
    let n = x.len();
    assert!(has(n) && y.len() == n && z.len() == 2 * n, "widths");
    let mut space = [0; 96];
    let (z, x, y, t) = (z.as_mut_ptr(), x.as_ptr(), y.as_ptr(), space.as_mut_ptr());
    // SAFETY: x and y have 16 or 32 limbs, z twice as many, t 96, of which 32 or 96 are used; the
    // CPU has the instructions.
    unsafe {
        if n == 16 {
            bignum_kmul_16_32(z, x, y, t);
        } else {
            bignum_kmul_32_64(z, x, y, t);
        }
    }
}

/// z := x^2.
///
/// # Panics
/// As [`mul`].
pub(crate) fn square(z: &mut [u64], x: &[u64]) {
    let n = x.len();
    assert!(has(n) && z.len() == 2 * n, "widths");
    let mut space = [0; 72];
    let (z, x, t) = (z.as_mut_ptr(), x.as_ptr(), space.as_mut_ptr());
    // SAFETY: x has 16 or 32 limbs, z twice as many, t 72, of which 24 or 72 are used; the CPU has
    // the instructions.
    unsafe {
        if n == 16 {
            bignum_ksqr_16_32(z, x, t);
        } else {
            bignum_ksqr_32_64(z, x, t);
        }
    }
}
