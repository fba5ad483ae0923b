//! Equations that hold exactly, A_i x_i = t_i + q k_i over the integers, with all that is unknown,
//! errors and carries included, in the messages. As they are linear, one challenge a variable shows
//! them: the sum of all equations with weights W = eq(r, .) at the places of their carries, in
//! which unknowns count A^T W, and carries -q W.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Known;
use super::family::CARRY_BASE;
use super::weights::{Unknowns, in_instances, integer};
use crate::argument::layout::Layout;
use crate::argument::linear::LinearClaim;
use crate::eq;
use crate::field::{ElementOf, Field};
use crate::opening::transcript::Transcript;

/// Label of the challenges.
const POINT: &str = "equations";

/// That all equations hold, for a point of the rows and columns of messages that is drawn.
pub(super) fn replay<'a, F: Field>(
    known: &'a Known,
    transcript: &mut Transcript,
    layout: &Layout,
) -> LinearClaim<'a, F> {
    let count = layout.columns();
    let mut point = |variables| -> Vec<ElementOf<F>> {
        (0..variables).map(|_| transcript.challenge(POINT)).collect()
    };
    let rows = point(layout.rounds());
    let columns = point(count.next_power_of_two().ilog2() as usize);
    let placement = &known.placement;
    let (carries, blocks) = (known.shape.carries(), known.shape.moduli.len());
    let [first, end] = [carries, carries + 1].map(|part| placement.first_row(part));
    let weights = eq::table(&rows, end as usize).split_off(first as usize);
    let mut products = Vec::new();
    let mut scale = -1;
    for digit in 0..known.shape.carry_digits() {
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let scaled = |(row, &x): (usize, &ElementOf<F>)| {
            // Rows are in the order of places, and within a place in the order of blocks.
            let block = row / placement.low() as usize % blocks;
            let modulus = scale * known.shape.moduli[block].cast_signed();
            (first + digit * (end - first) + row as u32, x * integer(modulus))
        };
        let of_digits = weights.iter().enumerate().map(scaled).collect();
        products.extend(in_instances(placement, of_digits, &columns, count));
        scale *= i128::from(CARRY_BASE);
    }
    let unknowns = Unknowns::new(known, &rows, &columns, count);
    let (value, masks) = (unknowns.public(), Vec::new());
    LinearClaim { value, products, others: Some(Box::new(unknowns)), masks }
}
