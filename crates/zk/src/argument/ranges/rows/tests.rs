//! Rounds on every instruction set, in memory and not, agree with single elements.

use core::ops::Range;

use tautochrone_ctr::{Label, Seed};
use tautochrone_simd::vector::Emulated;

use super::*;
use crate::argument::ranges::{Ranges, RowNorm, RowRange};
use crate::cases::{Unchecked, waived};
use crate::error::WitnessProblem;
use crate::field::{Element, Wide};
use crate::params::{CustomParams, Params};
use crate::rows::{Distribution, RowGroup};
use crate::shard::Shard;
use crate::witness::{Witness, WitnessSource};

/// A witness for which the claim holds in all rows but the bits, or not: it does not matter here.
struct Case {
    params: Params,
    witness: Witness,
    ranges: Ranges,
    beta: Vec<Element>,
    challenges: Vec<Element>,
}

fn uniform(label: &'static str, count: usize) -> Vec<Element> {
    let mut stream = Seed::from_bytes([5; 32]).stream(Label::new(label), 0);
    let mut bytes = [0; 72];
    (0..count)
        .map(|_| {
            stream.fill(&mut bytes);
            Element::from_uniform(&bytes)
        })
        .collect()
}

impl Case {
    fn new(ranges: Ranges, height: u32, l: u64) -> Self {
        let group = RowGroup { rows: height, bound: 127, distribution: Distribution::Any };
        let groups = [Some(group), None, None];
        let custom =
            CustomParams { n: Some(10), groups, ..CustomParams::new(40, 5, height + 16 + 5, l, 1) };
        let params = waived(custom);
        let v = params.v();
        let mut bytes = vec![0; (u64::from(v) * l) as usize];
        Seed::from_bytes([6; 32]).stream(Label::new("test: entries"), 0).fill(&mut bytes);
        let entry = |(i, &byte): (usize, &u8)| {
            let row = i as u32 % v;
            let part = ranges
                .parts()
                .iter()
                .find(|part| (u64::from(part.first_row)..part.end()).contains(&row.into()));
            match part {
                Some(part) => (part.low + i32::from(byte) % (part.high - part.low + 1)) as i8,
                None if row < height => byte.cast_signed().max(-127),
                None => (byte % 3) as i8 - 1,
            }
        };
        let entries = bytes.iter().enumerate().map(entry).collect();
        let witness = Witness::new(&params, entries).unwrap();
        let shape = Shape::new(&ranges, l);
        let challenges = uniform("test: challenges", shape.challenges());
        Self { params, witness, ranges, beta: uniform("test: beta", l as usize), challenges }
    }

    fn rows(&self, table_bytes: usize, isa: Isa) -> Rows<'_> {
        let shape = Shape::new(&self.ranges, self.params.l());
        let source = Source {
            params: &self.params,
            witness: &self.witness,
            parts: &self.ranges.rows,
            shard: Shard::whole(&self.params),
            columns: 0..self.params.l(),
            beta: Zeroizing::new(self.beta.clone()),
            stored: None,
        };
        Rows::new(&self.ranges, source, shape, &self.challenges, table_bytes).on(isa)
    }

    /// All sums and images; with no value from others unless `completes`.
    fn play<L: Lanes>(
        &self,
        (isa, token): (Isa, L::Token),
        table_bytes: usize,
        completes: bool,
    ) -> Vec<Vec<Element>> {
        let rounds = Shape::new(&self.ranges, self.params.l()).row_rounds;
        let mut rows = self.rows(table_bytes, isa);
        let mut all = Vec::new();
        for r in uniform("test: r", rounds) {
            rows.claim = rows.claim.take().filter(|_| completes);
            all.push(rows.sums_with::<i8, L>(token).unwrap().to_vec());
            rows.bind_with::<L>(token, r);
        }
        all.push(rows.images_with::<i8, L>(token).unwrap().to_vec());
        all
    }
}

