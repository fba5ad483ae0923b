//! Circuits, as of the programs `circuit prove` and `circuit verify`.

use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tautochrone_ctr::Seed;
use tautochrone_zk::Security;
use tautochrone_zk::argument::{
    Assignment, Circuit, CircuitBuilder, CircuitClaim, Combination, Scalar, Wire,
};
use zeroize::Zeroizing;

use super::{Files, bytes_of, files, part, prove_claims, public_matrix, verify_claims};
use crate::arguments::{Data, arg, secret, wrong_type};
use crate::arrays::{self, Array};
use crate::errors::{self, Failure, ParameterError};
use crate::random;
use crate::signals::interruptible;

/// A circuit from matrices: the bytes of a file in circom's format .r1cs, over p = 2^61 - 1.
///
/// a, b, c: arrays or lists of integers of one shape, (constraints, 1 + public + secret wires): for
/// every row, (a @ wires) * (b @ wires) == c @ wires modulo p, where the wires are 1, the public
/// inputs, and the secret wires. public: how many inputs are public. For circuits of a few thousand
/// wires; larger ones come as files.
#[pyfunction]
#[pyo3(signature = (a, b, c, *, public))]
pub(crate) fn r1cs(
    py: Python<'_>,
    #[pyo3(from_py_with = arg)] a: Vec<Vec<i64>>,
    #[pyo3(from_py_with = arg)] b: Vec<Vec<i64>>,
    #[pyo3(from_py_with = arg)] c: Vec<Vec<i64>>,
    #[pyo3(from_py_with = arg)] public: usize,
) -> Result<Bound<'_, PyBytes>, Failure> {
    let wires = a.first().map_or(0, Vec::len);
    let rows = [&a, &b, &c].map(Vec::len);
    if rows != [a.len(); 3] || a.iter().chain(&b).chain(&c).any(|row| row.len() != wires) {
        return Err(ParameterError::new_err("a, b and c have different shapes").into());
    }
    let mut builder = CircuitBuilder::new();
    let secret = wires.checked_sub(1).and_then(|wires| wires.checked_sub(public));
    let secret = secret.ok_or_else(|| {
        errors::parameter(format!(
            "{wires} columns; expected 1, {public} of public inputs and more"
        ))
    })?;
    let inputs: Vec<Wire> = (0..public).map(|_| builder.public(Scalar::ZERO)).collect();
    let secrets: Vec<Wire> = (0..secret).map(|_| builder.secret(Scalar::ZERO)).collect();
    let combination = |row: &[i64]| {
        let terms = inputs.iter().chain(&secrets).zip(&row[1..]).filter(|(_, x)| **x != 0);
        let terms = terms.map(|(wire, &x)| Combination::from(*wire) * residue(x));
        let constant = match row[0] {
            0 => Combination::default(),
            x => residue(x).into(),
        };
        terms.fold(constant, |sum, term| sum + term)
    };
    for ((a, b), c) in a.iter().zip(&b).zip(&c) {
        builder.constrain(combination(a), combination(b), combination(c));
    }
    let (circuit, _) = builder.finish()?;
    Ok(PyBytes::new(py, &circuit.to_r1cs()))
}

/// x modulo p.
fn residue(x: i64) -> Scalar {
    let magnitude = Scalar::of_residue(x.unsigned_abs());
    if x < 0 { -magnitude } else { magnitude }
}

