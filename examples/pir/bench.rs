//! How fast answers are, and how fast the file can be read at all.

use std::hint::black_box;
use std::time::Instant;

use rayon::prelude::*;
use tautochrone_cli::{Answer, Failure, say};
use tautochrone_ctr::Label;

use super::args::BenchArgs;
use super::scheme::{self, Shape};

/// The best of so many.
const RUNS: usize = 5;

pub(crate) fn bench(task: &BenchArgs) -> Result<Answer, Failure> {
    let threads = task.common.start_threads()?;
    let isa = task.common.isa;
    let shape = Shape::new(task.bytes, task.block)?;
    let bytes = shape.rows as usize * shape.columns as usize;
    let busy = task.common.busy("making a file");
    let seed = task.common.secret_seed()?;
    let mut file = vec![0; bytes];
    seed.stream_on(isa, Label::new("pir: bench"), 0).fill(&mut file);
    let query = scheme::query(shape, &[1; 32], &seed, 0, isa)?;
    drop(busy);

    let _busy = task.common.busy("measuring");
    let best = |work: &mut dyn FnMut() -> Result<(), Failure>| {
        let mut best = f64::INFINITY;
        for _ in 0..RUNS {
            let start = Instant::now();
            work()?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        Ok::<_, Failure>(bytes as f64 / best / 1e9)
    };
    let answers =
        best(&mut || scheme::answer(shape, &file, &query, isa).map(|z| drop(black_box(z))))?;
    // The bound of any product with a vector: every word of the matrix is read, and added.
    let words = file.as_chunks::<8>().0;
    let reads = best(&mut || {
        let sum = |words: &[[u8; 8]]| {
            words.iter().fold(0_u64, |sum, word| sum.wrapping_add(u64::from_le_bytes(*word)))
        };
        let sums = words.par_chunks(1 << 17).map(|words| {
            isa.vectorize(
                #[inline(always)]
                || sum(words),
            )
        });
        black_box(sums.reduce(|| 0, u64::wrapping_add));
        Ok(())
    })?;
    if task.common.json {
        return say(serde_json::json!({
            "bytes": bytes, "block_bytes": shape.rows, "lwe_dimension": shape.secret,
            "answer_gigabytes_per_second": answers, "read_gigabytes_per_second": reads,
            "isa": isa.name(), "threads": threads,
        }))
        .map(|()| Answer::Yes);
    }
    say(format_args!("file      {} blocks of {} bytes", shape.columns, shape.rows))?;
    say(format_args!("answers   {answers:.1} GB/s ({isa}, {threads} threads)"))?;
    say(format_args!(
        "reading   {reads:.1} GB/s; answers reach {:.0} % of it",
        100.0 * answers / reads
    ))?;
    Ok(Answer::Yes)
}
