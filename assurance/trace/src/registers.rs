//! General registers by name.

use iced_x86::Register;

/// The general registers of a stopped program, with their names.
#[derive(Clone, Copy)]
pub struct Registers(pub libc::user_regs_struct);

impl Registers {
    /// All of them zero.
    pub fn zero() -> Self {
        // SAFETY: plain integers, for which zero is a value.
        Self(unsafe { core::mem::zeroed() })
    }

    /// The value of a general register, whole; of others 0.
    pub fn get(&self, register: Register) -> u64 {
        let mut copy = *self;
        copy.place(register.full_register()).map_or(0, |value| *value)
    }

    /// Changes a general register.
    pub fn set(&mut self, register: Register, value: u64) {
        if let Some(place) = self.place(register) {
            *place = value;
        }
    }

    fn place(&mut self, register: Register) -> Option<&mut u64> {
        let r = &mut self.0;
        Some(match register {
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
            Register::RIP => &mut r.rip,
            Register::FS => &mut r.fs_base,
            Register::GS => &mut r.gs_base,
            _ => return None,
        })
    }
}
