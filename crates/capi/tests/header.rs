//! The committed header is the one that the sources describe.
//!
//! `TAUTOCHRONE_HEADER=write cargo test --test header` writes it anew.

use std::fs;
use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("include/tautochrone.h");
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    let bindings = cbindgen::Builder::new()
        .with_crate(root)
        .with_config(config)
        .generate()
        .expect("the sources parse");
    let mut header = Vec::new();
    bindings.write(&mut header);
    let header = String::from_utf8(header).expect("text");
    if std::env::var_os("TAUTOCHRONE_HEADER").is_some_and(|value| value == "write") {
        fs::write(&path, header).expect("the header can be written");
        return;
    }
    let committed = fs::read_to_string(&path).expect("include/tautochrone.h");
    assert!(
        committed == header,
        "include/tautochrone.h is not what cbindgen writes: \
         TAUTOCHRONE_HEADER=write cargo test --test header"
    );
}
