//! What is a fact, how it is written, and the equation that it comes down to.

use super::*;
use crate::argument::file;
use crate::cases::{name, waived};
use crate::field::{Element, P, P61, P127};
use crate::opening::transcript;
use crate::params::CustomParams;

#[test]
fn what_is_no_fact() {
    let (one, half) = (vec![(0, 1)], HALF_P);
    let sum = |rows: &[(u32, i64)], value| name(Fact::sum(rows.to_vec(), vec![(0, 1)], value));
    for rows in [&[][..], &[(1, 1), (1, 1)], &[(2, 1), (1, 1)], &[(0, 0)], &[(0, half + 1)]] {
        assert_eq!(sum(rows, 0), "rows of a sum");
        let columns = rows.iter().map(|&(row, weight)| (row.into(), weight)).collect();
        assert_eq!(name(Fact::sum(one.clone(), columns, 0)), "columns of a sum");
    }
    for value in [half + 1, -half - 1, i64::MIN, i64::MAX] {
        assert_eq!(sum(&one, value), "value of a sum");
        assert_eq!(name(Fact::block(0, 0, 1, vec![0, value])), "value of a block");
    }
    for (height, values) in [(1, vec![]), (0, vec![]), (0, vec![1]), (2, vec![1]), (2, vec![1; 3])]
    {
        assert_eq!(name(Fact::block(0, 0, height, values)), "values of a block");
    }
    assert!(Fact::sum(one, vec![(0, -half)], half).is_ok());
    assert!(Fact::block(u32::MAX, u64::MAX, 2, vec![-half; 4]).is_ok());
}

#[test]
fn facts_end_where_they_say() {
    let sum = Fact::sum(vec![(3, 1), (9, 1)], vec![(0, 1), (70, -1)], 0).unwrap();
    assert_eq!(sum.end(), (10, 71));
    assert_eq!(Fact::block(3, 5, 2, vec![0; 8]).unwrap().end(), (5, 9));
    let far = Fact::block(u32::MAX, u64::MAX, 1, vec![0]).unwrap();
    assert_eq!(far.end(), (1 << 32, u64::MAX));
    let far = Fact::sum(vec![(u32::MAX, 1)], vec![(u64::MAX, 1)], 0).unwrap();
    assert_eq!(far.end(), (1 << 32, u64::MAX));
}

/// Every number in a fact counts.
#[test]
fn facts_are_written_whole() {
    let facts = [
        Fact::sum(vec![(1, 2)], vec![(3, 4)], 5),
        Fact::sum(vec![(0, 2)], vec![(3, 4)], 5),
        Fact::sum(vec![(1, -2)], vec![(3, 4)], 5),
        Fact::sum(vec![(1, 2)], vec![(0, 4)], 5),
        Fact::sum(vec![(1, 2)], vec![(3, -4)], 5),
        Fact::sum(vec![(1, 2)], vec![(3, 4)], -5),
        Fact::sum(vec![(1, 2), (3, 4)], vec![(3, 4)], 5),
        Fact::block(1, 2, 2, vec![3, 4]),
        Fact::block(0, 2, 2, vec![3, 4]),
        Fact::block(1, 0, 2, vec![3, 4]),
        Fact::block(1, 2, 1, vec![3, 4]),
        Fact::block(1, 2, 2, vec![3, 5]),
        Fact::block(1, 2, 2, vec![4, 3]),
    ];
    let slot = Layout::new(9, 20).with_masks(0).unwrap().slot(0).unwrap();
    let forms: Vec<_> =
        facts.into_iter().map(|fact| file::to_bytes(&slot, &fact.unwrap().into())).collect();
    for (i, form) in forms.iter().enumerate() {
        assert!(!forms[..i].contains(form), "{i}");
    }
}

