//! The parameters for which a statement and two proofs together are shortest.

use alloc::vec::Vec;

use crate::argument::field::CircuitField;
use crate::argument::layout::Layout;
use crate::error::{Error, RequestProblem};
use crate::field::ELEMENT_LEN;
use crate::params::{CustomParams, Params, Security};

/// Numbers of places in a column that are tried, in ascending order: of 2^mu - 1, the row of beta makes
/// the table of a column full.
pub(super) fn possible_rows() -> impl Iterator<Item = u32> {
    (4..=13).map(|log2| (1 << log2) - 1)
}

/// A layout with `new` columns that come with a proof, and the number of elements of K that are
/// sent in addition to the values of columns.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) layout: Layout,
    pub(super) sent: u64,
}

/// The proofs that count beside one statement. Each is made, sent and checked, and a check is mostly
/// the product A' Z, so that fewer rows save time as well: with two in the place of one, statement
/// and proof are some tenth longer, and checks take some .7 of the time.
const PROOFS: u128 = 2;

/// The parameters for which a statement and [`PROOFS`] proofs are shortest together, with 128 bits of
/// security: of candidates with ever more places in a column, for so many wires.
///
/// # Errors
/// [`Error::Request`] if there are none.
pub(super) fn shortest(candidates: Vec<Candidate>, wires: u64) -> Result<CustomParams, Error> {
    // The more places a column has, the shorter T is, and the longer Z.
    let mut best: Option<(u128, CustomParams)> = None;
    let mut failure = Error::Request(RequestProblem::NoParameters { w: 64, b: 99, l: wires });
    for Candidate { layout, sent } in candidates.into_iter().rev() {
        match layout.goal(0).optimise() {
            Ok(custom) => {
                let params = custom.validate(Security::Waived)?;
                let argument = ELEMENT_LEN as u64 * (layout.all_columns() + sent);
                let proof = params.expected_proof_bytes() + argument;
                let bytes = params.statement_bytes() + PROOFS * u128::from(proof);
                if best.is_some_and(|(least, _)| least <= bytes) {
                    break;
                }
                best = Some((bytes, custom));
            }
            Err(error) => failure = error,
        }
    }
    best.map(|(_, custom)| custom).ok_or(failure)
}

/// The layout of elements of F with `slots` slots of so many masks that the rows and columns of these
/// parameters are; `None` if they are none of 2^m - 1 places.
pub(super) fn layout_of<F: CircuitField>(
    params: &Params,
    slots: u32,
    masks: u32,
) -> Option<Layout> {
    let group = params.row_groups()[0];
    let with_slots = |rows: u32, columns: u64| {
        let layout = Layout::over::<F>(rows, columns);
        (0..slots).try_fold(layout, |layout, _| layout.with_masks(masks)).ok()
    };
    let pads = with_slots(1, 0)?.pad_rows();
    let rows = group.rows.checked_sub(pads)?;
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    let places = (rows % F::RADIX.digits == 0).then_some(rows / F::RADIX.digits)?;
    let columns = params.l().checked_sub(with_slots(places, 0)?.closed())?;
    let whole = places > 0 && columns > 0 && (places + 1).is_power_of_two();
    if whole { with_slots(places, columns) } else { None }
}
