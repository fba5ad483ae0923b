use super::*;
use crate::error::Error;
use crate::format::StatementHeader;
use crate::matrix_id::MatrixId;
use crate::params::{CustomParams, Goal, Security};
use crate::suite::ChallengeKind;

/// Rows of one Gaussian group, and masks for 2^`log2_proofs` proofs.
fn custom(dimensions: [u32; 3], l: u64, micros: u64, log2_proofs: u32) -> CustomParams {
    let [w, r, v] = dimensions;
    let distribution = Distribution::Gaussian { micros };
    let rows = RowGroup { rows: v, bound: 127, distribution };
    let masks = Masks::Narrow { log2_proofs };
    CustomParams { groups: [Some(rows), None, None], masks, ..CustomParams::new(w, r, v, l, 127) }
}

/// H4-128.
fn h4() -> CustomParams {
    custom([20, 776, 1576], 4096, 8_850_000, 10)
}

/// Every number that follows from a header, and its bits, against a script that has docs/format.md
/// alone, tests/kat/narrow.py.
#[test]
fn derived_numbers_are_those_of_another_program() {
    for line in include_str!("../../../tests/kat/narrow.txt").lines() {
        let fields: Vec<f64> = line.split(' ').map(|field| field.parse().unwrap()).collect();
        let [l, n, log2_proofs, micros, sigma, w, r, k, d, dt] =
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|i| fields[i] as u32);
        let params = CustomParams {
            n: Some(n),
            sigma: Some(sigma.into()),
            round_w: Some(d),
            round_t: Some(dt),
            ..custom([w, r, r + k], l.into(), micros.into(), log2_proofs)
        };
        let params = params.validate(Security::Waived).unwrap();
        let narrow = params.narrow().unwrap();
        let lambda = narrow.lambda(params.sigma);
        let estimate = params.estimate();
        let got = [
            (narrow.row_squared, 1e-10),
            (narrow.eta_squared, 1e-10),
            (lambda, 1e-10),
            (omega(lambda, narrow.eta_squared), 1e-10),
            (params.sigma_z() as f64, 0.0),
            (estimate.log2_4b, 1e-9),
            (estimate.sis.classical, 1e-3),
            (estimate.hiding().classical, 1e-3),
        ];
        for ((got, tolerance), want) in got.into_iter().zip(&fields[10..]) {
            assert!((got - want).abs() <= tolerance * want, "{got} instead of {want}: {line}");
        }
    }
}

/// sigma_Z is the least integer that will do, at perfect squares too.
#[test]
fn widths_are_rounded_up() {
    for sigma in [2, 3, 100, 4096, u64::from(u32::MAX)] {
        for l in [1, 2, 3, 16, 17, 4096, 1 << 24] {
            for micros in [2_000_000, 4_999_999, 8_850_000] {
                let of_s = u128::from(column_squared(l) * micros) * u128::from(micros);
                let reaches = |z: u64| {
                    let difference = u128::from(z).pow(2) - u128::from(sigma).pow(2);
                    difference * 1_000_000_000_000 >= of_s
                };
                let z = sigma_z(sigma, l, micros);
                assert!(z > sigma && reaches(z) && (z - 1 == sigma || !reaches(z - 1)));
            }
        }
    }
    let c = [1, 2, 16, 100, 101, 4096, 65536].map(column_squared);
    assert_eq!(c, [1, 2, 16, 100, 101, 2368, 34048]);
}

fn name(result: Result<Params, Error>) -> &'static str {
    match result.unwrap_err() {
        Error::Parameter(error) => error.name,
        other => panic!("{other}"),
    }
}

