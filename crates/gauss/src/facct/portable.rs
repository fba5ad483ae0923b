//! The trials, one by one: the definition that the vector paths must equal bit for bit.

use core::hint::black_box;

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::batch::{GROUP, GROUP_WORDS};
use super::centre::Centre;
use super::exact;
use super::setup::Table;
use crate::acceptance;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;
use crate::source::Source;

/// Bits of [`Draw::uniform`] below the bits of the uniform number.
const SPARE: u32 = 21;

/// The random numbers of one trial, before it is decided.
struct Draw {
    x: u32,
    y: u64,
    negative: bool,
    /// The offset is exactly uniform, and the value not a negative zero.
    valid: bool,
    /// 43 bits of a uniform number, above [`SPARE`] bits that say nothing (they are bits of y):
    /// where these could matter, the decision is in doubt.
    uniform: u64,
    probability: u64,
    z: i64,
}

/// One trial from its own words; inlined where fused multiply-add is an instruction. `cell`: 32
/// bits; `accept`: 31 bits of acceptance above the sign bit; `offset`: 52 bits of y below 12 bits
/// of acceptance.
#[inline(always)]
fn draw(table: &Table, centre: Option<&Centre>, cell: u32, accept: u32, offset: u64) -> Draw {
    const LOW_52: u64 = (1 << 52) - 1;
    const LOW_33: u64 = (1 << 33) - 1;
    let column = cell & 31;
    let x = lookup(&table.trial.threshold, &table.trial.alias, column, cell);

    let product = u128::from(offset & LOW_52) * u128::from(table.trial.k);
    let y = (product >> 52) as u64;
    let exact = (product as u64 & LOW_52) >= table.trial.lemire;

    let sign = -i64::from(accept & 1);
    let magnitude = (table.trial.k * u64::from(x) + y) as i64;
    let (distance, z, negative_zero) = match centre {
        None => {
            let z = (magnitude ^ sign) - sign;
            (y as f64, z, (sign != 0) & (z == 0))
        }
        Some(centre) => {
            let (below, above) = (centre.below.to_bits(), centre.above.to_bits());
            // Compilers turn a mask that they see through into a branch.
            let side = black_box(sign as u64);
            let beyond = f64::from_bits(below & side | above & !side);
            // c + 1 + m, or c - m = c + 1 + !m.
            (y as f64 + beyond, centre.floor + 1 + (magnitude ^ sign), false)
        }
    };
    let probability = acceptance::probability(exponent(table, x, distance));
    let uniform = u64::from(accept) << 32 & !LOW_33 | offset >> 31;
    Draw { x, y, negative: sign != 0, valid: exact & !negative_zero, uniform, probability, z }
}

/// [`draw`] as a function of its own: in a loop around it, compilers move more to the stack beside
/// calls of `fma` than a call costs.
#[inline(never)]
fn draw_apart(table: &Table, centre: Option<&Centre>, cell: u32, accept: u32, offset: u64) -> Draw {
    draw(table, centre, cell, accept, offset)
}

impl Draw {
    /// The fast decision, and whether it is in doubt.
    fn decide(&self, margin: u64) -> (bool, bool) {
        let (below, doubt) = acceptance::decide(self.uniform, self.probability, margin);
        (self.valid & below, doubt)
    }

    /// The exact decision, from two more words: 43 bits and 85 more.
    fn settle(
        &self,
        table: &Table,
        centre: Option<&Centre>,
        source: &mut (impl Source + ?Sized),
    ) -> bool {
        let mut more = Zeroizing::new([0; 2]);
        source.fill_u64(&mut *more);
        let beyond = centre.map_or((0, 0), |c| c.distance(self.negative));
        let high = self.uniform >> SPARE << SPARE | more[0] >> (64 - SPARE);
        let uniform = u128::from(high) << 64 | u128::from(more[1]);
        self.valid & exact::accepts(table, self.x, self.y, beyond, uniform)
    }
}

