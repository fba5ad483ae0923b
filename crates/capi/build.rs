//! The name by which programs find the shared library: versions 0.x are compatible within one x.

fn main() {
    let [os, major, minor] =
        ["CARGO_CFG_TARGET_OS", "CARGO_PKG_VERSION_MAJOR", "CARGO_PKG_VERSION_MINOR"]
            .map(|name| std::env::var(name).expect("cargo sets it"));
    if os == "linux" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtautochrone.so.{major}.{minor}");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
