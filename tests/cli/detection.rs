//! Which instruction sets the example binaries use, and what they ask the operating system for it.

use std::process::Output;

use tautochrone_testkit::examples::{command, json, refused};

use crate::folder::Folder;

/// In ascending order; on this machine, or all there are.
fn tiers(variable: Option<&str>) -> Vec<String> {
    let mut isa = command("isa --json");
    isa.env_remove("TAUTOCHRONE_ISA");
    isa.envs(variable.map(|value| ("TAUTOCHRONE_ISA", value)));
    let answer = json(isa.output().expect("it runs"));
    let names = answer["available"].as_array().expect("an array").iter();
    let names: Vec<String> = names.map(|n| n.as_str().expect("a name").to_owned()).collect();
    assert_eq!(answer["chosen"], **names.last().expect("portable"), "auto is the best");
    names
}

#[test]
fn the_variable_caps_the_tiers() {
    const NAMES: [&str; 7] =
        ["portable", "neon", "avx2", "avx2-gfni", "avx512-base", "avx512", "amx"];
    let all = tiers(None);
    let rank = |name: &str| NAMES.iter().position(|&n| n == name).expect("a tier");
    for (cap, name) in NAMES.iter().enumerate() {
        let want: Vec<&String> = all.iter().filter(|name| rank(name) <= cap).collect();
        assert_eq!(tiers(Some(name)).iter().collect::<Vec<_>>(), want, "{name}");
    }
    for none in ["", "auto"] {
        assert_eq!(tiers(Some(none)), all);
    }
    // `--isa` chooses below the cap only.
    let below = |isa: &str| {
        let mut example = command(&format!("isa --json --isa {isa}"));
        example.env("TAUTOCHRONE_ISA", "portable");
        example.output().expect("it runs")
    };
    assert_eq!(json(below("portable"))["chosen"], "portable");
    let text = refused(&below("avx2"));
    assert!(text.contains("avx2 is not available") && text.contains("portable"), "{text}");
}

/// A line for each tier, in words.
#[test]
fn tiers_are_named_with_their_features() {
    let output = command("isa").env_remove("TAUTOCHRONE_ISA").output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<Vec<&str>> =
        text.lines().map(|line| line.split_whitespace().collect()).collect();
    let names: Vec<&str> = lines.iter().map(|words| words[0]).collect();
    assert_eq!(
        names,
        [&tiers(None).iter().map(String::as_str).collect::<Vec<_>>()[..], &["chosen"]].concat()
    );
    assert!(lines.iter().all(|words| words.len() > 1) && !text.contains("Isa("), "{text}");
    assert_eq!(lines[0][1..].join(" "), "no more than every CPU has");
}

#[test]
fn an_unknown_value_of_the_variable_is_one_line_and_exit_code_two() {
    for value in ["sse9", "AVX2", "avx2 "] {
        for line in ["isa", "sample --sigma 2", "verify"] {
            let output = command(line).env("TAUTOCHRONE_ISA", value).output();
            let text = refused(&output.expect("it runs"));
            assert!(text.contains("TAUTOCHRONE_ISA") && text.contains("avx2-gfni"), "{text}");
        }
    }
}

/// Runs a program under a filter of system calls, to which questions for AMX are an error or death.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
struct Sandbox(Folder);

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
impl Sandbox {
    /// `sandbox kill|ERRNO PROGRAM ARGUMENTS..`: `arch_prctl` of 0x1020 to 0x102f, which is all
    /// about AMX and its like. (The C library needs others of its functions.) Without a program:
    /// asks.
    const SOURCE: &str = r#"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
    unsigned answer = strcmp(argv[1], "kill") ? SECCOMP_RET_ERRNO | atoi(argv[1]) : SECCOMP_RET_KILL_PROCESS;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xfffffff0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x1020, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, answer),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof code / sizeof *code, code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 100;
    if (argc == 2) return syscall(SYS_arch_prctl, 0x1023, 18) ? 3 : 0;
    execv(argv[2], argv + 2);
    return 101;
}
"#;

    fn new() -> Self {
        let directory = Folder::new();
        directory.write("sandbox.c", Self::SOURCE);
        let mut compiler = std::process::Command::new("cc");
        compiler.args(["-O1", "-o", "sandbox", "sandbox.c"]).current_dir(&directory);
        assert!(compiler.status().expect("a C compiler").success());
        Self(directory)
    }

    fn run(&self, answer: &str, cap: Option<&str>, line: &str) -> Output {
        let mut sandbox = std::process::Command::new(self.0.join("sandbox"));
        sandbox.arg(answer).current_dir(&self.0).env_remove("TAUTOCHRONE_ISA");
        sandbox.envs(cap.map(|cap| ("TAUTOCHRONE_ISA", cap)));
        if !line.is_empty() {
            let program = command(line);
            sandbox.arg(program.get_program()).args(program.get_args());
        }
        sandbox.output().expect("it runs")
    }
}

/// The code of SIGSYS, and whether this machine has what would be asked for.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn killed(output: &Output) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&output.status) == Some(31)
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn has_tiles() -> bool {
    let text = std::fs::read_to_string("/proc/cpuinfo").expect("Linux");
    ["amx_tile", "amx_int8"].iter().all(|flag| text.contains(flag))
}

/// On a CPU without AMX nothing is asked in any case: the unit tests of `simd` show when it would
/// be.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn a_sandbox_that_kills_for_amx_is_survived_below_a_cap() {
    let sandbox = Sandbox::new();
    assert!(killed(&sandbox.run("kill", None, "")), "the filter works");
    let examples = [
        "sample --sampler facct --sigma 3 --count 9",
        "sample --sampler bitslice --sigma 2 --count 9",
        "sample --sampler ziggurat --sigma 9 --count 9",
        "matmul --m 64 --k 64 --n 64",
        "modexp --base 2 --exponent ff --modulus 10001",
        "ice bench --bytes 4096",
        "prove --preset T1-128 --columns 40 --insecure --statement s --proof p --check",
    ];
    for example in examples {
        for isa in tiers(None).iter().filter(|&isa| isa != "amx") {
            let named = format!("{example} --isa {isa}");
            for output in
                [sandbox.run("kill", None, &named), sandbox.run("kill", Some(isa), example)]
            {
                assert_eq!(output.status.code(), Some(0), "{example} on {isa}: {output:?}");
            }
        }
    }
    assert_eq!(killed(&sandbox.run("kill", None, "isa")), has_tiles(), "it has to ask");
    assert!(!killed(&sandbox.run("kill", Some("avx512"), "isa")));
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn a_refusal_of_tiles_costs_no_more_than_their_tier() {
    let sandbox = Sandbox::new();
    // EPERM, ENOMEM, EINVAL, ENOSPC.
    for errno in ["1", "12", "22", "28"] {
        assert_eq!(sandbox.run(errno, None, "").status.code(), Some(3), "the filter works");
        let answer = json(sandbox.run(errno, None, "isa --json"));
        let names: Vec<String> = tiers(None).into_iter().filter(|isa| isa != "amx").collect();
        assert_eq!(answer["available"], serde_json::json!(names));
        assert_eq!(answer["chosen"], names[names.len() - 1]);
        let text = refused(&sandbox.run(errno, None, "isa --isa amx"));
        assert!(text.contains("amx is not available"), "{text}");
        let product = sandbox.run(errno, None, "matmul --m 64 --k 64 --n 64 --check --json");
        assert_eq!(json(product)["correct"], true);
    }
}
