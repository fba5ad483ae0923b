//! Batches of LWE samples: t_j = A' s_j + e_j mod q, one proof for all of them.
//!
//! With systematic A = [A' | I_r] a statement *is* a batch of LWE samples: the first v - r rows of S are the secrets, the
//! last r rows the errors, and column j of T is the sample vector (a public key, say) of secret j.
//!
//! **What a valid proof shows.** The prover knows, for every j, integer vectors s'_j and e'_j with A' s'_j + e'_j = t_j
//! mod q and ||(s'_j, e'_j)|| <= 2 B. It does not show that the entries are at most b.

use zeroize::Zeroizing;

use crate::error::Error;
use crate::params::Params;
use crate::witness::{Witness, WitnessSource};

/// The secrets and errors of l LWE samples, as a witness. Erased when dropped, never printed.
#[derive(Debug)]
pub struct LweWitness(Witness);

impl LweWitness {
    /// Stacks `secrets` ((v - r) x l) on `errors` (r x l), both column after column with entries in [-b, b].
    ///
    /// # Errors
    /// [`Error::Parameter`] if A is not systematic; [`Error::WitnessLength`] (in entries of the stacked matrix);
    /// [`Error::WitnessBound`].
    ///
    /// # Constant time
    /// In secrets and errors, while they are within the bound.
    pub fn new(params: &Params, secrets: &[i8], errors: &[i8]) -> Result<Self, Error> {
        if !params.systematic() {
            return Err(Error::Parameter {
                name: "systematic",
                got: 0,
                expected: "1: only A = [A' | I] makes columns of T LWE samples",
            });
        }
        let (r, v) = (params.r() as usize, params.v() as usize);
        let columns = params.l();
        let (n_secrets, n_errors) = (columns * (v - r) as u64, columns * r as u64);
        if secrets.len() as u64 != n_secrets || errors.len() as u64 != n_errors {
            return Err(Error::WitnessLength {
                got: (secrets.len() + errors.len()) as u64,
                expected: n_secrets + n_errors,
            });
        }
        let mut stacked = Zeroizing::new(Vec::with_capacity(secrets.len() + errors.len()));
        for (s, e) in secrets.chunks_exact(v - r).zip(errors.chunks_exact(r)) {
            stacked.extend_from_slice(s);
            stacked.extend_from_slice(e);
        }
        Witness::new(params, core::mem::take(&mut *stacked)).map(Self)
    }
}

impl WitnessSource for LweWitness {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        self.0.read_columns(params, first_block, out)
    }

    fn columns(&self, params: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        self.0.columns(params, first_block, count)
    }
}
