//! Narrow masks: how wide they are, and what an S that is Gaussian is worth as a secret of LWE when
//! so many proofs about it are known (docs/protocol.md, section 15).

use core::f64::consts::{LN_2, PI};

use super::range::SIGMA;
use super::security::Entries;
use super::{Params, sigma};
use crate::error::ParameterError;
use crate::rejection::Rho;
use crate::rows::{Distribution, RowGroup, RowGroups};
use crate::suite::Masks;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;
use tautochrone_gauss::float::ln_nearest;

/// log2 of the largest number of proofs about one S.
pub(super) const MOST_LOG2_PROOFS: u32 = 20;
/// A bound on an entry of S is at least so many standard deviations, so that S is Gaussian.
pub(super) const LEAST_TAIL: u64 = 14;
/// lambda of default parameters over the least that hides: omega is a fifth larger then.
pub(super) const DEFAULT_MARGIN: f64 = 1.1;

/// What hides the Gaussian rows of S.
#[derive(Clone, Copy, Debug)]
pub(super) struct Narrow {
    /// sigma_0 in millionths.
    pub(super) micros: u64,
    /// s^2: a bound on the squared norm of a row of all challenges together.
    row_squared: f64,
    /// eta^2.
    eta_squared: f64,
}

impl Narrow {
    /// For so many Gaussian rows of l columns and proofs of n columns.
    pub(super) fn new([rows, n]: [u32; 2], l: u64, log2_proofs: u32, micros: u64) -> Self {
        let eta_squared = eta_squared(rows, l);
        Self { micros, row_squared: row_squared(n, l, log2_proofs), eta_squared }
    }

    /// lambda: the variance of an entry of S, given all hints of it.
    fn lambda(self, sigma: u64) -> f64 {
        let (sigma_0, sigma) = (self.micros as f64 / 1e6, sigma as f64);
        1.0 / (1.0 / (sigma_0 * sigma_0) + self.row_squared / (sigma * sigma))
    }

    /// The least sigma for which lambda is at least `margin` times 4 eta^2; 2^32, which none is, if
    /// no sigma does.
    pub(super) fn least_sigma(self, margin: f64) -> u64 {
        let hides = |sigma| self.lambda(sigma) >= margin * (4.0 * self.eta_squared);
        let (mut low, mut high) = (0, *SIGMA.end() as u64 + 1);
        while high - low > 1 {
            let middle = u64::midpoint(low, high);
            if hides(middle) { high = middle } else { low = middle }
        }
        high
    }

    /// What LWE has for secrets and errors: Gaussians of variance omega^2.
    pub(super) fn entries(self, sigma: u64) -> Entries {
        Entries::gaussian(omega(self.lambda(sigma), self.eta_squared))
    }
}

/// s^2 = min(N, N / 2 + sqrt(N (128 ln 2 + ln l) / 2)), N = n 2^Lp: each of the l rows of N entries
/// has at most this squared norm, but for 2^-128 for any of them (Hoeffding).
pub(super) fn row_squared(n: u32, l: u64, log2_proofs: u32) -> f64 {
    let count = (u64::from(n) << log2_proofs) as f64;
    let beyond = count * (128.0 * LN_2 + ln_nearest(l as f64)) / 2.0;
    count.min(count / 2.0 + beyond.sqrt())
}

/// eta^2 = (ln(16 v l) + 100 ln 2) / (2 pi^2), for v Gaussian rows.
pub(super) fn eta_squared(v: u32, l: u64) -> f64 {
    (ln_nearest(16.0 * f64::from(v) * l as f64) + 100.0 * LN_2) / (2.0 * PI * PI)
}

/// omega: the larger root of omega^2 (1 - omega^2 / lambda) = eta^2; sqrt(lambda / 2) where there
/// is none, for parameters that are refused.
pub(super) fn omega(lambda: f64, eta_squared: f64) -> f64 {
    let root = (1.0 - 4.0 * eta_squared / lambda).max(0.0).sqrt();
    (lambda / 2.0 * (1.0 + root)).sqrt()
}

/// c: what the squared norm of a column of C exceeds with probability below 2^-72.
pub(super) fn column_squared(l: u64) -> u64 {
    l.min(l.div_ceil(2) + 5 * ceil_sqrt(l.into()) as u64)
}

/// sigma_Z: the square root of sigma^2 + c sigma_0^2, rounded up.
pub(super) fn sigma_z(sigma: u64, l: u64, micros: u64) -> u64 {
    let square = |x: u64| u128::from(x) * u128::from(x);
    let of_s = u128::from(column_squared(l)) * square(micros);
    ceil_sqrt(square(sigma) + of_s.div_ceil(1_000_000_000_000)) as u64
}

fn ceil_sqrt(x: u128) -> u128 {
    let root = x.isqrt();
    root + u128::from(root * root < x)
}

