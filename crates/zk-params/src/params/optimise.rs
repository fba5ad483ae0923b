//! [`Goal`]: the smallest proof for a witness and a level of security.
#![expect(clippy::integer_division_remainder_used, reason = "parameters are public")]

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::narrow::{
    DEFAULT_MARGIN, LEAST_TAIL, MOST_LOG2_PROOFS, Narrow, eta_squared, row_squared,
};
use super::range::{COLUMNS, ROWS, in_range};
use super::security::Entries;
use super::{CustomParams, Params, Security, default_n};
use crate::error::Error;
use crate::keys::{Extended, HINT_BITS, KeyRanges};
use crate::rows::{DIGIT_BOUND, Distribution, MAX_GROUPS, PAD_BOUND, RowGroup, RowGroups};
use crate::suite::{ChallengeKind, Masks};
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

/// The goal of a search for parameters.
///
/// ```
/// # mod tautochrone_zk { pub use tautochrone_zk_params::{error::Error, params::*}; }
/// use tautochrone_zk::{Goal, Security};
///
/// // The smallest proof for 4096 columns with entries of -1, 0 and 1.
/// let params = Goal::new(1, 4096).optimise()?.validate(Security::Required)?;
/// assert!(params.estimate().hiding().classical >= 128.0);
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Bits of statistical security and of challenge entropy: 128 or 256.
    pub lambda: u32,
    /// log2 q; sought from 25 to 64, or from 17 on with narrow masks, where it is not given.
    pub w: Option<u32>,
    /// Bound on the entries of the witness; with narrow masks it is that of `secrets`, or 127.
    pub b: u32,
    /// Columns of the witness.
    pub l: u64,
    /// Rows of the witness that hold messages
    /// (`MessageSpace`), which hide nothing: 0 where all
    /// entries are secret.
    pub message_rows: u32,
    /// Bound on the entries of messages; b where it is absent.
    pub message_bound: Option<u32>,
    /// Bound on the squared norm of a message, for messages that are known to be shorter than their
    /// bound allows, as with a claim about their norm (`RowNorm`): F^2 and with it sigma follow
    /// from it. Messages of a larger norm, all columns together, are refused. Rows times bound
    /// squared where it is absent.
    pub message_norm_squared: Option<u64>,
    /// Rows of pads for claims about the messages (`Layout::pad_rows`). With lambda = 128, and entries
    /// that are uniform in [-b, b] in all other rows.
    pub pad_rows: u32,
    /// Rows of messages and pads where places are elements of F (`Layout::of_scalars`), 0 in all other
    /// statements; otherwise as [`Self::pad_rows`].
    pub digit_rows: u32,
    /// Bound on their entries.
    pub digit_bound: u32,
    /// Hints that proofs of keys' being well formed (`ExactKeys`) may give away: the smallest such
    /// proof is sought, of keys that stay secure with so many of them. 0 where none are to be made. With lambda = 128,
    /// T whole, and no message rows.
    pub key_hints: u32,
    /// Bound and distribution of the other rows that A' is multiplied with; uniform in [-b, b]
    /// where this is absent. How many rows they are is sought. Where masks are narrow or mixed, of
    /// these and the last r rows: a Gaussian, the width of which is sought where this is absent.
    pub secrets: Option<(u32, Distribution)>,
    /// The same of the last r rows, the errors of LWE.
    pub errors: Option<(u32, Distribution)>,
    /// Whether T is to be published whole.
    pub whole_t: bool,
    /// Bits that binding and hiding must cost an attacker.
    pub bits: f64,
    /// Whether those bits count quantum operations.
    pub quantum: bool,
    /// Challenge distribution.
    pub challenge: ChallengeKind,
    /// How wide Y is. Where masks are narrow all rows of the witness are Gaussians, and where they are
    /// mixed all rows but messages, pads and digits.
    pub masks: Masks,
    /// How many proofs are made about one T, which together with them is the shortest then: bits are
    /// rounded off T that a proof does notice, and with mixed masks Y of Gaussian rows is wider than it
    /// has to be. Where it is absent a proof alone is the shortest.
    pub per_statement: Option<u32>,
}

