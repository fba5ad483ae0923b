//! Bytes that one check of a decoder refuses and no other: each differs from what an encoder writes
//! in that point alone.

use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::codec::bits::BitWriter;

const RICE: Suite = Suite { encoding: Encoding::Rice, version: Version::One };
const RANS: Suite = Suite { encoding: Encoding::Rans, version: Version::One };

const REFUSED: Result<Vec<i64>, Reason> = Err(Reason::Encoding);

/// A Rice encoding, from its fields: low bits and sign of each coefficient, and its ones.
fn rice_bytes(sigma: u64, coefficients: &[(u64, bool, u32)]) -> Vec<u8> {
    let k = sigma.ilog2();
    let (mut low, mut high) = (BitWriter::default(), BitWriter::default());
    for &(bits, negative, ones) in coefficients {
        low.put(bits | u64::from(negative) << k, k + 1);
        high.put((1 << ones) - 1, ones + 1);
    }
    [low.finish(), high.finish()].concat()
}

fn rice(sigma: u64, coefficients: &[(u64, bool, u32)]) -> Result<Vec<i64>, Reason> {
    decode(RICE, &rice_bytes(sigma, coefficients), sigma, coefficients.len())
}

#[test]
fn rice_holds_28_ones_and_not_29() {
    let (small, large) = ((1, false, 0), |ones| (3, true, ones));
    for place in 0..3 {
        let with = |ones| {
            let mut coefficients = [small; 3];
            coefficients[place] = large(ones);
            rice(4, &coefficients)
        };
        let mut expected = vec![1; 3];
        expected[place] = -(28 * 4 + 3);
        assert_eq!(with(28), Ok(expected));
        for ones in [29, 30, 40, 55] {
            assert_eq!(with(ones), REFUSED, "{ones} ones at {place}");
        }
    }
    // 29 and 31 ones: their excess lies where the zero of the unary number and the padding would
    // be.
    for ones in [29, 31, 32, 57, 64, 200] {
        let high =
            vec![0xff; ones / 8].into_iter().chain([(1_u16 << (ones % 8)).wrapping_sub(1) as u8]);
        let bytes: Vec<u8> = [3].into_iter().chain(high).collect();
        assert_eq!(decode(RICE, &bytes, 4, 1), REFUSED, "{ones} ones");
    }
}

#[test]
fn a_negative_zero_is_refused_at_every_place_of_both_encodings() {
    for place in 0..5 {
        let with = |negative| {
            let mut coefficients = [(2, true, 1); 5];
            coefficients[place] = (0, negative, 0);
            rice(4, &coefficients)
        };
        let mut z = vec![-6; 5];
        z[place] = 0;
        assert_eq!(with(false), Ok(z.clone()));
        assert_eq!(with(true), REFUSED, "Rice, at {place}");

        // sigma = 2 leaves no low bits: bit i of the first byte is the sign of coefficient i.
        let mut bytes = encode(RANS, &z, 2);
        assert_eq!(bytes[0], 0b11111 & !(1 << place));
        assert_eq!(decode(RANS, &bytes, 2, 5), Ok(z));
        bytes[0] |= 1 << place;
        assert_eq!(decode(RANS, &bytes, 2, 5), REFUSED, "rANS, at {place}");
    }
}

#[test]
fn padding_of_every_plane_is_zero() {
    // Five coefficients: 15 bits of the low plane, and 5 of the high one.
    let z = [1, -2, 3, 0, 1];
    let bytes = encode(RICE, &z, 4);
    assert_eq!(bytes.len(), 3);
    for bit in [15, 21, 22, 23] {
        let mut padded = bytes.clone();
        padded[bit / 8] |= 1 << (bit % 8);
        assert_eq!(decode(RICE, &padded, 4, 5), REFUSED, "Rice, bit {bit}");
    }
    // sigma = 20: 1 low bit and the sign, 10 bits.
    let bytes = encode(RANS, &z, 20);
    for bit in 10..16 {
        let mut padded = bytes.clone();
        padded[bit / 8] |= 1 << (bit % 8);
        assert_eq!(decode(RANS, &padded, 20, 5), REFUSED, "rANS, bit {bit}");
    }
}

const START: u32 = 1 << 16;

/// A coder that starts at 1 decodes a zero, falls to 1 once more, takes the word 0 and ends at 2^16
/// as it must. No encoder leaves such a state, so there would be two encodings of one Z.
#[test]
fn states_below_their_range_are_refused() {
    for coder in 0..4 {
        // Zeros are so frequent that their coders need no words, and the last one is this coder's.
        let mut bytes = encode(RANS, &vec![0; coder + 1], 2);
        assert_eq!(bytes.len(), 17);
        bytes[1 + 4 * coder..][..4].copy_from_slice(&1_u32.to_le_bytes());
        bytes.extend([0, 0]);
        assert_eq!(decode(RANS, &bytes, 2, coder + 1), REFUSED, "coder {coder}");
    }
    // A coder with nothing to decode, too.
    let bytes = encode(RANS, &[0], 2);
    for state in [0_u32, 1, START - 1, START + 1, u32::MAX] {
        let mut altered = bytes.clone();
        altered[13..17].copy_from_slice(&state.to_le_bytes());
        assert_eq!(decode(RANS, &altered, 2, 1), REFUSED, "{state}");
    }
}

/// Missing words read as zeros, so that only their number tells that a zero is missing; and one too
/// many, or half a one, is not read at all.
#[test]
fn words_of_rans_are_counted() {
    // The rarest symbol has a frequency of one: its coder's state falls below 2^16, and the word is
    // 0.
    let bytes = encode(RANS, &[28], 2);
    assert_eq!(bytes.len(), 1 + 16 + 2);
    assert_eq!(bytes[17..], [0, 0]);
    assert_eq!(decode(RANS, &bytes, 2, 1), Ok(vec![28]));
    assert_eq!(decode(RANS, &bytes[..17], 2, 1), REFUSED);
    assert_eq!(decode(RANS, &bytes[..18], 2, 1), REFUSED);
    for longer in [&[0][..], &[0, 0], &[0; 3], &[0; 4]] {
        assert_eq!(decode(RANS, &[&bytes[..], longer].concat(), 2, 1), REFUSED);
    }
}

/// Counts that no bytes can hold are refused before anything is allocated for them.
#[test]
fn nothing_is_allocated_for_counts_beyond_the_bytes() {
    for suite in [RICE, RANS] {
        for count in [usize::MAX / 64, usize::MAX / 8, usize::MAX] {
            assert_eq!(decode(suite, &[0; 64], 2, count), REFUSED);
        }
    }
}
