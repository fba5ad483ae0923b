//! [`Relation`]: that committed secrets belong to many public instances t = A s + e modulo q, and
//! that secrets and errors are small, exactly. Where q has up to 16 bits, the errors are not
//! committed; else the instances are [equations](equations).

mod equations;
mod family;
mod instance;
mod placement;
mod point;
mod products;
mod space;
mod table;
#[cfg(test)]
pub(super) mod tests;
mod weights;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

pub use equations::{Coefficient, EquationFamily, EquationShape, UnknownPart};
pub use family::{Family, FamilyShape, Structure};

use super::layout::Layout;
use super::ranges::{Ranges, RowRange, check_integers};
use crate::erase::{Secrets, debug_fields};
use crate::error::Error;
use crate::field::{Field as _, P, P127};
use crate::hash::{Digest, Hasher};
use crate::opening::transcript::CHAIN;
use equations::Equations;
use placement::{CARRIES, MAX_PARTS, Placement, SECRETS, places};

/// Bound on the entries of A s.
const MAX_PRODUCT: u64 = 1 << 30;
/// Bound on the entries of targets.
const MAX_TARGET: u64 = 1 << 20;
/// Bound on the entries of A.
const MAX_ENTRY: u64 = 1 << 15;
/// Bytes of matrices that a prover stores: it uses each three times.
const STORED_BYTES: usize = 64 << 20;

/// The claim that the first rows of the messages hold, for every instance of a [`Family`], secrets
/// s and carries k with t - A s + q k in the range of errors, over the integers, and s in the range
/// of secrets: then t = A s + e modulo q with such s and e. Or that for every instance of an
/// [`EquationFamily`] they hold unknowns and carries with A x = t + q k over the integers, unknowns
/// being in their ranges.
///
/// A file of a proof names the claim by its digest alone; whoever verifies has to know the
/// instances.
#[derive(Clone)]
pub struct Relation {
    digest: Digest,
    instances: Instances,
}

/// What is known of the instances.
#[derive(Clone)]
enum Instances {
    /// Nothing: the claim has been read from a file.
    Named,
    /// Errors are not committed.
    WithErrors(Arc<Known>),
    /// All unknowns are.
    Equations(Arc<Equations>),
}

/// A claim about errors that are not committed, of which the instances are known.
struct Known {
    family: Arc<dyn Family>,
    shape: FamilyShape,
    placement: Placement,
    /// Of the table, in which errors stand in the place of carries.
    ranges: Ranges,
    /// The matrices of the first instances, as far as they are stored.
    matrices: OnceBox<Vec<i16>>,
}

/// The digest stands for the instances.
impl PartialEq for Relation {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Relation {}

debug_fields!("Relation", Relation; digest);

impl core::fmt::Display for Relation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match &self.instances {
            Instances::Named => (),
            Instances::WithErrors(known) => {
                let FamilyShape { name, secrets, errors, .. } = known.shape;
                let instances = known.placement.instances;
                return write!(
                    f,
                    "{instances} instances of {name} have secrets in [{}, {}] and errors in [{}, {}]",
                    secrets.0, secrets.1, errors.0, errors.1
                );
            }
            Instances::Equations(known) => {
                let (instances, name) = (known.placement.instances, known.shape.name);
                write!(f, "{instances} instances of {name} have unknowns in")?;
                let mut between = " ";
                for part in known.shape.parts.iter().filter(|part| part.is_shown) {
                    write!(f, "{between}[{}, {}]", part.low, part.high)?;
                    between = ", ";
                }
                return Ok(());
            }
        }
        f.write_str("instances ")?;
        self.digest.as_bytes()[..8].iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(".. have secrets and errors in their ranges")
    }
}

/// The ranges of the table of the first sum-check.
fn ranges(placement: &Placement, shape: &FamilyShape) -> Result<Ranges, Error> {
    let secret_rows = placement.first_row(CARRIES);
    let (low, high) = shape.secrets;
    let secrets = RowRange { first_row: 0, rows: secret_rows, low, high };
    let (low, high) = shape.errors;
    let rows = placement.rows() - secret_rows;
    Ranges::new(vec![secrets, RowRange { first_row: secret_rows, rows, low, high }])
}

impl Known {
    fn new(family: Arc<dyn Family>, places: u32, spread: u32) -> Result<Self, Error> {
        let shape = family.shape();
        shape.check()?;
        let placement = shape.placement(family.instances(), places, spread)?;
        let ranges = ranges(&placement, &shape)?;
        Ok(Self { family, shape, placement, ranges, matrices: OnceBox::new() })
    }

