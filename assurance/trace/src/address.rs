//! Which bytes of memory an instruction touches.

use iced_x86::{Instruction, MemorySize, Mnemonic, OpAccess, OpKind, Register, UsedMemory};

use crate::decoded::{Decoded, Rule, accesses};
use crate::process::Process;
use crate::registers::Registers;

/// A run of bytes in memory, and whether they are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub address: u64,
    /// At most 64, but for state that is saved and restored.
    pub len: usize,
    /// Where these bytes are in the operand.
    pub offset: usize,
    pub reads: bool,
    pub writes: bool,
}

fn element(process: &Process, register: Register, index: usize, size: usize) -> u64 {
    let bytes = process.vector(register.number());
    let mut value = [0; 8];
    let size = size.clamp(4, 8);
    value[..size].copy_from_slice(&bytes[index * size..][..size]);
    if size == 4 {
        i64::from(i32::from_le_bytes(value[..4].try_into().expect("four"))) as u64
    } else {
        u64::from_le_bytes(value)
    }
}

fn address(memory: &UsedMemory, index: usize, process: &Process, registers: &Registers) -> u64 {
    memory
        .virtual_address(index, |register, element_index, size| {
            if register.is_vector_register() {
                Some(element(process, register, element_index, size))
            } else if matches!(register, Register::CS | Register::DS | Register::ES | Register::SS)
            {
                Some(0)
            } else if register.is_gpr() {
                let bits = 8 * register.size() as u32;
                Some(registers.get(register) & (u64::MAX >> (64 - bits)))
            } else {
                Some(registers.get(register))
            }
        })
        .unwrap_or(0)
}

/// The elements that a mask or the signs of a vector select, if the instruction has such.
fn selected(instruction: &Instruction, size: MemorySize, process: &Process) -> Option<u64> {
    if instruction.has_op_mask() {
        return Some(process.mask(instruction.op_mask().number()));
    }
    let by_signs = matches!(
        instruction.mnemonic(),
        Mnemonic::Vmaskmovps | Mnemonic::Vmaskmovpd | Mnemonic::Vpmaskmovd | Mnemonic::Vpmaskmovq
    );
    let gathers = format!("{:?}", instruction.mnemonic()).contains("gather");
    if by_signs || gathers {
        let register =
            if by_signs { instruction.op1_register() } else { instruction.op2_register() };
        let bytes = process.vector(register.number());
        let step = size.element_size().max(4);
        let signs =
            (0..register.size() / step).map(|i| u64::from(bytes[i * step + step - 1] >> 7) << i);
        return Some(signs.fold(0, |mask, bit| mask | bit));
    }
    None
}

/// The memory that one execution touches: iced leaves the size of repeated string instructions
/// open, of which one repetition is executed at a time.
fn size_of(instruction: &Instruction, memory: &UsedMemory) -> MemorySize {
    if instruction.is_string_instruction() {
        instruction.memory_size()
    } else {
        memory.memory_size()
    }
}

/// Which of the elements that begin at `start` are touched, given a mask of the selected ones.
fn touched(
    decoded: &Decoded,
    memory: &UsedMemory,
    start: u64,
    selected: Option<u64>,
) -> Vec<Access> {
    let instruction = &decoded.instruction;
    let (reads, writes) = accesses(memory.access());
    let size = size_of(instruction, memory);
    let step = size.element_size().max(1);
    let access = |address, len, offset| Access { address, len, offset, reads, writes };
    // Loads that only copy read what they copy; iced says so of stores only. Others, such as
    // permutations, apply their masks to results.
    let conditional = matches!(
        memory.access(),
        OpAccess::CondRead | OpAccess::CondWrite | OpAccess::ReadCondWrite
    ) || matches!(decoded.rule, Rule::Copy { .. });
    let name = format!("{:?}", instruction.mnemonic()).to_lowercase();
    match selected {
        // Elements that are packed together.
        Some(mask) if name.contains("compress") || name.contains("expand") => {
            let register = u32::from(instruction.op_kind(0) == OpKind::Memory);
            let lanes = instruction.op_register(register).size() / step;
            let count = (mask & crate::shadow::all(lanes)).count_ones() as usize;
            vec![access(start, count * step, 0)]
        }
        Some(mask) if conditional && !size.is_broadcast() => (0..size.size() / step)
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| access(start.wrapping_add((i * step) as u64), step, i * step))
            .collect(),
        _ => vec![access(start, size.size(), 0)],
    }
}

