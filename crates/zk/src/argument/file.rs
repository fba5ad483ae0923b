//! A slot and claims as bytes of a proof's file: numbers of seven bits a byte, the lowest first,
//! all but the last byte with the highest bit set; signed ones as 2 x for x >= 0, else -2 x - 1.

use alloc::vec::Vec;

use super::circuit::CircuitClaim;
use super::claims::{Claim, Claims};
use super::fact::{Fact, Kind};
use super::field::CircuitField;
use super::layout::{Layout, MAX_SLOTS, Slot};
use super::ranges::{Ranges, RowNorm, RowRange};
use super::relation::Relation;
use crate::field::{Goldilocks, P61};
use crate::format::MAX_CLAIMS_LEN;
use crate::hash::Digest;
use crate::opening::transcript::CHAIN;
use crate::scalar::ScalarOf;

/// Numbers of kinds.
const SUM: u64 = 1;
const BLOCK: u64 = 2;
const RANGES: u64 = 3;
const CIRCUIT: u64 = 4;
const RELATION: u64 = 5;
const GOLDILOCKS_CIRCUIT: u64 = 6;

/// The form of places, rows and columns of messages, slots, masks of each, the slot, how many
/// claims, then each: its kind and its numbers. Weights of sums are written with the distance from
/// the place before.
pub(super) fn to_bytes(slot: &Slot, claims: &Claims) -> Vec<u8> {
    let mut out = Writer::default();
    let layout = slot.layout();
    out.number(layout.form_number().into());
    out.number(layout.rows().into());
    out.number(layout.columns());
    out.number(layout.slots().into());
    layout.masks.iter().for_each(|&masks| out.number(masks.into()));
    out.number(slot.index.into());
    out.number(claims.claims().len() as u64);
    for claim in claims.claims() {
        match claim {
            Claim::Fact(fact) => out.fact(fact),
            Claim::Ranges(ranges) => out.ranges(ranges),
            Claim::Circuit(claim) => out.circuit(CIRCUIT, claim),
            Claim::GoldilocksCircuit(claim) => out.circuit(GOLDILOCKS_CIRCUIT, claim),
            Claim::Relation(relation) => {
                out.number(RELATION);
                out.bytes.extend(relation.digest().as_bytes());
            }
        }
    }
    out.bytes
}

