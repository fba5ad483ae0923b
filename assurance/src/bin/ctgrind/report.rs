//! Claims of constant time, compared with what valgrind reports.

use tautochrone_assurance::valgrind;

/// The claims that were checked, and the ones that do not hold.
pub struct Report {
    filters: Vec<String>,
    checked: usize,
    broken: Vec<String>,
}

impl Report {
    /// Claims whose name begins with one of `filters`, or all.
    pub fn new(filters: Vec<String>) -> Self {
        Self { filters, checked: 0, broken: Vec::new() }
    }

    /// `run` must not be reported.
    pub fn clean(&mut self, name: &str, run: impl FnOnce()) {
        self.check(name, false, run);
    }

    /// `run` leaks, and must be reported.
    pub fn leaky(&mut self, name: &str, run: impl FnOnce()) {
        self.check(name, true, run);
    }

    /// Whether claims of this name, or whose names begin with it, may be checked: what they need
    /// may take long to make.
    pub fn wants(&self, name: &str) -> bool {
        let named = |filter: &String| name.starts_with(filter.as_str()) || filter.starts_with(name);
        self.filters.is_empty() || self.filters.iter().any(named)
    }

    fn check(&mut self, name: &str, leaks: bool, run: impl FnOnce()) {
        let named = |filter: &String| name.starts_with(filter.as_str());
        if !self.filters.is_empty() && !self.filters.iter().any(named) {
            return;
        }
        valgrind::begin();
        let before = valgrind::errors();
        run();
        let reports = valgrind::errors() - before;
        valgrind::end();
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
