//! The commands of the pages run as they stand there. Code is tested by rustdoc, as documentation
//! of the crates or of `src/readmes.rs`; what pages say of the repository, by
//! `assurance/documents.py`.

use tautochrone_testkit::full;

use crate::folder::{Folder, code, root};

/// A page of the repository.
fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("the file")
}

/// The lines of a page's blocks of `sh`.
fn commands(page: &str) -> Vec<String> {
    let text = read(page);
    let mut blocks = text.split("\n```sh\n").skip(1);
    let lines = blocks.by_ref().map(|block| block.split("\n```").next().expect("an end"));
    lines.flat_map(str::lines).map(str::to_owned).collect()
}

/// Runs each line in a shell that finds the examples, and the files of the tests where they are in
/// a checkout; a comment names an exit code other than 0. But in full tests batches of 4096 keys
/// are of
/// 64. Returns the folder and all of stdout.
fn run(page: &str) -> (Folder, String) {
    let directory = Folder::new();
    for name in ["crates", "tests"] {
        std::os::unix::fs::symlink(root().join(name), directory.join(name)).expect("a link");
    }
    let commands = commands(page);
    assert!(!commands.is_empty(), "{page} has commands");
    let mut printed = String::new();
    for line in commands {
        let (line, expected) = line.split_once(" # exit ").unwrap_or((&line, "0"));
        let keys = if full() { "4096" } else { "64" };
        let line = line.replace("--columns 4096", &format!("--columns {keys}"));
        let output = directory.shell(&line);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output).to_string(), expected, "{page}: {line}\n{text}");
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
    let bytes = |name: &str| directory.join(name).metadata().expect("written").len() as f64;
    let sizes = [
        ("It has ", bytes("c.lzp") / 1024.0),
        (" KiB instead of ", bytes("keys.lzp") / 1024.0),
        ("| proof | both | public; ", bytes("keys.lzp") / 4096.0),
    ];
    for (words, measured) in sizes.into_iter().filter(|_| full()) {
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
    let output = Folder::new().ok(format!("prove {arguments}"));
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
