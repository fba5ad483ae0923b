//! Relations by their definition: dense matrices, and every unknown and carry where it is.

use super::super::argument::{add, minus, multiply, scale};
use super::*;

/// What names an instance in D_0; A, of a row for each equation; t.
#[derive(Clone)]
pub(crate) struct Instance {
    pub(crate) encoding: Vec<u8>,
    pub(crate) matrix: Vec<Vec<i128>>,
    pub(crate) target: Vec<i128>,
}

/// What follows A x = t + q k, and how it is hashed.
#[derive(Clone)]
pub(crate) enum Carries {
    /// Errors, which are not committed: what is missing from the equation. 1 for integers, 2 for
    /// polynomials.
    WithErrors { structure: i64, errors: (i32, i32) },
    /// Nothing is missing: how many digits to the base 16 k has; what all instances have in common.
    Digits { count: usize, header: Vec<u8> },
}

#[derive(Clone)]
pub(crate) struct Relation {
    pub(crate) name: &'static str,
    pub(crate) n: usize,
    /// Blocks of each part of the unknowns, its range, and whether that is shown.
    pub(crate) parts: Vec<(usize, (i32, i32), bool)>,
    /// Of each block of equations.
    pub(crate) moduli: Vec<i128>,
    pub(crate) carries: Carries,
    pub(crate) instances: Vec<Instance>,
    /// Instances in a column, and columns of an instance.
    pub(crate) places: usize,
    pub(crate) spread: usize,
}

impl Relation {
    fn carry_digits(&self) -> usize {
        if let Carries::Digits { count, .. } = self.carries { count } else { 1 }
    }

    /// Blocks of all parts, digits of carries last.
    fn blocks(&self) -> Vec<usize> {
        let carries = vec![self.moduli.len(); self.carry_digits()];
        self.parts.iter().map(|part| part.0).chain(carries).collect()
    }

    /// Of the messages, or of the table that has errors in the place of carries.
    pub(super) fn ranges(&self) -> Claim {
        let mut shown: Vec<_> = self.parts.iter().map(|part| part.2.then_some(part.1)).collect();
        if let Carries::WithErrors { errors, .. } = self.carries {
            shown.push(Some(errors));
        }
        let (mut first, mut ranges) = (0, vec![]);
        for (blocks, range) in self.blocks().into_iter().zip(shown) {
            let rows = self.places * blocks * self.n / self.spread;
            ranges.extend(range.map(|range| (first, rows, range)));
            first += rows;
        }
        Claim::Ranges { ranges, norms: vec![] }
    }

    pub(super) fn digest(&self) -> Digest {
        let number = |x: i128| (x as u64).to_le_bytes().to_vec();
        let count = self.instances.len() as i128;
        let [places, spread, n] = [self.places, self.spread, self.n].map(|x| x as i128);
        let encodings = self.instances.iter().map(|instance| instance.encoding.clone());
        let mut fields = vec![self.name.as_bytes().to_vec()];
        match &self.carries {
            Carries::WithErrors { structure, errors } => {
                let (columns, secrets, _) = self.parts[0];
                let blocks = [self.moduli.len(), columns].map(|x| x as i128);
                let numbers = [self.moduli[0], (*structure).into(), n, blocks[0], blocks[1]];
                let bounds = [secrets, *errors].map(|(low, high)| [low.into(), high.into()]);
                let last = [count, places, spread];
                let numbers = [&numbers[..], &bounds.concat(), &last].concat();
                fields.extend(numbers.into_iter().map(number));
                fields.extend(encodings);
                chained("relation", &fields)
            }
            Carries::Digits { count: digits, header } => {
                fields.extend([n, self.parts.len() as i128].map(number));
                for &(blocks, (low, high), is_shown) in &self.parts {
                    let numbers = [blocks as i128, low.into(), high.into(), is_shown.into()];
                    fields.extend(numbers.map(number));
                }
                fields.extend([*digits, self.moduli.len()].map(|x| number(x as i128)));
                fields.extend(self.moduli.iter().map(|q| number(q - 1)));
                fields.extend([number(count), header.clone()]);
                fields.extend(encodings);
                let instances = chained("equations: instances", &fields).as_bytes().to_vec();
                let numbers = [places, spread, 0].map(number);
                chained("equations", &[&[instances][..], &numbers].concat())
            }
        }
    }

