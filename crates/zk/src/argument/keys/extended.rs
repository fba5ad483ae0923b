//! [`ExactKeys`]: the statement about keys and dummy columns that a proof is about, A' with columns
//! for pads, and how secure both are.

use alloc::sync::Arc;

use super::ranges;
use crate::argument::ranges::Ranges;
use crate::erase::debug_fields;
use crate::error::Error;
use crate::estimate::Estimate;
use crate::keys::{Extended, KeyRanges};
use crate::matrix::PublicMatrix;
use crate::params::Params;
use crate::source::ReadAt;
use crate::statement::Statement;

/// The keys of a statement, to be shown well formed: T = A' S_1 + S_2, published whole, as the
/// program that made them has it. Nothing is changed in T or A'. The [first page](crate) has an
/// example.
pub struct ExactKeys<'a> {
    pub(super) statement: &'a Statement,
    /// Where T is read from, if the statement does not hold it.
    pub(super) statement_file: Option<&'a dyn ReadAt>,
    pub(super) claim: KeyRanges,
    pub(super) ranges: Ranges,
    pub(super) extended: Extended,
    /// [A' | I].
    pub(super) of_keys: &'a PublicMatrix,
    /// [A' | A_x | I].
    pub(super) matrix: Arc<PublicMatrix>,
    pub(super) reproducible: bool,
}

debug_fields!("ExactKeys", ExactKeys<'_>; claim);

impl<'a> ExactKeys<'a> {
    /// The keys of `statement`, whose A is `matrix`. Weak parameters are refused unless that was
    /// waived for the statement ([`Params::security`]): the statement with its dummy columns, and
    /// the keys where somebody knows [`KeyRanges::hints`] hints of each. `matrix` keeps A with
    /// columns for pads, as large as A' again, for later statements of the same parameters.
    ///
    /// # Errors
    /// [`Error::Request`]; [`Error::Insecure`]; [`Error::Parameter`] unless the statement has
    /// ternary challenges and lambda = 128 and publishes T whole, no bound exceeds 127, the claim's
    /// bounds are not above the header's, and secrets are one group of rows and errors one.
    pub fn new(
        matrix: &'a PublicMatrix,
        statement: &'a Statement,
        claim: KeyRanges,
    ) -> Result<Self, Error> {
        Self::beside([], matrix, (statement, None), claim)
    }

    /// The same, with T [from a file](Self::with_file) if there is one. [A' | A_x | I] is shared
    /// with one of `others`, which are over the same A', if its parameters are the same.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(crate) fn beside<'b>(
        others: impl IntoIterator<Item = &'b Self>,
        of_keys: &'a PublicMatrix,
        (statement, statement_file): (&'a Statement, Option<&'a dyn ReadAt>),
        claim: KeyRanges,
    ) -> Result<Self, Error>
    where
        'a: 'b,
    {
        of_keys.check_belongs_to(statement)?;
        let params = statement.params();
        let extended = Extended::of(params, &claim, params.security())?;
        let ranges = ranges(&claim, params.v(), params.r())?;
        let same = others.into_iter().find(|other| other.matrix.params == extended.params);
        let matrix = match same {
            Some(other) => Arc::clone(&other.matrix),
            None => of_keys.with_pad_columns(&extended.params),
        };
        let reproducible = false;
        Ok(Self {
            statement,
            statement_file,
            claim,
            ranges,
            extended,
            of_keys,
            matrix,
            reproducible,
        })
    }

    /// T is read from this file, unless the statement was [loaded](Statement::load).
    #[must_use]
    pub fn with_file(self, statement_file: &'a dyn ReadAt) -> Self {
        Self { statement_file: Some(statement_file), ..self }
    }

    /// As [`Prover::reproducible`](crate::Prover::reproducible), with its danger.
    #[must_use]
    pub fn reproducible(self) -> Self {
        Self { reproducible: true, ..self }
    }

    /// The statement about keys and dummy columns, given as bytes, column after column, in words of
    /// w bits.
    pub(super) fn extend(&self, dummies: &[u8]) -> Result<Statement, Error> {
        let (params, id) = (&self.extended.params, self.matrix.id);
        self.statement.extended(params, id, self.statement_file, dummies)
    }

    /// The claim.
    #[doc(hidden)]
    #[must_use]
    pub const fn claim(&self) -> &KeyRanges {
        &self.claim
    }

    /// Dummy columns that follow the keys.
    pub(super) const fn dummies(&self) -> u32 {
        self.extended.pads.columns
    }

    /// How hard it is to break what the proof rests on, and the keys once it is published.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        self.extended.estimate(&self.claim)
    }

    /// Refuses what [`Self::new`] refuses unless security was waived for the statement: a verifier
    /// for whom it was says by this whether that mattered.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the statement with its dummy columns is, or hints give keys away;
    /// [`Error::Parameter`] as [`Params::check_security`].
    #[doc(hidden)]
    pub fn check_security(&self) -> Result<(), Error> {
        self.params().check_security()?;
        self.extended.require_hiding(&self.claim)
    }

    /// The parameters of the statement with its dummy columns. They follow from the parameters of
    /// the statement and the claim.
    #[doc(hidden)]
    #[must_use]
    pub const fn params(&self) -> &Params {
        &self.extended.params
    }

    /// The most bytes that a file of a proof has.
    pub(crate) fn max_proof_bytes(&self) -> u64 {
        self.extended.max_proof_bytes()
    }
}
