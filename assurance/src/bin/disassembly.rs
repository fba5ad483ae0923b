//! Reads `objdump --disassemble --demangle --no-show-raw-insn` of a release binary on standard
//! input and checks the kernels named below: no division, no jump on a vector or mask comparison,
//! no gather, and no value moved from a vector or mask register to a general one, from where it
//! could reach a jump or an address. Start it by `disassembly.sh`.
//!
//! With `--executed FILE`, of the tracer, an instruction that the tracer has followed needs no
//! excuse: what it did with secrets is known, address by address. The excuses of the table are for
//! what was not executed, and such instructions are listed by their addresses.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, BufRead};
use std::process::ExitCode;

/// A leak of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Leak {
    Division,
    VectorJump,
    Gather,
    Move,
}

/// An instruction that is excused, with the reason.
type Excuse = (Leak, &'static str);

/// Kernels by a part of their names, and the instructions that are excused in each. Code that is
/// entered through `Token::vectorize` has the path of the closure, as in
/// `inside::<(), tautochrone_gauss::bitslice::kernel::run<..>::{closure#0}>`.
const KERNELS: &[(&[Excuse], &[&str])] = &[
    (
        &[],
        &[
            "tautochrone_bignum::asm::quotients::",
            "<tautochrone_bignum::mul::Mul>::mul",
            "<tautochrone_bignum::mul::Mul>::square",
            "tautochrone_bignum::select::",
            "::vectorize::inside::<(), <tautochrone_bignum::modexp::avx2_radix27::",
            "encrypt::<tautochrone_ctr::engine::portable::Counters>",
            "tautochrone_ctr::engine::vaes::fill",
            "tautochrone_gauss::bitslice::interleave::blocks",
            "tautochrone_gauss::bitslice::avx2::unpack_lanes",
            "tautochrone_gauss::bitslice::avx2::block",
            "tautochrone_gauss::bitslice::avx512::transpose_lanes",
            "tautochrone_gauss::bitslice::avx512::unpack_lanes",
            "tautochrone_gauss::bitslice::avx512::block",
            "Avx512 as tautochrone_simd::proof::Token>::vectorize::inside::<(), \
             tautochrone_gauss::bitslice::adjust::accept::lanes::{closure#0}>",
            "Avx512 as tautochrone_simd::proof::Token>::vectorize::inside::<(), \
             <tautochrone_gauss::bitslice::adjust::centre::Parts>::new::{closure#0}>",
            "tautochrone_gauss::uniform::avx512::extract_lanes",
            "Gfni as tautochrone_simd::proof::Token>::vectorize::inside::<(), tautochrone_ice",
            "Gfni) as tautochrone_simd::proof::Token>::vectorize::inside::<(), tautochrone_ice",
        ],
    ),
    (
        &[(
            Leak::Gather,
            "words of blocks, at addresses a fixed distance apart, which the compiler gathers by \
             itself",
        )],
        &["::vectorize::inside::<(), tautochrone_ice::sliced::planes::run"],
    ),
    (
        &[
            (Leak::Division, "widths divided by the parts that are worked on"),
            (
                Leak::Move,
                "carries ripple in the adder of general registers, digits of quotients too, and \
                 digits become limbs, never addresses or flags of jumps",
            ),
        ],
        &[
            "::vectorize::inside::<(), <tautochrone_bignum::modexp::ifma::",
            "::vectorize::inside::<(), <tautochrone_bignum::modexp::ifma_x8::",
            "::vectorize::inside::<(), tautochrone_bignum::modexp::ifma::",
            "::vectorize::inside::<(), tautochrone_bignum::ifma_product::",
            "::vectorize::inside::<(), tautochrone_bignum::radix52::blocks::",
        ],
    ),
    (
        &[(Leak::Division, "rows of random bits divided by the rows that a block takes")],
        &[
            "tautochrone_gauss::bitslice::kernel::run<tautochrone_simd::vector::avx2::",
            "tautochrone_gauss::bitslice::kernel::run<tautochrone_simd::vector::avx512::",
        ],
    ),
    (
        &[
            (Leak::Move, "the masks of accepted and of doubtful trials are public"),
            (Leak::VectorJump, "whether a trial was in doubt is public"),
        ],
        &[
            "gauss::bitslice::adjust::vector::one_centre<tautochrone_simd::vector::avx512::",
            "gauss::bitslice::adjust::vector::centres<tautochrone_simd::vector::avx512::",
            "gauss::facct::interleave::trials",
            "gauss::facct::vector::trials<tautochrone_simd::vector::pair::",
            "gauss::facct::vector::trials<tautochrone_simd::vector::avx512::",
            "gauss::facct::vector::coordinates::coordinates<tautochrone_simd::vector::pair::",
            "gauss::facct::vector::coordinates::coordinates<tautochrone_simd::vector::avx512::",
        ],
    ),
    (
        &[
            (Leak::Move, "the masks of accepted cells are public"),
            (Leak::VectorJump, "whether all cells of a register are accepted is public"),
        ],
        &[
            "tautochrone_gauss::uniform::avx2::below<",
            "tautochrone_gauss::uniform::avx512::below_32",
            "tautochrone_gauss::uniform::avx512::below_64",
        ],
    ),
    (
        &[
            (
                Leak::Move,
                "entries are added to Z through general registers, never compared or used as \
                 addresses",
            ),
            (Leak::Division, "shapes divided by tile sizes"),
        ],
        &[
            "tautochrone_matmul::kernel::avx2::multiply",
            "tautochrone_matmul::kernel::avx512::multiply",
            "::vectorize::inside::<(), <tautochrone_matmul::kernel::avx2::",
            "::vectorize::inside::<(), <tautochrone_matmul::kernel::avx512::",
            "tautochrone_matmul::kernel::tiles::amx::run",
            "tautochrone_matmul::pack::vbmi::pack_across",
            "tautochrone_matmul::pack::vbmi::pack_along",
        ],
    ),
    (
        &[(Leak::Division, "bounds and numbers of columns, to know when sums might overflow")],
        &[
            "Avx2 as tautochrone_simd::proof::Token>::vectorize::inside::<(), \
             tautochrone_matmul::ternary::public_tables::add_tile",
            "Avx2 as tautochrone_simd::proof::Token>::vectorize::inside::<(), \
             tautochrone_matmul::ternary::public_tables::add_small_tile",
            "Avx512 as tautochrone_simd::proof::Token>::vectorize::inside::<(), \
             tautochrone_matmul::ternary::public_tables::add_tile",
            "Avx512 as tautochrone_simd::proof::Token>::vectorize::inside::<(), \
             tautochrone_matmul::ternary::public_tables::add_small_tile",
        ],
    ),
    (
        &[(
            Leak::Division,
            "lines divided by the registers of a row, to know how many blocks there are",
        )],
        &["Avx512 as tautochrone_simd::proof::Token>::vectorize::inside::<(), \
           tautochrone_matmul::ternary::secret_lookup::add_product"],
    ),
    (
        &[(Leak::Division, "of shapes, and of the bound's digits to make tables")],
        &[
            "<tautochrone_matmul::ternary::packed_lookup::Backend>::pack::{closure#0}",
            "<tautochrone_matmul::ternary::packed_lookup::Backend>::add_share::{closure#0}",
        ],
    ),
];

/// Excused instructions that are printed of each kind and function.
const LISTED: usize = 4;

/// Leaks on purpose ([`tautochrone_assurance::leaky`]), and what must be found.
const CONTROLS: &[(&str, Leak)] = &[
    ("leaky_division", Leak::Division),
    ("leaky_vector_division", Leak::Division),
    ("leaky_vector_branch", Leak::VectorJump),
    ("leaky_vector_index", Leak::Gather),
    ("leaky_vector_mask", Leak::Move),
];

/// Whether it is that instruction of general registers, with or without the suffix of a width:
/// `and` is not `andps`, and `shl` not `shlx`, which leaves the flags as they are.
fn is(mnemonic: &str, name: &str) -> bool {
    mnemonic.strip_prefix(name).is_some_and(|rest| ["", "b", "w", "l", "q"].contains(&rest))
}

/// The leak of a single instruction; `flags` is whether the flags come from a vector or mask
/// comparison.
fn classify(mnemonic: &str, operands: &str, flags: &mut bool) -> Option<Leak> {
    const DIVISIONS: [&str; 10] =
        ["div", "idiv", "divsd", "divss", "divpd", "divps", "vdiv", "sqrt", "vsqrt", "fdiv"];
    if DIVISIONS.iter().any(|prefix| mnemonic.starts_with(prefix)) {
        return Some(Leak::Division);
    }
    let vector_flags =
        ["kortest", "ktest", "vptest", "ptest", "vtest", "ucomis", "vucomis", "comis", "vcomis"];
    let sets_vector_flags = vector_flags.iter().any(|prefix| mnemonic.starts_with(prefix));
    let sets_flags = [
        "cmp", "test", "add", "sub", "and", "andn", "or", "xor", "inc", "dec", "neg", "shl", "shr",
        "sar", "bt", "bzhi", "popcnt",
    ];
    let was = *flags;
    if sets_vector_flags {
        *flags = true;
    } else if sets_flags.iter().any(|name| is(mnemonic, name)) {
        *flags = false;
    }
    if mnemonic.contains("gather") {
        return Some(Leak::Gather);
    }
    if mnemonic.starts_with('j') && mnemonic != "jmp" && was {
        return Some(Leak::VectorJump);
    }
    let reads_flags = ["set", "cmov"].iter().any(|prefix| mnemonic.starts_with(prefix))
        || ["adc", "sbb"].iter().any(|name| is(mnemonic, name));
    if reads_flags && was {
        return Some(Leak::Move);
    }
    let target = operands.rsplit(',').next().unwrap_or_default();
    let general = target.starts_with("%r") || target.starts_with("%e");
    let source = operands.split_once(',').map_or("", |(source, _)| source);
    let vector = operands.contains("mm") || source.starts_with("%k");
    let moves = [
        "movq", "movd", "vmovq", "vmovd", "kmov", "pextr", "vpextr", "vmovmsk", "vpmovmsk",
        "movmsk", "pmovmsk", "extract", "vextract", "cvt", "vcvt",
    ];
    if general && vector && moves.iter().any(|prefix| mnemonic.starts_with(prefix)) {
        return Some(Leak::Move);
    }
    None
}

/// A name without the hashes of its crates: `a[0123456789abcdef]::b` becomes `a::b`.
fn without_hashes(name: &str) -> String {
    let mut parts = name.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| match part.split_once(']') {
        Some((hash, rest)) if hash.len() > 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            name + rest
        }
        _ => name + "[" + part,
    })
}

