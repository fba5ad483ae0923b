//! The trials of [`super::portable`], sixteen at a time: two octets of eight lanes.
//!
//! Neither closures nor `array::map` around registers: what is not inlined into
//! [`Token::vectorize`] is compiled without its instructions.

use core::hint::black_box;

use bytemuck::cast_slice;
use tautochrone_simd::vector::{Compare, Compress, Float, LookUp, Mask, Product, Vector};
use tautochrone_simd::{Token, declassify};

use super::batch::{Accepted, Batch, GROUP, GROUP_WORDS, Group, MAX_GROUPS};
use super::centre::Centre;
use super::setup::Table;
use crate::acceptance::{self, Acceptance};
use crate::element::Element;

/// A register of eight lanes, with all that trials need.
pub(super) trait Octet: Compare + Compress + Float + LookUp + Product {}
impl<V: Compare + Compress + Float + LookUp + Product> Octet for V {}

/// How far trials came: groups of which every decision is certain, and the samples they gave.
pub(super) type Progress = (usize, usize);

/// Where the four registers of each group come from.
pub(super) trait Feed<V> {
    /// The next ones.
    fn group(&mut self) -> [V; 4];

    /// Called with steps 1 to 9 of the work on a group, in order: a keystream makes the registers of
    /// the next group meanwhile. What is done to `values` before is done before it, what is done to
    /// them later after it.
    #[inline(always)]
    fn step(&mut self, step: usize, values: &mut [V; 2]) {
        let _ = (step, values);
    }
}

/// From memory.
pub(super) struct Memory<'a, V: Vector> {
    token: V::Token,
    groups: &'a [Group],
}

impl<'a, V: Vector> Memory<'a, V> {
    #[inline(always)]
    fn new(token: V::Token, words: &'a [u64]) -> Self {
        Self { token, groups: words.as_chunks().0 }
    }
}

impl<V: Vector> Feed<V> for Memory<'_, V> {
    #[inline(always)]
    fn group(&mut self) -> [V; 4] {
        let (group, rest) = self.groups.split_first().expect("words for every group");
        self.groups = rest;
        let token = self.token;
        let register = group.as_chunks::<8>().0;
        [
            V::load(token, &register[0]),
            V::load(token, &register[1]),
            V::load(token, &register[2]),
            V::load(token, &register[3]),
        ]
    }
}

/// As [`super::portable::trials`], batch after batch up to the first that has a decision in doubt,
/// with the accepted samples stored in order. `samples` has an element for each trial.
pub(super) fn trials<V: Octet, T: Element>(
    token: V::Token,
    table: &Table,
    centre: Option<&Centre>,
    words: &[u64],
    samples: &mut [T],
) -> Progress {
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    let groups = words.len() / GROUP_WORDS;
    token.vectorize(
        #[inline(always)]
        || around::<V, T>(token, table, centre, Memory::new(token, words), groups, samples),
    )
}

#[inline(always)]
pub(super) fn around<V: Octet, T: Element>(
    token: V::Token,
    table: &Table,
    centre: Option<&Centre>,
    feed: impl Feed<V>,
    groups: usize,
    samples: &mut [T],
) -> Progress {
    match centre {
        None => compress::<V, T>(token, table, Zero, feed, groups, samples),
        Some(centre) => {
            compress::<V, T>(token, table, One::new(token, centre), feed, groups, samples)
        }
    }
}

#[inline(always)]
fn compress<V: Octet, T: Element>(
    token: V::Token,
    table: &Table,
    centre: impl Around<V>,
    mut feed: impl Feed<V>,
    groups: usize,
    samples: &mut [T],
) -> Progress {
    let kernel = Kernel::<V>::new(token, table);
    let mut count = 0;
    let mut done = 0;
    while done < groups {
        let batch = (groups - done).min(MAX_GROUPS);
        let before = count;
        let mut doubt = V::zero(token).sign();
        for _ in 0..batch {
            let group = feed.group();
            let out: &mut [T; GROUP] =
                samples[count..].first_chunk_mut().expect("an element for each trial");
            let ([first, second], doubtful) = kernel.group(group, &mut feed, centre, centre);
            doubt = doubt.or(doubtful);
            let accepted = [declassify(first.0.bits()), declassify(second.0.bits())];
            let counts = [accepted[0].count_ones() as usize, accepted[1].count_ones() as usize];
            T::compress(first.1, accepted[0], out);
            T::compress(second.1, accepted[1], &mut out[counts[0]..]);
            count += counts[0] + counts[1];
        }
        if declassify(doubt.bits() != 0) {
            return (done, before);
        }
        done += batch;
    }
    (done, count)
}

/// As [`super::portable::trials`], trial i around centre i: whether any decision was in doubt.
pub(super) fn coordinates<V: Octet>(
    token: V::Token,
    table: &Table,
    centres: &Batch<f64>,
    words: &[u64],
    values: &mut Batch<i64>,
    accepted: &mut Accepted,
) -> bool {
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    let groups = words.len() / GROUP_WORDS;
    token.vectorize(
        #[inline(always)]
        || {
            let feed = Memory::new(token, words);
            each::<V>(token, table, centres, feed, groups, values, accepted)
        },
    )
}