/// One sample: two words a trial, no vector kernel.
#[inline(always)]
pub(super) fn one(
    table: &Table,
    centre: Option<&Centre>,
    source: &mut (impl Source + ?Sized),
) -> i64 {
    let mut words = Zeroizing::new([0; 2]);
    loop {
        source.fill_u64(&mut *words);
        let [both, offset] = *words;
        let draw = draw(table, centre, both as u32, (both >> 32) as u32, offset);
        let (mut accepted, doubt) = declassify(draw.decide(table.margin));
        if doubt {
            accepted = declassify(draw.settle(table, centre, source));
        }
        if accepted {
            return draw.z;
        }
    }
}

/// P of a trial around 0, as it is first computed.
#[cfg(test)]
pub(super) fn fast_probability(table: &Table, cell: u32, offset: u64) -> u64 {
    draw(table, None, cell, 0, offset).probability
}

/// One trial around 0 by the fast decision, with `shared` in place of the [`SPARE`] bits: (value,
/// accepted).
pub(super) fn trial(
    table: &Table,
    cell: u32,
    accept: u32,
    offset: u64,
    shared: u64,
) -> (i64, bool) {
    const LOW: u64 = (1 << SPARE) - 1;
    let mut draw = draw(table, None, cell, accept, offset);
    draw.uniform = draw.uniform & !LOW | shared & LOW;
    (draw.z, draw.decide(table.margin).0)
}

/// x: `column` if `cell` is below its threshold, else its alias; every entry is read, so no address
/// is secret.
#[inline(always)]
fn lookup(threshold: &[u32; 32], alias: &[u32; 32], column: u32, cell: u32) -> u32 {
    // Compilers turn masks that they see through, such as the result of a comparison, into
    // branches.
    let column = black_box(column);
    let (mut limit, mut other) = (0, 0_u32);
    for (c, (&threshold, &alias)) in (0..).zip(threshold.iter().zip(alias)) {
        // All ones if c = column, both below 2^31.
        let here = ((column ^ c).wrapping_sub(1).cast_signed() >> 31).cast_unsigned();
        limit |= threshold & here;
        other |= alias & here;
    }
    let own = black_box(u32::from(cell < limit).wrapping_neg());
    own & column | !own & other
}

/// E of cell x at `distance` (y, and how far m is from the centre beyond that); every l_x is read,
/// so no address is secret.
#[inline(always)]
pub(super) fn exponent(table: &Table, x: u32, distance: f64) -> f64 {
    let mut excess = 0;
    for (c, l) in (0..).zip(&table.trial.excess) {
        excess |= l.to_bits() & u64::from(c == x).wrapping_neg();
    }
    let t = distance * table.trial.step;
    let u = f64::from(x).mul_add(table.trial.slope, t);
    t.mul_add(u, f64::from_bits(excess))
}

/// Runs the groups in `words` ([`GROUP_WORDS`] each) and hands every trial's number, value and
/// decision to `emit`, in order. True if a decision was in doubt.
///
/// With a source, doubts are settled by the exact rule, two words of it each.
pub(super) fn trials(
    table: &Table,
    centre: impl Fn(usize) -> Option<Centre>,
    words: &[u64],
    mut exact: Option<&mut (impl Source + ?Sized)>,
    mut emit: impl FnMut(usize, i64, bool),
) -> bool {
    let mut any = false;
    for (g, group) in words.chunks_exact(GROUP_WORDS).enumerate() {
        for octet in 0..2 {
            for lane in 0..8 {
                let half = |word: u64| (word >> (32 * octet)) as u32;
                let (cell, accept) = (half(group[lane]), half(group[8 + lane]));
                let offset = group[16 + 8 * octet + lane];
                let index = GROUP * g + 8 * octet + lane;
                let draw = draw_apart(table, centre(index).as_ref(), cell, accept, offset);
                let (mut accepted, doubt) = declassify(draw.decide(table.margin));
                any |= doubt;
                if let (true, Some(source)) = (doubt, exact.as_deref_mut()) {
                    accepted = declassify(draw.settle(table, centre(index).as_ref(), source));
                }
                emit(index, draw.z, accepted);
            }
        }
    }
    any
}
