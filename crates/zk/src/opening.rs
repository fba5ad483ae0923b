//! Column openings: a proof of knowledge that shows what a public linear form is at every column of
//! S, and in which the challenge is bound to a transcript.
//!
//! Let phi(x) = sum of phi_i x_i with values in K, public. For y_j = phi(s_j), j < l, s_j being the
//! preimage of the published column of T, in the transcript's last state D_end,
//! the prover hashes delta_k = phi(y_1k, y_2k - w_k), k < n, with W_H, w_k being column k of W_L =
//! low_d(W); a verifier recomputes it as delta_k = phi(z_1k, -e_k) - sum over j of c_jk y_j. Where
//! phi is zero in the last r rows (the errors of LWE), W_L and E do not enter, nor what is rounded
//! off T: errors of that preimage are less by as much.

pub(crate) mod transcript;

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token, vectorize};
use zeroize::Zeroizing;

use crate::challenge::{ChallengeMatrix, challenge_hash_with};
use crate::field::{Coefficients, ElementOf, Field, Goldilocks, P61, P127};
use crate::field::{Integers, Lanes, with_lanes};
use crate::hash::Digest;
use crate::params::Params;
use crate::shard::range::Shard;
use crate::words::Word;
use transcript::encode;

/// Entries of a column that are gathered in lanes at a time, and most lanes of registers.
const ROWS: usize = 64;
const MAX_LANES: usize = 8;

/// A linear form phi on columns, by the rows where it is not 0.
#[derive(Clone, Debug)]
pub(crate) struct LinearForm<F: Field = P61> {
    weights: Vec<(u32, ElementOf<F>)>,
}

impl<F: Field> LinearForm<F> {
    pub(crate) const fn new(weights: Vec<(u32, ElementOf<F>)>) -> Self {
        Self { weights }
    }

    /// This form plus `scale` times another one on other rows.
    pub(crate) fn plus(mut self, scale: ElementOf<F>, other: &Self) -> Self {
        self.weights.extend(other.weights.iter().map(|&(row, weight)| (row, scale * weight)));
        self
    }

    /// phi of a column, whose entries have absolute values below 2^44: a sum of 2^17 products with
    /// coefficients below 2^64 is below 2^125.
    ///
    /// # Constant time
    /// In the entries.
    pub(crate) fn at<T: Copy + Into<i64>>(&self, column: &[T]) -> ElementOf<F> {
        let sum = |weights: &[(u32, ElementOf<F>)]| {
            let mut sum = F::IntegerSum::default();
            for &(row, weight) in weights {
                F::add_integer(&mut sum, column[row as usize].into(), weight.coefficients());
            }
            ElementOf::from_residues(F::reduce_integers(sum))
        };
        self.weights.chunks(1 << 17).fold(ElementOf::ZERO, |all, weights| all + sum(weights))
    }

    /// The form on the first `rows` rows, and that on the others, which it counts from 0.
    pub(crate) fn split(&self, rows: u32) -> (Self, Self) {
        let (mut top, mut rest) = (Vec::with_capacity(self.weights.len()), Vec::new());
        for &(row, weight) in &self.weights {
            match row.checked_sub(rows) {
                None => top.push((row, weight)),
                Some(row) => rest.push((row, weight)),
            }
        }
        (Self::new(top), Self::new(rest))
    }

    /// phi of each column of `height` entries, whose absolute values are below 2^42.
    ///
    /// # Constant time
    /// In the entries.
    fn at_all(&self, columns: &[i64], height: u32) -> Zeroizing<Vec<ElementOf<F>>> {
        let isa = Isa::detect_vectors();
        with_lanes!(isa, L<F>, token => self.at_all_with::<L<F>>(token, columns, height as usize))
    }

    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn at_all_with<L: Lanes<F>>(
        &self,
        token: L::Token,
        columns: &[i64],
        height: usize,
    ) -> Zeroizing<Vec<ElementOf<F>>> {
        let mut values = Zeroizing::new(vec![ElementOf::ZERO; columns.len() / height]);
        let of_chunk = |chunk: &[(u32, ElementOf<F>)]| {
            chunk.iter().fold(ElementOf::ZERO, |sum, &(_, weight)| sum + weight)
        };
        let totals: Vec<_> = self.weights.chunks(L::MAX_INTEGERS).map(of_chunk).collect();
        crate::parallel::for_chunks(&mut values, L::LANES, |group, values| {
            let columns = &columns[group * L::LANES * height..];
            let mut words = Zeroizing::new([0_i64; ROWS * MAX_LANES]);
            vectorize!(token, {
                let mut value = L::splat(token, ElementOf::ZERO);
                // `zip` is inlined within a codegen unit alone.
                for (chunk, weights) in self.weights.chunks(L::MAX_INTEGERS).enumerate() {
                    let mut sum = L::Integers::zero(token);
                    for weights in weights.chunks(ROWS) {
                        let columns = columns.chunks_exact(height).take(L::LANES);
                        for (lane, column) in columns.enumerate() {
                            for (i, &(row, _)) in weights.iter().enumerate() {
                                words[i * L::LANES + lane] = column[row as usize];
                            }
                        }
                        for (i, &(_, weight)) in weights.iter().enumerate() {
                            sum.add(L::integers(token, &words[i * L::LANES..]), weight);
                        }
                    }
                    value = value.add(sum.reduce(totals[chunk]));
                }
                value.scatter(values);
            });
        });
        values
    }
}

