//! [`Relation`]: that committed unknowns belong to many public instances A x = t modulo q and are
//! small, exactly. Either errors are unknowns as well, and the instances are [equations]; or q has
//! up to 16 bits, and errors are not committed: t = A s + e modulo q.

mod carries;
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
mod transform;
mod weights;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use once_cell::race::OnceBox;
use tautochrone_ctr::{Label, Seed};

pub use family::{Coefficient, Family, FamilyShape, InstanceErrors, Structure, UnknownPart};

use super::layout::Layout;
use super::ranges::Ranges;
use crate::erase::{Secrets, debug_fields};
use crate::error::Error;
use crate::field::{Field as _, P, P127};
use crate::hash::{Digest, Hasher};
use crate::opening::transcript::CHAIN;
use placement::{Placement, places};

/// Bytes of matrices that a prover stores: it uses each three times.
const STORED_BYTES: usize = 64 << 20;

/// The claim that the first rows of the messages hold, for every instance of a [`Family`], unknowns
/// x and carries k with A x = t + q k over the integers, unknowns being in their ranges: then A x =
/// t modulo q with such x. Or, where errors are not committed, that t - A s + q k is in the range
/// of errors, and s in the range of secrets: then t = A s + e modulo q with such s and e.
///
/// A file of a proof names the claim by its digest alone; whoever verifies has to know the
/// instances.
#[derive(Clone)]
pub struct Relation {
    digest: Digest,
    /// Nothing where the claim has been read from a file.
    known: Option<Arc<Known>>,
}

/// What is known of the instances.
struct Known {
    family: Arc<dyn Family>,
    shape: FamilyShape,
    placement: Placement,
    /// Of the messages, or of the table, in which errors stand in the place of carries.
    ranges: Ranges,
    /// The number of the lift, and its key.
    lift: u8,
    key: [u8; 32],
    /// The matrices of the first instances, as far as they are stored, where errors are not
    /// committed.
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
        let Some(Known { shape, placement, .. }) = self.known() else {
            f.write_str("instances ")?;
            self.digest.as_bytes()[..8].iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
            return f.write_str(".. have secrets and errors in their ranges");
        };
        write!(f, "{} instances of {} have unknowns in", placement.instances, shape.name)?;
        let mut between = " ";
        for part in shape.parts.iter().filter(|part| part.is_shown) {
            write!(f, "{between}[{}, {}]", part.low, part.high)?;
            between = ", ";
        }
        if !shape.commits_to_errors() {
            let (low, high) = shape.error_range();
            write!(f, " and errors in [{low}, {high}]")?;
        }
        Ok(())
    }
}

impl Known {
    /// With the digest of the claim.
    fn new(
        family: Arc<dyn Family>,
        places: u32,
        spread: u32,
        lift: u8,
    ) -> Result<(Self, Digest), Error> {
        let shape = family.shape();
        shape.check()?;
        let placement = shape.placement(family.instances(), places, spread)?;
        let ranges = shape.ranges(&placement)?;
        let instances = instances(&*family, &shape, &placement);
        let key = Hasher::new(CHAIN, "equations: lift").field(instances.as_bytes());
        let key = key.number(lift.into()).finish_key();
        let digest = if shape.commits_to_errors() || lift > 0 {
            Hasher::new(CHAIN, "equations")
                .field(instances.as_bytes())
                .number(places.into())
                .number(spread.into())
                .number(lift.into())
                .finish()
        } else {
            instances
        };
        let matrices = OnceBox::new();
        Ok((Self { family, shape, placement, ranges, lift, key, matrices }, digest))
    }

    /// The instance with the matrix of this one.
    fn representative(&self, instance: u64) -> u64 {
        if self.family.is_common() { 0 } else { instance }
    }

