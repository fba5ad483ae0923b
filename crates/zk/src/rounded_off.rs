//! [`RoundedOff`]: what is rounded off the last columns of T, where these alone are rounded.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_matmul::Workspace;
use zeroize::Zeroizing;

use crate::challenge::ChallengeMatrix;
use crate::error::Error;
use crate::hash::Digest;
use crate::matrix::PublicMatrix;
use crate::params::BLOCK;
use crate::products::{MatrixWord, accumulate_tc};

/// T_0 of the last columns of T: r rows each, column after column. The prover alone knows it;
/// proofs need not hide it.
pub(crate) struct RoundedOff(Zeroizing<Vec<i64>>);

impl RoundedOff {
    pub(crate) const fn new(low: Zeroizing<Vec<i64>>) -> Self {
        Self(low)
    }

    /// Its columns of `r` rows.
    pub(crate) fn columns(&self, r: usize) -> impl Iterator<Item = &[i64]> {
        self.0.chunks_exact(r)
    }

    /// T_0 C, r x n, column after column, modulo the size of a word: the product with the last rows
    /// of C.
    ///
    /// # Errors
    /// [`Error::Device`].
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(crate) fn times_challenge<W: MatrixWord>(
        &self,
        matrix: &PublicMatrix,
        challenge_hash: &Digest,
    ) -> Result<Vec<W>, Error> {
        let params = &matrix.params;
        let (r, n) = (params.r() as usize, params.n() as usize);
        let columns = self.0.len() / r;
        let first = params.l() - columns as u64;
        // From the block on in which these columns begin.
        let block = first / u64::from(BLOCK);
        let rows = (params.l() - block * u64::from(BLOCK)) as usize;
        let c = ChallengeMatrix::new(params, challenge_hash).rows(block, rows);
        let c: Vec<i8> = c.chunks_exact(rows).flat_map(|c| &c[rows - columns..]).copied().collect();
        let mut low = Zeroizing::new(Vec::with_capacity(self.0.len()));
        low.extend(self.0.iter().map(|low| W::from_u64(low.cast_unsigned())));
        let mut product = vec![W::default(); r * n];
        let device = matrix.device.as_ref();
        accumulate_tc(matrix.isa, device, &mut Workspace::new(), r, (&low, &c), &mut product)?;
        Ok(product)
    }
}
