//! `prove --device gpu` and `verify --device gpu`: without a driver one clear line and exit code 2;
//! on a mock driver (feature `emulation`) proofs and answers.

#[cfg(feature = "emulation")]
use crate::folder::SEED;
use crate::folder::{Folder, refused};

/// On a machine with a driver and a GPU, a build with the feature `cuda` goes on; everything else
/// is refused.
#[test]
fn without_a_driver_there_is_one_line() {
    let dir = &Folder::new();
    for name in ["prove", "verify"] {
        let line = format!("LD_LIBRARY_PATH= {name} --statement s --proof p --device gpu");
        let output = dir.shell(line);
        if cfg!(feature = "cuda") && !String::from_utf8_lossy(&output.stderr).contains("no CUDA") {
            continue;
        }
        let text = refused(&output);
        assert!(text.starts_with("error: no CUDA d"), "{text}");
    }
    assert_eq!(dir.read_dir().expect("readable").count(), 0, "no files");
}

#[test]
#[cfg(feature = "emulation")]
fn proofs_on_the_mock_driver() {
    let driver = std::path::Path::new(tautochrone::kernels::emulation::MOCK_DRIVER);
    let libraries = driver.parent().and_then(std::path::Path::to_str).expect("UTF-8");
    let dir = &Folder::new();
    for (device, name, files) in [
        ("gpu", "host emulation", "--statement s --proof p"),
        ("cpu", "cpu", "--statement s.cpu --proof p.cpu"),
    ] {
        let toy = "--params $ROOT/tests/fixtures/toy.toml --insecure";
        let line = format!("prove {toy} --seed {SEED} --check {files}");
        let line = format!("LD_LIBRARY_PATH={libraries} {line} --device {device} --json");
        let answer: serde_json::Value = serde_json::from_str(&dir.ok(line)).expect("one object");
        assert_eq!(answer["device"], name);
    }
    assert_eq!(dir.read("s"), dir.read("s.cpu"), "products are exact everywhere");
    for proof in ["p", "p.cpu"] {
        for device in ["gpu", "cpu"] {
            let line = format!("verify --statement s --proof {proof} --insecure --device {device}");
            for (context, code) in [("", 0), (" --context other", 1)] {
                let line = format!("LD_LIBRARY_PATH={libraries} {line}{context}");
                assert_eq!(dir.code(&line), code, "{line}");
            }
        }
    }
}
