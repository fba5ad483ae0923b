//! Numbers from options, files and lines of JSON.

use std::path::Path;

use tautochrone::bignum::{BoxedNumber, Error};
use tautochrone::ctr::{Label, Seed};

use tautochrone_cli::Failure;

/// Most hexadecimal digits of an operand: 65536 bits, as `--bits` allows. The time grows with the
/// third power of the width, and a minute of it is enough.
const DIGITS: usize = 65536 / 4;
/// Most bytes of a batch: 64 MiB.
const LONGEST_BATCH: u64 = 64 << 20;

/// Limbs of base and modulus: as asked for, else of the wider one.
pub(crate) fn limbs(bits: Option<u32>, of: [&str; 2]) -> Result<usize, Failure> {
    let digits = of.map(|hex| hex.trim_start_matches('0').len());
    match bits {
        Some(bits) if bits.is_multiple_of(64) => Ok(bits as usize >> 6),
        Some(bits) => Err(Failure::new(format!("--bits {bits}: expected a multiple of 64"))),
        None => Ok(digits[0].max(digits[1]).div_ceil(16).max(1)),
    }
}

/// The digits of an option, which may name a file of them.
pub(crate) fn text(name: &str, given: Option<&str>) -> Result<String, Failure> {
    let given = given
        .ok_or_else(|| Failure::new(format!("{name} is missing: expected hexadecimal digits")))?;
    let Some(file) = given.strip_prefix('@') else { return Ok(given.to_owned()) };
    let bytes = tautochrone_cli::read(Path::new(file), tautochrone_cli::OPTION)?;
    let text = tautochrone_cli::text(&bytes);
    let text = text.map_err(|e| tautochrone_cli::about_input(Path::new(file), &e))?;
    Ok(text.trim().to_owned())
}

/// Base, exponent and modulus of one line.
pub(crate) fn parse(
    place: &str,
    bits: Option<u32>,
    hex: [&str; 3],
) -> Result<[BoxedNumber; 3], Failure> {
    for (name, hex) in ["base", "exponent", "modulus"].iter().zip(hex) {
        if hex.len() > DIGITS {
            return Err(Failure::new(format!(
                "{place}{name}: {} characters, expected at most {DIGITS} digits ({} bits)",
                hex.len(),
                4 * DIGITS
            )));
        }
    }
    let n = limbs(bits, [hex[0], hex[2]])?;
    let number = |name: &str, hex: &str, limbs| {
        BoxedNumber::from_hex(hex, limbs).map_err(|e| {
            let wider = e == Error::TooLong { limbs } && bits.is_some();
            let hint = if wider { "; give more --bits" } else { "" };
            Failure::new(format!("{place}{name}: {e}{hint}"))
        })
    };
    // An exponent may be wider than the modulus.
    let wide = hex[1].len().div_ceil(16).max(n);
    Ok([
        number("base", hex[0], n)?,
        number("exponent", hex[1], wide)?,
        number("modulus", hex[2], n)?,
    ])
}

/// The operands of each line of JSON, with its number; or the fault of the line.
pub(crate) fn batch(path: &Path, bits: Option<u32>) -> Result<Vec<Line>, Failure> {
    let bytes = tautochrone_cli::read(path, LONGEST_BATCH)?;
    let bytes = tautochrone_cli::without_mark(&bytes);
    let bytes = bytes.map_err(|e| tautochrone_cli::about_input(path, &e))?;
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    Ok(lines.map(|(number, text)| (number, line(text, bits))).collect())
}

/// The number of a line, and its operands.
pub(crate) type Line = (usize, Result<[BoxedNumber; 3], Failure>);

fn line(text: &[u8], bits: Option<u32>) -> Result<[BoxedNumber; 3], Failure> {
    let value: serde_json::Value = serde_json::from_slice(text).map_err(Failure::new)?;
    let value = value.as_object().ok_or_else(|| Failure::new("expected an object"))?;
    let field = |name: &str| {
        let text = value.get(name).and_then(serde_json::Value::as_str);
        let expected = || format!("expected a string \"{name}\" of hexadecimal digits");
        text.ok_or_else(|| Failure::new(expected()))
    };
    parse("", bits, [field("base")?, field("exponent")?, field("modulus")?])
}

/// The operands of `count` exponentiations, odd and of full size: a measurement needs no secrets.
pub(crate) fn full_size(words: usize, count: u64) -> Vec<[BoxedNumber; 3]> {
    let mut numbers = Seed::from_bytes([1; 32]).stream(Label::new("modexp: bench"), 0);
    let mut odd = || {
        let mut x = BoxedNumber::zero(words);
        numbers.fill_u64(&mut x);
        x[0] |= 1;
        x[words - 1] |= 1 << 63;
        x
    };
    (0..count).map(|_| [odd(), odd(), odd()]).collect()
}
