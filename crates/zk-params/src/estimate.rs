//! Core-SVP estimates: how hard it is to break the binding of T (SIS) and the hiding of S (LWE).
//!
//! A lattice attack is charged one call to a sieve in dimension beta: 2^(0.292 beta) classically
//! and 2^(0.265 beta) with a quantum computer, nothing else (Alkim, Ducas, Poeppelmann, Schwabe,
//! USENIX Security 2016). BKZ-beta is taken to reach the root-Hermite factor of Chen's thesis
//! (2013),
//!
//! delta(beta) = ((pi beta)^(1/beta) beta / (2 pi e))^(1 / (2 (beta - 1))).
//!
//! These are estimates of public quantities in `f64`; nothing secret enters and no proof depends on
//! their last digits. They are the same on every platform all the same, because they decide which
//! parameters are refused.
//!
//! Nothing unknown counts as secure: numbers that describe no instance, NaN and infinities among
//! them, get the least security, [`MIN_BLOCK`]'s.

mod dual;
mod hardness;

pub use dual::lwe_dual_hybrid;
pub use hardness::{Estimate, Hardness, MAX_BLOCK, MIN_BLOCK, uniform_sd};

pub(crate) use dual::lwe_dual_hybrid_with;
pub(crate) use hardness::log2_4b;
use hardness::{log2_delta, smallest_block};
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;
use tautochrone_gauss::float::{exp2, log2};

/// SIS: find 0 != x in Z^v with A x = 0 mod q and ||x|| <= 2^`log2_norm`, A of size r x v.
///
/// `log2_volume` = r log2 q. With d = min(v, sqrt(r log2 q / log2 delta)) columns used, BKZ-beta
/// finds norm delta^d q^(r/d); the answer is the smallest beta that reaches 2^`log2_norm`
/// (Micciancio, Regev 2009). The least security unless v is positive, `log2_volume` finite and at
/// least 1, and `log2_norm` finite and not negative.
#[must_use]
pub fn sis(log2_volume: f64, v: u32, log2_norm: f64) -> Hardness {
    let is_instance = v > 0
        && (1.0..f64::INFINITY).contains(&log2_volume)
        && (0.0..f64::INFINITY).contains(&log2_norm);
    if !is_instance {
        return Hardness::of_block(MIN_BLOCK);
    }
    let reaches = |beta: u32| {
        let x = log2_delta(beta);
        let d = f64::from(v).min((log2_volume / x).sqrt());
        d * x + log2_volume / d <= log2_norm
    };
    Hardness::of_block(smallest_block(reaches))
}

/// SIS with two bounds: find x = (x_1, x_2) != 0 of so many entries, norms up to 2^`log2_norm`
/// each, with A x = 0 modulo 2^`log2_q`, A of r rows.
///
/// For every g > 0 a solution gives a vector (g x_1, x_2) of norm sqrt(g^2 N_1^2 + N_2^2) in a
/// lattice in which columns of the first part have been scaled by g, so each g gives a bound on how
/// hard this is, and the answer is the best of some about the one that makes entries of both parts
/// equally long. With d columns, those first that are scaled down, BKZ-beta reaches delta^d (q^r
/// g^d_1)^(1/d). The least security if a part is empty, or as [`sis`] says.
#[must_use]
pub fn sis_of_parts(r: u32, log2_q: f64, parts: [(u32, f64); 2]) -> Hardness {
    let volume = f64::from(r) * log2_q;
    let is_instance = |&(columns, norm): &(u32, f64)| columns > 0 && (0.0..log2_q).contains(&norm);
    if !parts.iter().all(is_instance) || !(1.0..f64::INFINITY).contains(&volume) {
        return Hardness::of_block(MIN_BLOCK);
    }
    let [(first, norm), (second, other)] = parts.map(|(columns, norm)| (f64::from(columns), norm));
    let even = other - log2(second) / 2.0 - (norm - log2(first) / 2.0);
    let best_of = |least: u32, step: i32| {
        let log2_g = even + f64::from(step) / 8.0;
        let target = other + log2(1.0 + exp2(2.0 * (log2_g + norm - other))) / 2.0;
        // Else (g q, 0) or (0, q) is as short.
        if target >= log2_q + log2_g.min(0.0) {
            return least;
        }
        // Columns that are taken first, the number of bits by which all volume and each of them is
        // less.
        let (count, less) = if log2_g < 0.0 { (first, log2_g) } else { (second, 0.0) };
        let behind = log2_g.max(0.0);
        let reaches = |beta: u32| {
            let x = log2_delta(beta);
            let of_first = (volume / x).sqrt().min(count);
            let whole = volume + count * (less - behind);
            let of_both = (whole.max(0.0) / x).sqrt().clamp(count, first + second);
            of_first * x + volume / of_first + less <= target
                || of_both * x + whole / of_both + behind <= target
        };
        if reaches(least) { least } else { smallest_block(reaches) }
    };
    Hardness::of_block((-16..=16).fold(MIN_BLOCK, best_of))
}