#[test]
fn rounds_are_those_of_single_elements() {
    let range = |first_row, rows, low, high| RowRange { first_row, rows, low, high };
    let norm = |first_row, rows, first_bit| RowNorm {
        first_row,
        rows,
        bound_squared: 100_000,
        first_bit,
        bits: 2,
    };
    let ranges = |parts, norms| Ranges::with_norms(parts, norms).unwrap();
    for (ranges, height) in [
        (ranges(vec![range(0, 9, 0, 1)], vec![]), 9),
        (ranges(vec![range(1, 30, -1, 1)], vec![]), 31),
        (ranges(vec![range(0, 5, -2, 1), range(6, 8, 0, 1)], vec![]), 17),
        (ranges(vec![range(0, 7, -8, 8)], vec![]), 7),
        // Whole blocks; some that are regular and some that are not, in three variables, two and one.
        (ranges(vec![range(0, 16, -1, 1)], vec![]), 16),
        (ranges(vec![range(3, 22, 0, 3), range(25, 9, 0, 1)], vec![]), 34),
        (ranges(vec![range(2, 13, -4, 0), range(15, 4, 0, 1)], vec![norm(0, 15, 15)]), 19),
        (ranges(vec![range(0, 6, -3, 3), range(6, 5, 0, 24)], vec![]), 11),
        (ranges(vec![range(1, 8, -12, 12)], vec![]), 9),
        (ranges(vec![range(0, 6, -2, 2), range(11, 2, 0, 1)], vec![norm(3, 8, 11)]), 13),
        // Rows that are multiplied by roots of their weights, with and without rows behind the blocks.
        (ranges(vec![range(0, 304, -1, 1)], vec![]), 304),
        (ranges(vec![range(2, 395, -1, 1)], vec![]), 397),
        (ranges(vec![range(0, 1200, -1, 1)], vec![]), 1200),
        // More pairs than are summed up at once, in all three kinds of rounds.
        (ranges(vec![range(4096, 2, 0, 1)], vec![norm(0, 4096, 4096)]), 4098),
        (ranges(vec![range(0, 4120, -1, 1), range(4120, 2, 0, 1)], vec![]), 4122),
    ] {
        for l in [133, 128] {
            let case = Case::new(ranges.clone(), height, l);
            let tables: &[usize] = if height > 1000 { &[1 << 26] } else { &[0, 1 << 12, 1 << 26] };
            for &table_bytes in tables {
                let expected = case.play::<Element>((Isa::PORTABLE, ()), table_bytes, true);
                let summed_up = case.play::<Element>((Isa::PORTABLE, ()), table_bytes, false);
                assert!(summed_up == expected, "{ranges:?} {l} {table_bytes}");
                let emulated =
                    case.play::<Wide<Emulated<8>>>((Isa::PORTABLE, ()), table_bytes, true);
                assert!(emulated == expected, "{ranges:?} {l} {table_bytes}");
                for isa in Isa::all() {
                    let got = with_lanes!(isa, L, token => {
                        case.play::<L>((isa, token), table_bytes, true)
                    });
                    assert!(got == expected, "{isa} {ranges:?} {l} {table_bytes}");
                    let mut rows = case.rows(table_bytes, isa);
                    let sums = rows.sums::<i8>().unwrap();
                    assert!(*sums == expected[0], "{isa} {ranges:?} {l}");
                }
            }
        }
    }
}

#[test]
fn columns_are_read_in_order_and_checked() {
    let (v, l) = (30, 700);
    let params = waived(CustomParams { n: Some(10), ..CustomParams::new(40, 5, v, l, 1) });
    let mut entries: Vec<i8> = (0..v * l as u32).map(|i| (i * i / 7 % 3) as i8 - 1).collect();
    let (v, lent) = (v as usize, Witness::new(&params, entries.clone()).unwrap());
    let read = Unchecked(entries.clone());
    let (whole, two) = (0..30, [2..9, 11..30]);
    let some = [core::slice::from_ref(&whole), &two]
        .map(|parts| [0..700, 10..333].map(|columns: Range<u64>| (parts, columns)));
    let source = |witness, (parts, columns): (_, Range<u64>)| {
        let (shard, beta) = (Shard::whole(&params), Zeroizing::default());
        Source::<P61> { params: &params, witness, parts, shard, columns, beta, stored: None }
    };
    for (parts, columns) in some.clone().into_iter().flatten() {
        let want: Vec<i8> = columns
            .clone()
            .flat_map(|j| parts.iter().cloned().flatten().map(move |row| (j as usize, row)))
            .map(|(j, row)| entries[v * j + row as usize])
            .collect();
        for witness in [&lent as &dyn WitnessSource, &read] {
            let (mut got, mut next) = (Vec::new(), 0);
            let visit = &mut |first, count, entries: &[i8]| {
                assert_eq!(first, next);
                next += count;
                got.extend_from_slice(entries);
            };
            source(witness, (parts, columns.clone())).for_chunks(visit).unwrap();
            assert_eq!((next, got), ((columns.end - columns.start) as usize, want.clone()));
        }
    }
    entries[300 * v + 4] = 2;
    let wrong = Unchecked(entries);
    for (parts, columns) in some.into_iter().flatten() {
        let got = source(&wrong, (parts, columns)).for_chunks(&mut |_, _, _: &[i8]| ());
        assert_error!(got, Error::Witness(WitnessProblem::Bound { row: 4, column: 300, b: 1 }));
    }
}
