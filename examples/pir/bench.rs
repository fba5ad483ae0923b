//! How fast answers are, and how fast the file can be read at all.

use std::hint::black_box;

use rayon::prelude::*;
use tautochrone_cli::{Answer, Failure, Rounds, say};
use tautochrone_ctr::Label;

use super::args::BenchArgs;
use super::scheme::{self, Shape};

pub(crate) fn bench(task: &BenchArgs) -> Result<Answer, Failure> {
    let threads = task.common.start_threads()?;
    let isa = task.common.isa();
    let shape = Shape::new(task.bytes, task.block)?;
    let bytes = shape.rows as usize * shape.columns as usize;
    let busy = task.common.busy("making a file");
    let seed = task.common.secret_seed()?;
    let mut file = vec![0; bytes];
    seed.stream_on(isa, Label::new("pir: bench"), 0).fill(&mut file);
    let query = scheme::query(shape, &[1; 32], &seed, 0, isa)?;
    drop(busy);

    let _busy = task.common.busy("measuring");
    // The median, and the best.
    let rates = |Rounds { median, least }| [median, least].map(|t| bytes as f64 / t / 1e9);
    let answer = || scheme::answer(shape, &file, &query, isa).map(|z| drop(black_box(z)));
    let [answers, best_answers] = rates(Rounds::measure(5, answer)?);
    // The bound of any product with a vector: every word of the matrix is read, and added.
    let words = file.as_chunks::<8>().0;
    let [reads, best_reads] = rates(Rounds::measure(5, || {
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
    })?);
    if task.common.json {
        return say(serde_json::json!({
            "bytes": bytes, "block_bytes": shape.rows, "lwe_dimension": shape.secret,
            "answer_gigabytes_per_second": answers, "read_gigabytes_per_second": reads,
            "best_answer_gigabytes_per_second": best_answers,
            "best_read_gigabytes_per_second": best_reads,
            "isa": isa.name(), "threads": threads,
        }))
        .map(|()| Answer::Yes);
    }
    say(format_args!("file      {} blocks of {} bytes", shape.columns, shape.rows))?;
    say(format_args!(
        "answers   {answers:.1} GB/s, at best {best_answers:.1} ({isa}, {threads} threads)"
    ))?;
    say(format_args!(
        "reading   {reads:.1} GB/s, at best {best_reads:.1}; answers reach {:.0} % of it",
        100.0 * best_answers / best_reads
    ))?;
    Ok(Answer::Yes)
}
