//! Parameters.

use core::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use tautochrone_zk::{self as zk, ChallengeKind, CustomParams, Preset, Security, Statement};
use tautochrone_zk_params::format::STATEMENT_HEADER_LEN;
use tautochrone_zk_params::matrix_id::MatrixId;
use tautochrone_zk_params::suite::Challenge;

use crate::arguments::{Data, arg, wrong_type};
use crate::errors::{self, Failure, MalformedError};
use crate::signals::interruptible;

/// Names of parameters, the insecure one last.
pub(crate) const PRESETS: &[&str] = Preset::NAMES;

/// Names of each choice, as in files of parameters.
pub(super) const CHALLENGES: [(&str, ChallengeKind); 2] =
    [("ternary", ChallengeKind::Ternary), ("binary", ChallengeKind::Binary)];

/// The meaning of the argument `insecure`.
pub(super) fn security(insecure: bool) -> Security {
    if insecure { Security::Waived } else { Security::Required }
}

/// The choice of that name.
pub(super) fn choice<T: Copy, const N: usize>(
    what: &str,
    name: &str,
    choices: [(&str, T); N],
) -> PyResult<T> {
    let found = choices.iter().find(|(known, _)| *known == name);
    found.map(|&(_, choice)| choice).ok_or_else(|| {
        let known = choices.map(|(known, _)| format!("{known:?}")).join(" or ");
        errors::parameter(format!("{what} is {name:?}; expected {known}"))
    })
}

/// Parameters of statements, checked.
///
/// preset: name of the parameters to begin with (see PRESETS); the others change them. l: columns
/// of S and T. v: rows of S. r: rows of A and T. w: log2 q, 25 to 64. b: bound on the entries of S,
/// up to 2^20, and to 127 with binary challenges. lambda_: bits of security, 128 or 256. n: columns
/// of the challenge; sigma: width of the masks; both follow from the others if they are left out.
/// rho: attempts that a proof takes on average, 2 or, for a shorter one, 3. round_t: bits rounded
/// off T. challenge: "ternary", or "binary" as in the paper, for a whole T and witnesses whose
/// largest singular value is at most norm_bound. insecure: accept parameters below lambda_ bits.
///
/// Raises ParameterError, or InsecureError which says by how much.
#[pyclass(frozen, eq, hash, module = "tautochrone")]
#[derive(PartialEq)]
pub(crate) struct Params(zk::Params);

/// A callable and its arguments, for pickle and copy.
type Remade<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, bool));

impl Hash for Params {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.header().hash(state);
    }
}

impl Params {
    /// The header of a statement of these parameters, for some A.
    fn header(&self) -> Vec<u8> {
        self.0.header(&MatrixId::from_bytes([0; 64]))
    }
}

impl From<zk::Params> for Params {
    fn from(params: zk::Params) -> Self {
        Self(params)
    }
}

