//! Exact claims about messages, as of the program `prove --exact`.

use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use tautochrone_ctr::Seed;
use tautochrone_zk::argument::{Claims, Fact, Layout, Ranges, RowNorm, RowRange, Slot};
use tautochrone_zk::{Security, Verifier};
use zeroize::Zeroizing;

use super::hardness::with_masks;
use super::sources::Bytes;
use super::{Files, bytes_of, files, part, prove_claims, public_matrix, read};
use crate::arguments::{Data, arg};
use crate::arrays::{self, Array};
use crate::errors::{self, ParameterError, WitnessError};
use crate::random;
use crate::signals::interruptible;

/// A statement that commits to messages, and a proof that shows exact claims about them.
///
/// messages: an int8 array, each column of which is a message. ranges: a list of (rows, low, high):
/// so many rows, from the first on and each range behind the one before, are from low to high; 2 to
/// 25 integers, 0 among them. norms: a list of (rows, bound): the squared norm of every column in
/// so many rows, which follow the rows of ranges, is at most bound. All rows are in one of these.
///
/// facts: a list of (left, right, value), integers with left @ messages @ right == value. blocks: a
/// list of (row, column, entries): messages[row:, column:] begins with these entries. Both hold
/// modulo p = 2^61 - 1, which is equality where ranges and norms keep both sides below p / 2.
///
/// context: what the proof is for. seed: 32 secret bytes, None for the operating system's entropy.
/// Returns statement and proof, for verify_messages; or for verify, whose argument `require` has
/// "range:1024:0:1", say, or "norm:512:7000", and nothing of facts and blocks.
///
/// Parameters are the ones of the smallest proof with 128 bits. masks, proofs: with "wide", "mixed" or
/// None; where masks are named, T and so many proofs about it (1 to 2^20) are shortest together.
/// Mixed ones make these three tenths shorter, and hide the randomness by LWE in so many proofs alone,
/// rounded up to a power of two; wide ones hide in any number. Constant time in the messages but for the number
/// of attempts, which is independent of them. Raises WitnessError if a claim is false. On all
/// threads, without the interpreter's lock; no other thread may write to the messages meanwhile.
#[pyfunction]
#[pyo3(signature = (
    messages, *, ranges=Vec::new(), norms=Vec::new(), facts=Vec::new(), blocks=Vec::new(),
    context=None, seed=None, masks=None, proofs=1
))]
pub(crate) fn prove_messages<'py>(
    py: Python<'py>,
    messages: Array<'py>,
    #[pyo3(from_py_with = arg)] ranges: Vec<(u32, i32, i32)>,
    #[pyo3(from_py_with = arg)] norms: Vec<(u32, u64)>,
    #[pyo3(from_py_with = arg)] facts: Vec<Weighted>,
    #[pyo3(from_py_with = arg)] blocks: Vec<Block>,
    context: Option<Data>,
    seed: Option<&Bound<'_, PyAny>>,
    masks: Option<&str>,
    #[pyo3(from_py_with = arg)] proofs: u32,
) -> PyResult<Files<'py>> {
    let seed = random::seed(seed)?;
    let context = bytes_of(context.as_ref());
    let claim = Claim::new(&ranges, &norms)?;
    let messages = claim.messages(&messages.0)?;
    let columns = (messages.len() / claim.rows as usize) as u64;
    let (layout, slot, claims) = claim.with_facts(columns, facts, blocks)?;
    let goal = with_masks(layout.goal_with_norm(claim.bound, claim.norm_squared), masks, proofs)?;
    let (statement, proof) = interruptible(py, |stop| {
        let params = goal.optimise().and_then(|custom| custom.validate(Security::Required));
        let params = params.map_err(errors::zk)?;
        let a = public_matrix(&params, part(&seed, "prove: seed of A"), None, stop)?;
        let pads = Seed::from_bytes(part(&seed, "prove: witness"));
        let witness = layout.witness(&a, &messages, &pads).map_err(errors::zk)?;
        let y = Seed::from_bytes(part(&seed, "prove: Y"));
        prove_claims(&a, context, (&slot, &claims), &witness, &y)
    })?;
    Ok(files(py, &statement, &proof))
}

/// Checks a proof of claims about messages. Returns None if it is valid; everything else raises.
///
/// columns: how many messages there are. statement, proof: what prove_messages returned. ranges,
/// norms, facts, blocks: the claims, in the same order: valid means that all of them hold of what
/// the statement commits to. context: what the proof was made for.
///
/// Raises InvalidProof, MalformedError, InsecureError; ParameterError if there are no such claims
/// about this statement. On all threads, without the interpreter's lock.
#[pyfunction]
#[pyo3(signature = (
    columns, statement, proof, *, ranges=Vec::new(), norms=Vec::new(), facts=Vec::new(),
    blocks=Vec::new(), context=None
))]
pub(crate) fn verify_messages(
    py: Python<'_>,
    #[pyo3(from_py_with = arg)] columns: u64,
    statement: Data,
    proof: Data,
    #[pyo3(from_py_with = arg)] ranges: Vec<(u32, i32, i32)>,
    #[pyo3(from_py_with = arg)] norms: Vec<(u32, u64)>,
    #[pyo3(from_py_with = arg)] facts: Vec<Weighted>,
    #[pyo3(from_py_with = arg)] blocks: Vec<Block>,
    context: Option<Data>,
) -> PyResult<()> {
    let context = bytes_of(context.as_ref());
    let (layout, slot, claims) = Claim::new(&ranges, &norms)?.with_facts(columns, facts, blocks)?;
    interruptible(py, |stop| {
        let file = Bytes::new(&statement.0, stop);
        let statement = read(&file, statement.0.len(), Security::Required)?;
        let params = statement.params();
        layout.hiding(params).map_err(errors::zk)?;
        let a = public_matrix(params, *statement.seed_a(), None, stop)?;
        let verifier = Verifier::new(&a, &statement).map_err(errors::zk)?;
        let verdict = verifier.with_file(&file).verify_claims(context, &slot, &claims, &proof.0);
        verdict.map_err(errors::zk)
    })
}

