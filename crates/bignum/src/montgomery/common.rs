//! Parts of all engines of Montgomery's arithmetic: constants of the modulus, and the last
//! reduction.
use zeroize::Zeroizing;

use crate::{fz, limb, shift};

/// -1 / m modulo 2^64, from the lowest limb of an odd m.
pub(crate) fn negative_inverse(m: u64) -> u64 {
    // m x = 1 modulo 2^3 for x = m; every step doubles the bits: 3, 6, 12, 24, 48, 96.
    let mut x = m;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(m.wrapping_mul(x)));
    }
    x.wrapping_neg()
}

/// K = -1 / m modulo 2^bits, and (m K + 1) / 2^bits, which is at most m and has its width.
pub(crate) fn inverse_and_multiple(
    m: &[u64],
    bits: usize,
) -> (Zeroizing<Vec<u64>>, Zeroizing<Vec<u64>>) {
    let limbs = bits.div_ceil(64);
    let mut inverse = Zeroizing::new(vec![0; limbs]);
    inverse[0] = negative_inverse(m[0]);
    let mut known = 1;
    while known < limbs {
        // A step of Newton's doubles the bits: K (2 + m K).
        known = (2 * known).min(limbs);
        let mut factor = Zeroizing::new(vec![0; known]);
        factor[0] = 2;
        add_product(&mut factor, m, &inverse);
        let mut next = Zeroizing::new(vec![0; limbs]);
        add_product(&mut next[..known], &factor, &inverse);
        inverse = next;
    }
    if !bits.is_multiple_of(64) {
        inverse[limbs - 1] &= (1 << (bits & 63)) - 1;
    }
    let mut multiple = Zeroizing::new(vec![0; m.len() + limbs]);
    multiple[0] = 1;
    add_product(&mut multiple, m, &inverse);
    shift::shr(&mut multiple, bits);
    multiple.truncate(m.len());
    (inverse, multiple)
}

/// r := r + x y modulo 2^(64 len), `len` being the width of r.
fn add_product(r: &mut [u64], x: &[u64], y: &[u64]) {
    for (j, &y) in y.iter().enumerate().take(r.len()) {
        let (mut carry, mut i) = (0, j);
        while let Some(r) = r.get_mut(i) {
            let x = x.get(i - j).copied().unwrap_or(0);
            (*r, carry) = limb::mac(x, y, *r, carry);
            i += 1;
        }
    }
}

/// r := x mod m, for x <= 2 m, which has a limb more than m: 2 m may have a bit more.
pub(crate) fn reduce_twice(r: &mut [u64], x: &mut [u64], m: &[u64]) {
    let mut spare = Zeroizing::new(vec![0; x.len()]);
    let mut modulus = spare.clone();
    modulus[..m.len()].copy_from_slice(m);
    for _ in 0..2 {
        fz::reduce_once(x, 0, &modulus, &mut spare);
    }
    r.copy_from_slice(&x[..m.len()]);
}

/// Doublings from R to a power from which squarings lead to R^2. Starting from 2^64 R would save
/// three squarings and cost 56 doublings more, each of a tenth of a squaring's time (2048 bits, Zen
/// 4). It divides the bits of a limb and of a digit.
pub(crate) const STEP: usize = 8;

/// 2^e for each e of `exponents`, ascending from 64 n at least, modulo a multiple of m: any
/// residues below 2^(64 n).
///
/// With m' = m 2^s >= 2^(64 n) / 2, 2^(64 n) is 2^(64 n) - m' <= m' modulo m'; doublings modulo m'
/// follow.
pub(crate) fn powers_of_two<const K: usize>(
    m: &[u64],
    exponents: [usize; K],
) -> [Zeroizing<Vec<u64>>; K] {
    let n = m.len();
    let (mut scaled, mut spare) = (Zeroizing::new(m.to_vec()), Zeroizing::new(vec![0; n]));
    shift::quiet_shl(&mut scaled, 64 * n as u64 - shift::measure(m));
    let mut x = scaled.clone();
    fz::neg(&mut x);
    let mut reached = 64 * n;
    exponents.map(|exponent| {
        for _ in reached..exponent {
            let carry = fz::double(&mut x, 0);
            fz::reduce_once(&mut x, carry, &scaled, &mut spare);
        }
        reached = exponent;
        x.clone()
    })
}
