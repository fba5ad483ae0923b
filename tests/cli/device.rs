//! `prove --device gpu` and `verify --device gpu`: without a driver one clear line and exit code 2;
//! on a mock driver (feature `emulation`) proofs and answers.

use std::process::Output;

use tautochrone_testkit::examples::command;
#[cfg(feature = "emulation")]
use tautochrone_testkit::examples::{SEED, json};

use crate::folder::Folder;

fn run(line: &str, directory: &Folder, libraries: &str) -> Output {
    let mut example = command(line);
    example.current_dir(directory).env("LD_LIBRARY_PATH", libraries);
    example.output().expect("it runs")
}

/// On a machine with a driver and a GPU, a build with the feature `cuda` goes on; everything else
/// is refused.
#[test]
fn without_a_driver_there_is_one_line() {
    let directory = Folder::new();
    for name in ["prove", "verify"] {
        let line = format!("{name} --statement s --proof p --device gpu");
        let output = run(&line, &directory, "");
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        if cfg!(feature = "cuda") && !text.contains("no CUDA") {
            continue;
        }
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.starts_with("error: no CUDA d"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(std::fs::read_dir(&directory).expect("readable").count(), 0, "no files");
}

#[test]
#[cfg(feature = "emulation")]
fn proofs_on_the_mock_driver() {
    let driver = std::path::Path::new(tautochrone::kernels::emulation::MOCK_DRIVER);
    let libraries = driver.parent().and_then(std::path::Path::to_str).expect("UTF-8");
    let dir = &Folder::new();
    dir.write("toy", "b = 1\nw = 32\nl = 40\nv = 96\nr = 32\nn = 16\n");
    for (device, name, files) in [
        ("gpu", "host emulation", "--statement s --proof p"),
        ("cpu", "cpu", "--statement s.cpu --proof p.cpu"),
    ] {
        let line = format!("prove --params toy --insecure --seed {SEED} --json --check");
        let line = format!("{line} {files} --device {device}");
        assert_eq!(json(run(&line, dir, libraries))["device"], name);
    }
    assert_eq!(dir.read("s"), dir.read("s.cpu"), "products are exact everywhere");
    for proof in ["p", "p.cpu"] {
        for device in ["gpu", "cpu"] {
            let line = format!("verify --statement s --proof {proof} --insecure --device {device}");
            for (context, code) in [("", 0), (" --context other", 1)] {
                let output = run(&format!("{line}{context}"), dir, libraries);
                assert_eq!(output.status.code(), Some(code), "{proof} {device}{context}");
            }
        }
    }
}
