//! Where the unknowns of instances are in S, for statements about one [`Relation`] alone.

use alloc::sync::Arc;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

use super::equations::EquationFamily;
use super::family::{Family, FamilyShape};
use super::placement::{CARRIES, Placement, SECRETS};
use super::{Instances, Known, Relation, ranges, table};
use crate::argument::layout::Layout;
use crate::argument::linear::Definition as _;
use crate::argument::ranges::Ranges;
use crate::argument::space::PaddedMessages;
use crate::erase::Secrets;
use crate::error::{Error, RequestProblem};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Goal, Search, Security};

/// Largest carry of a byte.
const LARGEST: u32 = 127;
/// Standard deviations within which carries are, but for 2^-57 of them.
const DEVIATIONS: f64 = 8.5;
/// Layouts of which the parameters are sought at most.
const CANDIDATES: usize = 8;

/// Places and columns of messages, with the slot of the claim.
fn layout(placement: &Placement, masks: usize, is_wide: bool) -> Result<Layout, Error> {
    let new = if is_wide { Layout::of_large_integers } else { Layout::new };
    new(placement.rows(), placement.columns()).with_masks(masks as u32)
}

/// The layout that claims with these ranges have in these places.
fn layout_of(placement: &Placement, ranges: &Ranges, is_wide: bool) -> Result<Layout, Error> {
    let empty = layout(placement, 0, is_wide)?;
    layout(placement, ranges.sent(&empty), is_wide)
}

/// The bound on honest carries of this variance, as far as they fit a byte.
pub(super) fn carry_bound(variance: f64) -> u32 {
    ((variance.sqrt() * DEVIATIONS) as u32 + 1).min(LARGEST)
}

/// The squared norm of a column of messages on average, for instances with this one and so many
/// unknowns besides carries. What is common to the carries of an instance, ||s||^2, is eight
/// standard deviations from its mean at most.
fn column_norm_squared(placement: &Placement, (squared, unknowns): (f64, f64)) -> u64 {
    let margin = (16.0_f64 / (unknowns * placement.instances as f64).sqrt()).max(0.05);
    let all = placement.instances as f64 * squared * (1.0 + margin);
    (all / placement.columns() as f64).ceil() as u64
}

impl FamilyShape {
    /// The variance of a carry: (A s + e - t) / q is uniform but for s, of which A has entries
    /// uniform in [-q/2, q/2).
    fn carry_variance(&self) -> f64 {
        self.secret_variance as f64 * 1e-6 * self.terms() as f64 / 12.0
    }

    /// The bound on entries of messages.
    pub(super) fn message_bound(&self) -> u32 {
        let (low, high) = self.secrets;
        let secrets = low.unsigned_abs().max(high.unsigned_abs());
        secrets.max(carry_bound(self.carry_variance())).min(LARGEST)
    }

    /// The squared norm of a column of messages on average.
    pub(super) fn column_norm_squared(&self, placement: &Placement) -> u64 {
        let secrets = self.secrets_len() as f64;
        let secret = secrets * self.secret_variance as f64 * 1e-6;
        let carries = self.errors_len() as f64 * self.carry_variance();
        column_norm_squared(placement, (secret + carries, secrets))
    }
}

impl Relation {
    /// The layout with the one slot of this claim.
    ///
    /// # Errors
    /// [`Error::StatedByOthers`] if the instances are not known.
    pub fn layout(&self) -> Result<Layout, Error> {
        let placement = self.placement().ok_or(Error::StatedByOthers)?;
        layout_of(placement, self.ranges(), self.is_wide())
    }

    /// The places of the instances of a family, and the parameters, for which statement and proof
    /// together are shortest, with 128 bits of security.
    ///
    /// # Errors
    /// [`Error::Request`] if there are none; as [`Relation::new`].
    pub fn optimise(family: Arc<dyn Family>) -> Result<(Self, CustomParams), Error> {
        let shape = family.shape();
        shape.check()?;
        let (placement, custom) = optimise(&Sought {
            n: shape.n,
            instances: family.instances(),
            bound: shape.message_bound(),
            is_wide: false,
            per_statement: None,
            placement: &|n, places, spread| shape.placement(n, places, spread),
            ranges: &|placement| ranges(placement, &shape),
            norm_squared: &|placement| shape.column_norm_squared(placement),
        })?;
        Ok((Self::new(family, placement.places, placement.spread)?, custom))
    }

    /// The same of a family of equations, in a lift ([`Relation::equations`]).
    ///
    /// # Errors
    /// As [`Self::optimise`].
    pub fn optimise_equations(
        family: Arc<dyn EquationFamily>,
        lift: u8,
    ) -> Result<(Self, CustomParams), Error> {
        let shape = family.shape();
        shape.check()?;
        let (placement, custom) = optimise(&Sought {
            n: shape.n,
            instances: family.instances(),
            bound: shape.message_bound(lift),
            is_wide: shape.is_wide(),
            per_statement: Some(1),
            placement: &|n, places, spread| shape.placement(n, places, spread),
            ranges: &|placement| shape.ranges(placement),
            norm_squared: &|placement| column_norm_squared(placement, shape.norm_squared(lift)),
        })?;
        let relation = Self::equations(family, placement.places, placement.spread, lift)?;
        Ok((relation, custom))
    }

