//! General registers by name.

use iced_x86::Register;

/// The general registers of a stopped program, with their names.
#[derive(Clone, Copy)]
pub struct Registers(pub libc::user_regs_struct);

impl Registers {
    /// The value of a general register, whole.
    pub fn get(&self, register: Register) -> u64 {
        let r = &self.0;
        match register.full_register() {
            Register::RAX => r.rax,
            Register::RCX => r.rcx,
            Register::RDX => r.rdx,
            Register::RBX => r.rbx,
            Register::RSP => r.rsp,
            Register::RBP => r.rbp,
            Register::RSI => r.rsi,
            Register::RDI => r.rdi,
            Register::R8 => r.r8,
            Register::R9 => r.r9,
            Register::R10 => r.r10,
            Register::R11 => r.r11,
            Register::R12 => r.r12,
            Register::R13 => r.r13,
            Register::R14 => r.r14,
            Register::R15 => r.r15,
            Register::RIP => r.rip,
            Register::FS => r.fs_base,
            Register::GS => r.gs_base,
            _ => 0,
        }
    }
}

impl Registers {
    /// Changes a general register.
    pub fn set(&mut self, register: Register, value: u64) {
        let r = &mut self.0;
        let place = match register {
            Register::RAX => &mut r.rax,
            Register::RCX => &mut r.rcx,
            Register::RDX => &mut r.rdx,
            Register::RBX => &mut r.rbx,
            Register::RSP => &mut r.rsp,
            Register::RBP => &mut r.rbp,
            Register::RSI => &mut r.rsi,
            Register::RDI => &mut r.rdi,
            Register::R8 => &mut r.r8,
            Register::R9 => &mut r.r9,
            Register::R10 => &mut r.r10,
            Register::R11 => &mut r.r11,
            Register::R12 => &mut r.r12,
            Register::R13 => &mut r.r13,
            Register::R14 => &mut r.r14,
            Register::R15 => &mut r.r15,
            _ => return,
        };
        *place = value;
    }
}
