//! ML-KEM-512 keys as an execution trace, proved by winterfell.
//!
//! A row has coefficient i of the polynomials of a key: s_j, e_j, the carries k_j in three digits
//! to the base 7, and h_j with sum over l of A_jl s_l + e_j - t_j - q k_j = (X^256 + 1) h_j. All
//! but h_j are in [-3, 3], by a product of seven factors, so that either side is far below p, and
//! the equation holds over the integers if it does over F, for any h_j. It is shown at a random
//! point alpha, both rows of A at once by powers of a random beta: evaluations grow from the last
//! row of a key to its first, where the verifier's own A and t are asserted. The last key is 0, as
//! winterfell shows nothing of the last row.

use std::sync::Arc;

use tautochrone_kem_keys::Secret;
use tautochrone_kem_keys::ml_kem::{DEGREE, EncapsulationKey};
use winterfell::math::{ExtensionOf, FieldElement, ToElements, fields::f64::BaseElement as Field};
use winterfell::matrix::ColMatrix;
use winterfell::{
    Air, AirContext, Assertion, AuxRandElements, EvaluationFrame, ProofOptions, TraceInfo,
    TransitionConstraintDegree,
};

use crate::stark::{self, Columns, Constraints};
use crate::times::Times;

const Q: i32 = 3329;
/// Carries have a standard deviation of 8, and 171 fits.
const DIGITS: usize = 3;
/// Columns s_0, s_1, e_0, e_1, and digits of k_0 and of k_1; h_0 and h_1 are behind these.
const SMALL: usize = 4 + 2 * DIGITS;
/// Evaluations of s_0, s_1 and all other unknowns, and of A_0, A_1 and t.
const RANDOM: usize = 6;

fn element(x: i64) -> Field {
    let magnitude = Field::new(x.unsigned_abs());
    if x < 0 { -magnitude } else { magnitude }
}

/// The public polynomials of a key.
struct Public {
    bytes: Vec<u8>,
    a: [[[i16; DEGREE]; 2]; 2],
    t: Vec<i16>,
}

impl Public {
    fn new(key: &EncapsulationKey) -> Self {
        let a = [0, 1].map(|i| [0, 1].map(|j| key.polynomial(i, j)));
        Self { bytes: key.as_bytes().to_vec(), a, t: key.t().to_vec() }
    }
}

#[derive(Clone)]
struct Keys(Arc<Vec<Public>>);

impl Keys {
    fn new(keys: &[EncapsulationKey]) -> Self {
        Self(Arc::new(keys.iter().map(Public::new).collect()))
    }

    /// Rows of a trace, with a key of 0.
    fn rows(&self) -> usize {
        (self.0.len() + 1) * DEGREE
    }

    /// At the random point, with both rows of A or t at once: the values of all keys.
    fn evaluations<E: FieldElement<BaseField = Field>>(&self, random: &[E]) -> [Vec<E>; 3] {
        let powers: Vec<E> = winterfell::math::get_power_series(random[0], DEGREE);
        let at = |x: &[i16]| {
            let terms = x.iter().zip(&powers);
            terms.fold(E::ZERO, |sum, (&x, &power)| sum + power.mul_base(element(x.into())))
        };
        let both = |x: [&[i16]; 2]| at(x[0]) + random[1] * at(x[1]);
        let of_keys = |get: &dyn Fn(&Public) -> E| {
            self.0.iter().map(get).chain([E::ZERO]).collect::<Vec<E>>()
        };
        [
            of_keys(&|key| both([&key.a[0][0], &key.a[1][0]])),
            of_keys(&|key| both([&key.a[0][1], &key.a[1][1]])),
            of_keys(&|key| both([&key.t[..DEGREE], &key.t[DEGREE..]])),
        ]
    }
}

impl ToElements<Field> for Keys {
    fn to_elements(&self) -> Vec<Field> {
        let word = |bytes: &[u8]| bytes.iter().rfold(0, |word, &byte| word << 8 | u64::from(byte));
        self.0.iter().flat_map(|key| key.bytes.chunks(7).map(|x| Field::new(word(x)))).collect()
    }
}

