//! `prove --device gpu` and `verify --device gpu`: without a driver one clear line and exit code 2;
//! on a mock driver (feature `emulation`) proofs and answers.

use std::path::Path;
use std::process::Output;

use tautochrone_testkit::examples;

use crate::folder::Folder;

fn run(name: &str, args: &[&str], directory: &Path, libraries: &str) -> Output {
    let mut example = examples::command(name);
    example.args(args).current_dir(directory).env("LD_LIBRARY_PATH", libraries);
    example.output().expect("it runs")
}

const FILES: [&str; 4] = ["--statement", "s", "--proof", "p"];

/// On a machine with a driver and a GPU, a build with the feature `cuda` goes on; everything else
/// is refused.
#[test]
fn without_a_driver_there_is_one_line() {
    let directory = Folder::new();
    for name in ["prove", "verify"] {
        let args = [&FILES[..], &["--device", "gpu"]].concat();
        let output = run(name, &args, &directory, "");
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
    let driver = Path::new(tautochrone::kernels::emulation::MOCK_DRIVER);
    let libraries = driver.parent().and_then(Path::to_str).expect("UTF-8");
    let dir = &Folder::new();
    dir.write("toy", "b = 1\nw = 32\nl = 40\nv = 96\nr = 32\nn = 16\n");
    let prove = |device: &str, files: [&str; 4]| {
        let args = ["--params", "toy", "--insecure", "--seed", examples::SEED, "--json", "--check"];
        let args = [&args[..], &files, &["--device", device]].concat();
        examples::json(run("prove", &args, dir, libraries))["device"].clone()
    };
    assert_eq!(prove("gpu", FILES), "host emulation");
    assert_eq!(prove("cpu", ["--statement", "s.cpu", "--proof", "p.cpu"]), "cpu");
    let read = |name: &str| dir.read(name);
    assert_eq!(read("s"), read("s.cpu"), "products are exact everywhere");
    for proof in ["p", "p.cpu"] {
        for device in ["gpu", "cpu"] {
            let args = ["--statement", "s", "--proof", proof, "--insecure", "--device", device];
            assert_eq!(
                run("verify", &args, dir, libraries).status.code(),
                Some(0),
                "{proof} {device}"
            );
            let args = [&args[..], &["--context", "other"]].concat();
            assert_eq!(
                run("verify", &args, dir, libraries).status.code(),
                Some(1),
                "{proof} {device}"
            );
        }
    }
}
