//! Bytes that one check of a decoder refuses and no other: each differs from what an encoder writes
//! in that point alone.

use super::*;

const REFUSED: Result<Vec<i64>, Reason> = Err(Reason::Content(Fault::Encoding));

#[test]
fn a_negative_zero_is_refused_at_every_place() {
    for place in 0..5 {
        let mut z = vec![-6; 5];
        z[place] = 0;
        // sigma = 2 leaves no low bits: bit i of the first byte is the sign of coefficient i.
        let mut bytes = encode(&z, 2);
        assert_eq!(bytes[0], 0b11111 & !(1 << place));
        assert_eq!(decode(&bytes, 2, 5), Ok(z));
        bytes[0] |= 1 << place;
        assert_eq!(decode(&bytes, 2, 5), REFUSED, "at {place}");
    }
}

#[test]
fn padding_is_zero() {
    // sigma = 20: 1 low bit and the sign, 10 bits.
    let bytes = encode(&[1, -2, 3, 0, 1], 20);
    for bit in 10..16 {
        let mut padded = bytes.clone();
        padded[bit / 8] |= 1 << (bit % 8);
        assert_eq!(decode(&padded, 20, 5), REFUSED, "bit {bit}");
    }
}

const START: u32 = 1 << 16;

/// A coder that starts at 1 decodes a zero, falls to 1 once more, takes the word 0 and ends at 2^16
/// as it must. No encoder leaves such a state, so there would be two encodings of one Z.
#[test]
fn states_below_their_range_are_refused() {
    for coder in 0..16 {
        // Zeros are so frequent that their coders need no words, and the last one is this coder's.
        let mut bytes = encode(&vec![0; coder + 1], 2);
        let signs = (coder + 1).div_ceil(8);
        assert_eq!(bytes.len(), signs + 64);
        bytes[signs + 4 * coder..][..4].copy_from_slice(&1_u32.to_le_bytes());
        bytes.extend([0, 0]);
        assert_eq!(decode(&bytes, 2, coder + 1), REFUSED, "coder {coder}");
    }
    // A coder with nothing to decode, too.
    let bytes = encode(&[0], 2);
    for state in [0_u32, 1, START - 1, START + 1, u32::MAX] {
        let mut altered = bytes.clone();
        altered[61..65].copy_from_slice(&state.to_le_bytes());
        assert_eq!(decode(&altered, 2, 1), REFUSED, "{state}");
    }
}

/// Missing words read as zeros, so that only their number tells that a zero is missing; and one too
/// many, or half a one, is not read at all.
#[test]
fn words_of_rans_are_counted() {
    // The rarest symbol has a frequency of one: its coder's state falls below 2^16, and the word is
    // 0.
    let bytes = encode(&[28], 2);
    assert_eq!(bytes.len(), 1 + 64 + 2);
    assert_eq!(bytes[65..], [0, 0]);
    assert_eq!(decode(&bytes, 2, 1), Ok(vec![28]));
    assert_eq!(decode(&bytes[..65], 2, 1), REFUSED);
    assert_eq!(decode(&bytes[..66], 2, 1), REFUSED);
    for longer in [&[0][..], &[0, 0], &[0; 3], &[0; 4]] {
        assert_eq!(decode(&[&bytes[..], longer].concat(), 2, 1), REFUSED);
    }
}

/// Counts that no bytes can hold are refused before anything is allocated for them.
#[test]
fn nothing_is_allocated_for_counts_beyond_the_bytes() {
    for count in [usize::MAX / 64, usize::MAX / 8, usize::MAX] {
        assert_eq!(decode(&[0; 64], 2, count), REFUSED);
    }
}
