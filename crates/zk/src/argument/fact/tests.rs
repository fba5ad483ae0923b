//! What is a fact, and when it holds over the integers.

use super::*;
use crate::cases::{name, waived};
use crate::field::{P, P61, P127};
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
