//! [`KeyPads`]: how many dummy columns there are, and how their pads are written.

use super::KeyRanges;
use crate::params::Params;
use tautochrone_zk_field::field::P;

/// Largest bound on a digit that is considered.
const MAX_DIGIT: u32 = 106;

/// Bits of entropy that the uniform digits of a dummy column have beyond 2 log2 N_d: 183 of
/// the element that they mask, and 256 so that it is within 2^-128 of uniform.
const ENTROPY: u32 = 183 + 256;

/// Pads of dummy columns: in the rows behind the secrets N_k uniform digits, then 3 D balanced
/// digits of gamma in K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPads {
    /// b': bound on a digit.
    pub bound: u32,
    /// D: digits of a residue.
    pub digits: u32,
    /// N_k.
    pub uniform: u32,
    /// N_d = e mu_1.
    pub columns: u32,
}

impl KeyPads {
    /// Pads for a claim about keys with these parameters.
    ///
    /// b' is the integer from 1 to 106 with the least 14 N F^2 + (v - r) N N_d b' (b' + 1) / 3, the
    /// first of them: larger digits take fewer of the N rows, each of which costs a proof about
    /// 20 bits a column of Z; they make S longer by N N_d b' (b' + 1) / 3, which costs every row
    /// about 0.7 times the ratio of that to F^2 in log2 sigma, and once more for the longer B.
    /// The minimum depends on neither scale.
    #[expect(clippy::integer_division_remainder_used, reason = "parameters are public")]
    pub fn of(params: &Params, claim: &KeyRanges) -> Self {
        let (k, squared) = (params.v() - params.r(), params.frobenius_squared());
        let columns = claim.messages() * row_rounds(params.v());
        let cost = |pads: &Self| {
            let rows = u128::from(pads.rows());
            let longer = rows * u128::from(columns * pads.bound * (pads.bound + 1) / 3);
            (14 * rows).saturating_mul(squared).saturating_add(u128::from(k) * longer)
        };
        let of_bound = |bound| Self::with(bound, columns);
        (2..=MAX_DIGIT).map(of_bound).fold(Self::with(1, columns), |best, pads| {
            if cost(&pads) < cost(&best) { pads } else { best }
        })
    }

    /// With digits up to `bound`: D is least with (2 b' + 1)^D > p, N_k with (2 b' + 1)^N_k at
    /// least 2^(183 + 256) N_d^2, both sides rounded towards more.
    fn with(bound: u32, columns: u32) -> Self {
        let base = u128::from(2 * bound + 1);
        let digits = (1..=39).find(|&digits| base.pow(digits) > P.into());
        let digits = digits.expect("3^39 > p");
        // log2 of the base in 16ths, rounded down: 213^16 < 2^124.
        let sixteenths = base.pow(16).ilog2();
        let log2_columns = columns.next_power_of_two().ilog2();
        let uniform = (16 * (ENTROPY + 2 * log2_columns)).div_ceil(sixteenths);
        Self { bound, digits, uniform, columns }
    }

    /// N = N_k + 3 D: rows of pads.
    pub const fn rows(&self) -> u32 {
        self.uniform + 3 * self.digits
    }
}

/// mu_1 of a table of v rows and one that is 0.
fn row_rounds(v: u32) -> u32 {
    (v + 1).next_power_of_two().ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{CustomParams, Security};

    /// b', N and N_d of the table in docs/sizes.md.
    #[test]
    fn pads_are_those_of_the_table() {
        for (b, l, [w, r, k], expected) in [
            (1, 1024, [28, 1152, 1416], (13, 134, 48)),
            (1, 4096, [29, 1200, 1464], (23, 115, 48)),
            (1, 65536, [31, 1296, 1560], (103, 83, 48)),
            (2, 4096, [30, 1208, 1408], (35, 104, 72)),
        ] {
            let custom = CustomParams::new(w, r, r + k, l, b);
            let custom = CustomParams { round_t: Some(0), ..custom };
            let params = custom.validate(Security::Waived).unwrap();
            let pads = KeyPads::of(&params, &KeyRanges::of(&params).unwrap());
            assert_eq!((pads.bound, pads.rows(), pads.columns), expected);
        }
    }

    /// Every bound has digits enough, by what defines D and N_k, and none too many.
    #[test]
    fn digits_suffice() {
        for bound in 1..=MAX_DIGIT {
            let pads = KeyPads::with(bound, 340);
            let base = f64::from(2 * bound + 1);
            let (bits, needed) =
                (f64::from(pads.uniform) * base.log2(), 439.0 + 2.0 * 340_f64.log2());
            let most = 1.02 * needed + 2.5 * base.log2();
            assert!((needed..most).contains(&bits), "{bits} {needed}");
            assert!(f64::from(pads.digits - 1) * base.log2() < 61.0);
            assert!(f64::from(pads.digits) * base.log2() > 61.0 - 1e-9);
        }
        assert_eq!(
            [1, 2, 10, 23, 106].map(|bound| KeyPads::with(bound, 48).digits),
            [39, 27, 14, 11, 8]
        );
        assert_eq!([1, 2, 3, 4, 1023, 1024].map(row_rounds), [1, 2, 2, 3, 10, 11]);
    }
}