#[inline(always)]
pub(super) fn each<V: Octet>(
    token: V::Token,
    table: &Table,
    centres: &Batch<f64>,
    mut feed: impl Feed<V>,
    groups: usize,
    values: &mut Batch<i64>,
    accepted: &mut Accepted,
) -> bool {
    let kernel = Kernel::<V>::new(token, table);
    let mut doubt = V::zero(token).sign();
    let values: &mut Batch<u64> = bytemuck::cast_mut(values);
    let out = values.as_chunks_mut::<GROUP>().0.iter_mut();
    let out = out.zip(accepted.as_chunks_mut::<2>().0);
    let out = centres.as_chunks::<GROUP>().0.iter().zip(out);
    for (centres, (values, accepted)) in out.take(groups) {
        let (low, high) = centres.split_at(8);
        let (low, high) = (Each::new(token, low), Each::new(token, high));
        let group = feed.group();
        let ([first, second], doubtful) = kernel.group(group, &mut feed, low, high);
        doubt = doubt.or(doubtful);
        first.1.store(values);
        second.1.store(&mut values[8..]);
        let bits = [declassify(first.0.bits()), declassify(second.0.bits())];
        *accepted = [bits[0] as u8, bits[1] as u8];
    }
    declassify(doubt.bits() != 0)
}

/// What is sampled around.
trait Around<V: Octet>: Copy {
    /// For trials with these signs, magnitudes m and offsets y: the distances that enter the
    /// exponent, the values, and which of them are rejected.
    fn value(self, negative: V::Mask, m: V, y: V) -> (V, V, V::Mask);
}

/// Around zero: no centre.
#[derive(Clone, Copy)]
struct Zero;

impl<V: Octet> Around<V> for Zero {
    #[inline(always)]
    fn value(self, negative: V::Mask, m: V, y: V) -> (V, V, V::Mask) {
        let zero = V::zero(m.token());
        let z = V::blend(negative, zero.sub(m), m);
        (y, z, negative.and(m.eq(zero)))
    }
}

/// One centre for all: see [`Centre`].
#[derive(Clone, Copy)]
struct One<V> {
    floor: V,
    /// floor + 1.
    next: V,
    below: V,
    above: V,
}

impl<V: Octet> One<V> {
    #[inline(always)]
    fn new(token: V::Token, centre: &Centre) -> Self {
        Self {
            floor: V::splat(token, centre.floor as u64),
            next: V::splat(token, (centre.floor + 1) as u64),
            below: V::splat_f64(token, centre.below),
            above: V::splat_f64(token, centre.above),
        }
    }
}

impl<V: Octet> Around<V> for One<V> {
    #[inline(always)]
    fn value(self, negative: V::Mask, m: V, y: V) -> (V, V, V::Mask) {
        let beyond = V::blend(negative, self.below, self.above);
        let z = V::blend(negative, self.floor.sub(m), self.next.add(m));
        (y.add_f64(beyond), z, V::zero(m.token()).sign())
    }
}

/// A centre for each lane.
#[derive(Clone, Copy)]
struct Each<V> {
    mu: V,
    floor: V,
}

impl<V: Octet> Each<V> {
    #[inline(always)]
    fn new(token: V::Token, mu: &[f64]) -> Self {
        let mu = V::load(token, cast_slice(mu));
        Self { mu, floor: mu.floor_f64() }
    }
}

impl<V: Octet> Around<V> for Each<V> {
    #[inline(always)]
    fn value(self, negative: V::Mask, m: V, y: V) -> (V, V, V::Mask) {
        let token = m.token();
        // The integer next to mu on the side of the sign, from which m counts.
        let next = self.floor.add_f64(V::splat_f64(token, 1.0));
        let start = V::blend(negative, self.floor, next);
        let beyond = start.sub_f64(self.mu).and(V::splat(token, u64::MAX >> 1));
        let start = start.to_i64();
        let z = V::blend(negative, start.sub(m), start.add(m));
        (y.add_f64(beyond), z, V::zero(token).sign())
    }
}

/// Eight trials: which are accepted, and their values.
type Outcome<V> = (<V as Vector>::Mask, V);

/// The tables that a cell is looked up in.
struct Cells<V: Octet> {
    threshold: V::Table,
    alias: V::Table,
    /// Low and high halves of the excesses.
    excess: [V::Table; 2],
}

/// The tables, and the constants in registers (or, where those run out, in memory operands).
struct Kernel<V: Octet> {
    cells: Cells<V>,
    acceptance: Acceptance<V>,
    k: V,
    lemire: V,
    step: V,
    slope: V,
}