/// All but s_0 and s_1 of a row: e_j - q k_j - (alpha^256 + 1) h_j, the second one times beta.
fn others<F, E>(row: &[F], [alpha, beta]: [E; 2]) -> E
where
    F: FieldElement<BaseField = Field>,
    E: FieldElement<BaseField = Field> + ExtensionOf<F>,
{
    let power = (0..DEGREE.ilog2()).fold(alpha, |x, _| x.square()) + E::ONE;
    let part = |j: usize| {
        let digits = &row[4 + j * DIGITS..][..DIGITS];
        let carry = digits.iter().rfold(F::ZERO, |sum, &digit| sum * F::from(7_u32) + digit);
        E::from(row[2 + j] - carry * F::from(Q as u32)) - power.mul_base(row[SMALL + j])
    };
    part(0) + beta * part(1)
}

struct WellFormed {
    context: AirContext<Field>,
    keys: Keys,
}

impl Air for WellFormed {
    type BaseField = Field;
    type PublicInputs = Keys;

    fn new(info: TraceInfo, keys: Keys, options: ProofOptions) -> Self {
        let range = TransitionConstraintDegree::new(7);
        let growing = TransitionConstraintDegree::with_cycles(1, vec![DEGREE]);
        let equation = TransitionConstraintDegree::with_cycles(2, vec![DEGREE]);
        let random = vec![growing.clone(), growing.clone(), growing, equation];
        let small = vec![range; SMALL];
        let context = AirContext::new_multi_segment(info, small, random, 1, 3, options);
        Self { context, keys }
    }

    fn context(&self) -> &AirContext<Field> {
        &self.context
    }

    fn evaluate_transition<E: FieldElement<BaseField = Field>>(
        &self,
        frame: &EvaluationFrame<E>,
        _: &[E],
        result: &mut [E],
    ) {
        for (result, &x) in result.iter_mut().zip(&frame.current()[..SMALL]) {
            let square = x * x;
            let factor = |i: u32| square - E::from(i * i);
            *result = x * factor(1) * factor(2) * factor(3);
        }
    }

    fn evaluate_aux_transition<F, E>(
        &self,
        main: &EvaluationFrame<F>,
        random_columns: &EvaluationFrame<E>,
        periodic: &[F],
        random: &AuxRandElements<E>,
        result: &mut [E],
    ) where
        F: FieldElement<BaseField = Field>,
        E: FieldElement<BaseField = Field> + ExtensionOf<F>,
    {
        let [alpha, beta] = [0, 1].map(|i| random.rand_elements()[i]);
        let (row, current) = (main.current(), random_columns.current());
        let values = [row[0].into(), row[1].into(), others(row, [alpha, beta])];
        for (i, value) in values.into_iter().enumerate() {
            let next = (alpha * random_columns.next()[i]).mul_base(F::ONE - periodic[1]);
            result[i] = current[i] - value - next;
        }
        let sum = current[0] * current[3] + current[1] * current[4] + current[2] - current[5];
        result[3] = sum.mul_base(periodic[0]);
    }

    fn get_assertions(&self) -> Vec<Assertion<Field>> {
        // winterfell wants one.
        vec![Assertion::single(0, self.trace_length() - 1, Field::ZERO)]
    }

    fn get_aux_assertions<E: FieldElement<BaseField = Field>>(
        &self,
        random: &AuxRandElements<E>,
    ) -> Vec<Assertion<E>> {
        let values = self.keys.evaluations(random.rand_elements());
        let columns = (3..).zip(values);
        columns.map(|(column, values)| Assertion::sequence(column, 0, DEGREE, values)).collect()
    }

    /// 1 in the first row of a key, and in the last one.
    fn get_periodic_column_values(&self) -> Vec<Vec<Field>> {
        let one_at = |row| (0..DEGREE).map(|i| Field::from(i == row)).collect();
        vec![one_at(0), one_at(DEGREE - 1)]
    }
}

impl Constraints for WellFormed {
    fn random_columns<E: FieldElement<BaseField = Field>>(
        keys: &Keys,
        main: &ColMatrix<Field>,
        random: &[E],
    ) -> ColMatrix<E> {
        let mut columns = vec![vec![E::ZERO; keys.rows()]; RANDOM];
        let mut row = [Field::ZERO; SMALL + 2];
        for i in (0..keys.rows()).rev() {
            main.read_row_into(i, &mut row);
            let values = [row[0].into(), row[1].into(), others(&row, [random[0], random[1]])];
            for (column, value) in columns.iter_mut().zip(values) {
                let is_last = (i + 1).is_multiple_of(DEGREE);
                let next = if is_last { E::ZERO } else { random[0] * column[i + 1] };
                column[i] = value + next;
            }
        }
        for (column, values) in columns[3..].iter_mut().zip(keys.evaluations(random)) {
            column.iter_mut().step_by(DEGREE).zip(values).for_each(|(cell, value)| *cell = value);
        }
        ColMatrix::new(columns)
    }
}

