//! Rust source of a circuit.

use core::fmt::Write as _;

use crate::circuit::Circuit;

/// A Rust module with one function `circuit<V: Logic>(r, o)`: input i is `r(i)`, output i goes to
/// `o(i, _)`.
///
/// `note` becomes the module's documentation.
#[cfg(test)]
pub(crate) fn rust_source(circuit: &Circuit, note: &str) -> String {
    let mut out = documentation(note);
    out += "\nuse tautochrone_simd::vector::Logic;\n\n\
            #[inline(always)]\n\
            pub(super) fn circuit<V: Logic>(mut r: impl FnMut(usize) -> V, mut o: impl FnMut(usize, V)) {\n";
    let input = |i: u32| format!("r({i})");
    let zero = "V::zero(r(0).token())";
    let outputs = circuit.outputs().iter().enumerate();
    let outputs =
        outputs.map(|(i, &value)| format!("o({i}, {});", name(circuit, value, zero, input)));
    // Nobody reads them: as many in a line as fit.
    let mut line = String::from("   ");
    for statement in operations(circuit, "V::lut3", zero, input).chain(outputs) {
        if line.len() + statement.len() >= 100 {
            out += &core::mem::replace(&mut line, "\n   ".into());
        }
        _ = write!(line, " {statement}");
    }
    out + &line + "\n}\n"
}

/// A Rust file that needs nothing else: `circuit(&[u64; P]) -> [u64; value bits]`, 64 lanes at a
/// time, bit l of every word belonging to lane l.
///
/// `note` becomes the file's documentation.
pub(crate) fn standalone_source(circuit: &Circuit, note: &str) -> String {
    let mut out = documentation(note);
    _ = write!(
        out,
        "\n/// The function with truth table T (bit 4a + 2b + c) in every lane.\n\
         #[inline(always)]\n\
         fn lut3<const T: u8>(a: u64, b: u64, c: u64) -> u64 {{\n    \
             let side = |x: u64, bit: u8| if bit == 0 {{ !x }} else {{ x }};\n    \
             (0..8).filter(|i| T >> i & 1 == 1).fold(0, |out, i: u8| {{\n        \
                 out | side(a, i >> 2 & 1) & side(b, i >> 1 & 1) & side(c, i & 1)\n    \
             }})\n\
         }}\n\n\
         /// Bits of 64 samples, least significant first, from uniform bits `r`; no branch or address depends on them.\n\
         #[must_use]\n\
         pub fn circuit(r: &[u64; {}]) -> [u64; {}] {{\n",
        circuit.inputs(),
        circuit.outputs().len(),
    );
    let input = |i: u32| format!("r[{i}]");
    for statement in operations(circuit, "lut3", "0", input) {
        _ = writeln!(out, "    {statement}");
    }
    let outputs = circuit.outputs().iter().map(|&value| name(circuit, value, "0", input));
    let outputs = outputs.collect::<Vec<_>>().join(", ");
    _ = writeln!(out, "    [{outputs}]\n}}");
    out
}

fn documentation(note: &str) -> String {
    let mut out = String::new();
    for line in note.lines() {
        out += format!("//! {line}").trim_end();
        out += "\n";
    }
    out
}

fn name(circuit: &Circuit, value: u32, zero: &str, input: impl Fn(u32) -> String) -> String {
    let inputs = circuit.inputs() as u32;
    match value {
        0 => zero.into(),
        v if v <= inputs => input(v - 1),
        v => format!("n{}", v - inputs - 1),
    }
}

fn operations(
    circuit: &Circuit,
    lut3: &str,
    zero: &str,
    input: impl Fn(u32) -> String,
) -> impl Iterator<Item = String> {
    circuit.ops().iter().enumerate().map(move |(i, op)| {
        let [a, b, c] = op.operands.map(|v| name(circuit, v, zero, &input));
        format!("let n{i} = {lut3}::<0x{:02x}>({a}, {b}, {c});", op.imm)
    })
}
