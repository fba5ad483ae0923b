//! Polynomials modulo X^256 + 1 and q = 3329, and their number-theoretic transform: FIPS 203,
//! section 4.3. Coefficients are 16 bits, within +-q unless said; no branch, table or division
//! depends on them.

/// Coefficients, or values in the transform.
pub(super) type Polynomial = [i16; 256];

pub(super) const Q: i16 = 3329;
/// q^-1 modulo 2^16: 3329 * -3327 = -169 * 2^16 + 1.
const Q_INVERSE: i16 = -3327;
/// R = 2^16 modulo q.
const R: i32 = reduced(1 << 16);
/// R^2 modulo q.
const R_SQUARED: i16 = reduced(R * R) as i16;
/// R / 128 modulo q: 128 * 3303 = 1.
const SCALE: i16 = reduced(R * 3303) as i16;

/// 17^(i's seven bits reversed) R modulo q.
const ROOTS: [i16; 128] = {
    let mut roots = [0; 128];
    let (mut power, mut exponent) = (R, 0_u8);
    while exponent < 128 {
        roots[(exponent.reverse_bits() >> 1) as usize] = power as i16;
        power = reduced(power * 17);
        exponent += 1;
    }
    roots
};

/// The representative of a constant in [-q / 2, q / 2).
const fn reduced(x: i32) -> i32 {
    let half = Q as i32 >> 1;
    let remainder = (x + half).rem_euclid(Q as i32);
    remainder - half
}

/// a b / R modulo q, within +-q if |a b| < 2^15 q.
#[inline(always)]
fn montgomery(a: i16, b: i16) -> i16 {
    let product = i32::from(a) * i32::from(b);
    let multiple = (product as i16).wrapping_mul(Q_INVERSE);
    ((product - i32::from(multiple) * i32::from(Q)) >> 16) as i16
}

/// The representative in [-q / 2, q / 2), of any `a`: 20159 / 2^26 is near enough to 1 / q for the
/// nearest multiple of q.
#[inline(always)]
pub(super) fn centred(a: i16) -> i16 {
    let multiple = (i32::from(a) * 20159 + (1 << 25)) >> 26;
    a.wrapping_sub((multiple as i16).wrapping_mul(Q))
}

/// The transform of a polynomial within +-q, in [-q / 2, q / 2): algorithm 9.
pub(super) fn forward(f: &mut Polynomial) {
    let mut roots = ROOTS[1..].iter();
    for log_half in (1..8).rev() {
        for block in f.chunks_exact_mut(2 << log_half) {
            let root = *roots.next().expect("127 blocks");
            let (low, high) = block.split_at_mut(1 << log_half);
            for (low, high) in low.iter_mut().zip(high) {
                // Each of the seven layers adds at most q: 8 q < 2^15.
                let product = montgomery(*high, root);
                (*low, *high) = (*low + product, *low - product);
            }
        }
    }
    for x in f {
        *x = centred(*x);
    }
}

/// The polynomial of a transform in [-q / 2, q / 2), likewise: algorithm 10.
pub(super) fn inverse(f: &mut Polynomial) {
    let mut roots = ROOTS.iter().rev();
    for log_half in 1..8 {
        for block in f.chunks_exact_mut(2 << log_half) {
            let root = *roots.next().expect("127 blocks");
            let (low, high) = block.split_at_mut(1 << log_half);
            for (low, high) in low.iter_mut().zip(high) {
                let (sum, difference) = (*low + *high, *high - *low);
                // Doubled by each layer: 16 times q / 2 after the fourth, 8 q after the last.
                *low = if log_half == 4 { centred(sum) } else { sum };
                *high = montgomery(difference, root);
            }
        }
    }
    for x in f {
        *x = centred(montgomery(*x, SCALE));
    }
}

/// sum += a b / R of transforms in [-q / 2, q / 2], by less than 2 q: algorithm 11.
pub(super) fn multiply_add(sum: &mut Polynomial, a: &Polynomial, b: &Polynomial) {
    let pairs = sum.chunks_exact_mut(4).zip(a.chunks_exact(4)).zip(b.chunks_exact(4));
    for (((sum, a), b), &root) in pairs.zip(&ROOTS[64..]) {
        for (pair, root) in [(0, root), (2, -root)] {
            let product = |i: usize, j: usize| montgomery(a[pair + i], b[pair + j]);
            sum[pair] += product(0, 0) + montgomery(product(1, 1), root);
            sum[pair + 1] += product(0, 1) + product(1, 0);
        }
    }
}

/// t - R sum, in [-q / 2, q / 2), of t within +-q.
pub(super) fn subtract_scaled(t: &mut Polynomial, sum: &Polynomial) {
    for (t, sum) in t.iter_mut().zip(sum) {
        *t = centred(*t - montgomery(*sum, R_SQUARED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_are_centred() {
        for a in i16::MIN..=i16::MAX {
            let reduced = i32::from(centred(a));
            assert!(
                reduced.abs() <= 1664 && (i32::from(a) - reduced) % 3329 == 0,
                "{a}: {reduced}"
            );
        }
    }

    #[test]
    fn products_are_reduced() {
        for b in [-1664, -1, 0, 1, 1353, 1664] {
            for a in i16::MIN..=i16::MAX {
                let reduced = i32::from(montgomery(a, b));
                let difference = i32::from(a) * i32::from(b) - reduced * R;
                assert!(reduced.abs() < 3329 && difference % 3329 == 0, "{a} {b}: {reduced}");
            }
        }
    }

    /// The largest inputs that are allowed, of either sign: overflows would panic.
    #[test]
    fn transforms_invert_each_other() {
        for step in 0..10 {
            let sign = |i: usize| if (i | 1 << 8) >> step & 1 == 1 { 1 } else { -1 };
            let f: Polynomial = core::array::from_fn(|i| sign(i) * 1664);
            let (mut there, mut back) = (f.map(|x| 2 * x), f);
            forward(&mut there);
            inverse(&mut there);
            assert_eq!(there, f.map(|x| centred(2 * x)));
            inverse(&mut back);
            forward(&mut back);
            assert_eq!(back, f);
        }
    }
}
