//! [`AliasTable`]: the integer alias method, exact by construction and asserted.
//!
//! 2^a slots of mass S = 2^(P-a). A sample is: slot s uniform, r uniform in [0, S), value `primary`
//! if r < `threshold` and `alias` otherwise: P random bits for every distribution. (A. J. Walker,
//! 1977; M. D. Vose, 1991, here in integers.)

use alloc::vec::Vec;

use crate::exact::Pmf;

/// One slot: `primary` with probability `threshold` / S, else `alias`. A pure slot has
/// `primary == alias`, threshold 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// Value if r < threshold.
    pub primary: u16,
    /// Value otherwise.
    pub alias: u16,
    /// Number of r, of the S possible, that give `primary`.
    pub threshold: u128,
}

impl Slot {
    const fn pure(value: usize) -> Self {
        Self { primary: value as u16, alias: value as u16, threshold: 0 }
    }

    /// Whether the threshold is irrelevant.
    #[must_use]
    pub const fn is_pure(&self) -> bool {
        self.primary == self.alias
    }
}

/// An exact alias table of a [`Pmf`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasTable {
    precision: u32,
    slot_bits: u32,
    slots: Vec<Slot>,
}

impl AliasTable {
    /// For Boolean circuits: as many pure slots as there can be, sorted last; at most n - 1 mixed
    /// ones. `variant` selects one of many equivalent pairings, whose circuits differ in size.
    #[must_use]
    pub fn pure_first(pmf: &Pmf, variant: u64) -> Self {
        let slot_bits = pmf.value_bits();
        let size = 1_u128 << (pmf.precision() - slot_bits);
        let mut left = pmf.masses().to_vec();
        let mut active: Vec<usize> = (0..left.len()).filter(|&z| left[z] > 0).collect();
        let mut free = 1_usize << slot_bits;
        let mut pure = Vec::new();
        while free > active.len() {
            // The heaviest holds at least the mean, which is at least one slot.
            let Some(&j) = active.iter().max_by_key(|&&z| (left[z], core::cmp::Reverse(z))) else {
                break;
            };
            left[j] -= size;
            pure.push(j);
            free -= 1;
            if left[j] == 0 {
                active.retain(|&z| z != j);
            }
        }
        let (mut small, mut large): (Vec<_>, Vec<_>) =
            active.into_iter().partition(|&z| left[z] < size);
        let mut choice =
            XorShift(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(variant.wrapping_add(1)) | 1);
        let mut slots = Vec::with_capacity(1 << slot_bits);
        while !small.is_empty() {
            let i = small.swap_remove(choice.below(small.len()));
            let at = choice.below(large.len());
            let j = large[at];
            slots.push(Slot { primary: i as u16, alias: j as u16, threshold: left[i] });
            left[j] -= size - left[i];
            if left[j] < size {
                small.push(large.swap_remove(at));
            }
        }
        for j in large {
            pure.extend(core::iter::repeat_n(
                j,
                (left[j] >> (pmf.precision() - slot_bits)) as usize,
            ));
        }
        slots.sort_unstable();
        pure.sort_unstable();
        slots.extend(pure.into_iter().map(Slot::pure));
        Self { precision: pmf.precision(), slot_bits, slots }.checked(pmf.masses())
    }

    /// For look-ups: slot i has primary i, so that only alias and threshold need a table.
    ///
    /// # Panics
    /// If 2^`slot_bits` slots are too few for the values, or `slot_bits` is more than the
    /// precision.
    #[must_use]
    pub fn identity(pmf: &Pmf, slot_bits: u32) -> Self {
        Self::of_masses(pmf.masses(), pmf.precision(), slot_bits)
    }

    /// [`Self::identity`] for masses that sum to 2^`precision`.
    pub(crate) fn of_masses(masses: &[u128], precision: u32, slot_bits: u32) -> Self {
        let count = 1_usize << slot_bits;
        let size = 1_u128 << (precision - slot_bits);
        let mut left = masses.to_vec();
        left.resize(count, 0);
        let (mut small, mut large): (Vec<_>, Vec<_>) = (0..count).partition(|&z| left[z] < size);
        let mut slots: Vec<Slot> = (0..count).map(Slot::pure).collect();
        while let Some(i) = small.pop() {
            let j =
                *large.last().expect("the masses sum to all slots: light ones imply a heavy one");
            slots[i].alias = j as u16;
            slots[i].threshold = left[i];
            left[j] -= size - left[i];
            if left[j] < size {
                small.extend(large.pop());
            }
        }
        Self { precision, slot_bits, slots }.checked(masses)
    }

    /// # Panics
    /// If the table has other masses, which would be a bug in the construction.
    fn checked(self, masses: &[u128]) -> Self {
        assert_eq!(self.slots.len(), 1 << self.slot_bits, "number of slots");
        let ours = self.masses();
        let (head, tail) = ours.split_at(masses.len());
        assert!(head == masses && tail.iter().all(|&m| m == 0), "masses of the alias table");
        self
    }

    /// Mass of each value, in units of 2^-P, recomputed from the slots.
    #[must_use]
    pub fn masses(&self) -> Vec<u128> {
        let size = 1_u128 << self.threshold_bits();
        let mut masses = alloc::vec![0_u128; self.slots.len()];
        for slot in &self.slots {
            masses[usize::from(slot.primary)] += slot.threshold;
            masses[usize::from(slot.alias)] += size - slot.threshold;
        }
        masses
    }

    /// P: random bits of one sample.
    #[must_use]
    pub fn precision(&self) -> u32 {
        self.precision
    }

    /// a.
    #[must_use]
    pub fn slot_bits(&self) -> u32 {
        self.slot_bits
    }

    /// P - a.
    #[must_use]
    pub fn threshold_bits(&self) -> u32 {
        self.precision - self.slot_bits
    }

    /// The 2^a slots.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The definition: the value that slot index and r give.
    #[must_use]
    pub fn value_vartime(&self, slot: usize, r: u128) -> u16 {
        let slot = &self.slots[slot];
        if r < slot.threshold { slot.primary } else { slot.alias }
    }
}

/// Marsaglia's xorshift64: chooses among equivalent tables, which is public.
struct XorShift(u64);

impl XorShift {
    #[expect(clippy::integer_division_remainder_used, reason = "tables are public")]
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}
