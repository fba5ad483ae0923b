//! Montgomery's reduction of columns.
use tautochrone_simd::vector::{Lanes as _, Vector as _};
use tautochrone_simd::{Avx2, Token as _, vectorize};
use zeroize::Zeroizing;

use super::copies::{Copies, add_rows};
use super::digits::{DIGIT, LANES, RADIX, Register, digits_of};
use super::product::{BLOCK, Products, ROWS, rows};
use crate::digits::{digit, join};
use crate::limb;
use crate::montgomery::common::inverse_and_multiple;

/// Limbs of K: 216 bits.
const LIMBS: usize = (RADIX * ROWS).div_ceil(64);

/// An odd modulus m of N registers.
pub(super) struct Modulus {
    token: Avx2,
    registers: usize,
    /// m.
    whole: Copies,
    /// M.
    multiple: Copies,
    /// K.
    inverse: Zeroizing<[u64; LIMBS]>,
}

/// The digits of columns, the first of which gets `carry`; the part above them is the next
/// carry.
#[inline(always)]
fn sweep<const G: usize>(digits: &mut [u64; ROWS], columns: &[Register], mut carry: u64) -> u64 {
    for (d, &column) in digits.iter_mut().zip(Register::words(&columns[..G])) {
        let sum = column + carry;
        (*d, carry) = (sum & DIGIT, sum >> RADIX);
    }
    carry
}

impl Modulus {
    pub(super) fn new(token: Avx2, m: &[u64], registers: usize) -> Self {
        let copies = |x: &[u64]| {
            let (mut copies, digits) =
                (Copies::new(token, registers), digits_of(x, LANES * registers));
            vectorize!(token, {
                copies.set(
                    token,
                    &digits,
                    #[inline(always)]
                    |x| x,
                );
            });
            copies
        };
        let (limbs, multiple) = inverse_and_multiple(m, RADIX * ROWS);
        let mut inverse = Zeroizing::new([0; LIMBS]);
        inverse.copy_from_slice(&limbs);
        Self { token, registers, whole: copies(m), multiple: copies(&multiple), inverse }
    }

    /// Clears the lowest 4 G of the columns, which get `carry`, by q m,
    /// q = -c / m modulo beta^(4 G); returns the carry above them.
    #[inline(always)]
    fn clear<const G: usize>(
        &self,
        columns: &mut [Register],
        digits: &mut [u64; ROWS],
        carry: u64,
    ) -> u64 {
        sweep::<G>(digits, columns, carry);
        let (mut low, mut quotient) = (Zeroizing::new([0; LIMBS]), Zeroizing::new([0; LIMBS]));
        let digits_of_block = &digits[..LANES * G];
        join::<RADIX>(&mut *low, digits_of_block.iter().copied());
        for (j, &k) in self.inverse.iter().enumerate() {
            let mut above = 0;
            for (q, &c) in quotient[j..].iter_mut().zip(&*low) {
                (*q, above) = limb::mac(c, k, *q, above);
            }
        }
        for (j, d) in digits.iter_mut().enumerate() {
            *d = digit::<RADIX>(&*quotient, j);
        }
        add_rows(columns, &rows::<G>(self.token, digits), self.whole.from::<G>(0));
        sweep::<G>(digits, columns, carry)
    }

    /// r := the columns of `scratch` / R modulo m.
    #[inline(always)]
    pub(super) fn reduce(&self, r: &mut [u64], scratch: &mut Products) {
        let columns = &mut scratch.columns;
        let mut digits = Zeroizing::new([0; ROWS]);
        let (mut done, mut carry) = (0, 0);
        if !self.registers.is_multiple_of(BLOCK) {
            carry = self.clear::<1>(columns, &mut digits, carry);
            done = 1;
        }
        let last = self.registers - BLOCK;
        let multiple = self.multiple.from::<BLOCK>(0);
        while done < last {
            carry = sweep::<BLOCK>(&mut digits, &columns[done..], carry);
            done += BLOCK;
            add_rows(&mut columns[done..], &rows::<BLOCK>(self.token, &*digits), multiple);
        }
        carry = self.clear::<BLOCK>(&mut columns[last..], &mut digits, carry);

        const CARRY: u32 = RADIX as u32;
        let (mask, zero) = (Register::splat(self.token, DIGIT), Register::zero(self.token));
        let (mut column_below, mut sum_below) = (zero, zero);
        let mut carry = Register::from_first(self.token, carry);
        for (r, &column) in r.chunks_exact_mut(LANES).zip(&columns[self.registers..]) {
            let column = column.add(carry);
            carry = zero;
            let column_above = column.shr::<CARRY>();
            let sum = column.and(mask).add(column_above.up(column_below, 1));
            column_below = column_above;
            let sum_above = sum.shr::<CARRY>();
            sum.and(mask).add(sum_above.up(sum_below, 1)).store(r);
            sum_below = sum_above;
        }
    }
}
