//! Shifts of swept digits: by public counts, and by a secret count in each lane.
use crate::radix52::{RADIX, Radix52, zeros};

/// o := x << bits, digits beyond the width dropped.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
fn left<V: Radix52>(o: &mut [V], x: &[V], bits: usize) {
    let token = x[0].token();
    let zero = V::zero(token);
    let (digits, up) = (bits / RADIX, (bits % RADIX) as u64);
    let (up, down) = (V::splat(token, up), V::splat(token, RADIX as u64 - up));
    for (j, o) in o.iter_mut().enumerate() {
        let at = |k: usize| if j >= k { x[j - k] } else { zero };
        let high = at(digits).shl_each(up).and(V::digit_mask(token));
        *o = high.or(at(digits + 1).shr_each(down));
    }
}

/// o := x >> bits.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
fn right<V: Radix52>(o: &mut [V], x: &[V], bits: usize) {
    let token = x[0].token();
    let zero = V::zero(token);
    let (digits, down) = (bits / RADIX, (bits % RADIX) as u64);
    let (down, up) = (V::splat(token, down), V::splat(token, RADIX as u64 - down));
    for (j, o) in o.iter_mut().enumerate() {
        let at = |k: usize| x.get(j + k).copied().unwrap_or(zero);
        let high = at(digits + 1).shl_each(up).and(V::digit_mask(token));
        *o = at(digits).shr_each(down).or(high);
    }
}

/// x := x shifted by `count` in each lane, by a barrel of all powers of two below the width.
#[inline(always)]
pub(super) fn quiet<V: Radix52, const LEFT: bool>(x: &mut [V], count: V) {
    let token = count.token();
    let zero = V::zero(token);
    let mut moved = zeros::<V>(token, x.len());
    let mut step = 1;
    while step < RADIX * x.len() {
        if LEFT {
            left(&mut moved, x, step);
        } else {
            right(&mut moved, x, step);
        }
        let skipped = count.and(V::splat(token, step as u64)).eq(zero);
        for (a, &b) in x.iter_mut().zip(moved.iter()) {
            *a = V::blend(skipped, *a, b);
        }
        step *= 2;
    }
}

/// Shifts every lane, none zero, until its top bit has the weight 2^(L-1); returns the counts.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "steps are public")]
pub(super) fn normalise<V: Radix52>(x: &mut [V]) -> V {
    let token = x[0].token();
    let mut moved = zeros::<V>(token, x.len());
    let bits = RADIX * x.len() - 32;
    let zero = V::zero(token);
    let mut count = zero;
    for step in (0..usize::BITS).rev().map(|p| 1usize << p).skip_while(|&s| s >= bits) {
        // The upper `step` bits of L, from bit L - step on, are zero: they can go.
        let from = bits - step;
        let mut above = x[from / RADIX].shr_each(V::splat(token, (from % RADIX) as u64));
        for &v in &x[from / RADIX + 1..] {
            above = above.or(v);
        }
        let taken = above.eq(zero);
        left(&mut moved, x, step);
        for (a, &b) in x.iter_mut().zip(moved.iter()) {
            *a = V::blend(taken, b, *a);
        }
        count = V::blend(taken, count.or(V::splat(token, step as u64)), count);
    }
    count
}
