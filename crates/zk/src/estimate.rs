//! Core-SVP estimates: how hard it is to break the binding of T (SIS) and the hiding of S (LWE).
//!
//! A lattice attack is charged one call to a sieve in dimension beta: 2^(0.292 beta) classically and 2^(0.265 beta)
//! with a quantum computer, nothing else (Alkim, Ducas, Poeppelmann, Schwabe, USENIX Security 2016). BKZ-beta is taken
//! to reach the root-Hermite factor of Chen's thesis (2013),
//!
//! delta(beta) = ((pi beta)^(1/beta) beta / (2 pi e))^(1 / (2 (beta - 1))).
//!
//! These are estimates of public quantities in `f64`; nothing secret enters and no proof depends on their last digits.
//! They are the same on every platform all the same, because they decide which parameters are refused.

use core::f64::consts::{E, LN_2, PI};

use tautochrone_gauss::float::{exp2, log2};

/// Bits a sieve costs per unit of block size.
const CLASSICAL: f64 = 0.292;
const QUANTUM: f64 = 0.265;
/// A sieve in dimension beta also returns 2^(0.2075 beta) vectors about sqrt(4/3) times as long as the shortest.
const SIEVE_VECTORS: f64 = 0.2075;
/// Smallest block size at which the formula for delta is used; every answer at this bound means "broken".
pub const MIN_BLOCK: u32 = 50;
/// Largest block size tried: beyond 2^1168 nobody asks.
const MAX_BLOCK: u32 = 4000;

/// The block size that an attack needs, and its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hardness {
    /// BKZ block size beta.
    pub beta: u32,
    /// Cost in bits on a classical computer.
    pub classical: f64,
    /// Cost in bits on a quantum computer.
    pub quantum: f64,
}

impl Hardness {
    pub(crate) fn of_block(beta: u32) -> Self {
        Self { beta, classical: CLASSICAL * f64::from(beta), quantum: QUANTUM * f64::from(beta) }
    }

    /// The cheaper of two attacks.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        if other.classical < self.classical { other } else { self }
    }
}

/// log2 of the root-Hermite factor that BKZ-beta reaches.
fn log2_delta(beta: u32) -> f64 {
    let b = f64::from(beta);
    (log2(PI * b) / b + log2(b / (2.0 * PI * E))) / (2.0 * (b - 1.0))
}

/// SIS: find 0 != x in Z^v with A x = 0 mod q and ||x|| <= 2^`log2_norm`, A of size r x v.
///
/// `log2_volume` = r log2 q. With d = min(v, sqrt(r log2 q / log2 delta)) columns used, BKZ-beta finds norm
/// delta^d q^(r/d); the answer is the smallest beta that reaches 2^`log2_norm` (Micciancio, Regev 2009).
#[must_use]
pub fn sis(log2_volume: f64, v: u32, log2_norm: f64) -> Hardness {
    let reaches = |beta: u32| {
        let x = log2_delta(beta);
        let d = f64::from(v).min((log2_volume / x).sqrt());
        d * x + log2_volume / d <= log2_norm
    };
    let beta = (MIN_BLOCK..MAX_BLOCK).find(|&beta| reaches(beta)).unwrap_or(MAX_BLOCK);
    Hardness::of_block(beta)
}

/// Primal attack on LWE: secret of dimension `secret`, at most `samples` samples, modulus 2^`log2_q`, entries of secret
/// and error of standard deviation `sd`.
///
/// The smallest beta with sqrt(beta) sd <= delta^(2 beta - d - 1) q^(m/d), d = secret + m + 1, for some m <= `samples`
/// (Alkim et al. 2016, section 6.3).
#[must_use]
pub fn lwe_primal(secret: u32, samples: u32, log2_q: f64, sd: f64) -> Hardness {
    let fixed = f64::from(secret) + 1.0;
    let succeeds = |beta: u32| {
        let (x, b) = (log2_delta(beta), f64::from(beta));
        let need = log2(b) / 2.0 + log2(sd);
        // log2 of the right side, (2 beta - d - 1) x + (1 - fixed / d) log2 q, is concave in d with its top at
        // sqrt(fixed log2 q / x): the best whole m is next to it.
        let best = ((fixed * log2_q / x).sqrt() - fixed).floor();
        [best, best + 1.0].into_iter().any(|m| {
            let m = m.clamp(1.0, f64::from(samples.max(1)));
            let d = fixed + m;
            need <= (2.0 * b - d - 1.0) * x + m * log2_q / d
        })
    };
    let beta = (MIN_BLOCK..MAX_BLOCK).find(|&beta| succeeds(beta)).unwrap_or(MAX_BLOCK);
    Hardness::of_block(beta)
}

