//! The `modexp` example as a script uses it: results, exit codes, one-line errors.

use std::path::Path;

use tautochrone_testkit::examples::{self, json, run};

use crate::folder::Folder;

fn result(args: &[&str]) -> String {
    let answer = json(run("modexp", &[args, &["--json"]].concat(), Path::new(".")));
    answer["result"].as_str().expect("a result").to_owned()
}

fn refused(args: &[&str]) -> String {
    examples::refused(&run("modexp", args, Path::new(".")))
}

fn operands<'a>(base: &'a str, exponent: &'a str, modulus: &'a str) -> [&'a str; 6] {
    ["--base", base, "--exponent", exponent, "--modulus", modulus]
}

#[test]
fn powers_of_every_method_and_instruction_set() {
    // 3^5 = 243 is 13 modulo 23 and 3 modulo 48.
    for isa in ["portable", "auto"] {
        for method in ["auto", "barrett"] {
            let with =
                |m| [&operands("3", "5", m)[..], &["--isa", isa, "--method", method]].concat();
            assert_eq!(result(&with("17")), format!("{:016x}", 13));
            assert_eq!(result(&with("30")), format!("{:016x}", 3));
            assert_eq!(result(&with("1")), format!("{:016x}", 0));
        }
    }
    let odd = [&operands("3", "5", "17")[..], &["--method", "montgomery"]].concat();
    assert_eq!(result(&odd), format!("{:016x}", 13));
}

#[test]
fn widths_are_those_of_the_modulus_or_as_asked() {
    let wide = [&operands("2", "40", "10000000000000001")[..], &["--bits", "128"]].concat();
    // 2^64 = -1 modulo 2^64 + 1.
    assert_eq!(result(&wide), format!("{:032x}", 1_u128 << 64));
    // So may a base be wider than the modulus, for which it makes room: 2^64 = 16 modulo 23.
    assert_eq!(result(&operands("10000000000000000", "1", "17")), format!("{:032x}", 6));
    // An exponent may be wider than the modulus: 2^(2^64) = (2^4)^(2^62) = 1 modulo 5.
    assert_eq!(result(&operands("2", "10000000000000000", "5")), format!("{:016x}", 1));
}

/// stdout has the result and nothing else, as `$(modexp ..)` wants it.
#[test]
fn results_stand_alone() {
    let output = run("modexp", &operands("3", "5", "17"), Path::new("."));
    assert_eq!(output.stdout, format!("{:016x}\n", 13).into_bytes());
    assert!(String::from_utf8_lossy(&output.stderr).contains("ms per modexp, "));
}

/// Programs that measure say the median and the best of several rounds.
#[test]
fn measurements_have_a_median_and_a_best() {
    for (line, rate) in [
        ("modexp bench --bits 512", "seconds_per_modexp"),
        ("ice bench --level 1 --bytes 65536", "bytes_per_second"),
        ("pir bench --bytes 1048576", "answer_gigabytes_per_second"),
        ("sample --sigma 2 --sampler bitslice --count 200000", "samples_per_second"),
    ] {
        let (program, args) = line.split_once(' ').expect("arguments");
        let args: Vec<&str> = args.split(' ').chain(["--json"]).collect();
        let answer = json(run(program, &args, Path::new(".")));
        let [median, best] = [rate, &format!("best_{rate}")]
            .map(|name| answer[name].as_f64().unwrap_or_else(|| panic!("{line}: {name}")));
        let [least, most] =
            if rate.starts_with("seconds") { [best, median] } else { [median, best] };
        assert!(0.0 < least && least <= most, "{line}: {median}, {best}");
        let text = run(program, &args[..args.len() - 1], Path::new("."));
        let text = [text.stdout, text.stderr].concat();
        assert!(String::from_utf8_lossy(&text).contains(", at best "), "{line}");
    }
}

#[test]
fn refusals() {
    assert!(refused(&operands("3", "5", "0")).contains("zero"));
    let montgomery = [&operands("3", "5", "30")[..], &["--method", "montgomery"]].concat();
    assert!(refused(&montgomery).contains("odd"));
    assert!(refused(&operands("0xyz", "5", "17")).contains("character 2 is not a hexadecimal"));
    assert!(refused(&operands("", "5", "17")).contains("no hexadecimal digits"));
    // Wider than asked.
    let narrow = [&operands("3", "5", "10000000000000000")[..], &["--bits", "64"]].concat();
    assert!(refused(&narrow).contains("does not fit 1 limbs of 64 bits; give more --bits"));
    let ragged = [&operands("3", "5", "17")[..], &["--bits", "100"]].concat();
    assert!(refused(&ragged).contains("multiple of 64"));
    assert!(refused(&["--base", "3", "--exponent", "5"]).contains("--modulus"));
    assert!(refused(&operands("@/nonexistent/file", "5", "17")).contains("/nonexistent/file"));
}

