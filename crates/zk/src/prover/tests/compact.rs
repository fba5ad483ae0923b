//! The claims of the protocol on toy dimensions: what is published is distributed as stated, and
//! published columns are extracted exactly.

use super::*;
use crate::cases::extractor;
use crate::field::Element;
use crate::matrix::with_engine;
use crate::opening::LinearForm;
use crate::residual::subtract_tc;
use crate::words::Word;
use tautochrone_testkit::step;

/// E = low_d(V) - 2^d h.
pub(super) fn residual<W: Word>(params: &Params, v: &[W], hints: &[i8]) -> Vec<i64> {
    let pairs = v.iter().zip(hints);
    pairs
        .map(|(v, &hint)| {
            params.rounding_of_w().low(v.to_u64()) - (i64::from(hint) << params.round_w())
        })
        .collect()
}

/// V for some rows of Z and T C, as a verifier computes it.
pub(super) fn v_of(matrix: &PublicMatrix, z: &[i64], tc: &ModQ) -> Vec<u64> {
    with_engine!(matrix, engine => {
        let mut v = engine.apply_top(None, z).unwrap();
        subtract_tc(&matrix.params, &mut v, tc);
        v.into_iter().map(Word::to_u64).collect()
    })
}

/// The first `count` rows of columns of `rows`, or the others.
pub(super) fn part(x: &[i64], rows: usize, range: core::ops::Range<usize>) -> Vec<i64> {
    x.chunks_exact(rows).flat_map(|column| column[range.clone()].to_vec()).collect()
}

/// One attempt in rho is accepted; Z_1, and Z_2 which is not sent, are uncorrelated with M; E and
/// the hints have the variance that B and the coder are computed from. The same statistic on *all*
/// attempts, which is what an inverted rejection loop publishes from, is caught: its mean is the
/// mean of ||M|| / sigma, about 0.075 where rho is 3.
#[test]
fn transcripts_are_distributed_as_stated() {
    const RESIDUALS: u32 = 3000;
    let cases = [
        (Preset::T4_128, Some(0), Rho::Two, RESIDUALS),
        (Preset::T4_128, None, Rho::Two, RESIDUALS),
        (Preset::T4_128, None, Rho::Three, 10_000),
        (Preset::B4_128, Some(0), Rho::Three, 10_000),
    ];
    let check = |(preset, round_t, rho, proofs): (Preset, _, Rho, u32)| {
        let params = toy_of(CustomParams { round_t, ..preset.custom() }, rho);
        let setup = setup(&params, 1);
        let statement = loaded(&setup);
        // Of a typical S C: the bound on it is longer than sigma is wide enough for.
        let rejection = Some(Rejection::new(params.sigma(), rho));
        let mut proofs_of = Proofs::new(&setup, &statement);
        proofs_of.prover.rejection = rejection;
        let (v, k) = (params.v() as usize, params.z_rows() as usize);
        let (mut attempts, mut found) = (0_u32, 0);
        let (mut correlations, mut unfiltered) = ([0.0; 2], 0.0);
        // It has variance 1 for a Gaussian Z that is independent of M.
        let correlation = |z: &[i64], m: &[i64]| {
            let inner: f64 = z.iter().zip(m).map(|(z, m)| (z * m) as f64).sum();
            let norm = m.iter().map(|m| (m * m) as f64).sum::<f64>().sqrt();
            inner / (params.sigma() as f64 * norm)
        };
        let (mut errors, mut all_hints) = (Vec::new(), Vec::new());
        for context in 0_u32.. {
            let seed = Seed::from_bytes([1; 32]);
            let (prover, digest) = (&proofs_of.prover, &proofs_of.digest);
            let context = context.to_le_bytes();
            let coordinator = Coordinator::new(prover, &context, digest, &seed).unwrap();
            let attempt = coordinator.begin(0).unwrap();
            let hash = *attempt.challenge_hash();
            let words = proofs_of.worker.multiply(&hash).unwrap();
            let m = signed(&words);
            attempts += 1;
            let all: Vec<i64> = attempt.y.iter().zip(&m).map(|(y, m)| y + m).collect();
            unfiltered += correlation(&all, &m);
            let Some(response) = attempt.finish(&words).unwrap() else { continue };
            for (sum, range) in correlations.iter_mut().zip([0..k, k..v]) {
                *sum += correlation(&part(&response.z, v, range.clone()), &part(&m, v, range));
            }
            let z = part(&response.z, v, 0..k);
            let tc = proofs_of.tc(&hash);
            let product = response.needs_product().then_some(&tc);
            let proof = response.into_proof(product).unwrap().expect("within the bounds");
            assert_eq!(proof.z, z);
            if found < RESIDUALS {
                errors.extend(residual(&params, &v_of(&setup.matrix, &z, &tc), &proof.hints));
                all_hints.extend(proof.hints);
            }
            found += 1;
            if found == proofs {
                break;
            }
        }
        let (n, tries) = (f64::from(proofs), f64::from(attempts));
        let part = 1.0 / f64::from(rho.get());
        let deviation = (part * (1.0 - part) / tries).sqrt();
        assert!((n / tries - part).abs() < 3.5 * deviation, "acceptance {}", n / tries);
        for mean in correlations.map(|sum| sum / n) {
            assert!(mean.abs() < 4.0 / n.sqrt(), "mean of <Z, M> / (sigma ||M||) is {mean}");
        }
        let control = unfiltered / tries;
        assert!(rho == Rho::Two || control > 4.0 / tries.sqrt(), "must be caught: {control}");
        let square = |x: f64| x * x;
        let spread = errors.iter().map(|&e| square(e as f64)).sum::<f64>()
            / (errors.len() as f64 * square(params.sigma() as f64));
        let bound = params.norm_bound_squared() as f64 / square(params.sigma() as f64);
        let factor = bound / crate::params::sigma::kappa_squared(params.v(), params.n());
        let expected = (factor - f64::from(params.z_rows())) / f64::from(params.r());
        // The 96 entries of T_0 are the same in all proofs: the mean of their squares, by which a
        // fifth of f^2 goes, is off by a tenth.
        let tolerance = if params.round_t() > 0 { 0.04 } else { 0.02 };
        let error = (spread / expected - 1.0).abs();
        assert!(error < tolerance, "f^2 = {spread}, stated: {expected}");
        for hint in -1..=1 {
            assert!(all_hints.iter().filter(|&&other| other == hint).count() > 1000, "{hint}");
        }
    };
    on_one_thread(|| cases.into_iter().step_by(step(1, 2)).for_each(check));
}