    /// Row and column of unknown number `index` of a part of an instance.
    fn place(&self, instance: usize, part: usize, index: usize) -> (usize, usize) {
        let (low, blocks) = (self.n / self.spread, self.blocks());
        let before: usize = blocks[..part].iter().sum();
        let place = instance % self.places;
        let block = self.places * before + place * blocks[part] + index / self.n;
        let y = index % self.n;
        (block * low + y % low, instance / self.places * self.spread + y / low)
    }

    /// The sum over all equations of weight(row, column of the carry) (A x - q k), as weights of
    /// places of messages, of which a column has so many, and of (weight t).
    fn of_equations(
        &self,
        (messages, all): (usize, usize),
        weight: impl Fn((usize, usize)) -> Element,
    ) -> (Vec<Element>, Element) {
        let (mut weights, mut value) = (vec![ZERO; messages * all], ZERO);
        let carries = self.parts.len();
        for (i, Instance { matrix, target, .. }) in self.instances.iter().enumerate() {
            let sizes = self.parts.iter().map(|part| part.0 * self.n).enumerate();
            let places: Vec<_> = sizes
                .flat_map(|(part, size)| (0..size).map(move |index| (part, index)))
                .map(|(part, index)| self.place(i, part, index))
                .collect();
            for (index, (row, &t)) in matrix.iter().zip(target).enumerate() {
                let of_equation = weight(self.place(i, carries, index));
                let mut count = |(a, j): (usize, usize), x: i128| {
                    let at = &mut weights[messages * j + a];
                    *at = add(*at, scale(of_equation, x));
                };
                row.iter().zip(&places).for_each(|(&x, &at)| count(at, x));
                for digit in 0..self.carry_digits() {
                    let modulus = self.moduli[index / self.n] << (4 * digit);
                    count(self.place(i, carries + digit, index), -modulus);
                }
                value = add(value, scale(of_equation, t));
            }
        }
        (weights, value)
    }

    /// What is left to be shown besides, or in the place of, the first claim, which is that about
    /// the table; messages have so many rows and columns.
    pub(super) fn reduce(
        &self,
        chain: &mut Chain,
        linear: &mut Vec<Linear>,
        (messages, all): (usize, usize),
    ) {
        if let Carries::Digits { .. } = self.carries {
            // That all equations hold, for a point that is drawn.
            let count = variables(messages + 1) + variables(all);
            let point = chain.point("equations", count);
            let (of_rows, of_columns) = point.split_at(variables(messages + 1));
            let weight = |(a, j)| multiply(eq(of_rows, a), eq(of_columns, j));
            let (weights, value) = self.of_equations((messages, all), weight);
            let places = weights.into_iter().enumerate().collect();
            linear.push(Linear { places, masks: vec![], value });
            return;
        }
        // Errors are t - (A x - q k).
        let Linear { places, value, .. } = &linear[0];
        let mut of_table = vec![ZERO; messages * all];
        for &(place, x) in places {
            of_table[place] = x;
        }
        let weight = |(row, column): (usize, usize)| of_table[messages * column + row];
        let (weights, of_targets) = self.of_equations((messages, all), weight);
        let mut weights: Vec<Element> = weights.into_iter().map(|x| minus(ZERO, x)).collect();
        for row in 0..self.places * self.parts[0].0 * self.n / self.spread {
            for j in 0..all {
                let at = &mut weights[messages * j + row];
                *at = add(*at, weight((row, j)));
            }
        }
        linear[0].value = minus(*value, of_targets);
        linear[0].places = weights.into_iter().enumerate().collect();
    }
}
