//! [`Witness::of_lwe`]: secrets over errors; and the comparison of T with keys.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::blocks::Blocks;
use crate::error::{Error, RequestProblem, WitnessProblem};
use crate::params::{BLOCK, Params};
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::witness::Witness;

impl Witness {
    /// The secrets and errors of l LWE samples: `secrets` ((v - r) x l) on `errors` (r x l), both
    /// column after column with entries in [-b, b].
    ///
    /// ```
    /// use tautochrone_zk::*;
    ///
    /// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
    /// # let params = custom.validate(Security::Waived)?;
    /// let (secret, error, keys) = (params.v() - params.r(), params.r(), params.l());
    /// let secrets = vec![1; secret as usize * keys as usize];
    /// let errors = vec![-1; error as usize * keys as usize];
    /// let witness = Witness::of_lwe(&params, &secrets, &errors)?;
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Witness`], with a length in entries of the stacked matrix.
    ///
    /// # Constant time
    /// In secrets and errors, while they are within the bound.
    pub fn of_lwe<S, E>(params: &Params, secrets: &[S], errors: &[E]) -> Result<Self, Error>
    where
        S: Copy + Into<i32>,
        E: Copy + Into<i32>,
    {
        let (r, v) = (params.r() as usize, params.v() as usize);
        let columns = params.l();
        let (n_secrets, n_errors) = (columns * (v - r) as u64, columns * r as u64);
        if secrets.len() as u64 != n_secrets || errors.len() as u64 != n_errors {
            return Err(Error::Witness(WitnessProblem::Length {
                got: (secrets.len() + errors.len()) as u64,
                expected: n_secrets + n_errors,
            }));
        }
        let mut stacked = Zeroizing::new(Vec::with_capacity(secrets.len() + errors.len()));
        for (s, e) in secrets.chunks_exact(v - r).zip(errors.chunks_exact(r)) {
            stacked.extend(s.iter().map(|&s| s.into()));
            stacked.extend(e.iter().map(|&e| e.into()));
        }
        Self::wide(params, core::mem::take(&mut *stacked))
    }
}

/// Compares T with public keys from elsewhere: of the program that made them, or of a service that
/// has them already. A proof says something about the T of its statement and about no other keys.
///
/// `statement_file` has T. `keys` are l times r words, key after key, each an integer below 2^w in
/// ceil(w / 8) bytes, little-endian.
///
/// Memory: a block of keys, twice.
///
/// # Errors
/// [`Error::Request`], which names the first column that differs and its first row;
/// [`Error::Parameter`] if T is rounded; [`Error::Io`]; [`Error::Malformed`] if the file has
/// changed since the statement was read.
///
/// # Constant time
/// Not needed: keys are public.
#[expect(clippy::integer_division_remainder_used, reason = "indices are public")]
pub fn check_keys(
    statement: &Statement,
    statement_file: &dyn ReadAt,
    keys: &dyn ReadAt,
) -> Result<(), Error> {
    let params = statement.params();
    let expected = "0: only keys that are published whole can be compared";
    Error::unless(params.round_t() == 0, "round_t", params.round_t(), expected)?;
    let (r, width) = (params.r() as usize, params.w().div_ceil(8) as usize);
    let (got, expected) = (keys.len(), params.l() * (r * width) as u64);
    if got != expected {
        return Err(Error::Request(RequestProblem::KeysLength { got, expected }));
    }
    let blocks = Blocks::new(statement_file, params);
    let mut offset = 0;
    for (block, hash) in (0..).zip(statement.block_hashes()) {
        let columns = params.block_columns(block) as usize;
        let mut words = vec![0_u64; r * columns];
        blocks.read_words(block, core::slice::from_ref(hash), &mut words)?;
        let mut given = vec![0; words.len() * width];
        keys.read_at(offset, &mut given).map_err(Error::io("keys"))?;
        offset += given.len() as u64;
        let mut pairs = words.iter().zip(given.chunks_exact(width));
        let differs = |(word, bytes): (&u64, &[u8])| word.to_le_bytes()[..width] != *bytes;
        if let Some(at) = pairs.position(differs) {
            let column = block * u64::from(BLOCK) + (at / r) as u64;
            return Err(Error::Request(RequestProblem::Key { column, row: (at % r) as u64 }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::waived;
    use crate::challenge::{ChallengeMatrix, challenge_hash};
    use crate::matrix_id::MatrixId;
    use crate::params::{CustomParams, Goal, Security};
    use crate::proof::Proof;
    use crate::verifier::Verifier;
    use crate::{Error, PublicMatrix, RandomWitness};

    /// A statement of more columns than a block has, and the keys in it as other programs write
    /// them.
    fn keys(w: u32) -> (Statement, Vec<u8>, Vec<u8>) {
        let custom = CustomParams { n: Some(16), ..CustomParams::new(w, 5, 12, 300, 1) };
        let params = waived(CustomParams { round_t: Some(0), ..custom });
        let (mut file, seed) = (Vec::new(), tautochrone_ctr::Seed::from_bytes([4; 32]));
        let a = PublicMatrix::new(&params, [3; 32]);
        let statement = a.commit(&RandomWitness::new(seed), &mut file).unwrap();
        let column = |index| statement.column(&file, index).unwrap();
        let words = (0..300).flat_map(column);
        let width = w.div_ceil(8) as usize;
        let keys = words.flat_map(|word| word.to_le_bytes()[..width].to_vec()).collect();
        (statement, file, keys)
    }

    #[test]
    fn keys_are_compared_word_by_word() {
        for w in [25, 29, 32, 33, 40, 63, 64] {
            let (statement, file, keys) = keys(w);
            check_keys(&statement, &file, &keys).unwrap();
            let width = w.div_ceil(8) as usize;
            for (column, row) in [(0, 0), (1, 4), (255, 4), (256, 0), (299, 4)] {
                // Every byte counts, those beyond w bits too; the last key differs as well.
                for byte in 0..width {
                    let mut wrong = keys.clone();
                    wrong[(column * 5 + row) * width + byte] ^= 0x80;
                    *wrong.last_mut().unwrap() ^= 1;
                    let error = check_keys(&statement, &file, &wrong).unwrap_err();
                    let Error::Request(RequestProblem::Key { column: c, row: r }) = error else {
                        panic!("{error}")
                    };
                    assert_eq!((c, r), (column as u64, row as u64), "w = {w}");
                }
            }
        }
    }

    #[test]
    fn keys_of_another_length_or_of_a_rounded_statement_are_refused() {
        let (statement, file, mut keys) = keys(29);
        keys.push(0);
        for (len, got) in [(6001, 6001), (5999, 5999), (0, 0)] {
            keys.truncate(len);
            let error = check_keys(&statement, &file, &keys).unwrap_err();
            let expected = Error::Request(RequestProblem::KeysLength { got, expected: 6000 });
            assert_eq!(error.to_string(), expected.to_string());
        }
        let params = waived(CustomParams { n: Some(16), ..CustomParams::new(29, 5, 12, 300, 1) });
        assert!(params.round_t() > 0);
        let (mut file, seed) = (Vec::new(), tautochrone_ctr::Seed::from_bytes([4; 32]));
        let a = PublicMatrix::new(&params, [3; 32]);
        let statement = a.commit(&RandomWitness::new(seed), &mut file).unwrap();
        let error = check_keys(&statement, &file, &vec![0; 6000]).unwrap_err();
        assert!(error.to_string().contains("round_t"), "{error}");
    }

    /// A file that is another one by now is not compared.
    #[test]
    fn keys_are_compared_with_the_statement_that_was_read() {
        let (statement, mut file, keys) = keys(29);
        *file.last_mut().unwrap() ^= 1;
        let error = check_keys(&statement, &file, &keys).unwrap_err();
        assert!(matches!(error, Error::Malformed { what: "statement", .. }), "{error}");
    }

    /// The limit of the relaxed proof, under parameters that are secure. The attacker's secrets and
    /// errors are all 127, the statement says b = 1, and Z = S C (with Y = 0: the attacker has
    /// nothing to hide) is shorter than B.
    #[test]
    fn a_prover_that_skips_its_bound_gets_keys_of_127s_accepted() {
        let custom = Goal { whole_t: true, ..Goal::new(1, 8) }.optimise().unwrap();
        let params = custom.validate(Security::Required).unwrap();
        let (v, l, n) = (params.v() as usize, params.l() as usize, params.n() as usize);
        let entries = vec![127_i8; v * l];
        let error = Witness::new(&params, entries.clone()).unwrap_err();
        assert!(
            matches!(error, Error::Witness(WitnessProblem::Bound { b: 1, .. })),
            "an honest prover refuses"
        );

        // T = A S by the same A, under parameters that allow such entries; then the header of those
        // that do not.
        let wide = CustomParams { b: 127, sigma: Some(params.sigma()), ..custom };
        let wide = waived(wide);
        let mut file = Vec::new();
        let witness = Witness::new(&wide, entries).unwrap();
        PublicMatrix::new(&wide, [3; 32]).commit(&witness, &mut file).unwrap();
        file[..256].copy_from_slice(&params.header(&MatrixId::of_seed([3; 32])));
        let statement = Statement::read(&file, Security::Required).unwrap();

        // W = A 0 = 0, and V = -Z_2 is short, so that hints are 0.
        let digest = statement.digest(b"");
        let w = vec![0_u32; params.r() as usize * n];
        let challenge_hash = challenge_hash(&params, &digest, &w, None);
        let c = ChallengeMatrix::new(&params, &challenge_hash).rows(0, l);
        let z = c.chunks_exact(l).flat_map(|c| {
            let entry = 127 * c.iter().map(|&c| i64::from(c)).sum::<i64>();
            core::iter::repeat_n(entry, params.z_rows() as usize)
        });
        let hints = vec![0; w.len()];
        let proof = Proof { statement_digest: digest, challenge_hash, z: z.collect(), hints };
        let a = PublicMatrix::new(&params, [3; 32]);
        let verifier = Verifier::new(&a, &statement).unwrap();
        verifier.with_file(&file).verify(b"", &proof.to_bytes(&params)).unwrap();
        // What would show it is an opening, which a registration does not ask for.
        let t = statement.column(&file, 0).unwrap();
        assert!(!a.opens(&t, &vec![127; v]));
    }
}