/// Bindings of a challenge in addition to W: the transcript's last state, and a form whose values
/// at all columns of S it contains.
#[derive(Clone, Debug)]
pub(crate) struct ColumnOpening<F: Field = P61> {
    state: Digest,
    form: LinearForm<F>,
}

impl<F: Field> ColumnOpening<F> {
    pub(crate) const fn new(state: Digest, form: LinearForm<F>) -> Self {
        Self { state, form }
    }

    /// D_end.
    pub(crate) const fn state(&self) -> &Digest {
        &self.state
    }

    #[cfg(test)]
    pub(crate) const fn form(&self) -> &LinearForm<F> {
        &self.form
    }

    /// The challenge hash of a prover with a Y of v x n entries; the high part of W is given, too.
    ///
    /// # Constant time
    /// In Y and W.
    pub(crate) fn challenge_hash<W: Word>(
        &self,
        params: &Params,
        digest: &Digest,
        [w, w_high]: [&[W]; 2],
        y: &[i64],
    ) -> Digest {
        let mut delta = self.form.at_all(y, params.v());
        let (_, errors) = self.form.split(params.z_rows());
        if !errors.weights.is_empty() {
            let rounding = params.rounding_of_w();
            let mut low = Zeroizing::new(vec![0_i64; w.len()]);
            low.iter_mut().zip(w).for_each(|(low, word)| *low = rounding.low(word.to_u64()));
            let errors = errors.at_all(&low, params.r());
            delta.iter_mut().zip(errors.iter()).for_each(|(delta, &error)| *delta = *delta - error);
        }
        challenge_hash_with(params, digest, w_high, &self.state, &encode(&delta))
    }

    /// phi of the columns (0, -e_k), for E = low_d(V) - 2^d h: what hints say of the last r rows of
    /// Z. Public.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(crate) fn error_images<W: Word>(
        &self,
        params: &Params,
        v: &[W],
        hints: &[i8],
    ) -> Vec<ElementOf<F>> {
        let (_, errors) = self.form.split(params.z_rows());
        let r = params.r() as usize;
        if errors.weights.is_empty() {
            return vec![ElementOf::ZERO; hints.len() / r];
        }
        let (rounding, round_w) = (params.rounding_of_w(), params.round_w());
        // Below 2^39, as in `check_norms_and_round`.
        let error = |(v, &hint): (&W, &i8)| rounding.low(v.to_u64()) - (i64::from(hint) << round_w);
        let e: Vec<i64> = v.iter().zip(hints).map(error).collect();
        errors.at_all(&e, params.r()).iter().map(|&image| ElementOf::ZERO - image).collect()
    }

    /// The challenge hash that a verifier recomputes from Z, of [`Params::z_rows`] rows, the
    /// [images of the errors](Self::error_images) and the values y_j.
    pub(crate) fn recompute<W: Word>(
        &self,
        params: &Params,
        [digest, challenge_hash]: [&Digest; 2],
        w_high: &[W],
        z: &[i64],
        error_images: &[ElementOf<F>],
        values: &[ElementOf<F>],
    ) -> Digest {
        let (top, _) = self.form.split(params.z_rows());
        let images = top.at_all(z, params.z_rows());
        let combinations = combine(params, challenge_hash, values);
        let images = images.iter().zip(error_images);
        let delta: Vec<ElementOf<F>> =
            images.zip(combinations).map(|((&top, &rest), sum)| top + rest - sum).collect();
        challenge_hash_with(params, digest, w_high, &self.state, &encode(&delta))
    }
}

/// A column opening over any field.
#[derive(Clone, Debug)]
pub(crate) enum Opening {
    P61(ColumnOpening),
    P127(ColumnOpening<P127>),
    Goldilocks(ColumnOpening<Goldilocks>),
}

impl Opening {
    /// D_end.
    pub(crate) const fn state(&self) -> &Digest {
        match self {
            Self::P61(opening) => opening.state(),
            Self::P127(opening) => opening.state(),
            Self::Goldilocks(opening) => opening.state(),
        }
    }

    #[cfg(test)]
    pub(crate) fn form(&self) -> &LinearForm {
        match self {
            Self::P61(opening) => opening.form(),
            _ => panic!("of another field"),
        }
    }

