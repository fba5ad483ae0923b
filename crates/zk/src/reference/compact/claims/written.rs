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

fn numbers(all: &[usize]) -> Vec<u8> {
    all.iter().flat_map(|&x| number_bytes(x as u64)).collect()
}

impl Claim {
    /// As it is in the file.
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Sum { rows, columns, value } => {
                [numbers(&[1]), weight_bytes(rows), weight_bytes(columns), signed_bytes(*value)]
                    .concat()
            }
            Self::Block { row, column, height, values } => {
                let entries = values.iter().flat_map(|&value| signed_bytes(value)).collect();
                [numbers(&[2, *row, *column, *height, values.len()]), entries].concat()
            }
            Self::Ranges { ranges, norms } => {
                let range = |&(first, rows, (low, high)): &Range| {
                    [numbers(&[first, rows]), signed_bytes(low.into()), signed_bytes(high.into())]
                        .concat()
                };
                let norm = |Norm { squared, bits, bound }: &Norm| {
                    let rows = [squared.0, squared.1, bits.0, bits.1];
                    [numbers(&rows), number_bytes(*bound)].concat()
                };
                let (count, of_ranges) = (numbers(&[3, ranges.len()]), ranges.iter().map(range));
                let of_norms = [numbers(&[norms.len()])].into_iter().chain(norms.iter().map(norm));
                [count].into_iter().chain(of_ranges).chain(of_norms).flatten().collect()
            }
            Self::Circuit(circuit) => {
                let kind = if field() == Field::P61 { 4 } else { 6 };
                let (inputs, public) = (&circuit.inputs, &circuit.public);
                let places = [&[inputs.len()], &inputs[..], &[public.len()]].concat();
                let values: Vec<u8> = public.iter().flat_map(|&x| number_bytes(x as u64)).collect();
                let (digest, first) = (circuit.digest(), numbers(&[circuit.first]));
                [&[kind], digest.as_bytes(), &numbers(&places), &values, &first].concat()
            }
            Self::Relation(relation) => [&[5], relation.digest().as_bytes()].concat(),
        }
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
