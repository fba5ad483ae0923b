//! GMP (gmp.h): `mpz_t` numbers, and products of `mpn` limbs.
use std::ffi::{c_int, c_long, c_void};
use std::ptr;

/// GMP's own layout.
#[repr(C)]
struct Mpz {
    alloc: c_int,
    size: c_int,
    limbs: *mut u64,
}

#[link(name = "gmp")]
unsafe extern "C" {
    fn __gmpz_init(x: *mut Mpz);
    fn __gmpz_clear(x: *mut Mpz);
    fn __gmpz_import(
        x: *mut Mpz,
        count: usize,
        order: c_int,
        size: usize,
        endian: c_int,
        nails: usize,
        from: *const c_void,
    );
    fn __gmpz_export(
        to: *mut c_void,
        count: *mut usize,
        order: c_int,
        size: usize,
        endian: c_int,
        nails: usize,
        x: *const Mpz,
    ) -> *mut c_void;
    fn __gmpz_sizeinbase(x: *const Mpz, base: c_int) -> usize;
    fn __gmpz_powm(r: *mut Mpz, base: *const Mpz, exponent: *const Mpz, modulus: *const Mpz);
    fn __gmpz_powm_sec(r: *mut Mpz, base: *const Mpz, exponent: *const Mpz, modulus: *const Mpz);
    fn __gmpn_mul_n(z: *mut u64, x: *const u64, y: *const u64, n: c_long);
    fn __gmpn_sqr(z: *mut u64, x: *const u64, n: c_long);
    fn __gmpn_mullo_n(z: *mut u64, x: *const u64, y: *const u64, n: c_long);
}

/// An integer of GMP's.
pub struct Integer(Mpz);

impl Drop for Integer {
    fn drop(&mut self) {
        // SAFETY: it was initialised.
        unsafe { __gmpz_clear(&raw mut self.0) };
    }
}

impl Integer {
    /// The number with these words.
    pub fn new(words: &[u64]) -> Self {
        let mut x = Self(Mpz { alloc: 0, size: 0, limbs: ptr::null_mut() });
        // SAFETY: `x` is initialised first; the words are there to be read, lowest first, in native
        // order.
        unsafe {
            __gmpz_init(&raw mut x.0);
            __gmpz_import(&raw mut x.0, words.len(), -1, 8, 0, 0, words.as_ptr().cast());
        }
        x
    }

    fn raw(&self) -> *const Mpz {
        &raw const self.0
    }

    fn raw_mut(&mut self) -> *mut Mpz {
        &raw mut self.0
    }

    /// Its words, `n` of them.
    pub fn words(&self, n: usize) -> Vec<u64> {
        let mut words = vec![0; n];
        // SAFETY: both are initialised; the number was checked to fit.
        unsafe {
            assert!(__gmpz_sizeinbase(self.raw(), 2) <= 64 * n, "width");
            __gmpz_export(words.as_mut_ptr().cast(), ptr::null_mut(), -1, 8, 0, 0, self.raw());
        }
        words
    }

    /// self := base^exponent mod modulus, variable time.
    pub fn pow(&mut self, base: &Self, exponent: &Self, modulus: &Self) {
        // SAFETY: all are initialised, the modulus is not zero.
        unsafe { __gmpz_powm(self.raw_mut(), base.raw(), exponent.raw(), modulus.raw()) };
    }

    /// self := base^exponent mod modulus in constant time; the modulus must be odd.
    pub fn pow_sec(&mut self, base: &Self, exponent: &Self, modulus: &Self) {
        // SAFETY: all are initialised, the modulus is odd, the exponent positive.
        unsafe { __gmpz_powm_sec(self.raw_mut(), base.raw(), exponent.raw(), modulus.raw()) };
    }
}

/// z := x y.
pub fn mul(z: &mut [u64], x: &[u64], y: &[u64]) {
    assert!(x.len() == y.len() && z.len() == 2 * x.len(), "widths");
    // SAFETY: the lengths are as asserted, and the borrows do not overlap.
    unsafe { __gmpn_mul_n(z.as_mut_ptr(), x.as_ptr(), y.as_ptr(), x.len() as c_long) };
}

/// z := x^2.
pub fn square(z: &mut [u64], x: &[u64]) {
    assert!(z.len() == 2 * x.len(), "widths");
    // SAFETY: the lengths are as asserted, and the borrows do not overlap.
    unsafe { __gmpn_sqr(z.as_mut_ptr(), x.as_ptr(), x.len() as c_long) };
}

/// z := x y modulo 2^(64 n), GMP's internal low product.
pub fn mul_low(z: &mut [u64], x: &[u64], y: &[u64]) {
    assert!(x.len() == y.len() && z.len() >= x.len(), "widths");
    // SAFETY: the lengths are as asserted, and the borrows do not overlap.
    unsafe { __gmpn_mullo_n(z.as_mut_ptr(), x.as_ptr(), y.as_ptr(), x.len() as c_long) };
}