/// All that an instruction touches.
pub fn accesses_of(decoded: &Decoded, process: &Process, registers: &Registers) -> Vec<Access> {
    let mut all = Vec::new();
    let instruction = &decoded.instruction;
    let repeats = instruction.has_rep_prefix() || instruction.has_repne_prefix();
    if repeats && instruction.is_string_instruction() && registers.0.rcx == 0 {
        return all;
    }
    for memory in &decoded.memory {
        let size = size_of(instruction, memory);
        let selected =
            if decoded.needs_vectors { selected(instruction, size, process) } else { None };
        if !memory.index().is_vector_register() {
            let start = address(memory, 0, process, registers);
            all.extend(touched(decoded, memory, start, selected));
            continue;
        }
        let (reads, writes) = accesses(memory.access());
        let step = size.element_size().max(1);
        let count = memory.index().size().min(match memory.vsib_size() {
            4 => memory.index().size(),
            _ => 64,
        }) / (memory.vsib_size() as usize).max(4);
        let count = count.min(instruction.op0_register().size().max(step) / step);
        for i in (0..count).filter(|i| selected.is_none_or(|mask| mask >> i & 1 == 1)) {
            let address = address(memory, i, process, registers);
            all.push(Access { address, len: step, offset: i * step, reads, writes });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::InstructionInfoFactory;

    #[test]
    fn one_repetition_touches_one_element() {
        for (code, accesses, size) in [
            (&[0xf3, 0xa4][..], 2, 1),   // rep movsb
            (&[0xf3, 0x48, 0xa5], 2, 8), // rep movsq
            (&[0xf3, 0xaa], 1, 1),       // rep stosb
            (&[0xf3, 0x48, 0xab], 1, 8), // rep stosq
            (&[0xa5], 2, 4),             // movsd
        ] {
            let decoded = Decoded::new(code, 0x1000, &mut InstructionInfoFactory::new());
            assert_eq!(decoded.memory.len(), accesses, "{}", decoded.instruction);
            for memory in &decoded.memory {
                let touched = size_of(&decoded.instruction, memory).size();
                assert_eq!(touched, size, "{}", decoded.instruction);
            }
        }
    }

    /// Bytes that are touched from 0x1000 on, with elements 0, 1 and 4 selected.
    fn masked(code: &[u8]) -> Vec<u64> {
        let decoded = Decoded::new(code, 0x1000, &mut InstructionInfoFactory::new());
        assert!(decoded.needs_vectors, "{}", decoded.instruction);
        let all = touched(&decoded, &decoded.memory[0], 0x1000, Some(0b1_0011));
        all.iter().flat_map(|a| (a.address - 0x1000..).take(a.len)).collect()
    }

    #[test]
    fn masks_select_what_is_touched() {
        for (code, bytes) in [
            (&[0x62, 0xf1, 0x7f, 0xc9, 0x6f, 0x00][..], 1), // vmovdqu8 zmm0{k1}{z},[rax]
            (&[0x62, 0xf1, 0x7f, 0x49, 0x6f, 0x00], 1),     // vmovdqu8 zmm0{k1},[rax]
            (&[0x62, 0xf1, 0x7f, 0x49, 0x7f, 0x00], 1),     // vmovdqu8 [rax]{k1},zmm0
            (&[0x62, 0xf1, 0xff, 0xc9, 0x6f, 0x00], 2),     // vmovdqu16 zmm0{k1}{z},[rax]
            (&[0x62, 0xf1, 0x7c, 0xc9, 0x10, 0x00], 4),     // vmovups zmm0{k1}{z},[rax]
            (&[0x62, 0xf1, 0xfd, 0x49, 0x29, 0x00], 8),     // vmovapd [rax]{k1},zmm0
        ] {
            let elements = [0, 1, 4].into_iter().flat_map(|i| (i * bytes..).take(bytes as usize));
            assert_eq!(masked(code), elements.collect::<Vec<u64>>(), "{code:x?}");
        }
        // vpexpandd zmm0{k1}{z},[rax] reads as many elements as are selected.
        assert_eq!(masked(&[0x62, 0xf2, 0x7d, 0xc9, 0x89, 0x00]), (0..12).collect::<Vec<u64>>());
        // vpermd zmm0{k1}{z},zmm1,[rax] may read all.
        let whole = (0..64).collect::<Vec<u64>>();
        assert_eq!(masked(&[0x62, 0xf2, 0x75, 0xc9, 0x36, 0x00]), whole);
    }
}
