//! [`Claims`]: what a proof shows of committed messages.

use alloc::vec::Vec;

use super::circuit::CircuitClaim;
use super::fact::Fact;
use super::field::{ArgumentField, CircuitField, with_field};
use super::file;
use super::layout::{Layout, Slot};
use super::linear::{Definition, Instance};
use super::ranges::Ranges;
use super::relation::Relation;
use crate::error::Error;
use crate::field::{Field, Goldilocks};
use crate::hash::Hasher;
use crate::opening::transcript::{self, Transcript};
use crate::params::Params;
use crate::statement::Statement;
use crate::suite::Masks;

/// Most claims of one proof.
pub(super) const MAX_CLAIMS: usize = 256;

/// One claim about the columns of messages of a [`Layout`](super::Layout): a [`Fact`], [`Ranges`]
/// and norms, a [`CircuitClaim`] or a `Relation`. As text it is a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// A linear equation, or the entries of a block.
    #[doc(hidden)]
    Fact(Fact),
    /// Ranges of entries, and norms of columns.
    #[doc(hidden)]
    Ranges(Ranges),
    /// That places are wires that satisfy a circuit.
    #[doc(hidden)]
    Circuit(CircuitClaim),
    /// The same over the field of 2^64 - 2^32 + 1 elements, as all claims of a list then are.
    #[doc(hidden)]
    GoldilocksCircuit(CircuitClaim<Goldilocks>),
    /// That places are the secrets of public instances.
    #[doc(hidden)]
    Relation(Relation),
}

impl From<Relation> for Claim {
    fn from(relation: Relation) -> Self {
        Self::Relation(relation)
    }
}

impl From<Fact> for Claim {
    fn from(fact: Fact) -> Self {
        Self::Fact(fact)
    }
}

impl From<Ranges> for Claim {
    fn from(ranges: Ranges) -> Self {
        Self::Ranges(ranges)
    }
}

impl<F: CircuitField> From<CircuitClaim<F>> for Claim {
    fn from(claim: CircuitClaim<F>) -> Self {
        F::claim(claim)
    }
}

impl<C: Into<Claim>> From<C> for Claims {
    fn from(claim: C) -> Self {
        Self { claims: alloc::vec![claim.into()] }
    }
}

impl core::fmt::Display for Claim {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.definition().fmt(f)
    }
}

impl Claim {
    pub(super) fn definition(&self) -> &dyn Definition {
        match self {
            Self::Fact(fact) => fact,
            Self::Ranges(ranges) => ranges,
            Self::Circuit(claim) => claim,
            Self::GoldilocksCircuit(claim) => claim,
            Self::Relation(relation) => relation,
        }
    }
}

/// Claims that are proved together, in one [slot](Slot) of pads: a valid proof shows each of them.
/// Several cost hardly more than one. The same claims in another order are another list, and need
/// another slot.
///
/// ```
/// use tautochrone_zk::argument::{Claims, Fact, Ranges, RowRange};
///
/// // The messages are bits, and those in rows 0 to 7 of all columns are numbers with sum 43.
/// let bits = Ranges::new(vec![RowRange { first_row: 0, rows: 8, low: 0, high: 1 }])?;
/// let sum = Fact::sum((0..8).map(|i| (i, 1 << i)).collect(), vec![(0, 1), (1, 1)], 43)?;
/// let claims = Claims::new(vec![bits.into(), sum.into()])?;
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    claims: Vec<Claim>,
}

