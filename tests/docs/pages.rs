//! The commands of the pages run as they stand there, and the README's figures and links are right.
//! Code is tested by rustdoc, as documentation of the crates or of `src/readmes.rs`.

use std::path::Path;
use std::process::Command;

use tautochrone_testkit::examples;

use crate::{files, read, root};

/// The lines of a page's blocks of `sh`.
fn commands(page: &str) -> Vec<String> {
    let text = read(page);
    let mut blocks = text.split("\n```sh\n").skip(1);
    let lines = blocks.by_ref().map(|block| block.split("\n```").next().expect("an end"));
    lines.flat_map(str::lines).map(str::to_owned).collect()
}

/// Runs each line in a shell that finds the examples, and the files of the tests where they are in a
/// checkout; a comment names an exit code other than 0. Returns the folder and all of stdout.
fn run(page: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().expect("a directory");
    for name in ["crates", "tests"] {
        std::os::unix::fs::symlink(root().join(name), directory.path().join(name)).expect("a link");
    }
    let examples = examples::command("isa");
    let examples = Path::new(examples.get_program()).parent().expect("a directory");
    let path = format!("{}:{}", examples.display(), std::env::var("PATH").expect("a path"));
    let commands = commands(page);
    assert!(!commands.is_empty(), "{page} has commands");
    let mut printed = String::new();
    for line in commands {
        let (line, code) = line.split_once(" # exit ").unwrap_or((&line, "0"));
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env("PATH", &path).current_dir(directory.path());
        let output = shell.output().expect("a shell");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(examples::code(&output).to_string(), code, "{page}: {line}\n{text}");
        printed += &String::from_utf8_lossy(&output.stdout);
    }
    (directory, printed)
}

macro_rules! pages {
    ($($name:ident: $page:literal;)*) => {$(
        #[test]
        fn $name() {
            let _ = run($page);
        }
    )*};
}
pages! {
    bignum: "crates/bignum/README.md";
    gauss: "crates/gauss/README.md";
    ice: "crates/ice/README.md";
    keys: "docs/keys.md";
    matmul: "crates/matmul/README.md";
}

/// The commands of the tutorial, and its figures about the files that they write.
#[test]
fn tutorial() {
    let (directory, printed) = run("docs/tutorial.md");
    let page = read("docs/tutorial.md").replace('\n', " ");
    let after = |words: &str| {
        let (_, rest) = page.split_once(words).unwrap_or_else(|| panic!("no {words}"));
        let number = rest.split(|c: char| !c.is_ascii_digit() && c != '.').next();
        number.unwrap_or_default().trim_end_matches('.')
    };
    let bytes =
        |name: &str| std::fs::metadata(directory.path().join(name)).expect("written").len() as f64;
    for (words, measured) in [
        ("It has ", bytes("c.lzp") / 1024.0),
        (" KiB instead of ", bytes("keys.lzp") / 1024.0),
        ("| proof | both | public; ", bytes("keys.lzp") / 4096.0),
    ] {
        let stated: f64 = after(words).parse().expect("a number");
        assert!((stated / measured - 1.0).abs() < 0.01, "{words}{stated}: {measured}");
    }
    let (w, norm) = (after("A s' = t mod 2^"), after("at most 2 B = 2^"));
    let claim = format!("A s' = t mod 2^{w} and ||s'|| <= 2 B = 2^{norm} for every column t\n");
    assert!(printed.contains(&claim), "{claim}");
}

/// A line of output as its words, with `#` for numbers; and its numbers.
fn masked(line: &str) -> (String, Vec<f64>) {
    let part = |c: char| c.is_ascii_digit() || c == '.';
    let numbers = line.split(|c| !part(c)).filter_map(|number| number.parse().ok()).collect();
    let words: Vec<&str> = line.split(part).filter(|text| !text.is_empty()).collect();
    (words.join("#"), numbers)
}

/// The README shows what its first command prints: times, attempts and the last bytes of a proof
/// differ from run to run.
#[test]
fn the_first_output_is_real() {
    let readme = read("README.md");
    let line = commands("README.md").swap_remove(0);
    let (_, arguments) = line.split_once(" --example prove -- ").expect("the first command");
    let directory = tempfile::tempdir().expect("a directory");
    let mut prove = examples::command(&format!("prove {arguments}"));
    let output = examples::ok(prove.current_dir(directory.path()).output().expect("runs"));
    let block = readme.split("\n```text\n").nth(2).and_then(|block| block.split("\n```").next());
    let shown: Vec<&str> = block.expect("the output").lines().collect();
    assert_eq!(shown.len(), output.lines().count(), "{output}");
    for (shown, printed) in shown.into_iter().zip(output.lines()) {
        let ((words, expected), (printed_words, numbers)) = (masked(shown), masked(printed));
        match shown.split(' ').next() {
            Some("time") => {}
            Some("proof") => {
                // One attempt, or several.
                assert_eq!(words.trim_end_matches('s'), printed_words.trim_end_matches('s'));
                assert!((numbers[0] / expected[0] - 1.0).abs() < 0.005, "{shown}: {printed}");
            }
            _ => assert_eq!(shown, printed),
        }
    }
}

