//! A factor in the form that rows take.
use zeroize::Zeroizing;

use super::u64x4::{LANES, U64x4};

/// Each digit of a block of 4 G in all lanes.
pub(super) type Rows<const G: usize> = [[U64x4; LANES]; G];

/// A register, as it is and moved up by 1 to 3 digits.
type Moved = [U64x4; LANES];

/// A number of N registers, moved up by 0 to 3 digits, so that the loads of every row are aligned:
/// a load that straddles two cache lines takes as long as two.
pub(super) struct Copies(Zeroizing<Vec<Moved>>);

impl Copies {
    /// Zero.
    pub(super) fn new(registers: usize) -> Self {
        // Zeros below, the number, the digits that move beyond its top, zeros above.
        Self(Zeroizing::new(vec![Default::default(); registers + 3]))
    }

    /// self := x, each register of which `map` may change.
    #[inline(always)]
    pub(super) fn set(&mut self, x: &[u64], map: impl Fn(U64x4) -> U64x4) {
        let mut below = U64x4::default();
        let mut digits = x.chunks_exact(LANES);
        for moved in &mut self.0[1..] {
            let x = digits.next().map_or_else(
                U64x4::default,
                #[inline(always)]
                |digits| map(U64x4::load(digits, 0)),
            );
            let [one, two, three] = x.up(below);
            *moved = [x, one, two, three];
            below = x;
        }
    }

    /// What [`add_rows`] takes to add to columns from register `first` of the block on.
    #[inline(always)]
    pub(super) fn from<const G: usize>(&self, first: usize) -> &[Moved] {
        // The last four digits of a block take registers from G - 1 below.
        &self.0[first + 2 - G..]
    }
}

/// columns += x y, y being what [`Copies::from`] gives: N + G registers from the one of the lowest
/// column of the block x on, or fewer from a later one on.
#[inline(always)]
pub(super) fn add_rows<const G: usize>(columns: &mut [U64x4], x: &Rows<G>, y: &[Moved]) {
    for (column, y) in columns.iter_mut().zip(y.windows(G)) {
        let mut sum = *column;
        for (x, y) in x.iter().rev().zip(y) {
            for (x, y) in x.iter().zip(y) {
                sum = sum.add(y.product(*x));
            }
        }
        *column = sum;
    }
}
