//! An instruction, and by which rule secrets pass through it.

use iced_x86::{
    Code, Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction, InstructionInfoFactory,
    Mnemonic, OpAccess, OpKind, Register, UsedMemory,
};

use crate::scalar::Scalar;
use crate::straight::{Needs, Values};

/// How the secret bytes of results follow from the secret bytes of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// No result that matters.
    Nothing,
    /// `vzeroupper`.
    ClearUpper,
    /// `movs`, `stos` and their like, once.
    String,
    /// The result does not depend on its operands, as of `xor eax, eax`.
    Constant,
    /// Byte i of the result is byte i of the last operand, and beyond it copies of the sign or
    /// zero.
    Copy {
        signed: bool,
    },
    /// The bytes in reverse.
    Reverse,
    /// Byte i depends on byte i of each operand.
    Bitwise,
    /// Byte i depends on bytes 0 to i of each operand: sums, and low halves of products.
    Carry,
    /// A shift or rotation of general registers.
    Shift,
    /// Eight bytes depend on the same eight bytes of each operand.
    Lanes,
    /// `bsf` and `bsr`, which change nothing if there is no bit to be found.
    Scan,
    /// The last operand if a condition holds.
    Conditional,
    /// Two operands change places.
    Exchange,
    /// Part of a vector, by an index that is part of the instruction, taken or replaced.
    Extract,
    Insert,
    /// The lower or upper eight bytes of each sixteen, of two operands.
    Unpack {
        high: bool,
    },
    /// The lowest number of a vector register.
    Scalar(Scalar),
    /// All bytes of the results depend on all of the operands.
    All,
}

/// The operands on which the time of an instruction depends, beyond addresses and jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slow {
    /// On nothing.
    No,
    /// On the operands: divisions and square roots.
    Division,
    /// On the selecting operand: `pext` and `pdep` before Zen 3.
    Selection,
}

/// A decoded instruction with the facts that are needed whenever it is executed.
pub struct Decoded {
    pub instruction: Instruction,
    /// Its bytes.
    pub code: Vec<u8>,
    pub rule: Rule,
    pub slow: Slow,
    pub flow: FlowControl,
    pub memory: Vec<UsedMemory>,
    pub reads: Vec<Register>,
    pub writes: Vec<Register>,
    /// Whether results clear what lies above them in a vector register.
    pub zeroing: bool,
    /// Whether it may have to be looked up which elements of memory are touched.
    pub needs_vectors: bool,
    pub is_tile: bool,
    pub needs: Needs,
    /// How often it was executed, and whether ever on a secret.
    pub count: u64,
    pub saw_secret: bool,
}

/// Whether a name begins with any of these words.
fn any_of(name: &str, prefixes: &str) -> bool {
    prefixes.split(' ').any(|prefix| name.starts_with(prefix))
}

fn same_sources(instruction: &Instruction) -> bool {
    let count = instruction.op_count();
    let register =
        |i| (instruction.op_kind(i) == OpKind::Register).then(|| instruction.op_register(i));
    count >= 2 && register(count - 1).is_some() && register(count - 1) == register(count - 2)
}

