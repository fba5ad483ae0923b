//! Values that are committed to before anybody knows for which circuit: numbers, or the bytes of a
//! message, seven in each.

use tautochrone::zk::argument::{CircuitBuilder, Scalar, Wire};
use zeroize::Zeroizing;

/// Bytes of a message in a value.
pub(crate) const BYTES: usize = 7;

/// How many values a message of so many bytes is.
pub(crate) const fn count(bytes: usize) -> usize {
    bytes.div_ceil(BYTES)
}

/// The values that a message is: its bytes, little-endian.
pub(crate) fn of_message(message: &[u8]) -> Zeroizing<Vec<Scalar>> {
    let value = |bytes: &[u8]| {
        let mut word = Zeroizing::new([0; 8]);
        word[..bytes.len()].copy_from_slice(bytes);
        Scalar::new(u64::from_le_bytes(*word)).expect("56 bits")
    };
    let mut values = Zeroizing::new(Vec::with_capacity(count(message.len())));
    values.extend(message.chunks(BYTES).map(value));
    values
}

/// The same as secret wires, which are the first of a circuit.
pub(crate) fn wires(builder: &mut CircuitBuilder, message: &[u8]) -> Vec<Wire> {
    of_message(message).iter().map(|&value| builder.secret(value)).collect()
}
