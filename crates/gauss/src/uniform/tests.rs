//! Every instruction set against the definition written out over bytes, from which the numbers are
//! exactly uniform.

use super::*;
use proptest::prelude::*;
use tautochrone_ctr::{KeySize, Label, Seed};

fn stream(index: u64) -> Stream {
    Seed::from_bytes([5; 32]).stream(Label::new("uniform tests"), index)
}

/// The bytes of a cell of that many bits.
fn cell(bits: u32) -> usize {
    (bits.next_power_of_two() / 8).max(1) as usize
}

/// A stream that stands `skip` bytes behind counter `start`.
fn stream_from(isa: Isa, start: u128, skip: usize) -> Stream {
    let mut stream = Stream::new_on(isa, KeySize::Aes128, &[9; 16], start);
    stream.fill(&mut vec![0; skip]);
    stream
}

/// Where streams begin: anywhere, and where the low half of the counter is about to wrap.
fn start() -> impl Strategy<Value = u128> {
    prop_oneof![any::<u128>(), (0_u128..200).prop_map(|back| (1 << 64) - back)]
}

/// A cell of `bytes`.
fn next_cell(stream: &mut Stream, bytes: usize) -> u64 {
    let mut cell = [0; 8];
    stream.fill(&mut cell[..bytes]);
    u64::from_le_bytes(cell)
}

/// n at every power of two and next to it, at both ends and in between.
fn range() -> impl Strategy<Value = u64> {
    let power = (0_u32..64, -1_i64..=1);
    let edge = power.prop_map(|(k, d)| (1_u64 << k).wrapping_add_signed(d).max(1));
    prop_oneof![edge, Just(u64::MAX), 1_u64..20, 1_u64.., 1_u64..1 << 32]
}

proptest! {
    #[test]
    fn numbers_are_the_low_bits_of_their_cells_everywhere(
        bits in 1_u32..=64, len in 0_usize..1500, start in start(), skip in 0_usize..40,
    ) {
        let mut reference = stream_from(Isa::PORTABLE, start, skip);
        let want: Vec<u64> =
            (0..len).map(|_| next_cell(&mut reference, cell(bits)) & u64::MAX >> (64 - bits)).collect();
        let extended = want.iter().map(|&x| (x << (64 - bits)).cast_signed() >> (64 - bits));
        let extended: Vec<i64> = extended.collect();
        for isa in Isa::all() {
            macro_rules! same { ($fill:ident, $want:ident: $($t:ident)*) => {$(
                if bits <= $t::BITS {
                    let mut stream = stream_from(isa, start, skip);
                    let mut out = vec![0 as $t; len];
                    $fill(&mut stream, bits, &mut out).unwrap();
                    prop_assert!(out.iter().zip(&$want).all(|(&x, &w)| x as u64 == w as u64), "{} {}", isa, stringify!($t));
                    prop_assert_eq!(stream.position(), reference.position());
                }
            )*} }
            same!(fill_bits, want: u8 u16 u32 u64);
            same!(fill_signed, extended: i8 i16 i32 i64);
        }
    }

    #[test]
    fn numbers_below_n_are_lemire_s_everywhere(
        n in range(), len in 0_usize..1500, start in start(), skip in 0_usize..40,
    ) {
        let bytes = if n <= 1 << 24 { 4 } else { 8 };
        let modulus = 1_u128 << (8 * bytes);
        let mut reference = stream_from(Isa::PORTABLE, start, skip);
        let mut want = Vec::with_capacity(len);
        while want.len() < len {
            let product = u128::from(next_cell(&mut reference, bytes)) * u128::from(n);
            if product % modulus >= modulus % u128::from(n) {
                want.push((product / modulus) as u64);
            }
        }
        for isa in Isa::all() {
            macro_rules! same { ($($t:ident)*) => {$(
                let mut stream = stream_from(isa, start, skip);
                let mut out = vec![0 as $t; len];
                let bits = (u64::BITS - (n - 1).leading_zeros()).max(1);
                if bits <= $t::BITS {
                    fill_below(&mut stream, n, &mut out).unwrap();
                    prop_assert!(out.iter().zip(&want).all(|(&x, &w)| u64::from(x) == w), "{} {}", isa, stringify!($t));
                    prop_assert_eq!(stream.position(), reference.position());
                } else {
                    prop_assert_eq!(fill_below(&mut stream, n, &mut out), Err(Error::Width { bits, limit: $t::BITS }));
                }
            )*} }
            same!(u8 u16 u32 u64);
        }
    }
}

/// The ends of every range that touches an end of the type, and the stream behind it.
#[test]
fn numbers_in_a_range_are_numbers_below_its_length() {
    let ends = (-128..=127).flat_map(|x| [(-128, x), (x, 127), (x, x), (0.min(x), 0.max(x))]);
    for (low, high) in ends {
        let [mut one, mut other] = [stream(1), stream(1)];
        let (mut numbers, mut entries) = (vec![0_u8; 700], vec![0; 700]);
        fill_below(&mut one, (high - low) as u64 + 1, &mut numbers).unwrap();
        fill_range(&mut other, low as i8..=high as i8, &mut entries).unwrap();
        assert!(entries.iter().zip(&numbers).all(|(&x, &n)| i32::from(x) == i32::from(n) + low));
        assert_eq!(one.position(), other.position());
    }
}

#[test]
fn bad_widths_and_ranges_are_refused() {
    let mut stream = stream(0);
    assert_eq!(fill_bits(&mut stream, 0, &mut [0_u8]), Err(Error::Width { bits: 0, limit: 8 }));
    assert_eq!(fill_signed(&mut stream, 9, &mut [0_i8]), Err(Error::Width { bits: 9, limit: 8 }));
    assert_eq!(fill_bits(&mut stream, 65, &mut [0_u64]), Err(Error::Width { bits: 65, limit: 64 }));
    assert_eq!(fill_below(&mut stream, 0, &mut [0_u64]), Err(Error::Range));
    let (low, high) = (1, 0);
    assert_eq!(fill_range(&mut stream, low..=high, &mut [0]), Err(Error::Range));
}
