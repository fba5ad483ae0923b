//! Minimisations compared with trying everything.

use super::*;

fn new(secret: u32, samples: u32, log2_q: f64, b: u32) -> DualHybrid {
    let guess_bits = log2(2.0 * f64::from(b) + 1.0);
    DualHybrid::new(secret, samples, log2_q, uniform_sd(b), guess_bits)
}

/// The dual attack by trying every block size and every number of guesses.
fn exhaustive(attack: &DualHybrid, sieve: f64) -> Option<f64> {
    let mut best = sieve * f64::from(MAX_BLOCK);
    for beta in MIN_BLOCK..MAX_BLOCK {
        let block = Block::new(beta);
        for zeta in 0..=attack.max_guessed {
            let costs = attack.costs(block, zeta, sieve);
            if costs.iter().all(|&cost| cost < best) {
                best = best.min(log2_sum(costs));
            }
        }
    }
    (best < sieve * f64::from(MAX_BLOCK)).then_some(best)
}

#[test]
fn the_cheapest_dual_attack_is_found() {
    for (secret, samples, log2_q, b) in [
        (1544, 4000, 32.0, 1),
        (40, 60, 12.0, 1),
        (200, 100, 25.0, 40),
        (1600, 1088, 32.0, 1),
        (1952, 800, 64.0, 64),
        (2752, 2048, 32.0, 1),
        (500, 300, 36.0, 15),
        (300, 20, 32.0, 127),
        (8, 8, 64.0, 3),
        (1, 1, 32.0, 1),
        (7000, 6000, 32.0, 127),
        (1 << 18, 900, 64.0, 1),
    ] {
        let attack = new(secret, samples, log2_q, b);
        for sieve in [CLASSICAL, QUANTUM] {
            let found = attack.cheapest(sieve).map(|(cost, _)| cost);
            assert_eq!(found, exhaustive(&attack, sieve), "{secret}, {samples}, {log2_q}, {b}");
        }
    }
}

/// The closed form of the best number of samples against trying all of them.
#[test]
fn the_dual_attack_uses_the_best_number_of_samples() {
    for (secret, samples, log2_q, b, beta, zeta) in [
        (1544_u32, 4000_u32, 32.0, 1, 419, 74),
        (1600, 1088, 32.0, 1, 452, 80),
        (600, 3000, 64.0, 64, 60, 3),
    ] {
        let attack = new(secret, samples, log2_q, b);
        let x = log2_delta(beta);
        let least = (0..=samples)
            .map(|m| f64::from(secret - zeta + m))
            .map(|d| d * x + f64::from(secret - zeta) * log2_q / d)
            .fold(f64::INFINITY, f64::min);
        assert_eq!(attack.log2_length(x, zeta), least);
    }
}