#[pymethods]
impl Params {
    #[new]
    #[pyo3(signature = (
        preset="T4-128", *, l=None, v=None, r=None, w=None, b=None, lambda_=None, n=None,
        sigma=None, rho=None, round_t=None, challenge=None, norm_bound=None, insecure=false
    ))]
    fn new(
        #[pyo3(from_py_with = arg)] preset: &str,
        #[pyo3(from_py_with = arg)] l: Option<u64>,
        #[pyo3(from_py_with = arg)] v: Option<u32>,
        #[pyo3(from_py_with = arg)] r: Option<u32>,
        #[pyo3(from_py_with = arg)] w: Option<u32>,
        #[pyo3(from_py_with = arg)] b: Option<u32>,
        #[pyo3(from_py_with = arg)] lambda_: Option<u32>,
        #[pyo3(from_py_with = arg)] n: Option<u32>,
        #[pyo3(from_py_with = arg)] sigma: Option<u64>,
        #[pyo3(from_py_with = arg)] rho: Option<u32>,
        #[pyo3(from_py_with = arg)] round_t: Option<u32>,
        #[pyo3(from_py_with = arg)] challenge: Option<&str>,
        #[pyo3(from_py_with = arg)] norm_bound: Option<u64>,
        #[pyo3(from_py_with = arg)] insecure: bool,
    ) -> Result<Self, Failure> {
        let known = preset.parse::<Preset>()?.custom();
        let custom = CustomParams {
            lambda: lambda_.unwrap_or(known.lambda),
            w: w.unwrap_or(known.w),
            r: r.unwrap_or(known.r),
            v: v.unwrap_or(known.v),
            l: l.unwrap_or(known.l),
            n: n.or(known.n),
            b: b.unwrap_or(known.b),
            sigma: sigma.or(known.sigma),
            rho: rho.or(known.rho),
            round_t: round_t.or(known.round_t),
            challenge: challenge
                .map_or(Ok(known.challenge), |name| choice("challenge", name, CHALLENGES))?,
            norm_bound: norm_bound.or(known.norm_bound),
            ..known
        };
        Ok(Self(custom.validate(security(insecure))?))
    }

    /// Parameters of a statement, which is read whole and checked.
    #[staticmethod]
    #[pyo3(signature = (statement, /, *, insecure=false))]
    fn of_statement(
        py: Python<'_>,
        statement: Data,
        #[pyo3(from_py_with = arg)] insecure: bool,
    ) -> PyResult<Self> {
        let read = interruptible(py, |_| Ok(Statement::read(&&*statement.0, security(insecure))?))?;
        Ok(Self(read.params().clone()))
    }

    /// Columns of S and T.
    #[getter]
    fn l(&self) -> u64 {
        self.0.l()
    }
    /// Columns of A, rows of S.
    #[getter]
    fn v(&self) -> u32 {
        self.0.v()
    }
    /// Rows of A and T.
    #[getter]
    fn r(&self) -> u32 {
        self.0.r()
    }
    /// log2 q.
    #[getter]
    fn w(&self) -> u32 {
        self.0.w()
    }
    /// Bound on the entries of S.
    #[getter]
    fn b(&self) -> u32 {
        self.0.b()
    }
    /// Bits of security.
    #[getter]
    fn lambda_(&self) -> u32 {
        self.0.lambda()
    }
    /// Columns of the challenge and of Z.
    #[getter]
    fn n(&self) -> u32 {
        self.0.n()
    }
    /// Width of the masks.
    #[getter]
    fn sigma(&self) -> u64 {
        self.0.sigma()
    }
    /// Attempts that a proof takes on average.
    #[getter]
    fn rho(&self) -> u32 {
        self.0.rho()
    }
    /// Proofs about a column for which zero knowledge is claimed, with narrow or mixed masks; None
    /// for any number.
    #[getter]
    fn most_proofs(&self) -> Option<u64> {
        self.0.masks().proofs()
    }
    /// Bits rounded off T; 0 where it is whole.
    #[getter]
    fn round_t(&self) -> u32 {
        self.0.round_t()
    }
    /// "ternary" or "binary".
    #[getter]
    fn challenge(&self) -> &'static str {
        if self.0.challenge() == Challenge::Ternary { "ternary" } else { "binary" }
    }
    /// Bound on the largest singular value of S, if challenges are binary.
    #[getter]
    fn norm_bound(&self) -> Option<u64> {
        match self.0.challenge() {
            Challenge::Binary { norm_bound } => Some(norm_bound),
            _ => None,
        }
    }
    /// B^2, the largest squared norm of a column of (Z_1, E).
    #[getter]
    fn norm_bound_squared(&self) -> u128 {
        self.0.norm_bound_squared()
    }
    /// Shape of the witness: (v, l).
    #[getter]
    fn witness_shape(&self) -> (u32, u64) {
        (self.0.v(), self.0.l())
    }
    /// Bytes of a statement.
    #[getter]
    fn statement_bytes(&self) -> u128 {
        self.0.statement_bytes()
    }
    /// Bytes of a proof, expected.
    #[getter]
    fn expected_proof_bytes(&self) -> u64 {
        self.0.expected_proof_bytes()
    }

    /// Makes parameters from what pickle has stored; as secure as they say, unless waived.
    #[staticmethod]
    fn _of_header(
        header: Data,
        #[pyo3(from_py_with = arg)] insecure: bool,
    ) -> Result<Self, Failure> {
        if header.0.len() != STATEMENT_HEADER_LEN {
            let text = "parameters: not as many bytes as a header has";
            return Err(MalformedError::new_err(text).into());
        }
        Ok(Self(of_header(&header.0)?.judged(security(insecure))?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Remade<'py>> {
        let make = py.get_type::<Self>().getattr("_of_header")?;
        let insecure = self.0.security() == Security::Waived;
        Ok((make, (PyBytes::new(py, &self.header()), insecure)))
    }

    fn __repr__(&self) -> String {
        let p = &self.0;
        let (l, v, r, w, b, n, sigma) = (p.l(), p.v(), p.r(), p.w(), p.b(), p.n(), p.sigma());
        format!(
            "Params(l={l}, v={v}, r={r}, w={w}, b={b}, lambda_={}, n={n}, sigma={sigma})",
            p.lambda()
        )
    }
}

/// The same parameters for an A' that is given in full.
pub(super) fn of_given_matrix(params: &zk::Params) -> Result<zk::Params, Failure> {
    let mut header = params.header(&MatrixId::from_bytes([0; 64]));
    header[11] = zk::Expansion::Given as u8;
    Ok(of_header(&header)?.judged(params.security())?)
}

fn of_header(header: &[u8]) -> PyResult<zk::Params> {
    let malformed = |error| MalformedError::new_err(format!("parameters: {error}"));
    Ok(zk::Params::from_header(header).map_err(malformed)?.0)
}

/// An argument: [`Params`], or the name of a preset.
pub(crate) struct ParamsOrPreset(Result<zk::Params, String>);

impl<'a, 'py> FromPyObject<'a, 'py> for ParamsOrPreset {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = any.cast::<PyString>() {
            return Ok(Self(Err(name.to_string())));
        }
        let params = any.cast::<Params>();
        let params = params.map_err(|_| wrong_type("Params or the name of a preset", &any))?;
        Ok(Self(Ok(params.get().0.clone())))
    }
}

impl ParamsOrPreset {
    pub(crate) fn get(self) -> PyResult<zk::Params> {
        let params = self.0.or_else(|name| name.parse::<Preset>()?.params(security(false)));
        Ok(params.map_err(Failure::from)?)
    }
}