/// Reads a slot and claims from these bytes; `None` if there are none. Only the bytes that
/// [`to_bytes`] gives are read. Circuits and relations are named by their digests.
pub(super) fn parse(bytes: &[u8]) -> Option<(Slot, Claims)> {
    let mut input = Reader { bytes };
    let new = match input.number()? {
        1 => Layout::new,
        2 => Layout::of_large_integers,
        8 => Layout::over::<P61>,
        9 => Layout::over::<Goldilocks>,
        _ => return None,
    };
    let mut layout = new(input.small()?, input.number()?);
    for masks in input.list(MAX_SLOTS, Reader::small)? {
        layout = layout.with_masks(masks).ok()?;
    }
    let slot = layout.slot(input.small()?).ok()?;
    let claims = Claims::new(input.list(super::claims::MAX_CLAIMS, Reader::claim)?).ok()?;
    let whole = input.bytes.is_empty() && to_bytes(&slot, &claims) == bytes;
    whole.then_some((slot, claims))
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn number(&mut self, mut x: u64) {
        while x >= 1 << 7 {
            self.bytes.push(x as u8 | 1 << 7);
            x >>= 7;
        }
        self.bytes.push(x as u8);
    }

    fn signed(&mut self, x: i64) {
        self.number((x << 1 ^ x >> 63).cast_unsigned());
    }

    fn weights(&mut self, weights: impl ExactSizeIterator<Item = (u64, i64)>) {
        self.number(weights.len() as u64);
        let mut next = 0;
        for (place, weight) in weights {
            self.number(place - next);
            self.signed(weight);
            next = place + 1;
        }
    }

    fn fact(&mut self, fact: &Fact) {
        match &fact.kind {
            Kind::Sum { rows, columns, value } => {
                self.number(SUM);
                self.weights(rows.iter().map(|&(row, weight)| (row.into(), weight)));
                self.weights(columns.iter().copied());
                self.signed(*value);
            }
            Kind::Block { row, column, height, values } => {
                self.number(BLOCK);
                for number in [u64::from(*row), *column, u64::from(*height), values.len() as u64] {
                    self.number(number);
                }
                for &value in values {
                    self.signed(value);
                }
            }
        }
    }

    fn circuit<F: CircuitField>(&mut self, kind: u64, claim: &CircuitClaim<F>) {
        self.number(kind);
        self.bytes.extend(claim.digest.as_bytes());
        let public = claim.public.iter().map(|x| x.value()).collect();
        for numbers in [claim.inputs.clone(), public] {
            self.number(numbers.len() as u64);
            for number in numbers {
                self.number(number);
            }
        }
        self.number(claim.first);
    }

    fn ranges(&mut self, ranges: &Ranges) {
        self.number(RANGES);
        self.number(ranges.parts().len() as u64);
        for &RowRange { first_row, rows, low, high } in ranges.parts() {
            self.number(first_row.into());
            self.number(rows.into());
            self.signed(low.into());
            self.signed(high.into());
        }
        self.number(ranges.norms().len() as u64);
        for &RowNorm { first_row, rows, bound_squared, first_bit, bits } in ranges.norms() {
            for number in [first_row, rows, first_bit, bits] {
                self.number(number.into());
            }
            self.number(bound_squared);
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let (mut x, mut shift) = (0, 0);
        loop {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            if shift == 63 && byte > 1 {
                return None;
            }
            x |= u64::from(byte & 0x7f) << shift;
            if byte < 1 << 7 {
                return Some(x);
            }
            shift += 7;
        }
    }

    fn signed(&mut self) -> Option<i64> {
        let x = self.number()?;
        Some((x >> 1).cast_signed() ^ -(x & 1).cast_signed())
    }

    fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    /// The things that follow their number, each of a byte at least.
    fn list<T>(&mut self, most: usize, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = usize::try_from(self.number()?).ok()?;
        let count = Some(count).filter(|&count| count <= most.min(self.bytes.len()))?;
        (0..count).map(|_| one(self)).collect()
    }

    fn weights<T: TryFrom<u64>>(&mut self) -> Option<Vec<(T, i64)>> {
        let steps = self.list(MAX_CLAIMS_LEN, |input| Some((input.number()?, input.signed()?)))?;
        let mut next = 0_u64;
        let weight = |(step, weight)| {
            let place = next.checked_add(step)?;
            next = place.checked_add(1)?;
            Some((place.try_into().ok()?, weight))
        };
        steps.into_iter().map(weight).collect()
    }

    fn claim(&mut self) -> Option<Claim> {
        match self.number()? {
            SUM => {
                let (rows, columns) = (self.weights()?, self.weights()?);
                Some(Fact::sum(rows, columns, self.signed()?).ok()?.into())
            }
            BLOCK => {
                let (row, column, height) = (self.small()?, self.number()?, self.small()?);
                let values = self.list(MAX_CLAIMS_LEN, Self::signed)?;
                Some(Fact::block(row, column, height, values).ok()?.into())
            }
            RANGES => {
                let parts = self.list(super::ranges::MAX_RANGES, |input| {
                    let (first_row, rows) = (input.small()?, input.small()?);
                    let [low, high] = [input.signed()?, input.signed()?];
                    let (low, high) = (low.try_into().ok()?, high.try_into().ok()?);
                    Some(RowRange { first_row, rows, low, high })
                })?;
                let norms = self.list(super::ranges::MAX_NORMS, |input| {
                    let (first_row, rows) = (input.small()?, input.small()?);
                    let (first_bit, bits) = (input.small()?, input.small()?);
                    let bound_squared = input.number()?;
                    Some(RowNorm { first_row, rows, bound_squared, first_bit, bits })
                })?;
                Some(Ranges::with_norms(parts, norms).ok()?.into())
            }
            CIRCUIT => self.circuit::<P61>(),
            GOLDILOCKS_CIRCUIT => self.circuit::<Goldilocks>(),
            RELATION => Some(Relation::named(self.digest()?).into()),
            _ => None,
        }
    }

    fn circuit<F: CircuitField>(&mut self) -> Option<Claim> {
        let digest = self.digest()?;
        let [inputs, public] =
            [self.list(MAX_CLAIMS_LEN, Self::number)?, self.list(MAX_CLAIMS_LEN, Self::number)?];
        let public: Option<Vec<ScalarOf<F>>> = public.into_iter().map(ScalarOf::new).collect();
        Some(CircuitClaim::named(digest, public?, inputs, self.number()?).into())
    }

    fn digest(&mut self) -> Option<Digest> {
        let (digest, rest) = self.bytes.split_at_checked(CHAIN.digest_len())?;
        self.bytes = rest;
        Some(Digest::from_slice(digest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Hasher;
    use proptest::prelude::*;

    fn claims() -> Claims {
        let bits = RowRange { first_row: 4, rows: 5, low: 0, high: 1 };
        let norm = RowNorm::at_most(0, 4, 20, 4);
        let ranges = Ranges::with_norms(alloc::vec![bits], alloc::vec![norm]).unwrap();
        let sum = Fact::sum(alloc::vec![(1, -1), (200, 64)], alloc::vec![(0, 1), (9, -3)], -43);
        let block = Fact::block(300, 1, 2, alloc::vec![1, 0, -129, 1 << 40]);
        let (digest, public) =
            (Hasher::new(CHAIN, "circuit").finish(), alloc::vec![ScalarOf::<P61>::ONE]);
        let circuit = CircuitClaim::named(digest, public, alloc::vec![3, 0, 200], 1 << 40);
        let relation = Relation::named(Hasher::new(CHAIN, "relation").finish());
        let facts = [sum.unwrap().into(), block.unwrap().into()];
        let list = [vec![ranges.into(), circuit.into(), relation.into()], facts.into()].concat();
        Claims::new(list).unwrap()
    }

    /// The example of docs/format.md.
    #[test]
    fn the_worked_example() {
        let bits = RowRange { first_row: 4, rows: 5, low: 0, high: 1 };
        let claims = Claims::from(Ranges::new(alloc::vec![bits]).unwrap());
        let slot = Layout::new(9, 200).with_slot(&claims).unwrap().slot(0).unwrap();
        // mu_1 = 3 and mu_2 = 8, three messages a round, and beta'.
        let words = [1, 9, 200, 1, 1, 34, 0, 1, 3, 1, 4, 5, 0, 2, 0];
        assert_eq!(to_bytes(&slot, &claims), words);
        assert_eq!(parse(&words), Some((slot, claims)));
    }

    #[test]
    fn claims_travel_and_have_one_form() {
        let slot = Layout::new(400, 300).with_slot(&claims()).unwrap();
        let slot = slot.with_masks(0).unwrap().slot(0).unwrap();
        let bytes = to_bytes(&slot, &claims());
        assert_eq!(parse(&bytes), Some((slot, claims())));
        for end in 0..bytes.len() {
            assert_eq!(parse(&bytes[..end]), None);
        }
        assert_eq!(parse(&[&bytes[..], &[0]].concat()), None);
        // A number that is longer than it has to be: 400 with a byte of 0 behind.
        let longer = [&bytes[..2], &[bytes[2] | 1 << 7, 0], &bytes[3..]].concat();
        assert_eq!(parse(&longer), None);
    }

    #[test]
    fn numbers_beyond_64_bits_are_none() {
        let read = |bytes: &[u8]| Reader { bytes }.number();
        assert_eq!(read(&[[0xff; 9].as_slice(), &[1]].concat()), Some(u64::MAX));
        assert_eq!(read(&[[0xff; 9].as_slice(), &[2]].concat()), None);
        assert_eq!(read(&[0x80; 20]), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_have_one_form(bytes: Vec<u8>) {
            if let Some((slot, claims)) = parse(&bytes) {
                prop_assert_eq!(to_bytes(&slot, &claims), bytes);
            }
        }

        #[test]
        fn numbers_travel(x: u64, y: i64) {
            let mut out = Writer::default();
            out.number(x);
            out.signed(y);
            let mut input = Reader { bytes: &out.bytes };
            prop_assert_eq!((input.number(), input.signed()), (Some(x), Some(y)));
            prop_assert!(input.bytes.is_empty());
        }
    }
}