/// The README's figures are in the table that `benches/record.sh` writes.
#[test]
fn figures_are_recorded() {
    let (readme, table) = (read("README.md"), read("benches/README.md"));
    let (_, figures) = readme.split_once("| one thread, ").expect("the figures");
    let rows = figures.split("\n\n").next().unwrap_or_default().lines().skip(2);
    let cells = rows.filter_map(|row| row.trim_end_matches(" |").rsplit(" | ").next());
    let words = cells.flat_map(|cell| cell.split([',', '(', ' ']).map(str::to_owned));
    let numbers: Vec<String> = words.filter(|word| word.parse::<f64>().is_ok()).collect();
    assert!(numbers.len() > 3, "{numbers:?}");
    for number in numbers {
        let recorded = table.split([' ', '\n']).any(|word| word == number);
        assert!(recorded, "{number} is not in benches/README.md");
    }
}

/// Every link to a place in the repository leads to a file, and to a heading where it names one.
#[test]
fn links_lead_somewhere() {
    let found = files(root(), "md");
    assert!(found.len() > 40, "{} pages", found.len());
    let anchor = |heading: &str| -> String {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        heading
            .to_lowercase()
            .chars()
            .filter(kept)
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    for page in found {
        let text = read(&page).replace("srcset=\"", "](").replace("src=\"", "](");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '"']).next()) {
            if link.contains("://") || link.contains("::") || link.contains(char::is_whitespace) {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let folder = page.parent().expect("a folder");
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: {link}", page.display());
            let headings = || read(&target);
            let led = heading.is_empty()
                || headings().lines().any(|line| {
                    line.starts_with('#') && anchor(line.trim_start_matches('#').trim()) == heading
                });
            assert!(led, "{}: {link}", page.display());
        }
    }
}

/// Pages say what costs a newcomer time: builds without optimisation, and the tests. Commands that
/// install take the versions that were tested.
#[test]
fn newcomers_are_told() {
    for page in ["README.md", "src/README.md", "crates/zk/README.md"] {
        let text = read(page).replace('\n', " ");
        for words in ["`--release`", "opt-level = 3", "[profile.dev.package.\"*\"]"] {
            assert!(text.contains(words), "{page} does not name {words}");
        }
    }
    let readme = read("README.md").replace('\n', " ");
    assert!(readme.contains("`cargo test` takes"), "README.md has no command for the tests");
    let found = files(root(), "md");
    let texts = found.iter().map(|page| (page, read(page)));
    let lines = texts.flat_map(|(page, text)| {
        text.lines().map(|line| (page, line.to_owned())).collect::<Vec<_>>()
    });
    let mut installs = lines.filter(|(_, line)| line.contains("cargo install --path")).peekable();
    assert!(installs.peek().is_some());
    installs
        .for_each(|(page, line)| assert!(line.contains(" --locked"), "{}: {line}", page.display()));
}

/// The facade forwards every feature of its crates, and its page names each.
#[test]
fn features_are_forwarded() {
    let (manifest, page) = (read("Cargo.toml"), read("src/README.md"));
    let features = |manifest: &str| -> Vec<String> {
        let rest = manifest.split_once("\n[features]\n").map_or("", |(_, rest)| rest);
        let lines = rest.split("\n[").next().unwrap_or_default().lines();
        let names = lines.filter_map(|line| line.split_once(" = ["));
        names.map(|(name, _)| name.to_owned()).collect()
    };
    for name in ["bignum", "ctr", "gauss", "ice", "matmul", "zk"] {
        for feature in features(&read(format!("crates/{name}/Cargo.toml"))) {
            // The facade needs the standard library.
            if feature != "default" && feature != "std" {
                let forwarded = format!("\"tautochrone-{name}/{feature}\"");
                assert!(manifest.contains(&forwarded), "{forwarded}");
                assert!(page.contains(&format!("`{feature}`")), "src/README.md: {feature}");
            }
        }
    }
}

/// Programs use all threads also where cargo builds their package alone, without the features that
/// other packages turn on.
#[test]
fn programs_use_threads() {
    let manifest = read("crates/cli/Cargo.toml");
    let zk = manifest.lines().find(|line| line.starts_with("tautochrone-zk ")).expect("zk");
    assert!(zk.contains("\"rayon\""), "{zk}");
}
