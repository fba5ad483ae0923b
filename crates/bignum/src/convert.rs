//! Hexadecimal and bytes. Constant-time in the digits for valid input; lengths are public.
//! [`Number`](crate::Number) reads them into numbers of its own.
use tautochrone_simd::declassify;

use crate::error::Error;
use crate::limb;

/// x := the number with the big-endian hexadecimal digits in `hex`, or part of it if that fails.
/// Leading zeros beyond the width are fine.
///
/// # Errors
/// [`Error::Empty`], [`Error::NotHex`], [`Error::TooLong`].
pub fn read_hex(x: &mut [u64], hex: &str) -> Result<(), Error> {
    if hex.is_empty() {
        return Err(Error::Empty);
    }
    let limbs = x.len();
    x.fill(0);
    for (i, c) in hex.bytes().rev().enumerate() {
        // '0'..'9' and 'a'..'f' by range masks, no table.
        let (c, lower) = (u64::from(c), u64::from(c | 0x20));
        let within =
            |v: u64, lo: u64, hi: u64| limb::mask(!(v.wrapping_sub(lo) | hi.wrapping_sub(v)) >> 63);
        let (digit, letter) = (within(c, 48, 57), within(lower, 97, 102));
        if declassify(digit | letter) == 0 {
            // A text that is no number has no secrets: its first bad character is named.
            let position =
                hex.bytes().position(|c| !c.is_ascii_hexdigit()).unwrap_or(hex.len() - 1 - i);
            return Err(Error::NotHex { position });
        }
        let value = c.wrapping_sub(48) & digit | lower.wrapping_sub(87) & letter;
        match x.get_mut(i >> 4) {
            Some(w) => *w |= value << (4 * (i & 15)),
            None if declassify(value == 0) => {}
            None => return Err(Error::TooLong { limbs }),
        }
    }
    Ok(())
}

/// All 16 n digits, lower case.
#[must_use]
pub fn to_hex(x: &[u64]) -> String {
    hex_digits(x, b'a')
}

/// All 16 n digits, with `ten` as the digit of 10. One allocation: no copy of a part remains.
pub(crate) fn hex_digits(x: &[u64], ten: u8) -> String {
    // The distance of a digit above 9 from the characters after '9'.
    let gap = u64::from(ten - b'9' - 1);
    let mut digits = String::with_capacity(16 * x.len());
    for d in x.iter().rev().flat_map(|&w| (0..16).rev().map(move |k| w >> (4 * k) & 15)) {
        let c = 48 + d + (gap & limb::mask(9u64.wrapping_sub(d) >> 63));
        // The mask, which changes nothing, shows that this is ASCII: for other characters `push`
        // branches on their length.
        digits.push((c & 0x7f) as u8 as char);
    }
    digits
}

/// x := the number with these bytes, lowest first.
///
/// # Errors
/// [`Error::TooLong`] for more bytes than `x` has.
pub fn read_le_bytes(x: &mut [u64], bytes: &[u8]) -> Result<(), Error> {
    read(x, bytes.iter())
}

/// x := the number with these bytes, highest first.
///
/// # Errors
/// [`Error::TooLong`] for more bytes than `x` has.
pub fn read_be_bytes(x: &mut [u64], bytes: &[u8]) -> Result<(), Error> {
    read(x, bytes.iter().rev())
}

/// x := the number with these bytes, lowest first.
fn read<'a>(x: &mut [u64], bytes: impl ExactSizeIterator<Item = &'a u8>) -> Result<(), Error> {
    let limbs = x.len();
    if bytes.len() > 8 * limbs {
        return Err(Error::TooLong { limbs });
    }
    x.fill(0);
    for (i, &b) in bytes.enumerate() {
        x[i >> 3] |= u64::from(b) << (8 * (i & 7));
    }
    Ok(())
}

/// All 8 n bytes, lowest first.
#[must_use]
pub fn to_le_bytes(x: &[u64]) -> Vec<u8> {
    x.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// All 8 n bytes, highest first.
#[must_use]
pub fn to_be_bytes(x: &[u64]) -> Vec<u8> {
    x.iter().rev().flat_map(|w| w.to_be_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A string that grows leaves copies of its digits in memory that nothing erases.
    #[test]
    fn digits_are_written_into_one_allocation() {
        assert_eq!(to_hex(&[0; 3]).capacity(), 48);
    }
}