    /// The instance with the matrix of this one.
    fn representative(&self, instance: u64) -> u64 {
        if self.family.is_common() { 0 } else { instance }
    }

    /// Stores the matrices of as many instances as fit.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn store(&self) {
        if self.matrices.get().is_some() {
            return;
        }
        let (len, row_len) = (self.shape.matrix_len(), self.shape.row_len());
        let last = self.representative(self.placement.instances - 1) as usize;
        let count = (STORED_BYTES / (2 * len)).min(last + 1);
        let mut matrices = vec![0; count * len];
        crate::parallel::for_chunks(&mut matrices, len, |instance, out| {
            self.family.rows(instance as u64, &mut |row, entries| {
                out[row * row_len..][..row_len].copy_from_slice(entries);
            });
        });
        // Of two threads that come here at once, either has the same.
        let _ = self.matrices.set(Box::new(matrices));
    }

    /// Calls see(row, entries) for every row of blocks of A_i, in order.
    fn rows(&self, instance: u64, see: &mut dyn FnMut(usize, &[i16])) {
        let instance = self.representative(instance);
        let (len, row_len) = (self.shape.matrix_len(), self.shape.row_len());
        let stored = self.matrices.get().map_or(&[][..], |matrices| matrices);
        match stored.chunks_exact(len).nth(instance as usize) {
            Some(matrix) => {
                let rows = matrix.chunks_exact(row_len).enumerate();
                rows.for_each(|(row, entries)| see(row, entries));
            }
            None => self.family.rows(instance, see),
        }
    }

    /// t_i.
    fn target(&self, instance: u64, out: &mut [i32]) {
        self.family.target(instance, out);
        let fits = |t: &i32| u64::from(t.unsigned_abs()) <= MAX_TARGET;
        assert!(out.iter().all(fits), "targets of a family are at most 2^20");
    }

    fn digest(&self) -> Digest {
        let (shape, Placement { instances, places, spread, .. }) = (&self.shape, self.placement);
        let mut hasher = Hasher::new(CHAIN, "relation").field(shape.name.as_bytes());
        let structure = match shape.structure {
            Structure::Plain => 1,
            Structure::Ring => 2,
        };
        for number in [shape.modulus, structure, shape.n, shape.rows, shape.columns] {
            hasher = hasher.number(number.into());
        }
        for (low, high) in [shape.secrets, shape.errors] {
            for bound in [low, high] {
                hasher = hasher.number(i64::from(bound).cast_unsigned());
            }
        }
        hasher = hasher.number(instances).number(places.into()).number(spread.into());
        for instance in 0..instances {
            hasher = hasher.field(&self.family.encoding(instance));
        }
        hasher.finish()
    }
}

impl FamilyShape {
    fn check(&self) -> Result<(), Error> {
        let holds = (2..=1 << 16).contains(&self.modulus);
        Error::unless(holds, "q of instances", self.modulus, "2 to 2^16")?;
        let holds = self.n.is_power_of_two() && self.n <= 1 << 12;
        Error::unless(holds, "n of instances", self.n, "a power of 2 up to 2^12")?;
        for blocks in [self.rows, self.columns] {
            let holds = (1..=1 << 14).contains(&blocks);
            Error::unless(holds, "blocks of instances", blocks, "1 to 2^14")?;
        }
        for (low, high) in [self.secrets, self.errors] {
            check_integers(low, high)?;
        }
        let expected = "so small that A s is below 2^30";
        let holds = self.largest_product() <= MAX_PRODUCT;
        Error::unless(holds, "terms of instances", self.terms(), expected)
    }

    /// Where the unknowns are.
    fn placement(&self, instances: u64, places: u32, spread: u32) -> Result<Placement, Error> {
        let mut blocks = [0; MAX_PARTS];
        (blocks[SECRETS], blocks[CARRIES]) = (self.columns, self.rows);
        Placement::new(self.n, blocks, instances, places, spread)
    }

    /// A bound on the entries of A s.
    fn largest_product(&self) -> u64 {
        let (low, high) = self.secrets;
        let largest = u64::from(low.unsigned_abs().max(high.unsigned_abs()));
        MAX_ENTRY * largest * self.terms()
    }
}

