//! A copy of the tree, and tests run in it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::outcome::End;

/// A copy of the tracked files, with a folder for what is compiled: both below `target`, so that a
/// second run compiles little.
pub(crate) struct Copy {
    tree: PathBuf,
    target: PathBuf,
    log: PathBuf,
}

impl Copy {
    /// Copies the working tree's tracked files.
    pub(crate) fn new(root: &Path) -> io::Result<Self> {
        let base = root.join("target/mutants");
        let (tree, target, log) = (base.join("tree"), base.join("target"), base.join("log"));
        if tree.exists() {
            fs::remove_dir_all(&tree)?;
        }
        let listed = Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output()?;
        if !listed.status.success() {
            return Err(io::Error::other("git ls-files failed; expected a git working tree"));
        }
        let listed = String::from_utf8(listed.stdout).map_err(io::Error::other)?;
        for name in listed.split_terminator('\0') {
            let (from, to) = (root.join(name), tree.join(name));
            // Deleted, but not yet from git's index.
            if !from.is_file() {
                continue;
            }
            fs::create_dir_all(to.parent().unwrap_or(&tree))?;
            fs::copy(from, to)?;
        }
        Ok(Self { tree, target, log })
    }

    pub(crate) fn read(&self, file: &str) -> io::Result<String> {
        fs::read_to_string(self.tree.join(file))
    }

    pub(crate) fn write(&self, file: &str, text: &str) -> io::Result<()> {
        fs::write(self.tree.join(file), text)
    }

    /// Runs `cargo` in the copy: how it ended, and what it printed.
    pub(crate) fn cargo(&self, arguments: &[&str], limit: Duration) -> io::Result<(End, String)> {
        let mut command = Command::new("cargo");
        command
            .args(arguments)
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_COLOR", "never")
            .env("RUST_BACKTRACE", "0")
            // A counterexample that a mutant gave would be tried first with the next one.
            .env("PROPTEST_FAILURE_PERSISTENCE", "off");
        limited(command, &self.log, limit)
    }
}

/// Runs a command with its output in a file, and ends it with all its children after `limit`.
fn limited(mut command: Command, log: &Path, limit: Duration) -> io::Result<(End, String)> {
    let output = File::create(log)?;
    command.stdin(Stdio::null()).stderr(output.try_clone()?).stdout(output);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let end = loop {
        match child.try_wait()? {
            Some(status) if status.success() => break End::Success,
            Some(_) => break End::Failure,
            None if start.elapsed() < limit => sleep(Duration::from_millis(20)),
            None => {
                // The test program is a child of cargo, in its process group.
                let group = format!("-{}", child.id());
                Command::new("kill").args(["-KILL", "--", &group]).status()?;
                child.wait()?;
                break End::Timeout;
            }
        }
    };
    Ok((end, String::from_utf8_lossy(&fs::read(log)?).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(name: &str, script: &str, limit: Duration) -> (End, String) {
        let log = std::env::temp_dir().join(format!("mutants-{}-{name}", std::process::id()));
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let result = limited(command, &log, limit).expect("a shell");
        fs::remove_file(log).expect("the log");
        result
    }

    #[test]
    fn output_and_status_are_returned() {
        let limit = Duration::from_mins(1);
        assert_eq!(shell("ok", "echo a; echo b >&2", limit), (End::Success, "a\nb\n".to_owned()));
        assert_eq!(shell("no", "echo c; exit 3", limit), (End::Failure, "c\n".to_owned()));
    }

    /// Also what the command has started: it would hold the log open, and a core busy, for ever.
    #[test]
    fn what_does_not_end_is_ended_with_its_children() {
        let script = "sh -c 'sleep 600; echo late' & echo $!; wait";
        let (end, output) = shell("late", script, Duration::from_millis(300));
        assert_eq!(end, End::Timeout);
        let child = output.trim();
        assert!(child.parse::<u32>().is_ok(), "{output}");
        let alive = || {
            let stat = fs::read_to_string(format!("/proc/{child}/stat"));
            stat.is_ok_and(|stat| !stat.contains(") Z "))
        };
        // It was sent the signal; the kernel may need a moment.
        let patience = Instant::now();
        while alive() && patience.elapsed() < Duration::from_secs(20) {
            sleep(Duration::from_millis(10));
        }
        assert!(!alive(), "the child goes on");
    }

    #[test]
    fn the_copy_has_what_git_tracks() {
        let base = std::env::temp_dir().join(format!("mutants-{}-tree", std::process::id()));
        fs::create_dir_all(base.join("src")).expect("a folder");
        for (file, text) in [("src/a.rs", "tracked"), ("b.rs", "untracked"), ("c.rs", "deleted")] {
            fs::write(base.join(file), text).expect("a file");
        }
        for arguments in [&["init", "-q"][..], &["add", "src/a.rs", "c.rs"]] {
            let git = Command::new("git").arg("-C").arg(&base).args(arguments).status();
            assert!(git.expect("git").success());
        }
        fs::remove_file(base.join("c.rs")).expect("it was there");
        let copy = Copy::new(&base).expect("a copy");
        copy.write("src/a.rs", "mutated").expect("writable");
        assert_eq!(fs::read_to_string(base.join("src/a.rs")).expect("the original"), "tracked");
        assert!(copy.read("b.rs").is_err() && copy.read("c.rs").is_err());
        // A second copy is as fresh as the first.
        let copy = Copy::new(&base).expect("a copy");
        assert_eq!(copy.read("src/a.rs").expect("it is tracked"), "tracked");
        fs::remove_dir_all(base).expect("all of it");
    }
}
