//! Where the unknowns of instances are in S, for statements about one [`Relation`] alone.

use alloc::sync::Arc;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

use super::carries::carries;
use super::family::{Family, FamilyShape};
use super::placement::Placement;
use super::transform::Transform;
use super::{Known, Relation};
use crate::argument::layout::Layout;
use crate::argument::linear::Definition as _;
use crate::argument::ranges::Ranges;
use crate::argument::space::{Messages, PaddedMessages};
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

/// Places and columns of messages, with the slot of the claim, which has these ranges.
fn layout_of(shape: &FamilyShape, placement: &Placement, ranges: &Ranges) -> Result<Layout, Error> {
    let new = if shape.is_wide() { Layout::of_large_integers } else { Layout::new };
    let empty = new(placement.rows(), placement.columns());
    let masks = ranges.sent(&empty);
    empty.with_masks(masks as u32)
}

/// The bound on honest carries of this variance, as far as they fit a byte.
pub(super) fn carry_bound(variance: f64) -> u32 {
    ((variance.sqrt() * DEVIATIONS) as u32 + 1).min(LARGEST)
}

/// The squared norm of a column of messages on average, for instances with this one and so many
/// unknowns besides carries. What is common to the carries of an instance, ||s||^2, is eight
/// standard deviations from its mean at most.
pub(super) fn column_norm_squared(placement: &Placement, (squared, unknowns): (f64, f64)) -> u64 {
    let margin = (16.0_f64 / (unknowns * placement.instances as f64).sqrt()).max(0.05);
    let all = placement.instances as f64 * squared * (1.0 + margin);
    (all / placement.columns() as f64).ceil() as u64
}

impl Relation {
    /// The layout with the one slot of this claim.
    ///
    /// # Errors
    /// [`Error::StatedByOthers`] if the instances are not known.
    pub fn layout(&self) -> Result<Layout, Error> {
        let known = self.known().ok_or(Error::StatedByOthers)?;
        layout_of(&known.shape, &known.placement, &known.ranges)
    }

    /// The places of the instances of a family, in a lift ([`Relation::new`]), and the parameters,
    /// for which statement and proof together are shortest, with 128 bits of security.
    ///
    /// # Errors
    /// [`Error::Request`] if there are none; as [`Relation::new`].
    pub fn optimise(family: Arc<dyn Family>, lift: u8) -> Result<(Self, CustomParams), Error> {
        let shape = family.shape();
        shape.check()?;
        let (placement, custom) = optimise(&shape, family.instances(), lift)?;
        Ok((Self::new(family, placement.places, placement.spread, lift)?, custom))
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
        let known = self.known().ok_or(Error::StatedByOthers)?;
        let messages = Messages::Owned(messages(known, secrets)?);
        self.layout()?.witness_for(matrix, &[self.digest.as_bytes()], messages, seed)
    }
}

/// The places and parameters for which statement and proof together are shortest.
fn optimise(
    shape: &FamilyShape,
    instances: u64,
    lift: u8,
) -> Result<(Placement, CustomParams), Error> {
    let (bound, norm) = (shape.message_bound(lift), shape.norm_squared(lift));
    let layout_of = |placement: &Placement| layout_of(shape, placement, &shape.ranges(placement)?);
    let spreads = (0..=shape.n.ilog2()).rev().map(|log| (1, 1 << log));
    let places = (2..=u32::try_from(instances).unwrap_or(u32::MAX).min(1 << 16)).map(|g| (g, 1));
    let fitting = spreads
        .chain(places)
        .map_while(|(places, spread)| shape.placement(instances, places, spread).ok());
    let mut candidates: Vec<(u64, Placement)> = Vec::new();
    for placement in fitting {
        let layout = layout_of(&placement)?;
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
        let layout = layout_of(&placement)?;
        let goal = layout.goal_with_norm(bound, column_norm_squared(&placement, norm));
        let per_statement = shape.commits_to_errors().then_some(1);
        let goal = Goal { per_statement, ..goal };
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

/// Unknowns and carries in their places.
fn messages(known: &Known, unknowns: &[i8]) -> Result<Secrets, Error> {
    let (shape, each) = (&known.shape, known.shape.unknowns_len());
    let transform = Transform::new(shape.n as usize);
    known.store();
    known.placement.messages(unknowns, each, |instance, unknowns, put| {
        let mut digits = Secrets::<i8>::zeros(shape.all_unknowns() as usize - each);
        carries(known, &transform, instance, unknowns, &mut digits)?;
        shape.split(unknowns).for_each(|(index, _, of_part)| put(index, of_part));
        let digits = digits.chunks_exact(shape.equations_len());
        (shape.carries()..).zip(digits).for_each(|(part, digits)| put(part, digits));
        Ok(())
    })
}
