//! Shifts of swept digits: by public counts, and by a secret count in each lane.
use crate::vector::{DIGIT, RADIX, Vector, zeros};

/// o := x << bits, digits beyond the width dropped.
#[inline(always)]
fn left<V: Vector>(o: &mut [V], x: &[V], bits: usize) {
    let zero = V::splat(0);
    let (digits, up) = (bits / RADIX, (bits % RADIX) as u64);
    let (up, down) = (V::splat(up), V::splat(RADIX as u64 - up));
    for (j, o) in o.iter_mut().enumerate() {
        let at = |k: usize| if j >= k { x[j - k] } else { zero };
        let high = at(digits).shl(up).and(V::splat(DIGIT));
        *o = high.or(at(digits + 1).shr(down));
    }
}

/// o := x >> bits.
#[inline(always)]
fn right<V: Vector>(o: &mut [V], x: &[V], bits: usize) {
    let zero = V::splat(0);
    let (digits, down) = (bits / RADIX, (bits % RADIX) as u64);
    let (down, up) = (V::splat(down), V::splat(RADIX as u64 - down));
    for (j, o) in o.iter_mut().enumerate() {
        let at = |k: usize| x.get(j + k).copied().unwrap_or(zero);
        let high = at(digits + 1).shl(up).and(V::splat(DIGIT));
        *o = at(digits).shr(down).or(high);
    }
}

/// x := x shifted by `count` in each lane, by a barrel of all powers of two below the width.
#[inline(always)]
pub(super) fn quiet<V: Vector, const LEFT: bool>(x: &mut [V], count: V) {
    let mut moved = zeros::<V>(x.len());
    let mut step = 1;
    while step < RADIX * x.len() {
        if LEFT {
            left(&mut moved, x, step);
        } else {
            right(&mut moved, x, step);
        }
        let taken = count.test_mask(V::splat(step as u64));
        for (a, &b) in x.iter_mut().zip(moved.iter()) {
            *a = a.blend(taken, b);
        }
        step *= 2;
    }
}

/// Shifts every lane, none zero, until its top bit has the weight 2^(L-1); returns the counts.
#[inline(always)]
pub(super) fn normalise<V: Vector>(x: &mut [V]) -> V {
    let mut moved = zeros::<V>(x.len());
    let bits = RADIX * x.len() - 32;
    let zero = V::splat(0);
    let mut count = zero;
    for step in (0..usize::BITS).rev().map(|p| 1usize << p).skip_while(|&s| s >= bits) {
        // The upper `step` bits of L, from bit L - step on, are zero: they can go.
        let from = bits - step;
        let mut above = x[from / RADIX].shr(V::splat((from % RADIX) as u64));
        for &v in &x[from / RADIX + 1..] {
            above = above.or(v);
        }
        let taken = above.eq_mask(zero);
        left(&mut moved, x, step);
        for (a, &b) in x.iter_mut().zip(moved.iter()) {
            *a = a.blend(taken, b);
        }
        count = count.blend(taken, count.or(V::splat(step as u64)));
    }
    count
}
