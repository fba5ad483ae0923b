//! How far a program can run at once: instructions in a row whose operands are known from the
//! registers before the first of them.

use iced_x86::{
    FlowControl, Instruction, Mnemonic, OpAccess, OpKind, Register, UsedMemory, UsedRegister,
};

/// A set of general registers: bit i for the register of number i.
type Set = u16;

fn set(register: Register) -> Set {
    if register.is_gpr() { 1 << register.full_register().number() } else { 0 }
}

/// The registers that an instruction must know when it is reached, and the ones that it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Stepped over by itself: jumps, and instructions that are looked at after they were executed.
    pub alone: bool,
    /// Masks and vectors.
    vectors: bool,
    flags: bool,
    registers: Set,
    changes: Set,
    changes_flags: bool,
    /// By how much a push or pop moves the stack pointer, which stays known.
    pub stack: i64,
}

/// Facts to record beyond addresses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values {
    /// The last operand: by how much is shifted, or in which word a bit is sought.
    pub last_operand: bool,
    pub flags: bool,
    /// Masks and vectors.
    pub vectors: bool,
}

impl Needs {
    pub fn of(
        instruction: &Instruction,
        used: &[UsedRegister],
        memory: &[UsedMemory],
        values: Values,
    ) -> Self {
        let mut registers = 0;
        for memory in memory {
            registers |= set(memory.base()) | set(memory.index());
        }
        if values.last_operand {
            registers |= last_operand(instruction);
        }
        let exceptional = matches!(
            instruction.mnemonic(),
            Mnemonic::INVALID | Mnemonic::Cpuid | Mnemonic::Xgetbv | Mnemonic::Xchg
        );
        let stack = match instruction.mnemonic() {
            Mnemonic::Push => i64::from(instruction.stack_pointer_increment()),
            Mnemonic::Pop if instruction.op0_register() != Register::RSP => {
                i64::from(instruction.stack_pointer_increment())
            }
            _ => 0,
        };
        let mut changes = changes(used);
        if stack != 0 {
            changes &= !set(Register::RSP);
        }
        Self {
            alone: exceptional
                || instruction.flow_control() != FlowControl::Next
                || instruction.is_string_instruction(),
            vectors: values.vectors,
            flags: values.flags,
            registers,
            changes,
            changes_flags: instruction.rflags_modified() != 0,
            stack,
        }
    }
}

fn last_operand(instruction: &Instruction) -> Set {
    let operand = instruction.op_count() - 1;
    match instruction.op_kind(operand) {
        OpKind::Register => set(instruction.op_register(operand)),
        _ => 0,
    }
}

/// General registers that an instruction may write, the stack pointer included.
fn changes(used: &[UsedRegister]) -> Set {
    let writes = |access| {
        use OpAccess::{CondWrite, ReadCondWrite, ReadWrite, Write};
        matches!(access, Write | CondWrite | ReadWrite | ReadCondWrite)
    };
    used.iter().filter(|used| writes(used.access())).fold(0, |all, used| all | set(used.register()))
}

/// Instructions that were taken into account and are still to be executed.
#[derive(Default)]
pub struct Straight {
    len: usize,
    changed: Set,
    changed_flags: bool,
}

