//! The dual-hybrid attack on LWE.

use core::f64::consts::{LN_2, PI};

use tautochrone_gauss::float::{exp2, log2};

use super::hardness::{CLASSICAL, Hardness, MAX_BLOCK, MIN_BLOCK, QUANTUM, log2_delta, uniform_sd};
use super::is_lwe;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

/// A sieve in dimension beta also returns 2^(0.2075 beta) vectors about sqrt(4/3) times as long as
/// the shortest.
const SIEVE_VECTORS: f64 = 0.2075;
/// Coordinates that the hybrid attack may guess: already 2^811 guesses for a ternary secret.
const MAX_GUESSED: u32 = 511;

/// Dual-hybrid attack on LWE with a secret uniform in [-b, b]: zeta coordinates are guessed, and a
/// dual lattice of dimension d = (`secret` - zeta) + m gives the distinguisher for the rest, with
/// m <= `samples` of the samples.
///
/// One sieve yields 2^(0.2075 beta) dual vectors of length sqrt(4/3) delta^d q^((secret - zeta)/d);
/// each correlates with the error by e^(-2 pi^2 sd^2 length^2 / q^2), so N = (that)^-2 (1 + 2 ln
/// #guesses) vectors tell the right guess apart. Cost: the sieves that yield N vectors + N + (2b +
/// 1)^zeta, minimised over beta, zeta and m; a larger number of samples therefore never makes the
/// problem harder. Optimistic for the attacker: enumeration of guesses is charged one operation
/// each (a fast Fourier transform), the vectors are taken as independent. (Albrecht 2017; Guo,
/// Johansson 2021; MATZOV 2022.) The least security unless `secret` and b are positive and `log2_q`
/// is from 1 to 65536.
#[must_use]
pub fn lwe_dual_hybrid(secret: u32, samples: u32, log2_q: f64, b: u32) -> Hardness {
    let guess_bits = log2(2.0 * f64::from(b) + 1.0);
    lwe_dual_hybrid_with(secret, samples, log2_q, uniform_sd(b), guess_bits, 0.0)
}

/// The same for entries of any distribution with a known standard deviation and a known number of
/// bits that it takes to guess an entry, and with linear combinations of the entries known modulo
/// numbers whose product is 2^`hint_bits`: a modular hint is one more vector of the dual lattice,
/// whose volume it divides by its modulus.
pub(crate) fn lwe_dual_hybrid_with(
    secret: u32,
    samples: u32,
    log2_q: f64,
    sd: f64,
    guess_bits: f64,
    hint_bits: f64,
) -> Hardness {
    if !is_lwe(secret, log2_q, sd, hint_bits) {
        return Hardness::of_block(MIN_BLOCK);
    }
    let attack = DualHybrid {
        secret: secret.into(),
        samples: samples.into(),
        log2_q,
        correlation: 2.0 * PI * PI * sd * sd,
        guess_bits,
        max_guessed: MAX_GUESSED.min(secret.saturating_sub(1)),
        log2_slack: log2(4.0 / 3.0) / 2.0,
        hint_bits,
    };
    let Some((classical, beta)) = attack.cheapest(CLASSICAL) else {
        return Hardness::of_block(MAX_BLOCK);
    };
    let most = Hardness::of_block(MAX_BLOCK).quantum;
    let quantum = attack.cheapest(QUANTUM).map_or(most, |(cost, _)| cost);
    Hardness { beta, classical, quantum }
}

/// The dual-hybrid attack on one instance.
struct DualHybrid {
    secret: f64,
    samples: f64,
    log2_q: f64,
    /// 2 pi^2 sd^2.
    correlation: f64,
    /// log2 of the number of values of a guessed coordinate.
    guess_bits: f64,
    /// Largest zeta.
    max_guessed: u32,
    /// log2 sqrt(4/3).
    log2_slack: f64,
    /// log2 of the product of the moduli of hints.
    hint_bits: f64,
}

impl DualHybrid {
    fn guesses(&self, zeta: u32) -> f64 {
        f64::from(zeta) * self.guess_bits
    }

    /// log2 of delta^d (q^k / 2^hint bits)^(1/d), k = secret - zeta, for the best d.
    fn log2_length(&self, log2_delta: f64, zeta: u32) -> f64 {
        let k = self.secret - f64::from(zeta);
        let volume = (k * self.log2_q - self.hint_bits).max(0.0);
        let length = |d: f64| {
            let d = d.clamp(k, k + self.samples);
            d * log2_delta + volume / d
        };
        // Convex in d with its least value at sqrt(k log2 q / log2 delta): the best whole d is next
        // to it.
        let best = (volume / log2_delta).sqrt().floor();
        length(best).min(length(best + 1.0))
    }

