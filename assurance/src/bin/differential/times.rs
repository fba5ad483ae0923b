//! Times of a routine on zeros and on random secrets (Reparaz, Balasch, Verbauwhede, "dude, is my
//! code constant time?", DATE 2017), compared by a sign test: within a block of measurements one
//! class takes longer, by its median, or the other one does. If times do not depend on secrets
//! both are as likely, however fast the machine is in one block and the next.

use std::cmp::Ordering;
use std::hint::black_box;
use std::time::{Duration, Instant};

use tautochrone_ctr::Stream;

use crate::routines::{Routine, Secrets};

/// Scores of more than this speak of a leak; without one it is once in two million.
pub const LIMIT: f64 = 5.0;
/// Measurements that are prepared, and then taken, at a time.
const BLOCK: usize = 64;

/// The times of one block: on zeros, and on random secrets.
type Block = [Vec<Duration>; 2];

/// By how many standard deviations more blocks have a slower class than chance would have, and the
/// number of blocks.
pub fn compare(time: Duration, random: &mut Stream, routine: &mut Routine<'_>) -> (f64, usize) {
    let mut blocks = Vec::new();
    let start = Instant::now();
    while start.elapsed() < time {
        blocks.push(measure(random, routine));
    }
    (score(&mut blocks), blocks.len())
}

fn measure(random: &mut Stream, routine: &mut Routine<'_>) -> Block {
    // All is prepared before any of it is measured, and by selection, so that neither a
    // mispredicted branch nor a store in flight tells the classes apart.
    let mut secrets = [([0; 64], 0); BLOCK];
    for (secret, class) in &mut secrets {
        random.fill_u64(&mut secret[..]);
        *class = (secret[63] >> 17 & 1) as usize;
        let keep = (*class as u64).wrapping_neg();
        for word in secret {
            *word &= black_box(keep);
        }
    }
    let mut block = Block::default();
    for (secret, class) in &secrets {
        let secret: &Secrets = black_box(secret);
        routine(secret, &mut |run| {
            let start = Instant::now();
            run();
            block[*class].push(start.elapsed());
        });
    }
    block
}

fn score(blocks: &mut [Block]) -> f64 {
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times.get(times.len() / 2).copied()
    };
    let signs = blocks.iter_mut().filter_map(|[zeros, others]| {
        let order = median(zeros)?.cmp(&median(others)?);
        (order != Ordering::Equal).then_some(f64::from(order as i8))
    });
    let (sum, count) = signs.fold((0.0, 0.0), |(sum, count), sign| (sum + sign, count + 1.0));
    if count > 0.0 { f64::abs(sum) / f64::sqrt(count) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use tautochrone_ctr::{Label, Seed};

    use super::*;

    /// Times of two classes, of which one is slower by `delay`, on a machine that is twice as slow
    /// for one half of the time.
    fn blocks(delay: u64, random: &mut Stream) -> Vec<Block> {
        let block = |machine: u64| {
            let mut words = [0; BLOCK];
            random.fill_u64(&mut words);
            let mut block = Block::default();
            for word in words {
                let class = word & 1;
                let time = machine + (word >> 32) % 10_000 + delay * class;
                block[class as usize].push(Duration::from_nanos(time));
            }
            block
        };
        [100_000; 500].into_iter().chain([200_000; 500]).map(block).collect()
    }

    #[test]
    fn a_slow_class_is_told_from_a_slow_machine() {
        let mut random = Seed::from_bytes([3; 32]).stream(Label::new("times"), 0);
        assert!(score(&mut blocks(1000, &mut random)) > LIMIT);
        assert!(score(&mut blocks(0, &mut random)) < LIMIT);
    }
}
