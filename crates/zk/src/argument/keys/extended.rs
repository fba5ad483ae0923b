//! [`ExactKeys`]: the statement about keys and dummy columns that a proof is about, A' with columns
//! for pads, and how secure both are.

use alloc::sync::Arc;
use core::fmt;

use super::KeyRanges;
use super::pads::KeyPads;
use crate::argument::ranges::Ranges;
use crate::argument::supported::check_supported;
use crate::error::Error;
use crate::estimate::{Estimate, Hardness};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Entries, Params, Security};
use crate::rows::{Distribution, RowGroup, RowGroups};
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::suite::Expansion;

/// The keys of a statement, to be shown well formed: T = A' S_1 + S_2, published whole, as the
/// program that made them has it. Nothing is changed in T or A'.
///
/// ```
/// use tautochrone_zk::argument::{ExactKeys, KeyRanges};
/// use tautochrone_zk::uses::lwe::LweWitness;
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = CustomParams { round_t: Some(0), ..custom }.validate(Security::Waived)?;
/// # let _ = "
/// // Ternary keys that stay secure with one hint.
/// let goal = Goal { key_hints: 1, ..Goal::new(1, 40) };
/// let params = goal.optimise()?.validate(Security::Required)?;
/// # ";
/// let a = PublicMatrix::new(&params, [1; 32]);
/// let (k, r, keys) = (params.v() - params.r(), params.r(), params.l());
/// let secrets = vec![1; k as usize * keys as usize];
/// let errors = vec![-1; r as usize * keys as usize];
/// let witness = LweWitness::new(&params, &secrets, &errors)?;
/// let mut file = Vec::new();
/// let statement = a.commit_and_hold(&witness, &mut file)?;
///
/// let keys = ExactKeys::new(&a, &statement, KeyRanges::of(&params)?)?;
/// let proved = keys.prove(b"for whom", &witness, &Seed::from_os()?)?;
/// let proof = proved.proof.to_bytes(&keys);
///
/// // Every key is A' s + e with entries of -1, 0 and 1, exactly.
/// keys.verify(b"for whom", &proof)?;
/// # Ok::<(), Error>(())
/// ```
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

impl fmt::Debug for ExactKeys<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExactKeys").field("claim", &self.claim).finish_non_exhaustive()
    }
}

impl<'a> ExactKeys<'a> {
    /// The keys of `statement`, whose A is `matrix`. Weak parameters are refused unless that was
    /// waived for the statement ([`Params::security`]): those of the statement with its dummy
    /// columns, and the keys where somebody knows [`KeyRanges::hints`] hints of each.
    ///
    /// # Errors
    /// [`Error::ForeignMatrix`]; [`Error::Insecure`]; [`Error::Parameter`] unless the statement has
    /// ternary challenges and lambda = 128 and publishes T whole, no bound exceeds 127, the claim's bounds
    /// are not above the header's, and secrets are one group of rows and errors one.
    pub fn new(
        matrix: &'a PublicMatrix,
        statement: &'a Statement,
        claim: KeyRanges,
    ) -> Result<Self, Error> {
        Self::beside([], matrix, (statement, None), claim)
    }

    /// The same, with T [from a file](Self::with_file) if there is one. [A' | A_x | I] is that of
    /// one of `others`, which are over the same A', if its parameters are the same.
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
        let ranges = claim.ranges(params.v(), params.r())?;
        let same = others.into_iter().find(|other| other.matrix.params == extended.params);
        let matrix = match same {
            Some(other) => Arc::clone(&other.matrix),
            None => Arc::new(of_keys.with_pad_columns(&extended.params)),
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

    /// The statement about keys and dummy columns, of which these are the bytes, column after
    /// column, in words of w bits.
    ///
    /// # Errors
    /// As [`Statement::extended`].
    pub(super) fn extend(&self, dummies: &[u8]) -> Result<Statement, Error> {
        let (params, id) = (&self.extended.params, self.matrix.id);
        self.statement.extended(params, id, self.statement_file, dummies)
    }

    /// The claim.
    #[must_use]
    pub const fn claim(&self) -> &KeyRanges {
        &self.claim
    }

    /// Dummy columns that follow the keys.
    #[must_use]
    pub const fn dummies(&self) -> u32 {
        self.extended.pads.columns
    }

    /// How hard it is to break what the proof rests on, and the keys once it is published.
    #[must_use]
    pub fn estimate(&self) -> KeyEstimate {
        self.extended.estimate(&self.claim)
    }

    /// Refuses what [`Self::new`] refuses unless security was waived for the statement: a verifier
    /// for whom it was says by this whether that mattered.
    ///
    /// # Errors
    /// As [`Params::check_security`] for the statement with its dummy columns;
    /// [`Error::Insecure`] if hints give keys away.
    pub fn check_security(&self) -> Result<(), Error> {
        self.params().check_security()?;
        self.extended.require_hiding(&self.claim)
    }

    /// The parameters of the statement with its dummy columns. They follow from those of the
    /// statement and the claim.
    #[must_use]
    pub const fn params(&self) -> &Params {
        &self.extended.params
    }

    /// The most bytes that a file of a proof has.
    #[must_use]
    pub fn max_proof_bytes(&self) -> u64 {
        self.extended.max_proof_bytes()
    }
}

/// What an attacker has to pay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyEstimate {
    /// For two vectors within the proof's bound for one key or dummy column: SIS of norm 4 B.
    pub binding: Hardness,
    /// For a secret of a key of which no proof was published: LWE.
    pub hiding: Hardness,
    /// For one of a key of which the claim's number of hints is known: LWE with modular hints.
    pub hiding_with_hints: Hardness,
    /// log2(4 B).
    pub log2_4b: f64,
}

