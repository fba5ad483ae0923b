//! Exact claims about messages, as of the program `prove --exact`.

use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tautochrone_ctr::{Label, Seed};
use tautochrone_zk::argument::{Claims, Layout, PaddedSpace, Ranges, RowNorm, RowRange};
use tautochrone_zk::{Prover, Security};
use zeroize::Zeroizing;

use super::matrix;
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
/// context: what the proof is for. seed: 32 secret bytes, None for the operating system's entropy.
/// Returns statement and proof, for verify, whose argument `require` has "range:1024:0:1", say, or
/// "norm:512:7000".
///
/// Parameters are the smallest ones of 128 bits. Constant time in the messages but for the number
/// of attempts, which is independent of them. Raises WitnessError if a claim is false. On all
/// threads, without the interpreter's lock; no other thread may write to the messages meanwhile.
#[pyfunction]
#[pyo3(signature = (messages, *, ranges=Vec::new(), norms=Vec::new(), context=None, seed=None))]
pub(crate) fn prove_messages<'py>(
    py: Python<'py>,
    messages: Array<'py>,
    #[pyo3(from_py_with = arg)] ranges: Vec<(u32, i32, i32)>,
    #[pyo3(from_py_with = arg)] norms: Vec<(u32, u64)>,
    context: Option<Data>,
    seed: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let seed = random::seed(seed)?;
    let context = context.as_ref().map_or(&[][..], |Data(bytes)| bytes);
    let claim = Claim::new(&ranges, &norms)?;
    let messages = claim.messages(&messages.0)?;
    let (statement, proof) = interruptible(py, |stop| {
        let columns = (messages.len() / claim.rows as usize) as u64;
        let claims = Claims::from(claim.ranges.clone());
        let layout = Layout::new(claim.rows, columns).with_slot(&claims).map_err(errors::zk)?;
        let goal = layout.goal_with_norm(claim.bound, claim.norm_squared);
        let params = goal.optimise().and_then(|custom| custom.validate(Security::Required));
        let params = params.map_err(errors::zk)?;
        let space = PaddedSpace::new(&params, layout.clone(), Security::Required);
        let a = matrix(&params, part(&seed, "prove: seed of A"), stop);
        let pads = Seed::from_bytes(part(&seed, "prove: witness"));
        let space = space.map_err(errors::zk)?;
        let witness = space.witness(&a, &messages, &pads).map_err(errors::zk)?;
        let mut file = Vec::new();
        let statement = a.commit_and_hold(&witness, &mut file).map_err(errors::zk)?;
        let prover = Prover::new(&a, &statement).map_err(errors::zk)?;
        let slot = layout.slot(0).map_err(errors::zk)?;
        let y = Seed::from_bytes(part(&seed, "prove: Y"));
        let proved = prover.prove_claims(context, &slot, &claims, &witness, &y);
        Ok((file, proved.map_err(errors::zk)?.proof.to_bytes(&params)))
    })?;
    Ok((PyBytes::new(py, &statement), PyBytes::new(py, &proof)))
}

/// A seed of its own for one part of a run, as the programs derive it.
fn part(seed: &Seed, name: &'static str) -> [u8; 32] {
    let mut bytes = [0; 32];
    seed.stream(Label::new(name), 0).fill(&mut bytes);
    bytes
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
