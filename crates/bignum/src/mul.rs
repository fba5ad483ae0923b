//! Products: by AVX-512 IFMA; or by columns or rows, in assembly, up to a width, and Karatsuba's
//! above it.
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::Ifma;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::U64x8;
use tautochrone_simd::{Isa, Scratch, wipe};

#[cfg(target_arch = "x86_64")]
use crate::{asm, ifma_product};
use crate::{fz, limb};

mod karatsuba;

use karatsuba::{distance, middle};

/// Widths up to this many limbs are multiplied by columns; above it, even widths are halved.
const BASE: usize = 32;

/// Widths up to this many limbs are squared, and multiplied for the lower half, by rows where the
/// CPU has `adx`.
#[cfg(target_arch = "x86_64")]
const ROWS_BASE: usize = 64;

/// The width from which on AVX-512 IFMA multiplies: products take .45 to .7 of the time of general
/// registers, squares .5 to .95, low products .45 to .75. With 16 limbs they take .95 to 1.8 times
/// as long (Zen 4, Zen 5).
#[cfg(target_arch = "x86_64")]
const IFMA_MIN: usize = 17;

/// The multiplier of one instruction set.
///
/// # Constant time
/// In every value. Variable in the widths, which are public.
///
/// ```
/// use tautochrone_bignum::Mul;
///
/// let mut z = [0; 4];
/// Mul::new().mul(&mut z, &[u64::MAX, 0], &[2, 1]);
/// assert_eq!(z, [u64::MAX - 1, 0, 1, 0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mul {
    isa: Isa,
    base: usize,
    /// Columns in assembly instead of rows.
    columns: bool,
}

impl Mul {
    /// The multiplier of the best instruction set here.
    #[must_use]
    pub fn new() -> Self {
        Self::new_on(Isa::detect_vectors())
    }

    /// The multiplier of `isa`.
    #[must_use]
    pub fn new_on(isa: Isa) -> Self {
        Self { isa, base: BASE, columns: false }
    }

    /// The instruction set.
    pub(crate) fn isa(self) -> Isa {
        self.isa
    }

    /// Whether it is [`Self::with_comba`].
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn columns(self) -> bool {
        self.columns
    }

    /// The same by Comba's columns up to `limbs` limbs, at most 32 of them, and Karatsuba above:
    /// FFA's `Karatsuba_Thresh`. Where the CPU has `adx`, [`Self::new`] is faster.
    #[must_use]
    pub fn with_comba(self, limbs: usize) -> Self {
        Self { isa: self.isa, base: limbs.clamp(1, BASE), columns: true }
    }

