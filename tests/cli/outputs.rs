//! Files of the programs that another process makes meanwhile.

use tautochrone_cli::{Output, Privacy};

use crate::folder::Folder;

/// A file that appears while a key is being made stays.
#[test]
fn a_key_takes_no_place_that_is_taken_meanwhile() {
    let dir = Folder::new();
    let path = dir.join("k");
    let output = Output::create_new(&path, Privacy::Secret).expect("the name is free");
    dir.write("k", "another's");
    let error = output.finish_with(b"key").expect_err("the name is taken").to_string();
    assert!(error.contains("is never replaced"), "{error}");
    assert_eq!(dir.read("k"), b"another's");
    assert_eq!(dir.read_dir().expect("readable").count(), 1);
}
