//! A factor in the form that rows take.
use tautochrone_simd::vector::{Lanes as _, Vector as _};
use tautochrone_simd::{Avx2, Scratch};

use super::digits::{LANES, Register};

/// Each digit of a block of 4 G in all lanes.
pub(super) type Rows<const G: usize> = [[Register; LANES]; G];

/// A register, as it is and moved up by 1 to 3 digits.
type Moved = [Register; LANES];

/// A number of N registers, moved up by 0 to 3 digits, so that the loads of every row are aligned:
/// a load that straddles two cache lines takes as long as two.
pub(super) struct Copies(Scratch<Moved>);

impl Copies {
    /// Zero.
    pub(super) fn new(token: Avx2, registers: usize) -> Self {
        // Zeros below, the number, the digits that move beyond its top, zeros above.
        Self(Scratch::new(registers + 3, [Register::zero(token); LANES]))
    }

    /// self := x, each register of which `map` may change.
    #[inline(always)]
    pub(super) fn set(&mut self, token: Avx2, x: &[u64], map: impl Fn(Register) -> Register) {
        let zero = Register::zero(token);
        let mut below = zero;
        let mut digits = x.chunks_exact(LANES);
        for moved in &mut self.0[1..] {
            let x = match digits.next() {
                Some(digits) => map(Register::load(token, digits)),
                None => zero,
            };
            *moved = [x, x.up(below, 1), x.up(below, 2), x.up(below, 3)];
            below = x;
        }
    }

    /// The form in which [`add_rows`] takes a number, to add it to columns from register `first` of
    /// the block on.
    #[inline(always)]
    pub(super) fn from<const G: usize>(&self, first: usize) -> &[Moved] {
        // The last four digits of a block take registers from G - 1 below.
        &self.0[first + 2 - G..]
    }
}

/// columns += x y, y being what [`Copies::from`] gives: N + G registers from the one of the lowest
/// column of the block x on, or fewer from a later one on.
#[inline(always)]
pub(super) fn add_rows<const G: usize>(columns: &mut [Register], x: &Rows<G>, y: &[Moved]) {
    for (column, y) in columns.iter_mut().zip(y.windows(G)) {
        let mut sum = *column;
        for (x, y) in x.iter().rev().zip(y) {
            for (x, y) in x.iter().zip(y) {
                sum = sum.add(y.mul_low_32(*x));
            }
        }
        *column = sum;
    }
}
