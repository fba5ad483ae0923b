//! Two powers at once, modulo two odd numbers of about the same width: the arithmetic of
//! [`montgomery`] with four parts of one number in the lower halves of registers, and four of the
//! other in the upper ones. One after the other, the numbers would have eight parts each: as many
//! products, but rounded up to more digits, and in fewer registers, each of which waits for the one
//! before.
use tautochrone_simd::vector::Halves;
use tautochrone_simd::{Token, vectorize};

use super::montgomery::arrangement::InHalves;
use super::montgomery::{self, Power};
use crate::exponent::Exponent;
use crate::modexp::job::Job;
use crate::radix52::{LANES, RADIX, Radix52};

/// Registers of two numbers.
pub(crate) trait Register: Radix52 + Halves {}
impl<V: Radix52 + Halves> Register for V {}

/// Lanes of a half.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const HALF: usize = LANES / 2;

/// Widest moduli, in limbs: five registers. Wider ones would take as long as one after the other.
pub(crate) const MAX_LIMBS: usize = 16;

/// The powers of two jobs, each with a base and an odd modulus of one width of at most
/// [`MAX_LIMBS`].
pub(crate) fn modexp<V: Register>(token: V::Token, jobs: [Job<'_>; 2]) -> [Vec<u64>; 2] {
    for Job { base, modulus, .. } in &jobs {
        assert!(base.len() == modulus.len() && base.len() <= MAX_LIMBS, "widths of a pair");
    }
    let [mut r, mut s] = jobs.map(|job| vec![0; job.modulus.len()]);
    let powers = jobs.map(|Job { base, exponent, modulus }| Power {
        base,
        exponent: Exponent::secret(exponent),
        modulus,
    });
    let limbs = r.len().max(s.len());
    // Registers of 64 n + 4 bits, rounded up to the next number for which there is code.
    let needed = (64 * limbs + 4).div_ceil(RADIX * HALF);
    macro_rules! of_registers {
        ($($up_to:pat => $n:literal,)*) => {
            match needed {
                $($up_to => vectorize!(
                    token,
                    montgomery::run::<V, InHalves, 2, $n>(token, powers, [&mut r, &mut s])
                ),)*
                _ => unreachable!("the moduli are not wider"),
            }
        };
    }
    if V::ALL_SIZES {
        of_registers!(0..=3 => 3, 4 => 4, 5 => 5,);
    } else {
        of_registers!(0..=5 => 5,);
    }
    [r, s]
}