/// Leaks of every function, and how many instances of it there are.
#[derive(Default)]
struct Function {
    instances: usize,
    /// Where each leak is, but for what the tracer has followed.
    leaks: BTreeMap<Leak, Vec<String>>,
    /// How many instructions that might leak the tracer has followed.
    followed: usize,
}

/// Addresses that were executed under the tracer: `ADDRESS COUNT ..` on each line.
fn executed() -> io::Result<HashSet<u64>> {
    let mut args = std::env::args().skip(1);
    match (args.next().as_deref(), args.next()) {
        (None, _) => Ok(HashSet::new()),
        (Some("--executed"), Some(file)) => {
            let address = |line: &str| {
                let first = line.split(' ').next().unwrap_or_default();
                u64::from_str_radix(first, 16).map_err(io::Error::other)
            };
            fs::read_to_string(file)?.lines().map(address).collect()
        }
        _ => Err(io::Error::other("usage: disassembly [--executed FILE]")),
    }
}

fn read(executed: &HashSet<u64>) -> io::Result<BTreeMap<String, Function>> {
    let mut functions: BTreeMap<String, Function> = BTreeMap::new();
    let (mut name, mut flags) = (String::new(), false);
    for line in io::stdin().lock().lines() {
        let line = line?;
        if let Some(header) = line.strip_suffix(">:") {
            let (_, header) = header.split_once('<').unwrap_or_default();
            name = without_hashes(header);
            flags = false;
            functions.entry(name.clone()).or_default().instances += 1;
        } else if let Some((address, code)) = line.split_once(":\t") {
            let (mnemonic, operands) = code.split_once(' ').unwrap_or((code, ""));
            let operands = operands.trim().split(['#', '<']).next().unwrap_or_default().trim();
            if let Some(leak) = classify(mnemonic, operands, &mut flags) {
                let function = functions.entry(name.clone()).or_default();
                let address = u64::from_str_radix(address.trim(), 16);
                if address.is_ok_and(|address| executed.contains(&address)) {
                    function.followed += 1;
                } else {
                    function.leaks.entry(leak).or_default().push(line.trim().to_owned());
                }
            }
        }
    }
    Ok(functions)
}

