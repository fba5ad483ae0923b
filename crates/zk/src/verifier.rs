//! [`Verifier`]: norms, and W_H against the challenge hash; one proof or a batch over
//! one A.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::argument::ExactKeys;
use crate::check::Check;
use crate::erase::debug_fields;
use crate::error::{Error, Reason};
use crate::matrix::PublicMatrix;
use crate::parallel;
use crate::pending::{Pending, settle};
use crate::require::Requirement;
use crate::shows::Shows;
use crate::source::ReadAt;
use crate::statement::Statement;

/// Proofs that are multiplied together: enough for products to run at full speed, few enough that
/// memory stays below 16 times the memory for one proof.
const BATCH: usize = 16;

/// Checks proofs of one statement. The statement comes from its own file, never from a proof.
///
/// ```
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = custom.validate(Security::Waived)?;
/// # let a = PublicMatrix::new(&params, [1; 32]);
/// # let witness = RandomWitness::new(Seed::from_os()?);
/// # let mut file = Vec::new();
/// # let statement = a.commit_and_hold(&witness, &mut file)?;
/// # let proved = Prover::new(&a, &statement)?.prove(b"for this", &witness, &Seed::from_os()?)?;
/// # let proof = proved.proof;
/// let verifier = Verifier::new(&a, &statement)?.with_file(&file);
/// verifier.verify(b"for this", &proof)?; // valid
/// assert!(verifier.verify(b"for that", &proof).is_err());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Verifier<'a> {
    matrix: &'a PublicMatrix,
    statement: &'a Statement,
    /// Where T is read from, if the statement does not hold it.
    statement_file: Option<&'a dyn ReadAt>,
}