/// What has no zero knowledge, or none that is proved, is no parameters at all.
#[test]
fn other_statements_are_refused() {
    let refused = |custom: CustomParams| name(custom.validate(Security::Waived));
    let group = |rows, distribution| Some(RowGroup { rows, bound: 127, distribution });
    let gaussian = Distribution::Gaussian { micros: 8_850_000 };
    let with = |groups| CustomParams { groups, ..h4() };
    for groups in [
        [None; 3],
        [group(1576, Distribution::Uniform), None, None],
        [group(800, Distribution::Any), group(776, gaussian), None],
        [group(800, gaussian), group(776, Distribution::Uniform), None],
        [group(800, gaussian), group(776, gaussian), None],
    ] {
        assert_eq!(refused(with(groups)), "groups of rows");
    }
    let masks = Masks::Narrow { log2_proofs: 21 };
    assert_eq!(refused(CustomParams { masks, ..h4() }), "log2 of the number of proofs");
    let masks = Masks::Narrow { log2_proofs: u32::MAX };
    assert_eq!(refused(CustomParams { masks, ..h4() }), "log2 of the number of proofs");
    assert_eq!(masks.proofs(), Some(u64::MAX));
    for micros in [9_080_000, u64::MAX] {
        assert_eq!(refused(custom([20, 776, 1576], 4096, micros, 10)), "standard deviation");
    }
    // Too narrow for any mask, of which there is none by default.
    let short = custom([20, 776, 1576], 4096, 4_000_000, 10);
    assert_eq!(refused(short), "standard deviation");
    let given = CustomParams { sigma: Some(1343), ..short };
    let error = given.validate(Security::Required).unwrap_err();
    assert!(matches!(error, Error::SigmaTooSmall { needed: 4_294_967_296, .. }), "{error}");
    assert_eq!(refused(CustomParams { w: 16, ..h4() }), "w");
    let wide = CustomParams { masks: Masks::Wide, sigma: Some(1343), ..h4() };
    assert_eq!(refused(wide), "w");
    let longer = CustomParams { w: 40, ..h4() };
    assert_eq!(refused(CustomParams { lambda: 256, ..longer }), "lambda");
    let binary = CustomParams { challenge: ChallengeKind::Binary, ..longer };
    assert_eq!(refused(CustomParams { round_t: Some(0), ..binary }), "challenge");
    assert_eq!(refused(CustomParams { residual_weight: Some(2), ..h4() }), "residual_weight");
    assert_eq!(refused(CustomParams { rho: Some(2), ..h4() }), "rho");
    // 12 sigma_Z^2 + c 4^dT <= 24 4^d.
    let rounded = |d, dt| CustomParams { round_w: Some(d), round_t: Some(dt), ..longer };
    assert!(rounded(12, 7).validate(Security::Waived).is_ok());
    assert_eq!(refused(rounded(12, 9)), "round_t");
    assert_eq!(refused(rounded(9, 0)), "round_t");
}

/// sigma, n and the bits of LWE at omega are asked for, and waived by nothing but a waiver.
#[test]
fn weak_statements_are_refused() {
    let params = h4().validate(Security::Required).unwrap();
    assert_eq!((params.rho().get(), params.max_attempts()), (1, 3));
    let needed = params.needed_sigma();
    assert!(needed < params.sigma);
    let with = |sigma| CustomParams { sigma: Some(sigma), ..h4() };
    let error = with(needed - 1).validate(Security::Required).unwrap_err();
    assert!(matches!(error, Error::SigmaTooSmall { got, .. } if got == needed - 1), "{error}");
    // omega is a fifth less at the needed sigma, which is 128 bits less a few.
    let error = with(needed).validate(Security::Required).unwrap_err();
    assert!(
        matches!(error, Error::Insecure { attack, bits, .. } if attack.contains("LWE") && bits > 120.0),
        "{error}"
    );
    let error = CustomParams { n: Some(129), ..h4() }.validate(Security::Required).unwrap_err();
    assert!(matches!(error, Error::Parameter(error) if error.name == "n"), "{error}");
    // At sigma_0 LWE would seem 25 bits harder than what proofs leave of it.
    let entries = Entries::of(&params.row_groups()[0]);
    let (primal, dual) = Params::hiding(800, 776, 20, entries);
    assert!(primal.min(dual).classical > params.estimate().hiding().classical + 20.0);
}

