//! The commands on the pages of docs/ run as they stand there. Their Rust code is tested by
//! `src/readmes.rs`.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use tautochrone_testkit::examples;

/// The lines of a page's blocks of `sh`.
fn commands(page: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page);
    let text = std::fs::read_to_string(path).expect("the page");
    let mut blocks = text.split("\n```sh\n").skip(1);
    let lines = blocks.by_ref().map(|block| block.split("\n```").next().expect("an end"));
    lines.flat_map(str::lines).map(str::to_owned).collect()
}

/// Runs each line in a shell that finds the examples, and the files that the tests have where they
/// are in a checkout; a comment names an exit code other than 0.
fn run(page: &str) {
    let directory = tempfile::tempdir().expect("a directory");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::os::unix::fs::symlink(tests, directory.path().join("tests")).expect("a link");
    let examples = examples::command("isa");
    let examples = Path::new(examples.get_program()).parent().expect("a directory");
    let path = format!("{}:{}", examples.display(), std::env::var("PATH").expect("a path"));
    let commands = commands(page);
    assert!(!commands.is_empty(), "{page} has commands");
    for line in commands {
        let (line, code) = line.split_once(" # exit ").unwrap_or((&line, "0"));
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env("PATH", &path).current_dir(directory.path());
        let output = shell.output().expect("a shell");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(examples::code(&output).to_string(), code, "{page}: {line}\n{text}");
    }
}

macro_rules! pages {
    ($($name:ident: $page:literal;)*) => {$(
        #[test]
        fn $name() {
            run($page);
        }
    )*};
}
pages! {
    game_files: "game-files.md";
    powers: "powers.md";
    products: "products.md";
    sampling: "sampling.md";
    tutorial: "tutorial.md";
}
