//! Single instructions, executed on chosen operands.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::process::Command;

use iced_x86::{CpuidFeature, FlowControl, InstructionInfoFactory, Mnemonic, Register, UsedMemory};

use super::state::{FLAGS, MEMORY, Random, State, general};
use crate::address::accesses_of;
use crate::decoded::Decoded;
use crate::process::{Process, Stop};
use crate::registers::Registers;
use crate::shadow::Shadow;

/// The outcome of trying rules.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Instructions that were tried, and pairs of executions.
    pub instructions: usize,
    pub pairs: u64,
    /// Names of instructions that cannot be tried, such as jumps, system calls and tiles, or that
    /// no pair could execute; how many of each.
    pub untried: BTreeMap<String, usize>,
    /// Bytes that a rule takes to be public, and that are not.
    pub wrong: Vec<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instructions, pairs, untried, wrong } = self;
        writeln!(f, "rules: {instructions} instructions, {pairs} pairs, {} wrong", wrong.len())?;
        let untried: Vec<_> =
            untried.iter().map(|(name, count)| format!("{name} ({count})")).collect();
        writeln!(f, "rules: not tried: {}", untried.join(" "))?;
        wrong.iter().try_for_each(|wrong| writeln!(f, "rules: wrong: {wrong}"))
    }
}

/// Pairs of executions of each instruction.
pub const TRIALS: u32 = 24;

/// A program whose code is replaced by one instruction at a time.
pub struct Laboratory {
    process: Process,
    /// As it was started, with the address of the code.
    start: Registers,
    memory: u64,
    factory: InstructionInfoFactory,
}

impl Laboratory {
    /// A program that is stopped before its first instruction, and will execute none of its own.
    pub fn new() -> io::Result<Self> {
        let mut process = Process::start(&mut Command::new("/bin/true"))?;
        process.fetch_vectors()?;
        let start = process.registers()?;
        let memory = (start.0.rsp & !0xfff) - 0x2000;
        Ok(Self { process, start, memory, factory: InstructionInfoFactory::new() })
    }

    /// An instruction where it will be executed.
    pub fn decode(&mut self, code: &[u8]) -> Decoded {
        Decoded::new(code, self.start.0.rip, &mut self.factory)
    }

    /// Ends the program.
    pub fn close(mut self) -> io::Result<()> {
        self.process.kill()
    }

    /// Tries an instruction, and says what came of it.
    pub fn instruction(&mut self, decoded: &Decoded, outcome: &mut Outcome) -> io::Result<()> {
        let name = format!("{:?}", decoded.instruction.mnemonic()).to_lowercase();
        if !can_be_tried(decoded) {
            *outcome.untried.entry(name).or_default() += 1;
            return Ok(());
        }
        self.process.write(self.start.0.rip, &decoded.code)?;
        let seed = decoded
            .code
            .iter()
            .fold(0, |seed: u64, &byte| seed.wrapping_mul(257) + u64::from(byte));
        let mut random = Random(seed);
        let mut pairs = 0;
        for _ in 0..TRIALS {
            let Some(differences) = self.pair(decoded, &mut random)? else { continue };
            pairs += 1;
            if !differences.is_empty() {
                let text = format!("{}: {}", decoded.instruction, differences.join(", "));
                outcome.wrong.push(text);
                break;
            }
        }
        if pairs == 0 {
            *outcome.untried.entry(name).or_default() += 1;
        } else {
            outcome.instructions += 1;
            outcome.pairs += pairs;
        }
        Ok(())
    }

    /// Differences that the rule does not know of; nothing if the instruction leaks by itself, or
    /// cannot be executed on these operands.
    fn pair(&mut self, decoded: &Decoded, random: &mut Random) -> io::Result<Option<Vec<String>>> {
        let mut first = State::random(random);
        let mut shadow = Shadow::default();
        for register in general() {
            shadow.registers.store(register, random.secrets(8), false);
        }
        for i in 0..32 {
            shadow.registers.store(Register::ZMM0 + i, random.secrets(64), true);
        }
        for i in 0..8 {
            shadow.registers.store(Register::K0 + i, random.secrets(8), false);
        }
        for i in 0..MEMORY as u64 / 64 {
            shadow.memory.store(self.memory + 64 * i, 64, random.secrets(64));
        }
        for (flag, _) in FLAGS {
            shadow.registers.flags |= if random.next().is_multiple_of(2) { flag } else { 0 };
        }
        self.point(decoded, &mut first, &mut shadow, random);
        let mut second = first.clone();
        second.vary(&shadow, self.memory, random);

        let registers = self.set(&first)?;
        self.process.fetch_vectors()?;
        let accesses = accesses_of(decoded, &self.process, &registers);
        if !shadow.execute(decoded, &accesses, &registers).is_empty() {
            return Ok(None);
        }
        let Some(mut after) = self.step()? else { return Ok(None) };
        self.set(&second)?;
        let Some(mut other) = self.step()? else { return Ok(None) };
        Ok(Some(after.compare(&mut other, &shadow, self.memory)))
    }

