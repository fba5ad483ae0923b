//! Exponentiation: calls of `tautochrone-bignum`.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tautochrone_bignum::{BoxedNumber, Error, Job, Method, convert};
use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use crate::arguments::{Data, arg};
use crate::errors::{self, ParameterError};
use crate::signals::Signals;
use crate::threads;

/// Exponentiations between two looks at signals, where they have `LIMBS` limbs.
const BATCH: usize = 256;
const LIMBS: usize = 32;

/// base^exponent mod modulus of each of the jobs; numbers and powers are limbs of eight bytes from
/// the lowest, and base and modulus of one width.
#[pyfunction]
pub(crate) fn powers<'py>(
    py: Python<'py>,
    jobs: Vec<(Data, Data, Data)>,
    #[pyo3(from_py_with = arg)] method: &str,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let method = match method {
        "barrett" => Method::Barrett,
        "auto" => Method::Auto,
        _ => {
            let text = format!("method is {method:?}; expected \"barrett\" or \"auto\"");
            return Err(ParameterError::new_err(text));
        }
    };
    let number = |Data(bytes): &Data| BoxedNumber::from_le_bytes(bytes, bytes.len().div_ceil(8));
    let numbers: Result<Vec<[BoxedNumber; 3]>, Error> = jobs
        .iter()
        .map(|(base, exponent, modulus)| Ok([number(base)?, number(exponent)?, number(modulus)?]))
        .collect();
    let numbers = numbers.map_err(errors::parameter)?;
    let jobs: Vec<Job<'_>> =
        numbers.iter().map(|[base, exponent, modulus]| Job { base, exponent, modulus }).collect();
    let results = py.detach(|| match &jobs[..] {
        // It takes no other thread.
        [job] => {
            let mut power = Zeroizing::new(vec![0; job.modulus.len()]);
            let Job { base, exponent, modulus } = job;
            let isa = Isa::detect_vectors();
            tautochrone_bignum::modexp(isa, method, &mut power, base, exponent, modulus)
                .map_err(errors::parameter)?;
            Ok(vec![power])
        }
        jobs => batch(method, jobs),
    })?;
    Ok(results
        .into_iter()
        .map(|power| PyBytes::new(py, &Zeroizing::new(convert::to_le_bytes(&power))))
        .collect())
}

/// The powers by groups, between which signals are handled.
fn batch(method: Method, jobs: &[Job<'_>]) -> PyResult<Vec<Zeroizing<Vec<u64>>>> {
    let widest = jobs.iter().map(|job| job.modulus.len()).max().unwrap_or(1);
    // The time of one grows with the cube of its width; all threads and lanes stay full.
    let group = (BATCH * LIMBS.pow(3) / widest.saturating_pow(3)).clamp(64, BATCH);
    let mut signals = Signals::new();
    let mut results = Vec::with_capacity(jobs.len());
    for jobs in jobs.chunks(group) {
        let isa = Isa::detect_vectors();
        let powers = threads::install(|| tautochrone_bignum::modexp_batch(isa, method, jobs))?;
        for power in powers {
            let about = |error| errors::parameter(format!("job {}: {error}", results.len()));
            let power = power.map(Zeroizing::new).map_err(about)?;
            results.push(power);
        }
        signals.check()?;
    }
    Ok(results)
}
