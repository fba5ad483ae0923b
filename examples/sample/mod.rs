//! Draws from a sampler, measures it, writes the samples, shows and plots their histogram.
//!
//! `cargo run --release --example sample -- --sampler facct --sigma 215 --histogram`

mod args;
mod histogram;
mod plot;
mod report;
mod sampler;

use std::io::Write;
use std::time::Instant;

use args::Args;
use histogram::Histogram;
use report::Run;
use sampler::Sampler;
use tautochrone::ctr::Label;
use tautochrone_cli::{Answer, Failure, Output, Privacy};

/// Samples of a call.
const BATCH: u64 = 1 << 16;
/// Most calls that the rate is of.
const MEASURED: usize = 1 << 12;
/// Samples that a histogram counts: they show the shape, and a wide distribution has too many
/// values to count them all.
const SHOWN: u64 = 1 << 20;

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| {
        // All that depends on the parameters alone happens here: tables, circuits, partitions.
        let start = Instant::now();
        let sampler = Sampler::new(&args)?;
        let setup = start.elapsed().as_secs_f64();
        // Randomness is a stream that a seed, a label and an index determine: the same on every
        // machine.
        let seed = args.common.secret_seed()?;
        let mut stream = seed.stream_on(args.common.isa(), Label::new("sample"), 0);

        let mut file = args.out.as_deref().map(|path| Output::create(path, Privacy::Secret));
        let mut file = file.take().transpose()?;
        let progress = args.common.progress("sampling", args.count);
        let mut run = Run::around(args.centre().floor());
        let mut shown = Histogram::default();
        let mut samples = vec![0_i64; BATCH as usize];
        let mut bytes = Vec::new();
        while run.count < args.count {
            let samples = &mut samples[..BATCH.min(args.count - run.count) as usize];
            let start = Instant::now();
            run.trials += sampler.fill(&mut stream, samples)?;
            if run.times.len() < MEASURED {
                run.times.push(start.elapsed().as_secs_f64() / samples.len() as f64);
            }
            run.add(samples);
            if args.draws() && run.count <= SHOWN {
                shown.add(samples);
            }
            if let Some(file) = &mut file {
                bytes.clear();
                bytes.extend(samples.iter().flat_map(|z| z.to_le_bytes()));
                file.write_all(&bytes).map_err(|e| file.failure(e))?;
            }
            progress.inc(samples.len() as u64);
        }
        progress.finish_and_clear();
        run.random_bytes = stream.position();

        if let Some(file) = file {
            file.finish()?;
        }
        let rows = shown.rows(|z| args.weight(z));
        if let Some(path) = &args.plot {
            let picture = plot::svg(&rows, shown.span(), &args.title()).map_err(Failure::new)?;
            Output::write_whole(path, Privacy::Public, picture.as_bytes())?;
        }
        if args.to_stdout() {
            return Ok(Answer::Yes);
        }
        let shown = if args.histogram { &rows[..] } else { &[] };
        report::print(&args, &sampler, &run, setup, histogram::lines(shown))
    })
}
