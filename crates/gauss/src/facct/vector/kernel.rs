//! [`Kernel`]: sixteen trials.

use core::hint::black_box;

use tautochrone_simd::declassify;
use tautochrone_simd::vector::{Mask, Vector};

use super::super::setup::Table;
use super::Register;
use super::centres::Centres;
use super::keystream::Keystream;
use crate::acceptance::{self, Acceptance};

/// Eight trials: which are accepted, and their values.
pub(super) type Outcome<V> = (<V as Vector>::Mask, V);

/// Uncertain lanes: decisions, and whether an offset is exactly uniform. Where it is not, which
/// has probability K / 2^52 at most, the trial is rejected; but the definition may find that out as
/// well.
#[derive(Clone, Copy)]
pub(super) struct Doubts<V> {
    /// Least distances between uniform numbers and probabilities.
    distance: V,
    /// Low products of offsets.
    low: V,
}

/// Both octets of a group before their decisions.
#[derive(Clone, Copy)]
pub(super) struct Open<V: Register> {
    /// The exponents.
    e: [V; 2],
    uniform: [V; 2],
    z: [V; 2],
    /// Masks of the trials that are rejected in any case.
    rejected: [V; 2],
}

/// The tables that a cell is looked up in.
struct Cells<V: Register> {
    threshold: V::Table,
    alias: V::Table,
    /// Low and high halves of the excesses.
    excess: [V::Table; 2],
}

/// The tables, and the constants in registers (or, where those run out, in memory operands).
pub(in crate::facct) struct Kernel<V: Register> {
    cells: Cells<V>,
    acceptance: Acceptance<V>,
    k: V,
    lemire: V,
    step: V,
    slope: V,
}

impl<V: Register> Kernel<V> {
    #[inline(always)]
    pub(in crate::facct) fn new(token: V::Token, table: &Table) -> Self {
        const { assert!(V::LANES == 8) };
        Self {
            cells: Cells {
                threshold: V::table_32(token, &table.trial.threshold),
                alias: V::table_32(token, &table.trial.alias),
                excess: [
                    V::table_32(token, &table.excess_halves[0]),
                    V::table_32(token, &table.excess_halves[1]),
                ],
            },
            acceptance: Acceptance::new(token, table.margin),
            k: V::splat(token, table.trial.k),
            lemire: V::splat(token, table.trial.lemire),
            step: V::splat_f64(token, table.trial.step),
            slope: V::splat_f64(token, table.trial.slope),
        }
    }

    #[inline(always)]
    pub(super) fn token(&self) -> V::Token {
        self.k.token()
    }

    /// No doubts.
    #[inline(always)]
    pub(super) fn doubts(&self) -> Doubts<V> {
        Doubts { distance: V::record(self.token()), low: V::record(self.token()) }
    }

    /// Whether there are any.
    #[inline(always)]
    pub(super) fn any(&self, doubts: &Doubts<V>) -> bool {
        let decisions = doubts.distance.noted(self.acceptance.limit());
        declassify(decisions.or(doubts.low.noted(self.lemire)).bits() != 0)
    }

    /// The first half of the work on a group.
    #[inline(always)]
    pub(super) fn open<C: Centres<V>>(
        &self,
        group: [V; 4],
        keystream: &mut impl Keystream<V>,
        centres: [C; 2],
        doubts: &mut Doubts<V>,
    ) -> Open<V> {
        let none = V::zero(self.token());
        let mut rest = [none; 2];
        self.first_half(
            group,
            centres,
            doubts,
            #[inline(always)]
            |step, values| keystream.step(step, values, &mut rest),
        )
    }

    /// The second half.
    #[inline(always)]
    pub(super) fn close(&self, open: &Open<V>, doubts: &mut Doubts<V>) -> [Outcome<V>; 2] {
        let mut work = SecondHalf::new(open);
        for step in 1..=STEPS {
            work.step(self, step);
        }
        work.decide(self, doubts)
    }

    /// [`Self::close`] of a group and [`Self::open`] of the next, a little of each at a time: they
    /// do not wait for each other, and a core looks ahead too little to find that out by itself.
    #[inline(always)]
    pub(super) fn advance<C: Centres<V>>(
        &self,
        open: &Open<V>,
        group: [V; 4],
        keystream: &mut impl Keystream<V>,
        centres: [C; 2],
        doubts: &mut Doubts<V>,
    ) -> ([Outcome<V>; 2], Open<V>) {
        let mut work = SecondHalf::new(open);
        let next = self.first_half(
            group,
            centres,
            doubts,
            #[inline(always)]
            |step, values| {
                work.step(self, step);
                keystream.step(step, values, &mut work.values);
            },
        );
        (work.decide(self, doubts), next)
    }

