//! Claims as they enter D_0, and as they are in a file.

use super::super::argument;
use super::*;

fn field(number: i64) -> Vec<u8> {
    number.to_le_bytes().to_vec()
}

/// Seven bits a byte.
fn number_bytes(mut x: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while x > 127 {
        bytes.push((x % 128 + 128) as u8);
        x /= 128;
    }
    bytes.push(x as u8);
    bytes
}

fn signed_bytes(x: i64) -> Vec<u8> {
    let x = i128::from(x);
    number_bytes(if x < 0 { -2 * x - 1 } else { 2 * x } as u64)
}

fn weight_bytes(weights: &[(usize, i64)]) -> Vec<u8> {
    let mut bytes = number_bytes(weights.len() as u64);
    let mut next = 0;
    for &(place, weight) in weights {
        bytes.extend([number_bytes((place - next) as u64), signed_bytes(weight)].concat());
        next = place + 1;
    }
    bytes
}

impl Claim {
    /// As it enters D_0.
    fn fields(&self) -> Vec<Vec<u8>> {
        let pairs = |pairs: &[(usize, i64)]| -> Vec<u8> {
            pairs.iter().flat_map(|&(at, x)| [field(at as i64), field(x)].concat()).collect()
        };
        match self {
            Self::Sum { rows, columns, value } => {
                vec![field(1), field(1), pairs(rows), pairs(columns), field(*value)]
            }
            Self::Block { row, column, height, values } => {
                let numbers = [1, 2, *row, *column, *height].map(|x| field(x as i64));
                let values = values.iter().flat_map(|&value| field(value)).collect();
                [numbers.to_vec(), vec![values]].concat()
            }
            Self::Ranges { ranges, norms } => {
                let mut numbers = vec![2, ranges.len() as i64];
                for &(first, rows, (low, high)) in ranges {
                    numbers.extend([first as i64, rows as i64, low.into(), high.into()]);
                }
                numbers.push(norms.len() as i64);
                for Norm { squared, bits, bound } in norms {
                    numbers.extend([squared.0 as i64, squared.1 as i64, *bound as i64]);
                    numbers.extend([bits.0 as i64, bits.1 as i64]);
                }
                numbers.into_iter().map(field).collect()
            }
            Self::Circuit(circuit) => {
                let public = circuit.public.iter().flat_map(|&x| field(x as i64)).collect();
                let inputs = circuit.inputs.iter().flat_map(|&x| field(x as i64)).collect();
                let digest = circuit.digest().as_bytes().to_vec();
                let kind = if argument::field().0 == P { 3 } else { 5 };
                vec![field(kind), digest, public, inputs, field(circuit.first as i64)]
            }
            Self::Relation(relation) => {
                vec![field(4), relation.digest().as_bytes().to_vec()]
            }
            Self::Equations(equations) => {
                vec![field(4), equations.digest().as_bytes().to_vec()]
            }
        }
    }

    /// As it is in the file.
    fn bytes(&self) -> Vec<u8> {
        let numbers =
            |numbers: &[usize]| numbers.iter().flat_map(|&x| number_bytes(x as u64)).collect();
        let mut bytes: Vec<u8>;
        match self {
            Self::Sum { rows, columns, value } => {
                bytes = number_bytes(1);
                bytes.extend([weight_bytes(rows), weight_bytes(columns)].concat());
                bytes.extend(signed_bytes(*value));
            }
            Self::Block { row, column, height, values } => {
                bytes = numbers(&[2, *row, *column, *height, values.len()]);
                bytes.extend(values.iter().flat_map(|&value| signed_bytes(value)));
            }
            Self::Ranges { ranges, norms } => {
                bytes = numbers(&[3, ranges.len()]);
                for &(first, rows, (low, high)) in ranges {
                    bytes.extend::<Vec<u8>>(numbers(&[first, rows]));
                    bytes.extend([signed_bytes(low.into()), signed_bytes(high.into())].concat());
                }
                bytes.extend(number_bytes(norms.len() as u64));
                for Norm { squared, bits, bound } in norms {
                    bytes.extend::<Vec<u8>>(numbers(&[squared.0, squared.1, bits.0, bits.1]));
                    bytes.extend(number_bytes(*bound));
                }
            }
            Self::Circuit(circuit) => {
                let kind = if argument::field().0 == P { 4 } else { 6 };
                bytes = [&[kind], circuit.digest().as_bytes()].concat();
                bytes.extend::<Vec<u8>>(numbers(&[circuit.inputs.len()]));
                bytes.extend::<Vec<u8>>(numbers(&circuit.inputs));
                bytes.extend::<Vec<u8>>(numbers(&[circuit.public.len()]));
                bytes.extend(circuit.public.iter().flat_map(|&x| number_bytes(x as u64)));
                bytes.extend::<Vec<u8>>(numbers(&[circuit.first]));
            }
            Self::Relation(relation) => bytes = [&[5], relation.digest().as_bytes()].concat(),
            Self::Equations(equations) => bytes = [&[5], equations.digest().as_bytes()].concat(),
        }
        bytes
    }
}

impl Claims {
    fn layout(&self) -> Vec<usize> {
        let of_place = if self.scalars { self.radix().1 as usize } else { 1 };
        let numbers = [of_place, self.rows, self.columns, self.masks.len()];
        numbers.iter().chain(&self.masks).copied().collect()
    }

    /// The transcript from D_0 on.
    pub(super) fn start(&self, file: &File<'_>) -> Chain {
        let mut numbers = self.layout();
        numbers.extend([self.slot, self.list.len()]);
        let mut last: Vec<_> = numbers.into_iter().map(|x| field(x as i64)).collect();
        last.extend(self.list.iter().flat_map(Claim::fields));
        file.begin(&last)
    }

    /// As they are in the file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut numbers = self.layout();
        if self.field == Field::P127 {
            numbers[0] = 2;
        }
        numbers.extend([self.slot, 0, self.list.len()]);
        let numbers = numbers.into_iter().flat_map(|x| number_bytes(x as u64));
        numbers.chain(self.list.iter().flat_map(Claim::bytes)).collect()
    }
}
