//! [`WitnessDigest`]: what a prover knows of a witness that it has read once.

use alloc::vec::Vec;

use tautochrone_simd::declassify;
use zeroize::{Zeroize, Zeroizing};

use crate::entry::WitnessEntry;
use crate::error::Error;
use crate::hash::Digest;
use crate::params::Params;
use crate::witness;

/// The hashes of blocks of S, which go into the seed of Y, and the sum of the squares of their
/// entries. Secret: erased when dropped, never printed.
#[derive(Clone, Default)]
pub struct WitnessDigest {
    hashes: Zeroizing<Vec<Digest>>,
    squares: u128,
}

impl core::fmt::Debug for WitnessDigest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("WitnessDigest([REDACTED])")
    }
}

impl Drop for WitnessDigest {
    fn drop(&mut self) {
        self.squares.zeroize();
    }
}

impl WitnessDigest {
    /// Of no blocks, with the capacity for this number of them: growing would leave copies of the
    /// hashes behind.
    pub(crate) fn with_capacity(blocks: usize) -> Self {
        Self { hashes: Zeroizing::new(Vec::with_capacity(blocks)), squares: 0 }
    }

    /// The digest of consecutive blocks from their hashes and the sum of the squares of all their
    /// entries, as they travelled.
    #[must_use]
    pub fn new(hashes: Vec<Digest>, squares: u128) -> Self {
        Self { hashes: Zeroizing::new(hashes), squares }
    }

    /// The hashes of the blocks, in order. Secret.
    #[must_use]
    pub fn hashes(&self) -> &[Digest] {
        &self.hashes
    }

    /// The sum of the squares of the entries. Secret.
    #[must_use]
    pub const fn squares(&self) -> u128 {
        self.squares
    }

    /// Appends the digest of the blocks that follow.
    pub fn join(&mut self, next: &Self) {
        let mut hashes = Zeroizing::new(Vec::with_capacity(self.hashes.len() + next.hashes.len()));
        hashes.extend_from_slice(&self.hashes);
        hashes.extend_from_slice(&next.hashes);
        self.hashes = hashes;
        self.squares = self.squares.wrapping_add(next.squares);
    }

    /// Appends the blocks that `entries` consist of, from block `first` on.
    pub(crate) fn read<T: WitnessEntry>(&mut self, params: &Params, first: u64, entries: &[T]) {
        witness::hash_blocks(params, first, entries, &mut self.hashes);
        // Without that bound nobody asks.
        if params.bounds_squares() {
            self.squares = self.squares.wrapping_add(T::sum_of_squares(entries));
        }
    }

    /// Constant time in the norm, but for the verdict, which is one bit that a prover publishes by
    /// proving or not.
    ///
    /// # Errors
    /// [`Error::WitnessNorm`] if it exceeds F^2.
    pub(crate) fn check_norm(&self, params: &Params) -> Result<(), Error> {
        let most = params.frobenius_squared();
        if params.bounds_squares() && declassify(u8::from(self.squares > most)) == 1 {
            return Err(Error::WitnessNorm { most });
        }
        Ok(())
    }
}

impl Params {
    /// Whether F^2 is less than what the bounds of the rows allow, so that it has to be checked.
    fn bounds_squares(&self) -> bool {
        self.frobenius_squared() < self.largest_frobenius_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{CustomParams, Security};
    use crate::rows::RowGroups;

    /// One above F^2 is refused, and F^2 is not; nothing is where the bounds allow no more.
    #[test]
    fn long_witnesses_are_refused() {
        let custom = CustomParams::new(32, 4, 12, 300, 5);
        let params = custom.validate(Security::Waived).unwrap();
        let most = params.frobenius_squared();
        assert_eq!(most, RowGroups::uniform(12, 5).frobenius_squared(300));
        assert!(WitnessDigest::new(Vec::new(), most).check_norm(&params).is_ok());
        let error = WitnessDigest::new(Vec::new(), most + 1).check_norm(&params).unwrap_err();
        assert!(matches!(error, Error::WitnessNorm { most: got } if got == most), "{error}");
        let free = CustomParams { frobenius_squared: Some(12 * 300 * 25), ..custom };
        let free = free.validate(Security::Waived).unwrap();
        assert!(WitnessDigest::new(Vec::new(), most + 1).check_norm(&free).is_ok());
    }
}
