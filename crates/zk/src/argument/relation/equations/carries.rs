//! The carries of an instance.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::Equations;
use super::family::{CARRY_BASE, Coefficient};
use super::transform::{Transform, integer, residue};
use crate::argument::relation::table::{is_outside, nearest_quotient};
use crate::erase::Secrets;
use crate::error::Error;
use crate::field::Goldilocks;
use crate::scalar::ScalarOf;

type Scalars = Zeroizing<Vec<ScalarOf<Goldilocks>>>;

/// Bits of the lower part of a coefficient: 2^32 times n 2^14 bytes times 2^10 blocks is below
/// 2^63.
const LOW: u32 = 32;

/// A x - t of block `row` of the equations, over the integers.
///
/// # Constant time
/// In the unknowns, of which transforms are made as they are needed.
fn difference(
    known: &Equations,
    transform: &Transform,
    (instance, row): (u64, usize),
    (unknowns, transforms): (&[i8], &mut [Option<Scalars>]),
) -> Secrets<i128> {
    let n = known.shape.n as usize;
    let mut sums: [Scalars; 2] = core::array::from_fn(|_| Zeroizing::new(vec![ScalarOf::ZERO; n]));
    let mut out = Secrets::<i128>::zeros(n);
    known.target(instance, row, &mut out);
    out.iter_mut().for_each(|out| *out = -*out);
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
    });
    for (sum, shift) in sums.iter_mut().zip([0, LOW]) {
        transform.backward(sum);
        out.iter_mut()
            .zip(sum.iter())
            .for_each(|(out, &x)| *out += i128::from(integer(x)) << shift);
    }
    out
}

/// The carries of an instance with these unknowns, or their lower digits and then the higher ones.
///
/// # Errors
/// [`Error::FalseFact`] if an unknown is not in its range or an equation does not hold modulo q;
/// [`Error::Parameter`] if a carry is no byte.
pub(super) fn carries(
    known: &Equations,
    transform: &Transform,
    instance: u64,
    unknowns: &[i8],
    out: &mut [i8],
) -> Result<(), Error> {
    let n = known.shape.n as usize;
    let (mut outside, mut rest) = (false, unknowns);
    for part in &known.shape.parts {
        let (of_part, others) = rest.split_at(part.blocks as usize * n);
        for &x in of_part {
            outside |= is_outside(x.into(), (part.low, part.high));
        }
        rest = others;
    }
    let mut transforms = vec![None; known.shape.blocks() as usize];
    let mut wide = false;
    let (lower, higher) = out.split_at_mut(known.shape.equations_len());
    for (row, &q) in known.shape.moduli.iter().enumerate() {
        let all = difference(known, transform, (instance, row), (unknowns, &mut transforms));
        for (i, &x) in (row * n..).zip(all.iter()) {
            let mut carry = nearest_quotient(x, q);
            outside |= i128::from(carry).wrapping_mul(q.cast_signed()) ^ x != 0;
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
