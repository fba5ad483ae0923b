//! The example binaries as a script uses them: exit codes, one-line errors, no partial files.

use std::path::{Path, PathBuf};

use tautochrone_testkit::examples::{self, SEED, code, json, run};

use crate::folder::Folder;

/// Asserts exit code 2 and one line on stderr; returns the line.
pub(crate) fn refused(name: &str, args: &[&str], directory: &Path) -> String {
    examples::refused(&run(name, args, directory))
}

pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("readable")
        .map(|e| e.expect("an entry").file_name().into())
        .collect();
    names.sort();
    names
}

/// Refusals name what would work.
#[test]
fn refusals_give_advice() {
    let dir = &Folder::new();
    let files = ["--statement", "s", "--proof", "p"];
    let prove = |args: &[&str]| refused("prove", &[args, &files].concat(), dir);
    let many = prove(&["--preset", "T1-128", "--columns", "5000"]);
    assert!(many.contains("the preset is for fewer columns: `estimate --optimise"), "{many}");
    let range = prove(&["--exact", "1024:1:0"]);
    assert!(range.contains("LOW is above HIGH"), "{range}");
    let owner = refused("lwe_keys", &[&["--owner", ""][..], &files].concat(), dir);
    assert!(owner.contains("--owner"), "{owner}");
    let narrow = refused("sample", &["--sampler", "facct", "--sigma", "1"], dir);
    assert!(narrow.contains("--sampler bitslice takes smaller ones"), "{narrow}");
    let tiers = String::from_utf8(run("isa", &[], dir).stdout).expect("UTF-8");
    assert!(tiers.starts_with("portable     no more than every CPU has\n"), "{tiers}");
}

/// Beyond the search of the estimator only "more" is known.
#[test]
fn no_absurd_number_of_bits_is_printed() {
    let directory = Folder::new();
    let goal = ["--optimise", "--w", "64", "--b", "1", "--l", "64", "--message-rows", "100000"];
    let dimensions = ["--w", "64", "--b", "1", "--l", "64", "--r", "2000", "--v", "102000"];
    for args in [&goal[..], &dimensions] {
        let text = examples::ok(run("estimate", args, &directory));
        for word in text.split_whitespace() {
            let digits = word.chars().filter(char::is_ascii_digit).count();
            assert!(digits < 12, "{word} in {text}");
        }
    }
    let text = examples::ok(run("estimate", &dimensions, &directory));
    assert!(text.contains(">= 1000 bits classical"), "{text}");
}

/// Weighed against proofs T is shorter, and a proof no shorter.
#[test]
fn parameters_are_weighed_for_a_number_of_proofs() {
    let directory = Folder::new();
    let goal = ["--optimise", "--l", "4096", "--message-rows", "1024", "--json"];
    let sizes = |more: &[&str]| {
        let args = [&goal[..], more].concat();
        let answer = json(run("estimate", &args, &directory));
        ["statement_bytes", "proof_bytes"].map(|name| answer[name].as_f64().expect("a number"))
    };
    let ([t, proof], [weighed, with]) = (sizes(&[]), sizes(&["--per-statement", "1"]));
    assert!(weighed < 0.95 * t && proof <= with && with < 1.03 * proof, "{weighed} {with}");
    let line = refused("estimate", &["--per-statement", "1"], &directory);
    assert!(line.contains("--optimise"), "{line}");
}

#[test]
fn programs_without_random_numbers_refuse_a_seed() {
    let directory = Folder::new();
    let verify = ["--statement", "s", "--proof", "p"];
    for (name, args) in [
        ("verify", &verify[..]),
        ("estimate", &["--list"]),
        ("isa", &[]),
        ("configure", &["--sigma", "3.2"]),
        ("modexp", &["--base", "2", "--exponent", "3", "--modulus", "5"]),
    ] {
        let line = refused(name, &[args, &["--seed", SEED]].concat(), &directory);
        assert!(line.contains("unexpected argument '--seed'"), "{line}");
    }
}

