//! How secrets pass through instructions on the lowest number of a vector register.

use iced_x86::{EncodingKind, Instruction, OpKind, Register};

use crate::address::Access;
use crate::scalar::{Scalar, operands};
use crate::shadow::{Bytes, Shadow, all, spread};

impl Shadow {
    /// Whether a number that the instruction reads is secret.
    pub fn reads_secret_number(
        &self,
        scalar: Scalar,
        instruction: &Instruction,
        accesses: &[Access],
    ) -> bool {
        let count = operands(instruction);
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
    pub fn store_number(
        &mut self,
        scalar: Scalar,
        instruction: &Instruction,
        zeroing: bool,
        secret: bool,
    ) {
        let to = instruction.op_register(0);
        let number = spread(u64::from(secret), scalar.written);
        if !to.is_vector_register() {
            self.registers.store(to, spread(number, 8), zeroing);
            return;
        }
        // The upper bytes: with three operands, from the second, unless the first is a source too.
        let three = operands(instruction) > 2 && instruction.encoding() != EncodingKind::Legacy;
        let above: Bytes = if three && !scalar.accumulates {
            self.registers.load(instruction.op_register(1))
        } else {
            self.registers.load(to)
        };
        self.registers.store(to, above & !all(scalar.written) | number, zeroing);
    }
}
