//! Narrow masks on toy dimensions: transcripts are distributed as stated, beside the
//! simulator's; S is hidden in so many proofs, and not in many more.

use super::compact::{part, residual, v_of};
use super::setup as setup_of;
use super::*;
use crate::argument::{Claims, ExactKeys, Fact, KeyRanges, Layout};
use crate::cases::name;
use crate::error::WitnessProblem;
use crate::reference;
use crate::uses::Sums;
use nalgebra::DMatrix;

/// Of l columns, r = 8, n = 10.
fn toy(v: u32, l: u64, log2_proofs: u32) -> Params {
    waived(CustomParams { n: Some(10), ..cases::narrow(20, 8, v, l, log2_proofs) })
}

pub(super) fn seed(index: u32) -> Seed {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&index.to_le_bytes());
    Seed::from_bytes(seed)
}

pub(super) fn squares(x: impl Iterator<Item = i64>) -> f64 {
    x.map(|x| (x * x) as f64).sum()
}

/// No attempt is rejected; entries of Z and E have the variance of Y, S C and what is rounded off,
/// which B^2 and both encodings leave space for.
#[test]
fn transcripts_are_distributed_as_stated() {
    const PROOFS: u32 = 10_000;
    let params = toy(40, 300, 4);
    let setup = setup_of(&params, 1);
    let statement = loaded(&setup);
    let (mut z, mut e, mut longest) = (0.0, 0.0, 0.0_f64);
    let mut proofs = Proofs::new(&setup, &statement);
    let mut see = |i: u32| {
        let (Proof { z: z_1, hints, .. }, _, tc, attempts) = proofs.prove(&seed(i));
        assert_eq!(attempts, 1);
        // All of V is computed, for a part of the proofs.
        if i < 1000 {
            let residual = residual(&params, &v_of(&setup.matrix, &z_1, &tc), &hints);
            for (z, e) in z_1.chunks_exact(32).zip(residual.chunks_exact(8)) {
                longest = longest.max(squares(z.iter().chain(e).copied()));
            }
            e += squares(residual.into_iter());
        }
        z += squares(z_1.into_iter());
    };
    on_one_thread(|| (0..PROOFS).for_each(&mut see));
    let (l, square) = (params.l() as f64, |x: u64| (x * x) as f64);
    let of_rows = |rows: core::ops::Range<usize>| {
        let entries = setup.entries.chunks_exact(40).flat_map(|column| &column[rows.clone()]);
        squares(entries.map(|&s| s.into()))
    };
    let [s_1, s_2] = [of_rows(0..32), of_rows(32..40)];
    let of_y = square(params.sigma());
    let rounded = 4.0_f64.powi(params.round_w().cast_signed()) / 12.0;
    let of_t = l * 4.0_f64.powi(params.round_t().cast_signed()) / 24.0;
    let close = |got: f64, want: f64, tolerance: f64| {
        assert!((got / want - 1.0).abs() < tolerance, "{got}, {want}");
    };
    close(z / f64::from(320 * PROOFS), of_y + s_1 / 64.0, 0.01);
    // S_2 and T_0 of 8 rows are the same in all proofs, and their product is not 0.
    close(e / 80_000.0, of_y + s_2 / 16.0 + rounded + of_t, 0.04);
    // Not what Y has alone, and not more than is stated.
    assert!(s_1 / 64.0 > 2.0 * of_y && z / f64::from(320 * PROOFS) < square(params.sigma_z()));
    let most = params.norm_bound_squared() as f64;
    assert!(longest < most && 5.0 * longest > most, "{longest}, {most}");
}

/// Z_1, hints and E.
pub(super) type Transcript = (Vec<i64>, Vec<i8>, Vec<i64>);

/// What a distinguisher may look at: the mean squares of Z_1 and E, and how often hints are -1, 0,
/// 1 and 2.
pub(super) fn statistics(transcripts: &[Transcript]) -> [f64; 6] {
    let mean = |x: &dyn Fn(&Transcript) -> f64| {
        transcripts.iter().map(x).sum::<f64>() / transcripts.len() as f64
    };
    let hints =
        |hint| mean(&move |(_, hints, _)| hints.iter().filter(|&&h| h == hint).count() as f64);
    let of_z = mean(&|(z, ..)| squares(z.iter().copied()) / z.len() as f64);
    let of_e = mean(&|(.., e)| squares(e.iter().copied()) / e.len() as f64);
    [of_z, of_e, hints(-1), hints(0), hints(1), hints(2)]
}

/// Proofs of [`simulated_proofs_look_like_real_ones`].
pub(super) const PROOFS: u32 = 2000;

