//! Puts the PTX into OUT_DIR: the checked-in files, or (feature `compile-ptx`) what clang-19 makes.
//! With the feature `emulation`, also builds the mock driver.

use std::{env, fs, path::PathBuf, process::Command};

/// Name, architecture, PTX version; as in regen.sh.
const KERNELS: [(&str, &str, &str); 5] = [
    ("sample", "75", "65"),
    ("imad", "75", "65"),
    ("direct", "80", "70"),
    ("split", "80", "70"),
    ("tiled", "80", "70"),
];

fn main() {
    println!("cargo::rerun-if-changed=cuda");
    println!("cargo::rerun-if-changed=ptx");
    println!("cargo::rerun-if-env-changed=CLANG");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for (name, architecture, version) in KERNELS {
        let target = out.join(format!("{name}.ptx"));
        if env::var_os("CARGO_FEATURE_COMPILE_PTX").is_some() {
            compile(name, architecture, version, &target);
        } else {
            fs::copy(format!("ptx/{name}.ptx"), &target).expect("the PTX is checked in");
        }
    }
    #[cfg(feature = "emulation")]
    mock_driver(&out.join("mock"));
}

/// The kernels for the host, behind the driver's entry points, as a library of the driver's name.
#[cfg(feature = "emulation")]
fn mock_driver(directory: &std::path::Path) {
    fs::create_dir_all(directory).expect("OUT_DIR is writable");
    let compiler =
        cc::Build::new().cpp(true).std("c++17").opt_level(3).warnings(false).get_compiler();
    let status = compiler
        .to_command()
        .args(["-ffp-contract=off", "-U_FORTIFY_SOURCE", "-fPIC", "-shared", "-o"])
        .arg(directory.join("libcuda.so.1"))
        .args(["cuda/host.cpp", "cuda/mock_driver.cpp"])
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "the C++ compiler failed on the mock driver"
    );
}

fn compile(name: &str, architecture: &str, version: &str, target: &PathBuf) {
    let clang = env::var("CLANG").unwrap_or_else(|_| "clang-19".into());
    let status = Command::new(&clang)
        .args(["-x", "cuda", "-std=c++17", "-O3", "-ffp-contract=off", "--cuda-device-only"])
        .args(["-nocudainc", "-nocudalib", "-S"])
        .arg(format!("--cuda-gpu-arch=sm_{architecture}"))
        .args(["-Xclang", "-target-feature", "-Xclang", &format!("+ptx{version}"), "-o"])
        .arg(target)
        .arg(format!("cuda/{name}.cu"))
        .status()
        .unwrap_or_else(|error| panic!("{clang}: {error}"));
    assert!(status.success(), "{clang} failed on cuda/{name}.cu");
}
