//! The lines of `verify` that examples print.

use tautochrone_testkit::examples::{command, json};

use crate::folder::Folder;

/// The line in the human answer that starts with `verify`, after any other text.
fn line_of(answer: &str) -> &str {
    let start = answer.find("verify --statement").expect("a line for verify");
    answer[start..].lines().next().expect("a line")
}

/// Every example that proves prints the line that accepts its files, quoted for a shell, in both
/// forms of its answer.
#[test]
fn printed_lines_of_verify_accept_the_files() {
    let dir = &Folder::new();
    dir.write("text", "even\nodd\nthree\n");
    std::fs::create_dir(dir.join("a b")).expect("a directory");
    let runs = [
        "prove --columns 8 --statement s0 --proof p0",
        "prove --exact-keys --columns 4 --context o'brien --statement s1 --proof p1",
        "commit_file commit --in text --key k --statement s2 --proof p2",
        "rollup --in text --group 2 --out 'a b'",
    ];
    let accepts = |answer: &serde_json::Value, count: usize| {
        let lines = match &answer["verify"] {
            serde_json::Value::Array(lines) => lines.clone(),
            line => vec![line.clone()],
        };
        assert_eq!(lines.len(), count, "{answer}");
        for line in lines {
            let line = line.as_str().expect("a line");
            assert_eq!(dir.run_line(line), 0, "{line}");
            // And nothing else does.
            assert_ne!(dir.run_line(&format!("{line} --context=other")), 0, "{line}");
        }
    };
    for line in runs {
        accepts(&dir.json(line), if line.starts_with("rollup") { 2 } else { 1 });
    }
    let mut quoted = command("prove --preset seed --columns 8 --insecure --json");
    quoted.args(["--statement", "a b/s", "--proof", "a b/p", "--context=-it's; $HOME\n\"*"]);
    accepts(&json(quoted.current_dir(dir).output().expect("it runs")), 1);
    dir.remove("k");
    for line in runs {
        let answer = dir.ok(line);
        assert_eq!(dir.run_line(line_of(&answer)), 0, "{line}: {answer}");
    }
}
