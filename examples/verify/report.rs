//! What `verify` tells at its end, for people or for scripts.

use tautochrone::zk::Params;

use crate::args::Args;
use crate::cli::{Failure, say};
use crate::device::Opened;

/// Seconds of each part.
pub(crate) struct Times {
    pub(crate) read: f64,
    pub(crate) expand: f64,
    pub(crate) verify: f64,
}

/// `reason` says which proof is invalid and why; `None`: all are valid.
pub(crate) fn say_all(
    args: &Args,
    params: &Params,
    reason: Option<&str>,
    times: &Times,
    (threads, device): (usize, &Opened),
) -> Result<(), Failure> {
    let Times { read, expand, verify } = times;
    let isa = args.common.isa;
    let estimate = params.estimate();
    let (binding, hiding) = (estimate.sis.classical, estimate.hiding().classical);
    if args.common.json {
        let secure = !args.insecure || params.check_security().is_ok();
        return say(serde_json::json!({
            "valid": reason.is_none(), "reason": reason, "secure_parameters": secure,
            "sis_bits": binding, "hiding_bits": hiding,
            "seconds": { "read": read, "expand": expand, "verify": verify },
            "isa": isa.name(), "threads": threads, "device": device.name(),
        }));
    }
    say(format_args!(
        "security    binding {binding:.1} bits, hiding {hiding:.1} bits (classical core-SVP)"
    ))?;
    let [read, expand, verify] = [read, expand, verify].map(|time| time * 1e3);
    say(format_args!(
        "time        statement {read:.1} ms, A {expand:.1} ms, check {verify:.1} ms ({isa}, {threads} threads{device})"
    ))
}
