//! The example binaries as a script uses them: exit codes, one-line errors, no partial files.

use std::path::Path;

use tautochrone_testkit::examples::{SEED, names};

use crate::folder::Folder;

/// Refusals name what would work.
#[test]
fn refusals_give_advice() {
    let dir = &Folder::new();
    for (line, advice) in [
        (
            "prove --preset T1-128 --columns 5000 --statement s --proof p",
            "the preset is for fewer columns: `estimate --optimise",
        ),
        ("prove --exact 1024:1:0 --statement s --proof p", "LOW is above HIGH"),
        ("prove --exact-keys --columns 0 --statement s --proof p", ""),
        ("sample --sampler facct --sigma 1", "--sampler bitslice takes smaller ones"),
    ] {
        dir.refuses(line, advice);
    }
}

/// Beyond the search of the estimator only "more" is known.
#[test]
fn no_absurd_number_of_bits_is_printed() {
    let dir = &Folder::new();
    let dimensions = "estimate --w 64 --b 1 --l 64 --r 2000 --v 102000";
    let optimised = "estimate --optimise --w 64 --b 1 --l 64 --message-rows 100000";
    for text in [optimised, dimensions].map(|line| dir.ok(line)) {
        for word in text.split_whitespace() {
            let digits = word.chars().filter(char::is_ascii_digit).count();
            assert!(digits < 12, "{word} in {text}");
        }
    }
    let text = dir.ok(dimensions);
    assert!(text.contains(">= 1000 bits classical"), "{text}");
}

/// Weighed against proofs T is shorter, and a proof no shorter.
#[test]
fn parameters_are_weighed_for_a_number_of_proofs() {
    let dir = &Folder::new();
    let sizes = |more: &str| {
        let answer = dir.json(format!("estimate --optimise --l 4096 --message-rows 1024 {more}"));
        ["statement_bytes", "proof_bytes"].map(|name| answer[name].as_f64().expect("a number"))
    };
    let ([t, proof], [weighed, with]) = (sizes(""), sizes("--per-statement 1"));
    assert!(weighed < 0.95 * t && proof <= with && with < 1.03 * proof, "{weighed} {with}");
    dir.refuses("estimate --per-statement 1", "--optimise");
}

#[test]
fn programs_without_random_numbers_refuse_a_seed() {
    for line in [
        "verify --statement s --proof p",
        "estimate --list",
        "isa",
        "configure --sigma 3.2",
        "modexp --base 2 --exponent 3 --modulus 5",
    ] {
        Folder::new().refuses(format!("{line} --seed {SEED}"), "unexpected argument '--seed'");
    }
}

#[test]
fn bad_requests_leave_nothing_behind() {
    let dir = &Folder::new();
    // Witnesses out of bounds, found while T is being written, and of another length.
    dir.write("wide", vec![2_u8; 2600 * 8]);
    dir.write("short", vec![0_u8; 2600 * 8 - 1]);
    dir.write("params.toml", "w = 32\nq = 7\n");
    let before = names(dir);
    let toy = "--preset T1-128 --columns 8 --insecure";
    for (args, hint) in [
        ("--preset seed", "; --insecure goes on"),
        ("--preset nonsense", "T4-128"),
        ("--preset T1-128 --columns 0", "2^31"),
        ("--preset T1-128 --columns 1099511627776", "2^31"),
        ("--preset T1-128 --columns 18446744073709551615", "2^31"),
        ("--preset T1-128 --columns 99999999999999999999", "--columns"),
        ("--preset T1-128 --columns -1", "--columns"),
        ("--preset T1-128 --witness missing", "missing"),
        ("--params missing", "missing"),
        ("--params params.toml", "unknown field"),
        ("--isa sse9", "portable"),
        ("--seed 12", "64"),
        ("--threads 0", "1..=4096"),
        (&format!("{toy} --witness wide"), "row 0, column 0"),
        (&format!("{toy} --witness short"), "20800"),
    ] {
        dir.refuses(format!("prove {args} --statement s --proof p"), hint);
        assert_eq!(names(dir), before, "{args}");
    }
    for files in ["--statement - --proof p", "--statement s --proof -"] {
        dir.refuses(format!("prove --preset T1-128 {files}"), "needs a file name");
    }
    dir.refuses(format!("prove {toy} --statement no/s --proof p"), "no/s");
    assert_eq!(names(dir), before);
}

#[test]
fn estimate_lists_the_presets() {
    let dir = &Folder::new();
    let answer = dir.json("estimate --list");
    for preset in answer["presets"].as_array().expect("an array") {
        let secure = preset["name"] != "seed";
        assert_eq!(preset["secure"], secure, "{preset}");
        if secure {
            assert!(preset["sis_classical"].as_f64().expect("a number") >= 128.0);
            assert!(preset["hiding_classical"].as_f64().expect("a number") >= 128.0);
        }
    }
    dir.refuses("estimate", "say which parameters");
    dir.refuses("estimate --w 16", "");
    dir.ok("estimate --preset B4-128");
}

/// Every program, one for each directory and file of `examples`, but for a package of programs and a
/// workspace of its own.
fn programs() -> Vec<String> {
    let found = names(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples"));
    let programs = found.into_iter().filter(|name| name != "proofs" && name != "fhe");
    programs.map(|name| name.trim_end_matches(".rs").to_owned()).collect()
}

#[test]
fn help_is_help() {
    let dir = &Folder::new();
    let help = |name: &str| dir.ok(format!("{name} --help"));
    for name in programs() {
        let text = help(&name);
        let examples = text.split_once("\nExample").map_or("", |(_, examples)| examples);
        assert!(examples.contains(&format!("\n  {name} ")), "{name} --help shows an example");
        dir.refuses(format!("{name} --no-such-flag"), "--no-such-flag");
    }
    dir.refuses("commit_file", "commit, open, check");
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ice = words(help("ice"));
    assert!(ice.contains("The last 1 to 7 bytes of a file"), "they are not encrypted");
    assert!(words(help("sample")).contains("bimodal is -Z or Z + 1 with equal probability"));
}

#[test]
fn every_program_tells_its_version() {
    assert!(programs().len() > 12);
    for name in programs() {
        let text = Folder::new().ok(format!("{name} --version"));
        assert_eq!(text, format!("{name} {}\n", env!("CARGO_PKG_VERSION")));
    }
}
