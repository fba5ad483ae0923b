//! The rounds of a key for all kernels of an instruction set, and which of them takes how many
//! blocks.

use core::marker::PhantomData;

use tautochrone_simd::vector::Vector;
use tautochrone_simd::wipe;

use super::groups::{self, Kernel, RoundKey, Rounds};
use super::keys::{Packed, Words};
use super::register::LaneRegister;
use super::{columns, lanes, narrow, wide};
use crate::engine::Engine;
use crate::schedule::Schedule;

/// The rounds of a key for groups of blocks in registers of the last kind, `G` groups at a time,
/// and for single blocks in registers of any. One or two blocks, on AVX-512 up to four, are fastest
/// in lanes, more in a group, even if it is not full.
pub(crate) struct Gfni<R: RoundKey, V2, V4, V: Vector, const G: usize> {
    token: V::Token,
    groups: Rounds<R>,
    lanes: lanes::Keys,
    registers: PhantomData<fn(V2, V4)>,
}

/// For AVX-512, 64 blocks in a group.
pub(crate) type Wide<V2, V4, V8> = Gfni<wide::Round, V2, V4, V8, 2>;

/// For AVX2, 32 blocks in a group.
pub(crate) type Narrow<V2, V4> = Gfni<narrow::Round, V2, V4, V4, 1>;

impl<R, V2, V4, V, const G: usize> Gfni<R, V2, V4, V, G>
where
    R: Kernel<V>,
    V4: Words + Vector<Token = V::Token>,
    V: LaneRegister,
{
    /// Made in registers of four words.
    pub(crate) fn new(token: V::Token, schedule: Schedule) -> Self {
        let schedule = Packed::new(schedule);
        let lanes = lanes::Keys::new::<V4>(token, &schedule);
        let groups = Rounds::new::<V4, V>(token, &schedule);
        Self { token, groups, lanes, registers: PhantomData }
    }
}

impl<R, V2, V4, V, const G: usize> Engine for Gfni<R, V2, V4, V, G>
where
    R: Kernel<V>,
    V2: LaneRegister + Vector<Token = V::Token>,
    V4: LaneRegister + Vector<Token = V::Token>,
    V: LaneRegister,
{
    #[cfg(feature = "rayon")]
    fn task(&self) -> usize {
        G << 18
    }

    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    fn process(&self, decrypt: bool, blocks: &mut [[u8; 8]]) {
        let (token, lanes) = (self.token, &self.lanes);
        let groups = |blocks: &mut _| groups::run::<R, V, G>(token, &self.groups, decrypt, blocks);
        let rest = blocks.len() % (G * columns::group::<V>());
        // A register's worth and more is a group.
        let rest = if rest < V::LANES { rest } else { 0 };
        let (whole, rest) = blocks.split_at_mut(blocks.len() - rest);
        if !whole.is_empty() {
            groups(whole);
        }
        match rest.len() {
            0 => (),
            1 => lanes::process::<V2>(token, lanes, decrypt, rest),
            2 => lanes::process::<V4>(token, lanes, decrypt, rest),
            3.. if 2 * rest.len() <= V::LANES => lanes::process::<V>(token, lanes, decrypt, rest),
            _ => padded(rest, V::LANES, groups),
        }
    }
}

/// Runs a kernel that takes `least` blocks at least, up to eight, on fewer, and zeros behind them.
fn padded(blocks: &mut [[u8; 8]], least: usize, kernel: impl FnOnce(&mut [[u8; 8]])) {
    let mut copy = [[0; 8]; 8];
    copy[..blocks.len()].copy_from_slice(blocks);
    kernel(&mut copy[..least]);
    blocks.copy_from_slice(&copy[..blocks.len()]);
    wipe(&mut copy, [0; 8]);
}
