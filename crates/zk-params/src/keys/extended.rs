//! [`Extended`]: the parameters of keys with dummy columns, and how secure both are.

use tautochrone_zk_field::field::ELEMENT_LEN;

use super::pads::KeyPads;
use super::{KeyRanges, MAX_KEY_BOUND};
use crate::error::Error;
use crate::estimate::{Estimate, Hardness};
use crate::format::{ARGUMENT_START_LEN, KEY_CLAIM_LEN};
use crate::params::{CustomParams, Entries, Params, Security};
use crate::rows::{Distribution, RowGroup, RowGroups};
use crate::suite::Expansion;
use crate::supported::{check_supported, check_wide};

/// The parameters of keys with dummy columns, which follow from the parameters of the keys and the
/// claim.
#[derive(Clone, Debug)]
pub struct Extended {
    /// Of keys and dummy columns.
    pub params: Params,
    /// The shape of dummy columns.
    pub pads: KeyPads,
    /// Entries of secrets and errors, of keys and of dummies; none if they hide nothing.
    entries: Option<Entries>,
}

impl Extended {
    /// Dummy columns for keys with these parameters, and this claim.
    ///
    /// # Errors
    /// [`Error::Insecure`]; [`Error::Parameter`] unless the statement has ternary challenges and
    /// lambda = 128 and publishes T whole, no bound exceeds 127, the claim's bounds are not above
    /// the header's, and secrets are one group of rows and errors one.
    pub fn of(params: &Params, claim: &KeyRanges, security: Security) -> Result<Self, Error> {
        check_supported(params)?;
        check_wide(params)?;
        let (round_t, b) = (params.round_t(), params.b());
        Error::unless(round_t == 0, "round_t", round_t, "0: keys are published whole")?;
        Error::unless(b <= 127, "b", b, "at most 127 where keys are exact")?;
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
            rho: Some(params.rho()),
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

    /// Refuses hints that give keys away.
    ///
    /// # Errors
    /// [`Error::Insecure`].
    pub fn require_hiding(&self, claim: &KeyRanges) -> Result<(), Error> {
        let attack = "recovering a key from T and its hints (LWE with modular hints)";
        self.params.require(attack, self.hiding(claim.hints()))
    }

    /// dT_x: bits that are rounded off T of dummy columns.
    pub const fn round_t(&self) -> u32 {
        self.params.rounded_columns().round_t
    }

    /// Hiding of a key with so many known hints.
    pub fn hiding(&self, hints: u32) -> Hardness {
        let params = &self.params;
        let secret = params.v() - params.r() - self.pads.rows();
        self.entries.map_or(Hardness::of_block(crate::estimate::MIN_BLOCK), |entries| {
            let bits = HINT_BITS * f64::from(hints);
            entries.hiding([secret, params.r(), params.w()], bits)
        })
    }

    /// The hardness of the assumptions of a proof, and of the keys once it is published.
    pub fn estimate(&self, claim: &KeyRanges) -> Estimate {
        let (hiding, hiding_with_hints) = (self.hiding(0), self.hiding(claim.hints()));
        Estimate { hiding, hiding_with_hints, ..self.params.estimate() }
    }

    /// Elements in a file: one of a round and one value for each dummy column, one hint for each
    /// key, X_1 and Y_1.
    pub const fn elements(&self) -> u64 {
        self.params.l() + self.pads.columns as u64 + 2
    }

    /// Bytes of the longest file.
    pub fn max_proof_bytes(&self) -> u64 {
        let dummies = self.pads.columns as u64 * self.params.last_column_bytes() as u64;
        let argument =
            (ARGUMENT_START_LEN + KEY_CLAIM_LEN) as u64 + ELEMENT_LEN as u64 * self.elements();
        self.params.max_proof_bytes() + argument + dummies
    }

    /// Bytes of a proof that are expected.
    pub fn expected_proof_bytes(&self) -> u64 {
        let most = self.max_proof_bytes() - self.params.max_proof_bytes();
        self.params.expected_proof_bytes() + most
    }
}

impl Params {
    /// Bytes of the longest file of a proof about keys with these parameters, over all claims;
    /// 0 if there is none.
    #[doc(hidden)]
    pub fn max_key_bytes(&self) -> u64 {
        let Ok([secrets, errors]) = parts(self) else { return 0 };
        // The largest bound decides how many dummy columns there are, and the longer ones of these
        // make the longer Z. dT_x may be less for other claims with that bound: no column of T is
        // longer than a whole one.
        let of_bound = |bound: u32| {
            let claim = KeyRanges::new(bound.min(secrets.bound), bound.min(errors.bound)).ok()?;
            let extended = Extended::of(self, &claim, Security::Waived).ok()?;
            let params = &extended.params;
            let rounded_off = (params.column_bytes() - params.last_column_bytes()) as u64;
            Some(extended.max_proof_bytes() + u64::from(extended.pads.columns) * rounded_off)
        };
        (1..=MAX_KEY_BOUND).filter_map(of_bound).max().unwrap_or(0)
    }
}

/// log2 |K|, rounded up.
pub const HINT_BITS: f64 = 183.0;

/// The groups of secrets and errors.
///
/// # Errors
/// [`Error::Parameter`] if there are others.
pub fn parts(params: &Params) -> Result<[RowGroup; 2], Error> {
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
