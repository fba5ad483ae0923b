//! Security of parameters, and the best ones.

use pyo3::prelude::*;
use tautochrone_zk::{self as zk, Goal, Masks};

use super::params::{CHALLENGES, Params, ParamsOrPreset, choice, security};
use crate::arguments::arg;
use crate::errors::{self, Failure};

/// The security of parameters, in bits of classical and quantum operations (core-SVP).
///
/// params: Params or the name of a preset.
#[pyfunction]
#[pyo3(signature = (params, /))]
pub(crate) fn estimate(py: Python<'_>, params: ParamsOrPreset) -> PyResult<Bound<'_, PyAny>> {
    let params = params.get()?;
    let (estimate, attacks) = py.detach(|| (params.estimate(), params.hiding_of_rows(0)));
    let (primal, dual) = attacks.unwrap_or((estimate.hiding, estimate.hiding));
    let types = py.import("tautochrone._estimates")?;
    let hardness = |hardness: zk::Hardness| {
        let zk::Hardness { beta, classical, quantum } = hardness;
        types.call_method1("Hardness", (beta, classical, quantum))
    };
    let fields = (
        hardness(estimate.binding)?,
        hardness(estimate.hiding)?,
        hardness(primal)?,
        hardness(dual)?,
        estimate.log2_4b,
    );
    types.call_method1("Estimate", fields)
}

/// The parameters with the smallest proof.
///
/// b: bound on the entries of the witness. l: its columns. w: log2 q, from 25 to 64; None: the
/// best. bits: the cost of breaking binding or hiding, in quantum operations if quantum. lambda_:
/// 128 or 256. challenge: "ternary" or "binary". whole_t: no rounding of T. key_hints: for LWE keys
/// of which so many exact proofs give away a hint each. masks, proofs: as of prove_messages; with
/// masks="narrow" the witness is Gaussian, and b not used. Raises ParameterError if there are none.
/// Takes below a second, or a few of them with narrow masks, and Ctrl-C waits for its end.
#[pyfunction]
#[pyo3(signature = (
    b, l, *, w=None, bits=128.0, quantum=false, lambda_=128, challenge="ternary", whole_t=false,
    key_hints=0, masks=None, proofs=1
))]
pub(crate) fn optimise(
    py: Python<'_>,
    #[pyo3(from_py_with = arg)] b: u32,
    #[pyo3(from_py_with = arg)] l: u64,
    #[pyo3(from_py_with = arg)] w: Option<u32>,
    #[pyo3(from_py_with = arg)] bits: f64,
    #[pyo3(from_py_with = arg)] quantum: bool,
    #[pyo3(from_py_with = arg)] lambda_: u32,
    #[pyo3(from_py_with = arg)] challenge: &str,
    #[pyo3(from_py_with = arg)] whole_t: bool,
    #[pyo3(from_py_with = arg)] key_hints: u32,
    masks: Option<&str>,
    #[pyo3(from_py_with = arg)] proofs: u32,
) -> Result<Params, Failure> {
    let challenge = choice("challenge", challenge, CHALLENGES)?;
    let goal = Goal { w, lambda: lambda_, bits, quantum, challenge, whole_t, ..Goal::new(b, l) };
    let goal = with_masks(Goal { key_hints, ..goal }, masks, proofs)?;
    let custom = py.detach(|| goal.optimise())?;
    Ok(custom.validate(security(bits < f64::from(lambda_)))?.into())
}

/// The goal with masks of this name, for T and so many proofs together; as it is without a name.
pub(super) fn with_masks(goal: Goal, masks: Option<&str>, proofs: u32) -> PyResult<Goal> {
    if !(1..=1 << 20).contains(&proofs) {
        return Err(errors::parameter(format!("proofs is {proofs}; expected 1 to 2^20")));
    }
    let log2_proofs = proofs.next_power_of_two().ilog2();
    let names = [
        ("wide", Masks::Wide),
        ("mixed", Masks::Mixed { log2_proofs }),
        ("narrow", Masks::Narrow { log2_proofs }),
    ];
    let Some(name) = masks else { return Ok(goal) };
    Ok(Goal { masks: choice("masks", name, names)?, per_statement: Some(proofs), ..goal })
}