/// Each claim, in their order.
impl core::fmt::Display for Claims {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (place, claim) in self.claims.iter().enumerate() {
            write!(f, "{}{claim}", if place > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl Claims {
    /// These, in this order: at least one, and at most 256.
    ///
    /// # Errors
    /// [`Error::Parameter`] if they are more or fewer.
    pub fn new(claims: Vec<Claim>) -> Result<Self, Error> {
        let holds = (1..=MAX_CLAIMS).contains(&claims.len());
        Error::unless(holds, "claims", claims.len() as u64, "1 to 256 of them")?;
        Ok(Self { claims })
    }

    /// The claims.
    #[doc(hidden)]
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    fn definitions(&self) -> impl Iterator<Item = &dyn Definition> {
        self.claims.iter().map(Claim::definition)
    }

    /// The claims, over the field of their layout.
    pub(super) fn instances<F: ArgumentField>(&self) -> impl Iterator<Item = &dyn Instance<F>> {
        self.claims.iter().map(|claim| F::instance(claim).expect("claims are checked"))
    }

    /// n': elements of K that are sent before the last sum-check; as many mask them.
    pub(super) fn sent(&self, layout: &Layout) -> usize {
        self.definitions().map(|claim| claim.sent(layout)).sum()
    }

    /// # Errors
    /// [`Error::Parameter`] if a claim is about a row or a column that is none of the messages', or
    /// over another field than theirs.
    fn check_within(&self, layout: &Layout) -> Result<(), Error> {
        let expected = "p of a field that all claims may be over";
        let holds =
            with_field!(layout, F => self.claims.iter().all(|claim| F::instance(claim).is_some()));
        Error::unless(holds, "p of the layout", layout.p(), expected)?;
        for claim in self.definitions() {
            let (row, column) = claim.end(layout);
            if row > layout.rows().into() {
                return Err(Error::parameter("row of a claim", row - 1, "a row of the messages"));
            }
            if column > layout.columns() {
                let expected = "a column of the messages";
                return Err(Error::parameter("column of a claim", column - 1, expected));
            }
        }
        Ok(())
    }

    /// D_0 = H("argument", A, T, slot and claims as they are in a file).
    pub(super) fn begin(&self, statement: &Statement, slot: &Slot) -> Transcript {
        Transcript::begin(statement_fields(statement).field(&file::to_bytes(slot, self)))
    }
}

/// The fields of A and T in D_0: w, origin of A', its identifier, r, v, l, dT, block hashes of T.
pub(super) fn statement_fields(statement: &Statement) -> Hasher {
    let params = statement.params();
    let fields = transcript::start()
        .number(params.w().into())
        .number(params.expansion() as u64)
        .field(statement.matrix_id().as_bytes())
        .number(params.r().into())
        .number(params.v().into())
        .number(params.l())
        .number(params.round_t().into())
        .digests(statement.block_hashes());
    let Masks::Mixed { .. } = params.masks() else { return fields };
    // Two headers of one T whose bounds differ in parts might bind each alone and not together.
    let bounds = [params.message_norm_bound_squared(), params.norm_bound_squared()];
    let rows = fields.number(params.message_mask_rows().into());
    bounds.iter().fold(rows, |fields, bound| fields.field(&bound.to_le_bytes()))
}

impl Layout {
    /// The same with one slot more, behind the others, which can serve these claims, or others that
    /// need no more masks.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the claims are about other rows or columns, or there are 64 slots.
    pub fn with_slot(self, claims: &Claims) -> Result<Self, Error> {
        claims.check_within(&self)?;
        let masks = claims.sent(&self) as u32;
        self.with_masks(masks)
    }
}

impl Slot {
    /// [`Self::check`], and that the field is this one.
    ///
    /// # Errors
    /// As there; [`Error::Parameter`] if it is another.
    pub(super) fn check_over<F: Field>(
        &self,
        params: &Params,
        claims: &Claims,
    ) -> Result<(), Error> {
        self.check(params, claims)?;
        let (holds, p) = (self.layout().is_over::<F>(), self.layout().p());
        Error::unless(holds, "p", p, "p of this prover's field")
    }

    /// # Errors
    /// [`Error::Parameter`] unless arguments are offered for these parameters, which have the
    /// layout's columns and rows for digits; if the claims are about other rows or columns, or need
    /// more masks than the slot has; if entries that are extracted may satisfy one modulo p alone.
    pub(super) fn check(&self, params: &Params, claims: &Claims) -> Result<(), Error> {
        let layout = self.layout();
        layout.check(params)?;
        claims.check_within(layout)?;
        claims.definitions().try_for_each(|claim| claim.check(params, layout))?;
        let (needed, has) = (claims.sent(layout) as u32, self.masks());
        let expected = "no more than the slot has: see Layout::with_slot";
        Error::unless(needed <= has, "masks of the claims", needed, expected)
    }
}
