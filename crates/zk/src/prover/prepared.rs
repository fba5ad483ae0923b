//! The witness as a prover uses it: hashed once, packed once as far as memory allows, multiplied once an attempt.

use zeroize::Zeroizing;

use crate::challenge::ChallengeMatrix;
use crate::error::Error;
use crate::hash::{Digest, Hasher};
use crate::matrix::PublicMatrix;
use crate::params::{BLOCK, Params};
use crate::products::PackedBlock;
use crate::witness::columns::{for_column_groups, for_column_groups_from};
use crate::witness::{self, WitnessSource};

/// Bytes of packed S that stay between attempts. The mean number of attempts is 3, so a witness within this is read and
/// packed once instead of four times; the rest of a longer one is read again for every attempt.
const PACKED_BYTES: u64 = 64 << 20;

/// A witness ready for any number of attempts.
pub(super) struct Prepared<'a> {
    matrix: &'a PublicMatrix,
    params: &'a Params,
    source: &'a dyn WitnessSource,
    digest: Zeroizing<Digest>,
    /// The first groups of columns.
    packed: Vec<PackedBlock<'a>>,
}

impl<'a> Prepared<'a> {
    /// Reads S once.
    ///
    /// # Errors
    /// What reading gives; [`Error::WitnessBound`].
    pub(super) fn new(
        matrix: &'a PublicMatrix,
        params: &'a Params,
        source: &'a dyn WitnessSource,
    ) -> Result<Self, Error> {
        Self::with_room(matrix, params, source, PACKED_BYTES)
    }

    /// [`Prepared::new`] with less than `room` bytes of packed S kept.
    pub(super) fn with_room(
        matrix: &'a PublicMatrix,
        params: &'a Params,
        source: &'a dyn WitnessSource,
        mut room: u64,
    ) -> Result<Self, Error> {
        // Room for all from the start: growing would leave copies behind.
        let mut hashes = Zeroizing::new(Vec::with_capacity(params.blocks() as usize));
        let mut packed = Vec::new();
        for_column_groups(params, source, |first_block, columns| {
            witness::hash_blocks(params, first_block, columns, &mut hashes);
            // Once a group did not fit, none after it may be kept: the packed ones are a prefix.
            if room > 0 {
                let device = matrix.device.as_ref();
                let block = PackedBlock::new(matrix.isa, device, params, columns);
                room = room.saturating_sub(block.bytes() as u64);
                if room > 0 {
                    packed.push(block);
                }
            }
            Ok(())
        })?;
        let digest =
            Zeroizing::new(Hasher::new(params.hash(), "witness").digests(&hashes).finish());
        Ok(Self { matrix, params, source, digest, packed })
    }

    /// H("witness", hashes of the blocks of S). Secret.
    pub(super) fn digest(&self) -> &Digest {
        &self.digest
    }

    /// M = S C, v x n, exact as 32-bit integers in two's complement.
    ///
    /// # Errors
    /// What reading the witness gives; those of a device.
    ///
    /// # Constant time
    /// In S.
    pub(super) fn multiply(&self, challenge_hash: &Digest) -> Result<Zeroizing<Vec<u32>>, Error> {
        let (v, n) = (self.params.v() as usize, self.params.n() as usize);
        let challenge = ChallengeMatrix::new(self.params, challenge_hash);
        let mut m = Zeroizing::new(vec![0_u32; v * n]);
        let mut done = 0;
        for block in &self.packed {
            block.accumulate(&challenge.rows(done / u64::from(BLOCK), block.columns()), &mut m)?;
            done += block.columns() as u64;
        }
        if done < self.params.l() {
            for_column_groups_from(
                self.params,
                self.source,
                done / u64::from(BLOCK),
                |first_block, columns| {
                    let c = challenge.rows(first_block, columns.len() / v);
                    let device = self.matrix.device.as_ref();
                    PackedBlock::new(self.matrix.isa, device, self.params, columns)
                        .accumulate(&c, &mut m)
                },
            )?;
        }
        Ok(m)
    }
}
