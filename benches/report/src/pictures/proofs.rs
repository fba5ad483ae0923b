//! Size and time of proofs by their number of columns.

use std::time::Instant;

use plotters::prelude::*;
use tautochrone::ctr::Seed;
use tautochrone::zk::{Goal, Params, Prover, PublicMatrix, RandomWitness, Security, Verifier};

use super::style::{Area, COLOURS, Line, Result, curves, frame};

/// Bytes of a proof a column for 2^6 to 2^18 ternary columns and the time
/// to prove and to check as measured here.
pub fn draw(area: &Area) -> Result<()> {
    let params = |log2_l: u32| -> Result<Params> {
        let goal = Goal::new(1, 1 << log2_l);
        Ok(goal.optimise()?.validate(Security::Required)?)
    };
    let mut sizes = Vec::new();
    for log2_l in 6..=18 {
        let params = params(log2_l)?;
        sizes.push((
            f64::from(log2_l),
            params.expected_proof_bytes() as f64 / 1e6,
            params.t_bytes() as f64 / 1e6,
        ));
    }
    let (mut prove, mut verify) = (Vec::new(), Vec::new());
    for log2_l in 6..=15 {
        let params = params(log2_l)?;
        let a = PublicMatrix::new(&params, [1; 32]);
        let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
        let mut file = Vec::new();
        let statement = a.commit_and_hold(&witness, &mut file)?;
        let prover = Prover::new(&a, &statement)?.reproducible();
        let (mut attempts, mut proving, mut checking) = (0, 0.0, 0.0);
        const RUNS: u64 = 5;
        for run in 0..RUNS {
            let start = Instant::now();
            let proved = prover.prove(&run.to_le_bytes(), &witness, &Seed::from_bytes([3; 32]))?;
            proving += start.elapsed().as_secs_f64();
            attempts += proved.attempts;
            let bytes = proved.proof;
            let start = Instant::now();
            Verifier::new(&a, &statement)?.with_file(&file).verify(&run.to_le_bytes(), &bytes)?;
            checking += start.elapsed().as_secs_f64();
        }
        let mean = f64::from(params.rho());
        prove.push((f64::from(log2_l), mean * proving / f64::from(attempts) * 1e3));
        verify.push((f64::from(log2_l), checking / RUNS as f64 * 1e3));
    }
    let (left, right) = area.split_horizontally(450);
    lines(
        &left,
        "Megabytes",
        "log2 of the number of columns",
        6.0..18.0,
        0.1..10_000.0,
        &[
            ("proof", sizes.iter().map(|&(x, y, _)| (x, y)).collect()),
            ("statement (T)", sizes.iter().map(|&(x, _, y)| (x, y)).collect()),
        ],
    )?;
    lines(
        &right,
        "Milliseconds, all threads",
        "log2 of the number of columns",
        6.0..15.0,
        1.0..1000.0,
        &[("prove, mean attempts", prove), ("verify", verify)],
    )
}

/// Measured points, joined, on a logarithmic scale.
fn lines(
    area: &Area,
    caption: &str,
    x: &str,
    xs: std::ops::Range<f64>,
    ys: std::ops::Range<f64>,
    lines: &[Line],
) -> Result<()> {
    let mut chart = frame(area, (caption, 18), 60).build_cartesian_2d(xs, ys.log_scale())?;
    curves(&mut chart, x, lines)?;
    for (k, (_, points)) in lines.iter().enumerate() {
        chart.draw_series(points.iter().map(|&p| Circle::new(p, 3, COLOURS[k].filled())))?;
    }
    Ok(())
}