    /// Block `row` of t_i, with q d added in a lift.
    fn target(&self, instance: u64, row: usize, out: &mut [i128]) {
        let q = self.shape.moduli[row];
        self.family.target(instance, row, out);
        let most = self.shape.largest_target(q);
        let fits = |t: &i128| t.unsigned_abs() <= most;
        assert!(out.iter().all(fits), "targets of a family are at most 2^13 q, or 2^19");
        if self.lift == 0 {
            return;
        }
        let mut bytes = vec![0; out.len()];
        let index = instance * self.shape.moduli.len() as u64 + row as u64;
        let (seed, most) = (Seed::from_bytes(self.key), self.shape.largest_lift());
        seed.stream(Label::new("tautochrone-zk/2 equations: lift"), index).fill(&mut bytes);
        for (out, byte) in out.iter_mut().zip(bytes) {
            let d = ((2 * most + 1) * i64::from(byte) >> 8) - most;
            *out += q.cast_signed() * i128::from(d);
        }
    }

    /// The coefficients of block `row` of an instance's equations, which may be stored.
    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>)) {
        let instance = self.representative(instance);
        let (q, n) = (self.shape.moduli[row], self.shape.n as usize);
        let row_len = if self.shape.commits_to_errors() { 0 } else { self.shape.row_len() };
        let place = (instance as usize * self.shape.moduli.len() + row) * row_len;
        let stored = self.matrices.get().map(|matrices| &matrices[..]);
        if let Some(entries) = stored.and_then(|stored| stored.get(place..place + row_len)) {
            return see(0, Coefficient::Row(entries));
        }
        let fits = |a: &i64| u128::from(a.unsigned_abs()) <= q;
        self.family.row(instance, row, &mut |block, coefficient| {
            let fits = match coefficient {
                Coefficient::Integer(a) => row_len == 0 && fits(&a),
                Coefficient::Polynomial(a) => row_len == 0 && a.len() == n && a.iter().all(fits),
                Coefficient::Row(a) => row_len == a.len(),
            };
            assert!(fits, "coefficients of a family are at most q");
            see(block, coefficient);
        });
    }

    /// Stores the matrices of as many instances as fit, where errors are not committed.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn store(&self) {
        if self.shape.commits_to_errors() || self.matrices.get().is_some() {
            return;
        }
        let row_len = self.shape.row_len();
        let len = self.shape.moduli.len() * row_len;
        let last = self.representative(self.placement.instances - 1) as usize;
        let count = (STORED_BYTES / (2 * len)).min(last + 1);
        let mut matrices = vec![0; count * len];
        crate::parallel::for_chunks(&mut matrices, row_len, |index, out| {
            let (instance, row) =
                (index / self.shape.moduli.len(), index % self.shape.moduli.len());
            self.row(instance as u64, row, &mut |_, coefficient| {
                if let Coefficient::Row(entries) = coefficient {
                    out.copy_from_slice(entries);
                }
            });
        });
        // Of two threads that come here at once, either has the same.
        let _ = self.matrices.set(Box::new(matrices));
    }
}

/// The digest of shape and instances, and of their places where errors are not committed.
fn instances(family: &dyn Family, shape: &FamilyShape, placement: &Placement) -> Digest {
    let bounds = |(low, high): (i32, i32)| [low, high].map(|x| i64::from(x).cast_unsigned());
    let part = |part: &UnknownPart| bounds((part.low, part.high));
    let (blocks, count) = (shape.moduli.len() as u64, family.instances());
    let tag = if shape.commits_to_errors() { "equations: instances" } else { "relation" };
    let mut numbers = Vec::new();
    match shape.errors {
        InstanceErrors::NotCommitted { low, high, structure } => {
            let structure = match structure {
                Structure::Plain => 1,
                Structure::Ring => 2,
            };
            let of_secrets = &shape.parts[0];
            let n = shape.n.into();
            numbers.extend([
                shape.moduli[0] as u64,
                structure,
                n,
                blocks,
                of_secrets.blocks.into(),
            ]);
            numbers.extend([part(of_secrets), bounds((low, high))].concat());
            numbers.extend([count, placement.places.into(), placement.spread.into()]);
        }
        InstanceErrors::Committed { carry_digits, .. } => {
            numbers.extend([shape.n.into(), shape.parts.len() as u64]);
            for of_part in &shape.parts {
                let [low, high] = part(of_part);
                numbers.extend([of_part.blocks.into(), low, high, of_part.is_shown.into()]);
            }
            numbers.extend([carry_digits.into(), blocks]);
            // Not all of 2^64 fits a word.
            numbers.extend(shape.moduli.iter().map(|q| (q - 1) as u64));
            numbers.push(count);
        }
    }
    let hasher = Hasher::new(CHAIN, tag).field(shape.name.as_bytes());
    let mut hasher = numbers.into_iter().fold(hasher, Hasher::number);
    if shape.commits_to_errors() {
        hasher = hasher.field(&family.header());
    }
    for instance in 0..count {
        hasher = hasher.field(&family.encoding(instance));
    }
    hasher.finish()
}

