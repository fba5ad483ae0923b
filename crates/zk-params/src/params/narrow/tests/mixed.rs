//! Mixed masks: numbers, headers, and parameters that are found.

use super::*;
use crate::error::Weakness;

/// 1024 bits and pads in front of Gaussian rows, for 4096 columns and the columns of masks.
pub(super) fn mixed() -> CustomParams {
    let group = |rows, bound| RowGroup { rows, bound, distribution: Distribution::Any };
    let last = custom([28, 960, 2112], 4124, 8_850_000, 10);
    let groups = [Some(group(1024, 1)), Some(group(162, 2)), last.groups[0]];
    let masks = Masks::Mixed { log2_proofs: 10 };
    CustomParams { groups, masks, v: 1186 + 2112, ..last }
}

/// Messages as long as so many bits, and pads.
fn bits(rows: u32) -> Goal {
    Goal {
        message_rows: rows,
        message_bound: Some(2),
        message_norm_squared: Some(rows.into()),
        pad_rows: 162,
        ..Goal::new(1, 1051)
    }
}

/// Seven elements in digits, and pads.
fn digits(masks: Masks) -> Goal {
    Goal { message_rows: 8 * 7 + 72, message_bound: Some(99), masks, ..Goal::new(63, 300) }
}

/// Each number that follows from a header with mixed masks, and its bits, against a script that has
/// docs/format.md alone, tests/kat/mixed.py: binding by any numbers of columns of both parts.
#[test]
fn mixed_numbers_are_those_of_another_program() {
    for line in include_str!("../../../../tests/kat/mixed.txt").lines() {
        let fields: Vec<f64> = line.split(' ').map(|field| field.parse().unwrap()).collect();
        let [l, log2_proofs, micros, messages, w, r, k, more] =
            [0, 1, 2, 3, 5, 6, 7, 8].map(|i| fields[i] as u32);
        let last = custom([w, r, r + k], l.into(), micros.into(), log2_proofs);
        let group = RowGroup { rows: messages, bound: 2, distribution: Distribution::Any };
        let custom = CustomParams {
            groups: [Some(group), last.groups[0], None],
            masks: Masks::Mixed { log2_proofs },
            v: messages + r + k,
            frobenius_squared: Some(fields[4] as u128),
            ..last
        };
        let default = custom.validate(Security::Waived).unwrap();
        let custom = CustomParams { round_t: Some(default.round_t + more), ..custom };
        let params = custom.validate(Security::Waived).unwrap();
        let (estimate, log2) = (params.estimate(), |b: u128| 2.0 + (b as f64).log2() / 2.0);
        let got = [
            (params.sigma() as f64, 0.0),
            (params.sigma_m() as f64, 0.0),
            (log2(params.message_norm_bound_squared()), 1e-9),
            (log2(params.norm_bound_squared()), 1e-9),
            (estimate.binding.classical, 0.01),
            (estimate.hiding.classical, 1e-3),
        ];
        are_close(&got, &fields[9..], line);
    }
}