/// Primal attack on LWE: secret of dimension `secret`, at most `samples` samples, modulus
/// 2^`log2_q`, entries of secret and error of standard deviation `sd`.
///
/// The smallest beta with sqrt(beta) sd <= delta^(2 beta - d - 1) q^(m/d), d = secret + m + 1, for
/// some m <= `samples` (Alkim et al. 2016, section 6.3). The least security unless `secret` is
/// positive, `log2_q` from 1 to 65536, and `sd` normal and positive.
#[must_use]
pub fn lwe_primal(secret: u32, samples: u32, log2_q: f64, sd: f64) -> Hardness {
    lwe_primal_with_hints(secret, samples, log2_q, sd, 0.0)
}

/// The same for somebody who also knows linear combinations of the entries of secret and error
/// modulo numbers whose product is 2^`hint_bits`.
///
/// Such a *modular hint* passes to the sublattice on which it holds, and multiplies the volume by
/// its modulus while the short vector stays what it is (Dachman-Soled, Ducas, Gong, Rossi, CRYPTO
/// 2020, section 4.2): q^m becomes q^m 2^`hint_bits`. The least security unless `hint_bits` is
/// finite and not negative, too.
#[must_use]
pub fn lwe_primal_with_hints(
    secret: u32,
    samples: u32,
    log2_q: f64,
    sd: f64,
    hint_bits: f64,
) -> Hardness {
    if !is_lwe(secret, log2_q, sd, hint_bits) {
        return Hardness::of_block(MIN_BLOCK);
    }
    let fixed = f64::from(secret) + 1.0;
    let succeeds = |beta: u32| {
        let (x, b) = (log2_delta(beta), f64::from(beta));
        let need = log2(b) / 2.0 + log2(sd);
        // log2 of the right side, (2 beta - d - 1) x + log2 q - (fixed log2 q - hint bits) / d, is
        // concave in d with its top at the root of (fixed log2 q - hint bits) / x: the best whole m
        // is next to it.
        let rest = (fixed * log2_q - hint_bits).max(0.0);
        let best = ((rest / x).sqrt() - fixed).floor();
        [best, best + 1.0].into_iter().any(|m| {
            let m = m.clamp(1.0, f64::from(samples.max(1)));
            let d = fixed + m;
            need <= (2.0 * b - d - 1.0) * x + (m * log2_q + hint_bits) / d
        })
    };
    Hardness::of_block(smallest_block(succeeds))
}

/// Whether these numbers describe an instance of LWE that the formulas are about; NaN never does.
fn is_lwe(secret: u32, log2_q: f64, sd: f64, hint_bits: f64) -> bool {
    // Nobody has longer moduli, and far beyond them the formulas overflow.
    secret > 0
        && (1.0..=65_536.0).contains(&log2_q)
        && (f64::MIN_POSITIVE..f64::INFINITY).contains(&sd)
        && (0.0..f64::INFINITY).contains(&hint_bits)
}

#[cfg(test)]
mod tests;
