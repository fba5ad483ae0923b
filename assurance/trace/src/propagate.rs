//! How secrets pass through an instruction, and what it betrays of them.

use iced_x86::{FlowControl, Instruction, Mnemonic, OpKind, Register};

use crate::address::Access;
use crate::decoded::{Decoded, Rule, Slow};
use crate::execution::{Execution, and_immediate, carry, lanes, last, unpack};
use crate::registers::Registers as Values;
use crate::shadow::{Shadow, all, spread};

/// The leak of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leak {
    /// Where it jumps, or whether, or how often it repeats.
    Jump,
    /// An address that it reads or writes.
    Address,
    /// An operand of a division or square root.
    Division,
    /// A selection that some CPUs take time for.
    Selection,
}

impl Shadow {
    /// Lets an instruction that is about to be executed pass, and returns what it betrays.
    pub fn execute(
        &mut self,
        decoded: &Decoded,
        accesses: &[Access],
        values: &Values,
    ) -> Vec<Leak> {
        let instruction = &decoded.instruction;
        let execution = Execution { instruction, accesses, values };
        let mut leaks = Vec::new();
        // Addresses, and the selection of elements of gathers and packed stores.
        let in_address =
            |register: Register| register != Register::None && self.registers.load(register) != 0;
        if decoded.memory.iter().any(|m| in_address(m.base()) || in_address(m.index())) {
            leaks.push(Leak::Address);
        }
        let compresses =
            format!("{:?}", instruction.mnemonic()).to_lowercase().contains("compress");
        if compresses && !decoded.memory.is_empty() && in_address(instruction.op_mask()) {
            leaks.push(Leak::Address);
        }
        // Jumps.
        let flags = self.registers.flags & instruction.rflags_read() != 0;
        let jumps = match decoded.flow {
            FlowControl::ConditionalBranch => {
                let counts = [Mnemonic::Jrcxz, Mnemonic::Jecxz, Mnemonic::Loop];
                flags
                    || counts.contains(&instruction.mnemonic())
                        && self.registers.load(Register::RCX) != 0
            }
            FlowControl::IndirectBranch | FlowControl::IndirectCall | FlowControl::Return => {
                instruction.op_count() > 0 && execution.load(self, 0) != 0
                    || decoded.flow == FlowControl::Return && self.read(accesses) != 0
            }
            _ => {
                instruction.has_rep_prefix()
                    && instruction.is_string_instruction()
                    && self.registers.load(Register::RCX) != 0
            }
        };
        if jumps {
            leaks.push(Leak::Jump);
        }
        let sources = self.sources(decoded, accesses);
        match decoded.slow {
            Slow::Division if sources => leaks.push(Leak::Division),
            Slow::Selection if execution.load(self, instruction.op_count() - 1) != 0 => {
                leaks.push(Leak::Selection);
            }
            _ => {}
        }
        self.propagate(decoded, accesses, values, sources);
        leaks
    }

    /// Whether anything that an instruction reads is secret, flags included.
    pub fn sources(&self, decoded: &Decoded, accesses: &[Access]) -> bool {
        if let Rule::Scalar(scalar) = decoded.rule {
            return self.reads_secret_number(scalar, &decoded.instruction, accesses);
        }
        decoded.reads.iter().any(|&register| self.registers.load(register) != 0)
            || self.read(accesses) != 0
            || self.registers.flags & decoded.instruction.rflags_read() != 0
    }