    /// Calls `between` after steps 1 to [`STEPS`].
    #[inline(always)]
    fn first_half<C: Centres<V>>(
        &self,
        [cell, accept, offset, next_offset]: [V; 4],
        centres: [C; 2],
        doubts: &mut Doubts<V>,
        mut between: impl FnMut(usize, &mut [V; 2]),
    ) -> Open<V> {
        let token = self.token();
        // In memory, in whole cache lines. A compiler that sees the tables would hold them in
        // registers, run out of those and spill them to unaligned addresses of the stack.
        let cells = black_box(&self.cells);
        // Both octets at once, the first in the low halves.
        let own = cell.and(V::splat(token, 31 << 32 | 31));
        let alias = cell.look_up_32(&cells.alias);
        let x = cell.blend_lt_32(cell.look_up_32(&cells.threshold), own, alias);
        let mut now = [x, offset];
        between(1, &mut now);
        let offset = [now[1], next_offset];
        let (low, high) =
            (now[0].look_up_32(&cells.excess[0]), now[0].look_up_32(&cells.excess[1]));
        let x = [now[0].and(V::splat(token, 0xffff_ffff)), now[0].shr::<32>()];
        let (first, second) = (offset[0].product_52(self.k), offset[1].product_52(self.k));
        let mut y = [first.0, second.0];
        doubts.low = doubts.low.note(first.1, self.lemire).note(second.1, self.lemire);
        between(2, &mut y);
        let magnitude = [y[0].add_product(x[0], self.k), y[1].add_product(x[1], self.k)];
        // The acceptance half in the upper 32 bits; the sign is bit 32.
        let accept = [accept.shl::<32>(), accept];
        let negative = [accept[0].shl::<31>().sign(), accept[1].shl::<31>().sign()];
        let (first, second) = (
            centres[0].value(negative[0], magnitude[0], y[0].to_f64(), self.step),
            centres[1].value(negative[1], magnitude[1], y[1].to_f64(), self.step),
        );
        let mut t = [first.0, second.0];
        between(3, &mut t);
        let x = [x[0].to_f64(), x[1].to_f64()];
        let mut u = [x[0].mul_add_f64(self.slope, t[0]), x[1].mul_add_f64(self.slope, t[1])];
        between(4, &mut u);
        let mut e = [
            t[0].mul_add_f64(u[0], low.low_halves(high)),
            t[1].mul_add_f64(u[1], low.high_halves(high)),
        ];
        between(5, &mut e);
        // 31 bits of `accept`, 12 of `offset`, and 21 that say nothing.
        let low_33 = V::splat(token, (1 << 33) - 1);
        let mut uniform = [
            low_33.select(offset[0].shr::<31>(), accept[0]),
            low_33.select(offset[1].shr::<31>(), accept[1]),
        ];
        between(6, &mut uniform);
        let mut z = [first.1, second.1];
        between(7, &mut z);
        between(8, &mut e);
        let rejected = [V::of_mask(token, first.2), V::of_mask(token, second.2)];
        Open { e, uniform, z, rejected }
    }
}

/// Steps of each half.
const STEPS: usize = 8;

/// Where the second half has come.
struct SecondHalf<V: Register> {
    open: Open<V>,
    sixteenths: [V; 2],
    f: [V; 2],
    /// The results of the step before.
    values: [V; 2],
}

impl<V: Register> SecondHalf<V> {
    #[inline(always)]
    fn new(open: &Open<V>) -> Self {
        Self { open: *open, sixteenths: open.e, f: open.e, values: open.e }
    }

    /// Steps 1 to [`STEPS`], in order.
    #[inline(always)]
    fn step(&mut self, kernel: &Kernel<V>, step: usize) {
        for i in 0..2 {
            let (e, q, f) = (self.open.e[i], self.values[i], self.f[i]);
            self.values[i] = match step {
                1 => {
                    self.sixteenths[i] = acceptance::sixteenths(e);
                    e.beyond_sixteenth()
                }
                2 => {
                    self.f[i] = q;
                    acceptance::start(q)
                }
                3..=6 => acceptance::term(q, f, step - 1),
                7 => kernel.acceptance.scaled(q, self.sixteenths[i]),
                _ => q,
            };
        }
    }

    #[inline(always)]
    fn decide(self, kernel: &Kernel<V>, doubts: &mut Doubts<V>) -> [Outcome<V>; 2] {
        let Open { uniform, z, rejected, .. } = self.open;
        let acceptance = &kernel.acceptance;
        let (first, distance) = acceptance.compare(uniform[0], self.values[0]);
        let (second, next_distance) = acceptance.compare(uniform[1], self.values[1]);
        let limit = acceptance.limit();
        doubts.distance = doubts.distance.note(distance, limit).note(next_distance, limit);
        [(rejected[0].sign().andnot(first), z[0]), (rejected[1].sign().andnot(second), z[1])]
    }
}
