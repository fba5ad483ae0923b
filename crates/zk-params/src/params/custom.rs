//! [`CustomParams`]: parameters as a user writes them.

use alloc::vec::Vec;

use super::range::{BOUND, COLUMNS, REPETITIONS, ROWS, SIGMA, in_range};
use super::sigma::{DEFAULT_RHO, RoundedColumns};
use super::{Derived, Params, Security, default_n, narrow, sigma};

use crate::error::Error;
use crate::rejection::Rho;
use crate::rows::{Distribution, RowGroup, RowGroups};
use crate::suite::{Challenge, ChallengeKind, Expansion, Masks};

/// Parameters as a user writes them; [`CustomParams::validate`] turns them into [`Params`].
///
/// ```
/// # mod tautochrone_zk { pub use tautochrone_zk_params::{error::Error, params::*}; }
/// use tautochrone_zk::{CustomParams, Security};
///
/// // The preset T4-128 for another number of columns.
/// let custom = CustomParams::new(29, 1240, 2704, 1000, 1);
/// assert_eq!(custom, CustomParams { l: 1000, ..CustomParams::new(29, 1240, 2704, 4096, 1) });
/// assert_eq!(custom.validate(Security::Required)?.l(), 1000);
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CustomParams {
    /// Bits that every component must provide, the lattice problems included: 128 or 256.
    #[cfg_attr(feature = "serde", serde(default = "default_lambda"))]
    pub lambda: u32,
    /// log2 q: 25 to 64; from 17 on where not all masks are wide.
    pub w: u32,
    /// Rows of A and T.
    pub r: u32,
    /// Columns of A, rows of S.
    pub v: u32,
    /// Columns of S and T.
    pub l: u64,
    /// Columns of C and Z; by default lambda + 2.
    #[cfg_attr(feature = "serde", serde(default))]
    pub n: Option<u32>,
    /// Bound on |s_ij| of rows that are in no group: 1 to 2^20, and with binary challenges to 127.
    pub b: u32,
    /// Groups of rows with a bound and a distribution of their own, from the first row on. The rest
    /// of the rows is uniform in [-b, b], as all rows are by default.
    #[cfg_attr(feature = "serde", serde(default, with = "list"))]
    pub groups: [Option<RowGroup>; 3],
    /// F^2, a bound on `||S||_F^2`; by default one that follows from the distributions of the rows
    /// and that witnesses of these distributions exceed with probability below 2^-40 where v l >=
    /// 10^4; with mixed masks of the rows of messages alone. It must not depend on the witness.
    /// Ternary challenges.
    #[cfg_attr(feature = "serde", serde(default))]
    pub frobenius_squared: Option<u128>,
    /// Standard deviation of Y; by default the smallest that hides S for this rho, and with narrow
    /// masks one that leaves an entry of S 1.1 times the variance that is needed. With mixed masks,
    /// of Gaussian rows.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sigma: Option<u64>,
    /// rho: how many attempts a proof takes on average, 2 or 3; by default 2. With 3 sigma is
    /// narrower, proofs of the same dimensions are shorter, and T binds better. Where sigma is
    /// given rho follows from it ([`Params::rho`]).
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(default))]
    pub rho: Option<u32>,
    /// d, bits rounded off W; by default floor(log2 sigma) + 2, the most that leaves an entry of W
    /// enough entropy.
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(default))]
    pub round_w: Option<u32>,
    /// dT, bits rounded off T; by default as many as a proof hardly notices. 0 where T must be
    /// whole: keys that somebody else uses, columns that are compared bit by bit, and binary
    /// challenges, with which it is the default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub round_t: Option<u32>,
    /// How many rounded columns a column of T is the sum of, at most; by default 1
    /// (`Sums` sets it).
    #[cfg_attr(feature = "serde", serde(default))]
    #[doc(hidden)]
    pub residual_weight: Option<u32>,
    /// Challenge distribution.
    #[cfg_attr(feature = "serde", serde(default))]
    pub challenge: ChallengeKind,
    /// How wide Y is. Narrow masks need rows that are one group of Gaussians, whose bound is at
    /// least 14 standard deviations, ternary challenges and lambda = 128; mixed ones need groups of
    /// messages in front of it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub masks: Masks,
    /// Binary challenges: bound on the largest singular value of S; by default ceil(b (sqrt v +
    /// sqrt l)).
    #[cfg_attr(feature = "serde", serde(default))]
    pub norm_bound: Option<u64>,
    /// Where A' comes from.
    #[cfg_attr(feature = "serde", serde(default))]
    pub expansion: Expansion,
}

