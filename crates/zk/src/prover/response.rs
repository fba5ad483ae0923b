//! The response Z = Y + M, what the rejection step decides from, and the proof that becomes of it.

use alloc::vec::Vec;
use core::convert::Infallible;

use tautochrone_simd::{Isa, declassify_slice, vectorize};
use zeroize::Zeroizing;

use super::Prover;
use crate::check::check_product;
use crate::erase::{Secrets, redacted};
use crate::error::{Error, ShardProblem};
use crate::hash::Digest;
use crate::matrix::{PublicMatrix, with_engine};
use crate::parallel;
use crate::params::Params;
use crate::product::multiply_rounded_off;
use crate::products::{Engine, ProductWord};
use crate::proof::Proof;
use crate::residual::{check_norms_and_round, hints, subtract_tc};
use crate::suite::Masks;
use crate::words::{ModQ, Word};

/// A response that the rejection step let pass; erased when dropped.
pub struct Response<'a> {
    pub(super) prover: &'a Prover<'a>,
    pub(super) digest: Digest,
    pub(super) challenge_hash: Digest,
    /// All of Z, v x n. Only the rows that A' is multiplied with are published.
    pub(super) z: Secrets<i64>,
    /// W, or its high part where T C is needed.
    pub(super) w: Zeroizing<ModQ>,
}

redacted!("Response", Response<'_>);

impl Response<'_> {
    /// Whether [`Self::into_proof`] needs the product T C: where T is rounded, unless the prover
    /// knows what is [rounded off](PublicMatrix::commit_and_hold).
    #[must_use]
    pub fn needs_product(&self) -> bool {
        self.prover.needs_product()
    }

    /// The factor of T. Public.
    #[must_use]
    pub const fn challenge_hash(&self) -> &Digest {
        &self.challenge_hash
    }

    /// The proof; `tc` is T C, the sum of the workers' parts, where it is
    /// [needed](Self::needs_product). `None` if an entry or a column exceeds its bound, with
    /// probability below 2^-50 by default; that counts as a rejection.
    ///
    /// # Errors
    /// [`Error::TooManyAttempts`] in the place of `None` with mixed masks, as the next attempt
    /// would be chosen by S; [`Error::Shard`] if `tc` is needed and missing, or no product of this
    /// size; [`Error::ForeignWitness`] if it does not belong to T = A S; [`Error::Device`];
    /// [`Error::Cancelled`].
    pub fn into_proof(self, tc: Option<&ModQ>) -> Result<Option<Proof>, Error> {
        let Prover { matrix, statement, .. } = self.prover;
        let tc = tc.filter(|_| self.needs_product());
        match tc {
            Some(tc) => check_product(&matrix.params, tc)?,
            None if self.needs_product() => return Err(Error::Shard(ShardProblem::Product)),
            None => {}
        }
        let low = statement.rounded_off();
        let low = low.map(|low| multiply_rounded_off(matrix, low, &self.challenge_hash));
        let low = low.transpose()?;
        matrix.inside(|| with_engine!(matrix, engine => self.compact(engine, tc, low.as_ref())))
    }

    /// Z_1 and hints. Both sides of a hint are public with the proof: a verifier
    /// computes V, and W_H from it.
    fn compact<W: ProductWord>(
        self,
        engine: &Engine<W>,
        tc: Option<&ModQ>,
        low: Option<&ModQ>,
    ) -> Result<Option<Proof>, Error> {
        let PublicMatrix { params, device, .. } = self.prover.matrix;
        let (v, k) = (params.v() as usize, params.z_rows() as usize);
        let mut z = Vec::with_capacity(params.z_entries());
        for column in self.z.chunks_exact(v) {
            z.extend_from_slice(&column[..k]);
        }
        declassify_slice(&z);
        if Proof::check_entries(&z, params).is_err() {
            return beyond_bounds(params);
        }
        let w = W::of(&self.w).expect("W is of the words of A");
        let (w_high, mut residual) = if let Some(tc) = tc {
            // V = A' Z_1 - T C, as a verifier computes it.
            let mut az = engine.apply_top(device.as_ref(), &z)?;
            subtract_tc(params, &mut az, tc);
            (w.to_vec(), az)
        } else {
            // V = W - Z_2 + T_0 C.
            let columns = w.chunks_exact(params.r() as usize).zip(self.z.chunks_exact(v));
            let mut v: Vec<W> = Vec::with_capacity(w.len());
            for (w, z) in columns {
                v.extend(w.iter().zip(&z[k..]).map(|(w, &z)| {
                    <W as Word>::from_u64(w.to_u64().wrapping_sub(z.cast_unsigned()))
                }));
            }
            let low = low.and_then(W::of).unwrap_or(&[]);
            for (v, low) in v.iter_mut().zip(low) {
                *v = <W as Word>::from_u64(v.to_u64().wrapping_add(low.to_u64()));
            }
            let mut high = vec![W::default(); w.len()];
            params.rounding_of_w().high_all(w, &mut high);
            (high, v)
        };
        declassify_slice(&w_high);
        declassify_slice(&residual);
        // An honest hint is larger with probability below 2^-71 (`Params::check_hints`), so that
        // there is no retry.
        let hints = hints(params, &w_high, &residual).ok_or(Error::ForeignWitness)?;
        if check_norms_and_round(params, &z, &hints, &mut residual).is_err() {
            return beyond_bounds(params);
        }
        let (statement_digest, challenge_hash) = (self.digest, self.challenge_hash);
        Ok(Some(Proof { statement_digest, challenge_hash, z, hints }))
    }
}

