//! [`InputSpace`]: values that are committed before anybody knows for which circuits, and
//! [`Inputs`]: which of them a circuit is about.

use core::ops::Deref;

use alloc::vec::Vec;

use tautochrone_ctr::Seed;

use super::claim::MAX_MASKS;
use super::constraints::MAX_CIRCUIT;
use super::optimise::{layout_of, shortest};
use crate::argument::layout::Layout;
use crate::argument::space::PaddedMessages;
use crate::error::Error;
use crate::field::P61;
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::scalar::Scalar;

/// Most slots. The number of rows, 8 (2^m - 1) + 24 (k + 1) for m >= 4, tells how many they are: it
/// is equal for two pairs (m, k) only if the k differ by a multiple of 16.
pub(super) const MAX_INPUT_SLOTS: u32 = 8;
/// Fewest places in a column.
const MIN_ROWS: u32 = 15;

/// The [layout](Layout) of values of F, 2^m - 1 in a column, with slots of masks: each slot serves
/// one claim about these values, a circuit with public inputs of which some are the first wires
/// ([`CommittedCircuit`](super::CommittedCircuit)), or facts about them. Any number of proofs of a
/// claim are safe.
#[derive(Clone, Debug)]
pub struct InputSpace {
    layout: Layout,
}

impl Deref for InputSpace {
    type Target = Layout;
    fn deref(&self) -> &Layout {
        &self.layout
    }
}

impl Layout {
    /// Columns of values of an [`InputSpace`], `rows` in each, with slots for claims about any
    /// circuits.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are more than 64 slots.
    #[doc(hidden)]
    pub fn of_values(rows: u32, columns: u64, slots: u32) -> Result<Self, Error> {
        (0..slots)
            .try_fold(Self::over::<P61>(rows, columns), |layout, _| layout.with_masks(MAX_MASKS))
    }
}

impl InputSpace {
    /// Parameters of 128 bits of security for so many values and slots, and for circuits that need
    /// up to `wires` wires besides: for these the commitments and two proofs are shortest together.
    /// Circuits that need many more are refused, as T with so many columns would not bind.
    ///
    /// # Errors
    /// [`Error::Request`] if there are none; [`Error::Parameter`] if there is no value, there
    /// are no slots or more than 8, or more wires than 2^26.
    pub fn optimise(values: u64, slots: u32, wires: u64) -> Result<CustomParams, Error> {
        Error::unless((1..=1 << 40).contains(&values), "values", values, "1 to 2^40")?;
        Error::unless((1..=MAX_INPUT_SLOTS).contains(&slots), "slots", slots, "1 to 8")?;
        Error::unless(wires <= MAX_CIRCUIT as u64, "wires", wires, "at most 2^26")?;
        let all = shortest(values + wires, 2, |rows| {
            let columns = values.div_ceil(rows.into()) + wires.div_ceil(rows.into());
            Layout::of_values(rows, columns, slots)
        })?;
        let all = all.validate(Security::Waived)?;
        let layout = Self::layout_of(&all)?;
        let columns = values.div_ceil(layout.rows().into());
        all.with_columns(layout.closed() + columns)
    }

    fn layout_of(params: &Params) -> Result<Layout, Error> {
        let mut layouts =
            (1..=MAX_INPUT_SLOTS).map(|slots| layout_of::<P61>(params, slots, MAX_MASKS));
        let layout = layouts.find_map(|layout| layout.filter(|layout| layout.rows() >= MIN_ROWS));
        layout.ok_or_else(|| {
            let expected = "8 (2^m - 1) + 24 (k + 1) digits of elements and of k slots, m at least 4 \
                            and k from 1 to 8, with columns behind the masks'";
            Error::parameter("rows of the first group", params.row_groups()[0].rows, expected)
        })
    }

    /// The space of values and slots that the rows and columns of these parameters are.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless challenges are ternary, lambda = 128, and the first rows of S
    /// are digits of 2^m - 1 elements and 1 to 8 slots; [`Error::Insecure`] as [`Layout::hiding`].
    pub fn new(params: &Params) -> Result<Self, Error> {
        let layout = Self::layout_of(params)?;
        layout.hiding(params)?;
        Ok(Self { layout })
    }

    /// The witness of `values` for statements over `matrix`, with pads and randomness from a key
    /// that is a hash of the seed, the statement's header and the values: a seed gives other pads
    /// for other values.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are more values than [rows](Layout::rows) of all columns, or
    /// the matrix has other parameters than this space; [`Error::Insecure`] as [`Layout::hiding`].
    ///
    /// # Constant time
    /// In the values.
    pub fn witness(
        &self,
        matrix: &PublicMatrix,
        values: &[Scalar],
        seed: &Seed,
    ) -> Result<PaddedMessages<'static>, Error> {
        self.layout.witness_of_scalars(matrix, values, &[], seed)
    }
}

/// Which of the values that were committed before a circuit is about, and in which slot. Public:
/// prover and verifier name the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// The slot: used for no other claim about these values, with any other columns.
    pub slot: u32,
    /// Secret wire i of the circuit is this place of the [`InputSpace`], for as many wires as there
    /// are of these. Any order, and a place may be several wires.
    pub elements: Vec<u64>,
}

impl Inputs {
    /// The first `count` values as the first `count` wires.
    #[must_use]
    pub fn first(slot: u32, count: u32) -> Self {
        Self { slot, elements: (0..count.into()).collect() }
    }

    /// # Errors
    /// [`Error::Parameter`] unless all elements are there.
    pub(super) fn check(&self, layout: &Layout) -> Result<(), Error> {
        let capacity = layout.capacity();
        if let Some(&element) = self.elements.iter().find(|&&element| element >= capacity) {
            return Err(Error::parameter("input", element, "an element of the commitments"));
        }
        Ok(())
    }
}
