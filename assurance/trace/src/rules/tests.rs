//! Rules that hold, and wrong ones.

use super::check;
use super::laboratory::{Laboratory, Outcome, TRIALS};
use crate::decoded::Rule;

const ADD: &[u8] = &[0x48, 0x01, 0xc8]; // add rax,rcx
const ADD_VECTORS: &[u8] = &[0xc5, 0xf1, 0xfe, 0xc2]; // vpaddd xmm0,xmm1,xmm2
const SHIFT: &[u8] = &[0x48, 0xc1, 0xe0, 3]; // shl rax,3

#[test]
fn rules_hold() {
    let mut codes: Vec<&[u8]> = vec![
        ADD,
        ADD_VECTORS,
        SHIFT,
        &[0x48, 0x8b, 0x05, 1, 2, 3, 4], // mov rax,[rip+4030201h]
        &[0xf3, 0xa4],                   // rep movsb
        &[0x48, 0xd3, 0xe0],             // shl rax,cl
        &[0x48, 0xf7, 0xe1],             // mul rcx
        &[0x48, 0x0f, 0xbd, 0xc1],       // bsr rax,rcx
        &[0x0f, 0xbd, 0xc1],             // bsr eax,ecx
        &[0x0f, 0xbc, 0x01],             // bsf eax,[rcx]
        &[0x74, 0x10],                   // je
        &[0x66, 0x0f, 0x6f, 0x00],       // movdqa xmm0,[rax]
        &[0xc4, 0xe3, 0x71, 0x4a, 0xc2, 0x30], // vblendvps xmm0,xmm1,xmm2,xmm3
        &[0xc4, 0xe3, 0x71, 0x4c, 0xc2, 0x30], // vpblendvb xmm0,xmm1,xmm2,xmm3
        &[0x66, 0x0f, 0x38, 0x15, 0xc1], // blendvpd xmm0,xmm1,xmm0
    ];
    if is_x86_feature_detected!("avx512bw") {
        codes.push(&[0x62, 0xf1, 0x7f, 0xc9, 0x6f, 0x00]); // vmovdqu8 zmm0{k1}{z},[rax]
        codes.push(&[0x62, 0xa1, 0x75, 0x40, 0xfe, 0xca]); // vpaddd zmm17,zmm17,zmm18
    }
    let outcome = check(codes.iter().copied()).expect("a program that is traced");
    assert_eq!((outcome.instructions, outcome.wrong), (codes.len(), vec![]));
    assert!(outcome.pairs > codes.len() as u64 * u64::from(TRIALS) / 2);
    assert!(outcome.untried.is_empty());
}

#[test]
fn a_wrong_rule_is_found() {
    let mut laboratory = Laboratory::new().expect("a program that is traced");
    for (code, rule, result) in [
        (ADD, Rule::Bitwise, "RAX"),
        (ADD, Rule::Constant, "RAX"),
        (ADD, Rule::Copy { signed: false }, "RAX"),
        (ADD_VECTORS, Rule::Constant, "ZMM0"),
        (SHIFT, Rule::Bitwise, "RAX"),
        (ADD, Rule::Nothing, "flag"),
    ] {
        let mut decoded = laboratory.decode(code);
        decoded.rule = rule;
        let mut outcome = Outcome::default();
        laboratory.instruction(&decoded, &mut outcome).expect("a step");
        assert_eq!(outcome.wrong.len(), 1, "{rule:?} for {}", decoded.instruction);
        assert!(outcome.wrong[0].contains(result), "{}", outcome.wrong[0]);
    }
}

#[test]
fn what_is_not_known_is_not_tried() {
    let codes: [&[u8]; 6] = [
        &[0xdd, 0x00],       // fld qword ptr [rax]
        &[0x0f, 0x05],       // syscall
        &[0xeb, 0x10],       // jmp
        &[0x0f, 0x31],       // rdtsc
        &[0x0f, 0xae, 0x00], // fxsave [rax]
        &[0x0f, 0x0b],       // ud2
    ];
    let outcome = check(codes.into_iter()).expect("a program that is traced");
    assert_eq!((outcome.instructions, outcome.pairs), (0, 0));
    assert_eq!(outcome.untried.len(), codes.len());
}
