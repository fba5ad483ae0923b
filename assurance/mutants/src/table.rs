//! The table of mutants, and what one does to a text.

use std::collections::BTreeSet;
use std::fmt;

/// A fault, and the tests that must find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mutant {
    /// What is wrong with it, in a few words; unique.
    pub(crate) name: String,
    /// The source file, from the root of the repository.
    pub(crate) file: String,
    /// A text that occurs exactly once in the file.
    pub(crate) find: String,
    /// What stands there instead.
    pub(crate) replace: String,
    /// The arguments of `cargo test`.
    pub(crate) test: Vec<String>,
}

/// Why a table or an entry cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The file is not TOML.
    Syntax(String),
    /// The file has no entry.
    Empty,
    /// An entry lacks a field, or has one of another kind or name.
    Field { entry: String, field: String },
    /// Two entries have one name.
    Twice(String),
    /// An entry changes nothing.
    Same(String),
    /// Golden bytes are regenerated with the code: what they alone find is not found.
    Golden(String),
    /// The text occurs another number of times than once.
    Occurs { times: usize },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => write!(f, "the table is not TOML: {error}"),
            Self::Empty => write!(f, "the table has no [[mutant]]"),
            Self::Field { entry, field } => write!(
                f,
                "entry {entry}: field {field}; expected texts name, file, find, replace and test"
            ),
            Self::Twice(name) => write!(f, "two entries are called {name:?}"),
            Self::Same(name) => write!(f, "entry {name:?} has nothing to find, or changes nothing"),
            Self::Golden(name) => {
                write!(f, "entry {name:?} relies on golden bytes; expected the tests of a crate")
            }
            Self::Occurs { times } => {
                write!(f, "the text to replace occurs {times} times; expected once")
            }
        }
    }
}

const FIELDS: [&str; 5] = ["name", "file", "find", "replace", "test"];

/// Reads the table.
pub(crate) fn parse(source: &str) -> Result<Vec<Mutant>, Problem> {
    let table: toml::Table =
        source.parse().map_err(|error: toml::de::Error| Problem::Syntax(error.to_string()))?;
    let entries = table.get("mutant").and_then(toml::Value::as_array).ok_or(Problem::Empty)?;
    let mut mutants = Vec::with_capacity(entries.len());
    let mut names = BTreeSet::new();
    for (index, entry) in entries.iter().enumerate() {
        let field = |field: &str| Problem::Field {
            entry: (index + 1).to_string(),
            field: field.to_owned(),
        };
        let fields = entry.as_table().ok_or_else(|| field("of a table"))?;
        if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            return Err(field(unknown));
        }
        let string = |name| {
            let value = fields.get(name).and_then(toml::Value::as_str);
            value.map(str::to_owned).ok_or_else(|| field(name))
        };
        let [name, file, find, replace, test] = FIELDS.map(string);
        let (name, file, find, replace, test) = (name?, file?, find?, replace?, test?);
        let test: Vec<String> = test.split_whitespace().map(str::to_owned).collect();
        if test.is_empty() {
            return Err(field("test"));
        }
        if find.is_empty() || find == replace {
            return Err(Problem::Same(name));
        }
        if test.iter().any(|argument| argument.contains("golden")) {
            return Err(Problem::Golden(name));
        }
        if !names.insert(name.clone()) {
            return Err(Problem::Twice(name));
        }
        mutants.push(Mutant { name, file, find, replace, test });
    }
    if mutants.is_empty() { Err(Problem::Empty) } else { Ok(mutants) }
}

impl Mutant {
    /// The mutated text.
    pub(crate) fn apply(&self, source: &str) -> Result<String, Problem> {
        // Overlapping occurrences count: which of them is meant would be unclear.
        let times = (0..source.len())
            .filter(|&at| source.as_bytes()[at..].starts_with(self.find.as_bytes()))
            .count();
        if times == 1 {
            Ok(source.replacen(&self.find, &self.replace, 1))
        } else {
            Err(Problem::Occurs { times })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, find: &str, replace: &str, test: &str) -> String {
        format!(
            "[[mutant]]\nname = '{name}'\nfile = 'a.rs'\n\
             find = '{find}'\nreplace = '{replace}'\ntest = '{test}'\n"
        )
    }

    #[test]
    fn entries_are_read() {
        let table = entry("a", "x", "y", "-p one  --lib") + &entry("b", "x", "", "-p two");
        let mutants = parse(&table).expect("two entries");
        assert_eq!(mutants.len(), 2);
        assert_eq!(mutants[0].test, ["-p", "one", "--lib"]);
        assert_eq!((mutants[1].name.as_str(), mutants[1].replace.as_str()), ("b", ""));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let problem = |text: &str| parse(text).expect_err("a problem");
        assert!(matches!(problem("[["), Problem::Syntax(_)));
        assert_eq!(problem(""), Problem::Empty);
        assert_eq!(problem("mutant = []"), Problem::Empty);
        let field = |entry: &str, field: &str| Problem::Field {
            entry: entry.to_owned(),
            field: field.to_owned(),
        };
        assert_eq!(problem("[[mutant]]\nname = 'a'"), field("1", "file"));
        let table = entry("a", "x", "y", "-p one");
        assert_eq!(problem(&(table.clone() + "tset = ''")), field("1", "tset"));
        assert_eq!(problem(&entry("a", "x", "y", " ")), field("1", "test"));
        assert_eq!(problem(&(table.clone() + &table)), Problem::Twice("a".to_owned()));
        assert_eq!(problem(&entry("a", "x", "x", "-p one")), Problem::Same("a".to_owned()));
        assert_eq!(problem(&entry("a", "", "x", "-p one")), Problem::Same("a".to_owned()));
        let golden = entry("a", "x", "y", "-p tautochrone-tests --test golden");
        assert_eq!(problem(&golden), Problem::Golden("a".to_owned()));
    }

    #[test]
    fn a_text_that_is_not_there_once_is_refused() {
        let mutant =
            |find: &str| parse(&entry("a", find, "-", "-p one")).expect("an entry").remove(0);
        assert_eq!(mutant("b").apply("abc"), Ok("a-c".to_owned()));
        assert_eq!(mutant("x").apply("abc"), Err(Problem::Occurs { times: 0 }));
        assert_eq!(mutant("b").apply("abcb"), Err(Problem::Occurs { times: 2 }));
        assert_eq!(mutant("bb").apply("abbb"), Err(Problem::Occurs { times: 2 }));
    }

    /// The sources change; the table must follow.
    #[test]
    fn every_entry_of_the_table_applies() {
        let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let table =
            std::fs::read_to_string(root.join("assurance/mutants.toml")).expect("the table");
        for mutant in parse(&table).expect("a table") {
            let source = std::fs::read_to_string(root.join(&mutant.file));
            let source = source.unwrap_or_else(|error| panic!("{}: {error}", mutant.file));
            if let Err(problem) = mutant.apply(&source) {
                panic!("{} in {}: {problem}", mutant.name, mutant.file);
            }
        }
    }
}
