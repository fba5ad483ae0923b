//! [`Masks`]: the masks that proofs in a slot use, as workers send them.

use zeroize::Zeroizing;

use super::layout::Slot;
use crate::error::{Error, ShardProblem};
use crate::field::{ElementOf, Field, P61};
use crate::opening::transcript;
use crate::sum_check::dot;
use alloc::vec::Vec;

/// The masks of a slot: gamma of the columns in front of the messages, and the places of F_1 and
/// its beta. Secret.
#[derive(Default)]
pub struct Masks<F: Field = P61> {
    pub(super) gamma: Zeroizing<Vec<ElementOf<F>>>,
    pub(super) beta: Zeroizing<Vec<ElementOf<F>>>,
    pub(super) places: Zeroizing<Vec<ElementOf<F>>>,
}

impl<F: Field> core::fmt::Debug for Masks<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Masks([REDACTED])")
    }
}

impl<F: Field> Masks<F> {
    /// The same of the columns that follow.
    pub fn join(&mut self, next: &Self) {
        self.gamma.extend_from_slice(&next.gamma);
        self.beta.extend_from_slice(&next.beta);
        self.places.extend_from_slice(&next.places);
    }

    pub(super) const fn parts(&self) -> [&Zeroizing<Vec<ElementOf<F>>>; 3] {
        [&self.gamma, &self.beta, &self.places]
    }

    /// As bytes between machines.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::new());
        for part in self.parts() {
            bytes.extend((part.len() as u64).to_le_bytes());
        }
        for part in self.parts() {
            bytes.extend_from_slice(&transcript::encode(part));
        }
        bytes
    }

    /// # Errors
    /// [`Error::Shard`] if they are no such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let problem = || Error::Shard(ShardProblem::Elements);
        let (counts, mut rest) = bytes.split_at_checked(24).ok_or_else(problem)?;
        let mut parts = [Zeroizing::default(), Zeroizing::default(), Zeroizing::default()];
        for (part, count) in parts.iter_mut().zip(counts.as_chunks::<8>().0) {
            let count = usize::try_from(u64::from_le_bytes(*count)).unwrap_or(usize::MAX);
            let len = count.saturating_mul(F::ELEMENT_LEN);
            let (bytes, behind) = rest.split_at_checked(len).ok_or_else(problem)?;
            *part = transcript::decode(bytes, count)?;
            rest = behind;
        }
        let [gamma, beta, places] = parts;
        if rest.is_empty() { Ok(Self { gamma, beta, places }) } else { Err(problem()) }
    }

    /// The elements of K that the places are.
    pub(super) fn elements(&self, slot: &Slot) -> Zeroizing<Vec<ElementOf<F>>> {
        let weights = slot.layout().mask_weights();
        let places = self.places.chunks_exact(weights.len());
        Zeroizing::new(places.take(slot.masks() as usize).map(|x| dot(&weights, x)).collect())
    }
}
