//! The search for the smallest area of a rectangle: [`LANES`] areas are tried side by side, as one
//! trial is a long chain of divisions, logarithms and roots, each of which waits for the one
//! before.

use tautochrone_simd::{Isa, vectorize};

use crate::float;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;

/// Areas tried at once: two registers of AVX-512.
const LANES: usize = 16;
/// Relative width to which the area is searched: a finer one changes the rate of acceptance by less
/// than this.
const WIDTH: f64 = 1e-7;

/// The smallest feasible area of `m` rectangles up to `last`, to a relative [`WIDTH`], from above;
/// the same on every instruction set.
///
/// y_0 does not fall as the area grows. It is nearly a straight line over intervals that are wide
/// compared with the steps of the floors, and a staircase over narrow ones: a few trials are near
/// the place where a line through the ends of the bracket meets 1, the others are spread over all
/// of it.
pub(super) fn smallest(isa: Isa, sigma: f64, m: usize, last: f64) -> f64 {
    let misses = |areas: &[f64; LANES]| vectorize!(isa, misses(sigma, m, last, areas));
    // The rectangles cover the curve and half a column at 0: below this area they cannot.
    let least = sigma * core::f64::consts::FRAC_PI_2.sqrt() / m as f64;
    // The loss to right rectangles is about 3 / m of the area, to the column at 0 half of
    // 1 / sigma of it.
    let mut excess = 4.0 / m as f64 + 1.0 / sigma;
    let mut bracket = Bracket { low: (least, -1.0), high: (f64::INFINITY, f64::INFINITY) };
    while bracket.high.0 == f64::INFINITY {
        let areas =
            core::array::from_fn(|i| least * (1.0 + excess * (i + 1) as f64 / LANES as f64));
        bracket.narrow(&areas, &misses(&areas));
        excess *= LANES as f64;
    }
    while bracket.high.0 - bracket.low.0 > WIDTH * bracket.high.0 {
        let areas = bracket.trials();
        bracket.narrow(&areas, &misses(&areas));
    }
    bracket.high.0
}

/// The largest area that is known to be too small and the smallest that is known to suffice, each
/// with y_0 - 1.
struct Bracket {
    low: (f64, f64),
    high: (f64, f64),
}

impl Bracket {
    /// Ascending areas to try next.
    fn trials(&self) -> [f64; LANES] {
        const NEAR: [f64; 4] = [-3.0, -1.0, 1.0, 3.0];
        const SPREAD: usize = LANES - NEAR.len();
        let ((low, low_miss), (high, high_miss)) = (self.low, self.high);
        let width = high - low;
        let crossing = low - width * low_miss / (high_miss - low_miss);
        let spread = (1..=SPREAD).map(|i| low + width * i as f64 / (SPREAD + 1) as f64);
        let near = NEAR.into_iter().map(|i| (crossing + width * i / 256.0).clamp(low, high));
        let mut areas = [0.0; LANES];
        for (area, trial) in areas.iter_mut().zip(spread.chain(near)) {
            *area = trial;
        }
        areas.sort_unstable_by(f64::total_cmp);
        areas
    }

    /// Takes what trials of ascending areas have shown.
    fn narrow(&mut self, areas: &[f64; LANES], misses: &[f64; LANES]) {
        for (&area, &miss) in areas.iter().zip(misses) {
            if miss < 0.0 {
                if area > self.low.0 {
                    self.low = (area, miss);
                }
            } else if area < self.high.0 {
                self.high = (area, miss);
            }
        }
    }
}

/// y_0 - 1 for each area, in double precision.
#[inline(always)]
fn misses(sigma: f64, m: usize, last: f64, areas: &[f64; LANES]) -> [f64; LANES] {
    let (mut x, mut y) = ([last; LANES], [0.0; LANES]);
    for _ in 0..m {
        for ((x, y), s) in x.iter_mut().zip(&mut y).zip(areas) {
            *y += s / (1.0 + *x);
            *x = inverse(sigma, *y);
        }
    }
    y.map(
        #[inline(always)]
        |y| y - 1.0,
    )
}

/// floor(sigma sqrt(-2 ln y)) in double precision, 0 for y >= 1.
#[inline(always)]
pub(super) fn inverse(sigma: f64, y: f64) -> f64 {
    /// 2^52: adding it rounds to an integer.
    const ROUND: f64 = 4_503_599_627_370_496.0;
    let square = -2.0 * float::ln(y);
    let square = if square > 0.0 { square } else { 0.0 };
    let x = sigma * square.sqrt();
    let nearest = (x + ROUND) - ROUND;
    if nearest > x { nearest - 1.0 } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The search as such: bracketed, and the same on every instruction set.
    #[test]
    fn areas_suffice_and_smaller_ones_do_not() {
        for (sigma, m) in
            [(0.5_f64, 1), (0.5, 300), (2.0, 63), (10.0, 999), (215.0, 512), (2e9, 7999)]
        {
            let last = (13.0 * sigma).ceil();
            let area = smallest(Isa::PORTABLE, sigma, m, last);
            for isa in Isa::all() {
                assert_eq!(smallest(isa, sigma, m, last), area, "{isa}");
            }
            let miss = |s| misses(sigma, m, last, &[s; LANES])[0];
            assert!(miss(area) >= 0.0, "sigma {sigma}, m {m}");
            assert!(miss(area * (1.0 - 1.01 * WIDTH)) < 0.0, "sigma {sigma}, m {m}");
        }
    }

    #[test]
    fn inverses_are_floors() {
        for (sigma, y) in [(3.0, 1.0), (3.0, 2.0)] {
            assert_eq!(inverse(sigma, y), 0.0);
        }
        for i in 1..1000 {
            let (sigma, y) = (1e3 * f64::from(i), 1.0 / f64::from(i + 1));
            assert_eq!(inverse(sigma, y), (sigma * (-2.0 * float::ln(y)).sqrt()).floor());
        }
    }
}