/// The end of an attempt with an entry or a column beyond its bound.
fn beyond_bounds(params: &Params) -> Result<Option<Proof>, Error> {
    match params.masks() {
        Masks::Mixed { .. } => Err(Error::TooManyAttempts(1)),
        _ => Ok(None),
    }
}

/// Whether an entry of M, in two's complement, has an absolute value above `largest`.
///
/// # Constant time
/// In M.
pub(super) fn any_above(m: &[u32], largest: u64) -> bool {
    let largest = u32::try_from(largest).unwrap_or(u32::MAX);
    vectorize!(
        Isa::detect_vectors(),
        m.iter().fold(false, |any, m| any | (m.cast_signed().unsigned_abs() > largest)),
    )
}

/// Y becomes Z = Y + M; returns <Z, M> and `||M||^2` of the rows that rejection decides by,
/// exactly.
pub(super) fn add_m(params: &Params, y: &mut [i64], m: &[u32]) -> (i128, u128) {
    let (v, rows) = (params.v() as usize, params.rejection_rows() as usize);
    // |z| <= 14 sigma + b l < 2^37 and |m| <= b l < 2^31.
    let largest_m = u128::from(params.b()) * u128::from(params.l());
    let largest_z = u128::from(params.entry_bound()) + largest_m;
    // Whether factors fit 32 bits and the sums of a column 64.
    if largest_z < 1 << 31 && largest_z * largest_m * u128::from(params.v()) < 1 << 63 {
        let sums = |j: usize, z: &mut [i64]| {
            let (decisive, others) = z.split_at_mut(rows);
            let (of_decisive, of_others) = m[j * v..][..v].split_at(rows);
            add_column(others, of_others);
            Ok::<_, Infallible>(add_column(decisive, of_decisive))
        };
        let Ok(sums) = parallel::try_map_chunks(y, v, sums);
        return sums.into_iter().fold((0, 0), |(inner, norm), (column_inner, column_norm)| {
            (inner + i128::from(column_inner), norm + u128::from(column_norm))
        });
    }
    let (mut inner, mut norm_squared) = (0_i128, 0_u128);
    for (z, m) in y.chunks_exact_mut(v).zip(m.chunks_exact(v)) {
        for (row, (z, m)) in z.iter_mut().zip(m).enumerate() {
            let m = i64::from(m.cast_signed());
            *z += m;
            if row < rows {
                inner += i128::from(*z) * i128::from(m);
                norm_squared += u128::from(m.unsigned_abs()).pow(2);
            }
        }
    }
    (inner, norm_squared)
}

/// The same for a column of entries of 32 bits, whose sums fit 64.
fn add_column(z: &mut [i64], m: &[u32]) -> (i64, u64) {
    vectorize!(Isa::detect_vectors(), {
        let (mut inner, mut norm_squared) = (0_i64, 0_u64);
        for (z, m) in z.iter_mut().zip(m) {
            let m = i64::from(m.cast_signed());
            *z += m;
            // Vectors multiply 32 bits by 32.
            inner += i64::from(*z as i32) * m;
            norm_squared += (m * m).cast_unsigned();
        }
        (inner, norm_squared)
    })
}
