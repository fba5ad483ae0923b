//! The `rollup` example.

use tautochrone_testkit::examples::SEED;

use crate::folder::Folder;

#[test]
fn roll_up() {
    let dir = &Folder::new();
    let text = "even\nodd\nthree\nten\nzzz\n".repeat(3);
    dir.write("text", text);
    let line = format!("rollup --in text --group 5 --seed {SEED}");
    let answer = dir.ok(&line);
    assert!(answer.contains("e occurs in 3 of the first 5 lines"), "{answer}");
    assert!(answer.contains("3 groups"), "{answer}");
    let answer = dir.json(&line);
    assert_eq!((&answer["groups"], &answer["lines_with_e"]), (&3.into(), &3.into()));
    dir.refuses("rollup --in text --group 128", "128");
    dir.refuses("rollup --in missing", "missing");
    dir.write("text", b"\xff\xfee\0");
    dir.refuses("rollup --in text", "text: is UTF-16");
}
