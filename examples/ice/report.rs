//! The report of `ice` in the end: how much, how fast.

use tautochrone::ice::Ice;

use super::args::Args;
use super::{apply, cipher};
use tautochrone_cli::{Answer, Failure, Rounds, say};

/// The completed work.
#[derive(Default)]
pub(crate) struct Done {
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
}

pub(crate) fn report(args: &Args, &Done { bytes, seconds }: &Done) -> Result<(), Failure> {
    let (rate, isa) = (bytes as f64 / seconds.max(1e-9), args.common.isa());
    if args.common.json {
        return say(serde_json::json!({
            "level": args.level, "bytes": bytes, "bytes_per_second": rate, "isa": isa.name(),
        }));
    }
    say(format_args!("{bytes} bytes, level {}, {:.1} MB/s ({isa})", args.level, rate / 1e6))
}

/// Measures, on bytes that have been encrypted once before.
pub(crate) fn bench(args: &Args) -> Result<Answer, Failure> {
    let ice = cipher(args, &vec![7; Ice::key_length(args.level)])?;
    let busy = args.common.busy("measuring");
    let mut bytes = vec![0; args.bytes as usize];
    apply(&ice, false, &mut bytes);
    let rounds = Rounds::measure(5, || {
        apply(&ice, false, &mut bytes);
        Ok(())
    })?;
    drop(busy);
    let [rate, best] = [rounds.median, rounds.least].map(|t| args.bytes as f64 / t.max(1e-9));
    let (bytes, level, isa) = (args.bytes, args.level, args.common.isa());
    if args.common.json {
        say(serde_json::json!({
            "level": level, "bytes": bytes, "bytes_per_second": rate,
            "best_bytes_per_second": best, "isa": isa.name(),
        }))?;
    } else {
        let [rate, best] = [rate / 1e6, best / 1e6];
        say(format_args!(
            "{bytes} bytes, level {level}, {rate:.1} MB/s, at best {best:.1} ({isa})"
        ))?;
    }
    Ok(Answer::Yes)
}
