//! What a run of `cargo test` says.

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A test failed: its name, or how else the run ended.
    Caught(String),
    /// All tests passed.
    Survived,
    /// It does not apply or compile, and why.
    Invalid(String),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Success,
    Failure,
    /// It took too long: an endless loop is a fault that was found.
    Timeout,
}

/// The verdict on a mutant whose tests were compiled.
pub(crate) fn verdict(end: End, output: &str) -> Outcome {
    match end {
        End::Success => Outcome::Survived,
        End::Timeout => Outcome::Caught("the tests did not end".to_owned()),
        End::Failure => Outcome::Caught(
            first_failure(output).unwrap_or("a test program ended without a result").to_owned(),
        ),
    }
}

/// The first test that failed.
fn first_failure(output: &str) -> Option<&str> {
    // `test NAME ... FAILED`, where `NAME` may be followed by ` - should panic`.
    output.lines().find_map(|line| {
        let test = line.strip_prefix("test ")?.strip_suffix("FAILED")?;
        let (name, _) = test.split_once(" ... ")?;
        Some(name.split(" - should panic").next().unwrap_or(name))
    })
}

/// How many tests passed.
pub(crate) fn passed(output: &str) -> usize {
    let results = output.lines().filter_map(|line| line.strip_prefix("test result: ok. "));
    results.filter_map(|result| result.split(" passed").next()?.parse::<usize>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
running 3 tests
test a::one ... ok
test a::two - should panic ... FAILED
test a::three ... FAILED
test result: FAILED. 1 passed; 2 failed; 0 ignored";

    #[test]
    fn the_first_failure_is_named() {
        assert_eq!(verdict(End::Failure, OUTPUT), Outcome::Caught("a::two".to_owned()));
        let Outcome::Caught(how) = verdict(End::Failure, "signal: 6, SIGABRT") else {
            panic!("a failure without a name is one");
        };
        assert!(how.contains("without a result"));
    }

    #[test]
    fn an_end_without_failure_is_a_survivor_and_none_at_all_is_not() {
        assert_eq!(verdict(End::Success, "test result: ok. 3 passed"), Outcome::Survived);
        assert!(matches!(verdict(End::Timeout, ""), Outcome::Caught(_)));
    }

    #[test]
    fn passed_tests_are_counted_over_all_programs() {
        let output = "test result: ok. 3 passed; 0 failed\ntest result: ok. 12 passed; 0 failed\n";
        assert_eq!(passed(output), 15);
        assert_eq!(passed("test result: ok. 0 passed; 0 failed"), 0);
        assert_eq!(passed(OUTPUT), 0);
    }
}
