//! The parameters of the thesis' tables, and its figures.

/// Bits of precision.
pub(crate) const OMEGA: u32 = 106;
pub(crate) const SIGMAS: [f64; 4] = [10.0, 32.0, 1000.0, 1.6e5];
pub(crate) const RECTANGLES: [usize; 6] = [63, 499, 999, 1999, 3999, 7999];

/// Seconds per million samples of the thesis: plain Ziggurat, and improved partitions with factor
/// 1.
pub(crate) const DRAW: [[(f64, f64); 6]; 4] = [
    [(23.7, 16.1), (9.61, 9.19), (8.34, 7.8), (7.94, 7.78), (7.53, 7.25), (7.36, 7.16)],
    [(21.26, 15.9), (9.6, 8.59), (8.27, 7.91), (8.11, 7.61), (7.49, 7.25), (7.36, 7.29)],
    [(20.99, 15.6), (8.94, 8.62), (8.19, 7.94), (7.86, 7.61), (7.53, 7.41), (7.39, 7.3)],
    [(20.14, 15.2), (9.36, 8.72), (8.06, 7.99), (7.8, 7.74), (7.42, 7.39), (7.42, 7.34)],
];

/// Seconds to partition of the thesis, by m and sigma.
pub(crate) const PARTITION: [[f64; 4]; 6] = [
    [8.011, 8.456, 8.060, 8.012],
    [72.810, 64.439, 62.560, 66.497],
    [187.144, 148.078, 124.828, 119.119],
    [424.449, 297.494, 248.006, 269.375],
    [1630.223, 1086.901, 648.892, 535.595],
    [3979.862, 1954.301, 1041.865, 800.012],
];
