#!/usr/bin/env python3
"""No branch, no address and no division of the checked-in PTX depends on a secret, but for what
rejection sampling reveals: which registers may hold secrets is computed before each instruction, over
all paths. Prints what is not so; exit code 1 if anything is.

All of global, shared and local memory is secret, and the structure with the key that samplers are
given by value. Other parameters, sizes and pointers, are not."""

import dataclasses
import pathlib
import re
import sys

PTX = pathlib.Path(__file__).resolve().parent.parent / "kernels/ptx"

# Modules, whether structures that their kernels are given are secret, and the kernels and
# operations that leak nevertheless. Entries of products are secret; shapes and strides, in a
# structure, are not. Which trials of a sampler are rejected is public, and with it how many there
# are and where an accepted one is stored: these are the three places.
MODULES = {
    "direct": (False, []),
    "imad": (False, []),
    "split": (False, []),
    "tiled": (False, []),
    "sample": (True, [("facct", "bra"), ("facct", "bra"), ("facct", "st.global.u64")]),
}

# Of registers, and of parameters and variables, which stand for addresses.
NAME = re.compile(r"(?<![\w%$.])[A-Za-z_%][\w%$.]*", re.ASCII)
LABEL = re.compile(r"(\$[\w$]*):", re.ASCII)
# `{..}` and `[..]` are one each.
OPERAND = re.compile(r"(?:\{[^}]*\}|\[[^]]*\]|[^,{[])+")
LOADS = {"ld", "ldmatrix", "atom"}
# Their first operand is not a result.
WITHOUT_RESULT = {"st", "red", "bra", "ret", "exit", "bar", "cp"}


@dataclasses.dataclass
class Instruction:
    """`@predicate operation operands;`"""

    text: str
    predicate: str | None
    operation: str
    operands: list[str]

    def __init__(self, statement):
        self.text = " ".join(statement.split())
        predicate, self.operation, operands = re.fullmatch(r"(?:@!?(\S+) )?(\S+) ?(.*)", self.text).groups()
        self.predicate = predicate
        self.operands = [operand.strip() for operand in OPERAND.findall(operands) if operand.strip()]
        # `ld` of `ld.global.u32`.
        self.kind = self.operation.split(".")[0]
        assert self.kind not in ("call", "brx"), f"not understood: {self.text}"

    def names(self, operands):
        return {name for operand in operands for name in NAME.findall(operand)}


class Kernel:
    """A kernel's instructions, in order: the part of the grammar that LLVM prints."""

    def __init__(self, code):
        self.name, parameters, body = re.match(r"\s*(\w+)\s*\(([^)]*)\)[^{]*\{(.*)", code, re.S).groups()
        # They are passed by value.
        self.structures = set(re.findall(r"(\w+)\[", parameters))
        self.instructions = []
        # Index of the instruction behind a label.
        self.labels = {}
        depth, at = 1, 0
        while depth > 0:
            at = re.compile(r"\s*").match(body, at).end()
            # Scopes, of inline assembly, have registers of their own, whose names we take for one.
            if body[at] in "{}":
                depth += 1 if body[at] == "{" else -1
                at += 1
            elif label := LABEL.match(body, at):
                self.labels[label[1]] = len(self.instructions)
                at = label.end()
            else:
                end = body.index(";", at)
                if body[at] != ".":
                    self.instructions.append(Instruction(body[at:end]))
                at = end + 1

    def step(self, instruction, secret, structures_are_secret):
        """The secrets after an instruction, of those before it."""
        if instruction.kind in WITHOUT_RESULT or not instruction.operands:
            return secret
        result, *sources = instruction.operands
        read = instruction.names(sources) | {instruction.predicate}
        from_secret = not read.isdisjoint(secret)
        if instruction.kind in LOADS:
            if ".param" in instruction.operation:
                address = NAME.search(sources[0])[0]
                # By address, it is a structure.
                structure = address.startswith("%") or address in self.structures
                from_secret |= structure and structures_are_secret
            else:
                from_secret |= ".const" not in instruction.operation
        if from_secret:
            return secret | instruction.names([result])
        return secret if instruction.predicate else secret - instruction.names([result])

    def secrets(self, structures_are_secret):
        """The secrets before each instruction; none has an entry that is not reached."""
        before = {}
        to_do = [(0, frozenset())]
        while to_do:
            at, secret = to_do.pop()
            if at == len(self.instructions) or (at in before and secret <= before[at]):
                continue
            before[at] = secret = secret | before.get(at, frozenset())
            instruction = self.instructions[at]
            after = self.step(instruction, secret, structures_are_secret)
            if instruction.kind == "bra":
                to_do.append((self.labels[instruction.operands[0]], after))
            if instruction.kind not in ("bra", "ret", "exit") or instruction.predicate:
                to_do.append((at + 1, after))
        return before

    def leaks(self, structures_are_secret):
        """The instructions whose time or address may depend on a secret."""
        before = self.secrets(structures_are_secret)
        return [self.instructions[at] for at in sorted(before) if leaks(self.instructions[at], before[at])]


def leaks(instruction, secret):
    def is_secret(operands):
        return not instruction.names(operands).isdisjoint(secret)

    address = is_secret(operand for operand in instruction.operands if "[" in operand)
    # Memory that is touched or not.
    decides = instruction.kind in LOADS | WITHOUT_RESULT and instruction.predicate in secret
    # Instructions of variable latency, or that call functions with branches of their own.
    slow = instruction.kind in ("div", "rem", "sqrt") and is_secret(instruction.operands[1:])
    return address or decides or slow


