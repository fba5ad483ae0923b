//! [`Shape`]: the numbers of a claim.

use super::constraints::{Circuit, MAX_CIRCUIT};
use super::layout::Pads;

/// Constraints behind those of the circuit, on beta_0, beta_1 and beta_2: beta_0 0 = 0, 0 beta_1 =
/// 0 and beta_2 1 = beta_2.
pub(super) const DUMMIES: usize = 3;
/// Messages of a round for a variable of the constraints: the coefficients of 1, X^2 and X^3.
pub(super) const OUTER: usize = 3;
/// Messages of a round for a variable of the wires: those of 1 and X^2.
pub(super) const INNER: usize = 2;

/// Elements that are sent besides messages of rounds and values of columns: v_A, v_B, v_C, v, X_1,
/// X_2, Y_1 and Y_2.
pub(super) const ENDS: usize = 8;

/// mu_x of the largest circuit, dummies included.
pub(super) const MOST_OUTER_ROUNDS: usize = 27;
const _: () = assert!(MAX_CIRCUIT + DUMMIES <= 1 << MOST_OUTER_ROUNDS, "so many rounds suffice");

/// Numbers of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// 2^mu_1 - 1: elements of F in a column. Behind them is the row of beta.
    pub(super) elements: u32,
    /// l.
    pub(super) columns: u64,
    /// The first columns, which were committed before; none where all are the circuit's own.
    pub(super) committed: u64,
    /// Which of the slots of pads is used.
    pub(super) slot: u32,
    /// Constraints, dummies included.
    pub(super) constraints: usize,
    /// mu_x: variables of the constraints.
    pub(super) outer_rounds: usize,
    /// mu_1: variables of the rows of wires.
    pub(super) row_rounds: usize,
    /// mu_2: variables of the columns.
    pub(super) column_rounds: usize,
}

impl Shape {
    pub(super) const fn new(circuit: &Circuit, elements: u32, columns: u64) -> Self {
        let constraints = circuit.constraints() + DUMMIES;
        Self {
            elements,
            columns,
            committed: 0,
            slot: 0,
            constraints,
            outer_rounds: constraints.next_power_of_two().ilog2() as usize,
            row_rounds: (elements + 1).ilog2() as usize,
            column_rounds: columns.next_power_of_two().ilog2() as usize,
        }
    }

    /// With as many columns behind `committed` ones as `new` wires and the pads need, at least one.
    pub(super) fn least(circuit: &Circuit, elements: u32, committed: u64, new: u64) -> Self {
        let mut columns = committed.saturating_add(new.div_ceil(elements.into()).max(1));
        loop {
            let shape = Self { committed, ..Self::new(circuit, elements, columns) };
            if shape.has_columns(new) {
                return shape;
            }
            columns += 1;
        }
    }

    /// mu_z = mu_1 + mu_2: variables of the wires.
    pub(super) const fn inner_rounds(&self) -> usize {
        self.row_rounds + self.column_rounds
    }

    /// Messages of the rounds for the constraints.
    pub(super) const fn outer_messages(&self) -> usize {
        OUTER * self.outer_rounds
    }

    /// N = 3 mu_x + 2 mu_z: messages of all rounds, message k masked by gamma of column
    /// [`Self::masks`] + k.
    pub(super) const fn messages(&self) -> usize {
        self.outer_messages() + INNER * self.inner_rounds()
    }

    /// Elements of K that are sent besides those of the columns.
    pub(super) const fn sent(&self) -> usize {
        self.messages() + ENDS
    }

    /// Places of the table of wires: 2^mu_1 a column.
    pub(super) const fn places(&self) -> usize {
        (self.elements as usize + 1) * self.columns as usize
    }

    /// The place of beta of column `column`.
    pub(super) const fn beta(&self, column: usize) -> usize {
        (self.elements as usize + 1) * column + self.elements as usize
    }

    /// The first column that masks: the first one that is new. Columns that were committed before
    /// mask nothing, so that they may be opened.
    pub(super) const fn masks(&self) -> usize {
        self.committed as usize
    }

    /// N + 1: columns from [`Self::masks`] on that are never opened.
    pub(super) const fn closed(&self) -> u64 {
        self.messages() as u64 + 1
    }

    /// Whether `new` wires have a place behind the columns that were committed before, and among the
    /// new columns each message has a pad, and one more has a pad that masks nothing before the end.
    pub(super) const fn has_columns(&self, new: u64) -> bool {
        let places = (self.elements as u64).saturating_mul(self.columns - self.committed);
        places >= new && self.columns - self.committed >= self.closed()
    }

    /// The pads in use.
    pub(super) const fn pads(&self) -> Pads {
        Pads::behind(self.elements, self.slot)
    }
}
