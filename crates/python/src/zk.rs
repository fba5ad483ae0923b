//! Proofs: calls of `tautochrone-zk`, with the calls of the files below.

pub(crate) mod circuits;
mod given;
pub(crate) mod hardness;
pub(crate) mod keys;
pub(crate) mod messages;
pub(crate) mod params;
mod sources;

use numpy::{Element, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tautochrone_ctr::{Label, Seed};
use tautochrone_zk::argument::{Claims, ExactKeys, KeyRanges, Layout, Slot};
use tautochrone_zk::internals::{RequestProblem, read_integers};
use tautochrone_zk::uses;
use tautochrone_zk::{
    Error, Params, Prover, PublicMatrix, RandomWitness, ReadAt as _, Requirement, Security,
    Statement, Verifier, WitnessSource,
};

use crate::arguments::{Data, arg};
use crate::errors::{self, Failure, WitnessError};
use crate::random;
use crate::signals::{Stop, interruptible};
use given::Words;
use params::{ParamsOrPreset, security};
use sources::{Bytes, WitnessArray};

/// Largest statement that is copied, so that it is hashed once only.
const LOADED: u64 = 64 << 20;

/// A witness drawn at random: entries distributed as the parameters say.
///
/// params: Params or the name of a preset. seed: 32 bytes, or None for the operating system's
/// entropy. Returns an array of shape (v, l), in Fortran order: int8, or int32 where b exceeds 127.
/// For trials, or for the secrets of a commitment.
#[pyfunction]
#[pyo3(signature = (params, *, seed=None))]
pub(crate) fn random_witness<'py>(
    py: Python<'py>,
    params: ParamsOrPreset,
    seed: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let params = params.get()?;
    let witness = RandomWitness::new(random::seed(seed)?);
    if params.entry_bytes() == 1 {
        let read = |out: &mut [i8]| witness.read_columns(&params, 0, out);
        return filled(py, "int8", &params, read).map(Bound::into_any);
    }
    let read = |out: &mut [i32]| read_integers(&params, &witness, 0, out);
    filled(py, "int32", &params, read).map(Bound::into_any)
}

/// A new array of shape (v, l) in Fortran order.
fn filled<'py, T: Element + Send>(
    py: Python<'py>,
    dtype: &str,
    params: &Params,
    read: impl Fn(&mut [T]) -> Result<(), tautochrone_zk::Error> + Sync,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let numpy = py.import("numpy")?;
    let shape = (params.v(), params.l());
    let array = numpy.call_method1("zeros", (shape, dtype, "F"))?.cast_into::<PyArray2<T>>()?;
    let mut entries = array.try_readwrite().map_err(errors::parameter)?;
    let out = entries.as_slice_mut()?;
    interruptible(py, |_| Ok(read(out)?))?;
    drop(entries);
    Ok(array)
}

/// The statement of a witness, over an A' where one is given, about keys where these are.
#[pyfunction]
pub(crate) fn commit<'py>(
    py: Python<'py>,
    params: ParamsOrPreset,
    witness: WitnessArray<'py>,
    seed_a: Option<&Bound<'py, PyAny>>,
    matrix: Option<PyReadonlyArray2<'py, u64>>,
    keys: Option<PyReadonlyArray2<'py, u64>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let params = params.get()?;
    let params = if matrix.is_some() { params::of_given_matrix(&params)? } else { params };
    let seed_a = *random::seed(seed_a)?.expose();
    let columns = witness.columns()?;
    columns.check_shape(&params)?;
    let matrix = Words::new("matrix", matrix.as_ref())?;
    let keys = Words::new("keys.T", keys.as_ref())?;
    let len = usize::try_from(params.statement_bytes()).map_err(errors::parameter)?;
    PyBytes::new_with(py, len, |out| {
        interruptible(py, |stop| {
            let a = public_matrix(&params, seed_a, matrix.as_ref(), stop)?;
            let statement = a.commit(&columns, &mut &mut *out)?;
            let Some(keys) = &keys else { return Ok(()) };
            match uses::check_keys(&statement, &&*out, &keys.file(&params)?) {
                Err(error @ Error::Request(RequestProblem::Key { .. })) => {
                    Err(WitnessError::new_err(error.to_string()).into())
                }
                checked => Ok(checked?),
            }
        })
    })
}

