//! Use as a library: commitments that add up.
//!
//! `cargo run --release --example rollup -- --in README.md --group 30 --out .`
//!
//! Every line of a text is a record: 26 yes-or-no answers (does the letter occur?), committed to in
//! a column of T. Anybody can add the columns of a group of lines without knowing a record; whoever
//! made the commitments proves that the short sums are known too. The roll-up has one column a
//! group instead of one a line, and its proof replaces the records: an archive needs to keep no
//! more.

mod proof;

use std::path::PathBuf;

use proof::{Files, ROWS, prove, sizes};
use tautochrone_cli::{Failure, Seeded};
use tautochrone_zk::argument::Layout;
use tautochrone_zk::uses::{Sums, column_unchecked};
use tautochrone_zk::{CustomParams, Distribution, Goal, PublicMatrix, RowGroup, Security};

/// Most lines: the statement, some 20 kB for each, is in memory.
const LINES: u64 = 1 << 14;

/// Commits to the lines of a text, adds the commitments of groups of lines, and proves both
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  rollup --in README.md --group 30 --out .")]
struct Args {
    /// Text file, of up to 1 MiB and 16384 lines; `-` is stdin
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    /// Lines in a group
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=127))]
    group: u64,
    /// Directory to write lines.lzs, lines.lzp, groups.lzs and groups.lzp into [default: nothing is
    /// written]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: Seeded,
}

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| {
        let out = |name| args.out.as_deref().map(|directory| Files::new(directory, name));
        let files = [out("lines"), out("groups")];
        for Files { statement, proof } in files.iter().flatten() {
            let outputs = [("out", &**statement), ("out", &**proof)];
            tautochrone_cli::distinct(&outputs, &[("in", &args.input)])?;
        }
        let seed = args.common.hiding_seed()?;
        let bytes = tautochrone_cli::read(&args.input, tautochrone_cli::OPTION)?;
        let text = tautochrone_cli::text(&bytes);
        let text = text.map_err(|e| tautochrone_cli::about_input(&args.input, &e))?;
        let answers = |line: &str| ('a'..='z').map(|c| i8::from(line.contains(c))).collect();
        let records =
            text.to_lowercase().lines().flat_map::<Vec<i8>, _>(answers).collect::<Vec<_>>();
        let lines = records.len() as u64 / u64::from(ROWS);
        if lines == 0 {
            return Err(Failure::file(&args.input, "has no lines"));
        }
        if lines > LINES {
            let what = format!("has {lines} lines; expected at most {LINES}");
            return Err(Failure::file(&args.input, what));
        }

        // 1. Sums have entries up to b' = group * b, so parameters are sought for those; the
        //    columns use the same A.
        let sums = Sums::of_groups(lines, args.group)?;
        //    Of sums the bound alone is known, not that they are uniform: as long as eight times as
        //    many that are.
        let goal = Goal { message_rows: ROWS, ..Goal::new(sums.weight(), 8 * lines) };
        let dimensions = goal.optimise()?;
        let spare = 512; // The smaller b of the columns asks for a longer secret than the goal's.
        let answers = RowGroup { rows: ROWS, bound: 1, distribution: Distribution::Any };
        let params = CustomParams {
            b: 1,
            l: lines,
            v: dimensions.v + spare,
            groups: [Some(answers), None, None],
            round_w: None,
            ..dimensions
        };
        let params = params.validate(Security::Required)?;
        let seed_a = tautochrone_cli::public_part(&seed, "rollup: A");
        let a = PublicMatrix::new_on(args.common.isa(), &params, seed_a);
        let randomness = tautochrone_cli::part(&seed, "rollup: randomness");
        let witness = Layout::new(ROWS, lines).witness(&a, &records, &randomness)?;

        // 2. The commitments and their proof.
        args.common.busy("committing and proving");
        let mut file = Vec::new();
        let statement = a.commit_and_hold(&witness, &mut file)?;
        let proof_seed = tautochrone_cli::part(&seed, "rollup: proof of the lines");
        let proof = prove(&a, &statement, &file, &witness, &proof_seed)?;

        // 3. The roll-up. This is what anybody can do: no witness in sight.
        let sum_params = sums.params(&params, Security::Required)?;
        let mut sum_file = Vec::new();
        let sum_statement = sums.statement(&statement, &file, &sum_params, &mut sum_file)?;

        // 4. And this only who knows the records.
        let sum_witness = sums.witness(&params, &sum_params, &witness)?;
        let sum_a = PublicMatrix::new_on(args.common.isa(), &sum_params, seed_a);
        let proof_seed = tautochrone_cli::part(&seed, "rollup: proof of the groups");
        let sum_proof = prove(&sum_a, &sum_statement, &sum_file, &sum_witness, &proof_seed)?;

        // 5. Ordinary files: `verify` reads them.
        let mut lines_of_verify = Vec::new();
        let contents = [(&file, &proof), (&sum_file, &sum_proof)];
        for (files, (file, proof)) in files.iter().zip(contents) {
            if let Some(files) = files {
                files.write(file, proof)?;
                lines_of_verify.push(files.verify_line().to_string());
            }
        }

        let binding = sums.binding(&params, &sum_params).classical;
        let first = column_unchecked(&sum_params, &sum_witness, 0)?;
        let e = first[4];
        let json = serde_json::json!({
            "lines": lines, "groups": sum_params.l(),
            "proof_bytes": [proof.len(), sum_proof.len()],
            "statement_bytes": [file.len(), sum_file.len()], "binding_bits": binding,
            "lines_with_e": e, "verify": lines_of_verify,
        });
        let first = args.group.min(lines);
        let said = [
            sizes("lines", &params, &file, proof.len()),
            sizes("groups", &sum_params, &sum_file, sum_proof.len()),
            format!("a group that is not the sum of its lines costs 2^{binding:.0}"),
            format!("the letter e occurs in {e} of the first {first} lines"),
        ];
        let checks = lines_of_verify.iter().map(|line| format!("to check: {line}"));
        args.common.report(json, said.into_iter().chain(checks))
    })
}
