//! Exact claims about messages, as of the program `prove --exact`.

use numpy::{PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use tautochrone_ctr::Seed;
use tautochrone_zk::Security;
use tautochrone_zk::argument::{Claims, Fact, Layout, Ranges, RowNorm, RowRange};

use super::hardness::with_masks;
use super::{Files, files, part, prove_claims, public_matrix, verify_claims};
use crate::arguments::{Data, arg};
use crate::errors::{Failure, ParameterError, WitnessError};
use crate::random;
use crate::signals::interruptible;

/// First row, rows, low, high.
pub(crate) type RangeOfRows = (u32, u32, i32, i32);

/// First row, rows, bound on the squared norm, first row of its bits.
pub(crate) type NormOfRows = (u32, u32, u64, u32);

/// Weights of rows and of columns, and the value of their sum.
pub(crate) type Weighted = (Vec<i64>, Vec<i64>, i64);

/// First row and first column of entries, which are given row by row.
pub(crate) type Block = (u32, u64, Vec<Vec<i64>>);

/// Statement and proof of messages, column after column, with space for the bits of norms, and with
/// bounds on their entries and on the squared norm of a column.
#[pyfunction]
pub(crate) fn prove_messages<'py>(
    py: Python<'py>,
    mut messages: PyReadwriteArray2<'py, i8>,
    #[pyo3(from_py_with = arg)] ranges: Vec<RangeOfRows>,
    #[pyo3(from_py_with = arg)] norms: Vec<NormOfRows>,
    #[pyo3(from_py_with = arg)] facts: Vec<Weighted>,
    #[pyo3(from_py_with = arg)] blocks: Vec<Block>,
    #[pyo3(from_py_with = arg)] bound: u32,
    #[pyo3(from_py_with = arg)] norm_squared: u64,
    context: Data,
    seed: Option<&Bound<'_, PyAny>>,
    masks: Option<&str>,
    #[pyo3(from_py_with = arg)] proofs: u32,
) -> PyResult<Files<'py>> {
    let seed = random::seed(seed)?;
    let ranges = ranges_of(&ranges, &norms)?;
    let (columns, rows) = (messages.shape()[0], messages.shape()[1]);
    let (layout, claims) = laid_out(rows as u32, columns as u64, &ranges, &facts, &blocks)?;
    let goal = with_masks(layout.goal_with_norm(bound, norm_squared), masks, proofs)?;
    let messages = messages.as_slice_mut()?;
    let beyond = |_| WitnessError::new_err("a column is longer than its bound");
    ranges.fill_slack(rows, messages).map_err(beyond)?;
    let messages = &*messages;
    let (statement, proof) = interruptible(py, |stop| {
        let params = goal.optimise()?.validate(Security::Required)?;
        let a = public_matrix(&params, part(&seed, "prove: seed of A"), None, stop)?;
        let pads = Seed::from_bytes(part(&seed, "prove: witness"));
        let witness = layout.witness(&a, messages, &pads)?;
        let y = Seed::from_bytes(part(&seed, "prove: Y"));
        Ok(prove_claims(&a, &context.0, (&layout.slot(0)?, &claims), &witness, &y)?)
    })?;
    Ok(files(py, &statement, &proof))
}

/// Checks a proof of claims about so many rows and columns of messages.
#[pyfunction]
pub(crate) fn verify_messages(
    py: Python<'_>,
    #[pyo3(from_py_with = arg)] rows: u32,
    #[pyo3(from_py_with = arg)] columns: u64,
    statement: Data,
    proof: Data,
    #[pyo3(from_py_with = arg)] ranges: Vec<RangeOfRows>,
    #[pyo3(from_py_with = arg)] norms: Vec<NormOfRows>,
    #[pyo3(from_py_with = arg)] facts: Vec<Weighted>,
    #[pyo3(from_py_with = arg)] blocks: Vec<Block>,
    context: Data,
) -> PyResult<()> {
    let claims = laid_out(rows, columns, &ranges_of(&ranges, &norms)?, &facts, &blocks)?;
    verify_claims(py, &statement, &proof, &context.0, |_| Ok(claims))
}

fn ranges_of(ranges: &[RangeOfRows], norms: &[NormOfRows]) -> Result<Ranges, Failure> {
    let range =
        |&(first_row, rows, low, high): &RangeOfRows| RowRange { first_row, rows, low, high };
    let norm = |&(first_row, rows, squared, first_bit): &NormOfRows| {
        RowNorm::at_most(first_row, rows, squared, first_bit)
    };
    let norms = norms.iter().map(norm).collect();
    Ok(Ranges::with_norms(ranges.iter().map(range).collect(), norms)?)
}

/// Where so many messages are, and all claims about them, in the first slot.
fn laid_out(
    rows: u32,
    columns: u64,
    ranges: &Ranges,
    facts: &[Weighted],
    blocks: &[Block],
) -> Result<(Layout, Claims), Failure> {
    let mut claims = vec![ranges.clone().into()];
    for (left, right, value) in facts {
        claims.push(Fact::sum(weights(left), weights(right), *value)?.into());
    }
    for entries in blocks {
        claims.push(block(entries)?.into());
    }
    let claims = Claims::new(claims)?;
    let layout = Layout::new(rows, columns).with_slot(&claims)?;
    Ok((layout, claims))
}

/// Weights by their places, without zeros.
fn weights<T: TryFrom<usize>>(weights: &[i64]) -> Vec<(T, i64)> {
    let places = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
    places.filter_map(|(place, &weight)| Some((place.try_into().ok()?, weight))).collect()
}

fn block((row, column, entries): &Block) -> Result<Fact, Failure> {
    let (height, width) = (entries.len(), entries.first().map_or(0, Vec::len));
    if entries.iter().any(|row| row.len() != width) {
        let text = "the rows of a block have different lengths";
        return Err(ParameterError::new_err(text).into());
    }
    let values = (0..width).flat_map(|column| entries.iter().map(move |row| row[column]));
    Ok(Fact::block(*row, *column, height as u32, values.collect())?)
}
