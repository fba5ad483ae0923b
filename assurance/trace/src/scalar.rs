//! Instructions on the lowest number of a vector register: what lies above it, often left over from
//! something else, neither is read nor changes.

use iced_x86::{Instruction, OpKind};

/// Which numbers an instruction reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Bytes of a number that is read in a vector register.
    pub read: usize,
    /// Bytes of the result in a vector register.
    pub written: usize,
    /// Whether the result depends on what was in its register.
    pub accumulates: bool,
    /// Whether two numbers are read. If not, the first source of three operands has what lies above
    /// the result, and no more.
    pub two_sources: bool,
}

impl Scalar {
    /// `None` for what works on more than the lowest numbers.
    pub fn new(instruction: &Instruction, name: &str) -> Option<Self> {
        let vector = |i| {
            i < instruction.op_count()
                && instruction.op_kind(i) == OpKind::Register
                && instruction.op_register(i).is_vector_register()
        };
        if !(vector(0) || vector(1)) || instruction.has_op_mask() {
            return None;
        }
        let name = name.strip_prefix('v').unwrap_or(name);
        let fused = ["fmadd", "fmsub", "fnmadd", "fnmsub"].iter().any(|f| name.starts_with(f));
        let operation = name.strip_suffix("sd").or_else(|| name.strip_suffix("ss"));
        let two_sources = match operation {
            Some("add" | "sub" | "mul" | "div" | "min" | "max" | "ucomi" | "comi") => true,
            // Not those whose result is a mask register.
            Some("cmp") if vector(0) => true,
            Some("sqrt" | "round" | "rndscale" | "cvtsi2" | "cvtusi2" | "cvtss2" | "cvtsd2") => {
                false
            }
            // Between registers: a load clears what lies above.
            Some("mov") if vector(0) && vector(instruction.op_count() - 1) => false,
            Some(_) if fused => true,
            None if name.starts_with("cvt") && name.ends_with("2si") => false,
            _ => return None,
        };
        let double = name.contains("sd") && !name.starts_with("cvtss2");
        Some(Self {
            read: if double { 8 } else { 4 },
            written: if name.ends_with("ss") { 4 } else { 8 },
            accumulates: fused || two_sources && operands(instruction) == 2,
            two_sources,
        })
    }
}

/// How many operands there are, less an immediate one.
pub fn operands(instruction: &Instruction) -> u32 {
    let count = instruction.op_count();
    count - u32::from(instruction.op_kind(count - 1) == OpKind::Immediate8)
}
