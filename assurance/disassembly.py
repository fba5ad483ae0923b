#!/usr/bin/env python3
"""Reads `objdump --disassemble --demangle --no-show-raw-insn` of a release binary on standard input
and checks the kernels named below: no division, no jump on a vector or mask comparison, no gather,
and no value moved from a vector or mask register to a general one, from where it could reach a jump
or an address. Start it by disassembly.sh.

With `--executed FILE`, of the tracer, an instruction that the tracer has followed needs no excuse:
what it did with secrets is known, address by address. The excuses of the table are for what was not
executed, and such instructions are listed by their addresses.
"""

import collections
import re
import sys

DIVISION, VECTOR_JUMP, GATHER, MOVE = LEAKS = ("Division", "VectorJump", "Gather", "Move")

# Code that is entered through `Token::vectorize` has the path of the closure behind this.
VECTORIZED = "::vectorize::inside::<(), "
AVX2, AVX512, GFNI = (
    f"{token} as tautochrone_simd::proof::Token>{VECTORIZED}"
    for token in ("Avx2", "Avx512", "Gfni")
)

# Kernels by a part of their names, and the instructions that are excused in each, with the reason.
KERNELS = (
    (
        {},
        (
            "tautochrone_bignum::asm::quotients::",
            "<tautochrone_bignum::mul::Mul>::mul",
            "<tautochrone_bignum::mul::Mul>::square",
            "tautochrone_bignum::select::",
            "encrypt::<tautochrone_ctr::engine::portable::Counters>",
            "tautochrone_ctr::engine::vaes::fill",
            "tautochrone_gauss::bitslice::avx2::unpack_lanes",
            "tautochrone_gauss::bitslice::avx2::block",
            "tautochrone_gauss::bitslice::avx512::transpose_lanes",
            "tautochrone_gauss::bitslice::avx512::unpack_lanes",
            "tautochrone_gauss::bitslice::avx512::block",
            f"{AVX512}tautochrone_gauss::bitslice::adjust::accept::lanes::{{closure#0}}>",
            f"{AVX512}<tautochrone_gauss::bitslice::adjust::centre::Parts>::new::{{closure#0}}>",
            "tautochrone_gauss::uniform::avx512::extract_lanes",
            f"{GFNI}tautochrone_ice",
            f"{GFNI.replace(' as', ') as')}tautochrone_ice",
        ),
    ),
    (
        {DIVISION: "the number of blocks, from counts of planes"},
        ("tautochrone_gauss::bitslice::interleave::blocks",),
    ),
    (
        {
            GATHER: "words of blocks, at addresses a fixed distance apart, "
            "which the compiler gathers by itself"
        },
        (f"{VECTORIZED}tautochrone_ice::sliced::planes::run",),
    ),
    (
        {
            DIVISION: "widths divided by the parts that are worked on",
            MOVE: "carries ripple in the adder of general registers, digits of quotients too, "
            "and digits become limbs, never addresses or flags of jumps",
        },
        (
            f"{VECTORIZED}<tautochrone_bignum::modexp::ifma::",
            f"{VECTORIZED}<tautochrone_bignum::modexp::ifma_x8::",
            f"{VECTORIZED}tautochrone_bignum::modexp::ifma::",
            f"{VECTORIZED}tautochrone_bignum::ifma_product::",
            f"{VECTORIZED}tautochrone_bignum::radix52::blocks::",
        ),
    ),
    (
        {DIVISION: "rows of random bits divided by the rows that a block takes"},
        (
            "tautochrone_gauss::bitslice::kernel::run<tautochrone_simd::vector::avx2::",
            "tautochrone_gauss::bitslice::kernel::run<tautochrone_simd::vector::avx512::",
        ),
    ),
    (
        {
            MOVE: "the masks of accepted and of doubtful trials are public",
            VECTOR_JUMP: "whether a trial was in doubt is public",
        },
        (
            "gauss::bitslice::adjust::vector::one_centre<tautochrone_simd::vector::avx512::",
            "gauss::bitslice::adjust::vector::centres<tautochrone_simd::vector::avx512::",
            "gauss::facct::interleave::trials",
            "gauss::facct::vector::trials<tautochrone_simd::vector::pair::",
            "gauss::facct::vector::trials<tautochrone_simd::vector::avx512::",
            "gauss::facct::vector::coordinates::coordinates<tautochrone_simd::vector::pair::",
            "gauss::facct::vector::coordinates::coordinates<tautochrone_simd::vector::avx512::",
        ),
    ),
    (
        {
            MOVE: "the masks of accepted cells are public",
            VECTOR_JUMP: "whether all cells of a register are accepted is public",
        },
        (
            "tautochrone_gauss::uniform::avx2::below<",
            "tautochrone_gauss::uniform::avx512::below_32",
            "tautochrone_gauss::uniform::avx512::below_64",
        ),
    ),
    (
        {
            MOVE: "entries are added to Z through general registers, "
            "never compared or used as addresses",
            DIVISION: "shapes divided by tile sizes",
        },
        (
            "tautochrone_matmul::kernel::avx2::multiply",
            "tautochrone_matmul::kernel::avx512::multiply",
            f"{VECTORIZED}<tautochrone_matmul::kernel::register::Block<",
            "tautochrone_matmul::kernel::tiles::amx::run",
            "tautochrone_matmul::pack::vbmi::pack_across",
            "tautochrone_matmul::pack::vbmi::pack_along",
        ),
    ),
    (
        {DIVISION: "bounds and numbers of columns, to know when sums might overflow"},
        (
            f"{AVX2}tautochrone_matmul::ternary::public_tables::add_tile",
            f"{AVX2}tautochrone_matmul::ternary::public_tables::add_small_tile",
            f"{AVX512}tautochrone_matmul::ternary::public_tables::add_tile",
            f"{AVX512}tautochrone_matmul::ternary::public_tables::add_small_tile",
        ),
    ),
    (
        {DIVISION: "lines divided by the registers of a row, to know how many blocks there are"},
        (f"{AVX512}tautochrone_matmul::ternary::secret_lookup::add_product",),
    ),
    (
        {DIVISION: "of shapes, and of the bound's digits to make tables"},
        (
            "<tautochrone_matmul::ternary::packed_lookup::Backend>::pack::{closure#0}",
            "<tautochrone_matmul::ternary::packed_lookup::Backend>::add_share::{closure#0}",
        ),
    ),
)
# Excused instructions that are printed of each kind and function.
LISTED = 4
# Leaks on purpose (src/leaky.rs), and what must be found.
CONTROLS = (
    ("leaky_division", DIVISION),
    ("leaky_vector_division", DIVISION),
    ("leaky_vector_branch", VECTOR_JUMP),
    ("leaky_vector_index", GATHER),
    ("leaky_vector_mask", MOVE),
)

