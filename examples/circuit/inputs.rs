//! Values that are committed to before anybody knows for which circuit: numbers, or the length of a
//! message and its bytes, seven in each.

use tautochrone_zk::argument::{CircuitBuilder, Scalar, Wire};
use zeroize::Zeroizing;

/// Bytes of a message in a value.
pub(crate) const BYTES: usize = 7;

/// How many values a message of so many bytes is.
pub(crate) const fn count(bytes: usize) -> usize {
    1 + bytes.div_ceil(BYTES)
}

/// The values that a message is: its length, without which it would be told neither from its
/// beginnings nor from itself with zeros behind it, and its bytes, little-endian.
pub(crate) fn of_message(message: &[u8]) -> Zeroizing<Vec<Scalar>> {
    let value = |bytes: &[u8]| {
        let mut word = Zeroizing::new([0; 8]);
        word[..bytes.len()].copy_from_slice(bytes);
        Scalar::new(u64::from_le_bytes(*word)).expect("56 bits")
    };
    let mut values = Zeroizing::new(Vec::with_capacity(count(message.len())));
    values.push(Scalar::from(message.len() as u32));
    values.extend(message.chunks(BYTES).map(value));
    values
}

/// The same as secret wires, which are the first of a circuit, with the constraint that the length
/// is this message's; returns the wires of the bytes.
pub(crate) fn wires(builder: &mut CircuitBuilder, message: &[u8]) -> Vec<Wire> {
    let values = of_message(message);
    let length = builder.secret(values[0]);
    let bytes = values[1..].iter().map(|&value| builder.secret(value)).collect();
    builder.equal(length, Scalar::from(message.len() as u32));
    bytes
}
