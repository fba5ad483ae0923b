//! [`Chords`]: the improved partition. Extra points on the curve inside each right rectangle,
//! joined by chords that decide most draws without an exponential.

use alloc::vec::Vec;

use super::partition::Partition;
use crate::error::Error;
use crate::float::power_of_two;

/// Most extra points in a rectangle.
pub(super) const MAX_POINTS: u32 = 255;

/// How the curve bends over a right rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bend {
    /// Across the inflection point, or empty: no chord decides.
    None,
    /// X_i <= sigma: every chord lies below the curve.
    Down,
    /// X_{i-1} >= sigma: every chord lies above it.
    Up,
}

#[derive(Clone, Debug)]
struct Rectangle {
    bend: Bend,
    /// Whether it has extra points: not where S1 / S2 <= 2, near the inflection point.
    extra: bool,
    /// Index of its first knot.
    start: u32,
    left: u64,
    /// 1 / (X_i - X_{i-1}).
    scale: f64,
}

/// The knots of all right rectangles, in units of p(i, x).
///
/// Knot j of K + 1 lies at X_{i-1} + (X_i - X_{i-1}) j / K, K = factor + 1. Knots are moved off the
/// curve, down where it is concave down and up where it is concave up, by more than the error of
/// level 1: a chord never decides a draw that the exact comparison would decide otherwise, nor one
/// that it would find close.
#[derive(Clone, Debug)]
pub(super) struct Chords {
    rectangles: Vec<Rectangle>,
    knots: Vec<f64>,
    factor: u32,
}

impl Chords {
    pub(super) fn new(partition: &Partition, factor: u32) -> Result<Self, Error> {
        if factor > MAX_POINTS {
            return Err(Error::Points { got: factor, limit: MAX_POINTS });
        }
        let (sigma, corners, curve) = (partition.sigma(), partition.corners(), &partition.curve);
        let mut chords = Self { rectangles: Vec::new(), knots: Vec::new(), factor };
        for i in 1..=partition.rectangles() {
            let (left, right) = (corners[i - 1], corners[i]);
            let bend = if left >= right {
                Bend::None
            } else if right as f64 <= sigma {
                Bend::Down
            } else if left as f64 >= sigma {
                Bend::Up
            } else {
                Bend::None
            };
            let extra = !in_zone(right as f64 / sigma);
            let start = chords.knots.len() as u32;
            let width = (right - left) as f64;
            if bend != Bend::None {
                let segments = if extra { factor + 1 } else { 1 };
                let (c, b) = partition.line(i);
                for j in 0..=segments {
                    let at = left as f64 + width * j as f64 / segments as f64;
                    let (p, error) = curve.level_1(c, b, at);
                    let margin = 4.0 * error + power_of_two(-40);
                    chords.knots.push(if bend == Bend::Down { p - margin } else { p + margin });
                }
            }
            chords.rectangles.push(Rectangle {
                bend,
                extra,
                start,
                left,
                scale: 1.0 / width.max(1.0),
            });
        }
        chords.knots.shrink_to_fit();
        Ok(chords)
    }

    pub(super) fn factor(&self) -> u32 {
        self.factor
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.knots.capacity() * size_of::<f64>()
            + self.rectangles.capacity() * size_of::<Rectangle>()
    }

    /// Rectangles without extra points: `count` of the thesis.
    pub(super) fn plain(&self) -> usize {
        self.rectangles.iter().filter(|r| !r.extra).count()
    }

    pub(super) fn bend(&self, i: usize) -> Bend {
        self.rectangles[i - 1].bend
    }

    #[cfg(test)]
    pub(super) fn has_extra(&self, i: usize) -> bool {
        self.rectangles[i - 1].extra
    }

    /// The chord of the segment that holds x, X_{i-1} < x <= X_i, at x.
    #[inline]
    pub(super) fn at(&self, i: usize, x: u64) -> f64 {
        let r = &self.rectangles[i - 1];
        let segments = if r.extra { self.factor + 1 } else { 1 };
        let z = (x - r.left) as f64 * r.scale * f64::from(segments);
        let segment = (z as u32).min(segments - 1);
        let fraction = z - f64::from(segment);
        let first = (r.start + segment) as usize;
        let (a, b) = (self.knots[first], self.knots[first + 1]);
        a + (b - a) * fraction
    }

    /// Whether u < p(i, x), if the chord tells.
    #[inline]
    pub(super) fn decide(&self, i: usize, x: u64, u: f64) -> Option<bool> {
        match self.bend(i) {
            Bend::Down if u < self.at(i, x) => Some(true),
            Bend::Up if u > self.at(i, x) => Some(false),
            _ => None,
        }
    }
}

/// Whether the slope at t sigma is at least half of the steepest, at sigma:
/// S1 / S2 = exp((t^2 - 1) / 2) / t <= 2.
fn in_zone(t: f64) -> bool {
    // exp is only needed for arguments that matter: beyond t = 3 the slope is far below half.
    t > 0.0 && t < 3.0 && crate::float::exp_neg(t * t / 2.0) * t >= 0.5 * crate::float::exp_neg(0.5)
}