/// Weights of rows and of columns, and the value of their sum.
pub(crate) type Weighted = (Vec<i64>, Vec<i64>, i64);

/// First row and first column of entries, which are given row by row.
pub(crate) type Block = (u32, u64, Vec<Vec<i64>>);

/// Weights by their places, without zeros.
fn weights<T: TryFrom<usize>>(weights: &[i64]) -> Vec<(T, i64)> {
    let places = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
    places.filter_map(|(place, &weight)| Some((place.try_into().ok()?, weight))).collect()
}

fn block((row, column, entries): &Block) -> PyResult<Fact> {
    let (height, width) = (entries.len(), entries.first().map_or(0, Vec::len));
    if entries.iter().any(|row| row.len() != width) {
        return Err(ParameterError::new_err("the rows of a block have different lengths"));
    }
    let values = (0..width).flat_map(|column| entries.iter().map(move |row| row[column]));
    Fact::block(*row, *column, height as u32, values.collect()).map_err(errors::zk)
}

/// Claims about rows of messages, and behind these the rows of bits that norms need.
struct Claim {
    ranges: Ranges,
    /// Rows that have messages; and all.
    given: u32,
    rows: u32,
    /// Bounds on entries and on the squared norm of a column.
    bound: u32,
    norm_squared: u64,
}

impl Claim {
    fn new(ranges: &[(u32, i32, i32)], norms: &[(u32, u64)]) -> PyResult<Self> {
        let too_many = || ParameterError::new_err("more than 2^32 rows in all");
        let mut rows = 0_u32;
        let mut next = |count| {
            let first = rows;
            rows = rows.checked_add(count).ok_or_else(too_many)?;
            PyResult::Ok(first)
        };
        let mut parts = Vec::with_capacity(ranges.len() + 1);
        let (mut bound, mut norm_squared) = (1, 0_u64);
        for &(rows, low, high) in ranges {
            parts.push(RowRange { first_row: next(rows)?, rows, low, high });
            let largest = low.unsigned_abs().max(high.unsigned_abs());
            let squared = u64::from(largest).pow(2).saturating_mul(rows.into());
            (bound, norm_squared) = (bound.max(largest), norm_squared.saturating_add(squared));
        }
        let mut lengths = Vec::with_capacity(norms.len());
        for &(rows, squared) in norms {
            lengths.push(RowNorm::at_most(next(rows)?, rows, squared, 0));
            let largest = squared.isqrt().min(127) as u32;
            (bound, norm_squared) = (bound.max(largest), norm_squared.saturating_add(squared));
        }
        let given = next(0)?;
        for norm in &mut lengths {
            norm.first_bit = next(norm.bits)?;
        }
        let bits = next(0)? - given;
        if bits > 0 {
            parts.push(RowRange { first_row: given, rows: bits, low: 0, high: 1 });
            norm_squared = norm_squared.saturating_add(bits.into());
        }
        let ranges = Ranges::with_norms(parts, lengths).map_err(errors::zk)?;
        Ok(Self { ranges, given, rows: given + bits, bound, norm_squared })
    }

    /// Where so many messages are, and all claims about them.
    fn with_facts(
        &self,
        columns: u64,
        facts: Vec<Weighted>,
        blocks: Vec<Block>,
    ) -> PyResult<(Layout, Slot, Claims)> {
        let mut claims = vec![self.ranges.clone().into()];
        for (left, right, value) in &facts {
            if left.len() != self.given as usize || right.len() as u64 != columns {
                let (got, rows) = ((left.len(), right.len()), self.given);
                return Err(errors::parameter(format!(
                    "a fact has {got:?} weights; expected {:?}, of rows and of columns",
                    (rows, columns)
                )));
            }
            let fact = Fact::sum(weights(left), weights(right), *value).map_err(errors::zk)?;
            claims.push(fact.into());
        }
        for entries in &blocks {
            claims.push(block(entries)?.into());
        }
        let claims = Claims::new(claims).map_err(errors::zk)?;
        let layout = Layout::new(self.rows, columns).with_slot(&claims).map_err(errors::zk)?;
        let slot = layout.slot(0).map_err(errors::zk)?;
        Ok((layout, slot, claims))
    }

    /// The messages, column by column, with the bits of norms.
    fn messages(&self, array: &Bound<'_, numpy::PyUntypedArray>) -> PyResult<Zeroizing<Vec<i8>>> {
        let no_such = |_| arrays::no_such_dtype(&array.dtype(), "int8, in two dimensions");
        let array = array.cast::<PyArray2<i8>>().map_err(no_such)?;
        let array = array.try_readonly().map_err(errors::parameter)?;
        let entries = array.as_array();
        let (got, columns) = entries.dim();
        if got != self.given as usize || columns == 0 {
            let expected = self.given;
            return Err(WitnessError::new_err(format!(
                "messages have shape ({got}, {columns}); the claims are about {expected} rows"
            )));
        }
        let rows = self.rows as usize;
        let mut messages = Zeroizing::new(vec![0; rows * columns]);
        for (out, column) in messages.chunks_exact_mut(rows).zip(entries.columns()) {
            for (out, &entry) in out.iter_mut().zip(column) {
                *out = entry;
            }
        }
        let beyond = |_| WitnessError::new_err("a column is longer than its bound");
        self.ranges.fill_slack(rows, &mut messages).map_err(beyond)?;
        Ok(messages)
    }
}
