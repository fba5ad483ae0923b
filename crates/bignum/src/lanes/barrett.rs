//! Eight moduli, prepared; products modulo each, and powers by fixed windows.
use core::arch::x86_64::*;

use super::product::{DIGIT, add_low_product, high_product, product, square, sweep};
use super::{Block, Digits, V, shift, splat};

/// Bits of a window: 32 entries, one product for five squarings.
const WINDOW: usize = 5;

/// The scaled moduli m', beta^D - m', mu, and the counts of the scaling.
pub(super) struct Ring {
    scaled: Digits,
    complement: Digits,
    mu: Digits,
    count: V,
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: zero is a valid register.
        self.count = unsafe { core::mem::zeroed() };
        core::hint::black_box(&raw const self.count);
    }
}

/// Room for a product and its reduction.
struct Scratch {
    columns: Digits,
    spare: Digits,
    q1: Digits,
    q: Digits,
}

impl Scratch {
    #[target_feature(enable = "avx512f")]
    fn new(nb: usize) -> Self {
        Self {
            columns: Digits::zero(2 * nb),
            spare: Digits::zero(nb),
            q1: Digits::zero(nb),
            q: Digits::zero(nb),
        }
    }
}

impl Ring {
    /// The moduli, none zero, below 2^L.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn new(modulus: &Digits) -> Self {
        let nb = modulus.0.len();
        let mut scaled = Digits::zero(nb);
        scaled.0.copy_from_slice(&modulus.0);
        let count = shift::normalise(&mut scaled);
        let mut complement = Digits::zero(nb);
        for (c, &m) in complement.0.as_flattened_mut().iter_mut().zip(scaled.0.as_flattened()) {
            *c = _mm512_xor_si512(m, splat(DIGIT));
        }
        // beta^D - m' = (beta^D - 1 - m') + 1.
        let mut carry = splat(1);
        for c in complement.0.as_flattened_mut() {
            let x = _mm512_add_epi64(*c, carry);
            *c = _mm512_and_si512(x, splat(DIGIT));
            carry = _mm512_srli_epi64::<52>(x);
        }
        let mu = reciprocal(&scaled);
        Self { scaled, complement, mu, count }
    }

    /// r := columns mod m', below (1 + 2^-9) m'. The columns are overwritten.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn reduce(&self, r: &mut [Block], s: &mut Scratch) {
        let nb = r.len();
        let flat = s.columns.0.as_flattened();
        let carry = _mm512_srli_epi64::<52>(flat[8 * nb - 2]);
        sweep(s.q1.0.as_flattened_mut(), &flat[8 * nb - 1..], carry);
        high_product(&mut s.q.0, &mut s.spare.0, &s.q1.0, &self.mu.0);
        add_low_product(r, &mut s.columns.0[..nb], &s.q.0, &self.complement.0);
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    fn mul(&self, r: &mut [Block], x: &[Block], s: &mut Scratch) {
        product(&mut s.columns.0, r, x);
        self.reduce(r, s);
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    fn square(&self, r: &mut [Block], s: &mut Scratch) {
        square(&mut s.columns.0, r);
        self.reduce(r, s);
    }

    /// base^exponent mod m; `base` below 2^L <= 2 m', the exponents as words from the lowest.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn pow(&self, base: &Digits, exponent: &[V]) -> Digits {
        let nb = base.0.len();
        let mut s = Scratch::new(nb);
        let mut table = Digits::zero(nb << WINDOW);
        table.0[0][0] = splat(1);
        for i in 1..1 << WINDOW {
            let (done, rest) = table.0.split_at_mut(i * nb);
            rest[..nb].copy_from_slice(&done[(i - 1) * nb..]);
            self.mul(&mut rest[..nb], &base.0, &mut s);
        }
        let (mut power, mut entry) = (Digits::zero(nb), Digits::zero(nb));
        power.0.copy_from_slice(&table.0[..nb]);
        for k in (0..(64 * exponent.len()).div_ceil(WINDOW)).rev() {
            for _ in 0..WINDOW {
                self.square(&mut power.0, &mut s);
            }
            select(&mut entry.0, &table.0, window(exponent, k * WINDOW));
            self.mul(&mut power.0, &entry.0, &mut s);
        }
        self.leave(&mut power, &mut s);
        power
    }

    /// x := x mod m, from x < 2 m' modulo m': (x 2^s mod m') 2^-s.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn leave(&self, x: &mut Digits, s: &mut Scratch) {
        let nb = x.0.len();
        self.subtract_once(x, s);
        let mut wide = Digits::zero(2 * nb);
        wide.0[..nb].copy_from_slice(&x.0);
        shift::quiet::<true>(&mut wide, self.count);
        s.columns.0.copy_from_slice(&wide.0);
        self.reduce(&mut x.0, s);
        self.subtract_once(x, s);
        shift::quiet::<false>(x, self.count);
    }

    /// x := x - m' where that is not negative.
    #[target_feature(enable = "avx512f")]
    fn subtract_once(&self, x: &mut Digits, s: &mut Scratch) {
        let zero = _mm512_setzero_si512();
        let (x, d) = (x.0.as_flattened_mut(), s.spare.0.as_flattened_mut());
        let mut borrow = zero;
        for ((d, &x), &m) in d.iter_mut().zip(&*x).zip(self.scaled.0.as_flattened()) {
            let t = _mm512_add_epi64(_mm512_sub_epi64(x, m), borrow);
            borrow = _mm512_srai_epi64::<52>(t);
            *d = _mm512_and_si512(t, splat(DIGIT));
        }
        let taken = _mm512_cmpeq_epi64_mask(borrow, zero);
        for (x, &d) in x.iter_mut().zip(&*d) {
            *x = _mm512_mask_mov_epi64(*x, taken, d);
        }
    }
}

