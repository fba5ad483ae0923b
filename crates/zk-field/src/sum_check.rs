//! What the pads of a masked sum-check count in the end.
//!
//! A prover sends the coefficients p_(t,d) of its round polynomials, d = 0, 2, 3, .., e, each plus
//! a pad; that of X follows from p_t(0) + p_t(1) = c_(t-1). So c_t = p_t(r_t) is r_t c_(t-1) + (1 -
//! 2 r_t) p_(t,0) + sum over d >= 2 of (r_t^d - r_t) p_(t,d), and the last claim is c_0 times the
//! product of all r_t plus a sum of all p_(t,d) with public weights.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::{ElementOf, Field};

/// The weights of `messages` coefficients for each of the challenges, and the product of these.
pub fn weights<F: Field>(
    point: &[ElementOf<F>],
    messages: usize,
) -> (Vec<ElementOf<F>>, ElementOf<F>) {
    let one = ElementOf::one();
    let mut weights = vec![ElementOf::ZERO; messages * point.len()];
    let mut tail = one;
    for (weights, &r) in weights.chunks_exact_mut(messages).zip(point).rev() {
        weights[0] = tail * (one - r - r);
        let mut power = r;
        for weight in &mut weights[1..] {
            power = power * r;
            *weight = tail * (power - r);
        }
        tail = tail * r;
    }
    (weights, tail)
}

/// x y for each x of `a` and, running fastest, each y of `b`.
///
/// # Constant time
/// In both.
pub fn outer<F: Field>(a: &[ElementOf<F>], b: &[ElementOf<F>]) -> Vec<ElementOf<F>> {
    let mut products = Vec::with_capacity(a.len() * b.len());
    for &x in a {
        products.extend(b.iter().map(|&y| x * y));
    }
    products
}

/// sum over i of a_i b_i, as far as there are both.
#[inline]
pub fn dot<F: Field>(a: &[ElementOf<F>], b: &[ElementOf<F>]) -> ElementOf<F> {
    a.iter().zip(b).fold(ElementOf::ZERO, |sum, (&a, &b)| sum + a * b)
}
