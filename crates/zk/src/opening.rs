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

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token, vectorize};
use zeroize::Zeroizing;

use crate::challenge::ChallengeMatrix;
use crate::entry::parts_of;
use crate::field::{Coefficients, ElementOf, Field, P61};
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

    fn at_all_with<L: Lanes<F>>(
        &self,
        token: L::Token,
        columns: &[i64],
        height: usize,
    ) -> Zeroizing<Vec<ElementOf<F>>> {
        let mut values = Zeroizing::new(vec![ElementOf::ZERO; parts_of(columns, height)]);
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

/// Bindings of a challenge in addition to W, over any field: the transcript's last state, and a
/// form whose values at all columns of S it contains.
pub(crate) trait Opening: core::any::Any + core::fmt::Debug + Send + Sync {
    /// D_end.
    fn state(&self) -> &Digest;

    /// Whether the form is not 0 in the last r rows.
    fn has_errors(&self, params: &Params) -> bool;

    /// delta, encoded: phi of columns of `height` entries, of which a verifier has no last r, less
    /// phi of (0, `errors`), if it has errors, and less the combinations of the values of all
    /// columns by this challenge, if there is one.
    ///
    /// # Constant time
    /// In columns and errors.
    fn delta(
        &self,
        params: &Params,
        columns: (&[i64], u32),
        errors: &[i64],
        challenge_hash: Option<&Digest>,
    ) -> Zeroizing<Vec<u8>>;
}

/// An opening over a field.
#[derive(Debug)]
pub(crate) struct ColumnOpening<F: Field = P61> {
    state: Digest,
    form: LinearForm<F>,
    /// y_j, for a verifier.
    values: Vec<ElementOf<F>>,
}

impl<F: Field> ColumnOpening<F> {
    /// For a prover.
    pub(crate) const fn new(state: Digest, form: LinearForm<F>) -> Self {
        Self { state, form, values: Vec::new() }
    }

    /// For a verifier, who knows the values of all columns.
    pub(crate) fn with_values(self, values: Vec<ElementOf<F>>) -> Self {
        Self { values, ..self }
    }

    #[cfg(test)]
    pub(crate) const fn form(&self) -> &LinearForm<F> {
        &self.form
    }
}

impl<F: Field> Opening for ColumnOpening<F> {
    fn state(&self) -> &Digest {
        &self.state
    }

    fn has_errors(&self, params: &Params) -> bool {
        self.form.weights.iter().any(|&(row, _)| row >= params.z_rows())
    }

    fn delta(
        &self,
        params: &Params,
        (columns, height): (&[i64], u32),
        errors: &[i64],
        challenge_hash: Option<&Digest>,
    ) -> Zeroizing<Vec<u8>> {
        let (form, _) = self.form.split(height);
        let mut delta = form.at_all(columns, height);
        if !errors.is_empty() {
            let (_, form) = self.form.split(params.z_rows());
            let errors = form.at_all(errors, params.r());
            delta.iter_mut().zip(&*errors).for_each(|(delta, &error)| *delta = *delta - error);
        }
        if let Some(hash) = challenge_hash {
            let sums = combine(params, hash, &self.values);
            delta.iter_mut().zip(sums).for_each(|(delta, sum)| *delta = *delta - sum);
        }
        encode(&delta)
    }
}

impl dyn Opening {
    /// D_end, and delta of a prover with a Y of v x n entries.
    ///
    /// # Constant time
    /// In Y and W.
    pub(crate) fn of_mask<W: Word>(
        &self,
        params: &Params,
        w: &[W],
        y: &[i64],
    ) -> (&Digest, Zeroizing<Vec<u8>>) {
        let rounding = params.rounding_of_w();
        let mut low = Zeroizing::new(Vec::new());
        if self.has_errors(params) {
            low.reserve_exact(w.len());
            low.extend(w.iter().map(|word| rounding.low(word.to_u64())));
        }
        (self.state(), self.delta(params, (y, params.v()), &low, None))
    }

    /// E = low_d(V) - 2^d h, which hints say of the last r rows of Z, if the form asks for it.
    /// Public.
    pub(crate) fn errors<W: Word>(&self, params: &Params, v: &[W], hints: &[i8]) -> Vec<i64> {
        if !self.has_errors(params) {
            return Vec::new();
        }
        let (rounding, round_w) = (params.rounding_of_w(), params.round_w());
        // Below 2^39, as in `check_norms_and_round`.
        let error = |(v, &hint): (&W, &i8)| rounding.low(v.to_u64()) - (i64::from(hint) << round_w);
        v.iter().zip(hints).map(error).collect()
    }
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
    use crate::field::{Element, Goldilocks, P127};

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