DIVISIONS = re.compile(r"i?div|v?sqrt|vdiv|fdiv")
# Instructions of general registers have the suffix of a width or none: `and` is not `andps`, and
# `shl` not `shlx`, which leaves the flags as they are.
SETS_FLAGS = re.compile(
    r"(cmp|test|add|sub|andn?|x?or|inc|dec|neg|sh[lr]|sar|bt|bzhi|popcnt)[bwlq]?$"
)
SETS_VECTOR_FLAGS = re.compile(r"k(or)?test|v?ptest|vtest|v?u?comis")
READS_FLAGS = re.compile(r"set|cmov|(adc|sbb)[bwlq]?$")
MOVES = re.compile(r"v?mov[qd]|kmov|v?pextr|v?pmovmsk|v?movmsk|v?extract|v?cvt")


def classify(mnemonic, operands, flags):
    """The leak of a single instruction, and whether flags come from a vector or mask comparison
    behind it, as they did before it or not."""
    after = True if SETS_VECTOR_FLAGS.match(mnemonic) else flags and not SETS_FLAGS.match(mnemonic)
    if DIVISIONS.match(mnemonic):
        return DIVISION, flags
    if "gather" in mnemonic:
        return GATHER, after
    if flags and mnemonic.startswith("j") and mnemonic != "jmp":
        return VECTOR_JUMP, after
    if flags and READS_FLAGS.match(mnemonic):
        return MOVE, after
    general = operands.rpartition(",")[2].startswith(("%r", "%e"))
    vector = "mm" in operands or "," in operands and operands.startswith("%k")
    return MOVE if general and vector and MOVES.match(mnemonic) else None, after


def without_hashes(name):
    """A name without the hashes of its crates: `a[0123456789abcdef]::b` becomes `a::b`."""
    return re.sub(r"\[[0-9a-f]{9,}\]", "", name)


class Function:
    """The leaks of a function, and how many instances of it there are."""

    def __init__(self):
        self.instances = 0
        # Where each leak is, but for what the tracer has followed.
        self.leaks = collections.defaultdict(list)
        # How many instructions that might leak the tracer has followed.
        self.followed = 0


