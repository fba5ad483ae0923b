//! The lines of `verify` that examples print.
#![cfg(unix)]

use tautochrone_testkit::examples::{json, ok, run as example};

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
    let runs: [(&str, &[&str]); 5] = [
        ("prove", &["--columns", "8", "--statement", "s0", "--proof", "p0"]),
        (
            "prove",
            &[
                "--preset",
                "seed",
                "--columns",
                "8",
                "--insecure",
                "--context=-it's; $HOME\n\"*",
                "--statement",
                "a b/s1",
                "--proof",
                "a b/p1",
            ],
        ),
        ("lwe_keys", &["--keys", "4", "--owner", "o'brien", "--statement", "s2", "--proof", "p2"]),
        (
            "commit_file",
            &["commit", "--in", "text", "--key", "k", "--statement", "s3", "--proof", "p3"],
        ),
        ("rollup", &["--in", "text", "--group", "2", "--out", "a b"]),
    ];
    for (name, args) in runs {
        let answer = json(dir.run(name, &[args, &["--json"]]));
        let lines = match &answer["verify"] {
            serde_json::Value::Array(lines) => lines.clone(),
            line => vec![line.clone()],
        };
        assert_eq!(lines.len(), if name == "rollup" { 2 } else { 1 }, "{answer}");
        for line in lines {
            let line = line.as_str().expect("a line");
            assert_eq!(dir.run_line(line), 0, "{name}: {line}");
            // And nothing else does.
            assert_ne!(dir.run_line(&format!("{line} --context=other")), 0, "{name}: {line}");
        }
    }
    std::fs::remove_file(dir.join("k")).expect("a key");
    for (name, args) in [runs[0], runs[2], runs[3], runs[4]] {
        let answer = ok(example(name, args, dir));
        assert_eq!(dir.run_line(line_of(&answer)), 0, "{name}: {answer}");
    }
}
