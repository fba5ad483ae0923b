//! Karatsuba's products: three of half the width, and sums. Scratch space comes from the caller.
//!
//! # Constant time
//! In every value: signs are masks, and every sum runs over all of its limbs.
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::Adx;

#[cfg(target_arch = "x86_64")]
use crate::asm::chains;
use crate::{fz, limb};

/// Sums and differences: along the carry flag in assembly, or as any CPU has them.
#[derive(Clone, Copy)]
pub(super) enum Chains {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Adx(Adx),
}

impl Chains {
    /// x := x + y + carry for a carry of 0 or 1, returns the carry.
    pub(super) fn add(self, x: &mut [u64], y: &[u64], carry: u64) -> u64 {
        match self {
            Self::Portable => x.iter_mut().zip(y).fold(carry, |carry, (a, &b)| {
                let (sum, carry) = limb::add(*a, b, carry);
                *a = sum;
                carry
            }),
            #[cfg(target_arch = "x86_64")]
            Self::Adx(adx) => chains::add(adx, x, y, carry),
        }
    }

    /// z := x + y + carry for a carry of 0 or 1, returns the carry.
    fn add_to(self, z: &mut [u64], x: &[u64], y: &[u64], carry: u64) -> u64 {
        match self {
            Self::Portable => {
                z.copy_from_slice(x);
                self.add(z, y, carry)
            }
            #[cfg(target_arch = "x86_64")]
            Self::Adx(adx) => chains::add_to(adx, z, x, y, carry),
        }
    }

    /// z := x - y, returns the borrow.
    fn sub_to(self, z: &mut [u64], x: &[u64], y: &[u64]) -> u64 {
        match self {
            Self::Portable => {
                z.copy_from_slice(x);
                fz::sub(z, y)
            }
            #[cfg(target_arch = "x86_64")]
            Self::Adx(adx) => chains::sub_to(adx, z, x, y),
        }
    }

    /// x := x + w, returns the carry.
    fn add_limb(self, x: &mut [u64], w: u64) -> u64 {
        match self {
            Self::Portable => fz::add_limb(x, w),
            #[cfg(target_arch = "x86_64")]
            Self::Adx(adx) => chains::add_limb(adx, x, w),
        }
    }

    /// d := |x0 - x1| for the halves of x, returns the mask of x0 < x1.
    pub(super) fn distance(self, d: &mut [u64], x: &[u64]) -> u64 {
        let (x0, x1) = x.split_at(d.len());
        let less = limb::mask(self.sub_to(d, x0, x1));
        flip(d, less);
        self.add_limb(d, less & 1);
        less
    }

    /// The last step: z = low + high B^2h gains (low + high -+ d) B^h, for z of 4 h limbs and d of
    /// 2 h, which is overwritten; `minus` is the mask of subtracting it.
    pub(super) fn middle(self, z: &mut [u64], d: &mut [u64], minus: u64) {
        let h = z.len() >> 2;
        // The quarters are a0, a1, b0, b1: a1 becomes a0 + (a1 + b0), and b0 becomes (a1 + b0) +
        // b1.
        let (a0, rest) = z.split_at_mut(h);
        let (a1, rest) = rest.split_at_mut(h);
        let (b0, b1) = rest.split_at_mut(h);
        // Carries to 2 h (the first also to 3 h) and to 3 h.
        let common = self.add(a1, b0, 0);
        let mut over = common + self.add_to(b0, a1, b1, common);
        let first = self.add(a1, a0, 0);
        // z - d is z + !d + 1 - B^2h.
        flip(d, minus);
        let (d0, d1) = d.split_at(h);
        let carry = self.add(a1, d0, minus & 1);
        over += self.add(b0, d1, carry);
        over += self.add_limb(b0, first);
        // Not negative: the middle is x0 y1 + x1 y0.
        self.add_limb(b1, over.wrapping_sub(minus & 1));
    }
}

/// x := !x where `gate` is all ones.
fn flip(x: &mut [u64], gate: u64) {
    for x in x {
        *x ^= gate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In assembly as by the definition, for carries through all limbs and none.
    #[test]
    fn chains_agree() {
        let all = [
            Some(Chains::Portable),
            #[cfg(target_arch = "x86_64")]
            tautochrone_simd::Isa::detect().adx().map(Chains::Adx),
        ];
        let mixed = crate::check::mixed(24, 1);
        let ones = vec![u64::MAX; 24];
        for n in [8, 16, 24] {
            for (x, y) in [(&mixed, &ones), (&ones, &mixed), (&ones, &ones)] {
                for carry in [0, 1] {
                    let results = all.iter().flatten().map(|chains| {
                        let (mut a, mut b, mut c) = (x[..n].to_vec(), vec![0; n], vec![0; n]);
                        let mut d = x[..n].to_vec();
                        let out = [
                            chains.add(&mut a, &y[..n], carry),
                            chains.add_to(&mut b, &x[..n], &y[..n], carry),
                            chains.sub_to(&mut c, &x[..n], &y[..n]),
                            chains.add_limb(&mut d, 5 * carry),
                        ];
                        (out, [a, b, c, d])
                    });
                    let results: Vec<_> = results.collect();
                    assert!(results.iter().all(|result| *result == results[0]), "{n}");
                }
            }
        }
    }
}