debug_fields!("Verifier", Verifier<'_>; statement);

impl<'a> Verifier<'a> {
    /// A verifier for `statement`, whose A is `matrix`.
    ///
    /// # Errors
    /// [`Error::Request`] if it is not.
    pub fn new(matrix: &'a PublicMatrix, statement: &'a Statement) -> Result<Self, Error> {
        matrix.check_belongs_to(statement)?;
        Ok(Self { matrix, statement, statement_file: None })
    }

    /// T is read from this file, block by block, unless the statement was
    /// [loaded](Statement::load).
    #[must_use]
    pub fn with_file(self, statement_file: &'a dyn ReadAt) -> Self {
        Self { statement_file: Some(statement_file), ..self }
    }

    /// Checks a proof file in a user's context. The proof is valid if this is not an error.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the proof is not valid; [`Error::Malformed`] if the bytes are no proof
    /// file at all (docs/format.md) or the file has another T than the statement;
    /// [`Error::Request`] if T is neither in memory nor [in a file](Self::with_file); [`Error::Io`]
    /// if it cannot be read; [`Error::Device`].
    pub fn verify(&self, context: &[u8], proof: &[u8]) -> Result<(), Error> {
        self.check(context, &Shows::Knowledge, proof)
    }

    /// Checks a proof file of any kind that says itself what it shows, and says so: whoever made
    /// the proof chose it, so that a reader has to compare, with eyes or by what is required.
    ///
    /// # Errors
    /// As [`Self::verify`], with [`Reason::Requirement`] if the proof is valid and shows less than
    /// is required; [`Error::StatedByOthers`] for proofs about circuits, or about keys and
    /// ciphertexts of others, which are verified by [`Self::verify_claims`] and `CommittedCircuit`,
    /// and by the crate `tautochrone-zk-keys`; for proofs about the keys of a statement with
    /// [`Error::Parameter`] or [`Error::Insecure`] of [`ExactKeys::new`].
    pub fn verify_file(
        &self,
        context: &[u8],
        proof: &[u8],
        required: &[Requirement],
    ) -> Result<Shows, Error> {
        let shows = Shows::of(proof, self.statement.params())?;
        self.check(context, &shows, proof)?;
        let meets = |required| shows.meets(required);
        match required.iter().position(|required| !meets(required)) {
            Some(index) => Err(Reason::Requirement { index }.into()),
            None => Ok(shows),
        }
    }

    /// A proof file that is to show this in this context, for [`PublicMatrix::verify_batch`].
    #[must_use]
    pub const fn claim(&self, context: &'a [u8], shows: &'a Shows, proof: &'a [u8]) -> Claim<'a> {
        let Self { statement, statement_file, .. } = *self;
        Claim { statement, statement_file, context, shows, proof }
    }

    /// The verdict on a proof of any kind about this statement.
    pub(crate) fn check(&self, context: &[u8], shows: &Shows, proof: &[u8]) -> Result<(), Error> {
        let Self { statement, statement_file, .. } = *self;
        let claim = Claim { statement, statement_file, context, shows, proof };
        self.matrix.verify_batch(&[claim]).remove(0)
    }
}

/// A proof to be checked in a batch, and what it is said to show in which context: made by
/// [`Verifier::claim`].
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    statement: &'a Statement,
    /// `None` if the statement was loaded.
    statement_file: Option<&'a dyn ReadAt>,
    context: &'a [u8],
    shows: &'a Shows,
    proof: &'a [u8],
}

debug_fields!("Claim", Claim<'_>; context);

impl PublicMatrix {
    /// Checks many proofs over this A, of one statement or of several, of any
    /// [kind](Shows), with one product A [Z_1 | Z_2 | ..] for every 16 of them, and one pass over T
    /// for consecutive proofs of one statement. Each claim has its own answer, the one that it has
    /// alone, in the order of the claims: a bad one does not hide the others. Where there is no
    /// claim there is no answer, and "all are valid" shows nothing.
    ///
    /// Proofs about keys are over A and columns for pads: they share a product with each other, for
    /// each pair of bounds. Proofs about a `CommittedCircuit` have columns of their own, and
    /// parameters that follow from these; there is no batch of them.
    ///
    /// ```
    /// use tautochrone_zk::argument::{Claims, Fact, Layout};
    /// use tautochrone_zk::*;
    ///
    /// // Two messages of 8 bits: that their numbers add up to 43.
    /// let bits: Vec<(u32, i64)> = (0..8).map(|i| (i, 1 << i)).collect();
    /// let claims = Claims::from(Fact::sum(bits, vec![(0, 1), (1, 1)], 43)?);
    /// let layout = Layout::new(8, 2).with_slot(&claims)?;
    /// # let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    /// # let groups = [any(8 + layout.pad_rows(), 2), None, None];
    /// # let columns = layout.all_columns();
    /// # let custom = CustomParams { n: Some(16), groups, ..CustomParams::new(29, 32, 266, columns,
    /// 1) };
    /// # let params = custom.validate(Security::Waived)?;
    /// let a = PublicMatrix::new(&params, [1; 32]);
    /// let messages = [0, 1, 0, 1, 0, 1, 0, 0, /* 42 */ 1, 0, 0, 0, 0, 0, 0, 0 /* 1 */];
    /// let witness = layout.witness(&a, &messages, &Seed::from_os()?)?;
    /// let statement = a.commit_and_hold(&witness, &mut Vec::new())?;
    ///
    /// let slot = layout.slot(0)?;
    /// let (prover, seed) = (Prover::new(&a, &statement)?, Seed::from_os()?);
    /// let proofs = [
    ///     prover.prove(b"", &witness, &seed)?.proof,
    ///     prover.prove_claims(b"", &slot, &claims, &witness, &seed)?.proof,
    /// ];
    ///
    /// let (verifier, sum) = (Verifier::new(&a, &statement)?, Shows::Claims(slot, claims));
    /// let verdicts = a.verify_batch(&[
    ///     verifier.claim(b"", &Shows::Knowledge, &proofs[0]),
    ///     verifier.claim(b"", &sum, &proofs[1]),
    ///     verifier.claim(b"", &sum, &proofs[0]), // does not show it
    /// ]);
    /// assert!(verdicts[0].is_ok() && verdicts[1].is_ok() && verdicts[2].is_err());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// For each claim the errors of [`Verifier::verify`], [`Verifier::verify_claims`], or
    /// [`ExactKeys::new`] and its [`verify`](ExactKeys::verify); [`Error::Request`] for a statement
    /// about another A.
    #[must_use]
    pub fn verify_batch(&self, claims: &[Claim<'_>]) -> Vec<Result<(), Error>> {
        let batches = claims.chunks(BATCH);
        self.inside(|| batches.flat_map(|claims| self.verify_together(claims)).collect())
    }

    fn verify_together(&self, claims: &[Claim<'_>]) -> Vec<Result<(), Error>> {
        let mut keys: Vec<Option<Result<ExactKeys<'_>, Error>>> = Vec::with_capacity(claims.len());
        for &Claim { statement, statement_file, shows, .. } in claims {
            let others = keys.iter().flatten().flatten();
            keys.push(match shows {
                Shows::Keys(ranges) => {
                    Some(ExactKeys::beside(others, self, (statement, statement_file), *ranges))
                }
                _ => None,
            });
        }
        let pending = |i: usize| Ok::<_, Infallible>(self.pending(&claims[i], keys[i].as_ref()));
        let Ok(pending) = parallel::try_map(claims.len(), &pending);
        settle(pending)
    }

    /// All of a verdict but for what takes A and T.
    fn pending<'a>(
        &'a self,
        claim: &Claim<'a>,
        keys: Option<&'a Result<ExactKeys<'_>, Error>>,
    ) -> Result<Pending<'a>, Error> {
        let Claim { statement, statement_file, context, shows, proof } = *claim;
        let check = match shows {
            Shows::Knowledge => Check::begin(self, statement, context, proof),
            Shows::Claims(slot, claims) => {
                Check::begin_claims(self, statement, context, (slot, claims), proof)
            }
            Shows::Keys(_) => {
                let keys = keys.expect("made for claims about keys").as_ref();
                return keys.map_err(Error::clone)?.pending(context, proof);
            }
        };
        Ok(Pending::new(check?, Cow::Borrowed(statement), statement_file))
    }
}

#[cfg(test)]
mod tests;
