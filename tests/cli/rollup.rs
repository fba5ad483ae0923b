//! The `rollup` example.

use tautochrone_testkit::examples::{SEED, code, json, ok, refused, run as example};

use crate::folder::Folder;

#[test]
fn roll_up() {
    let dir = &Folder::new();
    let text = "even\nodd\nthree\nten\nzzz\n".repeat(3);
    dir.write("text", text);
    let args = ["--in", "text", "--group", "5", "--seed", SEED];
    let answer = ok(example("rollup", &args, dir));
    assert!(answer.contains("e occurs in 3 of the first 5 lines"), "{answer}");
    assert!(answer.contains("3 groups"), "{answer}");
    let answer = json(dir.run("rollup", &[&args, &["--json"]]));
    assert_eq!((&answer["groups"], &answer["lines_with_e"]), (&3.into(), &3.into()));
    assert_eq!(code(&example("rollup", &["--in", "text", "--group", "128"], dir)), 2);
    assert_eq!(code(&example("rollup", &["--in", "missing"], dir)), 2);
    dir.write("text", b"\xff\xfee\0");
    assert!(refused(&example("rollup", &["--in", "text"], dir)).contains("text: is UTF-16"));
}