/// The parameters of keys with dummy columns, which follow from those of the keys and the claim.
#[derive(Clone, Debug)]
pub(crate) struct Extended {
    pub(crate) params: Params,
    pub(crate) pads: KeyPads,
    /// Entries of secrets and errors, of keys and of dummies; none if they hide nothing.
    entries: Option<Entries>,
}

impl Extended {
    /// # Errors
    /// As [`ExactKeys::new`].
    pub(crate) fn of(
        params: &Params,
        claim: &KeyRanges,
        security: Security,
    ) -> Result<Self, Error> {
        check_supported(params)?;
        if params.round_t() > 0 {
            let expected = "0: keys are published whole";
            return Err(Error::parameter("round_t", params.round_t(), expected));
        }
        if params.b() > 127 {
            return Err(Error::parameter("b", params.b(), "at most 127 where keys are exact"));
        }
        let [secrets, errors] = parts(params)?;
        let most = "at most that of the statement's header";
        let bounds = [
            ("bound on secrets", claim.secret_bound(), secrets.bound),
            ("bound on errors", claim.error_bound(), errors.bound),
        ];
        if let Some(&(name, got, _)) = bounds.iter().find(|(_, got, header)| got > header) {
            return Err(Error::parameter(name, got, most));
        }
        let pads = KeyPads::of(params, claim);
        let of_dummies = [
            RowGroup::uniform(secrets.rows, claim.secret_bound()),
            RowGroup::uniform(pads.rows(), pads.bound),
            RowGroup::uniform(errors.rows, claim.error_bound()),
        ];
        let dummies = RowGroups::new(&of_dummies).expect("three groups");
        let longer = dummies.frobenius_squared(pads.columns.into());
        let middle =
            RowGroup { rows: pads.rows(), bound: pads.bound, distribution: Distribution::Any };
        let l = params.l() + u64::from(pads.columns);
        let custom = CustomParams {
            n: Some(params.n()),
            groups: [Some(secrets), Some(middle), Some(errors)],
            frobenius_squared: Some(params.frobenius_squared().saturating_add(longer)),
            rho: Some(params.rho().get()),
            round_t: Some(0),
            expansion: Expansion::Given,
            ..CustomParams::new(params.w(), params.r(), params.v() + pads.rows(), l, 1)
        };
        let hides = |group: &RowGroup| group.distribution != Distribution::Any;
        let groups = [secrets, errors, of_dummies[0], of_dummies[2]];
        let narrowest = groups.iter().map(Entries::of).reduce(Entries::narrower);
        let entries = narrowest.filter(|_| hides(&secrets) && hides(&errors));
        let longer = custom.validate(Security::Waived)?;
        let rounded = longer.unnoticed_rounding(pads.columns);
        let longer = longer.with_rounded_columns(rounded)?;
        // As sigma is below 2^32, v at most 2^20 and 2^d at most 4 sigma, 2 B + b < 2^45 < p.
        let extended = Self { params: longer.judged(security)?, pads, entries };
        if security == Security::Required {
            extended.require_hiding(claim)?;
        }
        Ok(extended)
    }

    fn require_hiding(&self, claim: &KeyRanges) -> Result<(), Error> {
        let attack = "recovering a key from T and its hints (LWE with modular hints)";
        self.params.require(attack, self.hiding(claim.hints()))
    }

    /// dT_x: bits that are rounded off T of dummy columns.
    pub(super) const fn round_t(&self) -> u32 {
        self.params.rounded_columns().round_t
    }

    /// Hiding of a key of which so many hints are known.
    pub(crate) fn hiding(&self, hints: u32) -> Hardness {
        let params = &self.params;
        let secret = params.v() - params.r() - self.pads.rows();
        self.entries.map_or(Hardness::of_block(crate::estimate::MIN_BLOCK), |entries| {
            let bits = HINT_BITS * f64::from(hints);
            Params::hiding_with_hints([secret, params.r(), params.w()], entries, bits)
        })
    }

    pub(crate) fn estimate(&self, claim: &KeyRanges) -> KeyEstimate {
        let Estimate { sis, log2_4b, .. } = self.params.estimate();
        KeyEstimate {
            binding: sis,
            hiding: self.hiding(0),
            hiding_with_hints: self.hiding(claim.hints()),
            log2_4b,
        }
    }
}

/// log2 |K|, rounded up.
pub(crate) const HINT_BITS: f64 = 183.0;

/// The groups of secrets and errors.
pub(super) fn parts(params: &Params) -> Result<[RowGroup; 2], Error> {
    let (k, r) = (params.v() - params.r(), params.r());
    match *params.row_groups() {
        [all] => Ok([RowGroup { rows: k, ..all }, RowGroup { rows: r, ..all }]),
        [secrets, errors] if secrets.rows == k => Ok([secrets, errors]),
        _ => {
            let expected = "one of all rows, or one of secrets and one of errors";
            Err(Error::parameter("groups of rows", params.row_groups().len() as u64, expected))
        }
    }
}
