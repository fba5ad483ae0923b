//! Many exponentiations, spread over the ambient rayon pool.
use rayon::prelude::*;
use tautochrone_simd::Isa;

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
pub fn modexp_batch(isa: Isa, method: Method, jobs: &[Job<'_>]) -> Vec<Result<Vec<u64>, Error>> {
    jobs.par_iter()
        .map(|job| {
            let mut r = vec![0; job.modulus.len()];
            modexp(isa, method, &mut r, job.base, job.exponent, job.modulus).map(|()| r)
        })
        .collect()
}