/// Bytes 14 and 15, and that a reader of a header refuses a B^2 below the formula's.
#[test]
fn headers_say_how_wide_masks_are() {
    let id = MatrixId::of_seed([1; 32]);
    for (log2_proofs, micros) in [(0, 4_800_000), (10, 8_850_000), (20, 8_850_000)] {
        let params = custom([30, 776, 1576], 4096, micros, log2_proofs);
        let params = params.validate(Security::Waived).unwrap();
        let bytes = params.header(&id).to_bytes();
        assert_eq!(bytes[14..16], [1, log2_proofs as u8]);
        let read = |bytes: &[u8]| {
            Params::from_header(&StatementHeader::parse(bytes)?).map(|(params, _)| params)
        };
        assert_eq!(read(&bytes).unwrap(), params);
        for (masks, expected) in [
            ([0, 1], "header field masks has an undefined value"),
            ([3, 0], "header field masks has an undefined value"),
            (
                [2, 0],
                "header parameter groups of rows is 1; expected one, of Gaussians, where masks are \
                 narrow; with mixed ones behind messages",
            ),
            ([1, 21], "header parameter log2 of the number of proofs is 21; expected 0 to 20"),
        ] {
            let mut other = bytes.clone();
            other[14..16].copy_from_slice(&masks);
            assert_eq!(read(&other).unwrap_err().to_string(), expected);
        }
        for (at, name, squared) in
            [(64, "B^2", params.norm_bound_squared), (80, "F^2", params.frobenius_squared)]
        {
            let with = |squared: u128| {
                let mut other = bytes.clone();
                other[at..at + 16].copy_from_slice(&squared.to_le_bytes());
                read(&other)
            };
            assert!(with(squared + 1).is_ok());
            let error = with(squared - 1).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("narrow"), "{error}");
        }
    }
    let short = h4().validate(Security::Waived).unwrap().header(&id).to_bytes();
    let mut wide = short.clone();
    wide[14..16].fill(0);
    let error = Params::from_header(&StatementHeader::parse(&wide).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "header parameter w is 20; expected 25 to 64");
}

/// Parameters found are secure, and one step less of either dimension is not; more proofs, or more
/// columns, make them longer. The width of S may be given.
#[test]
fn optima_are_secure_and_least() {
    let goal = |l, log2_proofs| Goal { masks: Masks::Narrow { log2_proofs }, ..Goal::new(1, l) };
    let bytes = |goal: Goal| {
        let best = goal.optimise().unwrap();
        for (r, v) in [(best.r, best.v - 8), (best.r - 8, best.v - 8)] {
            let [Some(group), ..] = best.groups else { panic!("one group") };
            let groups = [Some(RowGroup { rows: v, ..group }), None, None];
            let less = CustomParams { r, v, groups, ..best };
            let error = less.validate(Security::Required).unwrap_err();
            assert!(matches!(error, Error::Insecure { .. }), "{error}");
        }
        best.validate(Security::Required).unwrap().expected_proof_bytes()
    };
    let [once, often, longer] = [(300, 0), (300, 10), (3000, 10)].map(|(l, q)| bytes(goal(l, q)));
    assert!(once < often && often < longer);
    let secrets = Some((70, Distribution::Gaussian { micros: 5_000_000 }));
    let given = Goal { secrets, ..goal(300, 10) };
    let found = given.optimise().unwrap().validate(Security::Required).unwrap();
    assert_eq!((found.b(), found.groups.micros()), (70, 5_000_000));
    assert!(found.expected_proof_bytes() > often);
    for (goal, expected) in [
        (Goal { message_rows: 1, ..goal(300, 0) }, "messages, pads, hints and errors"),
        (Goal { pad_rows: 1, ..goal(300, 0) }, "pad rows"),
        (Goal { key_hints: 1, ..goal(300, 0) }, "messages, pads, hints and errors"),
        (Goal { w: Some(16), ..goal(300, 0) }, "w"),
        (Goal { lambda: 256, ..goal(300, 0) }, "lambda"),
        (goal(300, 21), "log2 of the number of proofs"),
        (goal(300, u32::MAX), "log2 of the number of proofs"),
        (goal(0, 0), "l"),
    ] {
        assert_eq!(
            name(goal.optimise().and_then(|custom| custom.validate(Security::Waived))),
            expected
        );
    }
}

