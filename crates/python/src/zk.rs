//! Proofs: calls of `tautochrone-zk`, with the calls of the files below.

pub(crate) mod circuits;
mod given;
pub(crate) mod hardness;
pub(crate) mod keys;
pub(crate) mod messages;
pub(crate) mod params;
mod sources;

use numpy::{Element, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tautochrone_ctr::{Label, Seed};
use tautochrone_zk::argument::{Claims, ExactKeys, KeyRanges, Slot};
use tautochrone_zk::uses;
use tautochrone_zk::{
    self as zk, Error, Params, Prover, PublicMatrix, RandomWitness, Requirement, Security,
    Statement, Verifier, WitnessSource,
};

use crate::arguments::{Data, arg};
use crate::arrays::Array;
use crate::errors::{self, ParameterError, WitnessError};
use crate::random;
use crate::signals::{Stop, interruptible};
use given::Words;
use params::{ParamsOrPreset, security};
use sources::{Bytes, WitnessArray};

/// Largest statement that is copied, so that it is hashed once only.
const LOADED: usize = 64 << 20;

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
    let read = |out: &mut [i32]| witness.read_wide_columns(&params, 0, out);
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
    interruptible(py, |_| read(out).map_err(errors::zk))?;
    drop(entries);
    Ok(array)
}

/// The statement "I know short S with T = A S mod 2^w": its parameters, the seed of A, and T.
///
/// params: Params or the name of a preset (see PRESETS). witness: S, an int8 or
/// int32 array of shape (v, l) with entries in [-b, b]; int8 in Fortran order is not copied, nor is
/// int32 where b exceeds 127. seed_a: the public 32
/// bytes from which A is expanded; None for fresh ones. Returns bytes, in the format of the program
/// `prove`.
///
/// LWE keys t = A' s + e are the columns of T: the witness is np.vstack([secrets, errors]). matrix:
/// A' of another program, integers below 2^w of shape (r, v - r), instead of a seed; that it is as
/// good as a random one is the caller's claim. keys: integers of shape (r, l) that T is compared
/// with; T has to be whole for that (round_t=0).
///
/// Constant time in the witness. Raises WitnessError if it does not fit, or gives other keys;
/// ParameterError if A' or keys have another shape or are weak at sight. On all threads; the
/// interpreter's lock is released, and no other thread may write to the witness meanwhile. Ctrl-C
/// is heeded every 1024 columns.
#[pyfunction]
#[pyo3(signature = (params, witness, *, seed_a=None, matrix=None, keys=None))]
pub(crate) fn commit<'py>(
    py: Python<'py>,
    params: ParamsOrPreset,
    witness: WitnessArray<'py>,
    seed_a: Option<&Bound<'py, PyAny>>,
    matrix: Option<Array<'py>>,
    keys: Option<Array<'py>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let params = params.get()?;
    if matrix.is_some() && seed_a.is_some() {
        return Err(ParameterError::new_err("A' is given by matrix; expected no seed_a"));
    }
    let params = if matrix.is_some() { params::of_given_matrix(&params)? } else { params };
    let seed_a = *random::seed(seed_a)?.expose();
    let entries = witness.entries();
    entries.check_shape(&params)?;
    let matrix = matrix.as_ref().map(Words::matrix).transpose()?;
    let keys = keys.as_ref().map(Words::keys).transpose()?;
    let len = usize::try_from(params.statement_bytes()).map_err(errors::parameter)?;
    PyBytes::new_with(py, len, |out| {
        interruptible(py, |stop| {
            let a = public_matrix(&params, seed_a, matrix.as_ref(), stop)?;
            let statement = a.commit(&entries, &mut &mut *out).map_err(errors::zk)?;
            let Some(keys) = &keys else { return Ok(()) };
            uses::check_keys(&statement, &&*out, &keys.file(&params)?).map_err(
                |error| match error {
                    zk::Error::Request(zk::internals::RequestProblem::Key { .. }) => {
                        WitnessError::new_err(error.to_string())
                    }
                    error => errors::zk(error),
                },
            )
        })
    })
}

