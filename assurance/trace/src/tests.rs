//! Scalar instructions, executed.

use iced_x86::{InstructionInfoFactory, Register};

use crate::decoded::Decoded;
use crate::propagate::Leak;
use crate::registers::Registers;
use crate::shadow::{Bytes, Shadow};

/// Runs an instruction on xmm0, xmm1, xmm2 with these secret bytes, rax public; returns what it
/// betrays, and the secret bytes of xmm0, then of the flags.
fn run(code: &[u8], secret: [Bytes; 3]) -> (Vec<Leak>, Bytes, bool) {
    let decoded = Decoded::new(code, 0x1000, &mut InstructionInfoFactory::new());
    assert_eq!(decoded.instruction.len(), code.len(), "{}", decoded.instruction);
    let mut shadow = Shadow::default();
    for (register, bytes) in
        [Register::XMM0, Register::XMM1, Register::XMM2].into_iter().zip(secret)
    {
        shadow.registers.store(register, bytes, true);
    }
    let leaks = shadow.execute(&decoded, &[], &Registers::zero());
    (leaks, shadow.registers.load(Register::XMM0), shadow.registers.flags != 0)
}

const UPPER: Bytes = 0xff00;
const LOWER: Bytes = 0xff;

#[test]
fn left_overs_above_a_number_are_not_read() {
    for code in [
        &[0xf2, 0x0f, 0x5e, 0xc1][..],      // divsd xmm0,xmm1
        &[0xf2, 0x0f, 0x58, 0xc1],          // addsd xmm0,xmm1
        &[0xf2, 0x0f, 0x51, 0xc1],          // sqrtsd xmm0,xmm1
        &[0xf2, 0x48, 0x0f, 0x2a, 0xc0],    // cvtsi2sd xmm0,rax
        &[0xf2, 0x0f, 0x10, 0xc1],          // movsd xmm0,xmm1
        &[0xf2, 0x0f, 0xc2, 0xc1, 2],       // cmplesd xmm0,xmm1
        &[0x66, 0x0f, 0x3a, 0x0b, 0xc1, 0], // roundsd xmm0,xmm1,0
    ] {
        assert_eq!(run(code, [UPPER, UPPER, 0]), (vec![], UPPER, false), "{code:x?}");
        assert_eq!(run(code, [0, UPPER, 0]), (vec![], 0, false), "{code:x?}");
    }
    // ucomisd xmm0,xmm1
    let compare = [0x66, 0x0f, 0x2e, 0xc1];
    assert_eq!(run(&compare, [UPPER, UPPER, 0]), (vec![], UPPER, false));
    // vdivsd xmm0,xmm1,xmm2: what lies above comes from xmm1.
    let divide = [0xc5, 0xf3, 0x5e, 0xc2];
    assert_eq!(run(&divide, [LOWER, 0, UPPER]), (vec![], 0, false));
    assert_eq!(run(&divide, [0, UPPER, 0]), (vec![], UPPER, false));
}

#[test]
fn secret_numbers_are_read() {
    let leak = vec![Leak::Division];
    let divide = [0xf2, 0x0f, 0x5e, 0xc1];
    assert_eq!(run(&divide, [LOWER, 0, 0]), (leak.clone(), LOWER, false));
    assert_eq!(run(&divide, [0, 1, 0]), (leak.clone(), LOWER, false));
    let root = [0xf2, 0x0f, 0x51, 0xc1];
    assert_eq!(run(&root, [LOWER, 0, 0]), (vec![], 0, false));
    assert_eq!(run(&root, [0, LOWER, 0]), (leak.clone(), LOWER, false));
    let vex = [0xc5, 0xf3, 0x5e, 0xc2];
    assert_eq!(run(&vex, [0, LOWER, 0]), (leak.clone(), LOWER, false));
    assert_eq!(run(&vex, [0, 0, LOWER]), (leak, LOWER, false));
    let round = [0x66, 0x0f, 0x3a, 0x0b, 0xc1, 0];
    assert_eq!(run(&round, [LOWER, 0, 0]), (vec![], 0, false));
    assert_eq!(run(&round, [0, LOWER, 0]), (vec![], LOWER, false));
    // vroundsd xmm0,xmm1,xmm2,0
    let round = [0xc4, 0xe3, 0x71, 0x0b, 0xc2, 0];
    assert_eq!(run(&round, [LOWER, LOWER, 0]), (vec![], 0, false));
    assert_eq!(run(&round, [0, 0, LOWER]), (vec![], LOWER, false));
    // cmplesd xmm0,xmm1; vcmplesd xmm0,xmm1,xmm2
    let mask = [0xf2, 0x0f, 0xc2, 0xc1, 2];
    let vex = [0xc5, 0xf3, 0xc2, 0xc2, 2];
    for (code, secret) in
        [(mask, [LOWER, 0, 0]), (mask, [0, LOWER, 0]), (vex, [0, LOWER, 0]), (vex, [0, 0, LOWER])]
    {
        assert_eq!(run(&code, secret), (vec![], LOWER, false), "{code:x?}");
    }
    assert_eq!(run(&vex, [LOWER, UPPER, 0]), (vec![], UPPER, false));
    let compare = [0x66, 0x0f, 0x2e, 0xc1];
    assert_eq!(run(&compare, [LOWER, 0, 0]), (vec![], LOWER, true));
    assert_eq!(run(&compare, [0, LOWER, 0]), (vec![], 0, true));
    // vfmadd231sd xmm0,xmm1,xmm2
    let fused = [0xc4, 0xe2, 0xf1, 0xb9, 0xc2];
    for secret in [[LOWER, 0, 0], [0, LOWER, 0], [0, 0, LOWER]] {
        assert_eq!(run(&fused, secret), (vec![], LOWER, false));
    }
    assert_eq!(run(&fused, [UPPER, UPPER, UPPER]), (vec![], UPPER, false));
}