impl<V: Octet> Kernel<V> {
    #[inline(always)]
    fn new(token: V::Token, table: &Table) -> Self {
        const { assert!(V::LANES == 8) };
        Self {
            cells: Cells {
                threshold: V::table_32(token, &table.threshold),
                alias: V::table_32(token, &table.alias),
                excess: [
                    V::table_32(token, &table.excess_halves[0]),
                    V::table_32(token, &table.excess_halves[1]),
                ],
            },
            acceptance: Acceptance::new(token, table.margin),
            k: V::splat(token, table.k),
            lemire: V::splat(token, table.lemire),
            step: V::splat_f64(token, table.step),
            slope: V::splat_f64(token, table.slope),
        }
    }

    /// A group: both its octets, in lock-step, and where a trial is in doubt.
    #[inline(always)]
    fn group<C: Around<V>>(
        &self,
        [cell, accept, offset, next_offset]: [V; 4],
        feed: &mut impl Feed<V>,
        first_centres: C,
        second_centres: C,
    ) -> ([Outcome<V>; 2], V::Mask) {
        let token = self.k.token();
        // In memory, in whole cache lines. A compiler that sees the tables would hold them in
        // registers, run out of those and spill them to unaligned addresses of the stack.
        let cells = black_box(&self.cells);
        // Both octets at once, the first in the low halves.
        let own = cell.and(V::splat(token, 31 << 32 | 31));
        let alias = cell.look_up_32(&cells.alias);
        let mut x = [cell.blend_lt_32(cell.look_up_32(&cells.threshold), own, alias), offset];
        feed.step(1, &mut x);
        let [x, offset] = x;
        let (low, high) = (x.look_up_32(&cells.excess[0]), x.look_up_32(&cells.excess[1]));
        let mut first = self.proposal(
            [x.and(V::splat(token, 0xffff_ffff)), low.low_halves(high), accept.shl::<32>(), offset],
            first_centres,
        );
        let mut second = self
            .proposal([x.shr::<32>(), low.high_halves(high), accept, next_offset], second_centres);
        let mut t = [first.distance(self.step), second.distance(self.step)];
        feed.step(2, &mut t);
        [first.e, second.e] = t;
        let mut e = [first.exponent(self.slope), second.exponent(self.slope)];
        feed.step(3, &mut e);
        let a = &self.acceptance;
        let mut sixteenths = [acceptance::sixteenths(e[0]), acceptance::sixteenths(e[1])];
        feed.step(4, &mut sixteenths);
        let mut f =
            [acceptance::fraction(e[0], sixteenths[0]), acceptance::fraction(e[1], sixteenths[1])];
        feed.step(5, &mut f);
        let mut q = [acceptance::start(f[0]), acceptance::start(f[1])];
        feed.step(6, &mut q);
        q = [acceptance::middle(q[0], f[0]), acceptance::middle(q[1], f[1])];
        feed.step(7, &mut q);
        q = [acceptance::finish(q[0], f[0]), acceptance::finish(q[1], f[1])];
        feed.step(8, &mut q);
        let mut p = [a.scaled(q[0], sixteenths[0]), a.scaled(q[1], sixteenths[1])];
        feed.step(9, &mut p);
        let (first, doubt_first) = first.decide(a, p[0]);
        let (second, doubt_second) = second.decide(a, p[1]);
        ([first, second], doubt_first.or(doubt_second))
    }

    /// Eight proposals; `accept`: the acceptance half in the upper 32 bits.
    #[inline(always)]
    fn proposal(&self, [x, excess, accept, offset]: [V; 4], centre: impl Around<V>) -> Proposal<V> {
        let (y, low) = offset.product_52(self.k);
        let inexact = low.lt_signed(self.lemire);
        let magnitude = y.add_product(x, self.k);
        // The sign is bit 32.
        let negative = accept.shl::<31>().sign();
        let (e, z, rejected) = centre.value(negative, magnitude, y.to_f64());
        Proposal { x: x.to_f64(), e, excess, accept, offset, z, rejected: inexact.or(rejected) }
    }
}

/// Eight trials before their decision.
struct Proposal<V: Octet> {
    x: V,
    /// The distance, then t.
    e: V,
    excess: V,
    accept: V,
    offset: V,
    z: V,
    rejected: V::Mask,
}

impl<V: Octet> Proposal<V> {
    /// t.
    #[inline(always)]
    fn distance(&self, step: V) -> V {
        self.e.mul_f64(step)
    }

    /// E.
    #[inline(always)]
    fn exponent(&self, slope: V) -> V {
        let t = self.e;
        t.mul_add_f64(self.x.mul_add_f64(slope, t), self.excess)
    }

    /// Whether accepted, the value, and whether the decision is in doubt.
    #[inline(always)]
    fn decide(&self, acceptance: &Acceptance<V>, probability: V) -> (Outcome<V>, V::Mask) {
        let token = self.x.token();
        // 31 bits of `accept`, 12 of `offset`, and 21 that say nothing.
        let uniform = V::splat(token, (1 << 33) - 1).select(self.offset.shr::<31>(), self.accept);
        let (below, doubt) = acceptance.decide(uniform, probability);
        ((self.rejected.andnot(below), self.z), doubt)
    }
}
