//! The integers of a relation of which errors are not committed: errors, and the table of the first
//! sum-check.

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token, vectorize};

use super::Known;
use super::family::{Coefficient, FamilyShape, UnknownPart};
use crate::erase::Secrets;
use crate::field::with_lanes;

/// t - A s of an instance.
///
/// # Constant time
/// In the secrets.
pub(super) fn difference(known: &Known, instance: u64, secrets: &[i8], out: &mut [i32]) {
    let (shape, n) = (&known.shape, known.shape.n as usize);
    let isa = Isa::detect_vectors();
    let columns = columns(shape, secrets);
    let mut target = vec![0; n];
    for (row, out) in out.chunks_exact_mut(n).enumerate() {
        known.target(instance, row, &mut target);
        out.iter_mut().zip(&target).for_each(|(out, &t)| *out = t as i32);
        known.row(instance, row, &mut |_, coefficient| {
            let Coefficient::Row(entries) = coefficient else { return };
            with_lanes!(isa, L, token => {
                let _: Option<L> = None;
                vectorize!(
                    token,
                    subtract_row(shape, entries, &columns, out),
                );
            });
        });
    }
}

/// Secrets in the order in which entries of A are multiplied with them. Of a plain A, entry y of
/// all blocks, for every y. Of polynomials, coefficients of a block from the highest to the lowest,
/// then again and negated, as X^n is -1: coefficient x of a product is one with n of these, from
/// number n - 1 - x on.
fn columns(shape: &FamilyShape, secrets: &[i8]) -> Secrets<i16> {
    let (n, blocks) = (shape.n as usize, shape.blocks() as usize);
    let is_ring = !shape.is_plain();
    let mut columns = Secrets::zeros(secrets.len() << u32::from(is_ring));
    for (b, block) in secrets.chunks_exact(n).enumerate() {
        for (y, &secret) in block.iter().enumerate() {
            let secret = i16::from(secret);
            if is_ring {
                let at = 2 * n * b + n - 1 - y;
                (columns[at], columns[at + n]) = (secret, -secret);
            } else {
                columns[blocks * y + b] = secret;
            }
        }
    }
    columns
}

/// Subtracts the product of a row of blocks and secrets.
#[inline(always)]
fn subtract_row(shape: &FamilyShape, entries: &[i16], columns: &[i16], out: &mut [i32]) {
    let n = shape.n as usize;
    for (x, out) in out.iter_mut().enumerate() {
        if shape.is_plain() {
            let column = &columns[entries.len() * x..][..entries.len()];
            *out = out.wrapping_sub(dot(entries, column));
            continue;
        }
        for (block, a) in columns.chunks_exact(2 * n).zip(entries.chunks_exact(n)) {
            *out = out.wrapping_sub(dot(a, &block[n - 1 - x..][..n]));
        }
    }
}

/// A product of two vectors, modulo 2^32.
///
/// # Constant time
/// In both.
#[inline(always)]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    let mut sum = 0_i32;
    for (&a, &b) in a.iter().zip(b) {
        sum = sum.wrapping_add(i32::from(a) * i32::from(b));
    }
    sum
}

/// The integer next to x / q, if |x| < 2^31 or the quotient is below 2^26 in absolute value, for q
/// from 2 to 2^64.
///
/// # Constant time
/// In x: q is public.
#[expect(clippy::integer_division_remainder_used, reason = "the modulus is public")]
pub(super) fn nearest_quotient(x: i128, q: u128) -> i64 {
    // 2^(bits - 1) <= q < 2^bits; 30 bits of q are left of x, and 60 to 61 bits of 1 / q.
    let bits = 128 - q.leading_zeros();
    let high = if bits > 30 { x >> (bits - 30) } else { x << (30 - bits) } as i64;
    let reciprocal = ((1_u128 << (bits + 60)) / q) as i128;
    ((i128::from(high).wrapping_mul(reciprocal) + (1 << 89)) >> 90) as i64
}

pub(super) fn is_outside(x: i64, (low, high): (i32, i32)) -> bool {
    (x < low as i64) | (x > high as i64)
}

/// Whether an unknown besides carries is not in the range of its part.
pub(super) fn are_outside(known: &Known, unknowns: &[i8]) -> bool {
    let mut any = false;
    for (_, &UnknownPart { low, high, .. }, of_part) in known.shape.split(unknowns) {
        any = of_part.iter().fold(any, |any, &x| any | is_outside(x.into(), (low, high)));
    }
    any
}

/// Messages of whole groups of columns, the first of which is group `first`, with errors in the
/// place of carries; and whether one is not in its range.
///
/// # Constant time
/// In the messages.
pub(super) fn with_errors(known: &Known, first: usize, mut messages: Secrets) -> (Secrets, bool) {
    let (placement, shape) = (&known.placement, &known.shape);
    let (modulus, errors) = (shape.moduli[0] as i64, shape.error_range());
    let height = placement.rows() as usize;
    let group_len = height * placement.spread as usize;
    let mut outside = vec![false; messages.len().div_ceil(group_len.max(1))];
    let mut groups: Vec<(&mut [i8], &mut bool)> =
        messages.chunks_mut(group_len).zip(&mut outside).collect();
    crate::parallel::for_chunks(&mut groups, 1, |index, group| {
        let (group, outside) = &mut group[0];
        let mut secrets = Secrets::<i8>::zeros(shape.unknowns_len());
        let mut rest = Secrets::<i32>::zeros(shape.equations_len());
        for (place, instance) in placement.group(first + index).enumerate() {
            // Columns behind the last instance need not be whole groups.
            placement.for_part(0, place, height, |i, at| {
                secrets[i] = group.get(at).map_or(0, |&x| x);
            });
            **outside |= are_outside(known, &secrets);
            // An error of an instance that is not there is 0.
            let exists = instance < placement.instances;
            if exists {
                difference(known, instance, &secrets, &mut rest);
            }
            placement.for_part(shape.carries(), place, height, |i, at| {
                let Some(entry) = group.get_mut(at) else { return };
                let error = i64::from(rest[i]) + i64::from(*entry) * modulus;
                let error = if exists { error } else { 0 };
                **outside |= is_outside(error, errors);
                *entry = error as i8;
            });
        }
    });
    drop(groups);
    let outside = outside.iter().fold(false, |any, &outside| any | outside);
    (messages, outside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_the_nearest() {
        let small = [2_i128, 3, 17, 3329, (1 << 15) - 1, 1 << 15, (1 << 16) - 1, 1 << 16];
        let large = [(1 << 30) - 35, (1 << 62) - 57, (1 << 64) - 1, 1 << 64];
        for q in small.into_iter().chain(large) {
            for k in [-(1 << 25), -30_000, -128, -1, 0, 1, 2, 127, 30_000, 1 << 25] {
                for error in [-(q - 1) / 4, -1, 0, 1, (q - 1) / 4] {
                    if 2 * error.abs() < q {
                        let x = i128::from(k) * q + error;
                        assert_eq!(nearest_quotient(x, q as u128), k, "{k} {q} + {error}");
                    }
                }
            }
        }
    }
}