/// Dual-hybrid attack on LWE with a secret uniform in [-b, b]: zeta coordinates are guessed, a dual lattice of
/// dimension d = (`secret` - zeta) + `samples` gives the distinguisher for the rest.
///
/// One sieve yields 2^(0.2075 beta) dual vectors of length sqrt(4/3) delta^d q^((secret - zeta)/d); each correlates
/// with the error by e^(-2 pi^2 sd^2 length^2 / q^2), so N = (that)^-2 (1 + 2 ln #guesses) vectors tell the right guess
/// apart. Cost: the sieves that yield N vectors + N + (2b + 1)^zeta, minimised over beta and zeta. Optimistic for the
/// attacker: enumeration of guesses is charged one operation each (a fast Fourier transform), the vectors are taken as
/// independent. (Albrecht 2017; Guo, Johansson 2021; MATZOV 2022.)
#[must_use]
pub fn lwe_dual_hybrid(secret: u32, samples: u32, log2_q: f64, b: u32) -> Hardness {
    let sd = uniform_sd(b);
    let guess_bits = log2(2.0 * f64::from(b) + 1.0);
    let attempt = |beta: u32, log2_delta: f64, zeta: u32, sieve: f64| {
        let k = f64::from(secret - zeta);
        let d = k + f64::from(samples);
        let log2_length = d * log2_delta + k * log2_q / d + log2(4.0 / 3.0) / 2.0;
        let ln_correlation = 2.0 * PI * PI * sd * sd * exp2(2.0 * (log2_length - log2_q));
        let guesses = f64::from(zeta) * guess_bits;
        let vectors = 2.0 * ln_correlation / LN_2 + log2(1.0 + 2.0 * guesses * LN_2);
        let repeats = (vectors - SIEVE_VECTORS * f64::from(beta)).max(0.0);
        [sieve * f64::from(beta) + repeats, vectors, guesses]
    };
    let best = |sieve: f64| {
        let mut best = (f64::INFINITY, MAX_BLOCK);
        for beta in MIN_BLOCK..MAX_BLOCK {
            if sieve * f64::from(beta) > best.0 {
                break;
            }
            let log2_delta = log2_delta(beta);
            for zeta in 0..secret.min(512) {
                if f64::from(zeta) * guess_bits > best.0 {
                    break;
                }
                let costs = attempt(beta, log2_delta, zeta, sieve);
                // The sum is above each of its terms, and costs two exponentials and a logarithm.
                if costs.iter().all(|&cost| cost < best.0) && log2_sum(costs) < best.0 {
                    best = (log2_sum(costs), beta);
                }
            }
        }
        best
    };
    let (classical, beta) = best(CLASSICAL);
    Hardness { beta, classical, quantum: best(QUANTUM).0 }
}

/// Standard deviation of the uniform distribution on the integers in [-b, b]: sqrt(b (b + 1) / 3).
#[must_use]
pub fn uniform_sd(b: u32) -> f64 {
    (f64::from(b) * (f64::from(b) + 1.0) / 3.0).sqrt()
}

/// log2 of a sum of powers of two.
fn log2_sum(exponents: [f64; 3]) -> f64 {
    let top = exponents.into_iter().fold(f64::NEG_INFINITY, f64::max);
    top + log2(exponents.into_iter().map(|e| exp2(e - top)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published block sizes for well-known instances, each to be met within one.
    #[test]
    fn cross_checks() {
        let near = |got: Hardness, want: u32| {
            assert!(got.beta.abs_diff(want) <= 1, "beta {} instead of {want}", got.beta);
        };
        // Micciancio and Regev's style of example: n = 113, q = 2048, bound 512.
        near(sis(113.0 * 11.0, u32::MAX, 9.0), 61);
        // Falcon-512 forgery: q = 12289, dimension 2 * 512, bound 5833.93 (its specification, section 2.5.1).
        near(sis(512.0 * log2(12289.0), 1024, log2(5833.93)), 415);
        // Kyber-512 and Kyber-768: secret and error from a centred binomial of variance 3/2 and 1.
        near(lwe_primal(512, 1024, log2(3329.0), 1.5_f64.sqrt()), 406);
        near(lwe_primal(768, 1536, log2(3329.0), 1.0), 624);
    }

    /// The closed form of the best number of samples against trying all of them.
    #[test]
    fn the_best_number_of_samples() {
        for (secret, samples, log2_q, sd) in [
            (512, 1024, 11.7, 1.2),
            (1600, 1088, 32.0, 0.8),
            (1600, 40, 32.0, 0.8),
            (1, 1, 64.0, 37.2),
        ] {
            let all = (MIN_BLOCK..MAX_BLOCK).find(|&beta| {
                let (x, b) = (log2_delta(beta), f64::from(beta));
                (1..=samples).any(|m| {
                    let (m, d) = (f64::from(m), f64::from(secret + m + 1));
                    log2(b) / 2.0 + log2(sd) <= (2.0 * b - d - 1.0) * x + m * log2_q / d
                })
            });
            assert_eq!(lwe_primal(secret, samples, log2_q, sd).beta, all.unwrap_or(MAX_BLOCK));
        }
    }

    #[test]
    fn more_noise_is_harder_and_a_longer_bound_is_easier() {
        assert!(
            lwe_primal(512, 512, 12.0, 2.0).classical > lwe_primal(512, 512, 12.0, 1.0).classical
        );
        assert!(
            lwe_dual_hybrid(1024, 512, 32.0, 8).classical
                > lwe_dual_hybrid(1024, 512, 32.0, 1).classical
        );
        assert!(sis(32.0 * 512.0, 2048, 20.0).classical > sis(32.0 * 512.0, 2048, 22.0).classical);
    }

    #[test]
    fn what_is_broken_says_so() {
        // Seed parameters of the first public demonstration: r = 100, v = 3000, w = 64, 4B near 2^39.
        assert_eq!(sis(6400.0, 3000, 38.6).beta, MIN_BLOCK);
    }
}