/// Headers say it, and readers refuse what is not proved; each refusal beside what is accepted.
#[test]
fn mixed_headers_and_refusals() {
    let params = mixed().validate(Security::Required).unwrap();
    assert_eq!((params.rho(), params.max_attempts()), (2, 1024));
    assert_eq!((params.rejection_rows(), params.rejection_sigma()), (1186, params.sigma_m()));
    let rows = 4124 * (1024 + 162 * 4);
    assert_eq!(params.frobenius_squared, rows);
    let wide = CustomParams {
        groups: [mixed().groups[0], mixed().groups[1], None],
        frobenius_squared: Some(rows),
        masks: Masks::Wide,
        ..CustomParams::new(60, 960, 3298, 4124, 2)
    };
    let wide = wide.validate(Security::Waived).unwrap();
    assert_eq!(params.sigma_m(), wide.sigma, "the rule of wide masks");
    let id = MatrixId::of_seed([1; 32]);
    let bytes = params.header(&id);
    assert_eq!(bytes[14..16], [2, 10]);
    assert_eq!(read(&bytes).unwrap(), params);
    let with = |at: usize, value: &[u8]| {
        let mut other = bytes.clone();
        other[at..at + value.len()].copy_from_slice(value);
        read(&other).map_err(|error| error.to_string())
    };
    let refused = |at, value: &[u8], text: &str| {
        let error = with(at, value).unwrap_err();
        assert!(error.contains(text), "{error}");
    };
    refused(14, &[1, 10], "groups of rows");
    refused(14, &[2, 21], "log2 of the number of proofs");
    refused(14, &[3, 10], "masks");
    refused(64, &(params.norm_bound_squared - 1).to_le_bytes(), "B^2");
    assert!(with(64, &(params.norm_bound_squared + 1).to_le_bytes()).is_ok());
    // F^2 of messages may be smaller, and then sigma_m is.
    let smaller = with(80, &(rows - 1_000_000).to_le_bytes()).unwrap();
    assert!(smaller.sigma_m() < params.sigma_m());
    // 4 B_m reaches q / 2.
    refused(80, &(100 * rows).to_le_bytes(), "B_m^2");
    // Uniform rows in front, and messages behind Gaussians.
    refused(168, &[0], "groups of rows");
    let [first, second, last] = mixed().groups;
    let name = |custom: CustomParams| name(custom.validate(Security::Waived));
    assert_eq!(name(CustomParams { groups: [first, last, second], ..mixed() }), "groups of rows");
    assert_eq!(
        name(CustomParams { groups: [last, None, None], v: 2112, ..mixed() }),
        "groups of rows"
    );
    let needed = params.needed_sigma();
    let less = CustomParams { sigma: Some(needed - 1), ..mixed() }.validate(Security::Required);
    assert_eq!(weakness(less), Weakness::Sigma { got: needed - 1, needed });
    // A witness within either bound, and beyond it.
    let [wide, narrow] = params.square_ranges();
    assert_eq!(wide, 0..=rows);
    let of_last = RowGroups::new(&[params.groups.last()]).unwrap();
    assert_eq!(*narrow.end(), of_last.frobenius_squared(4124));
    assert!(*narrow.start() > of_last.frobenius_squared(4124) / 100 * 99);
}

/// T and so many proofs about it are no longer than with the parameters of the shortest proof, and
/// each is the better for the number that it was sought for. A wider Y leaves Gaussian rows wider.
#[test]
fn statements_and_proofs_are_short_together() {
    let goal = bits(256);
    let mut search = Search::default();
    let mut of = |masks, per_statement| {
        let best = Goal { masks, per_statement, ..goal }.optimise_in(&mut search).unwrap();
        best.validate(Security::Required).unwrap()
    };
    let together = |params: &Params, count: u128| {
        params.t_bytes() + count * u128::from(params.expected_proof_bytes())
    };
    let found = [Masks::Wide, Masks::Mixed { log2_proofs: 16 }].map(|masks| {
        let [proof, once, often] = [None, Some(1), Some(100)].map(|count| of(masks, count));
        assert!(100 * together(&once, 1) < 93 * together(&proof, 1));
        assert!(together(&once, 1) <= together(&often, 1));
        assert!(together(&often, 100) <= together(&once, 100).min(together(&proof, 100)));
        if let Some(narrow) = once.narrow() {
            assert!(once.sigma() > 2 * proof.sigma());
            let [wide, least] = [once.sigma(), narrow.least_sigma(DEFAULT_MARGIN)];
            assert!(narrow.lambda(wide) > narrow.lambda(least));
        }
        for params in [&once, &often] {
            let header = params.header(&MatrixId::from_bytes([0; 64]));
            assert_eq!(&read(&header).unwrap(), params);
            assert!(params.rounded().narrow_hints_fit());
            params.check_hints().unwrap();
        }
        together(&once, 1)
    });
    assert!(found[1] < found[0]);
}