/// The equation of a block holds for its entries, and not if one is another.
#[test]
fn a_block_is_an_equation() {
    let values: Vec<i64> = (0..12).map(|i| i * i - 20).collect();
    let fact = Fact::block(4, 7, 3, values.clone()).unwrap();
    let mut transcript = Transcript::begin(transcript::start());
    let layout = Layout::new(9, 20);
    let sent = Sent { elements: &[], first_mask: 0, layout: &layout };
    let LinearClaim { places, value, .. } = fact.replay(&mut transcript, sent).remove(0);
    let Places::Product { rows, columns: Columns::Some(columns) } = places else {
        panic!("a block is about some columns")
    };
    assert_eq!((rows.len(), rows[0].0, columns.len(), columns[0].0), (3, 4, 4, 7));
    let left = |values: &[i64]| {
        let mut sum = Element::ZERO;
        for (&(j, g), values) in columns.iter().zip(values.chunks(3)) {
            assert!((7..11).contains(&j));
            for (&(i, lambda), &entry) in rows.iter().zip(values) {
                assert!((4..7).contains(&i));
                sum += g * lambda * entry.into();
            }
        }
        sum
    };
    assert_eq!(left(&values), value);
    for place in 0..12 {
        let mut other = values.clone();
        other[place] += 1;
        assert_ne!(left(&other), value, "{place}");
    }
    let mut swapped = values;
    swapped.swap(1, 3);
    assert_ne!(left(&swapped), value);
}

/// To the unit, by the definition.
#[test]
fn integers_are_exact_below_p() {
    let params = waived(CustomParams::new(29, 32, 120, 40, 2));
    let two_b = 2.0 * (params.norm_bound_squared() as f64).sqrt();
    let sum = |weight, count: u64, value| {
        let columns = (0..count).map(|j| (j, if j % 2 == 0 { 1 } else { -1 })).collect();
        let fact = Fact::sum(vec![(0, 3 * weight), (1, 4 * weight)], columns, value).unwrap();
        fact.holds_over_the_integers(&params, &Layout::new(8, 8))
    };
    let most = (P as f64 / (5.0 * two_b * 40.0)) as i64;
    assert!(sum(most - most / 1000, 40, 0) && !sum(most + most / 1000, 40, 0));
    assert!(sum(40 * (most - most / 1000), 1, 0) && !sum(40 * (most + most / 1000), 1, 0));
    assert!(sum(most / 2 - most / 1000, 40, HALF_P) && !sum(most / 2 + most / 1000, 40, -HALF_P));
    assert!(!sum(HALF_P / 4, 40, 0));
    let block = |value, params| {
        Fact::block(0, 0, 1, vec![0, value])
            .unwrap()
            .holds_over_the_integers(params, &Layout::new(8, 8))
    };
    assert!(block(HALF_P, &params) && block(-HALF_P, &params));
    let wide =
        CustomParams { sigma: Some(u32::MAX.into()), ..CustomParams::new(64, 32, 1 << 20, 40, 2) };
    let wide = waived(wide);
    assert!(wide.norm_bound_squared() < 1 << 88 && block(0, &wide));
}

/// Sums whose sides are beyond 2^61, and below 2^127, hold in the wide layout alone.
#[test]
fn integers_of_wide_layouts_are_below_their_p() {
    let params = waived(CustomParams::new(29, 32, 120, 40, 2));
    let [narrow, wide] = [Layout::integers_over::<P61>(8, 8), Layout::of_large_integers(8, 8)];
    let holds = |weight, g, value| {
        let fact = Fact::sum(vec![(0, 3 * weight), (1, 4 * weight)], vec![(0, g)], value).unwrap();
        [&narrow, &wide].map(|layout| fact.holds_over_the_integers(&params, layout))
    };
    assert_eq!(holds(1, 1, 0), [true; 2]);
    assert_eq!(holds(HALF_P / 4, 1, HALF_P), [false, true]);
    let two_b = 2.0 * (params.norm_bound_squared() as f64).sqrt();
    let most = ((P127::P as f64) / (5.0 * two_b) / 2_f64.powi(57)) as i64;
    assert!(most < 1 << 58);
    assert_eq!(holds(1 << 57, most - most / 1000, 0), [false, true]);
    assert_eq!(holds(1 << 57, most + most / 1000, 0), [false; 2]);
}