    /// The witness of the secrets of all instances, or unknowns besides carries, one after the
    /// other, for statements over `matrix`, with pads and randomness from a key that is a hash of
    /// the seed, the statement's header, the claim and all unknowns: a seed gives other pads for
    /// every claim, and the same secrets may be proved again in any other list. Matrices of up to
    /// 64 MiB stay with the relation, for its proofs.
    ///
    /// **No column is to be opened**: it is secrets.
    ///
    /// # Errors
    /// [`Error::Witness`]; [`Error::FalseFact`] if a secret or an error is not in its range;
    /// [`Error::Parameter`] if a carry does not fit a byte (carries of honest keys do, but for
    /// unlikely ones), or the matrix has other parameters; [`Error::Witness`] if one is beyond
    /// the parameters' bound; [`Error::Insecure`] as [`Layout::hiding`].
    ///
    /// # Constant time
    /// In the secrets, but for these errors.
    pub fn witness(
        &self,
        matrix: &PublicMatrix,
        secrets: &[i8],
        seed: &Seed,
    ) -> Result<PaddedMessages<'static>, Error> {
        let messages = match &self.instances {
            Instances::Named => return Err(Error::StatedByOthers),
            Instances::WithErrors(known) => messages(known, secrets)?,
            Instances::Equations(known) => known.messages(secrets)?,
        };
        self.layout()?.witness_for(matrix, self.digest.as_bytes(), messages, seed)
    }
}

/// What depends on the family in a search for places and parameters.
struct Sought<'a> {
    n: u32,
    instances: u64,
    bound: u32,
    is_wide: bool,
    per_statement: Option<u32>,
    placement: &'a dyn Fn(u64, u32, u32) -> Result<Placement, Error>,
    ranges: &'a dyn Fn(&Placement) -> Result<Ranges, Error>,
    norm_squared: &'a dyn Fn(&Placement) -> u64,
}

/// The places and parameters for which statement and proof together are shortest.
fn optimise(sought: &Sought<'_>) -> Result<(Placement, CustomParams), Error> {
    let &Sought { n, instances, bound, is_wide, placement, ranges, norm_squared, .. } = sought;
    let spreads = (0..=n.ilog2()).rev().map(|log| (1, 1 << log));
    let places = (2..=u32::try_from(instances).unwrap_or(u32::MAX).min(1 << 16)).map(|g| (g, 1));
    let fitting = spreads
        .chain(places)
        .map_while(|(places, spread)| placement(instances, places, spread).ok());
    let mut candidates: Vec<(u64, Placement)> = Vec::new();
    for placement in fitting {
        let layout = layout_of(&placement, &ranges(&placement)?, is_wide)?;
        // A column of T has some 2300 bytes, a row of Z some 450.
        let bytes = 2300 * layout.all_columns() + 450 * layout.all_rows();
        candidates.push((bytes, placement));
    }
    candidates.sort_by_key(|&(bytes, _)| bytes);
    let mut best: Option<(u128, Placement, CustomParams)> = None;
    let mut failure =
        Error::Request(RequestProblem::NoParameters { w: 64, b: LARGEST, l: instances });
    let mut search = Search::default();
    let most = candidates.first().map_or(0, |&(bytes, _)| bytes + (bytes >> 3) + (bytes >> 5));
    for (bytes, placement) in candidates.into_iter().take(CANDIDATES) {
        // The estimate is not so wrong.
        if bytes > most && best.is_some() {
            break;
        }
        let layout = layout_of(&placement, &ranges(&placement)?, is_wide)?;
        let norm = norm_squared(&placement);
        let goal = layout.goal_with_norm(bound, norm);
        let goal = Goal { per_statement: sought.per_statement, ..goal };
        match goal.optimise_in(&mut search) {
            Ok(custom) => {
                let params = custom.validate(Security::Waived)?;
                let bytes = layout.expected_bytes(&params).into_iter().sum();
                // The estimate is a good one: what comes behind a longer one is longer.
                if best.is_some_and(|(least, ..)| least <= bytes) {
                    break;
                }
                best = Some((bytes, placement, custom));
            }
            Err(error) => failure = error,
        }
    }
    best.map(|(_, placement, custom)| (placement, custom)).ok_or(failure)
}

/// Secrets and carries in their places.
fn messages(known: &Known, secrets: &[i8]) -> Result<Secrets, Error> {
    let (placement, shape) = (&known.placement, &known.shape);
    known.store();
    placement.messages(secrets, shape.secrets_len(), |instance, secrets, put| {
        let mut carries = Secrets::<i8>::zeros(shape.errors_len());
        table::carries(known, instance, secrets, &mut carries)?;
        put(SECRETS, secrets);
        put(CARRIES, &carries);
        Ok(())
    })
}