impl Relation {
    /// The claim about all instances of a family, `places` of them in one column, or one spread
    /// over `spread` columns: [`Self::optimise`] chooses. And in a lift: an entry of t counts
    /// modulo q, and lift number f > 0 has t + q d in its place, for d from -7 to 7, or from -15 to
    /// 15 where errors are not committed, that follow from the instances and f: carries are less by
    /// d. So an instance with a carry that does not fit a byte may be proved in another lift
    /// than 0.
    ///
    /// # Errors
    /// [`Error::Parameter`] if a number of the family is out of range, neither `places` nor
    /// `spread` is 1, `spread` is no power of two up to n, or a column has more than 2^16 rows.
    pub fn new(family: Arc<dyn Family>, places: u32, spread: u32, lift: u8) -> Result<Self, Error> {
        let (known, digest) = Known::new(family, places, spread, lift)?;
        Ok(Self { digest, known: Some(Arc::new(known)) })
    }

    /// The claim about all instances of a family in the places that this layout has for them, as
    /// the slot of a proof says, in a lift.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it has none; as [`Self::new`].
    pub fn with_layout(family: Arc<dyn Family>, layout: &Layout, lift: u8) -> Result<Self, Error> {
        let shape = family.shape();
        shape.check()?;
        let (places, spread) = places(layout, shape.all_unknowns())?;
        Self::new(family, places, spread, lift)
    }

    /// The claim as a file has it.
    pub(super) const fn named(digest: Digest) -> Self {
        Self { digest, known: None }
    }

    /// The digest of all instances, their shape and their places.
    #[must_use]
    pub const fn digest(&self) -> &Digest {
        &self.digest
    }

    fn known(&self) -> Option<&Known> {
        self.known.as_deref()
    }

    pub(super) fn ranges(&self) -> &Ranges {
        &self.known().expect("claims are checked, of instances that are known").ranges
    }

    /// The ranges, where they are ranges of messages.
    pub(super) fn ranges_of_messages(&self) -> Option<&Ranges> {
        self.known().filter(|known| known.shape.commits_to_errors()).map(|known| &known.ranges)
    }

    /// Whether it is over the field of 2^127 - 1 elements, as equations are where p = 2^61 - 1 is
    /// too small.
    fn is_wide(&self) -> bool {
        self.known().is_some_and(|known| known.shape.is_wide())
    }

    /// Columns of messages that belong together.
    pub(super) fn spread(&self) -> u64 {
        self.known().map_or(1, |known| known.placement.spread.into())
    }

    /// The table of whole groups of columns, given their messages, and whether an entry is not in
    /// its range.
    pub(super) fn table(&self, first_column: u64, messages: Secrets) -> (Secrets, bool) {
        let known = self.known().filter(|known| !known.shape.commits_to_errors());
        let Some(known) = known else { return (messages, false) };
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let group = (first_column / self.spread()) as usize;
        table::with_errors(known, group, messages)
    }

    /// # Errors
    /// [`Error::Parameter`] unless the integers that errors, or both sides of an equation, are
    /// extracted as stay below p, for all A and t of the types that they have; B^2 is given.
    fn check_norm_bound(&self, norm_bound_squared: u128) -> Result<(), Error> {
        let known = self.known().ok_or(Error::StatedByOthers)?;
        // 2 B, rounded up.
        let largest = known.shape.largest_difference(2 * (norm_bound_squared.isqrt() + 1));
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