#[cfg(feature = "serde")]
fn default_lambda() -> u32 {
    128
}

/// The groups as a list of at most three, without the places that are empty.
#[cfg(feature = "serde")]
mod list {
    use alloc::vec::Vec;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use crate::rows::RowGroup;

    pub(super) fn serialize<S: Serializer>(
        groups: &[Option<RowGroup>; 3],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        groups.iter().flatten().collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[Option<RowGroup>; 3], D::Error> {
        let list = Vec::<RowGroup>::deserialize(deserializer)?;
        if list.len() > 3 {
            return Err(D::Error::invalid_length(list.len(), &"at most three groups"));
        }
        Ok(core::array::from_fn(|i| list.get(i).copied()))
    }
}

impl CustomParams {
    /// 128 bits, ternary challenges, every default: for modulus 2^w, A of r x v and l columns with
    /// entries uniform in [-b, b].
    #[must_use]
    pub const fn new(w: u32, r: u32, v: u32, l: u64, b: u32) -> Self {
        Self {
            lambda: 128,
            w,
            r,
            v,
            l,
            n: None,
            b,
            groups: [None; 3],
            frobenius_squared: None,
            sigma: None,
            rho: None,
            round_w: None,
            round_t: None,
            residual_weight: None,
            challenge: ChallengeKind::Ternary,
            masks: Masks::Wide,
            norm_bound: None,
            expansion: Expansion::Seed,
        }
    }

    /// Fills in the defaults, checks every range, and, unless waived, the security.
    ///
    /// # Errors
    /// [`Error::Parameter`] or [`Error::Insecure`].
    pub fn validate(&self, security: Security) -> Result<Params, Error> {
        // The inputs of the defaults come first.
        in_range("l", self.l.into(), COLUMNS, "1 to 2^31 columns")?;
        in_range("v", self.v.into(), ROWS, "1 to 2^20")?;
        in_range("b", self.b.into(), BOUND, "1 to 2^20")?;
        in_range("lambda", self.lambda.into(), 128..=256, "128 or 256")?;
        let n = self.n.unwrap_or(default_n(self.lambda));
        in_range("n", n.into(), REPETITIONS, "1 to 1024")?;
        in_range("r", self.r.into(), 1..=u128::from(self.v) - 1, "1 to v - 1")?;
        let groups = self.row_groups()?;
        let (challenge, frobenius_squared) = self.challenge(&groups)?;
        let default_sigma = match self.masks {
            Masks::Wide => {
                let rho = self.rho_of_default_sigma()?;
                sigma::needed(challenge, self.lambda, n, self.l, frobenius_squared, rho)
            }
            masks => self.narrow_sigma(&groups, n, masks)?,
        };
        let sigma = self.sigma.unwrap_or(default_sigma);
        in_range("sigma", sigma.into(), SIGMA, "2 to 2^32 - 1")?;
        let round_w = self.round_w.unwrap_or(sigma.ilog2() + 2);
        let sigma_z = match self.masks {
            Masks::Wide => sigma,
            _ => narrow::sigma_z(sigma, self.l, groups.micros()),
        };
        let unnoticed = || match challenge {
            Challenge::Ternary => {
                sigma::unnoticed_rounding(sigma_z, self.l).min(self.w.saturating_sub(2))
            }
            Challenge::Binary { .. } => 0,
        };
        let round_t = self.round_t.unwrap_or_else(unnoticed);
        in_range("round_w", round_w.into(), 1..=58, "1 to w - 6")?;
        in_range("round_t", round_t.into(), 0..=62, "0 to w - 2")?;
        let weight = self.residual_weight.unwrap_or(1);
        let mut params = Params {
            lambda: self.lambda,
            w: self.w,
            r: self.r,
            v: self.v,
            l: self.l,
            n,
            groups,
            sigma,
            norm_bound_squared: 0,
            frobenius_squared,
            round_w,
            round_t,
            residual_weight: weight,
            last: RoundedColumns::default(),
            challenge,
            masks: self.masks,
            expansion: self.expansion,
            wide: narrow::WideMasks::default(),
            derived: Derived::new(Security::Waived),
        };
        // Of these are the numbers of rows below, which must not wrap.
        params.check_groups()?;
        params.wide = params.message_masks();
        params.norm_bound_squared = params.default_norm_bound_squared();
        params.checked()?.judged(security)
    }

