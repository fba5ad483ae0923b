//! Claims of the documentation about the source: its lists of variable-time functions, of
//! libraries whose divisions have reasons, and of dependencies; the tests and scripts it names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::{files, read, root};

/// Names in backquotes that begin the rows below a heading, up to the next heading.
fn listed(document: &str, heading: &str) -> BTreeSet<String> {
    let text = read(document);
    let (_, section) = text.split_once(heading).expect("the heading");
    let section = section.split("\n#").next().unwrap_or(section);
    let names = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    names.map(str::to_owned).collect()
}

/// `docs/assurance.md` lists exactly the functions whose names end in `_vartime`.
#[test]
fn variable_time_functions_are_listed() {
    let mut defined = BTreeSet::new();
    for path in files(&root().join("crates"), "rs") {
        let krate = path.strip_prefix(root().join("crates")).expect("below it");
        let krate = krate.iter().next().expect("a crate").to_string_lossy().into_owned();
        for line in read(&path).lines() {
            if let Some((before, after)) = line.split_once("fn ")
                && !before.contains("//")
                && let Some(name) = after.split(['(', '<']).next()
                && name.ends_with("_vartime")
            {
                defined.insert(format!("{krate}::{name}"));
            }
        }
    }
    assert_eq!(listed("docs/assurance.md", "## Variable time"), defined);
}

/// Clippy wants a reason for each division in the libraries that `docs/assurance.md` names, and
/// in no other.
#[test]
fn linted_libraries_are_listed() {
    const LINT: &str = "integer_division_remainder_used";
    let page = read("docs/assurance.md");
    let row = page.lines().find(|line| line.starts_with("| ") && line.contains(LINT));
    let cell = row.and_then(|row| row.split(" | ").nth(1)).expect("a row of the table");
    let named: BTreeSet<String> = cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let mut linted = BTreeSet::new();
    let crates = fs::read_dir(root().join("crates")).expect("readable");
    for path in crates.map(|entry| entry.expect("an entry").path()).chain([root().join("kernels")])
    {
        // A package of programs alone has none.
        let Ok(source) = fs::read_to_string(path.join("src/lib.rs")) else { continue };
        if source.contains(&format!("warn(clippy::{LINT},")) {
            linted.insert(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
    }
    assert_eq!(named, linted);
}

/// Every dependency on the work of others has a reason next to it.
#[test]
fn dependencies_have_reasons() {
    let manifest = read("Cargo.toml");
    let (_, section) = manifest.split_once("\n[workspace.dependencies]\n").expect("the section");
    let lines = section.split("\n[").next().unwrap_or_default().lines();
    let entries = lines.filter(|line| line.contains(" = ") && !line.starts_with("tautochrone"));
    let bare: Vec<&str> = entries.filter(|line| !line.contains(" # ")).collect();
    assert!(bare.is_empty(), "without a reason: {bare:?}");
}

/// Every test that docs/assurance.md names for a promise of the command line is there, and no line
/// of that table is without one.
#[test]
fn tests_of_command_lines_exist() {
    let page = read("docs/assurance.md");
    let (_, page) = page.split_once("\n## Command lines\n").expect("the section");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 15, "{} lines", rows.len());
    for row in rows {
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().expect("a cell");
        let tests: Vec<&str> = cell.split('`').filter(|part| part.contains("::")).collect();
        assert!(!tests.is_empty(), "without a test: {row}");
        for test in tests {
            let (file, name) = test.split_once("::").expect("file::test");
            let read = |part| fs::read_to_string(root().join(format!("tests/{part}/{file}.rs")));
            let source = read("cli").or_else(|_| read("faults"));
            let source = source.unwrap_or_else(|e| panic!("{file}.rs: {e}"));
            assert!(source.contains(&format!("fn {name}() {{")), "no test {test}");
        }
    }
}

/// Every script that the documentation names is there, and `assurance/long.sh` has a step for all
/// that docs/assurance.md says it runs.
#[test]
fn named_scripts_exist() {
    let mut named = BTreeSet::new();
    for document in ["SECURITY.md", "docs/assurance.md", "CONTRIBUTING.md"] {
        let text = read(document);
        for part in text.split("assurance/").skip(1) {
            let beyond = |c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-';
            let name = part.split(beyond).next().unwrap_or_default().trim_end_matches('.');
            if Path::new(name).extension().is_some_and(|extension| extension == "sh") {
                named.insert(name.to_owned());
            }
        }
    }
    assert!(named.len() > 10, "scripts are named: {named:?}");
    let long = read("assurance/long.sh");
    for name in named {
        assert!(root().join("assurance").join(&name).is_file(), "no assurance/{name}");
        // Scripts that CI runs, and scripts that need a machine that is built by hand.
        let elsewhere = ["amx.sh", "ctgrind.sh", "hygiene.sh", "long.sh"].contains(&name.as_str());
        assert!(elsewhere || long.contains(&name), "assurance/long.sh leaves out {name}");
    }
}