/// The wires of a circuit: the bytes of a .wtns file, or an array of uint64.
pub(crate) enum Wires {
    File(Zeroizing<Vec<u8>>),
    Values(Zeroizing<Vec<u64>>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Wires {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(Array(array)) = any.extract::<Array<'_>>()
            && !arrays::is::<u8>(&array.dtype())
        {
            let no_such = |_| arrays::no_such_dtype(&array.dtype(), "uint64, in one dimension");
            let values = array.cast::<PyArray1<u64>>().map_err(no_such)?;
            let values = values.try_readonly().map_err(errors::parameter)?;
            return Ok(Self::Values(Zeroizing::new(values.as_array().to_vec())));
        }
        let bytes = secret(&any);
        let expected = "the bytes of a .wtns file or an array of uint64";
        bytes.map(Self::File).ok_or_else(|| wrong_type(expected, &any))
    }
}

impl Wires {
    fn assignment(&self, circuit: &Circuit) -> Result<Assignment, Failure> {
        let values = match self {
            Self::File(bytes) => return Ok(Assignment::read_wtns(bytes, circuit)?),
            Self::Values(values) => values,
        };
        let public = circuit.public_inputs() as usize;
        let all = 1 + public + circuit.secret_wires() as usize;
        if values.len() != all || values[0] != 1 {
            let got = values.len();
            let expected = format!("{got} wires; expected {all}, the first of them 1");
            return Err(errors::WitnessError::new_err(expected).into());
        }
        let public = scalars(&values[1..=public])?;
        let secret = scalars(&values[1 + public.len()..])?;
        Ok(Assignment { public: public.to_vec(), secret })
    }
}

fn scalars(values: &[u64]) -> PyResult<Zeroizing<Vec<Scalar>>> {
    let mut scalars = Zeroizing::new(Vec::with_capacity(values.len()));
    for &value in values {
        let scalar = Scalar::new(value);
        scalars.push(
            scalar.ok_or_else(|| {
                ParameterError::new_err("a wire is not from 0 to p - 1 = 2^61 - 2")
            })?,
        );
    }
    Ok(scalars)
}

/// A statement that commits to the wires of a circuit, and a proof that all constraints hold.
///
/// r1cs: a circuit, bytes of a file in circom's format .r1cs over p = 2^61 - 1 (see the function
/// r1cs). wires: their values, the bytes of a .wtns file or an array of uint64: 1, the public
/// inputs, and the secret wires. context: what the proof is for. seed: 32 secret bytes, None for
/// the operating system's entropy. Returns statement and proof, for verify_circuit.
///
/// Constant time in the secret wires. Raises WitnessError if a constraint does not hold,
/// MalformedError if r1cs or wires are no such file. On all threads, without the interpreter's
/// lock.
#[pyfunction]
#[pyo3(signature = (r1cs, wires, *, context=None, seed=None))]
pub(crate) fn prove_circuit<'py>(
    py: Python<'py>,
    r1cs: Data,
    wires: Wires,
    context: Option<Data>,
    seed: Option<&Bound<'py, PyAny>>,
) -> PyResult<Files<'py>> {
    let seed = random::seed(seed)?;
    let context = bytes_of(context.as_ref());
    let (statement, proof) = interruptible(py, |stop| {
        let circuit = Circuit::read_r1cs(&r1cs.0)?;
        let assignment = wires.assignment(&circuit)?;
        let params = circuit.optimise()?.validate(Security::Required)?;
        let slot = circuit.layout(&params)?.slot(0)?;
        let a = public_matrix(&params, part(&seed, "circuit: A"), None, stop)?;
        let pads = Seed::from_bytes(part(&seed, "circuit: wires"));
        let witness = circuit.witness(&a, &assignment, &pads)?;
        let claims = CircuitClaim::new(&circuit, &assignment.public)?.into();
        Ok(prove_claims(&a, context, (&slot, &claims), &witness, &seed)?)
    })?;
    Ok(files(py, &statement, &proof))
}

/// Checks a proof about a circuit. Returns None if it is valid; everything else raises.
///
/// r1cs: the circuit. public: its public inputs, integers below p = 2^61 - 1, as the verifier has
/// them. statement, proof: what prove_circuit returned, or the program `circuit prove` wrote, whose
/// contexts begin with "circuit: ". context: what the proof was made for. Valid means that whoever
/// made the proof knew secret wires for which all constraints hold with these public inputs.
///
/// Raises InvalidProof, MalformedError, ParameterError. On all threads, without the interpreter's
/// lock.
#[pyfunction]
#[pyo3(signature = (r1cs, public, statement, proof, *, context=None))]
pub(crate) fn verify_circuit(
    py: Python<'_>,
    r1cs: Data,
    #[pyo3(from_py_with = arg)] public: Vec<u64>,
    statement: Data,
    proof: Data,
    context: Option<Data>,
) -> PyResult<()> {
    let public = scalars(&public)?;
    verify_claims(py, &statement, &proof, bytes_of(context.as_ref()), |params| {
        let circuit = Circuit::read_r1cs(&r1cs.0)?;
        let claims = CircuitClaim::new(&circuit, &public)?.into();
        Ok((circuit.layout(params)?, claims))
    })
}
