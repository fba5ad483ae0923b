//! [`RingSecret`]: the unknowns of one key or ciphertext, in digits.

use tautochrone_simd::declassify;
use tautochrone_zk::argument::Family as _;
use zeroize::Zeroizing;

use super::{Kind, MESSAGE_BASE, RingError, RingList, TFHE_DIGITS, parameter};

/// Secrets of one key or ciphertext of a list. Erased when dropped, not printed.
pub struct RingSecret(pub(super) Zeroizing<Vec<i8>>);

impl core::fmt::Debug for RingSecret {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("RingSecret([REDACTED])")
    }
}

impl RingList {
    /// No unknowns yet, with the capacity for an instance, if this is a list of the right kind and
    /// polynomials have these lengths.
    fn start(
        &self,
        secrets: &'static str,
        is_right: bool,
        lengths: &[usize],
    ) -> Result<RingSecret, RingError> {
        if !is_right {
            return Err(parameter(secrets, 1, "none in another list"));
        }
        if let Some(&len) = lengths.iter().find(|&&len| len != self.n) {
            return Err(parameter("coefficients of a secret", len as u64, "n"));
        }
        Ok(RingSecret(Zeroizing::new(Vec::with_capacity(self.shape().unknowns_len()))))
    }

    /// The secrets of an RLWE key. [`prove`](crate::prove) checks that they are its
    /// own.
    ///
    /// # Errors
    /// [`RingError::Secret`] if a coefficient is beyond its bound; [`RingError::Parameter`] if they
    /// are not n, or this is a list of something else.
    ///
    /// # Constant time
    /// In the secrets, but for these errors.
    pub fn rlwe_secret(&self, s: &[i64], e: &[i64]) -> Result<RingSecret, RingError> {
        let is_right = matches!(self.kind, Kind::Rlwe);
        let mut out = self.start("RLWE secrets", is_right, &[s.len(), e.len()])?;
        let fits = [self.secret.write(s, &mut out.0), self.error.write(e, &mut out.0)];
        within(out, &[("s", fits[0]), ("e", fits[1])])
    }

    /// What a ciphertext of BFV was made with.
    ///
    /// # Errors
    /// As [`Self::rlwe_secret`].
    ///
    /// # Constant time
    /// As [`Self::rlwe_secret`].
    pub fn bfv_secret(
        &self,
        u: &[i64],
        message: &[i64],
        [e0, e1]: [&[i64]; 2],
    ) -> Result<RingSecret, RingError> {
        let digits = if let Kind::Bfv { scales, .. } = &self.kind { scales[0].len() } else { 0 };
        let lengths = [u, message, e0, e1].map(<[i64]>::len);
        let mut out = self.start("BFV secrets", digits > 0, &lengths)?;
        let u = self.secret.write(u, &mut out.0);
        let mut rest = Zeroizing::new(message.to_vec());
        let half = MESSAGE_BASE >> 1;
        for _ in 1..digits {
            for x in rest.iter_mut() {
                let digit = (x.wrapping_add(half) & (MESSAGE_BASE - 1)) - half;
                out.0.push(digit as i8);
                *x = x.wrapping_sub(digit) >> MESSAGE_BASE.ilog2();
            }
        }
        let m = rest.iter().fold(true, |all, &x| all & (x >= -half) & (x <= half));
        out.0.extend(rest.iter().map(|&x| x as i8));
        let errors = [e0, e1].map(|e| self.error.write(e, &mut out.0));
        within(out, &[("u", u), ("message", m), ("e_0", errors[0]), ("e_1", errors[1])])
    }

    /// The bits of a secret key of TFHE, in its order, and the errors of its public key.
    ///
    /// # Errors
    /// As [`Self::rlwe_secret`].
    ///
    /// # Constant time
    /// As [`Self::rlwe_secret`].
    pub fn tfhe_secret(&self, s: &[u64], e: &[i64]) -> Result<RingSecret, RingError> {
        let is_right = matches!(self.kind, Kind::Tfhe);
        let mut out = self.start("TFHE secrets", is_right, &[s.len(), e.len()])?;
        let bits = s.iter().fold(0, |all, &x| all | x) <= 1;
        out.0.extend(s.iter().rev().map(|&x| (x & 1) as i8));
        // From 0 to 2^18.
        let from_least = |x: i64| x.wrapping_add(1 << 17);
        let fits = e.iter().map(|&x| from_least(x));
        let fits = fits.fold(true, |all, x| all & ((x | (1_i64 << 18).wrapping_sub(x)) >= 0));
        let bit = |x: i64| (from_least(x) >> 18) & 1;
        out.0.extend(e.iter().map(|&x| bit(x) as i8));
        for digit in 0..TFHE_DIGITS {
            let of = |&x: &i64| ((from_least(x).wrapping_sub(bit(x)) >> (3 * digit)) & 7) - 4;
            out.0.extend(e.iter().map(|x| of(x) as i8));
        }
        within(out, &[("s", bits), ("e", fits)])
    }
}

fn within(out: RingSecret, fits: &[(&'static str, bool)]) -> Result<RingSecret, RingError> {
    match fits.iter().find(|(_, fits)| !declassify(*fits)) {
        Some(&(name, _)) => Err(RingError::Secret(name)),
        None => Ok(out),
    }
}