/// Compares transcripts with the simulator's of docs/protocol.md, section 15, which knows T'
/// alone: S* of its own, Y in so many rows of messages, and T_0 uniform. <Z, S C> is |S C|^2 in
/// Gaussian rows of real proofs, and 0 on the average in simulated ones, up to `most`; who knows S
/// sees it. Gives how many attempts the proofs took.
pub(super) fn simulated_proofs_look_like_real_ones(params: &Params, rows: usize, most: f64) -> u32 {
    let [r, v, k] = [params.r(), params.v(), params.z_rows()].map(|rows| rows as usize);
    let round_t = params.round_t();
    assert!(round_t > 2);
    let [setup, own] = [1, 2].map(|index| setup_of(params, index));
    let statement = loaded(&setup);
    let mut proofs = Proofs::new(&setup, &statement);
    let (mut simulates, _) = hashed(&own);
    let mut stream = seed(0).stream(Label::new("T_0"), 0);
    let mut t_0 = vec![0; 2 * r * params.l() as usize];
    stream.fill(&mut t_0);
    let words = t_0.as_chunks::<2>().0.iter().map(|&word| u16::from_le_bytes(word));
    let centred = |word| i128::from(word % (1_u16 << round_t)) - (1 << (round_t - 1));
    let t_0: Vec<i128> = words.map(centred).collect();
    let rounding = params.rounding_of_w();
    let (mut real, mut simulated, mut correlations) = (Vec::new(), Vec::new(), [0.0; 2]);
    let mut correlate = |side: usize, z: &[i64], m: &[i64]| {
        let (z, m) = (part(z, k, rows..k), part(m, v, rows..k));
        let inner: f64 = z.iter().zip(&m).map(|(z, m)| (z * m) as f64).sum();
        correlations[side] += inner / squares(m.into_iter()) / f64::from(PROOFS);
    };
    let mut attempts = 0;
    for i in 0..PROOFS {
        let (proof, m, tc, tries) = proofs.prove(&seed(i));
        attempts += tries;
        correlate(0, &proof.z, &m);
        let e = residual(params, &v_of(&setup.matrix, &proof.z, &tc), &proof.hints);
        real.push((proof.z, proof.hints, e));

        let hash = Hasher::new(params.hash(), "programmed").number(i.into()).finish();
        let samplers = (&proofs.prover.sampler, proofs.prover.of_messages.as_ref());
        let key = seed(PROOFS + i);
        let mut z = mask::sample_y(&setup.matrix, samplers, &key, Secrets::default()).unwrap();
        let mut m = simulates.multiply(&hash).unwrap();
        m.chunks_exact_mut(v).for_each(|m| m[..rows].fill(0));
        assert_eq!(add_m(params, &mut z, &m), (0, 0), "of messages alone");
        let (z_1, z_2) = (part(&z, v, 0..k), part(&z, v, k..v));
        let c = reference::challenge(params, &hash);
        let t_0_c = reference::times_challenge(&t_0, r, &c);
        let v = v_of(&setup.matrix, &z_1, &proofs.tc(&hash));
        let hint = |i: usize| {
            let w = i128::from(v[i]) + i128::from(z_2[i]) - t_0_c[i];
            rounding.difference(rounding.high(w as u64), rounding.high(v[i])) as i8
        };
        let hints: Vec<i8> = (0..v.len()).map(hint).collect();
        let e = residual(params, &v, &hints);
        correlate(1, &z_1, &signed(&proofs.worker.multiply(&hash).unwrap()));
        simulated.push((z_1, hints, e));
    }
    for rows in [0..rows, rows..k].into_iter().filter(|rows| !rows.is_empty()) {
        let of_rows = |transcripts: &[Transcript]| {
            let of = transcripts
                .iter()
                .map(|(z, h, e)| (part(z, k, rows.clone()), h.clone(), e.clone()));
            statistics(&of.collect::<Vec<_>>())
        };
        for (real, simulated) in of_rows(&real).into_iter().zip(of_rows(&simulated)) {
            assert!((real / simulated - 1.0).abs() < 0.03, "{real}, {simulated}");
        }
    }
    let [real, simulated] = correlations;
    assert!((real - 1.0).abs() < most && simulated.abs() < most, "{real}, {simulated}");
    attempts
}

#[test]
fn simulated_proofs_look_real() {
    let params = toy(40, 1200, 6);
    let attempts = on_one_thread(|| simulated_proofs_look_like_real_ones(&params, 0, 0.02));
    assert_eq!(attempts, PROOFS);
}

