//! Parameters and what they are worth.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyString;
use tautochrone_zk::{self as zk, Challenge, CustomParams, Encoding, Goal, Preset, Statement};

use super::security;
use crate::errors;
use crate::signals::interruptible;

/// Names of parameters, the insecure one last.
pub(crate) const PRESETS: [&str; Preset::ALL.len()] = {
    let mut names = [""; Preset::ALL.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = Preset::ALL[i].name();
        i += 1;
    }
    names
};

/// Parameters of statements, checked.
///
/// preset: name of the parameters to begin with (see PRESETS); the others change them. l: columns of
/// S and T. v: rows of S. r: rows of A and T. w: log2 q, 32 or 64. b: bound on the entries of S, 1 to
/// 127. lambda_: bits of security, 128 or 256. n: columns of the challenge; sigma: width of the
/// masks; both follow from the others if they are left out. binary: challenges of 0 and 1, as in the
/// paper, for witnesses whose largest singular value is at most norm_bound. systematic: A = [A' | I].
/// rans: shorter encoding of proofs. insecure: accept parameters below lambda_ bits.
///
/// Raises ParameterError, or InsecureError which says by how much.
#[pyclass(frozen, eq, module = "tautochrone")]
#[derive(PartialEq)]
pub(crate) struct Params(zk::Params);

#[pymethods]
impl Params {
    #[new]
    #[pyo3(signature = (
        preset="T4-128", *, l=None, v=None, r=None, w=None, b=None, lambda_=None, n=None,
        sigma=None, binary=None, norm_bound=None, systematic=None, rans=None, insecure=false
    ))]
    fn new(
        preset: &str,
        l: Option<u64>,
        v: Option<u32>,
        r: Option<u32>,
        w: Option<u32>,
        b: Option<u32>,
        lambda_: Option<u32>,
        n: Option<u32>,
        sigma: Option<u64>,
        binary: Option<bool>,
        norm_bound: Option<u64>,
        systematic: Option<bool>,
        rans: Option<bool>,
        insecure: bool,
    ) -> PyResult<Self> {
        let known = Preset::named(preset).map_err(errors::zk)?.custom();
        let custom = CustomParams {
            lambda: lambda_.unwrap_or(known.lambda),
            w: w.unwrap_or(known.w),
            r: r.unwrap_or(known.r),
            v: v.unwrap_or(known.v),
            l: l.unwrap_or(known.l),
            n: n.or(known.n),
            b: b.unwrap_or(known.b),
            sigma: sigma.or(known.sigma),
            binary: binary.unwrap_or(known.binary),
            norm_bound: norm_bound.or(known.norm_bound),
            systematic: systematic.unwrap_or(known.systematic),
            rans: rans.unwrap_or(known.rans),
        };
        custom.validate(security(insecure)).map(Self).map_err(errors::zk)
    }

    /// Those of a statement, which is read whole and checked.
    #[staticmethod]
    #[pyo3(signature = (statement, /, *, insecure=false))]
    fn of_statement(py: Python<'_>, statement: PyBackedBytes, insecure: bool) -> PyResult<Self> {
        let read = interruptible(py, |_| {
            Statement::read(&&*statement, security(insecure)).map_err(errors::zk)
        })?;
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
    /// Whether challenges are of 0 and 1.
    #[getter]
    fn binary(&self) -> bool {
        self.0.challenge() != Challenge::Ternary
    }
    /// Whether A = [A' | I].
    #[getter]
    fn systematic(&self) -> bool {
        self.0.systematic()
    }
    /// Whether proofs are encoded by rANS.
    #[getter]
    fn rans(&self) -> bool {
        self.0.encoding() == Encoding::Rans
    }
    /// B^2, the largest squared norm of a column of Z.
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

    fn __repr__(&self) -> String {
        let p = &self.0;
        let (l, v, r, w, b, n, sigma) = (p.l(), p.v(), p.r(), p.w(), p.b(), p.n(), p.sigma());
        format!(
            "Params(l={l}, v={v}, r={r}, w={w}, b={b}, lambda_={}, n={n}, sigma={sigma})",
            p.lambda()
        )
    }
}

