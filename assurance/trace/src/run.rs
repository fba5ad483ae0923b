//! The loop: an instruction is decoded, its effect on secrets is computed, the CPU executes it.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use iced_x86::{InstructionInfoFactory, Mnemonic, Register};

use crate::decoded::Decoded;
use crate::process::{Process, Registers, Stop};
use crate::report::Report;
use crate::requests::{self, After};
use crate::shadow::Shadow;
use crate::tiles::Tiles;

struct Tracer {
    process: Process,
    decoded: HashMap<u64, Decoded>,
    factory: InstructionInfoFactory,
    shadow: Shadow,
    tiles: Tiles,
    report: Report,
    steps: u64,
    /// Of the last instruction that was followed.
    address: u64,
    /// Whether it was the one before the mark of a request.
    rotated: bool,
}

/// Runs a program to its end; returns its exit code.
pub fn run(
    command: &mut Command,
    program: &str,
    log: &Path,
    executed: Option<&Path>,
) -> io::Result<i32> {
    let process = Process::start(command)?;
    let pid = process.pid();
    let mut tracer = Tracer {
        process,
        decoded: HashMap::new(),
        factory: InstructionInfoFactory::new(),
        shadow: Shadow::default(),
        tiles: Tiles::default(),
        report: Report::default(),
        steps: 0,
        address: 0,
        rotated: false,
    };
    let base = base(pid)?;
    let code = tracer.free()?;
    eprintln!("trace: {} instructions followed, {} findings", tracer.steps, tracer.report.total);
    tracer.report.write(program, base, log)?;
    if let Some(path) = executed {
        let mut file = io::BufWriter::new(fs::File::create(path)?);
        let mut all: Vec<_> =
            tracer.decoded.iter().filter(|(_, decoded)| decoded.count > 0).collect();
        all.sort_by_key(|(address, _)| **address);
        for (address, decoded) in all {
            let secret = if decoded.saw_secret { "secret" } else { "public" };
            writeln!(file, "{:x} {} {secret}", address.wrapping_sub(base), decoded.count)?;
        }
        file.flush()?;
    }
    Ok(code)
}

/// Where the program's own file begins in memory.
fn base(pid: i32) -> io::Result<u64> {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps"))?;
    let start = maps.split('-').next().unwrap_or_default();
    u64::from_str_radix(start, 16).map_err(io::Error::other)
}

impl Tracer {
    /// At full speed, from one `int3` to the next.
    fn free(&mut self) -> io::Result<i32> {
        let mut signal = 0;
        loop {
            signal = match self.process.resume(signal)? {
                Stop::Exited(code) => return Ok(code),
                Stop::Signal(libc::SIGTRAP) => {
                    // What was secret before may have been overwritten unseen.
                    self.shadow = Shadow::default();
                    let followed = self.follow().map_err(|error| {
                        io::Error::other(format!("at {:#x}: {error}", self.address))
                    });
                    if let Some(code) = followed? {
                        return Ok(code);
                    }
                    0
                }
                Stop::Signal(libc::SIGILL) if self.tile()? => 0,
                Stop::Signal(other) => other,
            };
        }
    }

    /// Executes an instruction of tiles at full speed; false if it is another one.
    fn tile(&mut self) -> io::Result<bool> {
        let mut registers = self.process.registers()?;
        let address = registers.0.rip;
        let code = self.process.code(address)?;
        let decoded = Decoded::new(&code, address, &mut self.factory);
        if !decoded.is_tile {
            return Ok(false);
        }
        self.tiles.execute(&decoded.instruction, &self.process, &registers, &mut self.shadow)?;
        registers.0.rip = decoded.instruction.next_ip();
        self.process.set_registers(&registers)?;
        Ok(true)
    }