fn rule(instruction: &Instruction, name: &str) -> Rule {
    let clears =
        "xor sub pxor vpxor xorp vxorp psub vpsub pcmpeq pcmpgt vpcmpeq vpcmpgt kxor kxnor";
    let clears = any_of(name, clears);
    if clears && same_sources(instruction) && !instruction.has_op_mask() {
        return Rule::Constant;
    }
    if name.starts_with("vpternlog") && matches!(instruction.immediate8(), 0 | 0xff) {
        return Rule::Constant;
    }
    if instruction.is_string_instruction() {
        return Rule::String;
    }
    if let Some(scalar) = Scalar::new(instruction, name) {
        return Rule::Scalar(scalar);
    }
    let plain = name.strip_prefix('v').unwrap_or(name);
    let masked = instruction.has_op_mask();
    // The sign of each number of the last operand selects; before AVX it is an implied one.
    if plain.contains("blendv") {
        let all = instruction.encoding() == EncodingKind::Legacy || plain == "pblendvb";
        return if all { Rule::All } else { Rule::Lanes };
    }
    match plain {
        "unpcklpd" | "punpcklqdq" if !masked => return Rule::Unpack { high: false },
        "unpckhpd" | "punpckhqdq" if !masked => return Rule::Unpack { high: true },
        "addpd" | "subpd" | "mulpd" | "divpd" | "minpd" | "maxpd" | "addps" | "subps" | "mulps"
        | "divps" | "minps" | "maxps" => return Rule::Lanes,
        _ => {}
    }
    match name {
        "nop" | "endbr64" | "pause" | "ud2" | "int3" | "cld" | "std" | "cpuid" | "rdtsc"
        | "rdtscp" | "xgetbv" | "syscall" | "call" | "ret" | "jmp" | "leave" => {
            return Rule::Nothing;
        }
        "mov" | "movzx" | "movd" | "movq" | "vmovd" | "vmovq" | "lddqu" | "vlddqu" | "push"
        | "pop" => {
            return Rule::Copy { signed: false };
        }
        "movsx" | "movsxd" | "cdqe" => return Rule::Copy { signed: true },
        "vzeroupper" => return Rule::ClearUpper,
        "bswap" | "movbe" => return Rule::Reverse,
        "and" | "or" | "xor" | "not" | "andn" | "test" => return Rule::Bitwise,
        "add" | "sub" | "inc" | "dec" | "neg" | "lea" | "adc" | "sbb" | "adcx" | "adox" | "cmp" => {
            return Rule::Carry;
        }
        "imul" if instruction.op_count() > 1 => return Rule::Carry,
        "shl" | "shr" | "sar" | "rol" | "ror" | "rorx" | "shlx" | "shrx" | "sarx" => {
            return Rule::Shift;
        }
        "xchg" => return Rule::Exchange,
        "bsf" | "bsr" => return Rule::Scan,
        _ => {}
    }
    let scalar_merge = any_of(name, "movss movsd vmovss vmovsd") && instruction.op_count() == 3;
    let copies = "movaps movapd movups movupd movdq movnt movss movsd vmovap vmovup vmovdq \
        vmovnt vmovss vmovsd kmov";
    let bitwise = "pand por pxor andp andnp orp xorp vpand vpor vpxor vandp vandnp vorp vxorp \
        vpternlog vpblend pblend vblend kand kor kxor kxnor knot";
    let lanes = "vpadd vpsub vpmul vpmadd padd psub pmul pmadd vadd vsub vmul vfmadd vfmsub \
        vfnmadd vfnmsub vpcmpeq vpcmpgt vpmin vpmax vpdp vpabs pminu pmaxu vrndscale vround";
    let shifts = "vpsll vpsrl vpsra psll psrl psra vprol vpror";
    if name.starts_with("cmov") {
        Rule::Conditional
    } else if any_of(name, "fence lfence mfence sfence prefetch") || name.starts_with('j') {
        Rule::Nothing
    } else if any_of(name, copies) && !scalar_merge {
        Rule::Copy { signed: false }
    } else if any_of(name, shifts)
        && !name.ends_with("dq")
        && (instruction.op_kind(instruction.op_count() - 1) == OpKind::Immediate8
            || name[5..].starts_with('v'))
    {
        Rule::Lanes
    } else if any_of(name, bitwise) && !name.contains("kortest") {
        Rule::Bitwise
    } else if any_of(name, lanes)
        && !name.contains("multishift")
        && instruction.op0_register().is_vector_register()
        && !any_of(name, "vaddsub vpaddss")
        && !name.ends_with("sd")
        && !name.ends_with("ss")
    {
        Rule::Lanes
    } else if any_of(name, "vextracti vextractf pextr vpextr") {
        Rule::Extract
    } else if any_of(name, "vinserti vinsertf pinsr vpinsr") {
        Rule::Insert
    } else {
        Rule::All
    }
}

/// Whether an access reads, and whether it writes.
pub fn accesses(access: OpAccess) -> (bool, bool) {
    match access {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write | OpAccess::CondWrite => (false, true),
        OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        _ => (false, false),
    }
}

impl Decoded {
    pub fn new(code: &[u8], address: u64, factory: &mut InstructionInfoFactory) -> Self {
        let instruction = Decoder::with_ip(64, code, address, DecoderOptions::NONE).decode();
        let info = factory.info(&instruction);
        let name = format!("{:?}", instruction.mnemonic()).to_lowercase();
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for used in info.used_registers() {
            let (read, write) = accesses(used.access());
            // The stack pointer and segments are public by their nature.
            let register = used.register();
            if register.is_segment_register() || register.full_register() == Register::RSP {
                continue;
            }
            if read {
                reads.push(register);
            }
            if write {
                writes.push(register);
            }
        }
        let memory: Vec<_> = info
            .used_memory()
            .iter()
            .filter(|memory| {
                memory.access() != OpAccess::NoMemAccess && memory.access() != OpAccess::None
            })
            .copied()
            .collect();
        let vsib = memory.iter().any(|memory| memory.index().is_vector_register());
        let masked = instruction.has_op_mask() || any_of(&name, "vmaskmov vpmaskmov");
        let divides = any_of(&name, "div idiv sqrt vdiv vsqrt fdiv fsqrt vfixup");
        let slow = match instruction.mnemonic() {
            Mnemonic::Pext | Mnemonic::Pdep => Slow::Selection,
            _ if divides => Slow::Division,
            _ => Slow::No,
        };
        let is_tile = any_of(&name, "ldtilecfg sttilecfg tile tdp");
        let rule = if instruction.code() == Code::INVALID {
            Rule::Nothing
        } else {
            rule(&instruction, &name)
        };
        let needs_vectors = !memory.is_empty() && (vsib || masked);
        let values = Values {
            last_operand: matches!(rule, Rule::Shift | Rule::Scan),
            flags: rule == Rule::Conditional,
            vectors: needs_vectors,
        };
        let mut needs = Needs::of(&instruction, info.used_registers(), &memory, values);
        needs.alone |= is_tile;
        Self {
            rule,
            slow,
            flow: instruction.flow_control(),
            needs_vectors,
            memory,
            reads,
            writes,
            zeroing: instruction.encoding() != EncodingKind::Legacy,
            is_tile,
            code: code[..instruction.len().min(code.len())].to_vec(),
            instruction,
            needs,
            count: 0,
            saw_secret: false,
        }
    }
}
