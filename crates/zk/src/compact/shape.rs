//! From dimensions to widths and bounds.

use crate::params::sigma;

/// Dimensions of a statement, and what follows from them. All of it is public, and goes into the
/// header of a statement, so it is the same on every platform: the logarithms are rounded to
/// nearest, the rest is what IEEE 754 fixes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    /// Bits that every component must provide.
    pub(super) lambda: u32,
    /// log2 q.
    pub(super) w: u32,
    /// Rows of T.
    pub(super) r: u32,
    /// Columns of A': v - r.
    pub(super) kappa: u32,
    /// Columns of T.
    pub(super) l: u64,
    /// Columns of C.
    pub(super) n: u32,
    /// Bound on the entries of S.
    pub(super) b: u32,
    /// F^2: a bound on the squared Frobenius norm of S.
    pub(super) frobenius: u128,
    /// Standard deviation of Y.
    pub(super) sigma: u64,
    /// Bits that are rounded off W.
    pub(super) d: u32,
    /// Bits that are rounded off T.
    pub(super) dt: u32,
    /// B^2: a bound on the squared norm of a column of (Z_1, E).
    pub(super) norm_bound: u128,
}

/// Whether T is published rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounded {
    /// T is whole: it comes from outside, or its columns are compared bit by bit.
    No,
    /// T loses as many bits as a proof hardly notices.
    Yes,
}

/// F^2 for v l entries uniform in [-b, b]: ceil(m_2 v l + 8 sqrt(m_v v l)), with the mean m_2 = b
/// (b + 1) / 3 and the variance m_v of a squared entry. A sum of v l of them exceeds it with
/// probability below 2^-40 where v l >= 10^4. It does not depend on the witness.
pub(super) fn uniform_frobenius(b: u32, v: u32, l: u64) -> u128 {
    let (b, count) = (f64::from(b), f64::from(v) * l as f64);
    let mean = b * (b + 1.0) / 3.0;
    // E s^4 = b (b + 1) (3 b^2 + 3 b - 1) / 15.
    let variance = b * (b + 1.0) * (3.0 * b * b + 3.0 * b - 1.0) / 15.0 - mean * mean;
    (mean * count + 8.0 * (variance * count).sqrt()).ceil() as u128
}

impl Shape {
    /// Sigma, d, dT and B^2 for these dimensions; d is floor(log2 sigma) + 1 + `extra`.
    #[allow(clippy::too_many_arguments)] // the header's fields
    pub(super) fn new(
        lambda: u32,
        w: u32,
        [r, kappa, n]: [u32; 3],
        l: u64,
        b: u32,
        frobenius: u128,
        rounded: Rounded,
        extra: u32,
    ) -> Self {
        let sigma = sigma::of_frobenius(lambda, n, (frobenius as f64).sqrt());
        let d = sigma.ilog2() + 1 + extra;
        // The largest power of two up to 0.6 sigma sqrt(24 / l): its share of the spread of E is
        // then at most 0.36 sigma^2.
        let dt = match rounded {
            Rounded::No => 0,
            Rounded::Yes => (0..w - 1)
                .take_while(|&dt| {
                    l as f64 * 4.0_f64.powi(dt.cast_signed()) <= 8.64 * (sigma as f64).powi(2)
                })
                .last()
                .unwrap_or(0),
        };
        let mut shape =
            Self { lambda, w, r, kappa, l, n, b, frobenius, sigma, d, dt, norm_bound: 0 };
        let rows = f64::from(kappa) + f64::from(r) * shape.error_factor();
        let factor = sigma::norm_factor_squared(r + kappa, n);
        shape.norm_bound = (factor * (sigma as f64).powi(2) * rows).floor() as u128;
        shape
    }

    /// f^2: the variance of an entry of E over sigma^2. To Z_2's it adds what is rounded off W,
    /// uniform in an interval of length 2^d, and the sum of l c_k / 2 entries rounded off T.
    pub(super) fn error_factor(&self) -> f64 {
        let square = (self.sigma as f64).powi(2);
        let power = |bits: u32| 4.0_f64.powi(bits.cast_signed());
        let of_t = if self.dt == 0 { 0.0 } else { self.l as f64 * power(self.dt) / 24.0 };
        1.0 + (power(self.d) / 12.0 + of_t) / square
    }

    /// s^2 + 1/6: the variance of a hint, s^2 = (sigma^2 + l 4^dT / 24) / 4^d being that of
    /// (Z_2 - T_0 C) / 2^d, and two roundings. As a fraction.
    pub(super) fn hint_variance(&self) -> [u128; 2] {
        let square = u128::from(self.sigma) * u128::from(self.sigma);
        let of_t = if self.dt == 0 { 0 } else { u128::from(self.l) << (2 * self.dt) };
        [24 * square + of_t + (4 << (2 * self.d)), 24 << (2 * self.d)]
    }
}

#[cfg(test)]
mod tests {
    use tautochrone_ctr::{Label, Seed};
    use tautochrone_gauss::facct::Facct;

    use super::super::{hints, packing};
    use super::*;
    use crate::codec;
    use crate::estimate;
    use crate::suite::Encoding;

    /// The sets of parameters, l, b, w, r, kappa, n, d and dT, and log2 4 B: computed
    /// independently.
    const SETS: [([u32; 8], f64); 6] = [
        ([1024, 1, 28, 1120, 1408, 140, 19, 14], 25.95),
        ([4096, 1, 29, 1176, 1456, 142, 20, 14], 27.01),
        ([65536, 1, 31, 1296, 1552, 146, 23, 14], 29.34),
        ([1024, 64, 34, 1328, 1152, 140, 25, 19], 31.54),
        ([4096, 64, 35, 1392, 1200, 142, 26, 20], 32.67),
        ([65536, 64, 37, 1488, 1288, 146, 28, 20], 34.76),
    ];