/// The columns of a key, of s, e and what follows from them.
fn columns(key: &Public, s: &[i8], e: &[i8]) -> Vec<Vec<Field>> {
    let small = |x: &[i8]| x.iter().map(|&x| element(x.into())).collect::<Vec<Field>>();
    let mut columns: Vec<_> = s.chunks(DEGREE).chain(e.chunks(DEGREE)).map(small).collect();
    let mut quotients = Vec::new();
    for j in 0..2 {
        let mut product = [0_i32; 2 * DEGREE];
        for (a, s) in key.a[j].iter().zip(s.chunks(DEGREE)) {
            for (i, &s) in s.iter().enumerate() {
                let terms = product[i..].iter_mut().zip(a);
                terms.for_each(|(sum, &a)| *sum += i32::from(a) * i32::from(s));
            }
        }
        let (low, high) = product.split_at(DEGREE);
        let mut carries = [0; DEGREE];
        for (i, carry) in carries.iter_mut().enumerate() {
            let at = j * DEGREE + i;
            let multiple = low[i] - high[i] + i32::from(e[at]) - i32::from(key.t[at]);
            *carry = multiple.div_euclid(Q);
        }
        for _ in 0..DIGITS {
            let digit = |carry: i32| (carry + 3).rem_euclid(7) - 3;
            columns.push(carries.iter().map(|&carry| element(digit(carry).into())).collect());
            carries.iter_mut().for_each(|carry| *carry = (*carry - digit(*carry)).div_euclid(7));
        }
        quotients.push(high.iter().map(|&high| element(high.into())).collect());
    }
    columns.extend(quotients);
    columns
}

fn trace(keys: &Keys, secrets: &[(&[i8], &[i8])]) -> Vec<Vec<Field>> {
    let mut all = vec![Vec::new(); SMALL + 2];
    for (key, (s, e)) in keys.0.iter().zip(secrets) {
        all.iter_mut().zip(columns(key, s, e)).for_each(|(all, column)| all.extend(column));
    }
    all.iter_mut().for_each(|column| column.resize(keys.rows(), Field::ZERO));
    all
}

/// One proof of one key less than a power of two, from keys as they are read, and its check.
pub(crate) fn run(keys: &[EncapsulationKey], secrets: &[Secret]) -> Times {
    let secrets: Vec<_> = secrets.iter().map(|secret| (secret.s(), secret.e())).collect();
    let witness = || {
        let keys = Keys::new(keys);
        (Columns::new(trace(&keys, &secrets), [RANDOM, 2]), keys)
    };
    stark::run::<WellFormed>(witness, || Keys::new(keys))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys;

    /// In debug builds winterfell's prover checks constraints and their degrees, and panics; in
    /// release builds its proof of false ones is not valid.
    #[test]
    fn false_keys_have_no_proof() {
        let keys = keys::Keys::new(7);
        let public = Keys::new(&keys.public);
        let [s, e] = [keys.secrets[0].s(), keys.secrets[0].e()];
        let others = keys.secrets[1..].iter().map(|secret| (secret.s(), secret.e()));
        let others: Vec<_> = others.collect();
        let proved = |s: &[i8], e: &[i8], change: &dyn Fn(&mut Vec<Vec<Field>>)| {
            let witness = || {
                let mut all = trace(&public, &[&[(s, e)], &others[..]].concat());
                change(&mut all);
                (Columns::new(all, [RANDOM, 2]), public.clone())
            };
            let run = || stark::run::<WellFormed>(witness, || public.clone());
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_ok()
        };
        assert!(proved(s, e, &|_| ()));
        assert!(!proved(e, s, &|_| ()), "other secrets");
        let mut wide = e.to_vec();
        wide[0] = 4;
        assert!(!proved(s, &wide, &|_| ()), "a wide error");
        for column in [1, 2, 4 + DIGITS, SMALL + 1] {
            assert!(!proved(s, e, &|all| all[column][200] += Field::ONE), "column {column}");
        }
    }
}