/// The lemma of docs/protocol.md, section 15, by enumeration: the law of an entry given its hints,
/// by Bayes alone, beside that of an LWE secret of variance omega^2 plus what the reduction draws. At
/// lambda = 4 eta^2 and beyond it they are within the lemma's bound; with a larger omega, or an S that
/// is cut off, they are not.
#[test]
fn the_lemma_by_enumeration() {
    let c = [1.0, -1.0, 0.0, 1.0];
    let of_cut = |bound_of_s: f64, lambda: f64, ratio: f64, omega_squared: f64, z: [f64; 4]| {
        let (of_s, row) = (ratio * lambda, 3.0);
        // 1 / lambda = 1 / sigma_0^2 + ||c||^2 / sigma^2.
        let of_y = row * lambda * ratio / (ratio - 1.0);
        let reach = 40_i32;
        let law = |weight: &dyn Fn(f64) -> f64| {
            let weights: Vec<f64> = (-reach..=reach).map(|x| weight(x.into())).collect();
            let sum: f64 = weights.iter().sum();
            weights.into_iter().map(|weight| weight / sum).collect::<Vec<_>>()
        };
        let true_law = law(&|s| {
            if s.abs() > bound_of_s * of_s.sqrt() {
                return 0.0;
            }
            let rest: f64 = z.iter().zip(c).map(|(z, c)| (z - c * s).powi(2)).sum();
            (-s * s / (2.0 * of_s) - rest / (2.0 * of_y)).exp()
        });
        let mu = lambda * z.iter().zip(c).map(|(z, c)| z * c).sum::<f64>() / of_y;
        let secret = law(&|s| (-s * s / (2.0 * omega_squared)).exp());
        let own = law(&|t| (-(t - mu).powi(2) / (2.0 * (lambda - omega_squared))).exp());
        let sum = |x: i32| -> f64 {
            let terms = (-reach..=reach).filter(|s| (x - s).abs() <= reach);
            terms.map(|s| secret[(s + reach) as usize] * own[(x - s + reach) as usize]).sum()
        };
        let difference = |x: i32| (sum(x) - true_law[(x + reach) as usize]).abs();
        (-reach..=reach).map(difference).sum::<f64>() / 2.0
    };
    let distance = |lambda, ratio, omega, z| of_cut(14.0, lambda, ratio, omega, z);
    let hints = [[0.0; 4], [3.0, -2.0, 11.0, 4.0], [1.5, 0.25, 0.0, -2.125], [7.0, 7.0, -9.0, 1.0]];
    for eta_squared in [0.3, 0.5, 0.7, 1.0, 1.2] {
        let bound = 2.1 * (-2.0 * PI * PI * eta_squared).exp();
        for margin in [1.0, 1.1, 1.5, 2.0] {
            let lambda = margin * 4.0 * eta_squared;
            let omega_squared = omega(lambda, eta_squared).powi(2);
            for (ratio, z) in [1.2, 1.5, 4.0].into_iter().flat_map(|a| hints.map(|z| (a, z))) {
                let distance = distance(lambda, ratio, omega_squared, z);
                assert!(distance <= 2.0 * bound + 1e-13, "{distance}, {bound}: {lambda}");
            }
            // Half of the variance that smooths the sum is too little.
            let larger = omega(lambda, eta_squared / 2.0).powi(2);
            let most =
                hints.map(|z| distance(lambda, 1.5, larger, z)).into_iter().fold(0.0, f64::max);
            assert!(most > 2.0 * bound, "the control: {most}, {bound}");
            // Nor is S Gaussian if it is cut off too near.
            let cut = of_cut(1.0, lambda, 1.5, omega_squared, hints[0]);
            assert!(cut > 2.0 * bound && cut > 0.001, "the control: {cut}, {bound}");
        }
    }
}

/// 1024 bits and pads in front of Gaussian rows, for 4096 columns and the columns of masks.
fn mixed() -> CustomParams {
    let group = |rows, bound| RowGroup { rows, bound, distribution: Distribution::Any };
    let last = custom([28, 960, 2112], 4124, 8_850_000, 10);
    let groups = [Some(group(1024, 1)), Some(group(162, 2)), last.groups[0]];
    let masks = Masks::Mixed { log2_proofs: 10 };
    CustomParams { groups, masks, v: 1186 + 2112, ..last }
}

/// Each number that follows from a header with mixed masks, and its bits, against a script that has
/// docs/format.md alone, tests/kat/mixed.py: binding by any numbers of columns of both parts.
#[test]
fn mixed_numbers_are_those_of_another_program() {
    for line in include_str!("../../../tests/kat/mixed.txt").lines() {
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
            (estimate.sis.classical, 0.01),
            (estimate.hiding().classical, 1e-3),
        ];
        for ((got, tolerance), want) in got.into_iter().zip(&fields[9..]) {
            assert!((got - want).abs() <= tolerance * want, "{got} instead of {want}: {line}");
        }
    }
}

/// Every byte of a narrow header and of a mixed one, against a script that has docs/format.md alone,
/// tests/kat/headers.py.
#[test]
fn headers_have_the_bytes_of_another_program() {
    let id = MatrixId::of_seed([1; 32]);
    let lines = include_str!("../../../tests/kat/headers.txt").lines();
    for (custom, want) in [h4(), mixed()].into_iter().zip(lines) {
        let header = custom.validate(Security::Waived).unwrap().header(&id).to_bytes();
        let byte = |i: usize| u8::from_str_radix(&want[2 * i..2 * i + 2], 16).unwrap();
        assert_eq!(want.len(), 512);
        assert_eq!(header, core::array::from_fn::<u8, 256, _>(byte));
    }
}

