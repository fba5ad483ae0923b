//! The constants of one sigma, computed in 128-bit fixed point so that they are the same on every
//! machine.

use super::constants::{CELLS, TrialConstants};
use crate::acceptance::{POLYNOMIAL, POWERS};
use crate::bitslice::alias::AliasTable;
use crate::fixed::{LOG2_E_LESS_1, exp2_neg, log2, mul_high, mul_wide};
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;
use crate::float::power_of_two;

/// Smallest sigma.
pub(super) const MIN_SIGMA: f64 = 2.0;
/// First sigma that is too large.
pub(super) const SIGMA_LIMIT: f64 = 4_294_967_296.0;
/// Bits after the point of [`Table::exact_excess`].
pub(super) const EXACT_BITS: u32 = 112;
/// Half-width of the interval around the computed probability in which the fast comparison is not
/// trusted, in 2^-64: 2^21 for the bits of the uniform number that it does not have, and 2^20, 128
/// times the largest error of the fast path, which is below 2^13 (2^-51). Of the numbers of 43 bits
/// exactly three lie in it, around every probability.
/// With u = 2^-53, sqrt(g) is off by 1.5 u of itself and the step by 2.5 u, t by 4.5 u, t + 2
/// sqrt(g) x by 5.5 u, their product by 10 u and E by 11 u at most; that moves 2^-E by 11 u ln 2
/// (E 2^-E) < 4.1 u, and the polynomial with its rounding by 3.5 u: 2^-50.1 by this count, 2^-51.6
/// at worst in 10^6 trials. Either is far below the margin.
pub(super) const MARGIN: u64 = (1 << 21) + (1 << 20);

/// Everything a trial needs to know about sigma.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) trial: TrialConstants,
    /// Low and high 32 bits of l_x.
    pub(super) excess_halves: [[u32; CELLS]; 2],
    /// l_x in 2^-112, to about 2^-110.
    pub(super) exact_excess: [u128; CELLS],
    /// g as a fraction of 2^128.
    pub(super) g: u128,
    /// [`MARGIN`]; tests widen it.
    pub(super) margin: u64,
    pub(super) acceptance: f64,
}

impl Table {
    pub(super) fn new(sigma: f64) -> Self {
        let k = (sigma / 2.5).ceil().max(1.0) as u64;
        #[expect(clippy::integer_division_remainder_used, reason = "sigma is public")]
        let lemire = (1 << 52) % k;
        let g = exponent_scale(sigma, k);

        // Weights w_x = 2^(-g x^2), 96 bits after the point; (whole, fraction) of the exponents.
        let exponents: [(u128, u128); CELLS] =
            core::array::from_fn(|x| mul_wide(g, (x * x) as u128));
        let weights = exponents.map(
            |(whole, fraction)| if whole < 96 { exp2_neg(fraction) >> 32 >> whole } else { 0 },
        );
        let sum: u128 = weights.iter().sum();

        // units_x = ceil(w_x U), U = (2^32 - 40) / sum; the rest of 2^32 (at least 8) goes to
        // cell 0.
        const BUDGET: u128 = (1 << 32) - 40;
        let mut units = weights.map(|w| (w * BUDGET).div_ceil(sum).max(1));
        units[0] += (1 << 32) - units.iter().sum::<u128>();

        // l_x = log2(units_x) + g x^2 - log2(U), in 2^-112: at most 500 in magnitude, so 121 bits.
        let fixed =
            |(whole, fraction): (u32, u128)| i128::from(whole) << 112 | (fraction >> 16) as i128;
        let log2_u = fixed(log2(BUDGET)) - (fixed(log2(sum)) - (96 << 112));
        let exact_excess: [u128; CELLS] = core::array::from_fn(|x| {
            let (whole, fraction) = exponents[x];
            let exponent = (whole << 112 | fraction >> 16) as i128;
            let l = fixed(log2(units[x])) + exponent - log2_u;
            l.max(0) as u128
        });
        let excess = exact_excess.map(|l| l as f64 * power_of_two(-(EXACT_BITS as i32)));

        let excess_halves = [0, 32].map(|shift| excess.map(|l| (l.to_bits() >> shift) as u32));

        let root = (g as f64 * power_of_two(-128)).sqrt();
        // 32 columns of 2^27 units.
        let alias_table = AliasTable::of_masses(&units, 32, CELLS.ilog2());
        let column = |c: usize| alias_table.slots()[c];
        // Mass accepted: sum over z of rho(z) = sigma sqrt(2 pi) (to 2^-100), against K units both
        // signs, times 2^32 / U.
        let proposal = 2.0 * k as f64 * (sum as f64 * power_of_two(-96)) * (1_u64 << 32) as f64
            / BUDGET as f64;
        let acceptance = sigma * (2.0 * core::f64::consts::PI).sqrt() / proposal;
        let trial = TrialConstants {
            k,
            lemire,
            step: root / k as f64,
            slope: 2.0 * root,
            excess,
            powers: POWERS,
            polynomial: POLYNOMIAL,
            threshold: core::array::from_fn(|c| (column(c).threshold as u32) << 5),
            alias: core::array::from_fn(|c| column(c).alias.into()),
        };
        Self { trial, excess_halves, exact_excess, g, margin: MARGIN, acceptance }
    }
}

/// g = log2(e) K^2 / (2 sigma^2) as a fraction of 2^128, for the exact value of sigma; g < 1/2.
fn exponent_scale(sigma: f64, k: u64) -> u128 {
    // sigma = mantissa 2^exponent, exactly; sigma is normal and at least 2.
    let bits = sigma.to_bits();
    let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    let exponent = (bits >> 52) as i32 - 1075;
    // K^2 / (2 sigma^2) = K^2 2^(-2 exponent - 1) / mantissa^2, which is below 1/3: long division,
    // bit by bit.
    let (mut rest, divisor) = (u128::from(k * k), mantissa * mantissa);
    let mut quotient = 0_u128;
    for _ in 0..128 - 2 * exponent - 1 {
        rest <<= 1;
        let bit = u128::from(rest >= divisor);
        rest -= bit * divisor;
        quotient = quotient << 1 | bit;
    }
    quotient + mul_high(quotient, LOG2_E_LESS_1)
}
