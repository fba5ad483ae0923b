//! OpenSSL's big numbers (openssl/bn.h).
use std::ffi::{c_int, c_uchar, c_void};
use std::ptr;

type Bignum = *mut c_void;
type Context = *mut c_void;
type Montgomery = *mut c_void;

#[link(name = "crypto")]
unsafe extern "C" {
    fn BN_CTX_new() -> Context;
    fn BN_CTX_free(ctx: Context);
    fn BN_lebin2bn(from: *const c_uchar, len: c_int, x: Bignum) -> Bignum;
    fn BN_bn2lebinpad(x: Bignum, to: *mut c_uchar, len: c_int) -> c_int;
    fn BN_new() -> Bignum;
    fn BN_clear_free(x: Bignum);
    fn BN_mod_exp(r: Bignum, a: Bignum, p: Bignum, m: Bignum, ctx: Context) -> c_int;
    fn BN_mod_exp_mont_consttime(
        r: Bignum,
        a: Bignum,
        p: Bignum,
        m: Bignum,
        ctx: Context,
        mont: Montgomery,
    ) -> c_int;
    fn BN_mod_exp_mont_consttime_x2(
        r1: Bignum,
        a1: Bignum,
        p1: Bignum,
        m1: Bignum,
        mont1: Montgomery,
        r2: Bignum,
        a2: Bignum,
        p2: Bignum,
        m2: Bignum,
        mont2: Montgomery,
        ctx: Context,
    ) -> c_int;
    fn BN_mul(r: Bignum, a: Bignum, b: Bignum, ctx: Context) -> c_int;
    fn BN_sqr(r: Bignum, a: Bignum, ctx: Context) -> c_int;
}

/// A number of OpenSSL's, with the scratch it computes in.
pub struct Number {
    x: Bignum,
    ctx: Context,
}

impl Drop for Number {
    fn drop(&mut self) {
        // SAFETY: both were made by `new` and are freed once.
        unsafe {
            BN_clear_free(self.x);
            BN_CTX_free(self.ctx);
        }
    }
}

impl Number {
    /// The number with these words.
    pub fn new(words: &[u64]) -> Self {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        // SAFETY: the bytes are there to be read; a null number asks for a new one.
        let (x, ctx) = unsafe {
            let len = c_int::try_from(bytes.len()).expect("a short number");
            let x = if bytes.is_empty() {
                BN_new()
            } else {
                BN_lebin2bn(bytes.as_ptr(), len, ptr::null_mut())
            };
            (x, BN_CTX_new())
        };
        assert!(!x.is_null() && !ctx.is_null(), "memory");
        Self { x, ctx }
    }

    /// Its words, `n` of them.
    pub fn words(&self, n: usize) -> Vec<u64> {
        let mut bytes = vec![0; 8 * n];
        // SAFETY: the buffer has the length given.
        let done = unsafe { BN_bn2lebinpad(self.x, bytes.as_mut_ptr(), 8 * n as c_int) };
        assert_eq!(done, 8 * n as c_int, "width");
        bytes.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b)).collect()
    }

    /// self := base^exponent mod modulus in constant time; the modulus must be odd.
    pub fn pow_consttime(&mut self, base: &Self, exponent: &Self, modulus: &Self) {
        let none = ptr::null_mut();
        // SAFETY: all are live; a null Montgomery context has it made here.
        let done = unsafe {
            BN_mod_exp_mont_consttime(self.x, base.x, exponent.x, modulus.x, self.ctx, none)
        };
        assert_eq!(done, 1, "BN_mod_exp_mont_consttime");
    }

    /// Two powers in constant time, base, exponent and modulus each; the moduli must be odd.
    pub fn pow_consttime_x2(results: [&mut Self; 2], operands: [[&Self; 3]; 2]) {
        let [r1, r2] = results;
        let [[a1, p1, m1], [a2, p2, m2]] = operands;
        // SAFETY: all are live; a null Montgomery context has it made here.
        let done = unsafe {
            BN_mod_exp_mont_consttime_x2(
                r1.x,
                a1.x,
                p1.x,
                m1.x,
                ptr::null_mut(),
                r2.x,
                a2.x,
                p2.x,
                m2.x,
                ptr::null_mut(),
                r1.ctx,
            )
        };
        assert_eq!(done, 1, "BN_mod_exp_mont_consttime_x2");
    }

    /// self := base^exponent mod modulus in variable time.
    pub fn pow(&mut self, base: &Self, exponent: &Self, modulus: &Self) {
        // SAFETY: all are live.
        let done = unsafe { BN_mod_exp(self.x, base.x, exponent.x, modulus.x, self.ctx) };
        assert_eq!(done, 1, "BN_mod_exp");
    }

    /// self := x y.
    pub fn mul(&mut self, x: &Self, y: &Self) {
        // SAFETY: all are live.
        let done = unsafe { BN_mul(self.x, x.x, y.x, self.ctx) };
        assert_eq!(done, 1, "BN_mul");
    }

    /// self := x^2.
    pub fn square(&mut self, x: &Self) {
        // SAFETY: all are live.
        let done = unsafe { BN_sqr(self.x, x.x, self.ctx) };
        assert_eq!(done, 1, "BN_sqr");
    }
}
