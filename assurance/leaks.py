"""Leaks put into the AMX kernel itself, one at a time, each of which the tracer must report.

Called by leaks.sh: leaks.py TREE NAME puts a leak into a copy of the sources; leaks.py names them.
"""
import pathlib
import sys

CALL = """        by_signs!(quad, operands, sums,
            x1 = out(reg) _,
            y1 = out(reg) _,
            two = in(reg) u32::from(two),
        );
"""
DIGIT = "unsafe { *operands.segments.0[0].x[0] }"
COLUMN = "(0..4).all(|i| unsafe { *operands.segments.0[0].y[0].add(i) } == 0)"
# A length that the compiler does not know: for 64 bytes it makes a comparison without branches.
ROW = "unsafe { core::slice::from_raw_parts({}, core::hint::black_box(64)) }"
X, Y = ROW.replace("{}", "operands.segments.0[0].x[0]"), ROW.replace("{}", "operands.segments.0[0].y[0]")
VECTOR = ("let words: [u64; 8] = unsafe { core::mem::transmute("
          "_mm512_loadu_si512(operands.segments.0[0].x[0].cast())) };")
BEFORE, AFTER = range(2)
LEAKS = {
    "branch on a digit": (BEFORE, f"if {DIGIT} == 7 {{ core::hint::black_box(1); }}"),
    "secret index": (BEFORE, "core::hint::black_box(core::hint::black_box(&[3_u8; 256])"
                             f"[usize::from({DIGIT})]);"),
    "memcmp": (BEFORE, f"core::hint::black_box({X} == {Y});"),
    "zero column skipped": (BEFORE, f"if {COLUMN} {{ return; }}"),
    "tile stored and branched on": (AFTER, "if sums[0][5] == 9 { core::hint::black_box(1); }"),
    "vector stored and branched on":
        (BEFORE, VECTOR + " if core::hint::black_box(words)[3] == 5 { core::hint::black_box(1); }"),
    "div": (BEFORE, f"core::hint::black_box(1_000_003 / (u32::from({DIGIT}) | 1));"),
}


def main() -> None:
    if len(sys.argv) == 1:
        print("\n".join(LEAKS))
        return
    tree, name = sys.argv[1:]
    place, code = LEAKS[name]
    path = pathlib.Path(tree) / "crates/matmul/src/kernel/tiles/amx.rs"
    text = path.read_text()
    if text.count(CALL) != 1:
        sys.exit(f"{name}: its place is not in {path}, or several times")
    code = f"        {code}\n"
    path.write_text(text.replace(CALL, code + CALL if place == BEFORE else CALL + code))


main()
