//! Many exponentiations: eight in lanes where the CPU has IFMA, spread over the ambient rayon pool.
use rayon::prelude::*;
use tautochrone_simd::Isa;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::declassify;

#[cfg(target_arch = "x86_64")]
use crate::vector::ifma::Register;
use crate::{Error, Method, modexp};

/// One exponentiation.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Any n-word number.
    pub base: &'a [u64],
    /// Of any width.
    pub exponent: &'a [u64],
    /// Of n words, not zero.
    pub modulus: &'a [u64],
}

impl core::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Job").field("words", &self.modulus.len()).finish_non_exhaustive()
    }
}

/// The powers of all `jobs`, in order; each job stands alone, with its own width and modulus.
///
/// With IFMA, jobs of equal widths run eight at a time by Barrett's reduction, in the same time for every modulus, where
/// that is faster than one after the other, unless the method is [`Method::Montgomery`]. The powers are the same on every
/// instruction set.
///
/// # Constant time
/// As [`modexp`]; how jobs are grouped depends on their widths, on which moduli are zero, and with [`Method::Auto`] on
/// which are odd.
pub fn modexp_batch(isa: Isa, method: Method, jobs: &[Job<'_>]) -> Vec<Result<Vec<u64>, Error>> {
    passes(isa, method, jobs)
        .into_par_iter()
        .flat_map_iter(|pass| run(isa, method, jobs, pass))
        .collect::<std::collections::BTreeMap<_, _>>()
        .into_values()
        .collect()
}

type Done = (usize, Result<Vec<u64>, Error>);

fn one(isa: Isa, method: Method, job: &Job<'_>) -> Result<Vec<u64>, Error> {
    let mut r = vec![0; job.modulus.len()];
    modexp(isa, method, &mut r, job.base, job.exponent, job.modulus).map(|()| r)
}

/// Indices of `jobs` that run together.
#[cfg(target_arch = "x86_64")]
fn passes(isa: Isa, method: Method, jobs: &[Job<'_>]) -> Vec<Vec<usize>> {
    use crate::{fz, lanes};
    let fits = |job: &Job<'_>| {
        let n = job.modulus.len();
        isa.ifma().is_some()
            && method != Method::Montgomery
            && (1..=lanes::MAX_WORDS).contains(&n)
            && job.base.len() == n
            && declassify(fz::is_zero(job.modulus)) == 0
    };
    let (mut together, alone): (Vec<usize>, Vec<usize>) =
        (0..jobs.len()).partition(|&i| fits(&jobs[i]));
    let widths = |&i: &usize| (jobs[i].modulus.len(), jobs[i].exponent.len());
    together.sort_by_key(widths);
    let grouped = together.chunk_by(|a, b| widths(a) == widths(b));
    let mut all: Vec<Vec<usize>> =
        grouped.flat_map(|g| g.chunks(lanes::LANES)).map(<[usize]>::to_vec).collect();
    all.extend(alone.into_iter().map(|i| vec![i]));
    all
}

/// Whether a pass of eight lanes is faster than one exponentiation after the other. In times of a single one by Barrett,
/// measured on Zen 4: a pass takes 4.0 of 2048 bits, 5.4 of 4096 and 6.4 of 8192; one by Montgomery 0.7 of 2048 and 0.8
/// of 4096.
#[cfg(target_arch = "x86_64")]
fn lanes_pay(method: Method, together: &[Job<'_>]) -> bool {
    let (pass, odd) = match together[0].modulus.len() {
        0..=32 => (40, 7),
        33..=64 => (54, 8),
        _ => (64, 10),
    };
    let by_montgomery =
        |job: &&Job<'_>| method == Method::Auto && declassify(crate::fz::is_odd(job.modulus)) != 0;
    let montgomery = together.iter().filter(by_montgomery).count();
    10 * (together.len() - montgomery) + odd * montgomery >= pass
}

#[cfg(target_arch = "x86_64")]
fn run(isa: Isa, method: Method, jobs: &[Job<'_>], pass: Vec<usize>) -> Vec<Done> {
    if let Some(ifma) = isa.ifma()
        && pass.len() > 1
    {
        let together: Vec<Job<'_>> = pass.iter().map(|&i| jobs[i]).collect();
        if lanes_pay(method, &together) {
            let powers = crate::lanes::modexp::<Register>(ifma, &together);
            return pass.into_iter().zip(powers.into_iter().map(Ok)).collect();
        }
    }
    pass.into_iter().map(|i| (i, one(isa, method, &jobs[i]))).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn passes(_: Isa, _: Method, jobs: &[Job<'_>]) -> Vec<Vec<usize>> {
    (0..jobs.len()).map(|i| vec![i]).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn run(isa: Isa, method: Method, jobs: &[Job<'_>], pass: Vec<usize>) -> Vec<Done> {
    pass.into_iter().map(|i| (i, one(isa, method, &jobs[i]))).collect()
}
