//! Rust source of a circuit.

use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use super::Circuit;

/// A Rust module with one function `circuit<V: Bits>(r, o)`: input i is `r(i)`, output i goes to `o(i, _)`.
///
/// `note` becomes the module's documentation.
#[must_use]
pub fn rust_source(circuit: &Circuit, note: &str) -> String {
    let inputs = circuit.inputs() as u32;
    let name = |value: u32| match value {
        0 => "r(0).zero()".into(),
        v if v <= inputs => format!("r({})", v - 1),
        v => format!("n{}", v - inputs - 1),
    };
    let mut out = String::new();
    for line in note.lines() {
        out += format!("//! {line}").trim_end();
        out += "\n";
    }
    out += "\nuse super::super::lanes::Bits;\n\n\
            #[inline(always)]\n\
            pub(super) fn circuit<V: Bits>(r: impl Fn(usize) -> V, mut o: impl FnMut(usize, V)) {\n";
    for (i, op) in circuit.ops().iter().enumerate() {
        let [a, b, c] = op.operands.map(name);
        _ = writeln!(out, "    let n{i} = V::lut3::<0x{:02x}>({a}, {b}, {c});", op.imm);
    }
    for (i, &value) in circuit.outputs().iter().enumerate() {
        _ = writeln!(out, "    o({i}, {});", name(value));
    }
    out + "}\n"
}