/// An argument: [`Params`], or the name of a preset.
pub(crate) struct ParamsOrPreset(Result<zk::Params, String>);

impl<'a, 'py> FromPyObject<'a, 'py> for ParamsOrPreset {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = any.cast::<PyString>() {
            return Ok(Self(Err(name.to_string())));
        }
        Ok(Self(Ok(any.cast::<Params>()?.get().0.clone())))
    }
}

impl ParamsOrPreset {
    pub(crate) fn get(self) -> PyResult<zk::Params> {
        self.0.or_else(|name| {
            let preset = Preset::named(&name).map_err(errors::zk)?;
            preset.params(security(false)).map_err(errors::zk)
        })
    }
}

/// Estimated cost of an attack by lattice reduction.
#[pyclass(frozen, get_all, module = "tautochrone")]
pub(crate) struct Hardness {
    /// Block size of BKZ.
    beta: u32,
    /// log2 of classical operations.
    classical: f64,
    /// log2 of quantum operations.
    quantum: f64,
}

#[pymethods]
impl Hardness {
    fn __repr__(&self) -> String {
        let Self { beta, classical, quantum } = self;
        format!("Hardness(beta={beta}, classical={classical:.1}, quantum={quantum:.1})")
    }
}

impl From<zk::estimate::Hardness> for Hardness {
    fn from(hardness: zk::estimate::Hardness) -> Self {
        Self { beta: hardness.beta, classical: hardness.classical, quantum: hardness.quantum }
    }
}

/// What parameters are worth.
#[pyclass(frozen, module = "tautochrone")]
pub(crate) struct Estimate(zk::Estimate);

#[pymethods]
impl Estimate {
    /// Binding of T: SIS with norm 4 B.
    #[getter]
    fn binding(&self) -> Hardness {
        self.0.sis.into()
    }
    /// Hiding of S, all of its rows being secret and uniform: the cheaper of two attacks on LWE.
    #[getter]
    fn hiding(&self) -> Hardness {
        self.0.hiding().into()
    }
    /// Hiding, by the primal attack.
    #[getter]
    fn hiding_primal(&self) -> Hardness {
        self.0.hiding_primal.into()
    }
    /// Hiding, by the dual-hybrid attack.
    #[getter]
    fn hiding_dual(&self) -> Hardness {
        self.0.hiding_dual.into()
    }
    /// log2(4 B).
    #[getter]
    fn log2_4b(&self) -> f64 {
        self.0.log2_4b
    }

    fn __repr__(&self) -> String {
        format!(
            "Estimate(binding={}, hiding={})",
            self.binding().__repr__(),
            self.hiding().__repr__()
        )
    }
}

/// The security of parameters, in bits of classical and quantum operations (core-SVP).
///
/// params: Params or the name of a preset.
#[pyfunction]
#[pyo3(signature = (params, /))]
pub(crate) fn estimate(py: Python<'_>, params: ParamsOrPreset) -> PyResult<Estimate> {
    let params = params.get()?;
    Ok(Estimate(py.detach(|| params.estimate())))
}

/// The parameters with the smallest proof.
///
/// w: log2 q, 32 or 64. b: bound on the entries of the witness. l: its columns. bits: what binding
/// and hiding must cost an attacker, in quantum operations if quantum. lambda_: 128 or 256. binary:
/// challenges as in the paper. Raises ParameterError if there are none. Takes below a second, and
/// Ctrl-C waits for its end.
#[pyfunction]
#[pyo3(signature = (w, b, l, *, bits=128.0, quantum=false, lambda_=128, binary=false))]
pub(crate) fn optimise(
    py: Python<'_>,
    w: u32,
    b: u32,
    l: u64,
    bits: f64,
    quantum: bool,
    lambda_: u32,
    binary: bool,
) -> PyResult<Params> {
    let goal = Goal { lambda: lambda_, bits, quantum, binary, ..Goal::new(w, b, l) };
    let custom = py.detach(|| goal.optimise()).map_err(errors::zk)?;
    custom.validate(security(bits < f64::from(lambda_))).map(Params).map_err(errors::zk)
}