    /// Instruction by instruction, until the program asks to be let go; its exit code if it ends.
    fn follow(&mut self) -> io::Result<Option<i32>> {
        loop {
            let mut registers = self.process.registers()?;
            let address = registers.0.rip;
            self.address = address;
            if !self.decoded.contains_key(&address) {
                let code = self.process.code(address)?;
                self.decoded.insert(address, Decoded::new(&code, address, &mut self.factory));
            }
            let decoded = self.decoded.get_mut(&address).expect("just decoded");
            if decoded.needs_vectors {
                self.process.fetch_vectors()?;
            }
            decoded.count += 1;
            self.steps += 1;
            let instruction = decoded.instruction;
            let accesses = crate::address::accesses_of(decoded, &self.process, &registers);
            decoded.saw_secret |= self.shadow.sources(decoded, &accesses);
            for leak in self.shadow.execute(decoded, &accesses, &registers) {
                self.report.add(address, leak, &format_args!("{instruction}"));
            }
            if decoded.is_tile {
                self.tiles.execute(&instruction, &self.process, &registers, &mut self.shadow)?;
                registers.0.rip = instruction.next_ip();
                self.process.set_registers(&registers)?;
                continue;
            }
            if self.grants_tiles(&instruction, &mut registers)? {
                continue;
            }
            // The whole sequence rotates rdi by 3, 13, 61 and 51 bits before; alone, this comes
            // from CPUID's intrinsic.
            let rotated = core::mem::replace(
                &mut self.rotated,
                instruction.mnemonic() == Mnemonic::Rol
                    && instruction.op0_register() == Register::RDI
                    && instruction.immediate8() == 51,
            );
            let marked = rotated
                && instruction.mnemonic() == Mnemonic::Xchg
                && instruction.op0_register() == Register::RBX
                && instruction.op1_register() == Register::RBX;
            let before = registers;
            match self.process.step()? {
                Stop::Exited(code) => return Ok(Some(code)),
                Stop::Signal(libc::SIGTRAP) => {}
                Stop::Signal(signal) => {
                    return Err(io::Error::other(format!(
                        "signal {signal} at {address:#x}: {instruction}"
                    )));
                }
            }
            match instruction.mnemonic() {
                Mnemonic::Cpuid | Mnemonic::Xgetbv | Mnemonic::Syscall => {
                    let mut after = self.process.registers()?;
                    self.pretend(instruction.mnemonic(), &before, &mut after)?;
                }
                _ if marked => {
                    let mut registers = self.process.registers()?;
                    let errors = self.report.total;
                    let after =
                        requests::answer(&self.process, &mut registers, &mut self.shadow, errors)?;
                    self.process.set_registers(&registers)?;
                    if after == After::LetGo {
                        return Ok(None);
                    }
                }
                _ => {}
            }
        }
    }

    /// The system call that asks for the tile state is granted without being made.
    fn grants_tiles(
        &mut self,
        instruction: &iced_x86::Instruction,
        registers: &mut Registers,
    ) -> io::Result<bool> {
        const ARCH_PRCTL: u64 = 158;
        const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
        let asked = instruction.mnemonic() == Mnemonic::Syscall
            && (registers.0.rax, registers.0.rdi) == (ARCH_PRCTL, ARCH_REQ_XCOMP_PERM);
        if asked {
            registers.0.rax = 0;
            registers.0.rip = instruction.next_ip();
            self.process.set_registers(registers)?;
        }
        Ok(asked)
    }

    /// A CPU with AVX-512 has tiles besides, and what system calls write is public.
    fn pretend(
        &mut self,
        which: Mnemonic,
        before: &Registers,
        after: &mut Registers,
    ) -> io::Result<()> {
        match which {
            Mnemonic::Cpuid if before.0.rax as u32 == 7 && before.0.rcx as u32 == 0 => {
                let avx512 = after.0.rbx >> 16 & 1 == 1;
                if avx512 {
                    after.0.rdx |= 1 << 24 | 1 << 25;
                }
                self.process.set_registers(after)
            }
            Mnemonic::Xgetbv => {
                if after.0.rax & 0xe6 == 0xe6 {
                    after.0.rax |= 0x6_0000;
                }
                self.process.set_registers(after)
            }
            Mnemonic::Syscall => {
                let written = match before.0.rax as i64 {
                    libc::SYS_read | libc::SYS_pread64 => (before.0.rsi, after.0.rax),
                    libc::SYS_getrandom => (before.0.rdi, after.0.rax),
                    _ => (0, 0),
                };
                if (written.1 as i64) > 0 {
                    self.shadow.memory.fill(written.0, written.1, false);
                }
                self.shadow.registers.store(Register::RAX, 0, false);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
