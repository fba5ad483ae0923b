//! The distribution of an adjusted sampler follows from its integers, table masses and thresholds:
//! here it is compared with the ideal.

mod sameness;

use num_bigint::BigUint;

use super::super::Bitslice;
use super::*;
use crate::exact::{Distance, fixed};

/// Bits of the ideal distribution.
const BITS: u32 = 400;

/// Of s = 2, s' = n / 16, r = m / 64; the ratio where Q >= 2^-24.
fn distance(n: u64, m: u64) -> Distance {
    let width = Width::public(n as f64 / 16.0);
    let sampler = Adjusted::new(&Bitslice::builder().sigma(2.0).precision(64), width).unwrap();
    let masses = sampler.base.pmf().masses();
    let last = masses.len() as i64 - 1;
    let (mut ours, mut ideal) = (Vec::new(), Vec::new());
    // Two more on either side, which the sampler does not reach.
    for z in -last - 2..=last + 3 {
        let magnitude = usize::try_from(if z > 0 { z - 1 } else { -z }).unwrap();
        let mass = masses.get(magnitude).copied().unwrap_or(0);
        let threshold = sampler.exponent.threshold(z as i32, m as f64 / 64.0);
        ours.push(BigUint::from(mass) * threshold);
        // (z - r)^2 / 2 s'^2 = (64 z - m)^2 16^2 / (2 n^2 64^2).
        let d = (64 * z - m as i64).unsigned_abs();
        let (numerator, denominator) = (BigUint::from(d * d), BigUint::from(2 * n * n * 16));
        ideal.push(fixed::exp_neg(&numerator, &denominator, BITS));
    }
    let (all, whole): (BigUint, BigUint) = (ours.iter().sum(), ideal.iter().sum());
    let pairs = ours.iter().zip(&ideal);
    let values = pairs.map(|(p, q)| ((p << BITS) / &all, (q << BITS) / &whole));
    Distance::of(values, BITS, &(BigUint::from(1_u8) << (BITS - 24)))
}

/// All roundings of masses and thresholds included. R_2 belongs to tables of 64 bits: a value that
/// is accepted with probability 2^-63 or less is cut. s' = s and s' = 0.5, r = 0, 1/2, and both
/// neighbours of an integer are among them.
#[test]
fn distributions_are_close_to_the_ideal() {
    for n in [8, 13, 16, 20, 25, 31, 32] {
        for m in [0, 1, 7, 32, 63] {
            let d = distance(n, m);
            assert!(d.log2_statistical <= -50.0, "{n} {m}: {d:?}");
            assert!(d.log2_renyi <= -62.0, "{n} {m}: {d:?}");
            assert!(d.log2_ratio <= -38.0, "{n} {m}: {d:?}");
        }
    }
}

/// Recorded before trials ran on registers: the samples of one seed are for ever.
#[test]
fn samples_are_frozen() {
    use tautochrone_ctr::{Label, Seed};

    let sampler =
        Adjusted::new(&Bitslice::builder().sigma(2.0).precision(64), Width::public(1.6)).unwrap();
    let mut stream = Seed::from_bytes([6; 32]).stream(Label::new("frozen"), 0);
    let mut one = [0_i64; 2000];
    sampler.fill(0.3, &mut stream, &mut one).unwrap();
    let centres: Vec<f64> = (0..2000_i32).map(|i| f64::from(i) * 0.37 - 20.0).collect();
    let mut each = [0_i64; 2000];
    sampler.fill_centres(&centres, &mut stream, &mut each).unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in one.iter().chain(&each).flat_map(|z| z.to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    assert_eq!(hash, 13034441140731991470, "FNV-1a over the little-endian samples");
}
