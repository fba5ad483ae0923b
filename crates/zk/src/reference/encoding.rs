//! The encodings of Z and of hints, as docs/format.md defines them. Decoders are lenient: whoever
//! decodes encodes again and compares.

use tautochrone_gauss::fixed::{LOG2_E_LESS_1, exp2_neg};

use super::number;

/// Bits, least significant first, as bytes.
pub(super) fn pack(bits: &[bool]) -> Vec<u8> {
    bits.chunks(8).map(|byte| (0..).zip(byte).map(|(i, &bit)| u8::from(bit) << i).sum()).collect()
}

pub(super) fn bit(bytes: &[u8], i: usize) -> bool {
    bytes[i / 8] >> (i % 8) & 1 == 1
}

/// The low `k` bits and the sign of every coefficient.
fn low_plane(z: &[i128], k: u32) -> Vec<u8> {
    let low = |z: &i128| (0..k).map(|i| z.unsigned_abs() >> i & 1 == 1).collect::<Vec<_>>();
    pack(&z.iter().flat_map(|z| [low(z), vec![*z < 0]].concat()).collect::<Vec<_>>())
}

/// The coefficient that field `i` of a low plane and a high part make.
fn coefficient(plane: &[u8], i: usize, k: u32, high: u128) -> i128 {
    let start = i * (k as usize + 1);
    let low: u128 = (0..k).map(|j| u128::from(bit(plane, start + j as usize)) << j).sum();
    let magnitude = (high << k | low) as i128;
    if bit(plane, start + k as usize) { -magnitude } else { magnitude }
}

pub(super) mod rans {
    use super::*;

    fn low_bits(sigma: u64) -> u32 {
        sigma.ilog2().saturating_sub(3)
    }

    pub(in super::super) fn longest(sigma: u64, count: usize) -> usize {
        (count * (low_bits(sigma) as usize + 1)).div_ceil(8) + 64 + 2 * count
    }

    /// f_s and F_s of every symbol.
    fn frequencies(sigma: u64) -> Vec<(u64, u64)> {
        let (k, log2_e) = (low_bits(sigma), 1 << 64 | LOG2_E_LESS_1 >> 64);
        let m = u128::from((14 * sigma >> k) + 1);
        let g = (log2_e << (2 * k)) / (8 * u128::from(sigma).pow(2));
        let weight = |s: u128| {
            let e = (2 * s + 1).pow(2) * g;
            // 2^(64 - frac(e)) in units of 1; whole halves follow.
            if e >> 64 < 64 { exp2_neg(e << 64) >> 64 >> (e >> 64) } else { 0 }
        };
        ranges(&(0..m).map(weight).collect::<Vec<_>>(), 0)
    }

    /// f_s and F_s for symbols of these weights.
    pub(super) fn ranges(weights: &[u128], likely: usize) -> Vec<(u64, u64)> {
        let (m, total) = (weights.len() as u128, weights.iter().sum::<u128>());
        let mut f: Vec<u64> =
            weights.iter().map(|weight| 1 + (weight * ((1 << 16) - m) / total) as u64).collect();
        f[likely] += (1 << 16) - f.iter().sum::<u64>();
        (0..f.len()).map(|s| (f[s], f[..s].iter().sum())).collect()
    }

    pub(super) fn encode_symbols(model: &[(u64, u64)], symbols: &[usize]) -> Vec<u8> {
        let (mut states, mut words) = (vec![1_u64 << 16; 16], Vec::new());
        for (i, &s) in symbols.iter().enumerate().rev() {
            let (f, before) = model[s];
            let x = &mut states[i % 16];
            if *x >= f << 16 {
                words.push(*x as u16);
                *x >>= 16;
            }
            *x = ((*x / f) << 16) + *x % f + before;
        }
        let states: Vec<u8> = states.iter().flat_map(|&x| (x as u32).to_le_bytes()).collect();
        let words: Vec<u8> = words.iter().rev().flat_map(|word| word.to_le_bytes()).collect();
        [states, words].concat()
    }

    pub(super) fn decode_symbols(
        model: &[(u64, u64)],
        count: usize,
        bytes: &[u8],
    ) -> Option<Vec<usize>> {
        let (states, words) = bytes.split_at_checked(64)?;
        let mut states: Vec<u64> = states.chunks(4).map(|x| number(x) as u64).collect();
        let mut words = words.chunks_exact(2).map(|word| number(word) as u64);
        let mut symbols = Vec::new();
        for i in 0..count {
            let x = &mut states[i % 16];
            let slot = *x & 0xffff;
            let s = model.iter().position(|&(f, before)| slot < before + f)?;
            *x = model[s].0 * (*x >> 16) + slot - model[s].1;
            if *x < 1 << 16 {
                *x = *x << 16 | words.next()?;
            }
            symbols.push(s);
        }
        Some(symbols)
    }

    pub(in super::super) fn encode(sigma: u64, z: &[i128]) -> Vec<u8> {
        let k = low_bits(sigma);
        let symbols: Vec<usize> = z.iter().map(|z| (z.unsigned_abs() >> k) as usize).collect();
        [low_plane(z, k), encode_symbols(&frequencies(sigma), &symbols)].concat()
    }

    pub(in super::super) fn decode(sigma: u64, count: usize, bytes: &[u8]) -> Option<Vec<i128>> {
        let k = low_bits(sigma);
        let (low, high) = bytes.split_at_checked((count * (k as usize + 1)).div_ceil(8))?;
        let symbols = decode_symbols(&frequencies(sigma), count, high)?;
        Some((0..count).map(|i| coefficient(low, i, k, symbols[i] as u128)).collect())
    }
}

/// Hints.
pub(super) mod hints {
    use super::*;

    /// 0 to 40 for -20 to 20, in proportion to 2^-(h^2 g), g = log2(e) / (2 variance).
    fn model([numerator, denominator]: [u128; 2]) -> Vec<(u64, u64)> {
        let log2_e = (1 << 64 | LOG2_E_LESS_1 >> 64) >> 8;
        let mut bits = 0;
        while numerator.max(denominator) >> bits >= 1 << 71 {
            bits += 1;
        }
        let g = log2_e * (denominator >> bits) / (2 * (numerator >> bits));
        let weight = |s: u128| {
            let e = s.abs_diff(20).pow(2) * g;
            if e >> 56 < 64 { exp2_neg(e << 72) >> 64 >> (e >> 56) } else { 0 }
        };
        rans::ranges(&(0..41).map(weight).collect::<Vec<_>>(), 20)
    }

    pub(in super::super) fn longest(count: usize) -> usize {
        64 + 2 * count
    }

    pub(in super::super) fn encode(variance: [u128; 2], hints: &[i128]) -> Vec<u8> {
        let symbols: Vec<usize> = hints.iter().map(|h| (h + 20) as usize).collect();
        rans::encode_symbols(&model(variance), &symbols)
    }

    pub(in super::super) fn decode(
        variance: [u128; 2],
        count: usize,
        bytes: &[u8],
    ) -> Option<Vec<i128>> {
        let symbols = rans::decode_symbols(&model(variance), count, bytes)?;
        Some(symbols.into_iter().map(|s| s as i128 - 20).collect())
    }
}
