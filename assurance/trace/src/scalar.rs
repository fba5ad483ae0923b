//! Instructions on the lowest number of a vector register: what lies above it, often left over from
//! something else, neither is read nor changes.

use iced_x86::{EncodingKind, Instruction, OpKind, Register};

use crate::address::Access;
use crate::decoded::Decoded;
use crate::shadow::{Bytes, Shadow, all, spread};

/// Which numbers an instruction reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Bytes of a number that is read in a vector register.
    read: usize,
    /// Bytes of the result in a vector register.
    written: usize,
    /// Whether the result depends on what was in its register.
    accumulates: bool,
    /// Whether two numbers are read. If not, the first source of three operands has what lies above
    /// the result, and no more.
    two_sources: bool,
}

impl Scalar {
    /// `None` for what works on more than the lowest numbers.
    pub fn new(instruction: &Instruction, name: &str) -> Option<Self> {
        let vector = |i| {
            i < instruction.op_count()
                && instruction.op_kind(i) == OpKind::Register
                && instruction.op_register(i).is_vector_register()
        };
        if !(vector(0) || vector(1)) || instruction.has_op_mask() {
            return None;
        }
        let name = name.strip_prefix('v').unwrap_or(name);
        let fused = ["fmadd", "fmsub", "fnmadd", "fnmsub"].iter().any(|f| name.starts_with(f));
        let operation = name.strip_suffix("sd").or_else(|| name.strip_suffix("ss"));
        let two_sources = match operation {
            Some("add" | "sub" | "mul" | "div" | "min" | "max" | "ucomi" | "comi") => true,
            Some("sqrt" | "round" | "rndscale" | "cvtsi2" | "cvtusi2" | "cvtss2" | "cvtsd2") => {
                false
            }
            // Between registers: a load clears what lies above.
            Some("mov") if vector(0) && vector(instruction.op_count() - 1) => false,
            Some(_) if fused => true,
            None if name.starts_with("cvt") && name.ends_with("2si") => false,
            _ => return None,
        };
        let double = name.contains("sd") && !name.starts_with("cvtss2");
        Some(Self {
            read: if double { 8 } else { 4 },
            written: if name.ends_with("ss") { 4 } else { 8 },
            accumulates: fused || two_sources && instruction.op_count() == 2,
            two_sources,
        })
    }
}

impl Shadow {
    /// Whether a number that the instruction reads is secret.
    pub fn reads_secret_number(
        &self,
        scalar: Scalar,
        instruction: &Instruction,
        accesses: &[Access],
    ) -> bool {
        let count = instruction.op_count();
        let number = |register: Register| {
            let len = if register.is_vector_register() { scalar.read } else { 8 };
            self.registers.load(register) & all(len) != 0
        };
        let first = match count {
            2 => u32::from(!scalar.accumulates),
            _ if scalar.accumulates => 0,
            _ => 1 + u32::from(!scalar.two_sources),
        };
        (first..count)
            .filter(|&i| instruction.op_kind(i) == OpKind::Register)
            .any(|i| number(instruction.op_register(i)))
            || accesses.iter().any(|a| a.reads && self.memory.load(a.address, a.len.min(64)) != 0)
    }

    /// The result, of which it is known whether it is secret.
    pub fn store_number(&mut self, scalar: Scalar, decoded: &Decoded, secret: bool) {
        let instruction = &decoded.instruction;
        let to = instruction.op_register(0);
        if decoded.writes.iter().all(|written| written.full_register() != to.full_register()) {
            return; // comparisons
        }
        let number = spread(u64::from(secret), scalar.written);
        if !to.is_vector_register() {
            self.registers.store(to, spread(number, 8), decoded.zeroing);
            return;
        }
        // What lies above: of three operands, from the second, unless the first is a source too.
        let three = instruction.op_count() > 2 && instruction.encoding() != EncodingKind::Legacy;
        let above: Bytes = if three && !scalar.accumulates {
            self.registers.load(instruction.op_register(1))
        } else {
            self.registers.load(to)
        };
        self.registers.store(to, above & !all(scalar.written) | number, decoded.zeroing);
    }
}

#[cfg(test)]
mod tests {
    use iced_x86::InstructionInfoFactory;

    use super::*;
    use crate::propagate::Leak;

    /// Runs an instruction on xmm0, xmm1, xmm2 with these secret bytes, rax public; returns what it
    /// betrays, and what is secret of xmm0, then of the flags.
    fn run(code: &[u8], secret: [Bytes; 3]) -> (Vec<Leak>, Bytes, bool) {
        let decoded = Decoded::new(code, 0x1000, &mut InstructionInfoFactory::new());
        assert_eq!(decoded.instruction.len(), code.len(), "{}", decoded.instruction);
        let mut shadow = Shadow::default();
        for (register, bytes) in
            [Register::XMM0, Register::XMM1, Register::XMM2].into_iter().zip(secret)
        {
            shadow.registers.store(register, bytes, true);
        }
        // SAFETY: plain integers, for which zero is a value.
        let values = crate::process::Registers(unsafe { core::mem::zeroed() });
        let leaks = shadow.execute(&decoded, &[], &values);
        (leaks, shadow.registers.load(Register::XMM0), shadow.registers.flags != 0)
    }

    const UPPER: Bytes = 0xff00;
    const LOWER: Bytes = 0xff;

    #[test]
    fn left_overs_above_a_number_are_not_read() {
        for code in [
            &[0xf2, 0x0f, 0x5e, 0xc1][..],   // divsd xmm0,xmm1
            &[0xf2, 0x0f, 0x58, 0xc1],       // addsd xmm0,xmm1
            &[0xf2, 0x0f, 0x51, 0xc1],       // sqrtsd xmm0,xmm1
            &[0xf2, 0x48, 0x0f, 0x2a, 0xc0], // cvtsi2sd xmm0,rax
            &[0xf2, 0x0f, 0x10, 0xc1],       // movsd xmm0,xmm1
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
}