/// Parameters found are secure and least, more than a quarter shorter than with wide masks; other
/// numbers of columns have bounds that grow with them, and the least sigma.
#[test]
fn mixed_optima() {
    let goal = bits(1024);
    let of = |masks| Goal { masks, ..goal }.optimise().unwrap();
    let best = of(Masks::Mixed { log2_proofs: 10 });
    let params = is_least(best, |custom| custom.validate(Security::Required));
    let wide = of(Masks::Wide).validate(Security::Required).unwrap();
    let [mixed, wide] = [&params, &wide].map(Params::expected_proof_bytes);
    assert!(100 * mixed < 72 * wide, "{mixed} {wide}");
    let bounds = |p: &Params| (p.sigma(), p.norm_bound_squared(), p.message_norm_bound_squared());
    let params = digits(Masks::Mixed { log2_proofs: 4 })
        .optimise()
        .unwrap()
        .validate(Security::Required)
        .unwrap();
    for l in [300, 301, 310, 400] {
        let other = params.with_columns(l).unwrap().validate(Security::Waived).unwrap();
        let (sigma, b, b_m) = bounds(&other);
        assert!(sigma >= params.sigma() && b >= params.norm_bound_squared());
        assert!(b_m >= params.message_norm_bound_squared());
        assert_eq!(
            (other.masks, other.groups, other.round_t),
            (params.masks, params.groups, params.round_t)
        );
        let fewer = other.with_columns(300).unwrap().validate(Security::Waived).unwrap();
        assert_eq!(fewer.sigma(), sigma);
    }
    // A header with a larger B^2 than more columns would have.
    let larger = Params { norm_bound_squared: 2 * params.norm_bound_squared, ..params.clone() };
    assert!(larger.with_columns(299).is_ok() && larger.with_columns(301).is_err());
}

/// One proof of very many columns asks for a Y wider than the least one, without which there are no
/// parameters.
#[test]
fn a_wide_y_makes_up_for_many_columns() {
    let once = Masks::Mixed { log2_proofs: 0 };
    let goal = Goal { masks: once, message_rows: 16, pad_rows: 162, ..Goal::new(1, 1 << 16) };
    let mut search = Search::default();
    assert!(goal.optimise_in(&mut search).is_err());
    let weighed = Goal { per_statement: Some(1), ..goal }.optimise_in(&mut search).unwrap();
    weighed.validate(Security::Required).unwrap();
}

/// A wider Y than the least stays what it is with fewer columns, for which all fits, and with these
/// back; with more of them nothing is found that does not.
#[test]
fn a_wide_y_serves_other_numbers_of_columns() {
    for masks in [Masks::Mixed { log2_proofs: 4 }, Masks::Wide] {
        let custom = Goal { per_statement: Some(1), ..digits(masks) }.optimise().unwrap();
        let params = custom.validate(Security::Waived).unwrap();
        let sigma = (masks != Masks::Wide).then_some(2 * params.sigma);
        let sigma = sigma.or(custom.sigma);
        let round_w = Some(sigma.unwrap_or(params.sigma).ilog2() + 2);
        let custom =
            CustomParams { w: 40, round_t: Some(params.round_t + 2), round_w, sigma, ..custom };
        let params = custom.validate(Security::Waived).unwrap();
        assert!(params.notices_rounding());
        for l in (1..300).step_by(23) {
            let fewer = params.with_columns(l).unwrap().validate(Security::Waived).unwrap();
            assert_eq!(fewer.round_t, params.round_t);
            assert!(masks == Masks::Wide || fewer.sigma == params.sigma);
            fewer.check_hints().unwrap();
            let failure = log2_failure(&fewer);
            assert!(failure < -50.0, "{masks:?} {l}: {failure}");
            let back = fewer.with_columns(300).unwrap().validate(Security::Waived).unwrap();
            assert_eq!(back, params);
        }
        for l in [301, 330, 500, 3000] {
            let Ok(longer) = params.with_columns(l) else { continue };
            let longer = longer.validate(Security::Waived).unwrap();
            longer.check_hints().unwrap();
            assert!(log2_failure(&longer) < -60.0);
        }
    }
}

/// Every byte of a narrow header and of a mixed one, against a script that has docs/format.md
/// alone, tests/kat/headers.py.
#[test]
fn headers_have_the_bytes_of_another_program() {
    let id = MatrixId::of_seed([1; 32]);
    let lines = include_str!("../../../../tests/kat/headers.txt").lines();
    for (custom, want) in [h4(), mixed()].into_iter().zip(lines) {
        let header = custom.validate(Security::Waived).unwrap().header(&id);
        let byte = |i: usize| u8::from_str_radix(&want[2 * i..2 * i + 2], 16).unwrap();
        assert_eq!(want.len(), 512);
        assert_eq!(header, core::array::from_fn::<u8, 256, _>(byte));
    }
}
