//! Prover and verifier in plain loops: schoolbook products, one word at a time, over signed or
//! unsigned integers of 128 bits where that is the obvious way.
//!
//! Matrices are column after column, but A' row after row. Nothing here is constant time.

use super::hints::MAX_HINT;
use super::rounding::Rounding;
use super::shape::Shape;
use crate::hash::Digest;
use crate::reference::input;
use crate::rejection::{Rejection, Verdict};

/// What is published: A', T' and the shape, which say what is proved.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Statement {
    pub(super) shape: Shape,
    /// A', r x kappa, row after row.
    pub(super) a: Vec<u64>,
    /// round_dT(T), r x l: words of w - dT bits.
    pub(super) t: Vec<u64>,
}

/// An accepted transcript.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Proof {
    pub(super) challenge_hash: Vec<u8>,
    /// kappa x n.
    pub(super) z: Vec<i64>,
    /// r x n.
    pub(super) hints: Vec<i64>,
}

/// Why a proof is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Entry,
    Hint,
    Norm,
    Challenge,
}

/// W, its high part, and V = A' Z_1 - T' C with what is left of it.
pub(super) struct Residual {
    /// round_d(V) + h modulo 2^(w-d).
    pub(super) w_high: Vec<u64>,
    /// low_d(V) - 2^d h.
    pub(super) e: Vec<i64>,
}

impl Statement {
    /// T' for S = (S_1, S_2), v x l: T = A' S_1 + S_2 modulo q, rounded.
    pub(super) fn new(shape: Shape, a: Vec<u64>, s: &[i64]) -> Self {
        let rounding = shape.of_t();
        let t = Self::times_a(&shape, &a, s, shape.l as usize);
        let t = t.into_iter().map(|t| rounding.high(t)).collect();
        Self { shape, a, t }
    }

    /// [A' | I] X modulo 2^64 for X of v x `columns`.
    pub(super) fn times_a(shape: &Shape, a: &[u64], x: &[i64], columns: usize) -> Vec<u64> {
        let (r, kappa) = (shape.r as usize, shape.kappa as usize);
        let mut product = Vec::with_capacity(r * columns);
        for x in x.chunks_exact(kappa + r) {
            for (i, row) in a.chunks_exact(kappa).enumerate() {
                let top = row.iter().zip(x).fold(0_u64, |sum, (a, &x)| {
                    sum.wrapping_add(a.wrapping_mul(x.cast_unsigned()))
                });
                product.push(top.wrapping_add(x[kappa + i].cast_unsigned()));
            }
        }
        product
    }

    /// X C modulo 2^64 for X of `rows` x l and the challenge, row after row.
    fn times_challenge(x: &[u64], rows: usize, c: &[Vec<i8>]) -> Vec<u64> {
        let n = c[0].len();
        let mut product = vec![0_u64; rows * n];
        for (column, c) in x.chunks_exact(rows).zip(c) {
            for (sums, &c) in product.chunks_exact_mut(rows).zip(c) {
                for (sum, x) in sums.iter_mut().zip(column) {
                    *sum = sum.wrapping_add(x.wrapping_mul(i64::from(c).cast_unsigned()));
                }
            }
        }
        product
    }

    /// D: everything that is published.
    pub(super) fn digest(&self, context: &[u8]) -> Vec<u8> {
        let bytes =
            |words: &[u64]| -> Vec<u8> { words.iter().flat_map(|x| x.to_le_bytes()).collect() };
        let header = format!("{:?}", self.shape);
        hash("statement", &[header.as_bytes(), &bytes(&self.a), &bytes(&self.t), context])
    }

    /// The hash of D and the high part of W.
    fn challenge_hash(digest: &[u8], w_high: &[u64]) -> Vec<u8> {
        let bytes: Vec<u8> = w_high.iter().flat_map(|x| x.to_le_bytes()).collect();
        hash("challenge", &[digest, &bytes])
    }

    /// C, l rows of n entries in -1, 0, 1 with probabilities 1/4, 1/2, 1/4.
    pub(super) fn challenge(&self, challenge_hash: &[u8]) -> Vec<Vec<i8>> {
        let (n, l) = (self.shape.n as usize, self.shape.l as usize);
        let mut bytes = vec![0; n * l];
        blake3::Hasher::new().update(challenge_hash).finalize_xof().fill(&mut bytes);
        let entry = |byte: u8| (byte & 1).cast_signed() * (1 - (byte & 2).cast_signed());
        bytes.chunks_exact(n).map(|row| row.iter().map(|&byte| entry(byte)).collect()).collect()
    }

    /// V = A' Z_1 - T' C modulo 2^64.
    pub(super) fn v(&self, z: &[i64], c: &[Vec<i8>]) -> Vec<u64> {
        let (r, kappa) = (self.shape.r as usize, self.shape.kappa as usize);
        // Z_1 over zeros.
        let mut padded = Vec::new();
        for z in z.chunks_exact(kappa) {
            padded.extend_from_slice(z);
            padded.resize(padded.len() + r, 0);
        }
        let az = Self::times_a(&self.shape, &self.a, &padded, self.shape.n as usize);
        let t: Vec<u64> = self.t.iter().map(|t| t << self.shape.dt).collect();
        let tc = Self::times_challenge(&t, r, c);
        az.iter().zip(tc).map(|(az, tc)| az.wrapping_sub(tc)).collect()
    }