/// Two transcripts of one W under different challenges give a short preimage of the column of T
/// that is published, exactly, though W and T are rounded, with all masks. With l = 1 any two
/// challenges will do.
#[test]
fn published_columns_are_extracted_exactly() {
    let wide = [(29, None), (29, Some(0)), (40, Some(9)), (64, None)].map(|(w, round_t)| {
        let custom = CustomParams { round_t, ..CustomParams::new(w, 8, 40, 1, 1) };
        CustomParams { frobenius_squared: Some(40), ..custom }
    });
    let others = [cases::narrow(20, 8, 40, 1, 10), cases::mixed(28, 8, 8, 48, 1)];
    let others = others
        .map(|custom| [0, 6].map(|round_t| CustomParams { round_t: Some(round_t), ..custom }));
    for custom in wide.into_iter().chain(others.concat()) {
        let params = waived(CustomParams { n: Some(10), ..custom });
        let Case { matrix, statement, file, entries, .. } = setup(&params, custom.w as u8);
        let t = [statement.column(&file, 0).unwrap()];
        let none = LinearForm::new(Vec::new());
        extractor::extract(&matrix, (&entries, &t), &none, 0, &[Element::ZERO]);
    }
}

/// The witness of another statement is noticed, not tried again and again: by its digest where T_0
/// is known, which goes with no other digest.
#[test]
fn foreign_witnesses_are_refused() {
    let params = toy_of(Preset::T4_128.custom(), Rho::Three);
    let (one, other) = (setup(&params, 3), setup(&params, 4));
    let held = one.matrix.commit_and_hold(&one.witness, &mut Vec::new()).unwrap();
    let (_, digest) = hashed(&other);
    let claimed = held.clone().owned_by(&digest);
    assert!(held.rounded_off().is_some() && claimed.rounded_off().is_none());
    let seed = Seed::from_bytes([1; 32]);
    let unknown = one.statement.clone().with_owner(Owner::Unknown);
    for statement in [&one.statement, &unknown, &held, &claimed] {
        let prover = Prover::new(&one.matrix, statement).unwrap().with_file(&one.file);
        assert_error!(prover.prove(b"", &other.witness, &seed), Error::ForeignWitness);
    }
    let prover = Prover::new(&one.matrix, &held).unwrap();
    assert_error!(Coordinator::new(&prover, b"", &digest, &seed), Error::ForeignWitness);
    assert_eq!(format!("{:?}", held.rounded_off().unwrap()), "RoundedOff([REDACTED])");
}
