//! The emulation finds faults of the kernel of tiles: a barrier left
//! out, a wait too short, a copy to the wrong place. Each fault is put into a copy of the sources,
//! compiled and run; it must abort or give a wrong product.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where, what, instead of what.
type Change = (&'static str, &'static str, &'static str);

/// For all: one kernel instead of all, and spans of 5 stages, so that there are several.
const COMMON: [Change; 3] = [
    ("tiled.cu", "PRODUCTS(TILED)", "TILED(u64, u64, u64)"),
    ("split.cu", "OPERANDS(SPLIT)", "SPLIT(u64)"),
    ("sums.h", "? 8192 : ~0u", "? 160 : ~0u"),
];

/// Faults, and the words of the emulation that finds them; nothing if the product is wrong.
const FAULTS: [(Change, &str); 12] = [
    (
        ("tiled.cu", "    barrier();                          // everyone's", "    //"),
        "read before it was written",
    ),
    (("tiled.cu", "  barrier(); // nobody reads the last stage", "  //"), "may still read it"),
    (
        ("tiled.cu", "await_copies<(int)T::STAGES - 2>()", "await_copies<(int)T::STAGES - 1>()"),
        "a copy to it is under way",
    ),
    (("tiled.cu", "commit_copies(); // empty", "// empty"), "a copy to it is under way"),
    (
        ("tiled.cu", "if (to - stage > T::STAGES - 1)", "if (to - stage >= T::STAGES - 1)"),
        "ends with copies under way",
    ),
    (("tiled.cu", "free = T::STAGES - 1;", "free = T::STAGES - 2;"), "two copies"),
    (
        ("tiled.cu", "    free = slot;", "    free = slot + 1 == T::STAGES ? 0 : slot + 1;"),
        "a copy to it is under way",
    ),
    (
        ("tiled.cu", "to + T::STEPS * T::X_CELLS, y", "to + T::STEPS * T::X_CELLS - 32, y"),
        "two threads copy to it",
    ),
    (
        (
            "tiled.cu",
            "warp / T::WARPS_ACROSS * T::DOWN * T::STEPS",
            "warp % T::WARPS_ACROSS * T::DOWN * T::STEPS",
        ),
        "",
    ),
    (("split.cu", "all.line(line + 8)", "all.line(line)"), ""),
    (("sums.h", "two + 2 * c", "two + c"), ""),
    (("sums.h", "add_to ? *to : 0", "0"), ""),
];

/// Compiles and runs the sources with these changes: whether the product was right, and what was
/// printed.
fn run(name: &str, changes: &[Change]) -> (bool, String) {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutants").join(name);
    fs::create_dir_all(&directory).expect("the target directory is writable");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in fs::read_dir(package.join("cuda")).expect("the sources") {
        let file = file.expect("the sources").path();
        let base = file.file_name().expect("a file").to_str().expect("ASCII");
        let mut text = fs::read_to_string(&file).expect("readable");
        for (_, from, to) in changes.iter().filter(|change| change.0 == base) {
            assert_eq!(text.matches(from).count(), 1, "{base}: {from}");
            text = text.replace(from, to);
        }
        fs::write(directory.join(base), text).expect("the target directory is writable");
    }
    let program = directory.join("mutant");
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".into());
    let compiled = Command::new(&compiler)
        .args(["-std=c++17", "-O1", "-w", "-U_FORTIFY_SOURCE", "-I"])
        .args([&directory, Path::new("-o"), &program, &package.join("tests/mutant.cpp")])
        .output()
        .expect("a C++ compiler");
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&program).output().expect("the program");
    (ran.status.success(), String::from_utf8_lossy(&ran.stderr).into_owned())
}

#[test]
fn the_kernel_is_right() {
    assert_eq!(run("none", &COMMON), (true, String::new()));
}

#[test]
fn every_fault_is_found() {
    for (i, (change, message)) in FAULTS.into_iter().enumerate() {
        let mut changes = COMMON.to_vec();
        changes.push(change);
        let (right, printed) = run(&format!("fault{i}"), &changes);
        assert!(!right, "{change:?} is not found");
        assert!(printed.contains(message), "{change:?}: {printed}");
        assert_eq!(printed.is_empty(), message.is_empty(), "{change:?}: {printed}");
    }
}
