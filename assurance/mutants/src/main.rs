//! Puts the faults of `assurance/mutants.toml` into a copy of the sources, one at a time, and runs
//! the tests that must find each. `assurance/mutants.sh --help` has the options.

mod outcome;
mod run;
mod table;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use outcome::{End, Outcome};
use run::Copy;
use table::Mutant;

const HELP: &str = "\
Puts the faults of assurance/mutants.toml into a copy of the sources, one at a time, and runs the
tests that must find each.

usage: assurance/mutants.sh [OPTION ..]
  --only TEXT     only mutants whose name contains TEXT; may be given several times
  --list          print their names and commands, and run nothing
  --check         see whether every mutant applies and compiles, and run no test
  --record FILE   write a table of the results, in Markdown, after every mutant
  --root FOLDER   the repository (default: the current folder)
  --help          print this

Exit code: 0 if all are found, 1 if one survives or is invalid, 2 for wrong usage, a table that
cannot be read, or tests that fail without a fault.";

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    only: Vec<String>,
    list: bool,
    check: bool,
    help: bool,
    record: Option<PathBuf>,
    root: PathBuf,
}

impl Options {
    fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { root: PathBuf::from("."), ..Self::default() };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().ok_or_else(|| format!("option {argument}; expected a value"));
            match argument.as_str() {
                "--only" => options.only.push(value()?),
                "--record" => options.record = Some(value()?.into()),
                "--root" => options.root = value()?.into(),
                "--list" => options.list = true,
                "--check" => options.check = true,
                "--help" => options.help = true,
                other => return Err(format!("unknown option {other}; --help lists them")),
            }
        }
        Ok(options)
    }

    /// The mutants that were asked for.
    fn choose(&self, all: Vec<Mutant>) -> Result<Vec<Mutant>, String> {
        let chosen = |mutant: &Mutant, text: &String| mutant.name.contains(text);
        if let Some(text) = self.only.iter().find(|text| !all.iter().any(|m| chosen(m, text))) {
            return Err(format!("no mutant's name contains {text:?}; --list prints them"));
        }
        let keep = |m: &Mutant| self.only.is_empty() || self.only.iter().any(|t| chosen(m, t));
        Ok(all.into_iter().filter(keep).collect())
    }
}

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)).and_then(|options| start(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether every mutant was found.
fn start(options: &Options) -> Result<bool, String> {
    if options.help {
        println!("{HELP}");
        return Ok(true);
    }
    let path = options.root.join("assurance/mutants.toml");
    let table = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mutants = options.choose(table::parse(&table).map_err(|problem| problem.to_string())?)?;
    if options.list {
        for mutant in &mutants {
            println!("{}: {} (cargo test {})", mutant.name, mutant.file, mutant.test.join(" "));
        }
        return Ok(true);
    }
    let root = options.root.canonicalize().map_err(|e| format!("the repository: {e}"))?;
    let copy = Copy::new(&root).map_err(|e| format!("copying the tree: {e}"))?;
    let limits = if options.check { BTreeMap::new() } else { baseline(&copy, &mutants)? };
    let mut results = Vec::with_capacity(mutants.len());
    for mutant in &mutants {
        let start = Instant::now();
        let limit = limits.get(&mutant.test).copied();
        let outcome = trial(&copy, mutant, limit).map_err(|e| format!("{}: {e}", mutant.name))?;
        let seconds = start.elapsed().as_secs();
        match &outcome {
            Outcome::Caught(by) => println!("caught    {}: {by} ({seconds} s)", mutant.name),
            Outcome::Survived if options.check => println!("compiles  {}", mutant.name),
            Outcome::Survived => println!("SURVIVED  {} ({seconds} s)", mutant.name),
            Outcome::Invalid(why) => println!("INVALID   {}: {why}", mutant.name),
        }
        results.push(outcome);
        // Each time anew, so that a run that is stopped leaves what it has.
        if let Some(path) = options.record.as_ref().filter(|_| !options.check) {
            std::fs::write(path, record(&mutants, &results))
                .map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    let count = |f: fn(&Outcome) -> bool| results.iter().filter(|outcome| f(outcome)).count();
    let survived = count(|outcome| *outcome == Outcome::Survived);
    let invalid = count(|outcome| matches!(outcome, Outcome::Invalid(_)));
    if options.check {
        println!("{} mutants, {invalid} invalid", results.len());
        return Ok(invalid == 0);
    }
    println!("{} mutants, {survived} survived, {invalid} invalid", results.len());
    Ok(survived + invalid == 0)
}

/// Tests run at least this long before they count as endless.
const LEAST_LIMIT: Duration = Duration::from_mins(2);
/// Compiling takes no longer.
const COMPILE_LIMIT: Duration = Duration::from_hours(1);

/// Runs the tests of every command once without a fault: they must pass. Returns how long they may
/// take with one.
fn baseline(copy: &Copy, mutants: &[Mutant]) -> Result<BTreeMap<Vec<String>, Duration>, String> {
    let mut limits = BTreeMap::new();
    for mutant in mutants {
        if limits.contains_key(&mutant.test) {
            continue;
        }
        let command = mutant.test.join(" ");
        let failed = |e| format!("cargo test {command}: {e}");
        compile(copy, &mutant.test)
            .map_err(failed)?
            .map_err(|error| failed(std::io::Error::other(error)))?;
        let start = Instant::now();
        let (end, output) = test(copy, &mutant.test, COMPILE_LIMIT).map_err(failed)?;
        if end != End::Success {
            return Err(format!("cargo test {command} fails without a mutant:\n{output}"));
        }
        let passed = outcome::passed(&output);
        if passed == 0 {
            return Err(format!("cargo test {command} runs no test; expected at least one"));
        }
        println!("baseline  {passed} tests of cargo test {command}");
        limits.insert(mutant.test.clone(), LEAST_LIMIT.max(10 * start.elapsed()));
    }
    Ok(limits)
}

/// Puts one mutant in, and takes it out again. Without a limit, compiles it and no more.
fn trial(copy: &Copy, mutant: &Mutant, limit: Option<Duration>) -> std::io::Result<Outcome> {
    let source = match copy.read(&mutant.file) {
        Ok(source) => source,
        Err(error) => return Ok(Outcome::Invalid(format!("{}: {error}", mutant.file))),
    };
    let mutated = match mutant.apply(&source) {
        Ok(mutated) => mutated,
        Err(problem) => return Ok(Outcome::Invalid(format!("{}: {problem}", mutant.file))),
    };
    copy.write(&mutant.file, &mutated)?;
    let outcome = tested(copy, mutant, limit);
    copy.write(&mutant.file, &source)?;
    outcome
}

fn tested(copy: &Copy, mutant: &Mutant, limit: Option<Duration>) -> std::io::Result<Outcome> {
    let Some(limit) = limit else {
        let (end, output) = copy.cargo(&check_arguments(&mutant.test), COMPILE_LIMIT)?;
        return Ok(match end {
            End::Success => Outcome::Survived,
            _ => Outcome::Invalid(compiler_error(&output)),
        });
    };
    if let Err(error) = compile(copy, &mutant.test)? {
        return Ok(Outcome::Invalid(error));
    }
    let (end, output) = test(copy, &mutant.test, limit)?;
    Ok(outcome::verdict(end, &output))
}

/// Compiles the tests of a command.
fn compile(copy: &Copy, test: &[String]) -> std::io::Result<Result<(), String>> {
    let mut arguments = vec!["test", "--no-run"];
    arguments.extend(test.iter().map(String::as_str));
    let (end, output) = copy.cargo(&arguments, COMPILE_LIMIT)?;
    Ok(if end == End::Success { Ok(()) } else { Err(compiler_error(&output)) })
}

fn test(copy: &Copy, test: &[String], limit: Duration) -> std::io::Result<(End, String)> {
    let mut arguments = vec!["test"];
    arguments.extend(test.iter().map(String::as_str));
    copy.cargo(&arguments, limit)
}

/// `cargo check` for the packages of a command.
fn check_arguments(test: &[String]) -> Vec<&str> {
    let mut arguments = vec!["check", "--tests"];
    for pair in test.windows(2).filter(|pair| pair[0] == "-p") {
        arguments.extend(["-p", pair[1].as_str()]);
    }
    arguments
}

/// The first error of a compiler's output.
fn compiler_error(output: &str) -> String {
    let error = output.lines().find(|line| line.starts_with("error"));
    format!("does not compile: {}", error.unwrap_or("no message"))
}

/// The results as a table, of the first mutants if there are not as many.
fn record(mutants: &[Mutant], results: &[Outcome]) -> String {
    let caught = results.iter().filter(|r| matches!(r, Outcome::Caught(_))).count();
    let rest = match mutants.len() - results.len() {
        0 => String::new(),
        rest => format!(" The run was stopped before {rest} more."),
    };
    let mut text = format!(
        "# Mutants\n\n`assurance/mutants.sh`: {caught} of {} mutants found by the tests of their \
         crates, golden bytes aside.{rest}\n\n\
         | mutant | file | found by |\n|---|---|---|\n",
        results.len()
    );
    for (mutant, outcome) in mutants.iter().zip(results) {
        let found = match outcome {
            Outcome::Caught(by) => format!("`{by}`"),
            Outcome::Survived => "**survived**".to_owned(),
            Outcome::Invalid(why) => format!("**invalid**: {why}"),
        };
        let _ = writeln!(text, "| {} | `{}` | {found} |", mutant.name, mutant.file);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Result<Options, String> {
        Options::parse(arguments.iter().map(|&argument| argument.to_owned()))
    }

    fn mutant(name: &str) -> Mutant {
        Mutant {
            name: name.to_owned(),
            file: "a.rs".to_owned(),
            find: "1".to_owned(),
            replace: "2".to_owned(),
            test: ["-p", "one", "--lib", "-p", "two", "filter"].map(str::to_owned).to_vec(),
        }
    }

    #[test]
    fn options_are_read_and_others_refused() {
        let got = options(&["--only", "a", "--check", "--record", "r.md", "--root", "x"]);
        let want = Options {
            only: vec!["a".to_owned()],
            check: true,
            record: Some("r.md".into()),
            root: "x".into(),
            ..Options::default()
        };
        assert_eq!(got, Ok(want));
        assert!(options(&["--ony"]).is_err_and(|error| error.contains("--ony")));
        assert!(options(&["--only"]).is_err_and(|error| error.contains("a value")));
    }

    #[test]
    fn mutants_are_chosen_by_parts_of_their_names() {
        let all = || vec![mutant("ctr: index"), mutant("ctr: counter"), mutant("gcd")];
        let names = |arguments: &[&str]| {
            let chosen = options(arguments).and_then(|options| options.choose(all()))?;
            Ok::<_, String>(chosen.into_iter().map(|m| m.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).map(|names| names.len()), Ok(3));
        assert_eq!(
            names(&["--only", "index", "--only", "gcd"]),
            Ok(vec!["ctr: index".to_owned(), "gcd".to_owned()])
        );
        assert!(names(&["--only", "nothing"]).is_err());
    }

    #[test]
    fn packages_alone_are_checked() {
        assert_eq!(
            check_arguments(&mutant("a").test),
            ["check", "--tests", "-p", "one", "-p", "two"]
        );
    }

    #[test]
    fn a_compiler_error_is_quoted() {
        let output = "   Compiling a\nerror[E0308]: mismatched types\n --> a.rs\nerror: aborting\n";
        assert_eq!(compiler_error(output), "does not compile: error[E0308]: mismatched types");
    }

    #[test]
    fn the_record_names_survivors() {
        let mutants = [mutant("a"), mutant("b"), mutant("c")];
        let results = [
            Outcome::Caught("m::t".to_owned()),
            Outcome::Survived,
            Outcome::Invalid("no".to_owned()),
        ];
        let text = record(&mutants, &results);
        assert!(text.contains("1 of 3 mutants"));
        assert!(text.contains("| a | `a.rs` | `m::t` |"));
        assert!(text.contains("| b | `a.rs` | **survived** |"));
        assert!(text.contains("| c | `a.rs` | **invalid**: no |"));
        assert!(!text.contains("stopped"));
    }

    #[test]
    fn the_record_of_a_run_that_was_stopped_says_how_many_are_left() {
        let mutants = [mutant("a"), mutant("b"), mutant("c")];
        let text = record(&mutants, &[Outcome::Caught("m::t".to_owned())]);
        assert!(text.contains("1 of 1 mutants"));
        assert!(text.contains("The run was stopped before 2 more."));
        assert!(!text.contains("| b |"));
    }
}