    /// The challenge, and F^2.
    fn challenge(&self, groups: &RowGroups) -> Result<(Challenge, u128), Error> {
        match self.challenge {
            ChallengeKind::Ternary => {
                if let Some(bound) = self.norm_bound {
                    let expected = "left out: sigma follows from F^2 where challenges are ternary";
                    return Err(Error::parameter("norm_bound", bound, expected));
                }
                let mixed = matches!(self.masks, Masks::Mixed { .. });
                let messages = groups.but_last().filter(|_| mixed).unwrap_or(*groups);
                let default = || messages.frobenius_squared(self.l);
                Ok((Challenge::Ternary, self.frobenius_squared.unwrap_or_else(default)))
            }
            ChallengeKind::Binary => {
                let expected =
                    "left out: sigma follows from norm_bound where challenges are binary";
                let left_out = self.frobenius_squared.is_none();
                Error::unless(left_out, "frobenius_squared", 1_u32, expected)?;
                let default = || sigma::random_matrix_norm(groups.bound(), self.v, self.l);
                let norm_bound = self.norm_bound.unwrap_or_else(default);
                Ok((Challenge::Binary { norm_bound }, groups.largest_frobenius_squared(self.l)))
            }
        }
    }

    /// sigma by default where not all masks are wide.
    fn narrow_sigma(&self, groups: &RowGroups, n: u32, masks: Masks) -> Result<u64, Error> {
        if let Some(rho) = self.rho {
            let expected = "left out where not all masks are wide: sigma does not follow from it";
            return Err(Error::parameter("rho", rho, expected));
        }
        let micros = narrow::checked_micros(groups, masks)?;
        let (rows, log2_proofs) = (groups.last().rows, masks.log2_proofs().unwrap_or(0));
        let narrow = narrow::Narrow::new([rows, n], self.l, log2_proofs, micros);
        let sigma = narrow.least_sigma(narrow::DEFAULT_MARGIN);
        let expected = "larger, about 4 500 000 and more, so that narrow masks can hide S";
        let hides = self.sigma.is_some() || SIGMA.contains(&sigma.into());
        Error::unless(hides, "standard deviation", micros, expected)?;
        Ok(sigma)
    }

    /// rho, which says what sigma is by default.
    fn rho_of_default_sigma(&self) -> Result<Rho, Error> {
        let Some(rho) = self.rho else { return Ok(DEFAULT_RHO) };
        let expected = "left out where sigma is given, from which it follows";
        Error::unless(self.sigma.is_none(), "rho", rho, expected)?;
        Rho::new(rho).ok_or_else(|| Error::parameter("rho", rho, "2 or 3"))
    }

    /// The largest bound on an entry.
    pub(super) fn largest_bound(&self) -> u32 {
        self.groups.iter().flatten().map(|group| group.bound).fold(self.b, u32::max)
    }

