//! [`Claims`]: what a proof shows of committed messages.

use alloc::vec::Vec;

use super::claim as common;
use super::fact::Fact;
use super::field::Element;
use super::layout::Slot;
use super::linear::LinearClaim;
use super::ranges::Ranges;
use super::shard::Ask;
use super::transcript::Transcript;
use crate::error::Error;
use crate::hash::Hasher;
use crate::params::Params;
use crate::statement::Statement;

/// Most claims of one proof.
pub const MAX_CLAIMS: usize = 256;

/// One claim about the columns of messages of a [`Layout`](super::Layout).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// A linear equation, or the entries of a block.
    Fact(Fact),
    /// Ranges of entries, and norms of columns.
    Ranges(Ranges),
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

/// What a kind of claim defines. A claim that is not linear has a sum-check of its own, which
/// leaves linear claims about the entries, and about the masks of what it sent.
pub(super) trait Instance {
    /// Adds the claim to D_0.
    fn fields(&self, hasher: Hasher) -> Hasher;

    /// The row and the column of messages behind the last of those that it speaks of; no column
    /// where it speaks of all.
    fn end(&self) -> (u64, u64);

    /// # Errors
    /// [`Error::Parameter`] if what is extracted under these parameters may satisfy the claim modulo
    /// p alone.
    fn check(&self, params: &Params) -> Result<(), Error>;

    /// How many elements of K mask what it sends of `columns` columns of messages.
    fn masks(&self, columns: u64) -> usize;

    /// How many elements of K it sends.
    fn sent(&self, columns: u64) -> usize;

    /// The prover's part: what is sent from this state of the transcript on. `index` is the claim's
    /// place in its list, as workers know it.
    ///
    /// # Errors
    /// Those of reading S.
    fn argue(
        &self,
        transcript: Transcript,
        masks: &[Element],
        index: u32,
        columns: u64,
        ask: &mut Ask<'_>,
    ) -> Result<Vec<Element>, Error>;

    /// The linear claims that are left when this was sent. The first of the claim's masks is mask
    /// number `first_mask`.
    fn replay(
        &self,
        transcript: &mut Transcript,
        sent: &[Element],
        first_mask: usize,
        columns: u64,
    ) -> Vec<LinearClaim>;
}

impl Claim {
    pub(super) fn instance(&self) -> &dyn Instance {
        match self {
            Self::Fact(fact) => fact,
            Self::Ranges(ranges) => ranges,
        }
    }

    /// Its number in D_0.
    const fn kind(&self) -> u32 {
        match self {
            Self::Fact(_) => 1,
            Self::Ranges(_) => 2,
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

impl From<Fact> for Claims {
    fn from(fact: Fact) -> Self {
        Self { claims: alloc::vec![fact.into()] }
    }
}

impl From<Ranges> for Claims {
    fn from(ranges: Ranges) -> Self {
        Self { claims: alloc::vec![ranges.into()] }
    }
}

impl Claims {
    /// These, in this order: at least one, and at most [`MAX_CLAIMS`].
    ///
    /// # Errors
    /// [`Error::Parameter`] if they are more or fewer.
    pub fn new(claims: Vec<Claim>) -> Result<Self, Error> {
        if claims.is_empty() || claims.len() > MAX_CLAIMS {
            return Err(Error::parameter("claims", claims.len() as u64, "1 to 256 of them"));
        }
        Ok(Self { claims })
    }

    /// The claims.
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    pub(super) fn instances(&self) -> impl Iterator<Item = &dyn Instance> {
        self.claims.iter().map(Claim::instance)
    }

    /// n': elements of K that mask what is sent before the last sum-check.
    pub(super) fn masks(&self, columns: u64) -> u32 {
        self.instances().map(|claim| claim.masks(columns)).sum::<usize>() as u32
    }

    /// Elements of K that are sent before the last sum-check.
    pub(super) fn sent(&self, columns: u64) -> usize {
        self.instances().map(|claim| claim.sent(columns)).sum()
    }

    /// # Errors
    /// [`Error::Parameter`] if a claim is about a row or a column that is none of the messages'.
    pub(super) fn check_within(&self, rows: u32, columns: u64) -> Result<(), Error> {
        for claim in self.instances() {
            let (row, column) = claim.end();
            if row > rows.into() {
                return Err(Error::parameter("row of a claim", row - 1, "a row of the messages"));
            }
            if column > columns {
                let expected = "a column of the messages";
                return Err(Error::parameter("column of a claim", column - 1, expected));
            }
        }
        Ok(())
    }

    /// # Errors
    /// As [`Instance::check`].
    pub(super) fn check(&self, params: &Params) -> Result<(), Error> {
        self.instances().try_for_each(|claim| claim.check(params))
    }

    /// D_0 = H("argument", A, T, rows and columns of messages, slots and masks of each, slot,
    /// claims).
    pub(super) fn begin(&self, statement: &Statement, slot: &Slot) -> Transcript {
        let layout = slot.layout();
        let mut start = common::statement_fields(statement)
            .number(layout.rows().into())
            .number(layout.columns())
            .number(layout.slots().into());
        for &masks in layout.masks() {
            start = start.number(masks.into());
        }
        start = start.number(slot.index().into()).number(self.claims.len() as u64);
        for claim in &self.claims {
            start = claim.instance().fields(start.number(claim.kind().into()));
        }
        Transcript::begin(start)
    }
}