#[test]
fn bad_requests_leave_nothing_behind() {
    let dir = &Folder::new();
    let prove = |args: &[&str]| {
        refused("prove", &[args, &["--statement", "s", "--proof", "p"]].concat(), dir)
    };
    assert!(prove(&["--preset", "seed"]).contains("; --insecure goes on"));
    for (statement, proof) in [("-", "p"), ("s", "-")] {
        let files = ["--preset", "T1-128", "--statement", statement, "--proof", proof];
        assert!(refused("prove", &files, dir).contains("needs a file name"));
        let keys = ["--owner", "a", "--statement", statement, "--proof", proof];
        assert!(refused("lwe_keys", &keys, dir).contains("needs a file name"));
    }
    assert!(prove(&["--preset", "nonsense"]).contains("T4-128"));
    assert!(prove(&["--preset", "T1-128", "--columns", "0"]).contains("2^31"));
    assert!(prove(&["--preset", "T1-128", "--witness", "missing"]).contains("missing"));
    assert!(prove(&["--params", "missing"]).contains("missing"));
    assert!(prove(&["--isa", "sse9"]).contains("portable"));
    assert!(prove(&["--seed", "12"]).contains("64"));
    assert!(prove(&["--threads", "0"]).contains("1..=4096"));
    dir.write("params.toml", "w = 32\nq = 7\n");
    assert!(prove(&["--params", "params.toml"]).contains("unknown field"));
    std::fs::remove_file(dir.join("params.toml")).expect("removable");

    // A witness out of bounds, found while T is being written.
    dir.write("w", vec![2_u8; 2600 * 8]);
    let line = prove(&["--preset", "T1-128", "--columns", "8", "--insecure", "--witness", "w"]);
    assert!(line.contains("row 0, column 0"), "{line}");
    dir.write("w", vec![0_u8; 2600 * 8 - 1]);
    let line = prove(&["--preset", "T1-128", "--columns", "8", "--insecure", "--witness", "w"]);
    assert!(line.contains("20800"), "{line}");
    std::fs::remove_file(dir.join("w")).expect("removable");
    assert_eq!(files(dir), Vec::<PathBuf>::new());
    let args = [
        "--preset",
        "T1-128",
        "--columns",
        "8",
        "--insecure",
        "--statement",
        "no/s",
        "--proof",
        "p",
    ];
    refused("prove", &args, dir);
    assert_eq!(files(dir), Vec::<PathBuf>::new());
}

#[test]
fn estimate_lists_the_presets() {
    let directory = Folder::new();
    let answer = json(run("estimate", &["--list", "--json"], &directory));
    for preset in answer["presets"].as_array().expect("an array") {
        let secure = preset["name"] != "seed";
        assert_eq!(preset["secure"], secure, "{preset}");
        if secure {
            assert!(preset["sis_classical"].as_f64().expect("a number") >= 128.0);
            assert!(preset["hiding_classical"].as_f64().expect("a number") >= 128.0);
        }
    }
    refused("estimate", &[], &directory);
    refused("estimate", &["--w", "16"], &directory);
    assert_eq!(code(&run("estimate", &["--preset", "B4-128"], &directory)), 0);
}

#[test]
fn help_is_help() {
    let directory = Folder::new();
    for name in [
        "prove",
        "verify",
        "estimate",
        "sample",
        "configure",
        "matmul",
        "modexp",
        "ice",
        "keys",
        "lwe_keys",
        "circuit",
        "commit_file",
        "rollup",
        "ziggurat_tables",
        "isa",
    ] {
        let output = run(name, &["--help"], &directory);
        assert_eq!(code(&output), 0);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let examples = text.split_once("\nExample").map_or("", |(_, examples)| examples);
        assert!(examples.contains(&format!("\n  {name} ")), "{name} --help shows an example");
        assert!(refused(name, &["--no-such-flag"], &directory).contains("--no-such-flag"));
    }
    assert!(refused("commit_file", &[], &directory).contains("commit, open, check"));
    let help = |name| {
        let text = examples::ok(run(name, &["--help"], &directory));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(help("ice").contains("The last 1 to 7 bytes of a file"), "they are not encrypted");
    assert!(help("sample").contains("bimodal is -Z or Z + 1 with equal probability"));
}

/// Every program, one for each directory and file of `examples`.
const PROGRAMS: [&str; 16] = [
    "circuit",
    "commit_file",
    "configure",
    "estimate",
    "ice",
    "isa",
    "keys",
    "lwe_keys",
    "matmul",
    "modexp",
    "pir",
    "prove",
    "rollup",
    "sample",
    "verify",
    "ziggurat_tables",
];

#[test]
fn every_program_tells_its_version() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let names = files(&examples).into_iter().map(|name| name.with_extension(""));
    // Neither a package of programs nor a workspace of its own is one.
    let packages = [Path::new("proofs"), Path::new("fhe")];
    let stems: Vec<PathBuf> = names.filter(|name| !packages.contains(&&**name)).collect();
    assert_eq!(stems, PROGRAMS.map(PathBuf::from));
    for name in PROGRAMS {
        let text = examples::ok(run(name, &["--version"], Path::new(".")));
        assert_eq!(text, format!("{name} {}\n", env!("CARGO_PKG_VERSION")));
    }
}
