//! Exponentiation: calls of `tautochrone-bignum`.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use tautochrone_bignum::{BoxedNumber, Error, Job, Method, convert};
use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use crate::arguments::{Integer, arg};
use crate::errors::{self, ParameterError};
use crate::signals::Signals;
use crate::threads;

/// Exponentiations between two looks at signals, where they have `LIMBS` limbs.
const BATCH: usize = 256;
const LIMBS: usize = 32;

/// base, exponent and modulus.
type Triple<'py> = (Integer<'py>, Integer<'py>, Integer<'py>);

/// base^exponent mod modulus, for any modulus but 0, in a time that the widths alone determine.
///
/// base, exponent, modulus: ints >= 0, also of numpy. bits: width of base and modulus;
/// exponent_bits: width of the exponent. Widths are rounded up to multiples of 64 and by default
/// the widths of the values, which the time then shows: give them where lengths are secret. method:
/// "barrett", the same time for every modulus; or "auto", which may be faster and show whether the
/// modulus is odd.
///
/// Python's own arithmetic with ints is not constant time, and ints cannot be erased; the copies
/// made here are. The interpreter's lock is released; Ctrl-C waits for the end (4096 bits take
/// milliseconds, 65536 bits some seconds).
#[pyfunction]
#[pyo3(signature = (
    base, exponent, modulus, /, *, bits=None, exponent_bits=None, method="barrett"
))]
pub(crate) fn modexp<'py>(
    py: Python<'py>,
    base: Integer<'py>,
    exponent: Integer<'py>,
    modulus: Integer<'py>,
    #[pyo3(from_py_with = arg)] bits: Option<usize>,
    #[pyo3(from_py_with = arg)] exponent_bits: Option<usize>,
    #[pyo3(from_py_with = arg)] method: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let method = method_named(method)?;
    let power = Power::new(&(base, exponent, modulus), bits, exponent_bits)?;
    let mut result = BoxedNumber::zero(power.modulus.len());
    py.detach(|| {
        let Power { base, exponent, modulus } = &power;
        tautochrone_bignum::modexp(
            Isa::detect_vectors(),
            method,
            &mut result,
            base,
            exponent,
            modulus,
        )
    })
    .map_err(errors::parameter)?;
    to_int(py, &result)
}

/// [modexp(base, exponent, modulus) for each of jobs], eight of one width together and on all
/// threads: several times faster than one after the other.
///
/// jobs: sequence of (base, exponent, modulus). bits, exponent_bits, method: as of modexp, for all
/// jobs; a default width is each job's own. Ctrl-C is heeded between groups of jobs.
#[pyfunction]
#[pyo3(signature = (jobs, /, *, bits=None, exponent_bits=None, method="barrett"))]
pub(crate) fn modexp_batch<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arg)] jobs: Vec<Triple<'py>>,
    #[pyo3(from_py_with = arg)] bits: Option<usize>,
    #[pyo3(from_py_with = arg)] exponent_bits: Option<usize>,
    #[pyo3(from_py_with = arg)] method: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let method = method_named(method)?;
    let powers: PyResult<Vec<Power>> =
        jobs.iter().map(|job| Power::new(job, bits, exponent_bits)).collect();
    let powers = powers?;
    let jobs: Vec<Job<'_>> = powers
        .iter()
        .map(|Power { base, exponent, modulus }| Job { base, exponent, modulus })
        .collect();
    let widest = powers.iter().map(|power| power.modulus.len()).max().unwrap_or(1);
    // The time of one grows with the cube of its width; all threads and lanes stay full.
    let group = (BATCH * LIMBS.pow(3) / widest.saturating_pow(3)).clamp(64, BATCH);
    let results = py.detach(|| {
        let mut signals = Signals::new();
        let mut results = Vec::new();
        for jobs in jobs.chunks(group) {
            let isa = Isa::detect_vectors();
            let powers = threads::install(|| tautochrone_bignum::modexp_batch(isa, method, jobs))?;
            results.extend(powers.into_iter().map(|power| power.map(Zeroizing::new)));
            signals.check()?;
        }
        PyResult::Ok(results)
    })?;
    let to_int = |(i, power): (usize, Result<Zeroizing<Vec<u64>>, Error>)| {
        let power = power.map_err(|e| ParameterError::new_err(format!("job {i}: {e}")))?;
        to_int(py, &power)
    };
    results.into_iter().enumerate().map(to_int).collect()
}

/// One exponentiation's operands, erased when dropped.
struct Power {
    base: BoxedNumber,
    exponent: BoxedNumber,
    modulus: BoxedNumber,
}

impl Power {
    fn new(
        (Integer(base), Integer(exponent), Integer(modulus)): &Triple<'_>,
        bits: Option<usize>,
        exponent_bits: Option<usize>,
    ) -> PyResult<Self> {
        let width = match bits {
            Some(bits) => bits,
            None => bit_length(base)?.max(bit_length(modulus)?),
        };
        let exponent_width = exponent_bits.map_or_else(|| bit_length(exponent), Ok)?;
        Ok(Self {
            base: number("base", base, width)?,
            exponent: number("exponent", exponent, exponent_width)?,
            modulus: number("modulus", modulus, width)?,
        })
    }
}

fn method_named(name: &str) -> PyResult<Method> {
    match name {
        "barrett" => Ok(Method::Barrett),
        "auto" => Ok(Method::Auto),
        _ => Err(ParameterError::new_err(format!(
            "method is {name:?}; expected \"barrett\" or \"auto\""
        ))),
    }
}

fn bit_length(number: &Bound<'_, PyInt>) -> PyResult<usize> {
    number.call_method0("bit_length")?.extract()
}

/// The number in as many limbs as hold `bits` bits, at least one.
fn number(name: &str, number: &Bound<'_, PyInt>, bits: usize) -> PyResult<BoxedNumber> {
    let limbs = bits.div_ceil(64).max(1);
    let bytes = number.call_method1("to_bytes", (8 * limbs, "little")).map_err(|_| {
        ParameterError::new_err(format!("{name} is negative or does not fit {bits} bits"))
    })?;
    let bytes = bytes.cast::<PyBytes>()?;
    BoxedNumber::from_le_bytes(bytes.as_bytes(), limbs).map_err(errors::parameter)
}

fn to_int<'py>(py: Python<'py>, number: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    let bytes = Zeroizing::new(convert::to_le_bytes(number));
    let int = py.get_type::<PyInt>();
    int.call_method1("from_bytes", (PyBytes::new(py, &bytes), "little"))
}