/// r and v - r are multiples of this: whole cache lines of words, no ragged tiles.
const STEP: u32 = 8;
/// Largest r and v - r tried.
const MAX_ROWS: u32 = 1 << 15;
/// Widths w that are tried beyond the least one for which there are parameters. Hiding asks for a
/// larger secret the wider the words are, so the first of them is usually the best.
const MORE_WIDTHS: u32 = 2;
/// log2 of the largest sigma of Gaussian rows tried, divided by the least, where messages have wide
/// masks: beyond it they would be narrower than Y of other rows.
const MOST_LOG2_SIGMA: u32 = 16;

/// What searches for goals that differ in messages and columns have in common.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Search {
    /// The least dimension of a secret for w, r, and all else on which it depends.
    secrets: BTreeMap<([u32; 6], [u64; 3], bool), Option<u32>>,
    /// The last ones of a secret, and of r, that were found, about which the next ones are sought.
    last: Option<u32>,
    rows: Option<u32>,
}

/// How wide Y is, and how much is rounded.
#[derive(Clone, Copy, Debug)]
struct Widths {
    /// log2 of sigma divided by the least one, where masks are not wide.
    sigma: u32,
    /// d - floor(log2 sigma) - 1.
    round_w: u32,
    /// Bits rounded off T beyond the default.
    round_t: u32,
}

impl Goal {
    /// 128 bits, classical, no messages: the usual goal for entries uniform in [-b, b] and l
    /// columns.
    #[must_use]
    pub const fn new(b: u32, l: u64) -> Self {
        Self {
            lambda: 128,
            w: None,
            b,
            l,
            message_rows: 0,
            message_bound: None,
            message_norm_squared: None,
            pad_rows: 0,
            digit_rows: 0,
            digit_bound: DIGIT_BOUND,
            key_hints: 0,
            secrets: None,
            errors: None,
            whole_t: false,
            bits: 128.0,
            quantum: false,
            challenge: ChallengeKind::Ternary,
            masks: Masks::Wide,
            per_statement: None,
        }
    }

    /// The parameters with the smallest proof, n and sigma at their defaults.
    ///
    /// A proof has k n coefficients of about log2 sigma + 2 bits and r n hints, k being the
    /// dimension of the LWE secret. Binding asks for a large r (and, weakly, for a short B, that is a
    /// small v); hiding asks for a large k (more so the more samples r there are, and the wider the
    /// words). The least r that binds with the least
    /// k that hides at that r is therefore the optimum for one w and one d, and both are found by
    /// bisection, in steps of 8.
    ///
    /// # Errors
    /// [`Error::NoParameters`], which says what stands in the way.
    pub fn optimise(&self) -> Result<CustomParams, Error> {
        self.optimise_in(&mut Search::default())
    }