    /// 128 bits each, sigma and the relaxed bound as stated; and no further step of rounding is
    /// free.
    #[test]
    fn compact_sets_are_secure() {
        for ([l, b, w, r, kappa, n, d, dt], log2_4b) in SETS {
            let l = u64::from(l);
            let frobenius = uniform_frobenius(b, r + kappa, l);
            let shape =
                |extra| Shape::new(128, w, [r, kappa, n], l, b, frobenius, Rounded::Yes, extra);
            let shape = [shape(0), shape(1)].into_iter().find(|shape| shape.d == d);
            let shape = shape.expect("d is floor(log2 sigma) + 1 or + 2");
            assert_eq!(shape.dt, dt, "l = {l}, b = {b}");
            let log2_bound = 2.0 + (shape.norm_bound as f64).log2() / 2.0;
            assert!((log2_bound - log2_4b).abs() < 0.02, "{log2_bound}, stated: {log2_4b}");
            assert!(log2_bound < f64::from(w - 1), "4 B < q / 2");
            assert!((1.09..2.7).contains(&shape.error_factor()), "{}", shape.error_factor());
            let bits = [
                estimate::sis(f64::from(r * w), r + kappa, log2_bound),
                estimate::lwe_primal(kappa, r, w.into(), estimate::uniform_sd(b)),
                estimate::lwe_dual_hybrid(kappa, r, w.into(), b),
            ]
            .map(|hardness| hardness.classical);
            assert!(bits.iter().all(|&bits| bits >= 128.0), "l = {l}, b = {b}: {bits:?}");
            if (l, b) == (4096, 1) {
                assert_eq!(shape.sigma, 516_687);
            }
        }
    }

    /// Sizes in KiB and MiB: of a proof by suite 2, of the hints in
    /// it, and of T whole and rounded.
    const SIZES: [[f64; 4]; 6] = [
        [509.0, 28.0, 3.83, 1.91],
        [561.0, 30.0, 16.5, 8.6],
        [662.0, 23.0, 312.0, 172.0],
        [528.0, 26.0, 5.5, 2.4],
        [582.0, 30.0, 23.7, 10.2],
        [690.0, 34.0, 428.0, 198.0],
    ];

    #[test]
    fn proofs_and_statements_are_as_small_as_stated() {
        let label = Label::new("tautochrone-zk compact sizes");
        for (([l, b, w, r, kappa, n, d, _], _), size) in SETS.into_iter().zip(SIZES) {
            let l = u64::from(l);
            let frobenius = uniform_frobenius(b, r + kappa, l);
            let shape = [0, 1]
                .map(|extra| {
                    Shape::new(128, w, [r, kappa, n], l, b, frobenius, Rounded::Yes, extra)
                })
                .into_iter()
                .find(|shape| shape.d == d)
                .expect("d is one of the two");
            let mut stream = Seed::from_bytes([9; 32]).stream(label, l);
            let mut z = vec![0; (kappa * n) as usize];
            Facct::new(shape.sigma as f64).unwrap().fill(&mut stream, &mut z);
            let z = codec::encode(Encoding::Rans, &z, shape.sigma).len();
            // V - W is as good as Gaussian: Z_2 and a sum of many residues.
            let rounding = shape.of_w();
            let spread = (shape.hint_variance()[0] as f64 / shape.hint_variance()[1] as f64
                - 1.0 / 6.0)
                .sqrt()
                * 2.0_f64.powi(d.cast_signed());
            let mut shifts = vec![0; (r * n) as usize];
            Facct::new(spread).unwrap().fill(&mut stream, &mut shifts);
            let mut words = vec![0_u8; 8 * shifts.len()];
            stream.fill(&mut words);
            let words = words.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
            let hints: Vec<i64> = words
                .zip(shifts)
                .map(|(w, x)| {
                    let v = w.wrapping_add(i64::cast_unsigned(x));
                    rounding.difference(rounding.high(w), rounding.high(v))
                })
                .collect();
            let hints = hints::encode(Encoding::Rans, &hints, shape.hint_variance()).len();
            let columns = |width| packing::column_bytes(r as usize, width) as f64 * l as f64;
            let kib = |bytes: usize| bytes as f64 / 1024.0;
            let mib = |bytes: f64| bytes / f64::from(1 << 20);
            let got =
                [kib(z + hints + 100), kib(hints), mib(columns(w)), mib(columns(w - shape.dt))];
            for (got, stated) in got.into_iter().zip(size) {
                assert!((got - stated).abs() < 0.01 * stated + 0.6, "{got}, stated: {size:?}");
            }
        }
    }

    /// Moments of the uniform distribution, by summing.
    #[test]
    fn frobenius_bounds_follow_from_moments() {
        for b in [1_u32, 2, 5, 64, 127, 1000] {
            let count = f64::from(2 * b + 1);
            let moment = |k: i32| {
                let b = b.cast_signed();
                (-b..=b).map(|s| f64::from(s).powi(k)).sum::<f64>() / count
            };
            let (m2, m4) = (moment(2), moment(4));
            let entries = 3000.0 * 500.0;
            let expected = m2 * entries + 8.0 * ((m4 - m2 * m2) * entries).sqrt();
            let got = uniform_frobenius(b, 3000, 500) as f64;
            assert!((got - expected).abs() <= 1.0 + 1e-9 * expected, "b = {b}");
        }
    }
}