/// mu with 0 <= beta^(2D-1) / m' - mu < 1 + 2^-18, by Newton's iteration from below.
///
/// It starts at 2^(52D-20) = beta^(2D-1) / 2^L, at least half the quotient, and every step squares the relative error:
/// 2^-1, 2^-2, 2^-4, .. With e = beta^(2D-1) - m' z >= 0, z + z e / beta^(2D-1) stays below the quotient; e - 1 is
/// taken for e, its lower D - 1 digits are dropped, and the product is floored, which costs less than 1 + 2^-18.
#[target_feature(enable = "avx512f,avx512ifma")]
fn reciprocal(scaled: &Digits) -> Digits {
    let nb = scaled.0.len();
    let d = 8 * nb;
    let mut z = Digits::zero(nb);
    z.0[nb - 1][7] = splat(1 << 32);
    let (mut t, mut e, mut h) = (Digits::zero(2 * nb), Digits::zero(2 * nb), Digits::zero(nb));
    let mut bits = 1;
    while bits < 52 * d + 8 {
        bits *= 2;
        product(&mut t.0, &scaled.0, &z.0);
        sweep(e.0.as_flattened_mut(), t.0.as_flattened(), splat(0));
        // e - 1 = beta^(2D-1) - 1 - m' z: complement of the digits below 2 D - 1.
        let top = &e.0.as_flattened()[d - 1..2 * d - 1];
        for (h, &e) in h.0.as_flattened_mut().iter_mut().zip(top) {
            *h = _mm512_xor_si512(e, splat(DIGIT));
        }
        product(&mut t.0, &z.0, &h.0);
        sweep(e.0.as_flattened_mut(), t.0.as_flattened(), splat(0));
        let mut carry = splat(0);
        for (z, &e) in z.0.as_flattened_mut().iter_mut().zip(&e.0.as_flattened()[d..]) {
            let x = _mm512_add_epi64(_mm512_add_epi64(*z, e), carry);
            *z = _mm512_and_si512(x, splat(DIGIT));
            carry = _mm512_srli_epi64::<52>(x);
        }
    }
    z
}

/// Window of the exponents from bit `at` on.
#[target_feature(enable = "avx512f")]
fn window(exponent: &[V], at: usize) -> V {
    let (w, b) = (at >> 6, (at & 63) as u64);
    let above = exponent.get(w + 1).copied().unwrap_or(splat(0));
    // A count of 64 gives zero.
    let x = _mm512_or_si512(
        _mm512_srlv_epi64(exponent[w], splat(b)),
        _mm512_sllv_epi64(above, splat(64 - b)),
    );
    _mm512_and_si512(x, splat((1 << WINDOW) - 1))
}

/// entry := table[index] in each lane: all entries are read, and a mask picks.
#[target_feature(enable = "avx512f")]
#[inline(never)]
fn select(entry: &mut [Block], table: &[Block], index: V) {
    let nb = entry.len();
    for (j, out) in entry.iter_mut().enumerate() {
        let mut c = [_mm512_setzero_si512(); 8];
        for (i, candidate) in (0u64..).zip(table.chunks_exact(nb)) {
            let taken = _mm512_cmpeq_epi64_mask(index, splat(i));
            for (c, &v) in c.iter_mut().zip(&candidate[j]) {
                *c = _mm512_mask_mov_epi64(*c, taken, v);
            }
        }
        *out = c;
    }
}
