//! The `modexp` example as a script uses it: results, exit codes, one-line errors.

use tautochrone_testkit::examples::code;

use crate::folder::Folder;

/// The line for a power; further flags may follow the modulus.
fn power(base: &str, exponent: &str, modulus: &str) -> String {
    format!("modexp --base '{base}' --exponent {exponent} --modulus {modulus}")
}

#[track_caller]
fn result(line: impl AsRef<str>) -> String {
    Folder::new().json(line)["result"].as_str().expect("a result").to_owned()
}

#[test]
fn powers_of_every_method_and_instruction_set() {
    // 3^5 = 243 is 13 modulo 23 and 3 modulo 48.
    let powers = [("17", 13), ("30", 3), ("1", 0)];
    for isa in ["portable", "auto"] {
        for (method, powers) in
            [("auto", &powers[..]), ("barrett", &powers), ("montgomery", &powers[..1])]
        {
            for (modulus, expected) in powers {
                let line = format!("{} --isa {isa} --method {method}", power("3", "5", modulus));
                assert_eq!(result(&line), format!("{expected:016x}"), "{line}");
            }
        }
    }
}

#[test]
fn widths_are_those_of_the_modulus_or_as_asked() {
    let wide = format!("{} --bits 128", power("2", "40", "10000000000000001"));
    // 2^64 = -1 modulo 2^64 + 1.
    assert_eq!(result(wide), format!("{:032x}", 1_u128 << 64));
    // So may a base be wider than the modulus, for which it makes room: 2^64 = 16 modulo 23.
    assert_eq!(result(power("10000000000000000", "1", "17")), format!("{:032x}", 6));
    // An exponent may be wider than the modulus: 2^(2^64) = (2^4)^(2^62) = 1 modulo 5.
    assert_eq!(result(power("2", "10000000000000000", "5")), format!("{:016x}", 1));
}

/// stdout has the result and nothing else, as `$(modexp ..)` wants it.
#[test]
fn results_stand_alone() {
    let output = Folder::new().output(power("3", "5", "17"));
    assert_eq!(output.stdout, format!("{:016x}\n", 13).into_bytes());
    assert!(String::from_utf8_lossy(&output.stderr).contains("ms per modexp, "));
}

/// Programs that measure say the median and the best of several rounds.
#[test]
fn measurements_have_a_median_and_a_best() {
    let dir = &Folder::new();
    for (line, rate) in [
        ("modexp bench --bits 512", "seconds_per_modexp"),
        ("ice bench --level 1 --bytes 65536", "bytes_per_second"),
        ("sample --sigma 2 --sampler bitslice --count 200000", "samples_per_second"),
    ] {
        let answer = dir.json(line);
        let [median, best] = [rate, &format!("best_{rate}")]
            .map(|name| answer[name].as_f64().unwrap_or_else(|| panic!("{line}: {name}")));
        let [least, most] =
            if rate.starts_with("seconds") { [best, median] } else { [median, best] };
        assert!(0.0 < least && least <= most, "{line}: {median}, {best}");
        let text = dir.output(line);
        let text = [text.stdout, text.stderr].concat();
        assert!(String::from_utf8_lossy(&text).contains(", at best "), "{line}");
    }
}

#[test]
fn refusals() {
    let dir = &Folder::new();
    for (line, hint) in [
        (power("3", "5", "0"), "zero"),
        (power("3", "5", "30 --method montgomery"), "odd"),
        (power("0xyz", "5", "17"), "character 2 is not a hexadecimal"),
        (power("", "5", "17"), "no hexadecimal digits"),
        // Wider than asked.
        (
            power("3", "5", "10000000000000000 --bits 64"),
            "does not fit 1 limbs of 64 bits; give more --bits",
        ),
        (power("3", "5", "17 --bits 100"), "multiple of 64"),
        ("modexp --base 3 --exponent 5".to_owned(), "--modulus"),
        (power("@/nonexistent/file", "5", "17"), "/nonexistent/file"),
    ] {
        dir.refuses(line, hint);
    }
}

