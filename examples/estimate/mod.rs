//! How secure are these parameters, and how large would a proof be?
//!
//! `cargo run --release --example estimate -- --list`

mod args;
mod table;

use args::Args;
use table::bits;
use tautochrone_cli::params::{Revealing, assumption, hiding, reveals};
use tautochrone_cli::{Answer, say};
use tautochrone_zk::{Hardness, Security};

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| {
        if args.list {
            return table::list(args.common.json);
        }
        args.common.busy("searching for parameters");
        let params = args.params()?;
        if args.common.json {
            say(table::json("custom", &params, args.message_rows)?)?;
            return Ok(Answer::Yes);
        }
        let hiding = |security| hiding(&params, args.message_rows, security);
        let (secure, hiding) = (hiding(Security::Required), hiding(Security::Waived)?);
        let estimate = params.estimate();
        say(format_args!(
            "q = 2^{}, A {} x {}, {} columns, n = {}",
            params.w(),
            params.r(),
            params.v(),
            params.l(),
            params.n()
        ))?;
        say(format_args!(
            "sigma               {} (at least {} is needed; rho = {})",
            params.sigma(),
            params.needed_sigma(),
            params.rho()
        ))?;
        if let Some(proofs) = params.masks().proofs() {
            let (most, sigma_z) = (proofs, params.sigma_z());
            let (which, of) = match params.message_mask_rows() {
                0 => ("narrow", "a Gaussian S".to_owned()),
                rows => ("mixed", format!("Gaussian rows behind {rows} of messages")),
            };
            say(format_args!(
                "masks               {which}, for {most} proofs about {of} (sigma_Z = {sigma_z})"
            ))?;
        }
        say(format_args!("lambda              {} (hash, challenge)", params.lambda()))?;
        say(format_args!("4 B                 2^{:.1}", estimate.log2_4b))?;
        let row = |name, h: Hardness| {
            say(format_args!(
                "{name:<19} {} bits classical, {} quantum (block size {})",
                bits(h.classical),
                bits(h.quantum),
                h.beta
            ))
        };
        row("binding (SIS)", estimate.binding)?;
        if args.message_rows == 0 {
            if let Some((primal, dual)) = params.hiding_of_rows(0) {
                row("hiding, primal", primal)?;
                row("hiding, dual-hybrid", dual)?;
            }
            row("hiding", hiding)?;
            say(format_args!("                    if {}", assumption(&params, 0)))?;
        } else {
            row("hiding", hiding)?;
            let rows = args.message_rows;
            say(format_args!(
                "                    if all rows of S but {rows} of messages are secret and uniform"
            ))?;
        }
        let reveals = reveals(&params, Revealing::Plain, secure.is_ok());
        say(format_args!("a plain proof tells {reveals}"))?;
        say(format_args!(
            "proof               {:.1} KiB",
            params.expected_proof_bytes() as f64 / 1024.0
        ))?;
        say(format_args!("statement (T)       {:.1} MiB", params.t_bytes() as f64 / 1_048_576.0))?;
        if let Err(e) = secure {
            say(format_args!("NOT SECURE          {e}"))?;
        }
        Ok(Answer::Yes)
    })
}
