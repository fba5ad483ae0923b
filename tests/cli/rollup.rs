//! The `rollup` example.

use tautochrone_testkit::examples::{SEED, code, json, ok, refused, run as example};

#[test]
fn roll_up() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text = "even\nodd\nthree\nten\nzzz\n".repeat(3);
    std::fs::write(dir.join("text"), text).expect("written");
    let args = ["--in", "text", "--group", "5", "--seed", SEED];
    let answer = ok(example("rollup", &args, dir));
    assert!(answer.contains("e occurs in 3 of the first 5 lines"), "{answer}");
    assert!(answer.contains("3 groups"), "{answer}");
    let answer = json(example("rollup", &[&args[..], &["--json"]].concat(), dir));
    assert_eq!((&answer["groups"], &answer["lines_with_e"]), (&3.into(), &3.into()));
    assert_eq!(code(&example("rollup", &["--in", "text", "--group", "128"], dir)), 2);
    assert_eq!(code(&example("rollup", &["--in", "missing"], dir)), 2);
    std::fs::write(dir.join("text"), b"\xff\xfee\0").expect("written");
    assert!(refused(&example("rollup", &["--in", "text"], dir)).contains("text: is UTF-16"));
}
