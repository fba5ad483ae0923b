//! Two exponentiations of one width at once, as RSA by the Chinese remainder theorem takes them.
use tautochrone_simd::Isa;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::U64x8;

use super::choose::Method;
#[cfg(target_arch = "x86_64")]
use super::choose::pair;
#[cfg(target_arch = "x86_64")]
use super::ifma;
use super::job::Job;
use super::single::alone;
#[cfg(target_arch = "x86_64")]
use super::single::known_odd;
use crate::error::Error;

/// The powers of two jobs, each with its own base, exponent and modulus: the powers of
/// [`modexp`](crate::modexp()), in less time where the CPU has IFMA and both moduli are odd and of
/// 385 to 1024 bits: then they share registers.
///
/// RSA by the Chinese remainder theorem takes such a pair: c^(d mod (p - 1)) modulo p, and
/// c^(d mod (q - 1)) modulo q.
///
/// ```
/// use tautochrone_bignum::{Job, Method, modexp_pair};
/// use tautochrone_simd::Isa;
///
/// let jobs = [
///     Job { base: &[7], exponent: &[5], modulus: &[11] },
///     Job { base: &[7], exponent: &[3], modulus: &[13] },
/// ];
/// let [mod_p, mod_q] = modexp_pair(Isa::detect(), Method::Auto, jobs);
/// assert_eq!((mod_p?, mod_q?), (vec![10], vec![5]));
/// # Ok::<(), tautochrone_bignum::Error>(())
/// ```
///
/// # Constant time
/// As [`modexp`](crate::modexp()).
pub fn modexp_pair(isa: Isa, method: Method, jobs: [Job<'_>; 2]) -> [Result<Vec<u64>, Error>; 2] {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = pair(isa, jobs.map(|job| job.modulus.len()))
        && jobs.iter().all(|job| job.base.len() == job.modulus.len())
        && jobs.iter().all(|job| known_odd(method, job.modulus))
    {
        return ifma::pair::modexp::<U64x8<_>>(token, jobs).map(Ok);
    }
    jobs.map(|job| alone(isa, method, &job))
}
