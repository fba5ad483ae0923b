//! [`Rounds`]: how long a piece of work takes.

use std::time::Instant;

use crate::failure::Failure;

/// The median and the least time of several rounds, in seconds: other programs on the machine move
/// these less than a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounds {
    /// Half of the rounds take no longer.
    pub median: f64,
    /// No round is shorter.
    pub least: f64,
}

impl Rounds {
    /// Does the work `count` times, at least once.
    pub fn measure(
        count: usize,
        mut work: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let mut times = Vec::with_capacity(count);
        for _ in 0..count {
            let start = Instant::now();
            work()?;
            times.push(start.elapsed().as_secs_f64());
        }
        Ok(Self::of(times))
    }

    /// Statistics of the times of one round or more.
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self { median: times[times.len() >> 1], least: times[0] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_round_does_not_count() {
        assert_eq!(Rounds::of(vec![3.0, 1.0, 100.0]), Rounds { median: 3.0, least: 1.0 });
        assert_eq!(Rounds::of(vec![2.0]), Rounds { median: 2.0, least: 2.0 });
        let mut done = 0;
        let measured = Rounds::measure(7, || {
            done += 1;
            Ok(())
        });
        let Rounds { median, least } = measured.expect("no failure");
        assert!(done == 7 && 0.0 <= least && least <= median);
        assert!(Rounds::measure(2, || Err(Failure::new("no"))).is_err());
    }
}