    /// [`ColumnOpening::challenge_hash`].
    pub(crate) fn challenge_hash<W: Word>(
        &self,
        params: &Params,
        digest: &Digest,
        w: [&[W]; 2],
        y: &[i64],
    ) -> Digest {
        match self {
            Self::P61(opening) => opening.challenge_hash(params, digest, w, y),
            Self::P127(opening) => opening.challenge_hash(params, digest, w, y),
            Self::Goldilocks(opening) => opening.challenge_hash(params, digest, w, y),
        }
    }
}

/// A column opening with the values of the columns, for a verifier.
#[derive(Clone, Debug)]
pub(crate) enum Opened {
    P61(ColumnOpening, Vec<ElementOf<P61>>),
    P127(ColumnOpening<P127>, Vec<ElementOf<P127>>),
    Goldilocks(ColumnOpening<Goldilocks>, Vec<ElementOf<Goldilocks>>),
}

/// sum over j of c_jk y_j for each column k of C. Public.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn combine<F: Field>(
    params: &Params,
    challenge_hash: &Digest,
    values: &[ElementOf<F>],
) -> Vec<ElementOf<F>> {
    let challenge = ChallengeMatrix::new(params, challenge_hash);
    let mut sums = vec![ElementOf::ZERO; params.n() as usize];
    let mut rest = values;
    for (first, count) in Shard::whole(params).groups(params) {
        let (values, behind) = rest.split_at(count);
        rest = behind;
        // Part after part of each coefficient of all values.
        let mut parts = Vec::with_capacity(F::Coefficients::COUNT * F::PARTS * count);
        for place in 0..F::Coefficients::COUNT * F::PARTS {
            let (coefficient, part) = (place / F::PARTS, place % F::PARTS);
            for value in values {
                parts.push(F::part(value.coefficients().as_ref()[coefficient], part));
            }
        }
        let c = challenge.rows(first, count);
        crate::parallel::for_chunks(&mut sums, 1, |k, sum| {
            let c = &c[k * count..(k + 1) * count];
            let of_parts: Vec<i64> = parts.chunks_exact(count).map(|parts| dot(c, parts)).collect();
            let words = of_parts.chunks_exact(F::PARTS).enumerate();
            sum[0] = words.fold(sum[0], |sum, (place, parts)| {
                sum + ElementOf::monomial(F::of_parts(parts), place)
            });
        });
    }
    sums
}

/// sum over j of c_j x_j, for |c_j| <= 1.
fn dot(c: &[i8], x: &[i32]) -> i64 {
    vectorize!(
        Isa::detect_vectors(),
        c.iter().zip(x).map(|(&c, &x)| i64::from(i32::from(c) * x)).sum(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Element;

    /// The largest entries, weights and numbers of rows: no sum overflows.
    #[test]
    fn extreme_forms_are_exact() {
        let largest = Element::from_integers([-1; 3]);
        let form = LinearForm::new((0..1 << 20).map(|row| (row, largest)).collect());
        for entry in [(1_i64 << 44) - 1, 1 - (1 << 44)] {
            // 2^20 rows of -1 times the entry.
            let expected = Element::from_integers([-(i128::from(entry) << 20); 3]);
            assert_eq!(form.at(&vec![entry; 1 << 20]), expected);
        }
    }

    /// Any number of columns, rows in any order, and the largest entries and weights.
    #[test]
    fn forms_of_all_columns_are_those_of_each() {
        fn check<F: Field>(height: usize, columns: usize, isa: Isa) {
            let minus_one = |_| F::residue(-1);
            let largest = ElementOf::from_residues(F::Coefficients::ZERO.map(minus_one));
            let weight =
                |row: i64| if row % 3 == 0 { largest } else { largest * (row * row).into() };
            let rows = (0..height as u32).rev().step_by(2);
            let form = LinearForm::<F>::new(rows.map(|row| (row, weight(row.into()))).collect());
            let entry = |i: i64| [(1 << 42) - 1, 1 - (1 << 42), i, -7 * i][(i % 4) as usize];
            let entries: Vec<i64> = (0..(height * columns) as i64).map(entry).collect();
            let got = with_lanes!(isa, L<F>, token => {
                form.at_all_with::<L<F>>(token, &entries, height)
            });
            let each: Vec<_> = entries.chunks(height).map(|column| form.at(column)).collect();
            assert_eq!(got[..], each, "{height} x {columns}, {}", isa.name());
        }
        for isa in Isa::all() {
            for (height, columns) in [(1, 1), (130, 7), (129, 8), (63, 9), (4200, 17)] {
                check::<P61>(height, columns, isa);
                check::<P127>(height, columns, isa);
                check::<Goldilocks>(height, columns, isa);
            }
        }
    }
}