    /// log2 of the vectors that tell one guess from another; the fewer, the more is guessed.
    fn distinguishing_vectors(&self, block: Block, zeta: u32) -> f64 {
        let length = self.log2_length(block.log2_delta, zeta) + self.log2_slack;
        let ratio = exp2(2.0 * (length - self.log2_q));
        2.0 * self.correlation * ratio / LN_2
    }

    /// The cost in bits of the sieves that yield 2^`vectors` vectors.
    fn sieves(block: Block, vectors: f64, sieve: f64) -> f64 {
        sieve * block.size + (vectors - SIEVE_VECTORS * block.size).max(0.0)
    }

    /// The cost of the sieves, of the N vectors, and of the guesses, all in bits.
    fn costs(&self, block: Block, zeta: u32, sieve: f64) -> [f64; 3] {
        let guesses = self.guesses(zeta);
        let all_guesses = log2(1.0 + 2.0 * guesses * LN_2);
        let vectors = self.distinguishing_vectors(block, zeta) + all_guesses;
        [Self::sieves(block, vectors, sieve), vectors, guesses]
    }

    /// A lower bound of the cost that falls as zeta grows and, until one sieve suffices, as the
    /// block does.
    fn least_sieves(&self, block: Block, zeta: u32, sieve: f64) -> f64 {
        Self::sieves(block, self.distinguishing_vectors(block, zeta), sieve)
    }

    /// The least cost over beta and zeta, and its beta; `None` if it is above the cost of a sieve
    /// in [`MAX_BLOCK`].
    ///
    /// Sieves cost less the more is guessed, so for one beta the cost is least about where sieves
    /// and guesses cross; over beta this falls, while fewer sieves are needed, and then rises. A
    /// bisection finds a cost that is almost the least, which bounds both terms of anything better:
    /// few beta and zeta are left, and all of them are tried.
    fn cheapest(&self, sieve: f64) -> Option<(f64, u32)> {
        let crossing = |beta: u32| {
            let block = Block::new(beta);
            let (mut low, mut high) = (0, self.max_guessed);
            while low < high {
                let zeta = u32::midpoint(low, high);
                let [sieves, _, guesses] = self.costs(block, zeta, sieve);
                if sieves <= guesses { high = zeta } else { low = zeta + 1 }
            }
            // The first zeta at which guesses cost more, or the one before it.
            let costs = [low.saturating_sub(1), low].map(|zeta| self.costs(block, zeta, sieve));
            costs.map(log2_sum).into_iter().fold(f64::INFINITY, f64::min)
        };
        let mut best = (f64::INFINITY, MAX_BLOCK);
        let (mut low, mut high) = (MIN_BLOCK, MAX_BLOCK - 1);
        while low < high {
            let middle = u32::midpoint(low, high);
            let (one, next) = (crossing(middle), crossing(middle + 1));
            for (cost, beta) in [(one, middle), (next, middle + 1)] {
                if cost < best.0 {
                    best = (cost, beta);
                }
            }
            // Both are infinite where beta is far too small.
            if one < next { high = middle } else { low = middle + 1 }
        }
        if best.0 >= sieve * f64::from(MAX_BLOCK) {
            return None;
        }
        // Anything better has sieves and guesses that each cost less.
        let most_guessed = |best: f64| self.max_guessed.min((best / self.guess_bits).ceil() as u32);
        let better = |beta: u32, best: f64| {
            self.least_sieves(Block::new(beta), most_guessed(best), sieve) < best
        };
        let first =
            best.1 - (MIN_BLOCK..best.1).rev().take_while(|&b| better(b, best.0)).count() as u32;
        let bound = best.0;
        for beta in (first..MAX_BLOCK).take_while(|&beta| sieve * f64::from(beta) < bound) {
            let block = Block::new(beta);
            let guesses = (0..=most_guessed(bound)).rev();
            for zeta in guesses.take_while(|&zeta| self.least_sieves(block, zeta, sieve) < bound) {
                let cost = log2_sum(self.costs(block, zeta, sieve));
                if cost < best.0 {
                    best = (cost, beta);
                }
            }
        }
        Some(best)
    }
}

/// A block size and log2 of the root-Hermite factor that it reaches.
#[derive(Clone, Copy)]
struct Block {
    size: f64,
    log2_delta: f64,
}

impl Block {
    fn new(beta: u32) -> Self {
        Self { size: beta.into(), log2_delta: log2_delta(beta) }
    }
}

/// log2 of a sum of powers of two.
fn log2_sum(exponents: [f64; 3]) -> f64 {
    let top = exponents.into_iter().fold(f64::NEG_INFINITY, f64::max);
    top + log2(exponents.into_iter().map(|e| exp2(e - top)).sum())
}
