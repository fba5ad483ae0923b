//! The `ice` example as a user of game files runs it.

use std::path::Path;
use std::process::Output;

use tautochrone_testkit::examples;

fn ice(args: &[&str], directory: &Path) -> Output {
    examples::run("ice", args, directory)
}

fn ok(args: &[&str], directory: &Path) -> String {
    examples::ok(ice(args, directory))
}

const TEXT: &[u8] = b"WeaponData\n{\n\t\"MaxPlayerSpeed\" \"221\"\n\t\"Damage\" \"36\"\n}\n// tail";

/// Whole blocks change, the last size mod 8 bytes stay; round trips by every kind of output;
/// --find-key names the game.
#[test]
fn files_go_there_and_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let at = |name: &str| dir.join(name);
    assert_ne!(TEXT.len() % 8, 0);
    std::fs::write(at("a.txt"), TEXT).expect("written");
    ok(&["encrypt", "--game", "CSGO", "--in", "a.txt", "--out", "a.ctx"], dir);
    let secret = std::fs::read(at("a.ctx")).expect("read");
    let whole = TEXT.len() / 8 * 8;
    assert_eq!(secret.len(), TEXT.len());
    assert_eq!(secret[whole..], TEXT[whole..], "the tail is plain");
    assert!(secret[..whole].chunks(8).zip(TEXT.chunks(8)).all(|(c, p)| c != p));

    let said = ok(&["decrypt", "--find-key", "--in", "a.ctx", "--ext", "found"], dir);
    assert!(said.contains("csgo"), "{said}");
    assert_eq!(std::fs::read(at("a.found")).expect("read"), TEXT);

    // In place, on a directory.
    std::fs::create_dir(at("d")).expect("made");
    std::fs::write(at("d/1"), TEXT).expect("written");
    std::fs::write(at("d/2"), b"short").expect("written");
    let key = ["--level", "2", "--key", "00112233445566778899aabbccddeeff"];
    ok(&[&["encrypt", "--in", "d", "--in-place"], &key[..]].concat(), dir);
    assert_ne!(std::fs::read(at("d/1")).expect("read"), TEXT);
    ok(&[&["decrypt", "--in", "d", "--in-place"], &key[..]].concat(), dir);
    assert_eq!(std::fs::read(at("d/1")).expect("read"), TEXT);
    assert_eq!(std::fs::read(at("d/2")).expect("read"), b"short");
    assert_eq!(std::fs::read_dir(at("d")).expect("read").count(), 2, "nothing is left behind");
}

/// A search goes on after files without a key and after files that cannot be read.
#[test]
fn a_search_looks_at_every_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    std::fs::write(dir.join("b.txt"), TEXT).expect("written");
    ok(&["encrypt", "--game", "tf2", "--in", "b.txt", "--out", "b.ctx"], dir);
    std::fs::write(dir.join("a.ctx"), [0x80; 64]).expect("written");
    let args = ["decrypt", "--find-key", "--in", "a.ctx", "--in", "b.ctx", "--ext", "found"];
    let output = ice(&args, dir);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("a.ctx"), "{output:?}");
    assert_eq!(std::fs::read(dir.join("b.found")).expect("read"), TEXT);
    std::fs::remove_file(dir.join("b.found")).expect("removed");
    let output = ice(&[&args[..], &["--in", "missing"]].concat(), dir);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing"), "{output:?}");
    assert_eq!(std::fs::read(dir.join("b.found")).expect("read"), TEXT);
}

/// In place: a link stays a link, permissions stay, and a file with two names is encrypted once.
#[test]
#[cfg(unix)]
fn in_place_keeps_what_is_not_content() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    std::fs::create_dir_all(dir.join("d")).expect("made");
    std::fs::write(dir.join("real"), TEXT).expect("written");
    std::fs::set_permissions(dir.join("real"), std::fs::Permissions::from_mode(0o640))
        .expect("permissions");
    std::os::unix::fs::symlink("../real", dir.join("d/link")).expect("linked");
    ok(&["encrypt", "--game", "tf2", "--in", "d", "--in", "real", "--in-place"], dir);
    let secret = std::fs::read(dir.join("real")).expect("read");
    assert_ne!(secret, TEXT);
    assert!(dir.join("d/link").is_symlink());
    let mode = std::fs::metadata(dir.join("real")).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    ok(&["decrypt", "--game", "tf2", "--in", "d/link", "--in-place"], dir);
    assert_eq!(std::fs::read(dir.join("real")).expect("read"), TEXT, "encrypted once");
    // Two inputs, one output.
    std::fs::write(dir.join("x.a"), TEXT).expect("written");
    std::fs::write(dir.join("x.b"), TEXT).expect("written");
    let args = ["encrypt", "--game", "tf2", "--in", "x.a", "--in", "x.b", "--ext", "c"];
    assert_eq!(ice(&args, dir).status.code(), Some(2));
    assert!(!dir.join("x.c").exists());
}

