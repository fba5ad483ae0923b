//! Sums of 32 bits, at their extremes, and against sums without digits.

use super::super::Blocks;
use super::*;
use crate::argument::ranges::schedule::terms;
use crate::argument::ranges::{Ranges, RowRange, Shape};
use crate::field::{Element, P61};

/// The most that a lane can hold, with each sign, on each instruction set.
#[test]
fn sums_do_not_overflow() {
    let points = 4;
    let largest = LARGEST as i16;
    for (count, digit) in [(4, i16::MIN), (4, i16::MAX), (5, 4096), (5, -4096)] {
        let pairs = MOST as usize / (2 * usize::from(digit.unsigned_abs()));
        let halves = u64::from(digit.cast_unsigned()) * 0x0001_0001_0001_0001;
        for value in [largest, -largest] {
            let mut values = vec![0_u64; pairs * points * WORDS];
            cast_slice_mut::<u64, i16>(&mut values).fill(value);
            let expected = i64::from(value) * i64::from(digit) * 2 * pairs as i64;
            for isa in Isa::all().filter(|&isa| is_offered(isa)) {
                let mut sums = vec![0_u64; points * count * WORDS];
                add_products(isa, count, &values, &vec![halves; count * pairs], &mut sums);
                let sums: &[i32] = cast_slice(&sums);
                assert!(sums.iter().all(|&sum| i64::from(sum) == expected), "{isa}");
            }
        }
    }
}

/// More blocks than are summed up in 32 bits, of every range of two and three integers; an odd
/// number of blocks, whole groups of columns and not.
#[test]
fn sums_are_those_of_integers() {
    let mut word = 1_u32;
    let mut random = |count: u32| {
        word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((word >> 16) % count).cast_signed()
    };
    for (low, high) in [(0, 1), (-1, 0), (-1, 1), (0, 2), (-2, 0)] {
        let rows = 8 * (2 * 11 * CHUNK as u32 + 5) + 3;
        let ranges = Ranges::new(vec![RowRange { first_row: 0, rows, low, high }]).unwrap();
        for columns in [1, 16, 21] {
            let shape = Shape::new(&ranges, columns);
            let mut element = || {
                Element::from_residues(core::array::from_fn(|_| {
                    random(1 << 16) as u64 * 0x1234_5678_9abc
                }))
            };
            let challenges: Vec<Element> = (0..shape.challenges()).map(|_| element()).collect();
            let eq: Vec<Element> = (0..columns).map(|_| element()).collect();
            let entries: Vec<i8> = (0..u64::from(rows) * columns)
                .map(|_| (low + random((high - low + 1).cast_unsigned())) as i8)
                .collect();
            let mut blocks =
                Blocks::new(&terms(&ranges, shape, &challenges), &ranges, shape).unwrap();
            assert!(blocks.digits.iter().any(Option::is_some), "{low} to {high}");
            let agree = |blocks: &mut Blocks<P61>, entries: &[i8]| {
                let mut sums = |isa| {
                    blocks.values.fill(Element::ZERO);
                    blocks.add::<i8, Element>((isa, ()), entries, &eq);
                    blocks.values.to_vec()
                };
                let expected = sums(Isa::PORTABLE);
                for isa in Isa::all() {
                    assert!(sums(isa) == expected, "{isa}: {low} to {high}, {columns} columns");
                }
            };
            agree(&mut blocks, &entries);
            // Values at infinity, and digits, that are as large as they get.
            let ends = |i| if u32::count_ones(i % rows % 8) & 1 == 1 { high } else { low };
            let entries: Vec<i8> = (0..rows * columns as u32).map(|i| ends(i) as i8).collect();
            let (class, digits) = (&mut blocks.classes[0], &mut blocks.digits[0]);
            class.weights.fill(Element::from_residues([0x8000; 3]));
            class.total = class.weights.iter().fold(Element::ZERO, |sum, &weight| sum + weight);
            *digits = Some(Weights::new(&class.weights));
            agree(&mut blocks, &entries);
        }
    }
}