/// A proof, for a statement made by commit, of knowing its witness: bytes that tell nothing else.
///
/// statement: bytes. witness: as for commit. context: what the proof is for, any bytes; verify must
/// be given the same. seed: 32 bytes of secret randomness, besides the operating system's;
/// None for that alone. insecure: go on although the statement's parameters are insecure. check:
/// verify the proof before it is returned (WitnessError if the witness is another statement's).
///
/// reproducible: leave the operating system's entropy out, so that the same arguments give the same
/// proof, for known answers. One wrong product, by a bit that flips, then reveals the witness.
///
/// matrix: A', if commit was given one. exact: prove that every column of T is a key with secrets
/// and errors within their bounds, exactly, for which verify is asked by "exact-keys:1:1" in
/// `require`; T has to be whole. Such a proof gives away one random linear combination of the
/// entries of each key. hints: for how many of these the keys have to be secure (optimise with
/// key_hints).
///
/// Constant time in the witness but for the number of attempts, two or three on average (rho),
/// which is independent of it; and in binary mode, but for the certification of its norm. On all
/// threads; the interpreter's lock is released, and no other thread may write to the witness
/// meanwhile. Ctrl-C is heeded between attempts and between the blocks of a statement.
#[pyfunction]
#[expect(clippy::fn_params_excessive_bools, reason = "they are keyword arguments")]
#[pyo3(signature = (
    statement, witness, *, context=None, seed=None, insecure=false, check=true, reproducible=false,
    matrix=None, exact=false, hints=1
))]
pub(crate) fn prove<'py>(
    py: Python<'py>,
    statement: Data,
    witness: WitnessArray<'py>,
    context: Option<Data>,
    seed: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arg)] insecure: bool,
    #[pyo3(from_py_with = arg)] check: bool,
    #[pyo3(from_py_with = arg)] reproducible: bool,
    matrix: Option<Array<'py>>,
    #[pyo3(from_py_with = arg)] exact: bool,
    #[pyo3(from_py_with = arg)] hints: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    if reproducible && seed.is_none() {
        return Err(ParameterError::new_err("reproducible needs a seed"));
    }
    let seed: Seed = random::seed(seed)?;
    let entries = witness.entries();
    let context = bytes_of(context.as_ref());
    let matrix = matrix.as_ref().map(Words::matrix).transpose()?;
    let proof = interruptible(py, |stop| {
        let file = Bytes::new(&statement.0, stop);
        let statement = read(&file, statement.0.len(), security(insecure))?;
        let params = statement.params();
        entries.check_shape(params)?;
        let a = public_matrix(params, *statement.seed_a(), matrix.as_ref(), stop)?;
        let proof = if exact {
            let claim = KeyRanges::of(params).and_then(|claim| claim.with_hints(hints));
            let keys = claim.and_then(|claim| ExactKeys::new(&a, &statement, claim));
            let keys = keys.map_err(errors::zk)?.with_file(&file);
            let keys = if reproducible { keys.reproducible() } else { keys };
            keys.prove(context, &entries, &seed).map_err(errors::zk)?.proof
        } else {
            let prover = Prover::new(&a, &statement).map_err(errors::zk)?.with_file(&file);
            let prover = if reproducible { prover.reproducible() } else { prover };
            prover.prove(context, &entries, &seed).map_err(errors::zk)?.proof
        };
        if check {
            let verifier = Verifier::new(&a, &statement).map_err(errors::zk)?;
            verifier.with_file(&file).verify_file(context, &proof, &[]).map_err(
                |error| match error {
                    Error::Invalid(_) => {
                        WitnessError::new_err("the witness does not belong to this statement")
                    }
                    error => errors::zk(error),
                },
            )?;
        }
        Ok(proof)
    })?;
    Ok(PyBytes::new(py, &proof))
}