/// A proof of knowing the witness of a statement, of well formed keys if `exact`.
#[pyfunction]
#[expect(clippy::fn_params_excessive_bools, reason = "they are keyword arguments in Python")]
pub(crate) fn prove<'py>(
    py: Python<'py>,
    statement: Data,
    witness: WitnessArray<'py>,
    context: Data,
    seed: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arg)] insecure: bool,
    #[pyo3(from_py_with = arg)] check: bool,
    #[pyo3(from_py_with = arg)] reproducible: bool,
    matrix: Option<PyReadonlyArray2<'py, u64>>,
    #[pyo3(from_py_with = arg)] exact: bool,
    #[pyo3(from_py_with = arg)] hints: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    let seed: Seed = random::seed(seed)?;
    let columns = witness.columns()?;
    let context = &*context.0;
    let matrix = Words::new("matrix", matrix.as_ref())?;
    let proof = interruptible(py, |stop| {
        let file = Bytes::new(&statement.0, stop);
        let statement = read(&file, security(insecure))?;
        let params = statement.params();
        columns.check_shape(params)?;
        let a = public_matrix(params, *statement.seed_a(), matrix.as_ref(), stop)?;
        let proof = if exact {
            let claim = KeyRanges::of(params).and_then(|claim| claim.with_hints(hints));
            let keys = claim.and_then(|claim| ExactKeys::new(&a, &statement, claim))?;
            let keys = keys.with_file(&file);
            let keys = if reproducible { keys.reproducible() } else { keys };
            keys.prove(context, &columns, &seed)?.proof
        } else {
            let prover = Prover::new(&a, &statement)?.with_file(&file);
            let prover = if reproducible { prover.reproducible() } else { prover };
            prover.prove(context, &columns, &seed)?.proof
        };
        if check {
            let verifier = Verifier::new(&a, &statement)?;
            match verifier.with_file(&file).verify_file(context, &proof, &[]) {
                Err(Error::Invalid(_)) => {
                    let text = "the witness does not belong to this statement";
                    return Err(WitnessError::new_err(text).into());
                }
                checked => checked?,
            };
        }
        Ok(proof)
    })?;
    Ok(PyBytes::new(py, &proof))
}

/// Checks that a proof is valid and shows what is required; all else is an exception.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    statement: Data,
    proof: Data,
    context: Data,
    #[pyo3(from_py_with = arg)] require: Vec<String>,
    #[pyo3(from_py_with = arg)] insecure: bool,
    matrix: Option<PyReadonlyArray2<'_, u64>>,
    keys: Option<PyReadonlyArray2<'_, u64>>,
) -> Result<(), Failure> {
    let required: Result<Vec<Requirement>, Error> =
        require.iter().map(|text| text.parse()).collect();
    let required = required?;
    let matrix = Words::new("matrix", matrix.as_ref())?;
    let keys = Words::new("keys.T", keys.as_ref())?;
    interruptible(py, |stop| {
        let file = Bytes::new(&statement.0, stop);
        let statement = read(&file, security(insecure))?;
        let a = public_matrix(statement.params(), *statement.seed_a(), matrix.as_ref(), stop)?;
        if let Some(keys) = &keys {
            let keys = keys.file(statement.params())?;
            uses::check_keys(&statement, &file, &keys)?;
        }
        let verifier = Verifier::new(&a, &statement)?;
        verifier.with_file(&file).verify_file(&context.0, &proof.0, &required)?;
        Ok(())
    })?;
    Ok(())
}

/// A context or a purpose; an empty one if none is given.
fn bytes_of(context: Option<&Data>) -> &[u8] {
    context.map_or(&[], |Data(bytes)| bytes)
}

/// The bytes of a statement and of a proof.
type Files<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

fn files<'py>(py: Python<'py>, statement: &[u8], proof: &[u8]) -> Files<'py> {
    (PyBytes::new(py, statement), PyBytes::new(py, proof))
}

/// The statement of a witness, and a proof of claims about it in a slot.
fn prove_claims(
    a: &PublicMatrix,
    context: &[u8],
    (slot, claims): (&Slot, &Claims),
    witness: &dyn WitnessSource,
    seed: &Seed,
) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let mut file = Vec::new();
    let statement = a.commit_and_hold(witness, &mut file)?;
    let prover = Prover::new(a, &statement)?;
    let proved = prover.prove_claims(context, slot, claims, witness, seed)?;
    Ok((file, proved.proof))
}

/// Checks a proof of claims in the first slot of a layout, both for the statement's parameters.
fn verify_claims(
    py: Python<'_>,
    statement: &Data,
    proof: &Data,
    context: &[u8],
    claims: impl FnOnce(&Params) -> Result<(Layout, Claims), Error> + Send,
) -> PyResult<()> {
    interruptible(py, |stop| {
        let file = Bytes::new(&statement.0, stop);
        let statement = read(&file, Security::Required)?;
        let params = statement.params();
        let (layout, claims) = claims(params)?;
        layout.hiding(params)?;
        let slot = layout.slot(0)?;
        let a = public_matrix(params, *statement.seed_a(), None, stop)?;
        let verifier = Verifier::new(&a, &statement)?.with_file(&file);
        Ok(verifier.verify_claims(context, &slot, &claims, &proof.0)?)
    })
}

/// A, whose products end once the call is to stop.
fn public_matrix(
    params: &Params,
    seed_a: [u8; 32],
    given: Option<&Words<'_>>,
    stop: &Stop,
) -> Result<PublicMatrix, Failure> {
    let stop = stop.clone();
    Ok(given::public_matrix(params, seed_a, given)?.with_observer(move |_| stop.answer()))
}

fn read(file: &Bytes<'_>, security: Security) -> Result<Statement, Error> {
    let read = if file.len() <= LOADED { Statement::load } else { Statement::read };
    read(file, security)
}

/// A seed of its own for one part of a run, as the programs derive it.
fn part(seed: &Seed, name: &'static str) -> [u8; 32] {
    let mut bytes = [0; 32];
    seed.stream(Label::new(name), 0).fill(&mut bytes);
    bytes
}
