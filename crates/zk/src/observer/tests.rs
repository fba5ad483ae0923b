use std::sync::{Arc, Mutex};

use tautochrone_ctr::Seed;

use super::*;
use crate::cases::{Case, long};
use crate::params::Params;
use crate::prover::Prover;
use crate::verifier::Verifier;

/// Whatever `run` does with a matrix reports as much each time, and ends at any report at which an
/// observer breaks; its result depends on no observer. Gives the reports.
pub(crate) fn check_reports(
    params: &Params,
    run: impl Fn(&PublicMatrix) -> Result<Vec<u8>, Error>,
) -> Vec<Progress> {
    let observed = |stop_at: Option<usize>| {
        let reports = Arc::new(Mutex::new(vec![]));
        let record = Arc::clone(&reports);
        let matrix = PublicMatrix::new(params, [1; 32]).with_observer(move |progress| {
            let mut reports = record.lock().unwrap();
            reports.push(progress);
            let stop = stop_at == Some(reports.len() - 1);
            if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let result = run(&matrix);
        let reports = reports.lock().unwrap().clone();
        (reports, result)
    };
    let (reports, result) = observed(None);
    assert_eq!(result.unwrap(), run(&PublicMatrix::new(params, [1; 32])).unwrap());
    for stop_at in 0..reports.len() {
        let (until, result) = observed(Some(stop_at));
        assert_eq!(until, reports[..=stop_at]);
        assert!(matches!(result, Err(Error::Cancelled)), "{stop_at}");
    }
    reports
}

#[test]
fn every_stage_is_reported_and_can_be_the_last() {
    let case = Case::new(long()[0], 1, 2);
    let reports = check_reports(&case.params, |matrix| {
        let mut file = Vec::new();
        let statement = matrix.commit(&case.witness, &mut file)?;
        let prover = Prover::new(matrix, &statement)?.reproducible().with_file(&file);
        let proof = prover.prove(b"", &case.witness, &Seed::from_bytes([3; 32]))?.proof;
        match Verifier::new(matrix, &statement)?.with_file(&file).verify(b"", &proof) {
            Ok(()) => Ok(proof),
            Err(Error::Invalid(reason)) => panic!("{reason}"),
            Err(error) => Err(error),
        }
    });
    let of = |stage| reports.iter().filter(move |report| report.stage == stage);
    let done: Vec<u64> = of(Stage::Commit).map(|report| report.done).collect();
    let blocks = case.params.l().div_ceil(u64::from(crate::params::BLOCK));
    assert_eq!(done, (0..blocks).step_by(4).collect::<Vec<_>>());
    assert!(of(Stage::Commit).all(|report| report.total == Some(blocks)));
    assert!(of(Stage::Attempt).enumerate().all(|(i, report)| report.done == i as u64));
    assert!(of(Stage::MultiplyStatement).count() > 0);
}
