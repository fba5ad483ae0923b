//! Lists and folders of ML-KEM and FrodoKEM keys, in every form that files have them in: proved,
//! verified without secret keys, and refused where anything differs.

use std::path::Path;
use std::process::Command;

use tautochrone_testkit::examples::{SEED, names, ok};
use tautochrone_zk_keys::{RingList, Small, prove};

use crate::folder::Folder;

const FILES: &str = "--statement s --proof p";
const FOLDER: &str = "--set ML-KEM-512 --ml-kem certs --purpose \"it's 2026\"";
/// The bytes in DER before the key and before its seed.
const PUBLIC: &str = "30820332300b06096086480165030404010382032100";
const PRIVATE: &str = "3054020100300b06096086480165030404010442 8040";

fn vector(name: &str) -> Vec<u8> {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/kem-keys/tests/vectors");
    std::fs::read(vectors.join(name)).expect("a vector")
}

/// d with z, and the expanded key, of a known answer in which the public key stands.
fn known_answer() -> (Vec<u8>, Vec<u8>) {
    let text = String::from_utf8(vector("ml-kem-512.txt")).expect("UTF-8");
    let lines: Vec<Vec<u8>> = text.lines().filter_map(|line| hex::decode(line).ok()).collect();
    ([&lines[0][..], &lines[1]].concat(), lines[2].clone())
}

fn header(digits: &str) -> Vec<u8> {
    hex::decode(digits.replace(' ', "")).expect("hexadecimal")
}

/// A folder `certs` of four keys: PEM; the standard encoding with a seed and expanded; DER.
fn folder() -> Folder {
    let directory = Folder::new();
    let certs = &directory.join("certs");
    std::fs::create_dir(certs).expect("writable");
    let (seed, expanded) = known_answer();
    let public = &expanded[768..1568];
    for (name, bytes) in [
        ("alice.pub", vector("ml-kem-512.pub")),
        ("alice.priv", vector("ml-kem-512-both.priv")),
        ("bob.pub", public.to_vec()),
        ("bob.priv", seed.clone()),
        ("carol x.pub", public.to_vec()),
        ("carol x.priv", expanded.clone()),
        ("dave.pub", [&header(PUBLIC)[..], public].concat()),
        ("dave.priv", [&header(PRIVATE)[..], &seed].concat()),
        ("notes.txt", b"no key".to_vec()),
    ] {
        std::fs::write(certs.join(name), bytes).expect("writable");
    }
    directory
}

