//! Sessions of the example programs, in files of lines (`scripts/*.txt`), as a user types them in a
//! shell and reads what they say:
//!
//! | line | |
//! |---|---|
//! | `== name` | begins a session, in an empty folder |
//! | `# ..` | says what it is about |
//! | `% definition` | a function or variable of the shell, for the session; for all, before the first |
//! | `$ command` | is run; the example programs are commands |
//! | `> ..` | continues a definition or a command |
//! | `exit code` | how the command ends, if not by 0 |
//! | `error: words` | it is refused: by 2, with nothing on stdout and one line on stderr, in which words are |
//! | `{ .. }` | its answer in JSON has at least these fields |
//! | any other | is what it says on stdout, among other things, one line after the other |
//!
//! Commands may use [`PRELUDE`], and the variables `SEED` and `ROOT`, the repository.

use std::process::Output;

use serde_json::Value;

use crate::folder::{Folder, code, refused, root};

/// What all commands may use.
const PRELUDE: &str = r#"
set -e
python3() { command "$PYTHON" "$@"; }
# put FILE OFFSET BYTE
put() { printf "\\$(printf %o "$3")" | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null; }
# Changes a bit of a file, or the bits of a mask: flip FILE OFFSET [MASK]
flip() { put "$1" "$2" $(($(od -An -tu1 -j "$2" -N 1 "$1") ^ ${3:-1})); }
hex() { od -An -v -tx1 | tr -d ' \n'; }
unhex() { python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))'; }
# Asserts an expression of Python's about an answer in JSON, on stdin: holds EXPRESSION
holds() { python3 -c "import json, sys; answer = json.load(sys.stdin); assert $1, answer"; }
field() { python3 -c "import json, sys; print(json.load(sys.stdin)['$1'])"; }
# Asserts that a command ends by this code: code CODE COMMAND ..
code() {
    wanted=$1; shift
    got=0
    said=$("$@" 2>&1) || got=$?
    test $got = $wanted || { echo "exit $got of $*: $said" >&2; exit 99; }
}
# Asserts that it has said these words.
says() { case $said in *"$1"*) ;; *) echo "$said, not $1" >&2; exit 98; esac; }
# Waits until a process has stopped, which must not end before: stopped PID
stopped() {
    until { read -r _ _ state _ < "/proc/$1/stat" && test $state != Z; } || exit 96; test $state = T
    do sleep 0.02; done
}
"#;

macro_rules! scripts {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name), include_str!(concat!("scripts/", stringify!($name), ".txt")));
        })*

        #[test]
        fn every_script_is_run() {
            let folder = root().join("tests/cli/scripts").read_dir().expect("a folder");
            assert_eq!(folder.count(), [$(stringify!($name)),*].len());
        }
    };
}
scripts! {
    circuit commit_file configure detection endless ice keys lines lwe_keys machine matmul messages
    modexp outputs pipes pir programs proofs rollup sample terminal
}

/// Runs the sessions of a script.
fn run(name: &str, text: &str) {
    let mut lines = text.lines().enumerate().peekable();
    let mut folder = Folder::new();
    let mut common = PRELUDE.to_owned();
    let mut session = None;
    while let Some((number, line)) = lines.next() {
        let mut take = |wanted: &dyn Fn(&str) -> bool| {
            lines.next_if(|(_, line)| wanted(line)).map(|(_, line)| line)
        };
        let mut whole = |first: &str| {
            let mut whole = first.to_owned();
            while let Some(more) = take(&|line| line.starts_with("> ")) {
                whole += &more[1..].replacen(' ', "\n", 1);
            }
            whole + "\n"
        };
        let definitions = session.as_mut().unwrap_or(&mut common);
        match line.split_once(' ').unwrap_or((line, "")) {
            ("==", _) => {
                folder = Folder::new();
                session = Some(common.clone());
            }
            ("%", definition) => *definitions += &whole(definition),
            ("$", first) => {
                let line = whole(first);
                println!("{name}.txt:{}: {line}", number + 1);
                let is_said =
                    |line: &str| !line.is_empty() && !line.starts_with(['#', '$', '%', '=']);
                let expected = std::iter::from_fn(|| take(&is_said)).collect::<Vec<_>>();
                check(&folder.shell(format!("{definitions}{line}")), &expected);
            }
            ("#" | "", _) => {}
            _ => panic!("{name}.txt:{}: {line}", number + 1),
        }
    }
}

/// Asserts that a command has ended and said what is expected.
fn check(output: &Output, expected: &[&str]) {
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let (mut wanted, mut from) = (0, 0);
    for &line in expected {
        if let Some(words) = line.strip_prefix("error:")
            && output.stdout.is_empty()
        {
            let error = refused(output);
            assert!(error.contains(words.trim_start()), "{error}");
            wanted = 2;
        } else if let Some(code) = line.strip_prefix("exit ") {
            wanted = code.parse().expect("a number");
        } else if line.starts_with('{') {
            let answer = serde_json::from_str(&said).unwrap_or_else(|e| panic!("{e}: {output:?}"));
            assert!(has(&answer, &serde_json::from_str(line).expect("JSON")), "{line}: {said}");
        } else {
            let at = said[from..].find(line).unwrap_or_else(|| panic!("{line}: {said}{errors}"));
            from += at + line.len();
        }
    }
    assert_eq!(code(output), wanted, "{said}{errors}");
}

/// Whether a value has the fields, and fields of fields, of another one.
fn has(value: &Value, fields: &Value) -> bool {
    match (value, fields) {
        (Value::Object(_), Value::Object(fields)) => {
            fields.iter().all(|(name, field)| has(&value[name], field))
        }
        (Value::Array(values), Value::Array(fields)) => {
            let mut pairs = values.iter().zip(fields);
            values.len() == fields.len() && pairs.all(|(value, field)| has(value, field))
        }
        _ => value == fields,
    }
}