    /// The same, and nothing twice that an earlier search found out.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    pub fn optimise_in(&self, search: &mut Search) -> Result<CustomParams, Error> {
        if let (Some(log2_proofs), None) = (self.masks.log2_proofs(), self.secrets) {
            return self.optimise_narrow(log2_proofs, search);
        }
        let least = if self.masks == Masks::Wide { 25 } else { 17 };
        let (first, last) = self.w.map_or((least, 64), |w| (w, w));
        in_range("message rows", self.message_rows.into(), 0..=*ROWS.end(), "at most 2^20")?;
        let mixed = matches!(self.masks, Masks::Mixed { .. });
        let alone =
            self.lambda == 128 && (mixed || self.secrets.is_none() && self.errors.is_none());
        let most = if alone { *ROWS.end() } else { 0 };
        let expected = "at most 2^20, and 0 but for lambda = 128 and uniform randomness";
        in_range("pad rows", self.pad_rows.into(), 0..=most, expected)?;
        in_range("digit rows", self.digit_rows.into(), 0..=most, expected)?;
        // Reports ranges by name before any search; the dimensions are placeholders that fit every
        // w.
        let mut placeholder = self.custom(last, STEP, 2 * STEP + self.known_rows());
        if self.masks == Masks::Wide {
            placeholder.sigma = Some(placeholder.largest_bound().max(2).into());
            placeholder.round_t = Some(0);
        } else {
            let messages = if mixed { 0 } else { self.known_rows() };
            let others = messages + self.key_hints + u32::from(self.errors.is_some());
            let expected = "0 with narrow masks: all rows, but for messages where masks are mixed, are \
                            Gaussians of one width";
            in_range("messages, pads, hints and errors", others.into(), 0..=0, expected)?;
            in_range("w", last.into(), 17..=64, "17 to 64")?;
            placeholder.w = 64;
            if mixed && self.per_statement.is_some() {
                placeholder.sigma =
                    self.narrow(STEP).map(|n| n.least_sigma(1.0) << MOST_LOG2_SIGMA);
            }
        }
        let placeholder = placeholder.validate(Security::Waived)?;
        if self.key_hints > 0 {
            // Reports what stands in the way of every w.
            self.with_dummies(&placeholder)?;
        }
        let mut at = |sigma| self.optimise_widths([first, last], sigma, search);
        let mut best = at(0)?;
        if mixed && self.per_statement.is_some() {
            // Ever wider ones make T shorter at first, as more of it can be rounded off, and then
            // longer, as they ask for more rows.
            let (mut low, mut high) = (0, MOST_LOG2_SIGMA);
            let bytes =
                |found: Option<(u128, CustomParams)>| found.map_or(u128::MAX, |(all, _)| all);
            while low < high {
                let middle = u32::midpoint(low, high);
                let [found, wider] = [at(middle)?, at(middle + 1)?];
                // With a narrow one, of many columns, there may be none at all.
                let falls = bytes(wider) < bytes(found) || best.is_none();
                (low, high) = if falls { (middle + 1, high) } else { (low, middle) };
                best = [best, found, wider].into_iter().min_by_key(|&found| bytes(found)).flatten();
            }
        }
        let none = Error::NoParameters { w: last, b: self.b, l: self.l };
        best.map(|(_, custom)| custom).ok_or(none)
    }

    /// The best of these w, and the bytes that are to be few.
    fn optimise_widths(
        &self,
        [first, last]: [u32; 2],
        sigma: u32,
        search: &mut Search,
    ) -> Result<Option<(u128, CustomParams)>, Error> {
        let mut best: Option<(u128, CustomParams)> = None;
        let mut end = last;
        let mut w = first;
        while w <= end {
            for custom in self.optimise_width(w, sigma, search) {
                let bytes = self.bytes(&custom.validate(Security::Waived)?)?;
                if best.is_none_or(|(least, _)| bytes < least) {
                    best = Some((bytes, custom));
                }
                end = end.min(w + MORE_WIDTHS);
            }
            w += 1;
        }
        Ok(best)
    }

    /// The bytes that are to be few.
    fn bytes(&self, params: &Params) -> Result<u128, Error> {
        let proof = match self.with_dummies(params)? {
            Some(extended) => extended.expected_proof_bytes(),
            None => params.expected_proof_bytes(),
        };
        Ok(match self.per_statement {
            Some(count) => params.t_bytes() + u128::from(count) * u128::from(proof),
            None => proof.into(),
        })
    }

    /// The best with narrow masks, among widths of S.
    ///
    /// For a given lambda sigma_0^2 = a lambda and sigma^2 = s^2 lambda a / (a - 1). Z is narrowest
    /// at a = 1 + s sqrt(2 / l); a smaller one makes Y wider, and with it d.
    fn optimise_narrow(
        &self,
        log2_proofs: u32,
        search: &mut Search,
    ) -> Result<CustomParams, Error> {
        /// About what the number of these rows is.
        const ROWS: u32 = 1600;
        const BOUND: u32 = 127;
        in_range("l", self.l.into(), COLUMNS, "1 to 2^31 columns")?;
        let log2_proofs = log2_proofs.min(MOST_LOG2_PROOFS + 1);
        let row_squared = row_squared(default_n(self.lambda), self.l, log2_proofs);
        let lambda = DEFAULT_MARGIN * 4.0 * eta_squared(ROWS, self.l);
        let best = (row_squared * 2.0 / self.l as f64).sqrt();
        let mut found: Option<(u128, CustomParams)> = None;
        let mut none = None;
        // Rows of messages make up most of a mixed proof.
        let parts: &[f64] = match self.masks {
            Masks::Mixed { .. } if self.per_statement.is_none() => &[0.5, 1.0],
            // A wide Y makes Z no longer where S is wider.
            Masks::Mixed { .. } => &[1.0],
            _ => &[0.2, 0.35, 0.5, 0.7, 1.0],
        };
        for part in parts {
            let ratio = (1.0 + best * part).clamp(1.02, 4.0);
            // In hundredths.
            let most = 1_000_000 * u64::from(BOUND) / LEAST_TAIL;
            let micros = ((ratio * lambda).sqrt() * 100.0).ceil() as u64 * 10_000;
            let distribution = Distribution::Gaussian { micros: micros.min(most) };
            let goal = Self { secrets: Some((BOUND, distribution)), ..*self };
            match goal.optimise_in(search) {
                Ok(custom) => {
                    let bytes = self.bytes(&custom.validate(Security::Waived)?)?;
                    if found.is_none_or(|(least, _)| bytes < least) {
                        found = Some((bytes, custom));
                    }
                }
                Err(error) => none = Some(error),
            }
        }
        found.map(|(_, custom)| custom).ok_or_else(|| none.expect("found, or not"))
    }

    /// The best parameters of this w, for each d and dT.
    fn optimise_width(&self, w: u32, sigma: u32, search: &mut Search) -> Vec<CustomParams> {
        // With dummy columns, the d of that statement; with more of T rounded off, the larger one.
        let first = u32::from(self.key_hints > 0 || self.per_statement.is_some());
        let most_t = match self.masks {
            _ if self.per_statement.is_none() => 0,
            Masks::Wide => 2,
            Masks::Narrow { .. } => 0,
            Masks::Mixed { .. } => 3,
        };
        let widths = (first..2).flat_map(|round_w| {
            (0..=most_t).map(move |round_t| Widths { sigma, round_w, round_t })
        });
        widths.filter_map(|widths| self.optimise_rounding(w, widths, search)).collect()
    }

    /// The best parameters of this w and these widths.
    fn optimise_rounding(
        &self,
        w: u32,
        widths: Widths,
        search: &mut Search,
    ) -> Option<CustomParams> {
        let of_dimensions = |r: u32, k: u32| {
            let mut custom = self.custom(w, r, (r + k).saturating_add(self.known_rows()));
            if widths.sigma > 0 {
                custom.sigma =
                    Some(self.narrow(r + k)?.least_sigma(DEFAULT_MARGIN) << widths.sigma);
            }
            let params = custom.validate(Security::Waived).ok()?;
            custom.round_w = Some(params.sigma().ilog2() + 1 + widths.round_w);
            if widths.round_t > 0 && params.round_t() > 0 {
                custom.round_t = Some(params.round_t() + widths.round_t);
            }
            let params = custom.validate(Security::Waived).ok()?;
            params.rounds_moderately().then_some((custom, params))
        };
        let best = least(search.rows.unwrap_or(STEP), |r| {
            // B grows with k, and k takes long to find: r that is too small, or too large, for any k is
            // refused.
            if self.key_hints == 0 {
                match of_dimensions(r, STEP) {
                    Some((_, params)) if !self.reached(params.binding()) => return None,
                    Some(_) => (),
                    None => return Some(None),
                }
            }
            let found =
                self.least_secret(w, r, widths.sigma, search).and_then(|k| of_dimensions(r, k));
            match found {
                Some((custom, params)) => {
                    let sis = match self.with_dummies(&params) {
                        Ok(Some(extended)) => extended.params.binding(),
                        Ok(None) => params.binding(),
                        // 4 B of the longer statement exceeds q / 2.
                        Err(_) => return Some(None),
                    };
                    self.reached(sis).then_some(Some(custom))
                }
                // r is too large, and so are all larger ones, with which B grows. The least that is
                // not too small decides.
                None => Some(None),
            }
        });
        let best = best.and_then(|(_, custom)| custom);
        search.rows = best.map(|custom| custom.r).or(search.rows);
        best
    }

    /// The statement of keys and dummy columns, if its proofs are sought.
    fn with_dummies(&self, params: &Params) -> Result<Option<Extended>, Error> {
        if self.key_hints == 0 {
            return Ok(None);
        }
        let claim = KeyRanges::of(params)?.with_hints(self.key_hints)?;
        Extended::of(params, &claim, Security::Waived).map(Some)
    }

    /// Rows that hide nothing: digits, messages and pads.
    const fn known_rows(&self) -> u32 {
        self.digit_rows + self.message_rows + self.pad_rows
    }

    /// Parameters of these dimensions; v counts all rows, those that hide nothing too.
    #[doc(hidden)]
    pub fn custom(&self, w: u32, r: u32, v: u32) -> CustomParams {
        let mut custom = CustomParams::new(w, r, v, self.l, self.b);
        custom.lambda = self.lambda;
        custom.challenge = self.challenge;
        custom.round_t = (self.whole_t || self.key_hints > 0).then_some(0);
        custom.masks = self.masks;
        let gaussian = self.secrets.filter(|_| self.masks != Masks::Wide);
        let uniform = (self.b, Distribution::Uniform);
        let k = v - r - self.known_rows();
        let (k, r) = if gaussian.is_some() { (k + r, 0) } else { (k, r) };
        let parts = [
            (self.digit_rows, Some((self.digit_bound, Distribution::Any))),
            (self.message_rows, Some((self.message_bound.unwrap_or(self.b), Distribution::Any))),
            (self.pad_rows, Some((PAD_BOUND, Distribution::Any))),
            (k, self.secrets),
            (r, self.errors),
        ];
        custom.b = gaussian.map_or(self.b, |(bound, _)| bound);
        let given = self.secrets.is_some() || self.errors.is_some();
        let mut groups = custom.groups.iter_mut();
        for (rows, part) in parts {
            let (bound, distribution) = part.unwrap_or(uniform);
            if rows > 0 && (given || distribution == Distribution::Any) {
                let group = groups.next().expect("at most three parts are given");
                *group = Some(RowGroup { rows, bound, distribution });
            }
        }
        let group = |(rows, part): (u32, Option<_>)| {
            let (bound, distribution) = part.unwrap_or(uniform);
            RowGroup { rows, bound, distribution }
        };
        custom.frobenius_squared = self.frobenius_squared(parts.map(group));
        custom
    }

    /// F^2 where the norm of messages, the second of these groups, is known.
    fn frobenius_squared(&self, groups: [RowGroup; 5]) -> Option<u128> {
        let norm = self.message_norm_squared?;
        let [digits, messages, rest @ ..] = groups;
        let others: Vec<RowGroup> =
            core::iter::once(digits).chain(rest).filter(|group| group.rows > 0).collect();
        let mixed = matches!(self.masks, Masks::Mixed { .. });
        let of_messages = |group: &&RowGroup| !mixed || group.distribution == Distribution::Any;
        let others: Vec<RowGroup> = others.iter().filter(of_messages).copied().collect();
        let squared = RowGroups::new(&others).map_or(0, |groups| groups.frobenius_squared(self.l));
        let largest = u128::from(messages.rows) * u128::from(messages.bound).pow(2);
        Some(squared + u128::from(self.l) * u128::from(norm).min(largest))
    }

    /// The least dimension of the secret that hides it when there are r samples.
    fn least_secret(&self, w: u32, r: u32, sigma: u32, search: &mut Search) -> Option<u32> {
        let (log2_proofs, micros, l) = match (self.masks.log2_proofs(), self.secrets) {
            (None, None) if self.errors.is_none() => (0, 0, 0),
            (Some(proofs), Some((_, Distribution::Gaussian { micros }))) => {
                (1 + proofs, micros, self.l)
            }
            _ => return self.find_least_secret(w, r, sigma, STEP),
        };
        let small = [w, r, self.b, self.key_hints, log2_proofs, sigma];
        let key = (small, [self.bits.to_bits(), micros, l], self.quantum);
        if let Some(&known) = search.secrets.get(&key) {
            return known;
        }
        let found = self.find_least_secret(w, r, sigma, search.last.unwrap_or(STEP));
        search.last = found.or(search.last);
        search.secrets.insert(key, found);
        found
    }

    fn find_least_secret(&self, w: u32, r: u32, sigma: u32, start: u32) -> Option<u32> {
        let entries = |part: Option<(u32, Distribution)>| {
            let (bound, distribution) = part.unwrap_or((self.b, Distribution::Uniform));
            Entries::of(&RowGroup { rows: 1, bound, distribution })
        };
        let given = entries(self.secrets).narrower(entries(self.errors));
        let hides = |k| {
            let entries =
                |narrow: Narrow| narrow.entries(narrow.least_sigma(DEFAULT_MARGIN) << sigma);
            let narrowest = self.narrow(r + k).map_or(given, entries);
            if self.key_hints > 0 {
                let bits = HINT_BITS * f64::from(self.key_hints);
                let hiding = Params::hiding_with_hints([k, r, w], narrowest, bits);
                return self.reached(hiding).then_some(());
            }
            Params::hides(k, r, w, narrowest, |attack| self.reached(attack)).then_some(())
        };
        least(start, hides).map(|(k, ())| k)
    }

    /// What hides S of v Gaussian rows behind narrow masks.
    fn narrow(&self, v: u32) -> Option<Narrow> {
        let log2_proofs = self.masks.log2_proofs()?;
        let (_, Distribution::Gaussian { micros }) = self.secrets? else { return None };
        Some(Narrow::new([v, default_n(self.lambda)], self.l, log2_proofs, micros))
    }

    fn reached(&self, hardness: crate::estimate::Hardness) -> bool {
        self.bits <= if self.quantum { hardness.quantum } else { hardness.classical }
    }
}