    /// What hints make of V.
    pub(super) fn residual(&self, v: &[u64], hints: &[i64]) -> Residual {
        let rounding = self.shape.of_w();
        let parts = v.iter().zip(hints);
        Residual {
            w_high: parts.clone().map(|(&v, &h)| rounding.add(rounding.high(v), h)).collect(),
            e: parts.map(|(&v, &h)| rounding.low(v) - (h << self.shape.d)).collect(),
        }
    }

    /// The bounds of a transcript: those of a proof, and those a prover repeats an attempt for.
    pub(super) fn check_bounds(&self, z: &[i64], hints: &[i64], e: &[i64]) -> Result<(), Refusal> {
        let (r, kappa) = (self.shape.r as usize, self.shape.kappa as usize);
        if z.iter().any(|z| z.unsigned_abs() > 14 * self.shape.sigma) {
            return Err(Refusal::Entry);
        }
        if hints.iter().any(|h| h.abs() > MAX_HINT) {
            return Err(Refusal::Hint);
        }
        let square =
            |x: &[i64]| x.iter().map(|&x| u128::from(x.unsigned_abs()).pow(2)).sum::<u128>();
        let norms =
            z.chunks_exact(kappa).zip(e.chunks_exact(r)).map(|(z, e)| square(z) + square(e));
        if norms.max().unwrap_or(0) > self.shape.norm_bound {
            return Err(Refusal::Norm);
        }
        Ok(())
    }

    /// One attempt with this Y, v x n; `None` if it is rejected.
    pub(super) fn attempt(
        &self,
        s: &[i64],
        y: &[i64],
        uniform: u128,
        context: &[u8],
    ) -> Option<Proof> {
        let (w, challenge_hash, c) = self.first_message(y, context);
        let (z, m) = self.response(s, y, &c);
        let inner = z.iter().zip(&m).map(|(z, m)| i128::from(*z) * i128::from(*m)).sum();
        let norm = m.iter().map(|m| u128::from(m.unsigned_abs()).pow(2)).sum();
        if Rejection::new(self.shape.sigma).decide(inner, norm, uniform) == Verdict::Reject {
            return None;
        }
        let (z, hints) = self.hints(&w, &z, &c);
        let e = self.residual(&self.v(&z, &c), &hints).e;
        self.check_bounds(&z, &hints, &e).ok()?;
        Some(Proof { challenge_hash, z, hints })
    }

    /// W = A Y, the hash of its high part, and C.
    pub(super) fn first_message(
        &self,
        y: &[i64],
        context: &[u8],
    ) -> (Vec<u64>, Vec<u8>, Vec<Vec<i8>>) {
        let w = Self::times_a(&self.shape, &self.a, y, self.shape.n as usize);
        let high: Vec<u64> = w.iter().map(|&w| self.shape.of_w().high(w)).collect();
        let challenge_hash = Self::challenge_hash(&self.digest(context), &high);
        let c = self.challenge(&challenge_hash);
        (w, challenge_hash, c)
    }

    /// Z = Y + M and M = S C, all v rows.
    pub(super) fn response(&self, s: &[i64], y: &[i64], c: &[Vec<i8>]) -> (Vec<i64>, Vec<i64>) {
        let words: Vec<u64> = s.iter().map(|s| s.cast_unsigned()).collect();
        let m = Self::times_challenge(&words, (self.shape.r + self.shape.kappa) as usize, c);
        let m: Vec<i64> = m.into_iter().map(u64::cast_signed).collect();
        (y.iter().zip(&m).map(|(y, m)| y + m).collect(), m)
    }

    /// Z_1 and h = round_d(W) - round_d(V), centred.
    pub(super) fn hints(&self, w: &[u64], z: &[i64], c: &[Vec<i8>]) -> (Vec<i64>, Vec<i64>) {
        let (r, kappa) = (self.shape.r as usize, self.shape.kappa as usize);
        let z: Vec<i64> =
            z.chunks_exact(kappa + r).flat_map(|z| z[..kappa].iter().copied()).collect();
        let rounding = self.shape.of_w();
        let hint = |(&w, &v)| rounding.difference(rounding.high(w), rounding.high(v));
        let hints = w.iter().zip(&self.v(&z, c)).map(hint).collect();
        (z, hints)
    }

    /// Whether a proof is valid for this statement and context.
    pub(super) fn verify(&self, proof: &Proof, context: &[u8]) -> Result<(), Refusal> {
        let c = self.challenge(&proof.challenge_hash);
        let Residual { w_high, e } = self.residual(&self.v(&proof.z, &c), &proof.hints);
        self.check_bounds(&proof.z, &proof.hints, &e)?;
        let hash = Self::challenge_hash(&self.digest(context), &w_high);
        if hash == proof.challenge_hash { Ok(()) } else { Err(Refusal::Challenge) }
    }
}

impl Shape {
    /// How W is rounded.
    pub(super) const fn of_w(&self) -> Rounding {
        Rounding::new(self.w, self.d)
    }

    /// How T is rounded.
    pub(super) const fn of_t(&self) -> Rounding {
        Rounding::new(self.w, self.dt)
    }
}

fn hash(tag: &str, fields: &[&[u8]]) -> Vec<u8> {
    let input = input("tautochrone-zk/2", tag, fields);
    Digest::from_slice(blake3::hash(&input).as_bytes()).as_bytes().to_vec()
}

#[cfg(test)]
mod tests;
