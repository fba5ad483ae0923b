//! Equations by their definition: dense matrices, and every unknown and digit of a carry where it is.

use super::super::argument::{add, multiply, scale};
use super::*;

/// What names an instance; A, of a row for each equation; t.
type Named = (Vec<u8>, Vec<Vec<i128>>, Vec<i128>);

#[derive(Clone)]
pub(crate) struct Equations {
    pub(crate) name: &'static str,
    pub(crate) n: usize,
    /// Blocks of each part of the unknowns, its range, and whether that is shown.
    pub(crate) parts: Vec<(usize, (i32, i32), bool)>,
    /// 1, or 2 to the base 16.
    pub(crate) carry_digits: usize,
    /// Of each block of equations.
    pub(crate) moduli: Vec<i128>,
    pub(crate) header: Vec<u8>,
    pub(crate) instances: Vec<Named>,
    /// Instances in a column, and columns of an instance.
    pub(crate) places: usize,
    pub(crate) spread: usize,
}

impl Equations {
    /// Blocks of all parts, digits of carries last.
    fn blocks(&self) -> Vec<usize> {
        let carries = vec![self.moduli.len(); self.carry_digits];
        self.parts.iter().map(|part| part.0).chain(carries).collect()
    }

    pub(super) fn ranges(&self) -> Claim {
        let (mut first, mut ranges) = (0, vec![]);
        for &(blocks, range, is_shown) in &self.parts {
            let rows = self.places * blocks * self.n / self.spread;
            if is_shown {
                ranges.push((first, rows, range));
            }
            first += rows;
        }
        Claim::Ranges { ranges, norms: vec![] }
    }

    pub(super) fn digest(&self) -> Digest {
        let number = |x: i128| (x as u64).to_le_bytes().to_vec();
        let mut fields = vec![self.name.as_bytes().to_vec(), number(self.n as i128)];
        fields.push(number(self.parts.len() as i128));
        for &(blocks, (low, high), is_shown) in &self.parts {
            let numbers = [blocks as i128, low.into(), high.into(), is_shown.into()];
            fields.extend(numbers.map(number));
        }
        fields.extend([self.carry_digits, self.moduli.len()].map(|x| number(x as i128)));
        fields.extend(self.moduli.iter().map(|q| number(q - 1)));
        fields.extend([number(self.instances.len() as i128), self.header.clone()]);
        fields.extend(self.instances.iter().map(|(encoding, ..)| encoding.clone()));
        let all = |name, fields: &[Vec<u8>]| {
            chained(name, &fields.iter().map(|field| &field[..]).collect::<Vec<_>>())
        };
        let instances = all("equations: instances", &fields).as_bytes().to_vec();
        let numbers = [self.places, self.spread, 0].map(|x| number(x as i128));
        all("equations", &[&[instances][..], &numbers].concat())
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

    /// That all equations hold, for a point that is drawn; messages have so many rows and columns.
    pub(super) fn reduce(&self, chain: &mut Chain, (messages, all): (usize, usize)) -> Linear {
        let count = variables(messages + 1) + variables(all);
        let point: Vec<_> = (0..count).map(|_| chain.challenge("equations")).collect();
        let (of_rows, of_columns) = point.split_at(variables(messages + 1));
        let mut weights = vec![ZERO; messages * all];
        let mut value = ZERO;
        for (i, (_, matrix, target)) in self.instances.iter().enumerate() {
            let sizes = self.parts.iter().map(|part| part.0 * self.n).enumerate();
            let places: Vec<_> = sizes
                .flat_map(|(part, size)| (0..size).map(move |index| (part, index)))
                .map(|(part, index)| self.place(i, part, index))
                .collect();
            for (index, (row, &t)) in matrix.iter().zip(target).enumerate() {
                let carries = self.parts.len();
                let (a, j) = self.place(i, carries, index);
                let of_equation = multiply(eq(of_rows, a), eq(of_columns, j));
                let mut count = |(a, j): (usize, usize), x: i128| {
                    let at = &mut weights[messages * j + a];
                    *at = add(*at, scale(of_equation, x));
                };
                row.iter().zip(&places).for_each(|(&x, &at)| count(at, x));
                for digit in 0..self.carry_digits {
                    let modulus = self.moduli[index / self.n] << (4 * digit);
                    count(self.place(i, carries + digit, index), -modulus);
                }
                value = add(value, scale(of_equation, t));
            }
        }
        let linear = Linear::of_masks(all, vec![], value);
        Linear { places: weights.into_iter().enumerate().collect(), ..linear }
    }
}
