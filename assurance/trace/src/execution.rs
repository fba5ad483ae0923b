//! Operands of an instruction as it is executed, and byte-wise rules for results.

use iced_x86::{ConditionCode, EncodingKind, Instruction, Mnemonic, OpKind, Register};

use crate::address::Access;
use crate::registers::Registers as Values;
use crate::scalar::{Scalar, operands};
use crate::shadow::{Bytes, Shadow, all, spread};

/// Operands of one execution of an instruction.
pub struct Execution<'a> {
    pub instruction: &'a Instruction,
    pub accesses: &'a [Access],
    pub values: &'a Values,
}

pub fn last(bytes: Bytes, len: usize) -> bool {
    len > 0 && bytes >> (len - 1) & 1 == 1
}

/// Byte i of the result: whether any of bytes 0 to i is in the set.
pub fn carry(bytes: Bytes, len: usize) -> Bytes {
    if bytes == 0 { 0 } else { all(len) & !((bytes & bytes.wrapping_neg()) - 1) }
}

pub fn lanes(bytes: Bytes) -> Bytes {
    (0..8).map(|lane| if bytes >> (8 * lane) & 0xff == 0 { 0 } else { 0xff << (8 * lane) }).sum()
}

/// The lower or upper eight of each sixteen bytes of both.
pub fn unpack(a: Bytes, b: Bytes, high: bool) -> Bytes {
    let half = |bytes: Bytes, lane: u32| bytes >> (16 * lane + if high { 8 } else { 0 }) & 0xff;
    (0..4).map(|lane| (half(a, lane) | half(b, lane) << 8) << (16 * lane)).sum()
}

