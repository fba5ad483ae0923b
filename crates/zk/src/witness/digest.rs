//! [`WitnessDigest`]: what a prover knows of a witness that it has read once.

use alloc::vec::Vec;
use core::convert::Infallible;

use tautochrone_simd::declassify;
use zeroize::{Zeroize, Zeroizing};

use crate::entry::WitnessEntry;
use crate::erase::redacted;
use crate::error::{Error, WitnessProblem};
use crate::hash::{Digest, Hasher};
use crate::params::{BLOCK, Params};
use crate::witness;

/// The hashes of blocks of S, which go into the seed of Y, and the sums of the squares of their
/// entries: in rows with wide masks, and in those with narrow ones. Secret: erased when dropped,
/// never printed.
#[derive(Clone, Default)]
pub struct WitnessDigest {
    hashes: Zeroizing<Vec<Digest>>,
    squares: [u128; 2],
}

redacted!("WitnessDigest", WitnessDigest);

impl Drop for WitnessDigest {
    fn drop(&mut self) {
        self.squares.zeroize();
    }
}

impl WitnessDigest {
    /// Of no blocks, with the capacity for this number of them: growing would leave copies of the
    /// hashes behind.
    pub(crate) fn with_capacity(blocks: usize) -> Self {
        Self { hashes: Zeroizing::new(Vec::with_capacity(blocks)), squares: [0; 2] }
    }

    /// The digest of consecutive blocks from their hashes and the sums of the squares of their
    /// entries, as they travelled.
    #[must_use]
    pub fn new(hashes: Vec<Digest>, squares: [u128; 2]) -> Self {
        Self { hashes: Zeroizing::new(hashes), squares }
    }

    /// The hashes of the blocks, in order. Secret.
    #[must_use]
    pub fn hashes(&self) -> &[Digest] {
        &self.hashes
    }

    /// The sums of the squares of the entries, in rows with wide masks and with narrow ones.
    /// Secret.
    #[must_use]
    pub const fn squares(&self) -> [u128; 2] {
        self.squares
    }

    /// H(S) of these blocks, all of S. Secret.
    pub(crate) fn finish(&self, params: &Params) -> Zeroizing<Digest> {
        Zeroizing::new(Hasher::new(params.hash(), "witness").digests(&self.hashes).finish())
    }

    /// Appends the digest of the blocks that follow.
    pub fn join(&mut self, next: &Self) {
        let len = self.hashes.len() + next.hashes.len();
        if len > self.hashes.capacity() {
            let mut hashes = Zeroizing::new(Vec::with_capacity(len));
            hashes.extend_from_slice(&self.hashes);
            self.hashes = hashes;
        }
        self.hashes.extend_from_slice(&next.hashes);
        self.add(next.squares);
    }

    fn add(&mut self, squares: [u128; 2]) {
        for (sum, squares) in self.squares.iter_mut().zip(squares) {
            *sum = sum.wrapping_add(squares);
        }
    }

    /// Appends the blocks that `entries` consist of, from block `first` on; their hashes.
    pub(crate) fn read<T: WitnessEntry>(
        &mut self,
        params: &Params,
        first: u64,
        entries: &[T],
    ) -> &[Digest] {
        let (params, before) = ((params, params.bounds_squares()), self.hashes.len());
        let Ok(_) = self.append(params, first, entries, |_, _| Ok::<_, Infallible>(()));
        &self.hashes[before..]
    }

    /// The same for entries that are not checked yet, with the sums of their squares or without.
    /// `f` is called with each block that is checked, and what it gives is returned: the block lies
    /// in the cache from the check to the hash.
    ///
    /// # Errors
    /// [`Error::Witness`].
    pub(crate) fn read_checked<T: WitnessEntry, U: Send>(
        &mut self,
        (params, squares): (&Params, bool),
        first: u64,
        entries: &[T],
        f: impl Fn(&[T]) -> U + Sync + Send,
    ) -> Result<Vec<U>, Error> {
        self.append((params, squares), first, entries, |index, block| {
            witness::check_bounds(params, index * u64::from(BLOCK), block)?;
            Ok(f(block))
        })
    }