/// The line accepts the files where there are no secret keys, and nothing else does.
#[test]
fn folders_are_proved_and_verified_without_secrets() {
    let dir = &folder();
    let answer = dir.json(format!("keys prove {FOLDER} {FILES}"));
    assert_eq!((&answer["keys"], &answer["set"]), (&4.into(), &"ML-KEM-512".into()));
    for name in ["alice", "bob", "carol x", "dave"] {
        dir.remove(&format!("certs/{name}.priv"));
    }
    let line = answer["verify"].as_str().expect("a line");
    assert_eq!(
        line,
        "keys verify --set ML-KEM-512 --ml-kem certs --purpose 'it'\\''s 2026' --statement s \
         --proof p --require keys:4"
    );
    assert_eq!(dir.run_line(line), 0);
    assert_eq!(dir.run_line(&line.replace("2026", "2027")), 1);
    assert_eq!(dir.run_line(&line.replace("keys:4", "keys:5")), 1);
    assert_eq!(dir.run_line(&line.replace("-512", "-768")), 2, "keys of another set");
    let verify = &format!("keys verify {FOLDER} {FILES}");
    let text = dir.ok(verify);
    assert!(text.starts_with("valid: all 4 keys of ML-KEM-512 are well formed, exactly, "));
    assert!(text.contains("for \"it's 2026\" knows the secrets of all of them\n"), "{text}");
    assert!(text.contains("\nnot shown: that secrets are random"), "{text}");

    let verdict = |more: &str| {
        let (code, verdict) = dir.verdict(format!("{verify} {more}"));
        assert_eq!(verdict["valid"], code == 0);
        (code, verdict)
    };
    let orders = [
        ("alice\nbob\ncarol x\ndave\n", 0, ""),
        ("\u{feff}# in order\r\nalice\r\n\r\nbob\r\ncarol x\r\ndave", 0, ""),
        ("bob\nalice\ncarol x\ndave", 1, "other keys, or another order"),
        // These three are one key.
        ("alice\ncarol x\nbob\ndave", 1, "other identities"),
        ("alice\nbob\ncarol x", 1, "other keys"),
        ("alice\nbob\ncarol x\ndave\ndave", 1, "other keys"),
    ];
    for (names, expected, reason) in orders {
        dir.write("ids", names);
        let (code, verdict) = verdict("--ids ids");
        assert_eq!(code, expected, "{names}: {verdict}");
        assert!(verdict["reason"].as_str().unwrap_or_default().contains(reason), "{verdict}");
    }
    let (code, unmet) = verdict("--require keys:5");
    assert_eq!((code, &unmet["unmet"]), (1, &"keys:5".into()));
    dir.refuses(format!("{verify} --require 5"), "keys:64");
    dir.remove("certs/dave.pub");
    assert_eq!(verdict("").0, 1);
    std::fs::copy(dir.join("certs/bob.pub"), dir.join("certs/dave.pub")).expect("there");
    assert_eq!(verdict("").0, 0, "the same key in another form");
    // A file of another kind gives no verdict.
    for (statement, proof, named) in [("p", "p", "p: statement"), ("s", "s", "s: proof")] {
        let files = format!("--statement {statement} --proof {proof}");
        dir.refuses(format!("keys verify {FOLDER} {files}"), named);
    }
    // `verify` knows of the keys a digest alone.
    let line = dir.refuses(format!("verify {FILES}"), "; `keys verify` checks it");
    assert!(line.contains("p: the proof is about a circuit or public keys"), "{line}");
}

/// Nor does `verify` of keys and ciphertexts of homomorphic encryption, over either field.
#[test]
fn verify_says_what_checks_lists_over_rings() {
    let dir = &Folder::new();
    let zeros = [0; 64];
    for prime in [786_433, (1 << 60) - 16_383] {
        let mut list = RingList::rlwe(64, &[prime], Small::TERNARY, Small::TERNARY, b"");
        let list = list.as_mut().expect("in range");
        list.push_key(b"", &[vec![1; 64]], &[vec![0; 64]]).expect("canonical");
        let secret = list.rlwe_secret(&zeros, &zeros).expect("zeros");
        let proof = prove(list, &[secret]).expect("well formed");
        dir.write("s", &proof.statement);
        dir.write("p", &proof.proof);
        let about = "p: the proof is about a circuit or public keys";
        let line = dir.refuses(format!("verify {FILES}"), about);
        assert!(line.ends_with("`verify` of the crate tautochrone-zk-keys does"), "{line}");
    }
}

/// A list names files relative to its own folder; secrets stay out of what a verifier gets.
#[test]
fn lists_name_identities_and_files() {
    let dir = &folder();
    let list = "# who\tpublic\tsecret\n\nbob@x.org, Bob\tbob.pub\tbob.priv\n\
                alice\t../certs/alice.pub\talice.priv\n";
    dir.write("certs/list", list);
    dir.write("public", list.replace("\tbob", "\tcerts/bob").replace("../", ""));
    let flags = format!("--set ml-kem-512 --purpose '' {FILES}");
    let seeded = format!("keys prove {flags} --ids certs/list --seed {SEED} --isa portable");
    let text = dir.ok(&seeded);
    let line = text.lines().find_map(|line| line.strip_prefix("to check   ")).expect("a line");
    assert!(line.contains("--ids certs/list --purpose '' "), "{line}");
    let statement = dir.read("s");
    dir.ok(format!("{seeded} --threads 1"));
    assert!(dir.read("s") == statement, "by one seed");
    dir.remove("certs/bob.priv");
    dir.remove("certs/alice.priv");
    assert_eq!(dir.run_line(line), 0);
    dir.ok(format!("keys verify {flags} --ids public"));
    let two = "bob@x.org, Bob\tcerts/bob.pub\nalice\tcerts/alice.pub";
    dir.write("two", two);
    dir.ok(format!("keys verify {flags} --ids two"));
    let missing = "two: line 1: expected the file of the secret key in a third";
    dir.refuses(format!("keys prove {flags} --ids two"), missing);
}