impl Straight {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Takes the next instruction in, unless it needs what an earlier one changes.
    pub fn take(&mut self, needs: &Needs) -> bool {
        let known = self.len == 0
            || !(needs.alone
                || needs.vectors
                || needs.flags && self.changed_flags
                || needs.registers & self.changed != 0);
        if known {
            self.len += 1;
            self.changed |= needs.changes;
            self.changed_flags |= needs.changes_flags;
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decoded::Decoded;
    use iced_x86::InstructionInfoFactory;

    /// How many of these instructions are executed at once.
    fn taken(codes: &[&[u8]]) -> usize {
        let mut straight = Straight::default();
        for code in codes {
            let decoded = Decoded::new(code, 0x1000, &mut InstructionInfoFactory::new());
            assert_eq!(decoded.instruction.len(), code.len(), "{}", decoded.instruction);
            if !straight.take(&decoded.needs) {
                break;
            }
        }
        straight.len()
    }

    const INC_ECX: &[u8] = &[0xff, 0xc1];
    const LOAD_RCX: &[u8] = &[0x48, 0x8b, 0x01]; // mov rax,[rcx]
    const LOAD_RDX: &[u8] = &[0x48, 0x8b, 0x02]; // mov rax,[rdx]

    #[test]
    fn what_earlier_instructions_change_is_not_known() {
        assert_eq!(taken(&[LOAD_RCX, LOAD_RDX, INC_ECX, LOAD_RDX, LOAD_RCX]), 4);
        // A part of a register changes the register.
        assert_eq!(taken(&[&[0xb1, 5], LOAD_RDX, LOAD_RCX]), 2); // mov cl,5
        for (code, name) in [
            (&[0x48, 0xd3, 0xe0][..], "shl rax,cl"),
            (&[0xc4, 0xe2, 0xf1, 0xf7, 0xc2], "shlx rax,rdx,rcx"),
            (&[0x48, 0x0f, 0x44, 0xc2], "cmove rax,rdx"),
            (&[0x48, 0x0f, 0xbd, 0xc1], "bsr rax,rcx"),
            (&[0x48, 0x8b, 0x04, 0x8a], "mov rax,[rdx+4*rcx]"),
            (&[0x0f, 0x11, 0x01], "movups [rcx],xmm0"),
            (&[0x62, 0xf1, 0x7c, 0x49, 0x10, 0x02], "vmovups zmm0{k1},[rdx]"),
        ] {
            assert_eq!(taken(&[INC_ECX, code]), 1, "{name}");
            assert_eq!(taken(&[code, LOAD_RDX]), 2, "{name}");
        }
        // Shifts by constants need nothing, values that are only computed with neither.
        assert_eq!(taken(&[INC_ECX, &[0x48, 0xc1, 0xe1, 3], &[0x48, 0x01, 0xc8]]), 3);
        // push rax; mov rdx,[rsp]; pop rax; pop rsp; pop rax
        let load: &[u8] = &[0x48, 0x8b, 0x14, 0x24];
        assert_eq!(taken(&[&[0x50], load, &[0x58], &[0x5c], &[0x58]]), 4);
        assert_eq!(taken(&[&[0x48, 0x83, 0xec, 8], load]), 1); // sub rsp,8
    }

    #[test]
    fn pushes_and_pops_move_the_stack_pointer() {
        for (code, by) in [
            (&[0x50][..], -8),           // push rax
            (&[0x6a, 1], -8),            // push 1
            (&[0x66, 0x50], -2),         // push ax
            (&[0xff, 0x30], -8),         // push qword ptr [rax]
            (&[0x58], 8),                // pop rax
            (&[0x5c], 0),                // pop rsp
            (&[0x48, 0x83, 0xec, 8], 0), // sub rsp,8
        ] {
            let decoded = Decoded::new(code, 0x1000, &mut InstructionInfoFactory::new());
            assert_eq!(decoded.needs.stack, by, "{}", decoded.instruction);
        }
    }

    #[test]
    fn what_is_looked_at_afterwards_is_alone() {
        for code in [
            &[0x74, 0x10][..],               // je
            &[0xeb, 0x10],                   // jmp
            &[0xe8, 0, 0, 0, 0],             // call
            &[0xff, 0xd0],                   // call rax
            &[0xc3],                         // ret
            &[0xcc],                         // int3
            &[0x0f, 0x05],                   // syscall
            &[0x0f, 0xa2],                   // cpuid
            &[0x0f, 0x01, 0xd0],             // xgetbv
            &[0x0f, 0x0b],                   // ud2
            &[0x48, 0x87, 0xdb],             // xchg rbx,rbx
            &[0xf3, 0xa4],                   // rep movsb
            &[0xa5],                         // movsd
            &[0xc4, 0xe2, 0x7b, 0x49, 0xc0], // tilezero tmm0
        ] {
            assert_eq!(taken(&[LOAD_RDX, code]), 1, "{code:x?}");
        }
    }
}
