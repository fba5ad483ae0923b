//! Shifts of swept digits: by public counts, and by a secret count in each lane.
use core::arch::x86_64::*;

use super::{Digits, V, product::DIGIT, splat};

/// o := x << bits, digits beyond the width dropped.
#[target_feature(enable = "avx512f")]
pub(super) fn left(o: &mut [V], x: &[V], bits: usize) {
    let zero = _mm512_setzero_si512();
    let (digits, up) = (bits / 52, (bits % 52) as u64);
    let (up, down) = (splat(up), splat(52 - up));
    for (j, o) in o.iter_mut().enumerate() {
        let at = |k: usize| if j >= k { x[j - k] } else { zero };
        let high = _mm512_and_si512(_mm512_sllv_epi64(at(digits), up), splat(DIGIT));
        *o = _mm512_or_si512(high, _mm512_srlv_epi64(at(digits + 1), down));
    }
}

/// o := x >> bits.
#[target_feature(enable = "avx512f")]
fn right(o: &mut [V], x: &[V], bits: usize) {
    let zero = _mm512_setzero_si512();
    let (digits, down) = (bits / 52, (bits % 52) as u64);
    let (down, up) = (splat(down), splat(52 - down));
    for (j, o) in o.iter_mut().enumerate() {
        let at = |k: usize| x.get(j + k).copied().unwrap_or(zero);
        let high = _mm512_and_si512(_mm512_sllv_epi64(at(digits + 1), up), splat(DIGIT));
        *o = _mm512_or_si512(_mm512_srlv_epi64(at(digits), down), high);
    }
}

/// x := x shifted by `count` in each lane, by a barrel of all powers of two below the width.
#[target_feature(enable = "avx512f")]
pub(super) fn quiet<const LEFT: bool>(x: &mut Digits, count: V) {
    let mut moved = Digits::zero(x.0.len());
    let (x, moved) = (x.0.as_flattened_mut(), moved.0.as_flattened_mut());
    let mut step = 1;
    while step < 52 * x.len() {
        if LEFT {
            left(moved, x, step);
        } else {
            right(moved, x, step);
        }
        let taken = _mm512_test_epi64_mask(count, splat(step as u64));
        for (a, &b) in x.iter_mut().zip(&*moved) {
            *a = _mm512_mask_mov_epi64(*a, taken, b);
        }
        step *= 2;
    }
}

/// Shifts every lane, none zero, until its top bit has the weight 2^(L-1); returns the counts.
#[target_feature(enable = "avx512f")]
pub(super) fn normalise(x: &mut Digits) -> V {
    let mut moved = Digits::zero(x.0.len());
    let (x, moved) = (x.0.as_flattened_mut(), moved.0.as_flattened_mut());
    let bits = 52 * x.len() - 32;
    let zero = _mm512_setzero_si512();
    let mut count = zero;
    for step in (0..usize::BITS).rev().map(|p| 1usize << p).skip_while(|&s| s >= bits) {
        // The upper `step` bits of L, from bit L - step on, are zero: they can go.
        let from = bits - step;
        let mut above = _mm512_srlv_epi64(x[from / 52], splat((from % 52) as u64));
        for &v in &x[from / 52 + 1..] {
            above = _mm512_or_si512(above, v);
        }
        let taken = _mm512_cmpeq_epi64_mask(above, zero);
        left(moved, x, step);
        for (a, &b) in x.iter_mut().zip(&*moved) {
            *a = _mm512_mask_mov_epi64(*a, taken, b);
        }
        count = _mm512_mask_or_epi64(count, taken, count, splat(step as u64));
    }
    count
}
