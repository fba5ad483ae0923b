//! The report of `ice` in the end: how much, how fast.

use tautochrone::ice::Ice;

use super::args::Args;
use super::{apply, cipher};
use tautochrone_cli::{Answer, Failure, Rounds};

/// The completed work.
#[derive(Default)]
pub(crate) struct Done {
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
}

pub(crate) fn report(args: &Args, &Done { bytes, seconds }: &Done) -> Result<Answer, Failure> {
    let (level, isa) = (args.level, args.common.isa());
    let rate = bytes as f64 / seconds.max(1e-9);
    args.common.report(
        serde_json::json!({
            "level": level, "bytes": bytes, "bytes_per_second": rate, "isa": isa.name(),
        }),
        [format!("{bytes} bytes, level {level}, {:.1} MB/s ({isa})", rate / 1e6)],
    )
}

/// Measures, on bytes that have been encrypted once before.
pub(crate) fn bench(args: &Args) -> Result<Answer, Failure> {
    let ice = cipher(args, &vec![7; Ice::key_length(args.level)])?;
    args.common.busy("measuring");
    let mut bytes = vec![0; args.bytes as usize];
    apply(&ice, false, &mut bytes);
    let rounds = Rounds::measure(5, || {
        apply(&ice, false, &mut bytes);
        Ok(())
    })?;
    let [rate, best] = [rounds.median, rounds.least].map(|t| args.bytes as f64 / t.max(1e-9));
    let (bytes, level, isa) = (args.bytes, args.level, args.common.isa());
    let [in_megabytes, at_best] = [rate / 1e6, best / 1e6];
    args.common.report(
        serde_json::json!({
            "level": level, "bytes": bytes, "bytes_per_second": rate,
            "best_bytes_per_second": best, "isa": isa.name(),
        }),
        [format!(
            "{bytes} bytes, level {level}, {in_megabytes:.1} MB/s, at best {at_best:.1} ({isa})"
        )],
    )
}
