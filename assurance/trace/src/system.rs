//! The answers to a program about its CPU and system: there are tiles, which are emulated.

use iced_x86::{Instruction, Mnemonic, Register};

use crate::registers::Registers;
use crate::shadow::Shadow;

/// Grants the system call that asks for the tile state without making it; false of all others.
pub fn grants_tiles(instruction: &Instruction, registers: &mut Registers) -> bool {
    const ARCH_PRCTL: u64 = 158;
    const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
    let asked = instruction.mnemonic() == Mnemonic::Syscall
        && (registers.0.rax, registers.0.rdi) == (ARCH_PRCTL, ARCH_REQ_XCOMP_PERM);
    if asked {
        registers.0.rax = 0;
        registers.0.rip = instruction.next_ip();
    }
    asked
}

/// Changes what an instruction said of the CPU: one with AVX-512 has tiles besides. What system
/// calls write is public.
pub fn pretend(which: Mnemonic, before: &Registers, after: &mut Registers, shadow: &mut Shadow) {
    match which {
        Mnemonic::Cpuid if before.0.rax as u32 == 7 && before.0.rcx as u32 == 0 => {
            let avx512 = after.0.rbx >> 16 & 1 == 1;
            if avx512 {
                after.0.rdx |= 1 << 24 | 1 << 25;
            }
        }
        Mnemonic::Xgetbv if after.0.rax & 0xe6 == 0xe6 => after.0.rax |= 0x6_0000,
        Mnemonic::Syscall => {
            let written = match before.0.rax as i64 {
                libc::SYS_read | libc::SYS_pread64 => (before.0.rsi, after.0.rax),
                libc::SYS_getrandom => (before.0.rdi, after.0.rax),
                _ => (0, 0),
            };
            if (written.1 as i64) > 0 {
                shadow.memory.fill(written.0, written.1, false);
            }
            shadow.registers.store(Register::RAX, 0, false);
        }
        _ => {}
    }
}