/// An extension is no path, and no input is written over by another's output, under any of its
/// names.
#[test]
fn outputs_beside_inputs_spare_them() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    for name in ["a.ctx", "a.txt", "b.txt"] {
        std::fs::write(dir.join(name), TEXT).expect("written");
    }
    let encrypt = ["encrypt", "--game", "tf2"];
    for (args, hint) in [
        (&["--in", "b.txt", "--ext", "txt"][..], "b.txt is an input"),
        (&["--in", "a.ctx", "--in", "./a.txt", "--ext", "txt"], "a.txt is an input"),
        (&["--in", "a.ctx", "--in", "./a.ctx", "--ext", "new"], "same name"),
        (&["--in", "a.ctx", "--ext", "x/y"], "--ext x/y"),
    ] {
        let text = examples::refused(&ice(&[&encrypt[..], args].concat(), dir));
        assert!(text.contains(hint), "{args:?}: {text}");
    }
    for name in ["a.ctx", "a.txt", "b.txt"] {
        assert_eq!(std::fs::read(dir.join(name)).expect("read"), TEXT, "{name}");
    }
    assert_eq!(std::fs::read_dir(dir).expect("read").count(), 3);
}

/// Files below a directory are its regular ones.
#[test]
#[cfg(unix)]
fn special_files_are_passed_over() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    std::fs::create_dir(dir.join("d")).expect("made");
    std::fs::write(dir.join("d/a"), TEXT).expect("written");
    let _socket = std::os::unix::net::UnixListener::bind(dir.join("d/s")).expect("a socket");
    ok(&["encrypt", "--game", "tf2", "--in", "d", "--in-place"], dir);
    assert_ne!(std::fs::read(dir.join("d/a")).expect("read"), TEXT);
    let named = ["encrypt", "--game", "tf2", "--in", "/dev/null", "--in-place"];
    assert!(examples::refused(&ice(&named, dir)).contains("no regular file"));
}

/// With --json there is one object for every answer.
#[test]
fn json_is_one_object() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    std::fs::write(dir.join("noise"), [0x80; 64]).expect("written");
    let games = examples::json(ice(&["--list-games", "--json"], dir));
    let game = |game: &serde_json::Value| game["name"] == "csgo" && game["key"] == "d7NSuLq2";
    assert!(games["games"].as_array().expect("an array").iter().any(game), "{games}");
    let output = ice(&["decrypt", "--find-key", "--json", "--in", "noise", "--ext", "x"], dir);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(answer["bytes"], 0);
    let both = ["encrypt", "--game", "tf2", "--in", "noise", "--out", "-", "--json"];
    assert!(examples::refused(&ice(&both, dir)).contains("stdout"));
}

#[test]
fn a_known_answer() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("p"), hex::decode("fedcba9876543210").expect("hex"))
        .expect("written");
    let args = ["encrypt", "--level", "1", "--key", "deadbeef01234567", "--in", "p", "--out", "-"];
    assert_eq!(hex::encode(ice(&args, directory.path()).stdout), "7d6ef1ef30d47a96");
}

#[test]
fn bad_requests_are_one_line_and_exit_code_two() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    std::fs::write(dir.join("a"), TEXT).expect("written");
    for (args, hint) in [
        (&["encrypt", "--in", "a", "--in-place"][..], "which key"),
        (&["encrypt", "--key", "00", "--in", "a", "--in-place"], "expected 8"),
        (&["encrypt", "--key", "xy", "--in", "a", "--in-place"], "hexadecimal"),
        (&["encrypt", "--level", "300", "--key", "00", "--in", "a", "--in-place"], "300"),
        (&["encrypt", "--game", "pong", "--in", "a", "--in-place"], "pong"),
        (&["encrypt", "--game", "tf2", "--in", "missing", "--in-place"], "missing"),
        (&["encrypt", "--game", "tf2", "--in", "a"], "where to"),
        (&["encrypt", "--game", "tf2", "--in-place"], "no input"),
        (&["encrypt", "--find-key", "--in", "a", "--in-place"], "level 0"),
    ] {
        let text = examples::refused(&ice(args, dir));
        assert!(text.contains(hint), "{args:?}: {text}");
    }
    assert_eq!(std::fs::read(dir.join("a")).expect("read"), TEXT, "untouched");
    // Text under no key: a negative answer.
    let noise: Vec<u8> =
        (0..4096_u32).map(|i| (i.wrapping_mul(2_654_435_769) >> 24) as u8).collect();
    std::fs::write(dir.join("noise"), noise).expect("written");
    let output = ice(&["decrypt", "--find-key", "--in", "noise", "--ext", "x"], dir);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}