/// Headers say it, and readers refuse what is not proved; each refusal beside what is accepted.
#[test]
fn mixed_headers_and_refusals() {
    let params = mixed().validate(Security::Required).unwrap();
    assert_eq!((params.rho().get(), params.max_attempts()), (2, 1024));
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
    let bytes = params.header(&id).to_bytes();
    assert_eq!(bytes[14..16], [2, 10]);
    let read = |bytes: &[u8]| {
        Params::from_header(&StatementHeader::parse(bytes)?).map(|(params, _)| params)
    };
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
    assert_eq!(name(CustomParams { rho: Some(2), ..mixed() }), "rho");
    let longer = CustomParams { w: 40, ..mixed() };
    assert_eq!(name(CustomParams { lambda: 256, ..longer }), "lambda");
    assert_eq!(name(CustomParams { residual_weight: Some(2), ..longer }), "residual_weight");
    let rounded = |d, dt| CustomParams { round_w: Some(d), round_t: Some(dt), ..longer };
    assert!(rounded(12, 7).validate(Security::Waived).is_ok());
    assert_eq!(name(rounded(12, 9)), "round_t");
    let needed = params.needed_sigma();
    let error = CustomParams { sigma: Some(needed - 1), ..mixed() }.validate(Security::Required);
    assert!(matches!(error.unwrap_err(), Error::SigmaTooSmall { .. }));
    // A witness within either bound, and beyond it.
    let [wide, narrow] = params.square_ranges();
    assert_eq!(wide, 0..=rows);
    let of_last = RowGroups::new(&[params.groups.last()]).unwrap();
    assert_eq!(*narrow.end(), of_last.frobenius_squared(4124));
    assert!(*narrow.start() > of_last.frobenius_squared(4124) / 100 * 99);
}

