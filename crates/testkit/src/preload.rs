//! Programs in which functions of the C library are replaced (`LD_PRELOAD`): calls that fail, and
//! calls at which a program stops until its test goes on, so that no clock decides how far it is.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// For [`library`]: `stop(1)` stops the process, and this thread for ever; `stop(0)` until SIGCONT.
const HEADER: &str = "#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static inline void stop(int forever) { raise(SIGSTOP); while (forever) pause(); }
";

/// Makes every file system one that has no files without a name.
pub const NAMED: &str = "
int open64(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
    va_end(args);
    if ((flags & O_TMPFILE) == O_TMPFILE) { errno = EOPNOTSUPP; return -1; }
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
";

/// Writes half of the first bytes of a file, and stops: until SIGCONT, or for ever.
#[must_use]
pub fn half_a_write(forever: bool) -> String {
    format!(
        "
ssize_t write(int file, const void *bytes, size_t size) {{
    static int stopped;
    if (file <= 2 || stopped++) return syscall(SYS_write, file, bytes, size);
    ssize_t written = syscall(SYS_write, file, bytes, size / 2);
    stop({});
    return written;
}}
",
        i32::from(forever)
    )
}

/// A library of C functions, to be named by `LD_PRELOAD`. They can call `stop`.
#[must_use]
pub fn library(directory: &Path, name: &str, functions: &str) -> PathBuf {
    let (source, library) = (directory.join(format!("{name}.c")), directory.join(name));
    std::fs::write(&source, [HEADER, functions].concat()).expect("writable");
    let mut compiler = Command::new("cc");
    compiler.args(["-Wall", "-Werror", "-shared", "-fPIC", "-o"]).arg(&library).arg(source);
    assert!(compiler.status().expect("a C compiler").success());
    library
}

/// Waits until a child has stopped; asserts that it has not ended before.
pub fn wait_until_stopped(child: &mut Child) {
    loop {
        let ended = child.try_wait().expect("it is a child");
        assert_eq!(ended, None, "it has not called what it should stop at");
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("Linux");
        // The state follows the name of the program, which is in parentheses.
        if stat.rsplit(") ").next().expect("a state").starts_with('T') {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Sends a signal, given by its name.
pub fn signal(child: &Child, name: &str) {
    let mut kill = Command::new("kill");
    let status = kill.args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(status.expect("kill").success(), "{name}");
}