fn main() -> ExitCode {
    let functions = match executed().and_then(|executed| read(&executed)) {
        Ok(functions) => functions,
        Err(error) => {
            eprintln!("disassembly: {error}");
            return ExitCode::from(2);
        }
    };
    let mut broken = 0;
    let kernels: Vec<_> = KERNELS
        .iter()
        .flat_map(|(excused, kernels)| kernels.iter().map(move |kernel| (kernel, excused)))
        .collect();
    for (kernel, excused) in &kernels {
        let found: Vec<_> = functions.iter().filter(|(name, _)| name.contains(*kernel)).collect();
        let instances: usize = found.iter().map(|(_, function)| function.instances).sum();
        if instances == 0 {
            println!("BROKEN {kernel}: not in the binary (inlined or renamed?)");
            broken += 1;
            continue;
        }
        println!("ok     {kernel}: {instances} instances");
        for (name, function) in found {
            if function.followed > 0 {
                println!("       {} instructions followed by the tracer", function.followed);
            }
            for (leak, lines) in &function.leaks {
                match excused.iter().find(|(excuse, _)| excuse == leak) {
                    Some((_, reason)) => {
                        println!("       {leak:?} excused, {} times: {reason}", lines.len());
                        for line in lines.iter().take(LISTED) {
                            println!("         {line}");
                        }
                    }
                    None => {
                        println!(
                            "BROKEN {name}: {leak:?} {} times, first {}",
                            lines.len(),
                            lines[0]
                        );
                        broken += 1;
                    }
                }
            }
        }
    }
    for (control, leak) in CONTROLS {
        let caught = functions
            .get(*control)
            .is_some_and(|function| function.leaks.contains_key(leak) || function.followed > 0);
        println!("{} control {control}: {leak:?}", if caught { "ok    " } else { "BROKEN" });
        broken += usize::from(!caught);
    }
    println!("{} kernels, {} controls, {broken} broken", kernels.len(), CONTROLS.len());
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leak of the last of these instructions, after flags that came from elsewhere.
    fn last(code: &[(&str, &str)]) -> Option<Leak> {
        let mut flags = false;
        code.iter().fold(None, |_, (mnemonic, operands)| classify(mnemonic, operands, &mut flags))
    }

    #[test]
    fn flags_of_vectors_last_until_others_are_set() {
        let test = ("vptest", "%ymm1,%ymm0");
        let jump = ("jne", "1234");
        assert_eq!(last(&[test, jump]), Some(Leak::VectorJump));
        for keeps in
            ["mov", "lea", "shlx", "shrxq", "sarx", "andps", "orpd", "xorps", "subsd", "addps"]
        {
            assert_eq!(
                last(&[test, (keeps, "%rax,%rcx"), jump]),
                Some(Leak::VectorJump),
                "{keeps}"
            );
        }
        for sets in ["cmp", "testb", "andq", "andn", "shl", "shrq", "sub", "subl", "bzhi"] {
            assert_eq!(last(&[test, (sets, "%rax,%rcx"), jump]), None, "{sets}");
        }
    }

    #[test]
    fn flags_of_vectors_are_moved_by_what_reads_them() {
        let test = ("kortestw", "%k0,%k0");
        for reads in ["sete", "cmovne", "adc", "sbbl"] {
            assert_eq!(last(&[test, (reads, "%rax,%rcx")]), Some(Leak::Move), "{reads}");
            assert_eq!(last(&[test, ("cmp", "%rax,%rcx"), (reads, "%rax,%rcx")]), None, "{reads}");
        }
    }

    #[test]
    fn names_lose_hashes() {
        let name = "<a[0123456789abcdef]::B as c[fedcba9876543210]::D>::e::<f[0123456789]::G, 2>";
        assert_eq!(without_hashes(name), "<a::B as c::D>::e::<f::G, 2>");
        assert_eq!(without_hashes("a::b::<[u8; 4], &[u64]>"), "a::b::<[u8; 4], &[u64]>");
    }

    #[test]
    fn moves_lead_from_vectors_to_general_registers() {
        for (mnemonic, operands) in [
            ("vmovd", "%xmm0,%eax"),
            ("kmovq", "%k1,%rax"),
            ("vpmovmskb", "%ymm0,%eax"),
            ("vextractps", "$0x1,%xmm0,%eax"),
            ("vpextrq", "$0x1,%xmm0,%r8"),
        ] {
            assert_eq!(last(&[(mnemonic, operands)]), Some(Leak::Move), "{mnemonic}");
        }
        for (mnemonic, operands) in [("vmovd", "%eax,%xmm0"), ("kmovq", "%rax,%k1")] {
            assert_eq!(last(&[(mnemonic, operands)]), None, "{mnemonic}");
        }
    }
}
