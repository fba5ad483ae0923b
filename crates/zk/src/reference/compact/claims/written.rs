//! Claims as they are in a file, and enter D_0.

use super::*;

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
                let kind = if field().0 == P { 4 } else { 6 };
                bytes = [&[kind], circuit.digest().as_bytes()].concat();
                bytes.extend::<Vec<u8>>(numbers(&[circuit.inputs.len()]));
                bytes.extend::<Vec<u8>>(numbers(&circuit.inputs));
                bytes.extend::<Vec<u8>>(numbers(&[circuit.public.len()]));
                bytes.extend(circuit.public.iter().flat_map(|&x| number_bytes(x as u64)));
                bytes.extend::<Vec<u8>>(numbers(&[circuit.first]));
            }
            Self::Relation(relation) => bytes = [&[5], relation.digest().as_bytes()].concat(),
        }
        bytes
    }
}

impl Claims {
    /// As they are in a file, and enter D_0.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let places = match (self.field, self.scalars) {
            (Field::P127, _) => 2,
            (_, true) => self.radix().1 as usize,
            _ => 1,
        };
        let layout = [places, self.rows, self.columns, self.masks.len()];
        let numbers = layout.iter().chain(&self.masks).chain([&self.slot]).copied();
        let numbers = numbers.chain([self.list.len()]).flat_map(|x| number_bytes(x as u64));
        numbers.chain(self.list.iter().flat_map(Claim::bytes)).collect()
    }
}