/// Checks a proof. Returns None if it is valid; everything else raises: no `if` takes the result.
///
/// statement, proof: bytes. context: what the proof was made for. require: what the proof has to
/// show besides, a list of texts as the program verify has them, "range:1024:0:1",
/// "norm:1024:15476" or "exact-keys:1:1": whoever made a proof chose what it is about. insecure:
/// accept statements of insecure parameters, which whoever wrote the statement chose. matrix, keys:
/// as for commit: the A' that the statement has to be over, and the keys that it has to be about.
///
/// Raises InvalidProof if the proof proves nothing about this statement in this context, or does
/// not meet a requirement; ParameterError if a requirement is none, or the
/// statement is over another A' or about other keys; MalformedError if either is
/// no such file; InsecureError. A valid proof shows knowledge, for every column t of T, of an
/// integer vector s' with A s' = t mod 2^w and ||s'|| <= 2 B, which is a longer one than the
/// witness has (docs/protocol.md). On all threads; the interpreter's lock is released. Ctrl-C is
/// heeded between the blocks of a statement.
#[pyfunction]
#[pyo3(signature = (
    statement, proof, *, context=None, require=Vec::new(), insecure=false, matrix=None, keys=None
))]
pub(crate) fn verify(
    py: Python<'_>,
    statement: Data,
    proof: Data,
    context: Option<Data>,
    #[pyo3(from_py_with = arg)] require: Vec<String>,
    #[pyo3(from_py_with = arg)] insecure: bool,
    matrix: Option<Array<'_>>,
    keys: Option<Array<'_>>,
) -> PyResult<()> {
    let context = bytes_of(context.as_ref());
    let required: Result<Vec<Requirement>, _> = require.iter().map(|text| text.parse()).collect();
    let required = required.map_err(errors::zk)?;
    let matrix = matrix.as_ref().map(Words::matrix).transpose()?;
    let keys = keys.as_ref().map(Words::keys).transpose()?;
    interruptible(py, |stop| {
        let file = Bytes::new(&statement.0, stop);
        let statement = read(&file, statement.0.len(), security(insecure))?;
        let a = public_matrix(statement.params(), *statement.seed_a(), matrix.as_ref(), stop)?;
        if let Some(keys) = &keys {
            let keys = keys.file(statement.params())?;
            uses::check_keys(&statement, &file, &keys).map_err(errors::zk)?;
        }
        let verifier = Verifier::new(&a, &statement).map_err(errors::zk)?;
        let verdict = verifier.with_file(&file).verify_file(context, &proof.0, &required);
        verdict.map(|_| ()).map_err(errors::zk)
    })
}

/// A context; an empty one if none is given.
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
) -> PyResult<(Vec<u8>, Vec<u8>)> {
    let mut file = Vec::new();
    let statement = a.commit_and_hold(witness, &mut file).map_err(errors::zk)?;
    let prover = Prover::new(a, &statement).map_err(errors::zk)?;
    let proved = prover.prove_claims(context, slot, claims, witness, seed);
    Ok((file, proved.map_err(errors::zk)?.proof))
}

/// A, whose products end once the call is to stop.
fn public_matrix(
    params: &Params,
    seed_a: [u8; 32],
    given: Option<&Words>,
    stop: &Stop,
) -> PyResult<PublicMatrix> {
    let stop = stop.clone();
    Ok(given::public_matrix(params, seed_a, given)?.with_observer(move |_| stop.answer()))
}

fn read(file: &Bytes<'_>, len: usize, security: Security) -> PyResult<Statement> {
    let read = if len <= LOADED { Statement::load } else { Statement::read };
    read(file, security).map_err(errors::zk)
}

/// A seed of its own for one part of a run, as the programs derive it.
fn part(seed: &Seed, name: &'static str) -> [u8; 32] {
    let mut bytes = [0; 32];
    seed.stream(Label::new(name), 0).fill(&mut bytes);
    bytes
}