/// 65536 bits and no more: the time grows with the third power of the width.
#[test]
fn wide_operands_are_refused() {
    let long = |digit: &str| format!("{}{digit}", "0".repeat(16383));
    assert_eq!(result(&operands(&long("3"), &long("5"), "17")), format!("{:016x}", 13));
    // 800 000 bits by a file: a command line holds less.
    let directory = Folder::new();
    let path = &directory.join("wide");
    let wide = format!("@{}", path.to_str().expect("UTF-8"));
    for digits in [16385, 200_000] {
        std::fs::write(path, "f".repeat(digits)).expect("writable");
        for (name, args) in [
            ("base", operands(&wide, "5", "17")),
            ("exponent", operands("3", &wide, "17")),
            ("modulus", operands("3", "5", &wide)),
        ] {
            let text = refused(&args);
            let hint = format!("--{name}: {digits} characters, expected at most 16384 digits");
            assert!(text.contains(&hint), "{text}");
        }
    }
    let line =
        format!("{{\"base\": \"3\", \"exponent\": \"5\", \"modulus\": \"0{}\"}}\n", long("1"));
    std::fs::write(path, line).expect("writable");
    let (_, error) = batch(path.to_str().expect("UTF-8"));
    assert!(error.contains("line 1: modulus: 16385"), "{error}");
}

#[test]
fn batches() {
    let directory = Folder::new();
    let file = &directory.join("jobs");
    let path = file.to_str().expect("UTF-8");
    let line =
        |m: &str| format!("{{\"base\": \"3\", \"exponent\": \"5\", \"modulus\": \"{m}\"}}\n");
    std::fs::write(file, [line("17"), line("30"), line("11111111111111111")].concat())
        .expect("writable");
    let answer = json(run("modexp", &["--batch", path, "--json"], Path::new(".")));
    assert_eq!(answer["results"][0], format!("{:016x}", 13));
    assert_eq!(answer["results"][1], format!("{:016x}", 3));
    assert_eq!(answer["results"][2], format!("{:032x}", 243));
    assert_eq!(answer["errors"], serde_json::json!([]));
    // As some editors begin a file, be it of lines or of one number; but not as UTF-16.
    std::fs::write(file, ["\u{feff}", &line("17")].concat()).expect("writable");
    let answer = json(run("modexp", &["--batch", path, "--json"], Path::new(".")));
    assert_eq!(answer["results"][0], format!("{:016x}", 13));
    std::fs::write(file, "\u{feff}17\r\n").expect("writable");
    let modulus = format!("@{path}");
    assert_eq!(result(&operands("3", "5", &modulus)), format!("{:016x}", 13));
    let utf_16: Vec<u8> = "\u{feff}17".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(file, utf_16).expect("writable");
    assert!(refused(&operands("3", "5", &modulus)).contains("jobs: is UTF-16"));
    assert!(refused(&["--batch", path]).contains("jobs: is UTF-16"));

    // A bad job fails alone, for any fault.
    for (bad, hint) in [
        (line("0").into_bytes(), "zero"),
        (line("xyz").into_bytes(), "modulus: "),
        (line("").into_bytes(), "no hexadecimal digits"),
        (b"{\"base\": 3}\n".to_vec(), "expected a string \"base\""),
        (b"[\"3\", \"5\", \"17\"]\n".to_vec(), "expected an object"),
        (b"3^5\n".to_vec(), "column"),
        (b"\xff\n".to_vec(), "column 1"),
    ] {
        let good = line("17").into_bytes();
        let lines = [b"\xef\xbb\xbf", &*good, b"\n", &bad, &line("30").into_bytes(), &bad].concat();
        std::fs::write(file, lines).expect("writable");
        let (text, error) = batch(path);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines[2]), ("000000000000000d", "0000000000000003"), "{text}");
        assert!(lines[1].starts_with("line 3: error: ") && lines[1].contains(hint), "{text}");
        assert!(lines[3].starts_with("line 5: error: "), "{text}");
        assert!(error.starts_with(&format!("error: {path}: line 3: ")), "{error}");
        assert!(error.contains(hint), "{error}");
        let output = run("modexp", &["--batch", path, "--json"], Path::new("."));
        assert_eq!(examples::code(&output), 2);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
        let results = serde_json::json!(["000000000000000d", null, "0000000000000003", null]);
        assert_eq!(answer["results"], results);
        assert_eq!(answer["errors"][0]["line"], 3);
        assert_eq!(answer["errors"][1]["line"], 5);
        assert!(answer["errors"][0]["error"].as_str().expect("text").contains(hint), "{answer}");
    }
}

/// The output of a batch with a bad line, and the line on stderr.
fn batch(path: &str) -> (String, String) {
    let output = run("modexp", &["--batch", path], Path::new("."));
    let error = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!((examples::code(&output), error.lines().count()), (2, 1), "{error}");
    (String::from_utf8(output.stdout).expect("UTF-8"), error)
}