    /// Makes addresses public and lets them point into the memory.
    fn point(
        &self,
        decoded: &Decoded,
        state: &mut State,
        shadow: &mut Shadow,
        random: &mut Random,
    ) {
        // Some instructions want their operands aligned.
        let offset = if random.next().is_multiple_of(2) { 0 } else { random.next() % 64 };
        let middle = self.memory + MEMORY as u64 / 2 - 64 + offset;
        let public = |shadow: &mut Shadow, register| shadow.registers.store(register, 0, false);
        public(shadow, Register::RSP);
        state.general[Register::RSP.number()] = middle.to_le_bytes();
        for used in &decoded.memory {
            let (base, index) = (used.base().full_register(), used.index().full_register());
            let mut address = middle.wrapping_sub(used.displacement());
            if index != Register::None {
                public(shadow, index);
                let value = random.next() % 64;
                state.general[index.number()] = value.to_le_bytes();
                address = address.wrapping_sub(value.wrapping_mul(used.scale().into()));
            }
            if base.is_gpr() {
                public(shadow, base);
                state.general[base.number()] = address.to_le_bytes();
            }
        }
        if decoded.instruction.is_string_instruction() {
            public(shadow, Register::RCX);
        }
        // Which elements of memory are touched is public, as it is in `accesses_of`.
        if decoded.needs_vectors {
            public(shadow, decoded.instruction.op_mask());
        }
    }

    fn set(&mut self, state: &State) -> io::Result<Registers> {
        for (i, bytes) in state.vectors.iter().enumerate() {
            self.process.set_vector(i, bytes);
        }
        for (i, &bytes) in state.masks.iter().enumerate() {
            self.process.set_mask(i, u64::from_le_bytes(bytes));
        }
        self.process.store_vectors()?;
        self.process.write(self.memory, &state.memory)?;
        let mut registers = self.start;
        for (register, &bytes) in general().zip(&state.general) {
            registers.set(register, u64::from_le_bytes(bytes));
        }
        registers.0.eflags = state.eflags;
        registers.0.orig_rax = u64::MAX;
        self.process.set_registers(&registers)?;
        Ok(registers)
    }

    /// Executes the instruction; nothing if it raises an exception.
    fn step(&mut self) -> io::Result<Option<State>> {
        match self.process.step()? {
            Stop::Signal(libc::SIGTRAP) => {}
            Stop::Signal(_) => return Ok(None),
            Stop::Exited(code) => {
                return Err(io::Error::other(format!("the program ended with {code}")));
            }
        }
        let registers = self.process.registers()?;
        self.process.fetch_vectors()?;
        let mut memory = [0; MEMORY];
        self.process.read(self.memory, &mut memory)?;
        Ok(Some(State {
            general: core::array::from_fn(|i| {
                registers.get(Register::RAX + i as u32).to_le_bytes()
            }),
            vectors: core::array::from_fn(|i| self.process.vector(i)),
            masks: core::array::from_fn(|i| self.process.mask(i).to_le_bytes()),
            memory,
            eflags: registers.0.eflags,
            next: registers.0.rip,
        }))
    }
}

/// Not instructions that are looked at elsewhere, or depend on more than their operands, or on
/// registers that nothing is known of here, such as the ones of x87.
fn can_be_tried(decoded: &Decoded) -> bool {
    let exceptional = [
        Mnemonic::INVALID,
        Mnemonic::Cpuid,
        Mnemonic::Rdtsc,
        Mnemonic::Rdtscp,
        Mnemonic::Rdrand,
        Mnemonic::Rdseed,
        Mnemonic::Xgetbv,
        Mnemonic::Vzeroall,
    ];
    let plain = |m: &UsedMemory| !m.index().is_vector_register() && m.memory_size().size() <= 64;
    let known = |r: &Register| r.is_gpr() || r.is_vector_register() || r.is_k();
    let x87 = |f: &CpuidFeature| {
        matches!(f, CpuidFeature::FPU | CpuidFeature::FPU287 | CpuidFeature::FPU387)
    };
    matches!(decoded.flow, FlowControl::Next | FlowControl::ConditionalBranch)
        && !decoded.is_tile
        && !exceptional.contains(&decoded.instruction.mnemonic())
        && decoded.memory.iter().all(plain)
        && !decoded.instruction.cpuid_features().iter().any(x87)
        && decoded.reads.iter().chain(&decoded.writes).all(known)
}