#[test]
fn a_number_overwrites_a_secret_one() {
    let convert = [0xf2, 0x48, 0x0f, 0x2a, 0xc0];
    assert_eq!(run(&convert, [LOWER | UPPER, 0, 0]), (vec![], UPPER, false));
    let copy = [0xf2, 0x0f, 0x10, 0xc1];
    assert_eq!(run(&copy, [LOWER | UPPER, 0, 0]), (vec![], UPPER, false));
    assert_eq!(run(&copy, [0, LOWER | UPPER, 0]), (vec![], LOWER, false));
}

#[test]
fn a_result_that_replaces_a_secret_is_public() {
    for code in [
        &[0xc4, 0xe2, 0x79, 0x1d, 0xc1][..],   // vpabsw xmm0,xmm1
        &[0x62, 0xf2, 0xfd, 0x48, 0x1f, 0xc1], // vpabsq zmm0,zmm1
        &[0xc5, 0xf1, 0xfe, 0xc2],             // vpaddd xmm0,xmm1,xmm2
    ] {
        assert_eq!(run(code, [LOWER, 0, 0]), (vec![], 0, false), "{code:x?}");
        assert_eq!(run(code, [0, LOWER, 0]), (vec![], LOWER, false), "{code:x?}");
    }
    // paddd xmm0,xmm1 reads both.
    for secret in [[LOWER, 0, 0], [0, LOWER, 0]] {
        assert_eq!(run(&[0x66, 0x0f, 0xfe, 0xc1], secret), (vec![], LOWER, false));
    }
}

/// `cmov`'s sixteen conditions, in the order of their codes, each on flags of a subtraction.
#[test]
fn a_public_condition_selects_one_number() {
    let (c, p, z, s, o) = (1, 1 << 2, 1 << 6, 1 << 7, 1 << 11);
    for flags in [0, c, p, z, s, o, s | o, c | z, z | s, z | o, z | s | o] {
        let has = |flag: u64| flags & flag != 0;
        let less = has(s) != has(o);
        let even = [has(o), has(c), has(z), has(c | z), has(s), has(p), less, has(z) || less];
        for (code, holds) in (0..16).zip(even.into_iter().flat_map(|holds| [holds, !holds])) {
            // cmovcc rax,rcx
            let code = [0x48, 0x0f, 0x40 + code, 0xc1];
            let decoded = Decoded::new(&code, 0x1000, &mut InstructionInfoFactory::new());
            for secret in [Register::RAX, Register::RCX] {
                let mut shadow = Shadow::default();
                shadow.registers.store(secret, LOWER, true);
                let mut values = Registers::zero();
                values.0.eflags = flags;
                shadow.execute(&decoded, &[], &values);
                let selected = if holds { Register::RCX } else { Register::RAX };
                let want = if selected == secret { LOWER } else { 0 };
                let name = decoded.instruction;
                assert_eq!(shadow.registers.load(Register::RAX), want, "{name}, flags {flags:#x}");
                // A secret condition makes either secret.
                shadow.registers.flags = u32::MAX;
                shadow.execute(&decoded, &[], &values);
                assert_eq!(shadow.registers.load(Register::RAX), LOWER, "{name}, secret flags");
            }
        }
    }
}

/// Flags that an instruction computes are public with its operands; others stay what they were.
#[test]
fn flags_stay_secret_where_nothing_changes_them() {
    use iced_x86::RflagsBits as Flags;
    const ALL: u32 = Flags::CF | Flags::PF | Flags::AF | Flags::ZF | Flags::SF | Flags::OF;
    for (code, kept) in [
        (&[0x84, 0xc9][..], Flags::AF),         // test cl,cl
        (&[0x38, 0xc9], 0),                     // cmp cl,cl
        (&[0x48, 0xff, 0xc0], Flags::CF),       // inc rax
        (&[0x48, 0xd3, 0xe0], ALL),             // shl rax,cl
        (&[0x48, 0x0f, 0xa5, 0xd0], ALL),       // shld rax,rdx,cl
        (&[0x48, 0x8d, 0x04, 0x08], ALL),       // lea rax,[rax+rcx]
        (&[0xc4, 0xe2, 0xf1, 0xf7, 0xc2], ALL), // shlx rax,rdx,rcx
    ] {
        let decoded = Decoded::new(code, 0x1000, &mut InstructionInfoFactory::new());
        let mut shadow = Shadow::default();
        shadow.registers.flags = ALL;
        shadow.execute(&decoded, &[], &Registers::zero());
        assert_eq!(shadow.registers.flags, kept, "{}", decoded.instruction);
    }
}