    /// `z := x y`; `x` and `y` have n limbs, `z` has 2 n.
    pub fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64]) {
        let n = x.len();
        assert!(y.len() == n && z.len() == 2 * n, "widths of a product");
        #[cfg(target_arch = "x86_64")]
        if let Some(ifma) = self.ifma(n) {
            return ifma_product::mul::<U64x8<_>>(ifma, z, x, y);
        }
        if !self.halves(n) {
            return self.comba(z, x, y);
        }
        with_scratch(2 * n, |scratch| self.mul_with(z, x, y, scratch));
    }

    /// Whether Karatsuba halves products of n limbs.
    fn halves(self, n: usize) -> bool {
        n > self.base && n & 1 == 0
    }

    /// [`Self::mul`] on general registers, with space for 2 n limbs where it halves.
    fn mul_with(self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]) {
        let n = x.len();
        if !self.halves(n) {
            return self.comba(z, x, y);
        }
        // x = x1 B^h + x0: x y = x1 y1 B^2h + (x0 y0 + x1 y1 - (x0 - x1)(y0 - y1)) B^h + x0 y0.
        let h = n >> 1;
        let (d, scratch) = scratch.split_at_mut(n);
        let (dx, dy) = z[..n].split_at_mut(h);
        let sign = distance(dx, x) ^ distance(dy, y);
        self.mul_with(d, dx, dy, scratch);
        let (low, high) = z.split_at_mut(n);
        self.mul_with(low, &x[..h], &y[..h], scratch);
        self.mul_with(high, &x[h..], &y[h..], scratch);
        middle(z, d, !sign);
    }

    /// `z := x^2`.
    pub fn square(&self, z: &mut [u64], x: &[u64]) {
        let n = x.len();
        assert!(z.len() == 2 * n, "widths of a square");
        #[cfg(target_arch = "x86_64")]
        if let Some(ifma) = self.ifma(n) {
            return ifma_product::square::<U64x8<_>>(ifma, z, x);
        }
        if !self.halves(n) || self.by_rows(n) {
            return self.comba_square(z, x);
        }
        with_scratch(2 * n, |scratch| self.square_with(z, x, scratch));
    }

    /// [`Self::square`] on general registers, with space for 2 n limbs where it halves.
    fn square_with(self, z: &mut [u64], x: &[u64], scratch: &mut [u64]) {
        let n = x.len();
        if !self.halves(n) || self.by_rows(n) {
            return self.comba_square(z, x);
        }
        let h = n >> 1;
        let (d, scratch) = scratch.split_at_mut(n);
        let (low, high) = z.split_at_mut(n);
        distance(&mut low[..h], x);
        self.square_with(d, &low[..h], scratch);
        self.square_with(low, &x[..h], scratch);
        self.square_with(high, &x[h..], scratch);
        middle(z, d, u64::MAX);
    }

    /// `z := x y` modulo 2^(64 n); all three have n limbs.
    pub fn mul_low(&self, z: &mut [u64], x: &[u64], y: &[u64]) {
        let n = x.len();
        assert!(y.len() == n && z.len() == n, "widths of a low product");
        #[cfg(target_arch = "x86_64")]
        if let Some(ifma) = self.ifma(n) {
            return ifma_product::mul_low::<U64x8<_>>(ifma, z, x, y);
        }
        if !self.halves(n) || self.by_rows(n) {
            return self.comba_low(z, x, y);
        }
        with_scratch(2 * n, |scratch| self.mul_low_with(z, x, y, scratch));
    }

    /// [`Self::mul_low`] on general registers, with space for 2 n limbs where it halves.
    fn mul_low_with(self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]) {
        let n = x.len();
        if !self.halves(n) || self.by_rows(n) {
            return self.comba_low(z, x, y);
        }
        // x y = x0 y0 + (x0 y1 + x1 y0) B^h modulo B^2h.
        let h = n >> 1;
        self.mul_with(z, &x[..h], &y[..h], scratch);
        let (cross, scratch) = scratch.split_at_mut(h);
        for (x, y) in [(&x[..h], &y[h..]), (&x[h..], &y[..h])] {
            self.mul_low_with(cross, x, y, scratch);
            fz::add(&mut z[h..], cross);
        }
    }

    /// The token of AVX-512 IFMA, if it takes `n` limbs.
    #[cfg(target_arch = "x86_64")]
    fn ifma(self, n: usize) -> Option<Ifma> {
        let fits = (IFMA_MIN..=ifma_product::MAX_LIMBS).contains(&n) && !self.columns;
        self.isa.ifma().filter(|_| fits)
    }

    /// Whether rows make a square or a low product faster than Karatsuba: they need half of a
    /// product's multiplications.
    fn by_rows(self, n: usize) -> bool {
        #[cfg(target_arch = "x86_64")]
        return n <= ROWS_BASE && rows(n) && !self.columns && self.isa.adx().is_some();
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    fn comba(self, z: &mut [u64], x: &[u64], y: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(adx) = self.isa.adx() {
            if self.columns {
                if asm::comba::mul(adx, z, x, y) {
                    return;
                }
            } else if rows(x.len()) {
                return asm::rows::mul(adx, z, x, y);
            }
        }
        comba(z, x, y);
    }

    fn comba_square(self, z: &mut [u64], x: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(adx) = self.isa.adx() {
            if self.columns {
                if asm::comba::mul(adx, z, x, x) {
                    return;
                }
            } else if rows(x.len()) {
                return asm::rows::square(adx, z, x);
            }
        }
        comba_square(z, x);
    }

    fn comba_low(self, z: &mut [u64], x: &[u64], y: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(adx) = self.isa.adx() {
            if self.columns {
                if asm::comba::mul_low(adx, z, x, y) {
                    return;
                }
            } else if x.len() == 16 {
                return asm::low_product::mul_low_16(adx, z, x, y);
            } else if rows(x.len()) {
                return asm::rows::mul_low(adx, z, x, y);
            }
        }
        comba(z, x, y);
    }
}

/// Whether there are kernels by rows for the width.
#[cfg(target_arch = "x86_64")]
fn rows(n: usize) -> bool {
    n > 0 && n.is_multiple_of(asm::rows::ROW)
}

impl Default for Mul {
    fn default() -> Self {
        Self::new()
    }
}

/// Limbs of scratch space on the stack: enough for products of 128 limbs.
const ON_STACK: usize = 256;

/// Calls `f` with so many limbs of space, which are wiped afterwards. Not inlined: short products
/// need no such space.
#[inline(never)]
fn with_scratch(limbs: usize, f: impl FnOnce(&mut [u64])) {
    if limbs <= ON_STACK {
        let mut space = [0; ON_STACK];
        f(&mut space[..limbs]);
        wipe(&mut space[..limbs], 0);
    } else {
        f(&mut Scratch::new(limbs, 0));
    }
}

/// Column by column, as many columns as `z` has: the definition of product and low product.
fn comba(z: &mut [u64], x: &[u64], y: &[u64]) {
    let n = x.len();
    let mut sum = [0; 3];
    for (k, out) in z.iter_mut().enumerate() {
        for i in k.saturating_sub(n - 1)..n.min(k + 1) {
            sum = limb::add_product(sum, x[i], y[k - i]);
        }
        *out = sum[0];
        sum = [sum[1], sum[2], 0];
    }
}

/// Products off the diagonal once, doubled, then the diagonal.
fn comba_square(z: &mut [u64], x: &[u64]) {
    let n = x.len();
    z.fill(0);
    for i in 0..n {
        let mut carry = 0;
        for j in i + 1..n {
            (z[i + j], carry) = limb::mac(x[i], x[j], z[i + j], carry);
        }
        z[i + n] = carry;
    }
    let (mut shifted, mut carry) = (0, 0);
    for (i, &w) in x.iter().enumerate() {
        let (low, high) = limb::mac(w, w, 0, 0);
        let (a, b) = (z[2 * i], z[2 * i + 1]);
        (z[2 * i], carry) = limb::add(a << 1 | shifted, low, carry);
        (z[2 * i + 1], carry) = limb::add(b << 1 | a >> 63, high, carry);
        shifted = b >> 63;
    }
}
