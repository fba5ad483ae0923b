//! The loop: an instruction is decoded, its effect on secrets is computed, the CPU executes it.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use iced_x86::{InstructionInfoFactory, Mnemonic, Register};

use crate::decoded::Decoded;
use crate::execution::Execution;
use crate::process::{Process, Stop};
use crate::registers::Registers;
use crate::report::Report;
use crate::requests;
use crate::rules;
use crate::shadow::Shadow;
use crate::straight::Straight;
use crate::system;
use crate::tiles::Tiles;

struct Tracer {
    process: Process,
    decoded: HashMap<u64, Decoded>,
    factory: InstructionInfoFactory,
    shadow: Shadow,
    tiles: Tiles,
    report: Report,
    steps: u64,
    /// The address of the last instruction that was followed.
    address: u64,
    /// Whether it was the one before the mark of a request, and whether that mark.
    rotated: bool,
    marked: bool,
    /// Each instruction by itself, which is slow.
    singly: bool,
}

/// How it goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Followed {
    On,
    LetGo,
    Exited(i32),
}

/// Further tasks of a run.
pub struct Options {
    /// Findings, with their places in the source.
    pub log: PathBuf,
    /// How often each instruction was executed, and whether on a secret.
    pub executed: Option<PathBuf>,
    /// Each instruction by itself, which is slow.
    pub singly: bool,
    /// The rules of all instructions that were executed are compared with the CPU.
    pub rules: bool,
}

/// Runs a program to its end; returns its exit code.
pub fn run(command: &mut Command, program: &str, options: &Options) -> io::Result<i32> {
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
        marked: false,
        singly: options.singly,
    };
    let base = base(pid)?;
    let mut code = tracer.free()?;
    eprintln!("trace: {} instructions followed, {} findings", tracer.steps, tracer.report.total);
    tracer.report.write(program, base, &options.log)?;
    let mut executed: Vec<_> =
        tracer.decoded.iter().filter(|(_, decoded)| decoded.count > 0).collect();
    executed.sort_by_key(|(address, _)| **address);
    if let Some(path) = &options.executed {
        let mut file = io::BufWriter::new(fs::File::create(path)?);
        for (address, decoded) in &executed {
            let secret = if decoded.saw_secret { "secret" } else { "public" };
            writeln!(file, "{:x} {} {secret}", address.wrapping_sub(base), decoded.count)?;
        }
        file.flush()?;
    }
    if options.rules {
        let outcome = rules::check(executed.iter().map(|(_, decoded)| &decoded.code[..]))?;
        eprint!("{outcome}");
        code = code.max(i32::from(!outcome.wrong.is_empty()));
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
                    // Secrets from before may have been overwritten unseen.
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

    /// Until the program asks to be let go; its exit code if it ends.
    fn follow(&mut self) -> io::Result<Option<i32>> {
        loop {
            let before = self.process.registers()?;
            let mut registers = before;
            let mut straight = Straight::default();
            let mut next = registers.0.rip;
            while let Some(after) = self.account(next, &mut registers, &mut straight)? {
                next = after;
                if self.singly || self.decoded[&self.address].needs.alone {
                    break;
                }
            }
            let done = if straight.len() == 1 {
                self.execute_one(before)?
            } else {
                let stop = self.process.run_to(next)?;
                self.stopped(stop)?
            };
            match done {
                Followed::On => {}
                Followed::LetGo => return Ok(None),
                Followed::Exited(code) => return Ok(Some(code)),
            }
        }
    }

    /// Lets secrets pass through the instruction at `address`, if these registers tell all that is
    /// needed for it; the address after it.
    fn account(
        &mut self,
        address: u64,
        registers: &mut Registers,
        straight: &mut Straight,
    ) -> io::Result<Option<u64>> {
        if !self.decoded.contains_key(&address) {
            let code = self.process.code(address)?;
            self.decoded.insert(address, Decoded::new(&code, address, &mut self.factory));
        }
        let decoded = self.decoded.get_mut(&address).expect("just decoded");
        if !straight.take(&decoded.needs) {
            return Ok(None);
        }
        self.address = address;
        if decoded.needs_vectors {
            self.process.fetch_vectors()?;
        }
        decoded.count += 1;
        self.steps += 1;
        let accesses = crate::address::accesses_of(decoded, &self.process, registers);
        decoded.saw_secret |= self.shadow.sources(decoded, &accesses);
        for leak in self.shadow.execute(decoded, &accesses, registers) {
            self.report.add(address, leak, &format_args!("{}", decoded.instruction));
        }
        registers.0.rsp = registers.0.rsp.wrapping_add_signed(decoded.needs.stack);
        // The whole sequence rotates rdi by 3, 13, 61 and 51 bits before; alone, its mark comes
        // from CPUID's intrinsic.
        let instruction = &decoded.instruction;
        self.marked = self.rotated
            && instruction.mnemonic() == Mnemonic::Xchg
            && instruction.op0_register() == Register::RBX
            && instruction.op1_register() == Register::RBX;
        self.rotated = instruction.mnemonic() == Mnemonic::Rol
            && instruction.op0_register() == Register::RDI
            && instruction.immediate8() == 51;
        Ok(Some(instruction.next_ip()))
    }

    /// Executes the instruction at `self.address`.
    fn execute_one(&mut self, mut registers: Registers) -> io::Result<Followed> {
        let decoded = &self.decoded[&self.address];
        let instruction = decoded.instruction;
        if decoded.is_tile {
            self.tiles.execute(&instruction, &self.process, &registers, &mut self.shadow)?;
            registers.0.rip = instruction.next_ip();
            self.process.set_registers(&registers)?;
            return Ok(Followed::On);
        }
        if system::grants_tiles(&instruction, &mut registers) {
            self.process.set_registers(&registers)?;
            return Ok(Followed::On);
        }
        // A jump to a fixed address takes no step: its flags are known.
        if !self.singly
            && (instruction.is_jcc_short_or_near() || instruction.is_jmp_short_or_near())
        {
            let execution =
                Execution { instruction: &instruction, accesses: &[], values: &registers };
            let taken = execution.condition();
            registers.0.rip =
                if taken { instruction.near_branch_target() } else { instruction.next_ip() };
            self.process.set_registers(&registers)?;
            return Ok(Followed::On);
        }
        let stop = self.process.step()?;
        let followed = self.stopped(stop)?;
        if followed != Followed::On {
            return Ok(followed);
        }
        match instruction.mnemonic() {
            Mnemonic::Cpuid | Mnemonic::Xgetbv | Mnemonic::Syscall => {
                let mut after = self.process.registers()?;
                system::pretend(instruction.mnemonic(), &registers, &mut after, &mut self.shadow);
                self.process.set_registers(&after)?;
            }
            _ if self.marked => {
                let mut registers = self.process.registers()?;
                let errors = self.report.total;
                let follow =
                    requests::answer(&self.process, &mut registers, &mut self.shadow, errors)?;
                self.process.set_registers(&registers)?;
                if !follow {
                    return Ok(Followed::LetGo);
                }
            }
            _ => {}
        }
        Ok(Followed::On)
    }

    /// The consequence of a stop.
    fn stopped(&self, stop: Stop) -> io::Result<Followed> {
        match stop {
            Stop::Exited(code) => Ok(Followed::Exited(code)),
            Stop::Signal(libc::SIGTRAP) => Ok(Followed::On),
            Stop::Signal(signal) => {
                let at = self.process.registers()?.0.rip;
                Err(io::Error::other(format!("signal {signal} at {at:#x}")))
            }
        }
    }
}