    /// Appends blocks, unless `f(index, block)` refuses one.
    fn append<T: WitnessEntry, U: Send, E: Send>(
        &mut self,
        (params, squares): (&Params, bool),
        first: u64,
        entries: &[T],
        f: impl Fn(u64, &[T]) -> Result<U, E> + Sync + Send,
    ) -> Result<Vec<U>, E> {
        let size = BLOCK as usize * params.v() as usize;
        // Each at its place: what threads collect goes through memory that nobody erases.
        let none = (Digest::from_slice(&[]), [0_u128; 2]);
        let mut digests = Zeroizing::new(vec![none; entries.len().div_ceil(size)]);
        let values = crate::parallel::try_map_chunks(&mut digests, 1, |i, digest| {
            let index = first + i as u64;
            let block = &entries[i * size..entries.len().min((i + 1) * size)];
            let value = f(index, block)?;
            // Without a bound on it nobody asks.
            let squares = if squares { sums(params, block) } else { [0; 2] };
            digest[0] = (witness::block_hash(params, index, block), squares);
            Ok(value)
        })?;
        for &(hash, squares) in digests.iter() {
            self.hashes.push(hash);
            self.add(squares);
        }
        Ok(values)
    }

    /// Constant time in the norm, but for the verdict, which is one bit that a prover publishes by
    /// proving or not.
    ///
    /// # Errors
    /// [`Error::Witness`] if it exceeds F^2, or what Gaussian rows have behind narrow masks;
    /// [`Error::Witness`] if it is below that.
    pub(crate) fn check_norm(&self, params: &Params) -> Result<(), Error> {
        if !params.bounds_squares() {
            return Ok(());
        }
        for (squares, range) in self.squares.iter().zip(params.square_ranges()) {
            let (least, most) = range.into_inner();
            if declassify(u8::from(*squares > most)) == 1 {
                return Err(Error::Witness(WitnessProblem::Norm { most }));
            }
            if declassify(u8::from(*squares < least)) == 1 {
                return Err(Error::Witness(WitnessProblem::Short { least }));
            }
        }
        Ok(())
    }
}

/// The sums of the squares of a block, in rows with wide masks and with narrow ones.
fn sums<T: WitnessEntry>(params: &Params, block: &[T]) -> [u128; 2] {
    let (rows, v) = (params.rejection_rows() as usize, params.v() as usize);
    let all = T::sum_of_squares(block);
    let wide = match rows {
        0 => 0,
        _ if rows == v => all,
        _ => block.chunks_exact(v).map(|column| T::sum_of_squares(&column[..rows])).sum(),
    };
    [wide, all - wide]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::waived;
    use crate::params::CustomParams;
    use crate::rows::{RowGroup, RowGroups};

    /// One above F^2 is refused, and F^2 is not; nothing is where the bounds allow no more.
    #[test]
    fn long_witnesses_are_refused() {
        let custom = CustomParams::new(32, 4, 12, 300, 5);
        let params = waived(custom);
        let most = params.frobenius_squared();
        let uniform = RowGroups::new(&[RowGroup::uniform(12, 5)]).unwrap();
        assert_eq!(most, uniform.frobenius_squared(300));
        assert!(WitnessDigest::new(Vec::new(), [most, 0]).check_norm(&params).is_ok());
        assert_error!(
            WitnessDigest::new(Vec::new(), [most + 1, 0]).check_norm(&params),
            Error::Witness(WitnessProblem::Norm { most: got }) if got == most
        );
        let free = CustomParams { frobenius_squared: Some(12 * 300 * 25), ..custom };
        let free = waived(free);
        assert!(WitnessDigest::new(Vec::new(), [most + 1, 0]).check_norm(&free).is_ok());
    }
}
