//! Rust source of a circuit.

use core::fmt::Write as _;

use crate::circuit::Circuit;

/// A Rust module that is a table for the macro `circuit` of gauss' presets.
///
/// `note` becomes the module's documentation.
#[cfg(test)]
pub(crate) fn table_source(circuit: &Circuit, note: &str) -> String {
    let name = |value| name(circuit, value, "false", |i| i.to_string());
    let gates = circuit.ops().iter().enumerate().map(|(i, op)| {
        let [a, b, c] = op.operands.map(name);
        format!("n{i} = 0x{:02x}({a}, {b}, {c});", op.imm)
    });
    let outputs = circuit.outputs().iter().enumerate();
    let outputs = outputs.map(|(i, &value)| format!("{i}: {},", name(value)));
    let items = gates.chain(["=>".to_owned()]).chain(outputs);
    documentation(note) + "\ncircuit! {\n" + &packed(items) + "\n}\n"
}

/// Items of a table. Nobody reads them: as many in a line as fit.
#[cfg(test)]
pub(crate) fn packed(items: impl Iterator<Item = String>) -> String {
    let (mut out, mut line) = (String::new(), String::from("   "));
    for item in items {
        if line.len() + item.len() >= 100 {
            out += &core::mem::replace(&mut line, "\n   ".into());
        }
        _ = write!(line, " {item}");
    }
    out + &line
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
    let name = |value| name(circuit, value, "0", |i| format!("r[{i}]"));
    for (i, op) in circuit.ops().iter().enumerate() {
        let [a, b, c] = op.operands.map(name);
        _ = writeln!(out, "    let n{i} = lut3::<0x{:02x}>({a}, {b}, {c});", op.imm);
    }
    let outputs = circuit.outputs().iter().map(|&value| name(value));
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