    fn propagate(
        &mut self,
        decoded: &Decoded,
        accesses: &[Access],
        values: &Values,
        sources: bool,
    ) {
        let instruction = &decoded.instruction;
        let execution = Execution { instruction, accesses, values };
        let zeroing = decoded.zeroing;
        let operands = instruction.op_count();
        let flags_in = self.registers.flags & instruction.rflags_read() != 0;
        let mut flags_out = sources;
        // Elements that a mask leaves alone keep their secrets; a secret mask spreads.
        let masked = instruction.has_op_mask() && instruction.op_kind(0) == OpKind::Register;
        let merged = if masked {
            let old = execution.load(self, 0);
            let mask = self.registers.load(instruction.op_mask());
            spread(mask, 64) | if instruction.merging_masking() { old } else { 0 }
        } else {
            0
        };
        // All operands, with the first one if it is read too. The stack pointer is not among the
        // registers read.
        let load_operands = |shadow: &Self| {
            let own = instruction.op_register(0).full_register();
            let reads = own == Register::RSP
                || decoded.reads.iter().any(|register| register.full_register() == own)
                || instruction.op_kind(0) == OpKind::Memory;
            let first = u32::from(!reads).min(operands.saturating_sub(1));
            (first..operands).fold(0, |bytes, operand| bytes | execution.load(shadow, operand))
        };
        match decoded.rule {
            Rule::Nothing => {
                for &register in
                    decoded.writes.iter().filter(|register| !register.is_vector_register())
                {
                    self.registers.store(register, 0, zeroing);
                }
                self.write(accesses, 0);
                flags_out = false;
            }
            Rule::ClearUpper => self.registers.clear_upper(),
            Rule::String => {
                // Pointers and counters move by public amounts.
                let read = self.read(accesses);
                let stored = match instruction.mnemonic() {
                    Mnemonic::Stosb | Mnemonic::Stosw | Mnemonic::Stosd | Mnemonic::Stosq => {
                        self.registers.load(Register::RAX)
                    }
                    _ => read,
                };
                self.write(accesses, stored);
                if decoded.writes.iter().any(|register| register.full_register() == Register::RAX) {
                    self.registers.store(Register::RAX, read, false);
                }
                flags_out = read | self.registers.load(Register::RAX) != 0;
            }
            Rule::Constant => {
                let carry_in = spread(u64::from(flags_in), 64);
                for &register in &decoded.writes {
                    self.registers.store(register, carry_in, zeroing);
                }
                flags_out = flags_in;
            }
            Rule::Copy { signed } => {
                let source = operands.saturating_sub(1);
                let (mut bytes, len) = match instruction.mnemonic() {
                    Mnemonic::Pop => (self.read(accesses), 8),
                    Mnemonic::Cdqe => (self.registers.load(Register::EAX), 4),
                    _ => (execution.load(self, source), execution.len(source)),
                };
                bytes &= all(len);
                if signed && last(bytes, len) {
                    bytes |= !all(len);
                }
                match instruction.mnemonic() {
                    Mnemonic::Push => self.write(accesses, bytes),
                    Mnemonic::Cdqe => self.registers.store(Register::RAX, bytes, false),
                    // Loads of parts of legacy vector registers clear the rest of 16 bytes.
                    _ => {
                        let register = instruction.op_register(0);
                        let clears = register.is_vector_register()
                            && len < 16
                            && instruction.op_kind(source) == OpKind::Memory;
                        if clears {
                            self.registers.store(register, 0, zeroing);
                        }
                        execution.store(self, 0, bytes | merged, zeroing);
                    }
                }
            }
            Rule::Reverse => {
                let len = execution.len(0);
                let bytes = execution.load(self, operands - 1) & all(len);
                execution.store(self, 0, bytes.reverse_bits() >> (64 - len), zeroing);
            }
            Rule::Bitwise => {
                let bytes = (merged | load_operands(self)) & and_immediate(&execution);
                flags_out = bytes & all(execution.len(0)) != 0;
                if instruction.mnemonic() != Mnemonic::Test {
                    execution.store(self, 0, bytes, zeroing);
                }
            }
            Rule::Carry => {
                let len = execution.len(0);
                let bytes = if instruction.mnemonic() == Mnemonic::Lea {
                    let read = decoded.reads.iter();
                    read.fold(0, |bytes, &register| bytes | self.registers.load(register))
                } else {
                    load_operands(self)
                };
                let bytes = if flags_in { all(len) } else { carry(bytes & all(len), len) };
                flags_out = bytes != 0;
                if instruction.mnemonic() != Mnemonic::Cmp {
                    execution.store(self, 0, bytes, zeroing);
                }
            }
            Rule::Shift => {
                let len = execution.len(0);
                let source = operands - 2;
                let bytes = execution.shifted(self, execution.load(self, source), len);
                execution.store(self, 0, bytes, zeroing);
            }
            Rule::Lanes => {
                let bytes = lanes(load_operands(self)) | merged;
                execution.store(self, 0, bytes, zeroing);
            }
            Rule::Scan => {
                let (to, len) = (instruction.op_register(0).full_register(), execution.len(0));
                let found = len > 2
                    && instruction.op_kind(1) == OpKind::Register
                    && values.get(instruction.op_register(1)) << (64 - 8 * len) != 0;
                let old = if found { 0 } else { self.registers.load(to) };
                // If it is secret it is not known either whether the upper half becomes zero.
                let secret = spread(execution.load(self, 1) & all(len), 8);
                flags_out = secret != 0;
                self.registers.store(to, old | secret, zeroing);
            }
            Rule::Conditional => {
                // A public condition tells which of the two it is.
                let len = execution.len(0);
                let bytes = match (flags_in, execution.condition()) {
                    (true, _) => all(len),
                    (false, holds) => execution.load(self, u32::from(holds)) & all(len),
                };
                execution.store(self, 0, bytes, zeroing);
            }
            Rule::Exchange => {
                let (a, b) = (execution.load(self, 0), execution.load(self, 1));
                execution.store(self, 0, b, zeroing);
                execution.store(self, 1, a, zeroing);
            }
            Rule::Extract => {
                let len = execution.len(0).min(part(instruction));
                let index = execution.immediate(operands - 1).unwrap_or(0) as u32;
                let shift = (index * len as u32) & 63;
                let bytes = execution.load(self, operands - 2) >> shift & all(len);
                execution.store(self, 0, bytes | merged, zeroing);
            }
            Rule::Insert => {
                let source = operands - 2;
                let len = part(instruction).min(execution.len(source));
                let index = execution.immediate(operands - 1).unwrap_or(0) as u32;
                let shift = (index * len as u32) & 63;
                let old = execution.load(self, u32::from(operands > 3));
                let new = (execution.load(self, source) & all(len)) << shift;
                execution.store(self, 0, old & !(all(len) << shift) | new | merged, zeroing);
            }
            Rule::Unpack { high } => {
                let first = u32::from(operands > 2);
                let (a, b) = (execution.load(self, first), execution.load(self, first + 1));
                execution.store(self, 0, unpack(a, b, high), zeroing);
            }
            Rule::Scalar(scalar) => {
                // Comparisons have no result but flags.
                let to = instruction.op_register(0).full_register();
                if decoded.writes.iter().any(|register| register.full_register() == to) {
                    self.store_number(scalar, instruction, zeroing, sources);
                }
            }
            Rule::All => {
                let secret = spread(u64::from(sources), 64);
                for &register in &decoded.writes {
                    self.registers.store(register, secret, zeroing);
                }
                self.write(accesses, secret);
            }
        }
        // Undefined flags may stay as they were, as all do where nothing is shifted.
        let modified = instruction.rflags_modified();
        let kept =
            if shifts_by_cl(instruction) { modified } else { instruction.rflags_undefined() };
        let constant = instruction.rflags_cleared() | instruction.rflags_set();
        if flags_out {
            self.registers.flags |= modified;
            self.registers.flags &= !constant;
        } else {
            self.registers.flags &= !(modified & !kept);
        }
    }
}

/// Whether it may be that nothing is shifted.
fn shifts_by_cl(instruction: &Instruction) -> bool {
    use Mnemonic::{Rcl, Rcr, Rol, Ror, Sar, Shl, Shld, Shr, Shrd};
    let shifts =
        matches!(instruction.mnemonic(), Shl | Shr | Sar | Rol | Ror | Rcl | Rcr | Shld | Shrd);
    shifts && instruction.op_register(instruction.op_count() - 1) == Register::CL
}

/// Bytes of the part that `vextract..` and `vinsert..` move.
fn part(instruction: &Instruction) -> usize {
    let name = format!("{:?}", instruction.mnemonic()).to_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    if ends(&["128", "32x4", "64x2"]) {
        16
    } else if ends(&["32x8", "64x4"]) {
        32
    } else if ends(&["q"]) {
        8
    } else if ends(&["d", "ps"]) {
        4
    } else if ends(&["w"]) {
        2
    } else {
        1
    }
}
