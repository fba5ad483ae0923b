//! What rank 0 tells at the end, for people or for scripts.

use tautochrone_cli::{ExactClaim, ranges};
use tautochrone_zk::argument::KeyRanges;
use tautochrone_zk::{Params, Shows};

use super::args::Args;

pub(crate) struct Report<'a> {
    pub(crate) args: &'a Args,
    pub(crate) params: &'a Params,
    /// The claim about messages, if there are any.
    pub(crate) claim: Option<&'a ExactClaim>,
    /// The claim about keys, if these are some.
    pub(crate) keys: Option<KeyRanges>,
    pub(crate) attempts: u32,
    pub(crate) proof_bytes: usize,
    /// The report of each rank.
    pub(crate) rows: &'a [serde_json::Value],
}

impl Report<'_> {
    pub(crate) fn say(&self) {
        if self.args.common.json { println!("{}", self.json()) } else { self.text() }
    }

    /// What the proof shows.
    fn shows(&self) -> Shows {
        self.claim.map_or(self.keys.map_or(Shows::Knowledge, Shows::Keys), ExactClaim::shows)
    }

    fn json(&self) -> serde_json::Value {
        let Self { args, params, .. } = self;
        let preset = args.params.preset(args.keys.hints()).filter(|_| self.claim.is_none());
        let claims = ranges::json(&self.shows());
        let keys = self.keys.map(|keys| {
            serde_json::json!({
                "secret_bound": keys.secret_bound(), "error_bound": keys.error_bound(),
                "hints": keys.hints(),
            })
        });
        serde_json::json!({
            "preset": preset, "w": params.w(), "r": params.r(), "v": params.v(),
            "l": params.l(), "n": params.n(), "sigma": params.sigma(), "exact": self.shows() != Shows::Knowledge,
            "ranges": claims["ranges"], "norms": claims["norms"], "keys": keys, "attempts": self.attempts,
            "statement_bytes": params.statement_bytes() as u64, "proof_bytes": self.proof_bytes,
            "isa": args.common.isa().name(), "ranks": self.rows,
        })
    }

    fn text(&self) {
        let Self { args, params, attempts, proof_bytes, .. } = self;
        if self.shows() != Shows::Knowledge {
            println!("exact       {}", self.shows());
        }
        println!("statement   {} bytes in {}", params.statement_bytes(), args.statement.display());
        println!(
            "proof       {proof_bytes} bytes in {}, {} columns, {attempts} attempts",
            args.proof.display(),
            params.l()
        );
        for row in self.rows {
            print!(
                "rank {:<6} columns {} to {}, ",
                row["rank"], row["columns"][0], row["columns"][1]
            );
            for phase in row["phases"].as_array().into_iter().flatten() {
                let name = phase["phase"].as_str().unwrap_or_default();
                print!("{name} {:.2} s, ", phase["seconds"].as_f64().unwrap_or_default());
            }
            println!(
                "sent {} bytes, received {} bytes, peak {} MiB",
                row["bytes_sent"],
                row["bytes_received"],
                row["peak_memory"].as_u64().unwrap_or_default() >> 20
            );
        }
    }
}
