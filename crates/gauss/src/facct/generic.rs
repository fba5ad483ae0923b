//! The trials of [`super::portable`], sixteen side by side: two [`Lanes`] of eight.

use core::hint::black_box;

use tautochrone_simd::declassify;

use super::batch::{Accepted, Batch, Element, GROUP, GROUP_WORDS};
use super::centre::Centre;
use super::lanes::Lanes;
use super::portable::{MAGIC, POLYNOMIAL, POWERS};
use super::setup::Table;

// Neither closures nor `array::map` where lanes are about: what is not inlined into the function that enables the
// instructions is compiled without them.

/// What a module of an instruction set shows: [`trials`] and [`coordinates`] on its lanes, behind functions that enable its
/// instructions, which the token proves to be there.
#[cfg(target_arch = "x86_64")]
macro_rules! doors {
    ($token:ty, $lanes:ty, $features:literal) => {
        /// See [`generic::trials`](super::generic::trials).
        pub(super) fn trials<T: Element>(
            _: $token,
            table: &super::setup::Table,
            centre: Option<&super::centre::Centre>,
            words: &[u64],
            samples: &mut super::batch::Batch<T>,
        ) -> (usize, bool) {
            #[target_feature(enable = $features)]
            fn compress<T: Element>(
                table: &super::setup::Table,
                centre: Option<&super::centre::Centre>,
                words: &[u64],
                samples: &mut super::batch::Batch<T>,
            ) -> (usize, bool) {
                super::generic::trials::<$lanes, T>(table, centre, words, samples)
            }
            // SAFETY: the token proves that the instructions were detected.
            unsafe { compress(table, centre, words, samples) }
        }

        /// See [`generic::coordinates`](super::generic::coordinates).
        pub(super) fn coordinates(
            _: $token,
            table: &super::setup::Table,
            centres: &super::batch::Batch<f64>,
            words: &[u64],
            values: &mut super::batch::Batch<i64>,
            accepted: &mut super::batch::Accepted,
        ) -> bool {
            #[target_feature(enable = $features)]
            fn lanewise(
                table: &super::setup::Table,
                centres: &super::batch::Batch<f64>,
                words: &[u64],
                values: &mut super::batch::Batch<i64>,
                accepted: &mut super::batch::Accepted,
            ) -> bool {
                super::generic::coordinates::<$lanes>(table, centres, words, values, accepted)
            }
            // SAFETY: the token proves that the instructions were detected.
            unsafe { lanewise(table, centres, words, values, accepted) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use doors;

/// As [`super::portable::trials`], accepted samples written in order: (how many, whether any was in doubt).
#[inline(always)]
pub(super) fn trials<V: Lanes, T: Element>(
    table: &Table,
    centre: Option<&Centre>,
    words: &[u64],
    samples: &mut Batch<T>,
) -> (usize, bool) {
    match centre {
        None => compress::<V, T>(table, Zero, words, samples),
        Some(centre) => compress::<V, T>(table, One::<V>::new(centre), words, samples),
    }
}

#[inline(always)]
fn compress<V: Lanes, T: Element>(
    table: &Table,
    centre: impl Around<V>,
    words: &[u64],
    samples: &mut Batch<T>,
) -> (usize, bool) {
    let kernel = Kernel::<V>::new(table);
    let (mut count, mut doubt) = (0, V::nowhere());
    for group in words.as_chunks().0 {
        let room: &mut [T; GROUP] =
            samples[count..].first_chunk_mut().expect("at most a sample a trial");
        let ([first, second], doubtful) = kernel.group(group, [centre; 2]);
        doubt = V::either(doubt, doubtful);
        let kept = [declassify(V::bits(first.0)), declassify(V::bits(second.0))];
        let counts = [kept[0].count_ones() as usize, kept[1].count_ones() as usize];
        first.1.compress(kept[0], room.first_chunk_mut().expect("16 = 8 + 8"));
        second.1.compress(kept[1], room[counts[0]..].first_chunk_mut().expect("16 = 8 + 8"));
        count += counts[0] + counts[1];
    }
    (count, declassify(V::bits(doubt) != 0))
}

/// As [`super::portable::trials`], trial i around centre i; whether any decision was in doubt.
#[inline(always)]
pub(super) fn coordinates<V: Lanes>(
    table: &Table,
    centres: &Batch<f64>,
    words: &[u64],
    values: &mut Batch<i64>,
    accepted: &mut Accepted,
) -> bool {
    let kernel = Kernel::<V>::new(table);
    let mut doubt = V::nowhere();
    let places = values.as_chunks_mut::<GROUP>().0.iter_mut().zip(accepted.as_chunks_mut::<2>().0);
    let places = centres.as_chunks::<GROUP>().0.iter().zip(places);
    for (group, (centres, (values, accepted))) in words.as_chunks().0.iter().zip(places) {
        let [first, second] = centres.as_chunks().0 else { unreachable!("16 = 2 8") };
        let centres = [Each::<V>::new(first), Each::<V>::new(second)];
        let ([first, second], doubtful) = kernel.group(group, centres);
        doubt = V::either(doubt, doubtful);
        let [low, high] = values.as_chunks_mut().0 else { unreachable!("16 = 2 8") };
        first.1.store(low);
        second.1.store(high);
        *accepted = [declassify(V::bits(first.0)), declassify(V::bits(second.0))];
    }
    declassify(V::bits(doubt) != 0)
}

/// What is sampled around.
trait Around<V: Lanes>: Copy {
    /// Of trials with these signs, magnitudes m and offsets y: distances that go into the exponent, values, and which of
    /// them are refused.
    fn place(self, negative: V::Mask, m: V, y: V) -> (V, V, V::Mask);
}

/// Around zero: no centre.
#[derive(Clone, Copy)]
struct Zero;

impl<V: Lanes> Around<V> for Zero {
    #[inline(always)]
    fn place(self, negative: V::Mask, m: V, y: V) -> (V, V, V::Mask) {
        let z = V::choose(negative, V::splat(0).sub(m), m);
        (y, z, V::both(negative, m.is_zero()))
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

impl<V: Lanes> One<V> {
    #[inline(always)]
    fn new(centre: &Centre) -> Self {
        Self {
            floor: V::splat(centre.floor as u64),
            next: V::splat((centre.floor + 1) as u64),
            below: V::splat_f64(centre.below),
            above: V::splat_f64(centre.above),
        }
    }
}

impl<V: Lanes> Around<V> for One<V> {
    #[inline(always)]
    fn place(self, negative: V::Mask, m: V, y: V) -> (V, V, V::Mask) {
        let beyond = V::choose(negative, self.below, self.above);
        let z = V::choose(negative, self.floor.sub(m), self.next.add(m));
        (y.add_f64(beyond), z, V::nowhere())
    }
}

/// A centre for each lane.
#[derive(Clone, Copy)]
struct Each<V> {
    mu: V,
    floor: V,
}

impl<V: Lanes> Each<V> {
    #[inline(always)]
    fn new(mu: &[f64; 8]) -> Self {
        let mu = V::load_f64(mu);
        Self { mu, floor: mu.floor_f64() }
    }
}

impl<V: Lanes> Around<V> for Each<V> {
    #[inline(always)]
    fn place(self, negative: V::Mask, m: V, y: V) -> (V, V, V::Mask) {
        // The integer next to mu on the side of the sign, from which m counts.
        let start = V::choose(negative, self.floor, self.floor.add_f64(V::splat_f64(1.0)));
        let beyond = start.sub_f64(self.mu).and(V::splat(u64::MAX >> 1));
        let start = start.to_i64();
        let z = V::choose(negative, start.sub(m), start.add(m));
        (y.add_f64(beyond), z, V::nowhere())
    }
}

/// Eight trials: which are accepted, and their values.
type Octet<V> = (<V as Lanes>::Mask, V);

/// The tables that a cell is looked up in.
struct Cells<V: Lanes> {
    threshold: V::Table,
    alias: V::Table,
    /// Low and high halves of the excesses.
    excess: [V::Table; 2],
}

/// The tables, and the constants in registers (or, where those run out, in memory operands).
struct Kernel<V: Lanes> {
    cells: Cells<V>,
    powers: V::Table,
    k: V,
    lemire: V,
    step: V,
    slope: V,
    margin: V,
    twice_margin: V,
}

impl<V: Lanes> Kernel<V> {
    #[inline(always)]
    fn new(table: &Table) -> Self {
        Self {
            cells: Cells {
                threshold: V::table_32(&table.threshold),
                alias: V::table_32(&table.alias),
                excess: [
                    V::table_32(&table.excess_halves[0]),
                    V::table_32(&table.excess_halves[1]),
                ],
            },
            powers: V::table_64(&POWERS),
            k: V::splat(table.k),
            lemire: V::splat(table.lemire),
            step: V::splat_f64(table.step),
            slope: V::splat_f64(table.slope),
            margin: V::splat(table.margin),
            twice_margin: V::splat(2 * table.margin),
        }
    }

    /// A group: both its octets, and where a trial is in doubt.
    #[inline(always)]
    fn group<C: Around<V>>(
        &self,
        group: &[u64; GROUP_WORDS],
        centres: [C; 2],
    ) -> ([Octet<V>; 2], V::Mask) {
        let ([cell, accept, offset, next_offset], shared) = group.as_chunks() else {
            unreachable!("34 = 4 8 + 2")
        };
        let (cell, accept) = (V::load(cell), V::load(accept));
        // Kept where they are, in whole cache lines. A compiler that sees them would hold them in registers, run out of those
        // and put them on the stack, wherever that begins.
        let cells = black_box(&self.cells);
        // Both octets at once, the first in the low halves.
        let own = cell.and(V::splat(31 << 32 | 31));
        let alias = cell.look_up_32(&cells.alias);
        let x = cell.choose_less_32(cell.look_up_32(&cells.threshold), own, alias);
        let (low, high) = (x.look_up_32(&cells.excess[0]), x.look_up_32(&cells.excess[1]));
        let (first, doubt_first) = self.octet(
            x.and(V::splat(0xffff_ffff)),
            V::even_32(low, high),
            accept.shl::<32>(),
            V::load(offset),
            shared[0],
            centres[0],
        );
        let (second, doubt_second) = self.octet(
            x.shr::<32>(),
            V::odd_32(low, high),
            accept,
            V::load(next_offset),
            shared[1],
            centres[1],
        );
        ([first, second], V::either(doubt_first, doubt_second))
    }

    /// `accept`: the acceptance half in the upper 32 bits.
    #[inline(always)]
    fn octet(
        &self,
        x: V,
        excess: V,
        accept: V,
        offset: V,
        shared: u64,
        centre: impl Around<V>,
    ) -> (Octet<V>, V::Mask) {
        let (y, low) = offset.product(self.k);
        let inexact = low.less_63(self.lemire);
        let magnitude = y.add_product(x, self.k);
        let (distance, z, refused) = centre.place(accept.bit_32(), magnitude, y.to_f64());

        let t = distance.mul_f64(self.step);
        let u = x.to_f64().mul_add_f64(self.slope, t);
        let probability = self.acceptance(t.mul_add_f64(u, excess));

        // 31 bits of `accept`, 12 of `offset`, 21 of `shared`.
        let low = V::splat((1 << 21) - 1).select(V::splat(shared), offset.shr::<31>());
        let uniform = low.or_unmasked(accept, V::splat((1 << 33) - 1));
        let below = uniform.less(probability);
        let accepted = V::but_not(below, V::either(inexact, refused));
        let difference = uniform.sub(probability).add(self.margin);
        ((accepted, z), difference.less(self.twice_margin))
    }

    /// As [`super::portable::acceptance`].
    #[inline(always)]
    fn acceptance(&self, e: V) -> V {
        let magic = V::splat_f64(MAGIC);
        let sixteenths = e.add_f64(magic);
        let f = e.sub_f64(sixteenths.sub_f64(magic));
        let power = sixteenths.look_up_64(&self.powers);
        let scale = power.sub(sixteenths.shl::<48>());
        let [first, rest @ ..] = POLYNOMIAL;
        let mut q = V::splat_f64(first);
        for c in rest {
            q = q.mul_add_f64(f, V::splat_f64(c));
        }
        scale.mul_f64(q).to_u64()
    }
}
