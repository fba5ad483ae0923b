//! Least squares of relative errors.

/// `time = fixed + columns * each`.
pub(crate) struct Fit {
    pub(crate) fixed: f64,
    pub(crate) each: f64,
}

impl Fit {
    /// Of points (columns, time), each weighted by the inverse of the square of its time: a long
    /// witness does not outweigh the short ones. Never less than nothing for `fixed`.
    pub(crate) fn new(points: &[(f64, f64)]) -> Self {
        let sum = |f: &dyn Fn(f64, f64) -> f64| {
            points.iter().map(|&(x, y)| f(x, y) / (y * y)).sum::<f64>()
        };
        let (one, x, xx) = (sum(&|_, _| 1.0), sum(&|x, _| x), sum(&|x, _| x * x));
        let (y, xy) = (sum(&|_, y| y), sum(&|x, y| x * y));
        let each = (one * xy - x * y) / (one * xx - x * x);
        let fixed = (y - each * x) / one;
        if fixed >= 0.0 { Self { fixed, each } } else { Self { fixed: 0.0, each: xy / xx } }
    }
}
