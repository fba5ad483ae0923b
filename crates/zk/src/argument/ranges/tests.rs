//! Which claims of ranges and norms there are, what the bits of a norm are, and for which bounds on
//! extracted columns a claim holds over the integers.

use super::*;
use crate::cases::replaced;
use crate::field::P;

fn range(first_row: u32, rows: u32, low: i32, high: i32) -> RowRange {
    RowRange { first_row, rows, low, high }
}

fn message<T: core::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().to_string()
}

/// The bits of a norm lie in one range from 0 to 1, and are neither squared nor bits of another
/// norm.
#[test]
fn norms_have_bits_of_their_own() {
    let norm = RowNorm::at_most(0, 4, 20, 4);
    assert_eq!(norm.bits, 5);
    let with =
        |parts: &[RowRange], norms: &[RowNorm]| Ranges::with_norms(parts.into(), norms.into());
    with(&[range(4, 5, 0, 1)], &[norm]).unwrap();
    with(&[range(3, 9, 0, 1)], &[norm]).unwrap();
    let parts = [
        vec![],
        vec![range(4, 5, -1, 1)],
        vec![range(4, 5, 0, 2)],
        vec![range(4, 4, 0, 1)],
        vec![range(5, 5, 0, 1)],
        vec![range(4, 2, 0, 1), range(6, 3, 0, 1)],
    ];
    for parts in parts {
        let refused = message(with(&parts, &[norm]));
        assert!(refused.contains("rows of one of the ranges"), "{refused}");
    }
    // All of them are bits, and which is whose is at fault.
    let bits = [range(4, 20, 0, 1)];
    let next = RowNorm { first_bit: 9, ..norm };
    with(&bits, &[norm, next]).unwrap();
    for other in [
        RowNorm { first_bit: 8, ..norm },
        norm,
        RowNorm { first_row: 4, first_bit: 9, ..norm },
        RowNorm { first_row: 8, first_bit: 12, ..norm },
    ] {
        for norms in [[norm, other], [other, norm]] {
            let refused = message(with(&bits, &norms));
            assert!(refused.contains("rows of their own"), "{refused}");
        }
    }
    let refused = message(with(&bits, &[RowNorm { first_row: 4, ..norm }]));
    assert!(refused.contains("rows of their own"), "{refused}");
}

/// Bounds are residues, and bits powers of two below p.
#[test]
fn numbers_of_norms_are_below_p() {
    let bits = vec![range(1, 64, 0, 1)];
    let with = |norm| Ranges::with_norms(bits.clone(), vec![norm]);
    let norm = RowNorm { bits: 60, ..RowNorm::at_most(0, 1, P - 1, 1) };
    with(norm).unwrap();
    assert!(
        message(with(RowNorm { bound_squared: P, ..norm })).contains("bound on a squared norm")
    );
    assert!(message(with(RowNorm { bits: 61, ..norm })).contains("bits of a norm"));
    assert!(message(with(RowNorm { rows: 0, ..norm })).contains("rows of a norm"));
    assert!(with(RowNorm { bits: 0, bound_squared: 0, ..norm }).is_ok());
}

#[test]
fn bits_are_what_is_missing_from_the_bound() {
    // 25, and three bits.
    let column = |bits: [i8; 3]| [&[3, -4][..], &bits].concat();
    let norm = |bound_squared| RowNorm { bits: 3, ..RowNorm::at_most(0, 2, bound_squared, 2) };
    for (bound_squared, bits) in [(25, [0; 3]), (30, [1, 0, 1]), (32, [1; 3])] {
        let mut messages = column([9; 3]);
        assert!(!norm(bound_squared).write(&mut messages));
        assert_eq!(messages, column(bits));
        assert!(!norm(bound_squared).fails(&messages));
        for bit in 2..5 {
            assert!(norm(bound_squared).fails(&replaced(&messages, bit, &[1 - messages[bit]])));
        }
        messages[0] += 1;
        assert!(norm(bound_squared).fails(&messages));
    }
    for bound_squared in [0, 24, 33, 1 << 40] {
        assert!(norm(bound_squared).write(&mut column([0; 3])));
    }
    // No bits, wherever they would begin.
    let none = RowNorm { bits: 0, ..RowNorm::at_most(0, 2, 25, u32::MAX) };
    assert!(!none.write(&mut [3, -4]) && !none.fails(&[3_i8, -4]));
    assert!(none.write(&mut [3, -3]) && none.fails(&[3_i8, -3]));
}

/// 2 B + 8 < p for a range to 8, 4 B^2 + 2^3 < p for a norm with three bits: to the unit.
#[test]
fn claims_hold_over_the_integers_or_are_refused() {
    let ranges = Ranges::new(vec![range(0, 1, -8, 8)]).unwrap();
    let most = u128::from(P - 8);
    assert!(ranges.check_norm_bound((most * most - 1) / 4, P.into()).is_ok());
    for squared in [(most * most).div_ceil(4), most * most, u128::MAX] {
        let refused = message(ranges.check_norm_bound(squared, P.into()));
        assert!(refused.contains("all i of the ranges"), "{refused}");
    }
    let norm = RowNorm { bits: 3, ..RowNorm::at_most(0, 1, 7, 1) };
    let ranges = Ranges::with_norms(vec![range(1, 3, 0, 1)], vec![norm]).unwrap();
    assert!(ranges.check_norm_bound((most - 3) / 4, P.into()).is_ok());
    let refused = message(ranges.check_norm_bound((most + 1) / 4, P.into()));
    assert!(refused.contains("bits of all norms"), "{refused}");
}
