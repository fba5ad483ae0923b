//! Known-answer files: JSON under `tests/kat/` of the repository, each with a `source` that says
//! where it is from.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The path of `tests/kat/<name>`.
#[must_use]
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kat").join(name)
}

/// Reads `tests/kat/<name>` into a type of the caller's choice ([`Value`] for none).
///
/// # Panics
/// If the file cannot be read, is not JSON of that shape, or does not name its `source`.
#[must_use]
pub fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = path(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    parse(name, &text)
}

/// The checks of [`read`] on a text already in memory.
///
/// # Panics
/// As [`read`].
#[must_use]
pub fn parse<T: DeserializeOwned>(name: &str, text: &str) -> T {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(
        value["source"].as_str().is_some_and(|s| !s.is_empty()),
        "{name} does not name its source"
    );
    serde_json::from_value(value).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_file_with_a_source() {
        let value: Value = parse("x", r#"{"source": "a paper", "answer": 42}"#);
        assert_eq!(value["answer"], 42);
    }

    #[test]
    #[should_panic(expected = "does not name its source")]
    fn refuses_an_anonymous_file() {
        let _: Value = parse("x", r#"{"answer": 42}"#);
    }
}
