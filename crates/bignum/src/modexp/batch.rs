//! Many exponentiations: eight at once where the CPU has IFMA, spread over the ambient rayon pool.
use rayon::prelude::*;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::U64x8;
use tautochrone_simd::{Isa, declassify};

use super::choose::Method;
#[cfg(target_arch = "x86_64")]
use super::choose::{Engine, Group, choose};
use super::ifma_x8;
use super::job::Job;
use super::single::alone;
#[cfg(target_arch = "x86_64")]
use super::single::known_odd;
use crate::error::Error;
use crate::fz;
use crate::radix52::LANES;

/// The powers of all `jobs`, in order; each job stands alone, with its own width and modulus.
///
/// With IFMA, jobs of equal widths run eight at a time by Barrett's reduction, in the
/// same time for every modulus, where that is faster than one after the other, unless the method is
/// [`Method::Montgomery`]. The powers are the same on every instruction set.
///
/// # Constant time
/// As [`modexp`](crate::modexp()); how jobs are grouped depends on their widths, on which moduli
/// are zero, and with [`Method::Auto`] on which are odd.
#[must_use]
pub fn modexp_batch(isa: Isa, method: Method, jobs: &[Job<'_>]) -> Vec<Result<Vec<u64>, Error>> {
    groups(isa, method, jobs)
        .into_par_iter()
        .flat_map_iter(|group| run(isa, method, jobs, &group))
        .collect::<std::collections::BTreeMap<_, _>>()
        .into_values()
        .collect()
}

/// Indices of `jobs` that could run together, and each of the others on its own.
fn groups(isa: Isa, method: Method, jobs: &[Job<'_>]) -> Vec<Vec<usize>> {
    let fits = |job: &Job<'_>| {
        let n = job.modulus.len();
        isa.ifma().is_some()
            && method != Method::Montgomery
            && (1..=ifma_x8::MAX_LIMBS).contains(&n)
            && job.base.len() == n
            && declassify(fz::is_zero(job.modulus)) == 0
    };
    let (mut together, alone): (Vec<usize>, Vec<usize>) =
        (0..jobs.len()).partition(|&i| fits(&jobs[i]));
    let widths = |&i: &usize| (jobs[i].modulus.len(), jobs[i].exponent.len());
    together.sort_by_key(widths);
    let grouped = together.chunk_by(|a, b| widths(a) == widths(b));
    let mut all: Vec<Vec<usize>> =
        grouped.flat_map(|g| g.chunks(LANES)).map(<[usize]>::to_vec).collect();
    all.extend(alone.into_iter().map(|i| vec![i]));
    all
}

/// The results of a group's jobs, by their indices: all at once, or one after the other.
fn run(
    isa: Isa,
    method: Method,
    jobs: &[Job<'_>],
    group: &[usize],
) -> Vec<(usize, Result<Vec<u64>, Error>)> {
    #[cfg(target_arch = "x86_64")]
    if let [first, _, ..] = group {
        let together: Vec<Job<'_>> = group.iter().map(|&i| jobs[i]).collect();
        let odd = together.iter().filter(|job| known_odd(method, job.modulus)).count();
        let counts = Group { odd, other: together.len() - odd };
        let limbs = jobs[*first].modulus.len();
        if let Engine::IfmaX8(ifma) = choose(isa, method, limbs, odd > 0, counts) {
            let powers = ifma_x8::modexp::<U64x8<_>>(ifma, &together);
            return group.iter().copied().zip(powers.into_iter().map(Ok)).collect();
        }
    }
    group.iter().map(|&i| (i, alone(isa, method, &jobs[i]))).collect()
}
