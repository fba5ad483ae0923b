//! Equations that hold exactly: instances A_i x_i = t_i + q k_i over the integers, with all that is
//! unknown, errors and carries included, in the messages. As they are linear, one challenge a
//! variable shows them; ranges of the unknowns are a claim as of any messages.

mod carries;
mod family;
mod transform;
mod weights;

use alloc::sync::Arc;
use alloc::vec::Vec;

use tautochrone_ctr::{Label, Seed};

pub use family::{Coefficient, EquationFamily, EquationShape, UnknownPart};

use super::placement::{Placement, places};
use super::{Instances, Relation};
use crate::argument::layout::Layout;
use crate::argument::linear::LinearClaim;
use crate::argument::ranges::Ranges;
use crate::erase::Secrets;
use crate::error::Error;
use crate::field::{ElementOf, Field};
use crate::hash::{Digest, Hasher};
use crate::opening::transcript::{CHAIN, Transcript};
use family::{LARGEST_LIFT, LARGEST_TARGET};
use transform::Transform;

/// Label of the challenges.
const POINT: &str = "equations";

/// A claim of which the instances are known.
pub(super) struct Equations {
    pub(super) family: Arc<dyn EquationFamily>,
    pub(super) shape: EquationShape,
    pub(super) placement: Placement,
    /// Of the messages.
    pub(super) ranges: Ranges,
    /// The number of the lift, and its key.
    lift: u8,
    key: [u8; 32],
    pub(super) digest: Digest,
}

impl Equations {
    pub(super) fn new(
        family: Arc<dyn EquationFamily>,
        places: u32,
        spread: u32,
        lift: u8,
    ) -> Result<Self, Error> {
        let shape = family.shape();
        shape.check()?;
        let placement = shape.placement(family.instances(), places, spread)?;
        let ranges = shape.ranges(&placement)?;
        let instances = instances(&*family, &shape);
        let key = Hasher::new(CHAIN, "equations: lift").field(instances.as_bytes());
        let key = key.number(lift.into()).finish_key();
        let digest = Hasher::new(CHAIN, "equations")
            .field(instances.as_bytes())
            .number(places.into())
            .number(spread.into())
            .number(lift.into())
            .finish();
        Ok(Self { family, shape, placement, ranges, lift, key, digest })
    }

    /// Block `row` of t_i, with q d added in a lift.
    fn target(&self, instance: u64, row: usize, out: &mut [i128]) {
        let q = self.shape.moduli[row].cast_signed();
        self.family.target(instance, row, out);
        let most = q.unsigned_abs() * u128::from(LARGEST_TARGET);
        let fits = |t: &i128| t.unsigned_abs() <= most;
        assert!(out.iter().all(fits), "targets of a family are at most 2^13 q");
        if self.lift == 0 {
            return;
        }
        let mut bytes = alloc::vec![0; out.len()];
        let index = instance * self.shape.moduli.len() as u64 + row as u64;
        let seed = Seed::from_bytes(self.key);
        seed.stream(Label::new("tautochrone-zk/2 equations: lift"), index).fill(&mut bytes);
        for (out, byte) in out.iter_mut().zip(bytes) {
            let d = ((2 * LARGEST_LIFT + 1) * i64::from(byte) >> 8) - LARGEST_LIFT;
            *out += q * i128::from(d);
        }
    }

    /// The coefficients of block `row` of an instance's equations.
    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>)) {
        let q = self.shape.moduli[row];
        let fits = |a: &i64| u128::from(a.unsigned_abs()) <= q;
        let instance = if self.family.is_common() { 0 } else { instance };
        self.family.row(instance, row, &mut |block, coefficient| {
            let fits = match coefficient {
                Coefficient::Integer(a) => fits(&a),
                Coefficient::Polynomial(a) => {
                    a.len() == self.shape.n as usize && a.iter().all(fits)
                }
            };
            assert!(fits, "coefficients of a family are at most q");
            see(block, coefficient);
        });
    }

    /// The claims that are left: of the ranges, and the sum of all equations with weights.
    pub(super) fn replay<F: Field>(
        &self,
        transcript: &mut Transcript,
        layout: &Layout,
    ) -> LinearClaim<'_, F> {
        let columns = layout.columns().next_power_of_two().ilog2() as usize;
        let mut point = |count| -> Vec<ElementOf<F>> {
            (0..count).map(|_| transcript.challenge(POINT)).collect()
        };
        let (rows, columns) = (point(layout.rounds()), point(columns));
        weights::claim(self, &rows, &columns, layout.columns())
    }

    /// Unknowns and carries in their places.
    pub(super) fn messages(&self, unknowns: &[i8]) -> Result<Secrets, Error> {
        let (shape, each) = (&self.shape, self.shape.unknowns_len());
        let transform = Transform::new(shape.n as usize);
        self.placement.messages(unknowns, each, |instance, unknowns, put| {
            let mut carries = Secrets::<i8>::zeros(shape.all_unknowns() as usize - each);
            carries::carries(self, &transform, instance, unknowns, &mut carries)?;
            let mut rest = unknowns;
            for (index, part) in shape.parts.iter().enumerate() {
                let (of_part, others) = rest.split_at((part.blocks * shape.n) as usize);
                put(index, of_part);
                rest = others;
            }
            let digits = carries.chunks_exact(shape.equations_len());
            (shape.carries()..).zip(digits).for_each(|(part, digits)| put(part, digits));
            Ok(())
        })
    }
}

impl Relation {
    /// The claim about all instances of a family of equations, in places as in [`Self::new`],
    /// and in a lift. An entry of t counts modulo q, and lift number f > 0 has t + q d in its
    /// place, for d from -7 to 7 that follow from the instances and f: carries are less by d. So an
    /// instance with a carry that does not fit a byte may be proved in another lift than 0.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn equations(
        family: Arc<dyn EquationFamily>,
        places: u32,
        spread: u32,
        lift: u8,
    ) -> Result<Self, Error> {
        let known = Equations::new(family, places, spread, lift)?;
        Ok(Self { digest: known.digest, instances: Instances::Equations(Arc::new(known)) })
    }

    /// [`Self::equations`] in the places that this layout has for them.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it has none; as [`Self::equations`].
    pub fn equations_with_layout(
        family: Arc<dyn EquationFamily>,
        layout: &Layout,
        lift: u8,
    ) -> Result<Self, Error> {
        let shape = family.shape();
        shape.check()?;
        let (places, spread) = places(layout, shape.all_unknowns())?;
        Self::equations(family, places, spread, lift)
    }
}

/// The digest of shape and instances.
fn instances(family: &dyn EquationFamily, shape: &EquationShape) -> Digest {
    let mut hasher = Hasher::new(CHAIN, "equations: instances").field(shape.name.as_bytes());
    hasher = hasher.number(shape.n.into()).number(shape.parts.len() as u64);
    for part in &shape.parts {
        hasher = hasher
            .number(part.blocks.into())
            .number(i64::from(part.low).cast_unsigned())
            .number(i64::from(part.high).cast_unsigned())
            .number(part.is_shown.into());
    }
    hasher = hasher.number(shape.carry_digits.into()).number(shape.moduli.len() as u64);
    for &q in &shape.moduli {
        // Not all of 2^64 fits a word.
        hasher = hasher.number((q - 1) as u64);
    }
    hasher = hasher.number(family.instances()).field(&family.header());
    for instance in 0..family.instances() {
        hasher = hasher.field(&family.encoding(instance));
    }
    hasher.finish()
}