    /// The groups that are given, and one for the rest of the rows.
    pub(super) fn row_groups(&self) -> Result<RowGroups, Error> {
        let mut groups: Vec<RowGroup> = self.groups.iter().flatten().copied().collect();
        let given: u64 = groups.iter().map(|group| u64::from(group.rows)).sum();
        let rest = u64::from(self.v).checked_sub(given).ok_or_else(|| {
            Error::parameter("rows of the groups", given, "at most v, the rows of S")
        })?;
        if rest > 0 {
            groups.push(RowGroup {
                rows: rest as u32,
                bound: self.b,
                distribution: Distribution::Uniform,
            });
        }
        Ok(RowGroups::new(&groups).expect("at most one more than are given"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Weakness;
    use crate::params::tests::{name, weakness};

    /// T4-128.
    fn t4() -> CustomParams {
        CustomParams::new(29, 1240, 2704, 4096, 1)
    }

    /// T4-256.
    fn t4_256() -> CustomParams {
        CustomParams { lambda: 256, ..CustomParams::new(31, 2192, 4872, 4096, 1) }
    }

    #[test]
    fn absurd_parameters_are_named() {
        let name = |custom: CustomParams| name(custom.validate(Security::Waived));
        assert_eq!(name(CustomParams { w: 16, ..t4() }), "w");
        assert_eq!(name(CustomParams { w: 8, ..t4() }), "w");
        assert_eq!(name(CustomParams { l: 0, ..t4() }), "l");
        assert_eq!(name(CustomParams { l: 1 << 40, ..t4() }), "l");
        assert_eq!(name(CustomParams { v: 0, ..t4() }), "v");
        assert_eq!(name(CustomParams { r: 0, ..t4() }), "r");
        assert_eq!(name(CustomParams { r: t4().v, ..t4() }), "r");
        let wide = CustomParams { r: 1 << 14, v: 1 << 15, l: 1, w: 64, ..t4() };
        assert!(wide.validate(Security::Waived).is_ok());
        assert_eq!(name(CustomParams { v: wide.v + 1, ..wide }), "number of entries of A'");
        assert_eq!(name(CustomParams { n: Some(0), ..t4() }), "n");
        assert_eq!(name(CustomParams { b: (1 << 20) + 1, ..t4() }), "b");
        let binary = CustomParams { challenge: ChallengeKind::Binary, w: 64, b: 127, ..t4() };
        assert!(binary.validate(Security::Waived).is_ok());
        assert_eq!(name(CustomParams { b: 128, ..binary }), "b");
        assert_eq!(name(CustomParams { round_t: Some(1), ..binary }), "round_t");
        assert_eq!(
            name(CustomParams { frobenius_squared: Some(9), ..binary }),
            "frobenius_squared"
        );
        let sigma = Some(1 << 20);
        assert_eq!(name(CustomParams { norm_bound: Some(0), sigma, ..binary }), "norm bound");
        assert_eq!(name(CustomParams { norm_bound: Some(9), ..t4() }), "norm_bound");
        assert_eq!(name(CustomParams { b: 0, ..t4() }), "b");
        assert_eq!(name(CustomParams { sigma: Some(1), ..t4() }), "sigma");
        assert_eq!(name(CustomParams { sigma: Some(1 << 32), ..t4() }), "sigma");
        assert_eq!(name(CustomParams { sigma: Some(u64::MAX), ..t4() }), "sigma");
        assert_eq!(name(CustomParams { rho: Some(1), ..t4() }), "rho");
        assert_eq!(name(CustomParams { rho: Some(4), ..t4() }), "rho");
        assert_eq!(name(CustomParams { rho: Some(3), sigma: Some(1 << 20), ..t4() }), "rho");
        assert_eq!(name(CustomParams { lambda: 80, ..t4() }), "lambda");
        assert_eq!(name(CustomParams { lambda: 200, ..t4() }), "lambda");
        // 4 B would exceed 2^31.
        assert_eq!(name(CustomParams { sigma: Some(1 << 24), w: 32, ..t4() }), "B^2");
        assert_eq!(name(CustomParams { l: 1 << 31, ..t4() }), "b * l");
        // Groups without rows, and more rows of messages than A' is multiplied with.
        let gaussian = Distribution::Gaussian { micros: 5_000_000 };
        let log2_proofs = 0;
        for masks in [Masks::Wide, Masks::Narrow { log2_proofs }, Masks::Mixed { log2_proofs }] {
            let narrow = matches!(masks, Masks::Narrow { .. });
            let expected = if narrow { "groups of rows" } else { "rows of messages" };
            for messages in [51, 100] {
                let custom = CustomParams::new(29, 50, 100, 64, 1);
                let any = RowGroup { rows: messages, bound: 1, distribution: Distribution::Any };
                let rest = RowGroup { rows: 100 - messages, bound: 127, distribution: gaussian };
                let groups = [Some(any), Some(rest), None];
                let sigma = Some(1000);
                let got = name(CustomParams { groups, sigma, masks, ..custom });
                assert_eq!(got, expected, "{masks:?}");
                name(CustomParams { groups, masks, ..custom });
            }
            let rest = RowGroup { rows: 0, bound: 127, distribution: gaussian };
            let custom = CustomParams::new(29, 50, 100, 64, 1);
            let all = RowGroup { rows: 100, ..rest };
            name(CustomParams { groups: [Some(rest), Some(all), None], masks, ..custom });
            name(CustomParams { groups: [Some(all), Some(rest), None], masks, ..custom });
        }
    }

    /// Surplus samples do not make recovering S harder: an attacker ignores them. With every sample
    /// in the lattice it seemed to cost 2^128 and more; the formulas with the best number of
    /// samples, computed apart from this code, give less.
    #[test]
    fn a_tall_a_does_not_hide_better() {
        let tall = |w, r, v, l| CustomParams { w, r, v, l, ..t4() }.validate(Security::Required);
        for (w, r, v, expected) in [
            (32, 4000, 5544, 122.4),
            (32, 3000, 4544, 122.4),
            (32, 2000, 3560, 124.1),
            (64, 6000, 9032, 125.0),
        ] {
            for l in [64, 1024] {
                let Weakness::Attack { attack, bits, required: 128 } = weakness(tall(w, r, v, l))
                else {
                    panic!("r = {r}, v = {v}");
                };
                assert!(attack.contains("hiding") && (bits - expected).abs() < 0.05, "{bits}");
            }
        }
    }

    /// lambda is what the lattice problems provide, too.
    #[test]
    fn long_hashes_do_not_make_lattices_secure() {
        let custom = CustomParams { r: 1180, v: 2800, l: 64, ..t4() };
        assert!(custom.validate(Security::Required).is_ok());
        let long = CustomParams { lambda: 256, ..custom };
        let weak = weakness(long.validate(Security::Required));
        assert!(matches!(weak, Weakness::Attack { required: 256, .. }), "{weak}");
        let strong = t4_256();
        assert!(strong.validate(Security::Required).is_ok());
        // Of the components only hiding is below 2^256 here.
        let weak = weakness(CustomParams { v: 4832, ..strong }.validate(Security::Required));
        let Weakness::Attack { attack, bits, required: 256 } = weak else { panic!("{weak}") };
        assert!(attack.contains("hiding") && (250.0..256.0).contains(&bits), "{weak}");
    }

    /// The columns of C are as many for any number of columns of T.
    #[test]
    fn all_columns_of_chosen_statements_are_extracted() {
        for (lambda, custom) in [(128, t4()), (256, t4_256())] {
            for l in [1, 2, 3, 1024, 1025, 4096] {
                let with = |n| CustomParams { l, n, ..custom }.validate(Security::Required);
                let least = lambda + 2;
                assert_eq!(with(None).unwrap().n(), least);
                assert!(with(Some(least)).is_ok());
                assert_eq!(name(with(Some(least - 1))), "n");
            }
        }
    }
}
