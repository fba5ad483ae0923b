//! The `matmul` example: files in and out, its check, its refusals.

use std::io::Write as _;
use std::process::Stdio;

use tautochrone_testkit::examples::{SEED, command};

use crate::folder::Folder;

/// Reproducible bytes.
fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let step = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    (0..len).map(step).collect()
}

/// Little-endian words of `size` bytes, extended with zeros or their sign.
fn words(bytes: &[u8], size: usize, signed: bool) -> Vec<u64> {
    let extend = |chunk: &[u8]| {
        let fill = if signed && chunk[size - 1] >> 7 == 1 { 255 } else { 0 };
        let mut word = [fill; 8];
        word[..size].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    bytes.chunks_exact(size).map(extend).collect()
}

/// Z from the definition: X row after row, Y and Z column after column.
fn product(x: &[u64], y: &[u64], (m, k, n): (usize, usize, usize)) -> Vec<u64> {
    let entry = |j: usize, i: usize| {
        (0..k).fold(0_u64, |sum, t| sum.wrapping_add(x[i * k + t].wrapping_mul(y[j * k + t])))
    };
    (0..n).flat_map(|j| (0..m).map(move |i| (j, i))).map(|(j, i)| entry(j, i)).collect()
}

#[test]
fn files_are_multiplied_by_the_definition() {
    let dir = &Folder::new();
    let shape @ (m, k, n) = (5, 17, 3);
    for (w, size) in [("8", 1), ("16", 2), ("32", 4), ("64", 8)] {
        // Y as words, and as signed entries of 8 bits.
        for narrow in [false, true] {
            let y_size = if narrow { 1 } else { size };
            let (x, y) = (bytes(m * k * size, 1), bytes(k * n * y_size, 2));
            dir.write("x", &x);
            dir.write("y", &y);
            let bits = if narrow { "--y-bits 8" } else { "" };
            let files = "--x x --y y --z z --check";
            let answer = dir.json(format!("matmul --w {w} --m 5 --k 17 --n 3 {files} {bits}"));
            assert_eq!(answer["correct"], true, "{answer}");
            let z = dir.read("z");
            let want = product(&words(&x, size, false), &words(&y, y_size, narrow), shape);
            let want: Vec<u8> =
                want.iter().flat_map(|z| z.to_le_bytes()[..size].to_vec()).collect();
            assert_eq!(z, want, "w = {w}, narrow: {narrow}");
            assert_eq!(answer["z_blake3"], blake3::hash(&want).to_hex().as_str());
        }
    }
}

/// A seed fixes Z, on every instruction set.
#[test]
fn a_seed_fixes_the_product() {
    let dir = &Folder::new();
    let line = format!("matmul --m 65 --k 130 --n 33 --seed {SEED} --check");
    for narrow in ["", "--x-bits 37 --y-bits 2"] {
        for w in [8, 16, 32, 64] {
            let line = format!("{line} {narrow} --w {w}");
            let want = dir.json(format!("{line} --isa portable --threads 1"));
            let got = dir.json(format!("{line} --threads 2"));
            assert_eq!(got["z_blake3"], want["z_blake3"], "{line}");
            assert_eq!((&got["correct"], &got["w"]), (&true.into(), &w.into()));
            for field in ["m", "k", "n", "gmacs_per_second", "seconds", "isa", "threads"] {
                assert!(!got[field].is_null(), "{field}: {got}");
            }
        }
    }
    let text = dir.ok(format!("{line} --w 8"));
    assert!(text.contains("equal to the portable product"), "{text}");
}

#[test]
fn standard_input_and_output_carry_a_matrix() {
    let dir = &Folder::new();
    dir.write("y", [3, 5]);
    let mut child = command("matmul --w 8 --m 1 --k 2 --n 1 --x - --y y --z -")
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("built");
    child.stdin.take().expect("a pipe").write_all(&[100, 7]).expect("open");
    let output = child.wait_with_output().expect("ended");
    assert!(output.status.success());
    // 300 + 35 = 335 = 79 modulo 256.
    assert_eq!(output.stdout, [79]);
}

#[test]
fn empty_products_are_products() {
    let dir = &Folder::new();
    // Nothing is allocated or looped over for an inner dimension that no entry has.
    let huge = 1_u64 << 62;
    for (m, k, n) in [(0, 5, 5), (5, 0, 5), (5, 5, 0), (0, 0, 0), (0, huge, 0)] {
        let answer = dir.json(format!("matmul --m {m} --k {k} --n {n} --check"));
        assert_eq!(answer["correct"], true, "{answer}");
    }
}

#[test]
fn refusals_say_what_would_work() {
    let dir = &Folder::new();
    dir.write("short", bytes(31, 1));
    dir.write("right", bytes(32, 1));
    dir.write("long", bytes(33, 1));
    dir.write("empty", []);
    dir.write("wide", [0, 1, 2, 7, 8, 0, 0, 0]);
    dir.write("z", "an older product");
    std::fs::create_dir(dir.join("directory")).expect("made");
    let huge = u64::MAX.to_string();
    let long = "9".repeat(40);
    for (args, hint) in [
        ("--w 24", "8, 16, 32 or 64"),
        ("--w 0", "8, 16, 32 or 64"),
        ("--w=-8", "8, 16, 32 or 64"),
        ("--w eight", "8, 16, 32 or 64"),
        ("--m=-1", "--m"),
        ("--m 1.5", "--m"),
        (&format!("--k {long}"), "--k"),
        ("--x-bits 0", "1..=64"),
        ("--y-bits 65", "1..=64"),
        ("--threads 0", "--threads"),
        ("--isa vax", "portable"),
        ("--seed 00", "64 hexadecimal digits"),
        ("--q", "--q"),
        (&format!("--m {huge}"), "too large"),
        (&format!("--m {huge} --n {huge} --k 0"), "too large"),
        ("--m 4294967296 --k 4294967296", "too large"),
        // An allocator would promise these 10^13 bytes, and the program be killed.
        #[cfg(target_os = "linux")]
        ("--w 8 --m 10000000 --k 1000000 --n 1", "more than this machine's memory"),
        // X is 2 x 2 words of 8 bytes: mismatched shapes show as files of the wrong length.
        ("--m 2 --k 2 --n 2 --x short", "short: expected 32 bytes (a 2 x 2 matrix of 8-byte"),
        ("--m 2 --k 2 --n 2 --x long", "long: expected 32 bytes"),
        ("--m 2 --k 2 --n 2 --x long", "found more"),
        ("--m 2 --k 2 --n 2 --x empty", "found 0"),
        ("--m 2 --k 2 --n 2 --x right --y short", "short: expected 32 bytes"),
        ("--m 2 --k 3 --n 2 --x right", "right: expected 48 bytes"),
        ("--w 32 --m 2 --k 2 --n 2 --x right", "right: expected 16 bytes"),
        ("--m 2 --k 2 --n 2 --x right --x-bits 7", "right: expected 4 bytes"),
        ("--m 2 --k 2 --n 2 --x absent", "absent"),
        ("--m 2 --k 2 --n 2 --x directory", "directory"),
        ("--m 2 --k 2 --n 2 --z directory", "directory"),
        ("--m 2 --k 2 --n 2 --z nowhere/z", "nowhere/z"),
        ("--m 2 --k 4 --n 1 --x wide --x-bits 4", "entry 4 does not fit 4 signed bits"),
        ("--m 2 --k 2 --n 2 --x - --y -", "stdin"),
        ("--m 2 --k 2 --n 2 --z - --json", "stdout"),
        // An endless file is not read to its end.
        #[cfg(target_os = "linux")]
        ("--m 2 --k 2 --n 2 --x /dev/zero", "found more"),
    ] {
        let output = if args.contains("--z ") { "" } else { "--z z" };
        dir.refuses(format!("matmul {args} {output}"), hint);
        let z = dir.read("z");
        assert_eq!(z, b"an older product", "{args} touched the output");
    }
    let left = std::fs::read_dir(dir).expect("readable").count();
    assert_eq!(left, 7, "a temporary file was left");
}