/// 65536 bits and no more: the time grows with the third power of the width.
#[test]
fn wide_operands_are_refused() {
    let long = |digit: &str| format!("{}{digit}", "0".repeat(16383));
    assert_eq!(result(power(&long("3"), &long("5"), "17")), format!("{:016x}", 13));
    // 800 000 bits by a file: a command line holds less.
    let dir = &Folder::new();
    for digits in [16385, 200_000] {
        dir.write("wide", "f".repeat(digits));
        for (name, line) in [
            ("base", power("@wide", "5", "17")),
            ("exponent", power("3", "@wide", "17")),
            ("modulus", power("3", "5", "@wide")),
        ] {
            let hint = format!("--{name}: {digits} characters, expected at most 16384 digits");
            dir.refuses(line, &hint);
        }
    }
    dir.write("wide", job(&format!("0{}", long("1"))));
    let (_, error) = batch(dir, "wide");
    assert!(error.contains("line 1: modulus: 16385"), "{error}");
}

/// A line of a batch.
fn job(modulus: &str) -> String {
    format!("{{\"base\": \"3\", \"exponent\": \"5\", \"modulus\": \"{modulus}\"}}\n")
}

#[test]
fn batches() {
    let dir = &Folder::new();
    dir.write("jobs", [job("17"), job("30"), job("11111111111111111")].concat());
    let answer = dir.json("modexp --batch jobs");
    let results = [format!("{:016x}", 13), format!("{:016x}", 3), format!("{:032x}", 243)];
    assert_eq!(answer["results"], serde_json::json!(results));
    assert_eq!(answer["errors"], serde_json::json!([]));
    // As some editors begin a file, be it of lines or of one number; but not as UTF-16.
    dir.write("jobs", ["\u{feff}", &job("17")].concat());
    assert_eq!(dir.json("modexp --batch jobs")["results"][0], results[0]);
    let of_file = power("3", "5", "@jobs");
    dir.write("jobs", "\u{feff}17\r\n");
    assert_eq!(dir.json(&of_file)["result"], results[0]);
    let utf_16: Vec<u8> = "\u{feff}17".encode_utf16().flat_map(u16::to_le_bytes).collect();
    dir.write("jobs", utf_16);
    for line in [&of_file, "modexp --batch jobs"] {
        dir.refuses(line, "jobs: is UTF-16");
    }

    // A bad job fails alone, for any fault.
    for (bad, hint) in [
        (job("0").into_bytes(), "zero"),
        (job("xyz").into_bytes(), "modulus: "),
        (job("").into_bytes(), "no hexadecimal digits"),
        (b"{\"base\": 3}\n".to_vec(), "expected a string \"base\""),
        (b"[\"3\", \"5\", \"17\"]\n".to_vec(), "expected an object"),
        (b"3^5\n".to_vec(), "column"),
        (b"\xff\n".to_vec(), "column 1"),
    ] {
        let good = job("17").into_bytes();
        let lines = [b"\xef\xbb\xbf", &*good, b"\n", &bad, &job("30").into_bytes(), &bad].concat();
        dir.write("jobs", lines);
        let (text, error) = batch(dir, "jobs");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines[2]), ("000000000000000d", "0000000000000003"), "{text}");
        assert!(lines[1].starts_with("line 3: error: ") && lines[1].contains(hint), "{text}");
        assert!(lines[3].starts_with("line 5: error: "), "{text}");
        assert!(error.starts_with("error: jobs: line 3: ") && error.contains(hint), "{error}");
        let (code, answer) = dir.verdict("modexp --batch jobs");
        assert_eq!(code, 2);
        let results = serde_json::json!(["000000000000000d", null, "0000000000000003", null]);
        assert_eq!(answer["results"], results);
        assert_eq!(answer["errors"][0]["line"], 3);
        assert_eq!(answer["errors"][1]["line"], 5);
        assert!(answer["errors"][0]["error"].as_str().expect("text").contains(hint), "{answer}");
    }
}

/// The output of a batch with a bad line, and the line on stderr.
fn batch(dir: &Folder, name: &str) -> (String, String) {
    let output = dir.output(format!("modexp --batch {name}"));
    let error = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!((code(&output), error.lines().count()), (2, 1), "{error}");
    (String::from_utf8(output.stdout).expect("UTF-8"), error)
}