impl Relation {
    /// The claim about all instances of a family, `places` of them in one column, or one spread
    /// over `spread` columns: [`Self::optimise`] chooses.
    ///
    /// # Errors
    /// [`Error::Parameter`] if a number of the family is out of range, neither `places` nor
    /// `spread` is 1, `spread` is no power of two up to n, or a column has more than 2^16 rows.
    pub fn new(family: Arc<dyn Family>, places: u32, spread: u32) -> Result<Self, Error> {
        let known = Known::new(family, places, spread)?;
        Ok(Self { digest: known.digest(), instances: Instances::WithErrors(Arc::new(known)) })
    }

    /// The claim about all instances of a family in the places that this layout has for them, as
    /// the slot of a proof says.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it has none; as [`Self::new`].
    pub fn with_layout(family: Arc<dyn Family>, layout: &Layout) -> Result<Self, Error> {
        let (places, spread) = places(layout, family.shape().unknowns())?;
        Self::new(family, places, spread)
    }

    /// The claim as a file has it.
    pub(super) const fn named(digest: Digest) -> Self {
        Self { digest, instances: Instances::Named }
    }

    /// The digest of all instances, their shape and their places.
    #[must_use]
    pub const fn digest(&self) -> &Digest {
        &self.digest
    }

    pub(super) fn ranges(&self) -> &Ranges {
        self.ranges_if_known().expect("claims are checked, of instances that are known")
    }

    fn ranges_if_known(&self) -> Option<&Ranges> {
        self.ranges_and_placement().map(|(ranges, _)| ranges)
    }

    fn placement(&self) -> Option<&Placement> {
        self.ranges_and_placement().map(|(_, placement)| placement)
    }

    /// Both, if the instances are known.
    fn ranges_and_placement(&self) -> Option<(&Ranges, &Placement)> {
        match &self.instances {
            Instances::Named => None,
            Instances::WithErrors(known) => Some((&known.ranges, &known.placement)),
            Instances::Equations(known) => Some((&known.ranges, &known.placement)),
        }
    }

    /// The ranges, where they are ranges of messages.
    pub(super) fn ranges_of_messages(&self) -> Option<&Ranges> {
        if let Instances::Equations(known) = &self.instances { Some(&known.ranges) } else { None }
    }

    /// Whether it is over the field of 2^127 - 1 elements, as equations are where p = 2^61 - 1 is
    /// too small.
    fn is_wide(&self) -> bool {
        if let Instances::Equations(known) = &self.instances {
            known.shape.is_wide()
        } else {
            false
        }
    }

    /// Columns of messages that belong together.
    pub(super) fn spread(&self) -> u64 {
        self.placement().map_or(1, |placement| placement.spread.into())
    }

    /// The table of whole groups of columns, given their messages, and whether an entry is not in
    /// its range.
    pub(super) fn table(&self, first_column: u64, messages: Secrets) -> (Secrets, bool) {
        let Instances::WithErrors(known) = &self.instances else { return (messages, false) };
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let group = (first_column / self.spread()) as usize;
        table::with_errors(known, group, messages)
    }

    /// # Errors
    /// [`Error::Parameter`] unless the integers that errors, or both sides of an equation, are
    /// extracted as stay below p: |t| + q 2 B + |A s| + |i| < p, for all A and t of the types that
    /// they have; B^2 is given.
    fn check_norm_bound(&self, norm_bound_squared: u128) -> Result<(), Error> {
        // 2 B, rounded up.
        let carry = 2 * (norm_bound_squared.isqrt() + 1);
        let largest = match &self.instances {
            Instances::Named => return Err(Error::StatedByOthers),
            Instances::WithErrors(known) => {
                let (shape, (low, high)) = (&known.shape, known.shape.errors);
                let carries = carry.saturating_mul(shape.modulus.into());
                let rest = MAX_TARGET + shape.largest_product();
                let bound = u128::from(low.unsigned_abs().max(high.unsigned_abs()));
                carries.saturating_add(u128::from(rest) + bound)
            }
            Instances::Equations(known) => known.shape.largest_difference(carry),
        };
        let p = if self.is_wide() { P127::P } else { P.into() };
        if largest >= p {
            let expected = "so small that t - A s + q k is below p";
            #[expect(clippy::integer_division_remainder_used, reason = "parameters are public")]
            let bits = norm_bound_squared.ilog2() / 2;
            return Err(Error::parameter("log2 B", bits, expected));
        }
        Ok(())
    }
}
