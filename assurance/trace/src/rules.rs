//! The rules against the CPU: an instruction is executed twice, on operands that differ in secret
//! bytes only, and what differs afterwards must be secret by its rule.
//!
//! A rule that forgets an operand, or that takes a byte of a result to be independent of one, hides
//! leaks; this finds it for the very instructions that a program was followed through. Rules that
//! spread secrets too far cost false findings, which are seen.

mod laboratory;
mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io;

use iced_x86::{Decoder, DecoderOptions};

use laboratory::{Laboratory, Outcome};

/// Tries each of these instructions.
pub fn check<'a>(codes: impl Iterator<Item = &'a [u8]>) -> io::Result<Outcome> {
    let mut laboratory = Laboratory::new()?;
    let mut outcome = Outcome::default();
    let mut seen = BTreeSet::new();
    for code in codes {
        let (code, form) = movable(code);
        if seen.insert(form) {
            let decoded = laboratory.decode(&code);
            laboratory.instruction(&decoded, &mut outcome)?;
        }
    }
    laboratory.close()?;
    Ok(outcome)
}

/// An address relative to the instruction becomes one relative to rbx or r11, in as many bytes; and
/// the code without its displacement, by which instructions are told apart.
fn movable(code: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut decoder = Decoder::with_ip(64, code, 0, DecoderOptions::NONE);
    let instruction = decoder.decode();
    let offsets = decoder.get_constant_offsets(&instruction);
    let (at, len) = (offsets.displacement_offset(), offsets.displacement_size());
    let mut code = code.to_vec();
    if instruction.is_ip_rel_memory_operand() {
        // ModRM: mod 10, a base with 32 bits of displacement.
        code[at - 1] = code[at - 1] & 0x38 | 0x83;
    }
    let mut form = code.clone();
    form[at..at + len].fill(0);
    (code, form)
}