const _: () = assert!(MAX_GROUPS > 3, "digits, messages and pads, or messages, secrets and errors");

/// The least multiple of [`STEP`] for which `found` answers, if it answers for all larger ones too;
/// sought from the multiple `start` on, in either direction.
fn least<T>(start: u32, mut found: impl FnMut(u32) -> Option<T>) -> Option<(u32, T)> {
    let (mut low, mut best, mut step, mut next) = (0, None, STEP, start);
    while next > 0 && next <= MAX_ROWS {
        let answer = found(next);
        let is_found = answer.is_some();
        match answer {
            Some(answer) => best = Some((next, answer)),
            None => low = next,
        }
        // Beyond the start in one direction alone.
        if low > 0 && best.is_some() {
            break;
        }
        next = if is_found { next.saturating_sub(step) } else { next + step };
        step *= 2;
    }
    let mut best = best?;
    while best.0 - low > STEP {
        let middle = (low + best.0) / (2 * STEP) * STEP;
        match found(middle) {
            Some(answer) => best = (middle, answer),
            None => low = middle,
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ParameterError;

    /// The result is secure, and one step less of either dimension is not.
    #[test]
    fn optima_are_secure_and_least() {
        let binary = Goal { challenge: ChallengeKind::Binary, ..Goal::new(1, 4096) };
        for goal in [Goal::new(1, 4096), Goal::new(64, 4096), binary] {
            let best = goal.optimise().unwrap();
            best.validate(Security::Required).unwrap();
            let fewer = |r: u32, v: u32| CustomParams { r, v, ..best }.validate(Security::Required);
            assert!(matches!(fewer(best.r, best.v - STEP), Err(Error::Insecure { .. })));
            assert!(matches!(fewer(best.r - STEP, best.v - STEP), Err(Error::Insecure { .. })));
        }
    }

    /// A search that others went before has the same result, and no r is passed over: all r are tried.
    #[test]
    fn searches_share_what_they_find() {
        let mut search = Search::default();
        let with_messages = |rows: u32, l: u64| Goal {
            message_rows: rows,
            message_bound: Some(64),
            message_norm_squared: Some(40 * u64::from(rows)),
            pad_rows: 162,
            ..Goal::new(1, l)
        };
        let narrow = Goal { masks: Masks::Narrow { log2_proofs: 4 }, ..Goal::new(1, 512) };
        let quantum = Goal { quantum: true, ..Goal::new(1, 512) };
        for goal in [
            with_messages(1024, 800),
            with_messages(5120, 856),
            with_messages(300, 96),
            Goal::new(2, 512),
            quantum,
            narrow,
        ] {
            let custom = goal.optimise_in(&mut search).unwrap();
            assert_eq!(custom, goal.optimise().unwrap());
        }
        let goal = with_messages(300, 96);
        for w in 29..31 {
            for extra in 0..2 {
                let fits = |r: u32| {
                    let k = goal.find_least_secret(w, r, 0, STEP)?;
                    let custom = goal.custom(w, r, r + k + goal.known_rows());
                    let params = custom.validate(Security::Waived).ok()?;
                    let round_w = Some(params.sigma().ilog2() + 1 + extra);
                    let custom = CustomParams { round_w, ..custom };
                    let params = custom.validate(Security::Waived).ok()?;
                    goal.reached(params.estimate().sis).then_some(custom)
                };
                let all = (1..200).map(|i| i * STEP).find_map(fits);
                assert_eq!(
                    goal.optimise_rounding(
                        w,
                        Widths { sigma: 0, round_w: extra, round_t: 0 },
                        &mut search
                    ),
                    all,
                    "{w} {extra}"
                );
            }
        }
    }

    /// No parameters are as secure as a number that is none, or infinite.
    #[test]
    fn unknown_security_is_not_reached() {
        for bits in [f64::NAN, f64::INFINITY] {
            for quantum in [false, true] {
                let error = Goal { bits, quantum, ..Goal::new(1, 64) }.optimise().unwrap_err();
                assert!(matches!(error, Error::NoParameters { .. }), "{error}");
            }
        }
    }

    /// Parameters with pads describe a padded space that is secure; and none are found where
    /// there can be no pads.
    #[test]
    fn pads_have_rows_of_their_own() {
        let goal = Goal { message_rows: 96, pad_rows: 162, ..Goal::new(1, 64) };
        let params = goal.optimise().unwrap().validate(Security::Required).unwrap();
        let rows: Vec<_> =
            params.row_groups().iter().map(|group| (group.rows, group.bound)).collect();
        assert_eq!(rows[..2], [(96, 1), (162, 2)]);
        let errors = Some((20, Distribution::Gaussian { micros: 3_200_000 }));
        let most = Goal { pad_rows: (1 << 20) + 1, ..goal };
        for goal in [
            Goal { errors, ..goal },
            Goal { secrets: Some((1, Distribution::Uniform)), ..goal },
            Goal { lambda: 256, ..goal },
            most,
        ] {
            let error = goal.optimise().unwrap_err();
            assert!(
                matches!(error, Error::Parameter(ParameterError { name: "pad rows", .. })),
                "{error}"
            );
        }
    }

    /// Messages of a known norm cost what it is, in all other respects they are like any; the norm
    /// that the bound allows is what is assumed without one.
    #[test]
    fn known_norms_make_sigma_shorter() {
        let goal = Goal { message_rows: 96, message_bound: Some(32), ..Goal::new(1, 64) };
        let find = |message_norm_squared| {
            let goal = Goal { message_norm_squared, pad_rows: 189, ..goal };
            goal.optimise().unwrap().validate(Security::Required).unwrap()
        };
        let [none, most, more, known] =
            [None, Some(96 * 1024), Some(u64::MAX), Some(96 * 15)].map(find);
        assert_eq!((most.sigma(), more.sigma()), (none.sigma(), none.sigma()));
        assert_eq!(known.row_groups()[0].bound, 32);
        let others = RowGroups::new(&known.row_groups()[1..]).unwrap().frobenius_squared(64);
        assert_eq!(known.frobenius_squared(), others + 64 * 96 * 15);
        assert!(3 * known.sigma() < none.sigma());
    }

    /// Parameters of keys are secure with the hints, and with dummy columns; least where one step
    /// less of either dimension is not. Where there can be no such keys, none are found.
    #[test]
    fn keys_are_secure_with_hints() {
        for (b, l, hints) in [(1, 300, 1), (2, 40, 4)] {
            let goal = Goal { key_hints: hints, ..Goal::new(b, l) };
            let best = goal.optimise().unwrap();
            let check = |custom: CustomParams| {
                let params = custom.validate(Security::Required)?;
                let claim = KeyRanges::of(&params)?.with_hints(hints)?;
                Extended::of(&params, &claim, Security::Required)
            };
            check(best).unwrap();
            let fewer = |r, v| check(CustomParams { r, v, ..best });
            assert!(matches!(fewer(best.r, best.v - STEP), Err(Error::Insecure { .. })));
            assert!(matches!(fewer(best.r - STEP, best.v - STEP), Err(Error::Insecure { .. })));
            assert_eq!(best.round_t, Some(0));
        }
        let goal = Goal { key_hints: 1, ..Goal::new(1, 40) };
        for (goal, expected) in [
            (Goal { b: 9, ..goal }, "bound on secrets"),
            (Goal { key_hints: 9, ..goal }, "hints"),
            (Goal { message_rows: 8, ..goal }, "groups of rows"),
            (Goal { lambda: 256, ..goal }, "lambda"),
            (Goal { challenge: ChallengeKind::Binary, ..goal }, "challenge"),
        ] {
            let error = goal.optimise().unwrap_err();
            let Error::Parameter(ParameterError { name, .. }) = error else { panic!("{error}") };
            assert_eq!(name, expected);
        }
    }

    /// With so many columns at w = 32 few r are both large enough for binding and small enough for
    /// 4 B < 2^31.
    #[test]
    fn a_narrow_range_is_found() {
        let best = Goal { w: Some(32), ..Goal::new(1, 1 << 17) }.optimise().unwrap();
        best.validate(Security::Required).unwrap();
        assert!(
            CustomParams { r: 8192, v: best.v + 8192 - best.r, ..best }
                .validate(Security::Waived)
                .is_err()
        );
        let none = Goal { w: Some(32), ..Goal::new(1, 1 << 19) }.optimise();
        assert!(matches!(none, Err(Error::NoParameters { .. })));
    }

    #[test]
    fn what_can_not_be_is_an_error() {
        let wide = Goal { w: Some(32), ..Goal::new(127, 1 << 20) };
        assert!(matches!(wide.optimise(), Err(Error::NoParameters { w: 32, .. })));
        let odd = Goal { w: Some(16), ..Goal::new(1, 4096) };
        assert!(matches!(odd.optimise(), Err(Error::Parameter(ParameterError { name: "w", .. }))));
        for message_rows in [1 << 21, u32::MAX - 16, u32::MAX] {
            let many = Goal { message_rows, ..Goal::new(1, 64) }.optimise();
            assert!(matches!(many, Err(Error::Parameter(_))), "{many:?}");
        }
        let none = Goal::new(1, 0);
        assert!(matches!(none.optimise(), Err(Error::Parameter(ParameterError { name: "l", .. }))));
    }
}
