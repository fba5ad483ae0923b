//! Montgomery's reduction of columns.
use tautochrone_simd::Avx2;
use zeroize::Zeroizing;

use super::copies::{Copies, add_rows};
use super::digits::{DIGIT, RADIX, digits_of};
use super::product::{BLOCK, ROWS, Scratch, rows};
use super::u64x4::{LANES, U64x4, enter};
use crate::digits::{digit, join};
use crate::limb;
use crate::montgomery::common::inverse_and_multiple;

/// Limbs of K: 216 bits.
const LIMBS: usize = (RADIX * ROWS).div_ceil(64);

/// An odd modulus m of N registers.
pub(super) struct Modulus {
    registers: usize,
    /// m.
    whole: Copies,
    /// M.
    multiple: Copies,
    /// K.
    inverse: Zeroizing<[u64; LIMBS]>,
}

/// The digits of columns, the first of which gets `carry`; what is left above them is the next
/// carry.
#[inline(always)]
fn sweep<const G: usize>(digits: &mut [u64; ROWS], columns: &[U64x4], mut carry: u64) -> u64 {
    for (d, &column) in digits.iter_mut().zip(U64x4::elements(&columns[..G])) {
        let sum = column + carry;
        (*d, carry) = (sum & DIGIT, sum >> RADIX);
    }
    carry
}

impl Modulus {
    pub(super) fn new(token: Avx2, m: &[u64], registers: usize) -> Self {
        let copies = |x: &[u64]| {
            let (mut copies, digits) = (Copies::new(registers), digits_of(x, LANES * registers));
            enter(
                token,
                #[inline(always)]
                || {
                    copies.set(
                        &digits,
                        #[inline(always)]
                        |x| x,
                    );
                },
            );
            copies
        };
        let (limbs, multiple) = inverse_and_multiple(m, RADIX * ROWS);
        let mut inverse = Zeroizing::new([0; LIMBS]);
        inverse.copy_from_slice(&limbs);
        Self { registers, whole: copies(m), multiple: copies(&multiple), inverse }
    }

    /// Clears the lowest 4 G of the columns, which get `carry`, by q m,
    /// q = -c / m modulo beta^(4 G); returns the carry above them.
    #[inline(always)]
    fn clear<const G: usize>(
        &self,
        columns: &mut [U64x4],
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
        add_rows(columns, &rows::<G>(digits), self.whole.from::<G>(0));
        sweep::<G>(digits, columns, carry)
    }

    /// r := the columns of `scratch` / R modulo m.
    #[inline(always)]
    pub(super) fn reduce(&self, r: &mut [u64], scratch: &mut Scratch) {
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
            add_rows(&mut columns[done..], &rows::<BLOCK>(&*digits), multiple);
        }
        carry = self.clear::<BLOCK>(&mut columns[last..], &mut digits, carry);

        let mask = U64x4::splat(DIGIT);
        let (mut column_below, mut sum_below) = (U64x4::default(), U64x4::default());
        let mut carry = U64x4::from_first(carry);
        for (r, &column) in r.chunks_exact_mut(LANES).zip(&columns[self.registers..]) {
            let column = column.add(carry);
            carry = U64x4::default();
            let sum = column.and(mask).add(column.carry().up(column_below)[0]);
            column_below = column.carry();
            sum.and(mask).add(sum.carry().up(sum_below)[0]).store(r);
            sum_below = sum.carry();
        }
    }
}
