//! Fails if files of one crate import each other: `assurance/hygiene.sh` runs it.
//!
//! A file uses another one if, outside of what is compiled for tests alone, it names something that
//! the other one defines. Declaring a module or exporting its items again is no use. Methods and
//! trait implementations are found by the compiler, not by name, and are no use either.

mod graph;
mod modules;
mod resolve;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use graph::{Cycle, Graph};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let root = PathBuf::from(arguments.next().unwrap_or_else(|| ".".into()));
    if arguments.next().is_some() {
        eprintln!("usage: cycles [FOLDER]: the repository; default: the current folder");
        return ExitCode::from(2);
    }
    match check(&root) {
        Ok((report, faults)) => {
            print!("{report}");
            ExitCode::from(u8::from(faults))
        }
        Err(error) => {
            eprintln!("cycles: {error}");
            ExitCode::from(2)
        }
    }
}

/// A report on all crates below a folder, and whether there is a fault.
fn check(root: &Path) -> Result<(String, bool), String> {
    let mut packages = Vec::new();
    find_packages(root, &mut packages)?;
    if packages.is_empty() {
        return Err(format!("{}: no package; expected a repository", root.display()));
    }
    packages.sort();
    let (mut report, mut faults, mut files) = (String::new(), false, 0);
    for package in &packages {
        let mut cycles = Vec::new();
        for crate_root in crate_roots(package)? {
            let read = |path: &Path| fs::read_to_string(path).ok();
            let modules = modules::modules(&crate_root, &read)?;
            let graph = resolve::graph(&modules, package);
            files += graph.len();
            cycles.extend(graph::cycles(&graph).into_iter().map(|cycle| (graph.clone(), cycle)));
        }
        let name = package_name(root, package);
        print_cycles(&name, &cycles, &mut report);
        faults |= !cycles.is_empty();
    }
    let _ = writeln!(report, "cycles: {files} files of {} packages read", packages.len());
    Ok((report, faults))
}

/// The folder of a package below the root, `.` for the root itself.
fn package_name(root: &Path, package: &Path) -> String {
    let name = package.strip_prefix(root).unwrap_or(package).display().to_string();
    if name.is_empty() { ".".to_owned() } else { name }
}

/// Says which files of a package import each other, and where.
fn print_cycles(package: &str, cycles: &[(Graph, Cycle)], report: &mut String) {
    for (graph, Cycle { files, shortest }) in cycles {
        let _ = writeln!(report, "{package}: {} files import each other, for example", files.len());
        for (from, to) in shortest.iter().zip(shortest.iter().cycle().skip(1)) {
            let _ = writeln!(report, "  {from}:{} uses {to}", graph[from][to]);
        }
    }
}

/// Every folder with a manifest of a package.
fn find_packages(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if folder.join("Cargo.toml").is_file() {
        found.push(folder.to_owned());
    }
    for path in list(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or(".");
        let skipped = name.starts_with('.') || name.starts_with("target") || name == "src";
        if path.is_dir() && !path.is_symlink() && !skipped {
            find_packages(&path, found)?;
        }
    }
    Ok(())
}

/// The root files of a package's library, programs, examples, tests and benches.
fn crate_roots(package: &Path) -> Result<Vec<PathBuf>, String> {
    let mut roots: Vec<PathBuf> =
        ["src/lib.rs", "src/main.rs"].iter().map(|file| package.join(file)).collect();
    for folder in ["src/bin", "examples", "benches", "tests"].map(|folder| package.join(folder)) {
        if !folder.is_dir() || folder.join("Cargo.toml").exists() {
            continue;
        }
        for path in list(&folder)? {
            if path.extension().is_some_and(|extension| extension == "rs") {
                roots.push(path);
            } else if !path.join("Cargo.toml").exists() {
                roots.extend(["main.rs", "mod.rs"].map(|file| path.join(file)));
            }
        }
    }
    roots.retain(|path| path.is_file());
    Ok(roots)
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    entries
        .map(|entry| Ok(entry.map_err(|error| format!("{}: {error}", folder.display()))?.path()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> Vec<(Graph, Cycle)> {
        let mut graph = Graph::new();
        graph.entry("a.rs".to_owned()).or_default().insert("b.rs".to_owned(), 3);
        graph.entry("b.rs".to_owned()).or_default().insert("a.rs".to_owned(), 5);
        graph::cycles(&graph).into_iter().map(|cycle| (graph.clone(), cycle)).collect()
    }

    #[test]
    fn a_cycle_is_printed_with_its_lines() {
        let mut report = String::new();
        print_cycles("crates/x", &pair(), &mut report);
        assert_eq!(
            report,
            "crates/x: 2 files import each other, for example\n  \
             a.rs:3 uses b.rs\n  b.rs:5 uses a.rs\n"
        );
    }

    /// There are no exceptions: one cycle in one package is a fault.
    #[test]
    fn a_cycle_is_a_fault() {
        let folder = std::env::temp_dir().join(format!("cycles-{}", std::process::id()));
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
        fs::create_dir_all(folder.join("src")).expect("a folder");
        write("Cargo.toml", "[package]");
        write("src/lib.rs", "mod a;\nmod b;\n");
        write("src/a.rs", "pub(crate) const X: u8 = 1;\n");
        write("src/b.rs", "use crate::a::X;\npub(crate) const Y: u8 = X;\n");
        let without = check(&folder);
        write("src/a.rs", "use crate::b::Y;\npub(crate) const X: u8 = Y;\n");
        let with = check(&folder);
        fs::remove_dir_all(&folder).expect("removed");
        assert!(!without.expect("readable").1);
        let (report, faults) = with.expect("readable");
        assert!(faults && report.contains("2 files import each other"), "{report}");
    }

    #[test]
    fn a_folder_without_a_package_is_an_error() {
        let error = check(Path::new("src/no-such-folder")).expect_err("no folder");
        assert!(error.starts_with("src/no-such-folder: "), "{error}");
    }
}
