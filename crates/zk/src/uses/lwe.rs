//! Batches of LWE samples: t_j = A' s_j + e_j mod q, one proof for all of them.
//!
//! With systematic A = [A' | I_r] a statement *is* a batch of LWE samples: the first v - r rows of
//! S are the secrets, the last r rows the errors, and column j of T is the sample vector (a public
//! key, say) of secret j.
//!
//! **What a valid proof shows.** Somebody knows, for every j, *some* integer vectors s'_j and e'_j
//! with A' s'_j + e'_j = t_j mod q and ||(s'_j, e'_j)|| <= 2 B, and made the proof in this context.
//!
//! **What it does not show.** That the entries are at most b, or that t_j is well formed in any
//! other sense: the ball of radius 2 B holds such vectors for every t_j there is, and whoever
//! chooses the secrets may choose them as long as B allows. A prover that skips its own bound gets
//! keys accepted whose entries are all 127 where b = 1. Nor does it show who made the proof:
//! whoever registers keys puts the owner's name into the context, so that a copied proof is not
//! valid for another owner, and learns on a channel of its own that it is the owner who hands it
//! in.

use zeroize::Zeroizing;

use crate::error::Error;
use crate::params::Params;
use crate::witness::{Witness, WitnessSource};

/// The secrets and errors of l LWE samples, as a witness. Erased when dropped, never printed.
///
/// ```
/// use tautochrone_zk::uses::lwe::LweWitness;
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = custom.validate(Security::Waived)?;
/// let (secret, error, keys) = (params.v() - params.r(), params.r(), params.l());
/// let secrets = vec![1; secret as usize * keys as usize];
/// let errors = vec![-1; error as usize * keys as usize];
/// let witness = LweWitness::new(&params, &secrets, &errors)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct LweWitness(Witness);

impl LweWitness {
    /// Stacks `secrets` ((v - r) x l) on `errors` (r x l), both column after column with entries in
    /// [-b, b].
    ///
    /// # Errors
    /// [`Error::Parameter`] if A is not systematic; [`Error::WitnessLength`] (in entries of the
    /// stacked matrix); [`Error::WitnessBound`].
    ///
    /// # Constant time
    /// In secrets and errors, while they are within the bound.
    pub fn new<S, E>(params: &Params, secrets: &[S], errors: &[E]) -> Result<Self, Error>
    where
        S: Copy + Into<i32>,
        E: Copy + Into<i32>,
    {
        if !params.systematic() {
            let expected = "1: only A = [A' | I] makes columns of T LWE samples";
            return Err(Error::parameter("systematic", 0_u32, expected));
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
            stacked.extend(s.iter().map(|&s| s.into()));
            stacked.extend(e.iter().map(|&e| e.into()));
        }
        Witness::wide(params, core::mem::take(&mut *stacked)).map(Self)
    }
}

impl WitnessSource for LweWitness {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        self.0.read_columns(params, first_block, out)
    }

    fn columns(&self, params: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        self.0.columns(params, first_block, count)
    }

    fn read_wide_columns(
        &self,
        params: &Params,
        first_block: u64,
        out: &mut [i32],
    ) -> Result<(), Error> {
        self.0.read_wide_columns(params, first_block, out)
    }

    fn wide_columns(&self, params: &Params, first_block: u64, count: usize) -> Option<&[i32]> {
        self.0.wide_columns(params, first_block, count)
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::challenge::{ChallengeMatrix, challenge_hash};
    use crate::matrix_id::MatrixId;
    use crate::params::{CustomParams, Goal, Security};
    use crate::proof::Proof;
    use crate::statement::Statement;
    use crate::verifier::Verifier;
    use crate::{Error, PublicMatrix};

    /// The limit of the relaxed proof, under parameters that are secure. The attacker's secrets and
    /// errors are all 127, the statement says b = 1, and Z = S C (with Y = 0: the attacker has
    /// nothing to hide) is shorter than B.
    #[test]
    fn a_prover_that_skips_its_bound_gets_keys_of_127s_accepted() {
        let custom = Goal::version_one(32, 1, 8).optimise().unwrap();
        let params = custom.validate(Security::Required).unwrap();
        let (v, l, n) = (params.v() as usize, params.l() as usize, params.n() as usize);
        let entries = vec![127_i8; v * l];
        let error = Witness::new(&params, entries.clone()).unwrap_err();
        assert!(matches!(error, Error::WitnessBound { b: 1, .. }), "an honest prover refuses");

        // T = A S by the same A, under parameters that allow such entries; then the header of those
        // that do not.
        let wide = CustomParams { w: 32, b: 127, sigma: Some(2), ..custom };
        let wide = wide.validate(Security::Waived).unwrap();
        let mut file = Vec::new();
        let witness = Witness::new(&wide, entries).unwrap();
        PublicMatrix::new(&wide, [3; 32]).commit(&witness, &mut file).unwrap();
        file[..112].copy_from_slice(&params.header(&MatrixId::of_seed([3; 32])).to_bytes());
        let statement = Statement::read(&file, Security::Required).unwrap();

        // W = A 0 = 0.
        let digest = statement.digest(b"");
        let w = vec![0_u32; params.r() as usize * n];
        let challenge_hash = challenge_hash(&params, &digest, &w);
        let c = ChallengeMatrix::new(&params, &challenge_hash).rows(0, l);
        let z = c.chunks_exact(l).flat_map(|c| {
            let entry = 127 * c.iter().map(|&c| i64::from(c)).sum::<i64>();
            core::iter::repeat_n(entry, v)
        });
        let proof =
            Proof { statement_digest: digest, challenge_hash, z: z.collect(), hints: Vec::new() };
        let a = PublicMatrix::new(&params, [3; 32]);
        let verifier = Verifier::new(&a, &statement).unwrap();
        verifier.verify_streaming(b"", &file, &proof.to_bytes(&params)).unwrap();
        // What would show it is an opening, which a registration does not ask for.
        let t = statement.column(&file, 0).unwrap();
        assert!(!a.opens(&t, &vec![127; v]));
    }
}