def read(lines, executed):
    """All functions that are kernels or controls, by name."""
    wanted = [kernel for _, kernels in KERNELS for kernel in kernels] + [
        name for name, _ in CONTROLS
    ]
    functions, function, flags = collections.defaultdict(Function), None, False
    for line in lines:
        line = line.rstrip("\n")
        if line.endswith(">:"):
            name = without_hashes(line[:-2].partition("<")[2])
            function = functions[name] if any(part in name for part in wanted) else None
            flags = False
            if function:
                function.instances += 1
        elif function and ":\t" in line:
            address, _, code = line.partition(":\t")
            mnemonic, _, operands = code.partition(" ")
            leak, flags = classify(mnemonic, re.split("[#<]", operands.strip())[0].strip(), flags)
            if leak and int(address, 16) in executed:
                function.followed += 1
            elif leak:
                function.leaks[leak].append(line.strip())
    return functions


def check(functions):
    """Says of each kernel and control whether it is as it should be; how many are not."""
    broken = 0
    kernels = [(kernel, excused) for excused, kernels in KERNELS for kernel in kernels]
    for kernel, excused in kernels:
        found = {name: function for name, function in sorted(functions.items()) if kernel in name}
        if not found:
            print(f"BROKEN {kernel}: not in the binary (inlined or renamed?)")
            broken += 1
            continue
        print(
            f"ok     {kernel}: {sum(function.instances for function in found.values())} instances"
        )
        for name, function in found.items():
            if function.followed:
                print(f"       {function.followed} instructions followed by the tracer")
            for leak, lines in sorted(
                function.leaks.items(), key=lambda item: LEAKS.index(item[0])
            ):
                if leak in excused:
                    print(f"       {leak} excused, {len(lines)} times: {excused[leak]}")
                    for line in lines[:LISTED]:
                        print(f"         {line}")
                else:
                    print(f"BROKEN {name}: {leak} {len(lines)} times, first {lines[0]}")
                    broken += 1
    for control, leak in CONTROLS:
        caught = control in functions and (
            leak in functions[control].leaks or functions[control].followed > 0
        )
        print(f"{'ok    ' if caught else 'BROKEN'} control {control}: {leak}")
        broken += not caught
    print(f"{len(kernels)} kernels, {len(CONTROLS)} controls, {broken} broken")
    return broken


def check_classes():
    """Instructions of which it is known what they are."""

    def last(*code):
        leak, flags = None, False
        for mnemonic, operands in code:
            leak, flags = classify(mnemonic, operands, flags)
        return leak

    test, mask, jump, pair = (
        ("vptest", "%ymm1,%ymm0"),
        ("kortestw", "%k0,%k0"),
        ("jne", "1234"),
        "%rax,%rcx",
    )
    # Flags of vectors last until others are set.
    for keeps in "mov lea shlx shrxq sarx andps orpd xorps subsd addps".split():
        assert last(test, (keeps, pair), jump) == VECTOR_JUMP, keeps
    for sets in "cmp testb andq andn shl shrq sub subl bzhi".split():
        assert last(test, (sets, pair), jump) is None, sets
    # They are moved by what reads them.
    for reads in "sete cmovne adc sbbl".split():
        assert last(mask, (reads, pair)) == MOVE, reads
        assert last(mask, ("cmp", pair), (reads, pair)) is None, reads
    # Moves lead from vectors to general registers.
    for mnemonic, operands in (
        ("vmovd", "%xmm0,%eax"),
        ("kmovq", "%k1,%rax"),
        ("vpmovmskb", "%ymm0,%eax"),
        ("vextractps", "$0x1,%xmm0,%eax"),
        ("vpextrq", "$0x1,%xmm0,%r8"),
    ):
        assert last((mnemonic, operands)) == MOVE, mnemonic
    assert last(("vmovd", "%eax,%xmm0")) is None and last(("kmovq", "%rax,%k1")) is None
    name = "<a[0123456789abcdef]::B as c[fedcba9876543210]::D>::e::<f[0123456789]::G, 2>"
    assert without_hashes(name) == "<a::B as c::D>::e::<f::G, 2>"
    assert without_hashes("a::b::<[u8; 4], &[u64]>") == "a::b::<[u8; 4], &[u64]>"


def main():
    check_classes()
    executed = set()
    if len(sys.argv) == 3 and sys.argv[1] == "--executed":
        # `ADDRESS COUNT ..` on each line.
        with open(sys.argv[2]) as file:
            executed = {int(line.split(" ")[0], 16) for line in file}
    elif len(sys.argv) != 1:
        sys.exit("usage: disassembly.py [--executed FILE]")
    sys.exit(check(read(sys.stdin, executed)) > 0)


main()
