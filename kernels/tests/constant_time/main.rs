//! No branch, no address and no division of the checked-in PTX depends on a secret, but for what
//! rejection sampling reveals.

mod flow;
mod parse;

use tautochrone_kernels::{DIRECT_PTX, IMAD_PTX, SAMPLE_PTX, SPLIT_PTX, TILED_PTX};

/// The leaks of all kernels of a module, with their kernel.
fn leaks(ptx: &str, structures_are_secret: bool) -> Vec<(String, String)> {
    let kernels = parse::kernels(ptx);
    assert!(!kernels.is_empty());
    kernels
        .iter()
        .flat_map(|kernel| {
            let leaks = flow::leaks(kernel, structures_are_secret);
            leaks.into_iter().map(|leak| (kernel.name.clone(), leak))
        })
        .collect()
}

/// Entries are secret; pointers, and shapes and strides in a structure, are not.
#[test]
fn products_leak_nothing() {
    for ptx in [DIRECT_PTX, IMAD_PTX, SPLIT_PTX, TILED_PTX] {
        assert_eq!(leaks(ptx, false), []);
    }
}

/// The key is in a structure. Which trials are rejected is public, and with it how many there are
/// and where an accepted one is stored: these are the three places.
#[test]
fn samplers_leak_rejections_alone() {
    let leaks = leaks(SAMPLE_PTX, true);
    let operations: Vec<_> = leaks
        .iter()
        .map(|(kernel, leak)| {
            let operation = leak.split_whitespace().find(|word| !word.starts_with('@'));
            (kernel.as_str(), operation.expect("an operation"))
        })
        .collect();
    let expected = [("facct", "bra"), ("facct", "bra"), ("facct", "st.global.u64")];
    assert_eq!(operations, expected, "{leaks:?}");
}

/// A kernel of these instructions, which loads a secret %r1 and a public %r2.
fn control(body: &str) -> Vec<String> {
    let ptx = format!(
        ".visible .entry control(
            .param .u64 a, .param .u32 n, .param .align 8 .b8 key[8]
        ) {{
            .reg .b32 %r<9>;
            ld.param.u64 %rd1, [a];
            ld.global.u32 %r1, [%rd1]; // secret
            ld.param.u32 %r2, [n];
            {body}
            ret;
        }}"
    );
    leaks(&ptx, true).into_iter().map(|(_, leak)| leak).collect()
}

#[test]
fn every_kind_of_leak_is_found() {
    for (name, body, leak) in [
        ("branch", "setp.ne.s32 %p1, %r1, 0; @!%p1 bra $L; $L:", "@!%p1 bra $L"),
        ("return", "setp.ne.s32 %p1, %r1, 0; @%p1 ret;", "@%p1 ret"),
        (
            "address",
            "cvt.u64.u32 %rd2, %r1; ld.global.u8 %r3, [%rd2+4];",
            "ld.global.u8 %r3, [%rd2+4]",
        ),
        ("store", "cvt.u64.u32 %rd2, %r1; st.shared.u32 [%rd2], %r2;", "st.shared.u32 [%rd2], %r2"),
        ("division", "div.u32 %r3, %r2, %r1;", "div.u32 %r3, %r2, %r1"),
        ("remainder", "rem.u32 %r3, %r1, %r2;", "rem.u32 %r3, %r1, %r2"),
        (
            "touched or not",
            "setp.ne.s32 %p1, %r1, 0; @%p1 ld.global.u32 %r3, [%rd1];",
            "@%p1 ld.global.u32 %r3, [%rd1]",
        ),
        (
            "memory",
            "st.local.u32 [%rd1], %r1; ld.local.u32 %r3, [%rd1]; div.u32 %r4, %r3, 3;",
            "div.u32 %r4, %r3, 3",
        ),
        (
            "part of a vector",
            "mov.b64 {%r3, %r4}, %r1; setp.lt.u32 %p1|%p2, %r4, 5; @%p2 bra $L; $L:",
            "@%p2 bra $L",
        ),
        (
            "selection",
            "setp.ne.s32 %p1, %r1, 0; selp.b32 %r3, %r2, 7, %p1; rem.u32 %r4, %r3, 5;",
            "rem.u32 %r4, %r3, 5",
        ),
        (
            "predicate",
            "setp.ne.s32 %p1, %r1, 0; @%p1 mov.u32 %r2, 5; div.u32 %r3, %r2, 7;",
            "div.u32 %r3, %r2, 7",
        ),
        (
            "second round of a loop",
            "mov.u32 %r3, %r2; $L: div.u32 %r4, %r3, 7; mov.u32 %r3, %r1;
             setp.ne.s32 %p1, %r2, 0; @%p1 bra $L;",
            "div.u32 %r4, %r3, 7",
        ),
        (
            "scope",
            "{ .reg .b32 tmp; mov.b64 {tmp, %r3}, %r1; } div.u32 %r4, %r3, 7;",
            "div.u32 %r4, %r3, 7",
        ),
        (
            "structure by name",
            "ld.param.u32 %r3, [key+4]; div.u32 %r4, %r3, 7;",
            "div.u32 %r4, %r3, 7",
        ),
        (
            "structure by address",
            "mov.b64 %rd3, key; ld.param.u32 %r3, [%rd3+4]; div.u32 %r4, %r3, 7;",
            "div.u32 %r4, %r3, 7",
        ),
    ] {
        assert_eq!(control(body), [leak], "{name}");
    }
}

#[test]
fn what_is_public_is_no_leak() {
    for body in [
        "",
        "div.u32 %r3, %r2, 7;",
        "setp.ne.s32 %p1, %r2, 0; @%p1 bra $L; add.s32 %r3, %r1, %r2; $L:",
        // Overwritten before it is used.
        "mov.u32 %r1, %r2; div.u32 %r3, %r1, 7;",
        // The value that is stored is secret, not its address.
        "st.global.u32 [%rd1], %r1;",
        // On no path.
        "bra.uni $L; div.u32 %r3, %r1, 7; $L:",
    ] {
        assert_eq!(control(body), [""; 0], "{body}");
    }
}