impl Execution<'_> {
    pub fn len(&self, operand: u32) -> usize {
        match self.instruction.op_kind(operand) {
            OpKind::Register => self.instruction.op_register(operand).size(),
            OpKind::Memory => self.instruction.memory_size().size().min(64),
            _ => 8,
        }
    }

    pub fn immediate(&self, operand: u32) -> Option<u64> {
        match self.instruction.op_kind(operand) {
            OpKind::Register | OpKind::Memory => None,
            _ => self.instruction.try_immediate(operand).ok(),
        }
    }

    /// Whether the condition of a conditional instruction holds.
    pub fn condition(&self) -> bool {
        let flag = |bit: u32| self.values.0.eflags >> bit & 1 == 1;
        let (c, p, z, s, o) = (flag(0), flag(2), flag(6), flag(7), flag(11));
        match self.instruction.condition_code() {
            ConditionCode::o => o,
            ConditionCode::no => !o,
            ConditionCode::b => c,
            ConditionCode::ae => !c,
            ConditionCode::e => z,
            ConditionCode::ne => !z,
            ConditionCode::be => c || z,
            ConditionCode::a => !(c || z),
            ConditionCode::s => s,
            ConditionCode::ns => !s,
            ConditionCode::p => p,
            ConditionCode::np => !p,
            ConditionCode::l => s != o,
            ConditionCode::ge => s == o,
            ConditionCode::le => z || s != o,
            ConditionCode::g => !z && s == o,
            ConditionCode::None => true,
        }
    }

    /// Which bytes of an operand are secret.
    pub fn load(&self, shadow: &Shadow, operand: u32) -> Bytes {
        match self.instruction.op_kind(operand) {
            OpKind::Register => shadow.registers.load(self.instruction.op_register(operand)),
            OpKind::Memory => {
                let bytes = |a: &Access| shadow.memory.load(a.address, a.len) << a.offset;
                let read = self.own_accesses().filter(|a| a.reads);
                let bytes = read.map(bytes).fold(0, |a, b| a | b);
                let size = self.instruction.memory_size();
                // One element in every lane.
                if size.is_broadcast() && bytes != 0 { Bytes::MAX } else { bytes }
            }
            _ => 0,
        }
    }

    /// Accesses by the explicit memory operand: pushes and pops touch the stack too.
    pub fn own_accesses(&self) -> impl Iterator<Item = &Access> {
        self.accesses.iter().filter(|a| a.len <= 64)
    }

    pub fn store(&self, shadow: &mut Shadow, operand: u32, bytes: Bytes, zeroing: bool) {
        match self.instruction.op_kind(operand) {
            OpKind::Register => {
                shadow.registers.store(self.instruction.op_register(operand), bytes, zeroing);
            }
            OpKind::Memory => {
                for a in self.own_accesses().filter(|a| a.writes) {
                    shadow.memory.store(a.address, a.len, bytes >> a.offset);
                }
            }
            _ => {}
        }
    }

    pub fn shifted(&self, shadow: &Shadow, bytes: Bytes, len: usize) -> Bytes {
        let instruction = self.instruction;
        let counter = instruction.op_count() - 1;
        let count = match self.immediate(counter) {
            Some(count) => count,
            None => {
                if shadow.registers.load(instruction.op_register(counter)) & 1 != 0 {
                    return all(len);
                }
                self.values.get(instruction.op_register(counter))
            }
        };
        let bits = 8 * len as u64;
        let count = count % if len == 8 { 64 } else { 32 };
        let (whole, rest) = ((count / 8) as u32, count % 8 != 0);
        let name = instruction.mnemonic();
        let bytes = bytes & all(len);
        let rotated = |by: u32| {
            let by = by % len as u32;
            if by == 0 { bytes } else { bytes << by | bytes >> (len as u32 - by) }
        };
        let moved = match name {
            Mnemonic::Shl | Mnemonic::Shlx if count >= bits => 0,
            Mnemonic::Shl | Mnemonic::Shlx => {
                bytes << whole | if rest { bytes << (whole + 1) } else { 0 }
            }
            Mnemonic::Shr | Mnemonic::Shrx => {
                bytes >> whole.min(63) | if rest { bytes >> (whole + 1).min(63) } else { 0 }
            }
            Mnemonic::Sar | Mnemonic::Sarx => {
                let sign =
                    if last(bytes, len) { all(len) & !(all(len) >> whole.min(63)) } else { 0 };
                bytes >> whole.min(63)
                    | if rest { bytes >> (whole + 1).min(63) } else { 0 }
                    | sign
                    | if last(bytes, len) { 1 << (len - 1) } else { 0 }
            }
            Mnemonic::Rol => rotated(whole) | if rest { rotated(whole + 1) } else { 0 },
            _ => {
                let left = ((bits - count % bits) / 8) as u32;
                rotated(left) | if rest { rotated(left + 1) } else { 0 }
            }
        };
        moved & all(len)
    }
}

/// The bytes that the result of `and` with an immediate can depend on: it does not clear them.
pub fn and_immediate(execution: &Execution<'_>) -> Bytes {
    let instruction = execution.instruction;
    if !matches!(instruction.mnemonic(), Mnemonic::And | Mnemonic::Test) {
        return Bytes::MAX;
    }
    let Some(immediate) = execution.immediate(instruction.op_count() - 1) else {
        return Bytes::MAX;
    };
    (0..8).map(|i| u64::from(immediate >> (8 * i) & 0xff != 0) << i).sum()
}

impl Shadow {
    /// Which bytes of memory that is read are secret, of all runs of bytes together.
    pub fn read(&self, accesses: &[Access]) -> Bytes {
        let read = accesses.iter().filter(|a| a.reads);
        read.fold(0, |bytes, a| bytes | self.memory.load(a.address, a.len.min(64)))
    }

    /// Says which bytes of memory that is written are secret, of each run of bytes.
    pub fn write(&mut self, accesses: &[Access], bytes: Bytes) {
        for a in accesses.iter().filter(|a| a.writes) {
            self.memory.store(a.address, a.len.min(64), bytes);
        }
    }

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
            || self.read(accesses) != 0
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_unpacked_in_each_sixteen_bytes() {
        let (a, b) = (0x1100_2200_3300_4455, 0x6600_7700_8800_99aa);
        assert_eq!(unpack(a, b, false), 0x0000_0000_0000_aa55);
        assert_eq!(unpack(a, b, true), 0x6611_7722_8833_9944);
    }
}
