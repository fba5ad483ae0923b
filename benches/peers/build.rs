//! Assembles the products of s2n-bignum from the package that has its sources.
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(s2n_bignum)");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") {
        return;
    }
    let Some(package) = package() else {
        println!("cargo::warning=no s2n-bignum: cargo metadata does not say where aws-lc-sys is");
        return;
    };
    let sources = package.join("aws-lc/third_party/s2n-bignum/s2n-bignum-imported");
    let kernel = |name| sources.join("x86_att/fastmul").join(name);
    cc::Build::new()
        .include(sources.join("include"))
        .include(package.join("aws-lc/include"))
        .file(kernel("bignum_kmul_16_32.S"))
        .file(kernel("bignum_kmul_32_64.S"))
        .file(kernel("bignum_ksqr_16_32.S"))
        .file(kernel("bignum_ksqr_32_64.S"))
        .compile("s2n_bignum");
    println!("cargo::rustc-cfg=s2n_bignum");
}

/// Where the package is.
fn package() -> Option<PathBuf> {
    let output = Command::new(std::env::var_os("CARGO")?)
        .args(["metadata", "--format-version=1", "--locked"])
        .output()
        .ok()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let packages = metadata["packages"].as_array()?;
    let package = packages.iter().find(|package| package["name"] == "aws-lc-sys")?;
    Some(Path::new(package["manifest_path"].as_str()?).parent()?.to_path_buf())
}