/// The best estimate of a row of S from Z = S C + Y of some proofs: (sum C C^T / sigma^2 + 1 /
/// sigma_0^2)^-1 sum C z / sigma^2. Gives the part of entries that rounding finds, and the mean
/// square of the error.
fn regression(params: &Params, setup: &Case<i8>, proofs: u32) -> [f64; 2] {
    let [l, n, k] = [params.l() as usize, params.n() as usize, params.z_rows() as usize];
    let statement = loaded(setup);
    let mut made = Proofs::new(setup, &statement);
    let of_s = (params.sigma() as f64 / 8.85).powi(2);
    let mut gram = DMatrix::identity(l, l) * of_s;
    let mut sums = DMatrix::zeros(l, k);
    for i in 0..proofs {
        let (proof, ..) = made.prove(&seed(i));
        let c = reference::challenge(params, &proof.challenge_hash);
        let c = DMatrix::from_fn(l, n, |j, place| f64::from(c[j][place]));
        let z = DMatrix::from_fn(n, k, |place, row| proof.z[place * k + row] as f64);
        gram += &c * c.transpose();
        sums += c * z;
    }
    let estimates = gram.cholesky().expect("a positive definite matrix").solve(&sums);
    let s = |j: usize, row: usize| f64::from(setup.entries[j * params.v() as usize + row]);
    let errors = DMatrix::from_fn(l, k, |j, row| estimates[(j, row)] - s(j, row));
    let found = errors.iter().filter(|error| error.abs() < 0.5).count();
    [found as f64, errors.norm_squared()].map(|sum| sum / (l * k) as f64)
}

/// Within the number of proofs that a header names, what is known of S leaves each entry a variance
/// of lambda at least; 2^9 times as many proofs give S away.
#[test]
fn so_many_proofs_hide_s_and_many_more_do_not() {
    let params = toy(40, 16, 4);
    let setup = setup_of(&params, 1);
    let [found, squared] = regression(&params, &setup, 1 << 4);
    // lambda is 1.1 4 eta^2, eta^2 = (ln(16 v l) + 100 ln 2) / (2 pi^2); 512 entries.
    let lambda = 1.1 * 4.0 * ((16.0_f64 * 40.0 * 16.0).ln() + 100.0 * 2.0_f64.ln()) / 19.739;
    assert!(squared > 0.85 * lambda && found < 0.2, "{found}, {squared}, {lambda}");
    let [found, squared] = on_one_thread(|| regression(&params, &setup, 1 << 13));
    assert!(found > 0.5 && squared < 0.25, "{found}, {squared}");
}

/// A witness that is shorter than a Gaussian one, as a ternary one is, and one that is longer.
#[test]
fn other_witnesses_are_refused() {
    let params = toy(40, 300, 4);
    let setup = setup_of(&params, 1);
    let prover = setup.prover();
    let prove = |entry: i8| {
        let witness = Witness::new(&params, vec![entry; 40 * 300]).unwrap();
        prover.prove(b"", &witness, &seed(1)).unwrap_err()
    };
    let error = prove(1);
    assert!(
        matches!(error, Error::Witness(WitnessProblem::Short { least }) if least > 300_000),
        "{error}"
    );
    let error = prove(20);
    assert!(matches!(error, Error::Witness(WitnessProblem::Norm { .. })), "{error}");
}

/// A coordinator begins one attempt: whoever alters T could choose how many fail.
#[test]
fn a_second_attempt_is_refused() {
    let params = toy(40, 300, 4);
    let setup = setup_of(&params, 1);
    let (prover, (_, digest)) = (setup.prover(), hashed(&setup));
    let seed = seed(1);
    let coordinator = Coordinator::new(&prover, b"", &digest, &seed).unwrap();
    assert!(coordinator.begin(0).is_ok());
    for attempt in [1, 1023] {
        assert_error!(coordinator.begin(attempt), Error::TooManyAttempts(1));
    }
    let wide = setup_of(&super::toy(Preset::T4_128.custom()), 1);
    let (prover, (_, digest)) = (wide.prover(), hashed(&wide));
    let coordinator = Coordinator::new(&prover, b"", &digest, &seed).unwrap();
    assert!(coordinator.begin(1023).is_ok() && coordinator.begin(1024).is_err());
}

/// Messages, sums, claims and keys have no narrow masks; with mixed ones there are messages in the
/// rows in front.
#[test]
fn other_statements_are_refused() {
    let claims = Claims::from(Fact::sum(vec![(0, 1)], vec![(0, 1)], 0).unwrap());
    let layout = Layout::new(2, 300 - 6).with_slot(&claims).unwrap();
    let (narrow, mixed) = (toy(40, 300, 4), mixed::toy(300));
    assert_eq!(name(narrow.hiding_of_messages(8, Security::Waived)), "masks");
    assert_eq!(name(layout.hiding(&narrow)), "masks");
    for rows in [7, 9] {
        assert_eq!(name(mixed.hiding_of_messages(rows, Security::Waived)), "message rows");
        assert_eq!(name(Layout::new(rows, 300).hiding(&mixed)), "rows of messages");
    }
    assert!(Layout::new(8, 300).hiding(&mixed).is_ok());
    for params in [narrow, mixed] {
        let sums = Sums::of_groups(300, 2).unwrap();
        assert_eq!(name(sums.params(&params, Security::Waived)), "masks");
        let (setup, keys) = (setup_of(&params, 1), KeyRanges::new(1, 1).unwrap());
        assert_eq!(name(ExactKeys::new(&setup.matrix, &setup.statement, keys)), "masks");
    }
}