/// A key of s = e = 0, which is well formed.
#[test]
fn frodo_keys_are_proved() {
    let dir = &Folder::new();
    let script = "import hashlib\n\
        pk = bytes(range(16)) + bytes(9600)\n\
        sk = bytes(16) + pk + bytes(2 * 8 * 640) + hashlib.shake_128(pk).digest(16)\n\
        open('pk', 'wb').write(pk); open('sk', 'wb').write(sk)\n\
        open('list', 'w').write('zero\\tpk\\tsk\\n')";
    let python = Command::new("python3").args(["-c", script]).current_dir(dir).output();
    ok(python.expect("python3"));
    let flags = format!("--set FrodoKEM-640-SHAKE --ids list --purpose 'round 7' {FILES}");
    dir.ok(format!("keys prove {flags}"));
    let text = dir.ok(format!("keys verify {flags} --require keys:1"));
    assert!(text.starts_with("valid: the key of FrodoKEM-640-SHAKE is well formed"), "{text}");
    // Another matrix A.
    assert_eq!(dir.code(format!("keys verify {}", flags.replace("SHAKE", "AES"))), 1);
    dir.refuses(format!("keys prove {}", flags.replace("--ids list", "--ml-kem .")), "give --ids");
}

/// Every refusal names file, line and what was expected, and nothing is written.
#[test]
fn other_keys_and_lists_are_refused() {
    let dir = &folder();
    let (seed, expanded) = known_answer();
    let public = expanded[768..1568].to_vec();
    let pem = vector("ml-kem-512.pub");
    let changed = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 0xff;
        bytes
    };
    dir.write("certs/list", b"");
    let before = names(dir);
    let refuse = |args: &str, why: &str| {
        dir.refuses(format!("keys prove --set ML-KEM-512 --purpose x {FILES} {args}"), why);
        assert_eq!(names(dir), before, "{why}");
    };
    let files: [(&str, &[u8], &str); 16] = [
        ("bob.pub", b"", "the public key has 0 bytes, expected 800"),
        ("bob.pub", &public[1..], "the public key has 799 bytes, expected 800"),
        ("bob.pub", &[0xff; 800], "coefficient 0 of the encapsulation key is 4095"),
        ("bob.pub", &vector("ml-kem-768.pub"), "the public key has 1184 bytes, expected 800"),
        ("bob.pub", &vector("ml-kem-512-seed.priv"), "-----BEGIN PUBLIC KEY-----"),
        ("bob.pub", &changed(&pem, 100), "-----BEGIN PUBLIC KEY-----"),
        ("bob.pub", &[&header(PUBLIC)[..], &public[1..]].concat(), "not the DER of an ML-KEM"),
        ("bob.pub", &vec![0; (1 << 20) + 1], "has over 1048576 bytes"),
        ("bob.pub", &vector("ml-kem-512.pub"), "bob.priv: the secret key belongs to another"),
        ("bob.priv", b"", "the secret key has 0 bytes, expected 1632 (64 as a seed)"),
        ("bob.priv", &changed(&seed, 0), "the secret key belongs to another public key"),
        ("bob.priv", &changed(&expanded, 0), "a coefficient of the secret is not from -3 to 3"),
        ("bob.priv", &changed(&expanded, 1600 - 32), "the hash of the public key"),
        ("bob.priv", &vector("ml-kem-512-both.priv"), "the secret key belongs to another"),
        ("bob.priv", &pem, "-----BEGIN PRIVATE KEY-----"),
        ("bob.priv", &changed(&[&header(PRIVATE)[..], &seed].concat(), 3), "not the DER of a"),
    ];
    dir.write("certs/list", b"\nbob\tbob.pub\tbob.priv");
    for (name, bytes, why) in files {
        let name = format!("certs/{name}");
        let old = dir.read(&name);
        dir.write(&name, bytes);
        let place = if why.contains("bob.priv") { why.to_owned() } else { format!("{name}: ") };
        refuse("--ml-kem certs", why);
        refuse("--ml-kem certs", &place);
        refuse("--ids certs/list", &format!("certs/list: line 2: certs/{}", &name[6..9]));
        refuse("--ids certs/list", why);
        dir.write(&name, &old);
    }
    dir.remove("certs/carol x.priv");
    refuse("--ml-kem certs", "certs/carol x.priv: ");

    let columns = "expected identity, file of the public key and file of the secret key, with tabs";
    for (list, why) in [
        (&b"# nobody\n \n"[..], "certs/list: has no keys; expected one a line"),
        (b"bob", columns),
        (b"bob bob.pub bob.priv", columns),
        (b"bob\t\tbob.pub\tbob.priv", columns),
        (b"\tbob.pub\tbob.priv", columns),
        (b"bob\tbob.pub\tbob.priv\t", columns),
        (b"bob\tbob.pub\tbob.priv\tx", columns),
        (b"bob\tgone.pub\tbob.priv", "certs/list: line 1: certs/gone.pub: "),
        (b"bob\tbob.pub\t.", "certs/list: line 1: certs/.: "),
        (b"bob\tbob.pub\xff", "certs/list: is not UTF-8"),
        (b"\xff\xfeb\0", "certs/list: is UTF-16"),
    ] {
        dir.write("certs/list", list);
        refuse("--ids certs/list", why);
    }
    for name in ["../certs/bob", "/bob", ".", "..", "bob/"] {
        dir.write("certs/list", format!("bob\n{name}").as_bytes());
        let why = "certs/list: line 2: expected the NAME of a file NAME.pub";
        refuse("--ml-kem certs --ids certs/list", why);
    }
    dir.write("certs/list", b"eve");
    refuse("--ml-kem certs --ids certs/list", "certs/list: line 1: certs/eve.pub: ");
    refuse("--ml-kem gone", "gone: ");
    refuse("--ml-kem .", ".: has no keys; expected files NAME.pub");
    refuse("", "--ids");
    let other = format!("keys prove {FOLDER} {FILES}").replace("512", "513");
    dir.refuses(other, "no parameter set ML-KEM-513");
}

/// No output takes the place of a key.
#[test]
fn keys_are_no_outputs() {
    let dir = &folder();
    let before = names(&dir.join("certs"));
    dir.write("list", "bob\tcerts/bob.pub\tcerts/bob.priv\n");
    let secret = dir.read("certs/bob.priv");
    for files in
        ["--statement certs/bob.priv --proof p", "--statement s --proof ./certs/../certs/bob.pub"]
    {
        for (flag, source) in [("--ml-kem", "certs"), ("--ids", "list")] {
            let line = format!("keys prove --set ML-KEM-512 --purpose x {flag} {source} {files}");
            dir.refuses(line, &format!("{flag} and --"));
        }
    }
    let prove = format!("keys prove {FOLDER}");
    dir.refuses(format!("{prove} --statement no/s --proof p"), "error: no/s: ");
    dir.refuses(format!("{prove} --statement s --proof -"), "--proof needs a file name");
    assert_eq!(
        (names(dir), names(&dir.join("certs"))),
        (vec!["certs".into(), "list".into()], before)
    );
    assert_eq!(dir.read("certs/bob.priv"), secret);
}
