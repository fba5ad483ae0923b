//! Claims of constant time, compared with what valgrind reports.

use tautochrone_assurance::valgrind;

/// The claims that were checked, and those that do not hold.
pub struct Report {
    filter: Option<String>,
    checked: usize,
    broken: Vec<String>,
}

impl Report {
    /// Claims whose name contains `filter`, or all.
    pub fn new(filter: Option<String>) -> Self {
        Self { filter, checked: 0, broken: Vec::new() }
    }

    /// `run` must not be reported.
    pub fn clean(&mut self, name: &str, run: impl FnOnce()) {
        self.check(name, false, run);
    }

    /// `run` leaks, and must be reported.
    pub fn leaky(&mut self, name: &str, run: impl FnOnce()) {
        self.check(name, true, run);
    }

    fn check(&mut self, name: &str, leaks: bool, run: impl FnOnce()) {
        if self.filter.as_ref().is_some_and(|filter| !name.contains(filter.as_str())) {
            return;
        }
        let before = valgrind::errors();
        run();
        let reports = valgrind::errors() - before;
        let holds = (reports > 0) == leaks;
        println!(
            "{} {name}: {reports} reports{}",
            if holds { "ok    " } else { "BROKEN" },
            if leaks { ", a leak on purpose" } else { "" }
        );
        self.checked += 1;
        if !holds {
            self.broken.push(name.to_owned());
        }
    }

    /// Prints the sum of it all: whether there were claims, and all hold.
    pub fn finish(&self) -> bool {
        println!("{} claims checked, {} broken", self.checked, self.broken.len());
        for name in &self.broken {
            println!("BROKEN {name}");
        }
        self.broken.is_empty() && self.checked > 0
    }
}

/// Asserts that an output depends on the secrets: a check of a routine that never saw one would be
/// void.
pub fn still_secret<T>(output: &[T]) {
    assert!(valgrind::tainted(output), "the output does not depend on the secrets");
}