/// sigma_0 of S in millionths.
///
/// # Errors
/// [`ParameterError`] unless rows are one group of Gaussians, cut off no nearer than 14 standard
/// deviations from 0, and with mixed masks groups of messages in front of it; and for more proofs
/// than 2^20.
pub(super) fn checked_micros(groups: &RowGroups, masks: Masks) -> Result<u64, ParameterError> {
    let log2_proofs = masks.log2_proofs().unwrap_or(0);
    let few = log2_proofs <= MOST_LOG2_PROOFS;
    ParameterError::unless(few, "log2 of the number of proofs", log2_proofs, "0 to 20")?;
    let mixed = matches!(masks, Masks::Mixed { .. });
    let messages = groups.but_last();
    let of_messages = |group: &RowGroup| group.distribution == Distribution::Any;
    let fits = match messages {
        Some(messages) => mixed && messages.as_slice().iter().all(of_messages),
        None => !mixed,
    };
    let (name, got) = ("groups of rows", groups.as_slice().len() as u128);
    let RowGroup { distribution: Distribution::Gaussian { micros }, bound, .. } = groups.last()
    else {
        let expected = "the last one of Gaussians, where their masks are narrow";
        return Err(ParameterError { name, got, expected });
    };
    let expected = "one, of Gaussians, where masks are narrow; with mixed ones behind messages";
    ParameterError::unless(fits, name, got, expected)?;
    let beyond = LEAST_TAIL.saturating_mul(micros) > 1_000_000 * u64::from(bound);
    let expected = "at most b / 14, in millionths, where masks are narrow";
    ParameterError::unless(!beyond, "standard deviation", micros, expected)?;
    Ok(micros)
}

/// Wide masks of rows of messages in front of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WideMasks {
    /// k_m.
    pub(super) rows: u32,
    /// sigma_m, the least that hides messages within F^2 where rho is 2.
    pub(super) sigma: u64,
    /// B_m^2 = floor(kappa^2 sigma_m^2 k_m), kappa being the factor for k_m rows.
    pub(super) norm_bound_squared: u128,
}

impl Params {
    /// What hides Gaussian rows, if their masks are narrow.
    pub(super) fn narrow(&self) -> Option<Narrow> {
        let log2_proofs = self.masks.log2_proofs()?;
        let micros = checked_micros(&self.groups, self.masks).expect("checked");
        let rows = self.groups.last().rows;
        Some(Narrow::new([rows, self.n], self.l, log2_proofs, micros))
    }

    /// The rows of messages with mixed masks, and what follows from their number and F^2.
    pub(super) fn message_masks(&self) -> WideMasks {
        let (Masks::Mixed { .. }, Some(groups)) = (self.masks, self.groups.but_last()) else {
            return WideMasks::default();
        };
        let rows = groups.as_slice().iter().map(|group| group.rows).fold(0, u32::saturating_add);
        if rows == 0 {
            return WideMasks::default();
        }
        let Self { lambda, n, frobenius_squared, .. } = *self;
        let sigma = sigma::of_frobenius(lambda, n, frobenius_squared, Rho::Two);
        // Out of range it is refused.
        let most = sigma.min(1 << 32) as f64;
        let norm = sigma::kappa_squared(rows, n) * ((most * most) * f64::from(rows));
        WideMasks { rows, sigma, norm_bound_squared: norm.floor() as u128 }
    }

    /// What narrow masks ask for besides, of a header that somebody else wrote, too: with a smaller
    /// B^2 or a larger dT a prover would throw attempts away, and what is left would be chosen by
    /// S. Known widths and tails, and an F^2 that nothing honest exceeds, keep S Gaussian.
    pub(super) fn check_narrow(&self) -> Result<(), ParameterError> {
        if self.masks == Masks::Wide {
            return Ok(());
        }
        checked_micros(&self.groups, self.masks)?;
        let unless =
            |holds, name, got: u128, expected| ParameterError::unless(holds, name, got, expected);
        let ternary = self.challenge == crate::suite::Challenge::Ternary;
        unless(ternary, "challenge", 1, "0 (ternary) where masks are narrow")?;
        let (lambda, weight) = (self.lambda, self.residual_weight);
        unless(lambda == 128, "lambda", lambda.into(), "128 where masks are narrow")?;
        let expected = "1: there are no sums of columns where masks are narrow";
        unless(weight == 1, "residual_weight", weight.into(), expected)?;
        super::range::in_range("sigma_Z", self.sigma_z().into(), SIGMA, "2 to 2^32 - 1")?;
        if matches!(self.masks, Masks::Mixed { .. }) {
            let WideMasks { sigma, norm_bound_squared, .. } = self.wide;
            super::range::in_range("sigma_m", sigma.into(), SIGMA, "2 to 2^32 - 1")?;
            let most = (1 << (2 * self.w - 6)) - 1;
            let expected = "below 2^(2 w - 6), that is 4 B_m < 2^(w-1); take a larger w";
            super::range::in_range("B_m^2", norm_bound_squared, 1..=most, expected)?;
        }
        let expected = "so small that sigma_Z^2 + c 4^round_t / 12 is at most 2 4^round_w, where \
                        masks are narrow";
        unless(self.rounded().narrow_hints_fit(), "round_t", self.round_t.into(), expected)?;
        // Else provers would make proofs of short S alone, which are not Gaussian.
        let expected = "at least the formula's where masks are narrow";
        let (got, least) = (self.frobenius_squared, self.groups.frobenius_squared(self.l));
        let is_narrow = matches!(self.masks, Masks::Narrow { .. });
        unless(!is_narrow || got >= least, "F^2", got, expected)?;
        let (got, least) = (self.norm_bound_squared, self.default_norm_bound_squared());
        unless(got >= least, "B^2", got, expected)
    }
}

#[cfg(test)]
mod tests;
