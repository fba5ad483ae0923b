//! Lists of ML-KEM and FrodoKEM keys: calls of `tautochrone-zk-keys`.

use pyo3::prelude::*;
use tautochrone_simd::Isa;
use tautochrone_zk_keys::{Error, KeyList, KeysProof, Secret, Set};

use super::{Files, bytes_of, files};
use crate::arguments::{Data, arg};
use crate::errors::{self, MalformedError, ParameterError, WitnessError};
use crate::random;
use crate::signals::interruptible;

/// An identity and a public key.
type Member = (Data, Data);

fn list(set: &str, keys: &[Member], purpose: Option<&Data>) -> PyResult<KeyList> {
    let set: Set = set.parse().map_err(errors::parameter)?;
    let mut list = KeyList::new(set, bytes_of(purpose));
    for (index, (Data(identity), Data(key))) in keys.iter().enumerate() {
        list.push_any(identity, key)
            .map_err(|error| MalformedError::new_err(format!("key {index}: {error}")))?;
    }
    Ok(list)
}

/// One proof that all keys of a list are well formed, by whoever has their secrets.
///
/// set: the standard's name, "ML-KEM-768" or "FrodoKEM-640-SHAKE", say. keys: pairs of an identity
/// and a public key, as bytes: the standard encoding, or of ML-KEM PEM or DER (RFC 9935). secrets:
/// the secret keys, in the order of the keys, likewise; of ML-KEM also seeds of 64 bytes. purpose:
/// what the proof is for, any bytes. seed: 32 secret bytes, None for the operating system's
/// entropy. Returns a statement and a proof, which verify_keys takes with the same keys in the same
/// order.
///
/// Constant time in the secret keys. Raises MalformedError if a public key is none, WitnessError if
/// a secret key belongs to another public key. On all threads, without the interpreter's lock.
#[pyfunction]
#[pyo3(signature = (set, keys, secrets, *, purpose=None, seed=None))]
pub(crate) fn prove_keys<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arg)] set: &str,
    #[pyo3(from_py_with = arg)] keys: Vec<Member>,
    #[pyo3(from_py_with = arg)] secrets: Vec<Data>,
    purpose: Option<Data>,
    seed: Option<&Bound<'py, PyAny>>,
) -> PyResult<Files<'py>> {
    let seed = random::seed(seed)?;
    let list = list(set, &keys, purpose.as_ref())?;
    if secrets.len() != keys.len() {
        let (got, expected) = (secrets.len(), keys.len());
        return Err(ParameterError::new_err(format!("{got} secret keys of {expected} keys")));
    }
    let KeysProof { statement, proof } = interruptible(py, |_| {
        let secret = |(index, Data(key)): (usize, &Data)| {
            let about = |error| WitnessError::new_err(format!("secret key {index}: {error}"));
            list.secret_any(index, key).map_err(about)
        };
        let secrets = secrets.iter().enumerate().map(secret).collect::<PyResult<Vec<Secret>>>()?;
        match tautochrone_zk_keys::prove_on(Isa::detect(), &list, &secrets, &seed) {
            Err(Error::Zk(error)) => Err(error.into()),
            proved => Ok(proved.map_err(errors::parameter)?),
        }
    })?;
    Ok(files(py, &statement, &proof))
}

/// Checks a proof about a list of keys. Returns None if it is valid; everything else raises.
///
/// set, keys, purpose: as for prove_keys. statement, proof: what that returned. Valid means that
/// every key is t = A s + e modulo q with s and e as small as the standard says, exactly, that
/// whoever made the proof knew all of these, and that it was made for these identities, in this
/// order, and for this purpose; not that secrets are random, nor who made it (docs/keys.md).
///
/// Raises InvalidProof if the proof is not valid for this list; MalformedError if a key or a file
/// is none; InsecureError if the statement's parameters have fewer than 128 bits.
#[pyfunction]
#[pyo3(signature = (set, keys, statement, proof, *, purpose=None))]
pub(crate) fn verify_keys(
    py: Python<'_>,
    #[pyo3(from_py_with = arg)] set: &str,
    #[pyo3(from_py_with = arg)] keys: Vec<Member>,
    statement: Data,
    proof: Data,
    purpose: Option<Data>,
) -> PyResult<()> {
    let list = list(set, &keys, purpose.as_ref())?;
    interruptible(py, |_| {
        let proof = KeysProof { statement: statement.0.to_vec(), proof: proof.0.to_vec() };
        Ok(tautochrone_zk_keys::verify(&list, &proof)?)
    })
}