def kernels(ptx):
    """All kernels of a module, without comments and positions in the source."""
    code = re.sub(r"//.*|^\s*\.loc.*", "", ptx, flags=re.M)
    return [Kernel(kernel) for kernel in code.split(".entry ")[1:]]


# A kernel that loads a secret %r1 and a public %r2.
CONTROL = """.visible .entry control(
    .param .u64 a, .param .u32 n, .param .align 8 .b8 key[8]
) {
    .reg .b32 %r<9>;
    ld.param.u64 %rd1, [a];
    ld.global.u32 %r1, [%rd1]; // secret
    ld.param.u32 %r2, [n];
    BODY
    ret;
}"""
# Every kind of leak is found: bodies, with the instruction that leaks.
LEAKS = {
    "branch": ("setp.ne.s32 %p1, %r1, 0; @!%p1 bra $L; $L:", "@!%p1 bra $L"),
    "return": ("setp.ne.s32 %p1, %r1, 0; @%p1 ret;", "@%p1 ret"),
    "address": ("cvt.u64.u32 %rd2, %r1; ld.global.u8 %r3, [%rd2+4];", "ld.global.u8 %r3, [%rd2+4]"),
    "store": ("cvt.u64.u32 %rd2, %r1; st.shared.u32 [%rd2], %r2;", "st.shared.u32 [%rd2], %r2"),
    "division": ("div.u32 %r3, %r2, %r1;", "div.u32 %r3, %r2, %r1"),
    "remainder": ("rem.u32 %r3, %r1, %r2;", "rem.u32 %r3, %r1, %r2"),
    "touched or not": (
        "setp.ne.s32 %p1, %r1, 0; @%p1 ld.global.u32 %r3, [%rd1];",
        "@%p1 ld.global.u32 %r3, [%rd1]",
    ),
    "memory": (
        "st.local.u32 [%rd1], %r1; ld.local.u32 %r3, [%rd1]; div.u32 %r4, %r3, 3;",
        "div.u32 %r4, %r3, 3",
    ),
    "part of a vector": (
        "mov.b64 {%r3, %r4}, %r1; setp.lt.u32 %p1|%p2, %r4, 5; @%p2 bra $L; $L:",
        "@%p2 bra $L",
    ),
    "selection": (
        "setp.ne.s32 %p1, %r1, 0; selp.b32 %r3, %r2, 7, %p1; rem.u32 %r4, %r3, 5;",
        "rem.u32 %r4, %r3, 5",
    ),
    "predicate": (
        "setp.ne.s32 %p1, %r1, 0; @%p1 mov.u32 %r2, 5; div.u32 %r3, %r2, 7;",
        "div.u32 %r3, %r2, 7",
    ),
    "second round of a loop": (
        "mov.u32 %r3, %r2; $L: div.u32 %r4, %r3, 7; mov.u32 %r3, %r1; setp.ne.s32 %p1, %r2, 0; @%p1 bra $L;",
        "div.u32 %r4, %r3, 7",
    ),
    "scope": (
        "{ .reg .b32 tmp; mov.b64 {tmp, %r3}, %r1; } div.u32 %r4, %r3, 7;",
        "div.u32 %r4, %r3, 7",
    ),
    "structure by name": ("ld.param.u32 %r3, [key+4]; div.u32 %r4, %r3, 7;", "div.u32 %r4, %r3, 7"),
    "structure by address": (
        "mov.b64 %rd3, key; ld.param.u32 %r3, [%rd3+4]; div.u32 %r4, %r3, 7;",
        "div.u32 %r4, %r3, 7",
    ),
}
# What is public is no leak.
CLEAN = (
    "",
    "div.u32 %r3, %r2, 7;",
    "setp.ne.s32 %p1, %r2, 0; @%p1 bra $L; add.s32 %r3, %r1, %r2; $L:",
    # Overwritten before it is used.
    "mov.u32 %r1, %r2; div.u32 %r3, %r1, 7;",
    # The value that is stored is secret, not its address.
    "st.global.u32 [%rd1], %r1;",
    # On no path.
    "bra.uni $L; div.u32 %r3, %r1, 7; $L:",
)


def control(body):
    (kernel,) = kernels(CONTROL.replace("BODY", body))
    return [leak.text for leak in kernel.leaks(structures_are_secret=True)]


def check():
    """A line for each thing that is not so."""
    for name, (body, leak) in LEAKS.items():
        if (found := control(body)) != [leak]:
            yield f"the leak by {name} gives {found}"
    for body in CLEAN:
        if found := control(body):
            yield f"{body or 'nothing'} gives {found}"
    if (found := {path.stem for path in PTX.glob("*.ptx")}) != MODULES.keys():
        yield f"the modules are {found}"
    for name, (structures_are_secret, expected) in MODULES.items():
        module = kernels((PTX / f"{name}.ptx").read_text())
        found = [(kernel.name, leak) for kernel in module for leak in kernel.leaks(structures_are_secret)]
        if not module or [(kernel, leak.operation) for kernel, leak in found] != expected:
            yield f"{name}: {len(module)} kernels give {[(kernel, leak.text) for kernel, leak in found]}"


broken = list(check())
print(*(f"BROKEN {line}" for line in broken), sep="\n", end="\n" if broken else "")
print(f"{len(MODULES)} modules, {len(LEAKS)} leaks and {len(CLEAN)} bodies without as controls, {len(broken)} broken")
sys.exit(len(broken) > 0)
