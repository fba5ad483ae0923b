//! The acceptance battery for uniform integers: chi-square, moments, correlations, lanes, every
//! bit; and that it would notice.

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::uniform;
use tautochrone_testkit::{Battery, Distribution};

const SAMPLES: usize = 1 << 20;

fn stream(index: u64) -> Stream {
    Seed::from_bytes([13; 32]).stream(Label::new("uniform battery"), index)
}

/// Runs the battery on `$fill` into elements of `$type`.
macro_rules! battery {
    ($lo:expr, $hi:expr, $type:ty, |$stream:ident, $out:ident| $fill:expr) => {{
        let mut random = stream($hi as u64);
        let mut numbers = Vec::new();
        // As many lanes as a register of 64 bytes has.
        let battery = Battery::new(Distribution::uniform($lo, $hi)).lanes(64 / size_of::<$type>());
        battery.run(SAMPLES, |wide| {
            numbers.resize(wide.len(), 0 as $type);
            let ($stream, $out) = (&mut random, &mut numbers[..]);
            $fill.expect("a width");
            for (wide, &number) in wide.iter_mut().zip(&numbers) {
                *wide = number as i64;
            }
        })
    }};
}

/// In place and widened, whole cells and parts of them.
#[test]
fn signed_numbers_of_every_width_are_uniform() {
    macro_rules! accepts {
        ($($bits:literal $type:ty;)*) => {$(
            let (lo, hi) = (i64::MIN >> (64 - $bits), i64::MAX >> (64 - $bits));
            battery!(lo, hi, $type, |stream, out| uniform::fill_signed(stream, $bits, out))
                .assert_accepts();
        )*};
    }
    accepts! { 2 i8; 7 i8; 8 i8; 7 i64; 9 i16; 15 i32; 20 i32; 20 i64; 33 i64; 60 i64; 64 i64; }
}

#[test]
fn unsigned_numbers_of_every_width_are_uniform() {
    macro_rules! accepts {
        ($($bits:literal $type:ty;)*) => {$(
            let hi = i64::MAX >> (63 - $bits);
            battery!(0, hi, $type, |stream, out| uniform::fill_bits(stream, $bits, out))
                .assert_accepts();
        )*};
    }
    accepts! { 3 u8; 7 u8; 12 u16; 20 u32; 20 u64; 31 u32; 48 u64; 63 u64; }
}

/// Small ranges, a prime of each lattice scheme, both sizes of cells, and one that rejects a
/// quarter of them.
#[test]
fn numbers_below_n_are_uniform() {
    macro_rules! accepts {
        ($($n:expr, $type:ty;)*) => {$(
            let n: i64 = $n;
            battery!(0, n - 1, $type, |stream, out| uniform::fill_below(stream, n as u64, out))
                .assert_accepts();
        )*};
    }
    accepts! {
        3, u8; 100, u8; 255, u64; 3329, u16; 12_289, u32; 8_380_417, u32; 8_380_417, u64;
        (1 << 24) + 43, u32; 1_000_000_007, u32; 1_000_000_007, u64; (1 << 60) - 93, u64;
        (3 << 61) + 1, u64;
    }
}

/// Remainders of bytes favour small numbers.
#[test]
fn a_biased_remainder_is_caught() {
    let fill = |stream: &mut Stream, out: &mut [u8]| -> Result<(), ()> {
        stream.fill(out);
        for x in out {
            *x %= 100;
        }
        Ok(())
    };
    battery!(0, 99, u8, |stream, out| fill(stream, out)).assert_rejects();
}

/// A reader of 20-bit numbers that puts the second fragment of a number which straddles two words
/// in the wrong place.
#[test]
fn fragments_without_a_shift_are_caught() {
    let fill = |stream: &mut Stream, out: &mut [u32]| -> Result<(), ()> {
        let mut words = vec![0_u64; (20 * out.len()).div_ceil(64)];
        stream.fill_u64(&mut words);
        for (i, x) in out.iter_mut().enumerate() {
            let (word, bit) = (20 * i / 64, 20 * i % 64);
            let (low, have) = (words[word] >> bit, 64 - bit);
            let high = if have < 20 { words[word + 1] & ((1 << (20 - have)) - 1) } else { 0 };
            *x = (low | high) as u32 & 0xf_ffff;
        }
        Ok(())
    };
    battery!(0, 0xf_ffff, u32, |stream, out| fill(stream, out)).assert_rejects();
}
