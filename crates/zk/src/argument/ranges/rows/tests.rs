//! Columns of S as rounds read them.

use core::ops::Range;

use super::*;
use crate::cases::{Unchecked, waived};
use crate::error::WitnessProblem;
use crate::params::CustomParams;
use crate::shard::Shard;
use crate::witness::{Witness, WitnessSource};

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
