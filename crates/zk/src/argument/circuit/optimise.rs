//! The parameters for which a statement and two proofs together are shortest.

use alloc::vec::Vec;

use crate::argument::field::CircuitField;
use crate::argument::layout::Layout;
use crate::error::{Error, RequestProblem};
use crate::params::{CustomParams, Params, Security};

/// The proofs that count beside one statement. Each is made, sent and checked, and a check is
/// mostly the product A' Z, so that fewer rows save time as well: with two in the place of one,
/// statement and proof are some tenth longer, and checks take some .7 of the time.
const PROOFS: u128 = 2;

/// The parameters for which a statement and [`PROOFS`] proofs are shortest together, with 128 bits
/// of security: of the layouts that have so many places in a column, for so many wires, up to the
/// first one of `least` columns, which more places would only make longer.
///
/// # Errors
/// [`Error::Request`] if there are none; what `layout` gives.
pub(super) fn shortest(
    wires: u64,
    least: u64,
    layout: impl Fn(u32) -> Result<Layout, Error>,
) -> Result<CustomParams, Error> {
    let mut candidates = Vec::new();
    // Of 2^mu - 1 places, the row of beta makes the table of a column full.
    for log2 in 4..=13 {
        candidates.push(layout((1 << log2) - 1)?);
        if candidates.last().is_some_and(|layout| layout.columns() <= least) {
            break;
        }
    }
    // The more places a column has, the shorter T is, and the longer Z.
    let mut best: Option<(u128, CustomParams)> = None;
    let mut failure = Error::Request(RequestProblem::NoParameters { w: 64, b: 99, l: wires });
    for layout in candidates.into_iter().rev() {
        match layout.goal(0).optimise() {
            Ok(custom) => {
                let params = custom.validate(Security::Waived)?;
                let [statement, proof] = layout.expected_bytes(&params);
                let bytes = statement + PROOFS * proof;
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

/// The layout of elements of F with `slots` slots of so many masks that the rows and columns of
/// these parameters are; `None` if they are none of 2^m - 1 places.
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
