//! What parameters are worth, and the best ones.

use pyo3::prelude::*;
use tautochrone_zk::{self as zk, Goal};

use super::params::{CHALLENGES, Params, ParamsOrPreset, choice, security};
use crate::errors;

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

/// The security of parameters.
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
/// w: log2 q, from 25 to 64; None: the best. b: bound on the entries of the witness. l: its columns. bits: what binding and hiding must cost an attacker, in
/// quantum operations if quantum. lambda_: 128 or 256. challenge: "ternary" or "binary". Raises
/// ParameterError if there are none. Takes below a second, and Ctrl-C waits for its end.
#[pyfunction]
#[pyo3(signature = (w, b, l, *, bits=128.0, quantum=false, lambda_=128, challenge="ternary", whole_t=false))]
pub(crate) fn optimise(
    py: Python<'_>,
    w: Option<u32>,
    b: u32,
    l: u64,
    bits: f64,
    quantum: bool,
    lambda_: u32,
    challenge: &str,
    whole_t: bool,
) -> PyResult<Params> {
    let challenge = choice("challenge", challenge, CHALLENGES)?;
    let goal = Goal { w, lambda: lambda_, bits, quantum, challenge, whole_t, ..Goal::new(b, l) };
    let custom = py.detach(|| goal.optimise()).map_err(errors::zk)?;
    custom.validate(security(bits < f64::from(lambda_))).map(Params::from).map_err(errors::zk)
}
