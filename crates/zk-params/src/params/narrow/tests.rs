use super::*;
use crate::error::{Malformation, Weakness};
use crate::matrix_id::MatrixId;
use crate::params::optimise::{Search, tests::is_least};
use crate::params::tests::{name, weakness};
use crate::params::{CustomParams, Goal, Security};
use crate::suite::ChallengeKind;

mod mixed;

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
        let (estimate, attacks) = (params.estimate(), params.hiding_of_rows(0));
        let (primal, dual) = attacks.unwrap();
        let got = [
            (narrow.row_squared, 1e-10),
            (narrow.eta_squared, 1e-10),
            (lambda, 1e-10),
            (omega(lambda, narrow.eta_squared), 1e-10),
            (params.sigma_z() as f64, 0.0),
            (estimate.log2_4b, 1e-9),
            (estimate.binding.classical, 1e-6),
            (primal.classical, 1e-6),
            (dual.classical, 1e-6),
            (dual.quantum, 1e-6),
        ];
        are_close(&got, &fields[10..], line);
        assert_eq!(estimate.hiding, primal.min(dual));
    }
}

/// Numbers with relative tolerances, beside the numbers of another program.
fn are_close(got: &[(f64, f64)], wanted: &[f64], line: &str) {
    for (&(got, tolerance), want) in got.iter().zip(wanted) {
        assert!((got - want).abs() <= tolerance * want, "{got} instead of {want}: {line}");
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
    let needed = Weakness::Sigma { got: 1343, needed: 1 << 32 };
    assert_eq!(weakness(given.validate(Security::Required)), needed);
    assert_eq!(refused(CustomParams { w: 16, ..h4() }), "w");
    let wide = CustomParams { masks: Masks::Wide, sigma: Some(1343), ..h4() };
    assert_eq!(refused(wide), "w");
    let binary = CustomParams { challenge: ChallengeKind::Binary, w: 40, ..h4() };
    assert_eq!(refused(CustomParams { round_t: Some(0), ..binary }), "challenge");
    for custom in [h4(), mixed::mixed()] {
        let longer = CustomParams { w: 40, ..custom };
        assert_eq!(refused(CustomParams { lambda: 256, ..longer }), "lambda");
        assert_eq!(refused(CustomParams { residual_weight: Some(2), ..longer }), "residual_weight");
        assert_eq!(refused(CustomParams { rho: Some(2), ..custom }), "rho");
        // 12 sigma_Z^2 + c 4^dT <= 24 4^d.
        let rounded = |d, dt| CustomParams { round_w: Some(d), round_t: Some(dt), ..longer };
        assert!(rounded(12, 7).validate(Security::Waived).is_ok());
        assert_eq!(refused(rounded(12, 9)), "round_t");
        assert_eq!(refused(rounded(9, 0)), "round_t");
    }
}

/// sigma, n and the bits of LWE at omega are asked for, and waived by nothing but a waiver.
#[test]
fn weak_statements_are_refused() {
    let params = h4().validate(Security::Required).unwrap();
    assert_eq!((params.rho(), params.max_attempts()), (1, 1));
    let needed = params.needed_sigma();
    assert!(needed < params.sigma);
    let with = |sigma| CustomParams { sigma: Some(sigma), ..h4() }.validate(Security::Required);
    let got = needed - 1;
    assert_eq!(weakness(with(got)), Weakness::Sigma { got, needed });
    // omega is a fifth less at the needed sigma, which is 128 bits less a few.
    let Weakness::Attack { attack, bits, .. } = weakness(with(needed)) else { panic!("{needed}") };
    assert!(attack.contains("LWE") && bits > 120.0, "{attack} {bits}");
    assert_eq!(name(CustomParams { n: Some(129), ..h4() }.validate(Security::Required)), "n");
    // At sigma_0 LWE would seem 25 bits harder than what proofs leave of it.
    let entries = Entries::of(&params.row_groups()[0]);
    let hiding = entries.hiding([800, 776, 20], 0.0);
    assert!(hiding.classical > params.estimate().hiding.classical + 20.0);
}

/// The parameters of a header.
fn read(bytes: &[u8]) -> Result<Params, Malformation> {
    Params::from_header(bytes).map(|(params, _)| params)
}

/// Bytes 14 and 15, and that a reader of a header refuses a B^2 below the formula's.
#[test]
fn headers_say_how_wide_masks_are() {
    let id = MatrixId::of_seed([1; 32]);
    for (log2_proofs, micros) in [(0, 4_800_000), (10, 8_850_000), (20, 8_850_000)] {
        let params = custom([30, 776, 1576], 4096, micros, log2_proofs);
        let params = params.validate(Security::Waived).unwrap();
        let bytes = params.header(&id);
        assert_eq!(bytes[14..16], [1, log2_proofs as u8]);
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
    let short = h4().validate(Security::Waived).unwrap().header(&id);
    let mut wide = short.clone();
    wide[14..16].fill(0);
    assert_eq!(read(&wide).unwrap_err().to_string(), "header parameter w is 20; expected 25 to 64");
}

/// Parameters found are secure, and one step less of either dimension is not; more proofs, or more
/// columns, make them longer. The width of S may be given.
#[test]
fn optima_are_secure_and_least() {
    let goal = |l, log2_proofs| Goal { masks: Masks::Narrow { log2_proofs }, ..Goal::new(1, l) };
    let bytes = |goal: Goal| {
        let best = goal.optimise().unwrap();
        is_least(best, |custom| custom.validate(Security::Required)).expected_proof_bytes()
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
/// by Bayes alone, beside the law of an LWE secret of variance omega^2 plus what the reduction
/// draws. At lambda = 4 eta^2 and beyond it they are within the lemma's bound; with a larger omega,
/// or an S that is cut off, they are not.
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

/// log2 of a bound on the probability that an honest column of Z and E is longer than B.
///
/// Given ||c||^2 = x, entries are no longer than Gaussians of variance sigma^2 + x sigma_0^2, to
/// which E adds the roundings; x exceeds l / 2 + u sqrt(l) / 2 with probability below e^(-u^2 / 2)
/// (Hoeffding), so that x in steps of 1/8 in u count with that and the next one's Chernoff bound,
/// and all from u = 16 on with that alone. The bound's exponent is convex in t.
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
        let (mut low, mut high) = (0.0, 0.5 / of_e);
        for _ in 0..40 {
            let third = (high - low) / 3.0;
            if chernoff(low + third) < chernoff(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        chernoff(low) / LN_2
    };
    let steps = (0..128).map(|i| f64::from(i) / 8.0).take_while(|u| l + u * l.sqrt() <= 2.0 * l);
    let at = |u: f64| {
        let x = (l / 2.0 + (u + 0.125) * l.sqrt() / 2.0).min(l);
        (log2_column(x) - u * u / 2.0 / LN_2).exp2()
    };
    (f64::from(n) * (steps.map(at).sum::<f64>() + (-128.0_f64).exp())).log2()
}

/// With bits rounded off T that a proof notices the bound of a failing check is a theorem for all
/// parameters; by default it is less of one, as docs/protocol.md says in sections 7 and 15.
#[test]
fn honest_proofs_are_short_enough() {
    let mixed = Masks::Mixed { log2_proofs: 16 };
    let mut search = Search::default();
    let mut found = |goal: Goal| {
        let custom = goal.optimise_in(&mut search).unwrap();
        custom.validate(Security::Waived).unwrap()
    };
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
        let failure = log2_failure(&found(goal));
        assert!(failure < most, "{masks:?} {l} {rows}: {failure}");
        // Weighed, and with as many bits as the opening of a column allows.
        let weighed = found(Goal { per_statement: Some(1), ..goal });
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
