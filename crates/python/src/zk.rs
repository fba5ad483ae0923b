//! Proofs: calls of `tautochrone-zk`, with the calls of the files below.

pub(crate) mod hardness;
pub(crate) mod keys;
pub(crate) mod messages;
pub(crate) mod params;
mod sources;

use std::sync::Arc;

use numpy::{Element, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tautochrone_ctr::Seed;
use tautochrone_zk::{
    Params, Prover, PublicMatrix, RandomWitness, Requirement, Security, Statement, Verifier,
    VerifyError, WitnessSource,
};

use crate::arguments::{Data, arg};
use crate::errors::{self, ParameterError, WitnessError};
use crate::random;
use crate::signals::{Stop, interruptible};
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
/// Constant time in the witness. Raises WitnessError if it does not fit. On all threads; the
/// interpreter's lock is released, and no other thread may write to the witness meanwhile. Ctrl-C
/// is heeded every 1024 columns.
#[pyfunction]
#[pyo3(signature = (params, witness, *, seed_a=None))]
pub(crate) fn commit<'py>(
    py: Python<'py>,
    params: ParamsOrPreset,
    witness: WitnessArray<'py>,
    seed_a: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let params = params.get()?;
    let seed_a = *random::seed(seed_a)?.expose();
    let entries = witness.entries();
    entries.check_shape(&params)?;
    let len = usize::try_from(params.statement_bytes()).map_err(errors::parameter)?;
    PyBytes::new_with(py, len, |out| {
        interruptible(py, |stop| {
            let a = matrix(&params, seed_a, stop);
            a.commit(&entries, &mut &mut *out).map(drop).map_err(errors::zk)
        })
    })
}

/// A proof, for a statement made by commit, of knowing its witness: bytes that tell nothing else.
///
/// statement: bytes. witness: as for commit. context: what the proof is for, any bytes; verify must
/// be given the same. seed: 32 bytes of secret randomness, besides that of the operating system;
/// None for that alone. insecure: go on although the statement's parameters are insecure. check:
/// verify the proof before it is returned (WitnessError if the witness is another statement's).
///
/// reproducible: leave the operating system's entropy out, so that the same arguments give the same
/// proof, for known answers. One wrong product, by a bit that flips, then reveals the witness.
///
/// Constant time in the witness but for the number of attempts, two or three on average (rho),
/// which is independent of it; and in binary mode, but for the certification of its norm. On all
/// threads; the interpreter's lock is released, and no other thread may write to the witness
/// meanwhile. Ctrl-C is heeded between attempts and between the blocks of a statement.
#[pyfunction]
#[pyo3(signature = (
    statement, witness, *, context=None, seed=None, insecure=false, check=true, reproducible=false
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
) -> PyResult<Bound<'py, PyBytes>> {
    if reproducible && seed.is_none() {
        return Err(ParameterError::new_err("reproducible needs a seed"));
    }
    let seed: Seed = random::seed(seed)?;
    let entries = witness.entries();
    let context = context.as_ref().map_or(&[][..], |Data(bytes)| bytes);
    let proof = interruptible(py, |stop| {
        let file = Bytes::new(&statement.0, stop);
        let statement = read(&file, statement.0.len(), security(insecure))?;
        let params = statement.params();
        entries.check_shape(params)?;
        let a = matrix(params, *statement.seed_a(), stop);
        let prover = Prover::new(&a, &statement).map_err(errors::zk)?.with_file(&file);
        let prover = if reproducible { prover.reproducible() } else { prover };
        let proved = prover.prove(context, &entries, &seed).map_err(errors::zk)?;
        let proof = proved.proof.to_bytes(params);
        if check {
            let verifier = Verifier::new(&a, &statement).map_err(errors::zk)?;
            verifier.verify_streaming(context, &file, &proof).map_err(|error| match error {
                VerifyError::Invalid(_) => {
                    WitnessError::new_err("the witness does not belong to this statement")
                }
                VerifyError::NoVerdict(error) => errors::zk(error),
            })?;
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
/// accept statements of insecure parameters, which whoever wrote the statement chose.
///
/// Raises InvalidProof if the proof proves nothing about this statement in this context, or does
/// not show what is required; ParameterError if a requirement is none; MalformedError if either is
/// no such file; InsecureError. A valid proof shows knowledge, for every column t of T, of an
/// integer vector s' with A s' = t mod 2^w and ||s'|| <= 2 B, which is a longer one than the
/// witness has (docs/protocol.md). On all threads; the interpreter's lock is released. Ctrl-C is
/// heeded between the blocks of a statement.
#[pyfunction]
#[pyo3(signature = (statement, proof, *, context=None, require=Vec::new(), insecure=false))]
pub(crate) fn verify(
    py: Python<'_>,
    statement: Data,
    proof: Data,
    context: Option<Data>,
    #[pyo3(from_py_with = arg)] require: Vec<String>,
    #[pyo3(from_py_with = arg)] insecure: bool,
) -> PyResult<()> {
    let context = context.as_ref().map_or(&[][..], |Data(bytes)| bytes);
    let required: Result<Vec<Requirement>, _> = require.iter().map(|text| text.parse()).collect();
    let required = required.map_err(errors::zk)?;
    interruptible(py, |stop| {
        let file = Bytes::new(&statement.0, stop);
        let statement = read(&file, statement.0.len(), security(insecure))?;
        let a = matrix(statement.params(), *statement.seed_a(), stop);
        let verifier = Verifier::new(&a, &statement).map_err(errors::zk)?;
        let verdict = verifier.verify_requiring(context, Some(&file), &proof.0, &required);
        verdict.map(|_| ()).map_err(errors::verdict)
    })
}

/// A, whose products end once the call is to stop.
fn matrix(params: &Params, seed_a: [u8; 32], stop: &Stop) -> PublicMatrix {
    PublicMatrix::new(params, seed_a).with_observer(Arc::new(stop.clone()))
}

fn read(file: &Bytes<'_>, len: usize, security: Security) -> PyResult<Statement> {
    let read = if len <= LOADED { Statement::load } else { Statement::read };
    read(file, security).map_err(errors::zk)
}
