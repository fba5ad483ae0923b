//! The carries of an instance.

use alloc::vec::Vec;

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::Known;
use super::family::{CARRY_BASE, Coefficient};
use super::table::{are_outside, difference, is_outside, nearest_quotient};
use super::transform::{Transform, integer, residue};
use crate::erase::Secrets;
use crate::error::Error;
use crate::field::Goldilocks;
use crate::scalar::ScalarOf;

type Scalars = Zeroizing<Vec<ScalarOf<Goldilocks>>>;

/// Bits of the lower part of a coefficient: 2^32 times n 2^14 bytes times 2^10 blocks is below
/// 2^63.
const LOW: u32 = 32;

/// A x - t of block `row` of equations over the integers, where errors are committed.
///
/// # Constant time
/// In the unknowns, of which transforms are made as they are needed.
fn of_row(
    known: &Known,
    transform: &Transform,
    (instance, row): (u64, usize),
    (unknowns, transforms): (&[i8], &mut [Option<Scalars>]),
    out: &mut [i128],
) {
    let n = known.shape.n as usize;
    let mut sums: [Scalars; 2] = core::array::from_fn(|_| Zeroizing::new(vec![ScalarOf::ZERO; n]));
    known.target(instance, row, out);
    for out in out.iter_mut() {
        *out = -*out;
    }
    let mut halves: [Vec<_>; 2] = core::array::from_fn(|_| vec![ScalarOf::ZERO; n]);
    known.row(instance, row, &mut |block, coefficient| match coefficient {
        Coefficient::Integer(a) => {
            for (out, &x) in out.iter_mut().zip(&unknowns[block * n..][..n]) {
                *out += i128::from(a) * i128::from(x);
            }
        }
        Coefficient::Polynomial(a) => {
            for (i, &a) in a.iter().enumerate() {
                halves[0][i] = residue(a & ((1 << LOW) - 1));
                halves[1][i] = residue(a >> LOW);
            }
            let transforms = transforms[block].get_or_insert_with(|| {
                let block = unknowns[block * n..][..n].iter();
                let mut x = Zeroizing::new(block.map(|&x| residue(x.into())).collect::<Vec<_>>());
                transform.forward(&mut x);
                x
            });
            for (half, sum) in halves.iter_mut().zip(&mut sums) {
                transform.forward(half);
                for ((sum, &a), &x) in sum.iter_mut().zip(&*half).zip(&**transforms) {
                    *sum += a * x;
                }
            }
        }
        Coefficient::Row(_) => (),
    });
    for (sum, shift) in sums.iter_mut().zip([0, LOW]) {
        transform.backward(sum);
        out.iter_mut()
            .zip(sum.iter())
            .for_each(|(out, &x)| *out += i128::from(integer(x)) << shift);
    }
}

/// A x - t of all equations of an instance over the integers.
///
/// # Constant time
/// In the unknowns.
fn differences(
    known: &Known,
    transform: &Transform,
    instance: u64,
    unknowns: &[i8],
) -> Secrets<i128> {
    let shape = &known.shape;
    let mut all = Secrets::<i128>::zeros(shape.equations_len());
    if shape.commits_to_errors() {
        let mut transforms = vec![None; shape.blocks() as usize];
        for (row, out) in all.chunks_exact_mut(shape.n as usize).enumerate() {
            let of_unknowns = (unknowns, &mut transforms[..]);
            of_row(known, transform, (instance, row), of_unknowns, out);
        }
    } else {
        let mut small = Secrets::<i32>::zeros(all.len());
        difference(known, instance, unknowns, &mut small);
        all.iter_mut().zip(small.iter()).for_each(|(out, &x)| *out = -i128::from(x));
    }
    all
}

/// The carries of an instance with these unknowns, or their lower digits and then the higher ones.
///
/// # Errors
/// [`Error::FalseFact`] if an unknown or an error is not in its range, or an equation does not hold
/// modulo q; [`Error::Parameter`] if a carry is no byte: carries of honest keys are, but for
/// unlikely ones.
pub(super) fn carries(
    known: &Known,
    transform: &Transform,
    instance: u64,
    unknowns: &[i8],
    out: &mut [i8],
) -> Result<(), Error> {
    let n = known.shape.n as usize;
    if declassify(are_outside(known, unknowns)) {
        return Err(Error::FalseFact);
    }
    let (mut outside, mut wide) = (false, false);
    let (low, high) = known.shape.error_range();
    let (lower, higher) = out.split_at_mut(known.shape.equations_len());
    let differences = differences(known, transform, instance, unknowns);
    let of_rows = differences.chunks_exact(n).zip(&known.shape.moduli);
    for (row, (differences, &q)) in of_rows.enumerate() {
        for (i, &x) in (row * n..).zip(differences) {
            let mut carry = nearest_quotient(x, q);
            let error = i128::from(carry).wrapping_mul(q.cast_signed()).wrapping_sub(x);
            outside |= (error < i128::from(low)) | (error > i128::from(high));
            // By a shift, as the base is a power of two.
            if let Some(higher) = higher.get_mut(i) {
                let digit = (carry + (CARRY_BASE >> 1)) & (CARRY_BASE - 1);
                lower[i] = (digit - (CARRY_BASE >> 1)) as i8;
                carry = (carry - i64::from(lower[i])) >> CARRY_BASE.ilog2();
                *higher = carry as i8;
            } else {
                lower[i] = carry as i8;
            }
            wide |= is_outside(carry, (-127, 127));
        }
    }
    if declassify(outside) {
        return Err(Error::FalseFact);
    }
    Error::unless(!declassify(wide), "carry", 128_u32, "so small that it fits its bytes")
}