/// T and so many proofs about it are no longer than with the parameters of the shortest proof, and each is
/// the better for the number that it was sought for. A wider Y leaves Gaussian rows wider.
#[test]
fn statements_and_proofs_are_short_together() {
    let goal = Goal {
        message_rows: 256,
        message_bound: Some(2),
        message_norm_squared: Some(256),
        pad_rows: 162,
        ..Goal::new(1, 1051)
    };
    let of = |masks, per_statement| {
        let best = Goal { masks, per_statement, ..goal }.optimise().unwrap();
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
            assert_eq!(&Params::from_header(&header).unwrap().0, params);
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
    let goal = Goal {
        message_rows: 1024,
        message_bound: Some(2),
        message_norm_squared: Some(1024),
        pad_rows: 162,
        ..Goal::new(1, 1051)
    };
    let of = |masks| Goal { masks, ..goal }.optimise().unwrap();
    let best = of(Masks::Mixed { log2_proofs: 10 });
    let params = best.validate(Security::Required).unwrap();
    let [first, second, Some(last)] = best.groups else { panic!("three groups") };
    for (r, v) in [(best.r, best.v - 8), (best.r - 8, best.v - 8)] {
        let groups = [first, second, Some(RowGroup { rows: last.rows - 8, ..last })];
        let error = CustomParams { r, v, groups, ..best }.validate(Security::Required).unwrap_err();
        assert!(matches!(error, Error::Insecure { .. }), "{error}");
    }
    let wide = of(Masks::Wide).validate(Security::Required).unwrap();
    let [mixed, wide] = [&params, &wide].map(Params::expected_proof_bytes);
    assert!(100 * mixed < 72 * wide, "{mixed} {wide}");
    let bounds = |p: &Params| (p.sigma(), p.norm_bound_squared(), p.message_norm_bound_squared());
    let digits = Goal {
        digit_rows: 8 * 7 + 72,
        masks: Masks::Mixed { log2_proofs: 4 },
        ..Goal::new(63, 300)
    };
    let params = digits.optimise().unwrap().validate(Security::Required).unwrap();
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

/// log2 of a bound on the probability that an honest column of Z and E is longer than B.
///
/// Given ||c||^2 = x, entries are no longer than Gaussians of variance sigma^2 + x sigma_0^2, to which E
/// adds the roundings; x exceeds l / 2 + u sqrt(l) / 2 with probability below e^(-u^2 / 2) (Hoeffding),
/// so that x in steps of 1/8 in u count with that and the next one's Chernoff bound.
fn log2_failure(params: &Params) -> f64 {
    let Params { sigma, l, n, r, v, round_w, round_t, .. } = *params;
    let sigma_0 = params.narrow().map_or(0.0, |narrow| narrow.micros as f64 / 1e6);
    let [l, r, k] = [l as f64, r.into(), (v - r - params.wide.rows).into()];
    let square = (sigma as f64).powi(2);
    let power = |bits: u32| 4f64.powi(bits as i32);
    let most = params.norm_bound_squared as f64;
    let log2_column = |x: f64| {
        let of_z = square + x * sigma_0 * sigma_0;
        let of_t = if round_t == 0 { 0.0 } else { x * power(round_t) / 12.0 };
        let of_e = of_z + power(round_w) / 12.0 + of_t;
        let chernoff = |t: f64| {
            -t * most
                - k / 2.0 * (1.0 - 2.0 * t * of_z).ln()
                - r / 2.0 * (1.0 - 2.0 * t * of_e).ln()
        };
        let least = |best: f64, i: u32| best.min(chernoff(f64::from(i) / 4000.0 / of_e));
        (0..2000).fold(0.0, least) / LN_2
    };
    let steps = (0..).map(|i| f64::from(i) / 8.0).take_while(|u| l / 2.0 + u * l.sqrt() / 2.0 <= l);
    let at = |u: f64| {
        let x = (l / 2.0 + (u + 0.125) * l.sqrt() / 2.0).min(l);
        (log2_column(x) - u * u / 2.0 / LN_2).exp2()
    };
    (f64::from(n) * steps.map(at).sum::<f64>()).log2()
}

/// With bits rounded off T that a proof notices the bound of a failing check is a theorem for all
/// parameters; by default it is less of one, as docs/protocol.md says in sections 7 and 15.
#[test]
fn honest_proofs_are_short_enough() {
    let mixed = Masks::Mixed { log2_proofs: 16 };
    for (masks, l, rows, most) in [
        (Masks::Wide, 1, 16, -29.0),
        (Masks::Wide, 64, 16, -50.0),
        (Masks::Wide, 128, 1024, -50.0),
        (Masks::Wide, 4124, 16, -50.0),
        (mixed, 1, 16, -50.0),
        (mixed, 4124, 16, -50.0),
        (mixed, 1 << 18, 16, -50.0),
    ] {
        let goal = Goal {
            masks,
            message_rows: rows,
            message_bound: Some(2),
            pad_rows: 162,
            ..Goal::new(1, l)
        };
        let params = goal.optimise().unwrap().validate(Security::Waived).unwrap();
        let failure = log2_failure(&params);
        assert!(failure < most, "{masks:?} {l} {rows}: {failure}");
        // Weighed, and with as many bits as the opening of a column allows.
        let weighed = Goal { per_statement: Some(1), ..goal };
        let weighed = weighed.optimise().unwrap().validate(Security::Waived).unwrap();
        assert_eq!(weighed.notices_rounding(), l >= 128, "{masks:?} {l} {rows}");
        for more in 0..4 {
            let custom = goal.custom(weighed.w + 6, weighed.r, weighed.v);
            let custom = CustomParams {
                groups: core::array::from_fn(|i| weighed.row_groups().get(i).copied()),
                sigma: Some(weighed.sigma << more),
                round_t: Some(weighed.round_t + more),
                ..custom
            };
            let params = custom.validate(Security::Waived).unwrap();
            if params.notices_rounding() {
                let failure = log2_failure(&params);
                assert!(failure < -63.0, "{masks:?} {l} {rows} {more}: {failure}");
            }
        }
    }
}

/// One proof of very many columns asks for a Y wider than the least one, without which there are no
/// parameters.
#[test]
fn a_wide_y_makes_up_for_many_columns() {
    let once = Masks::Mixed { log2_proofs: 0 };
    let goal = Goal { masks: once, message_rows: 16, pad_rows: 162, ..Goal::new(1, 1 << 16) };
    assert!(goal.optimise().is_err());
    let weighed = Goal { per_statement: Some(1), ..goal }.optimise().unwrap();
    weighed.validate(Security::Required).unwrap();
}

/// A wider Y than the least stays what it is with fewer columns, for which all fits, and with these back;
/// with more of them nothing is found that does not.
#[test]
fn a_wide_y_serves_other_numbers_of_columns() {
    let masks = Masks::Mixed { log2_proofs: 4 };
    let goal = Goal { digit_rows: 8 * 7 + 72, masks, ..Goal::new(63, 300) };
    for masks in [masks, Masks::Wide] {
        let custom = Goal { masks, per_statement: Some(1), ..goal }.optimise().unwrap();
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
