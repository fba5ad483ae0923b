//! [`Goal::optimise`]: the smallest proof for a witness and a level of security.
#![expect(clippy::integer_division_remainder_used, reason = "parameters are public")]

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::narrow::{
    DEFAULT_MARGIN, LEAST_TAIL, MOST_LOG2_PROOFS, Narrow, eta_squared, row_squared,
};
use super::range::{COLUMNS, ROWS, in_range};
use super::security::Entries;
use super::{CustomParams, Goal, Params, Security, default_n};
use crate::error::{Error, RequestProblem};
use crate::keys::{Extended, HINT_BITS, KeyRanges};
use crate::rows::{Distribution, MAX_GROUPS, PAD_BOUND, RowGroup, RowGroups};
use crate::suite::Masks;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

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
    /// The parameters with the smallest proof, n and sigma at their defaults.
    ///
    /// A proof has k n coefficients of about log2 sigma + 2 bits and r n hints, k being the
    /// dimension of the LWE secret. Binding asks for a large r (and, weakly, for a short B, that is
    /// a small v); hiding asks for a large k (more so the more samples r there are, and the wider
    /// the words). The least r that binds with the least k that hides at that r is therefore the
    /// optimum for one w and one d, and both are found by bisection, in steps of 8.
    ///
    /// # Errors
    /// [`Error::Request`], which says what stands in the way.
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
        let expected =
            "at most 2^20, and 0 but for lambda = 128 and uniform randomness or mixed masks";
        in_range("pad rows", self.pad_rows.into(), 0..=most, expected)?;
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
        let none = Error::Request(RequestProblem::NoParameters { w: last, b: self.b, l: self.l });
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
            // B grows with k, and k takes long to find: r that is too small, or too large, for any
            // k is refused.
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

    /// Rows that hide nothing: messages and pads.
    const fn known_rows(&self) -> u32 {
        self.message_rows + self.pad_rows
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
            (self.message_rows, Some((self.message_bound.unwrap_or(self.b), Distribution::Any))),
            (self.pad_rows, Some((PAD_BOUND, Distribution::Any))),
            (k, self.secrets),
            (r, self.errors),
        ];
        custom.b = gaussian.map_or(self.b, |(bound, _)| bound);
        let groups = parts.map(|(rows, part)| {
            let (bound, distribution) = part.unwrap_or(uniform);
            RowGroup { rows, bound, distribution }
        });
        let given = self.secrets.is_some() || self.errors.is_some();
        let mut places = custom.groups.iter_mut();
        for group in groups {
            if group.rows > 0 && (given || group.distribution == Distribution::Any) {
                *places.next().expect("at most three parts are given") = Some(group);
            }
        }
        custom.frobenius_squared = self.frobenius_squared(groups);
        custom
    }

    /// F^2 where the norm of messages, the first of these groups, is known.
    fn frobenius_squared(&self, [messages, rest @ ..]: [RowGroup; 4]) -> Option<u128> {
        let norm = self.message_norm_squared?;
        let mixed = matches!(self.masks, Masks::Mixed { .. });
        let counts = |group: &RowGroup| {
            group.rows > 0 && (!mixed || group.distribution == Distribution::Any)
        };
        let others: Vec<RowGroup> = rest.into_iter().filter(counts).collect();
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
            let (lwe, bits) = ([k, r, w], HINT_BITS * f64::from(self.key_hints));
            let both = self.reached(narrowest.primal(lwe, bits))
                && self.reached(narrowest.dual(lwe, bits));
            both.then_some(())
        };
        least(start, hides).map(|(k, ())| k)
    }

    /// What hides S of v Gaussian rows behind narrow masks.
    fn narrow(&self, v: u32) -> Option<Narrow> {
        let log2_proofs = self.masks.log2_proofs()?.min(MOST_LOG2_PROOFS + 1);
        let (_, Distribution::Gaussian { micros }) = self.secrets? else { return None };
        Some(Narrow::new([v, default_n(self.lambda)], self.l, log2_proofs, micros))
    }

    fn reached(&self, hardness: crate::estimate::Hardness) -> bool {
        self.bits <= if self.quantum { hardness.quantum } else { hardness.classical }
    }
}

const _: () = assert!(MAX_GROUPS > 3, "messages and pads, or messages, secrets and errors");

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
pub(super) mod tests;
