//! The rounds of a key for all kernels of an instruction set, and which of them takes how many
//! blocks.

use tautochrone_simd::vector::Vector;
use tautochrone_simd::wipe;

use super::groups::{self, Kernel, RoundKey, Rounds};
use super::keys::{Packed, Words};
use super::register::LaneRegister;
use super::{columns, lanes, narrow, wide};
use crate::schedule::Schedule;

/// The rounds of a key for groups of blocks, and for single ones.
pub(crate) struct Keys<R: RoundKey> {
    groups: Rounds<R>,
    lanes: lanes::Keys,
}

/// The rounds of a key for AVX-512.
pub(crate) type WideKeys = Keys<wide::Round>;

/// The rounds of a key for AVX2.
pub(crate) type NarrowKeys = Keys<narrow::Round>;

impl<R: RoundKey> Keys<R> {
    /// Made in registers of four words, for groups in registers of another kind.
    pub(crate) fn new<V4, V>(token: V::Token, schedule: Schedule) -> Self
    where
        R: Kernel<V>,
        V4: Words + Vector<Token = V::Token>,
        V: LaneRegister,
    {
        let schedule = Packed::new(schedule);
        let lanes = lanes::Keys::new::<V4>(token, &schedule);
        Self { groups: Rounds::new::<V4, V>(token, &schedule), lanes }
    }

    /// `G` groups at a time, in registers of the last kind, then the fastest way for the rest.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(crate) fn process<V2, V4, V, const G: usize>(
        &self,
        token: V::Token,
        decrypt: bool,
        blocks: &mut [[u8; 8]],
    ) where
        R: Kernel<V>,
        V2: LaneRegister + Vector<Token = V::Token>,
        V4: LaneRegister + Vector<Token = V::Token>,
        V: LaneRegister,
    {
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
            1 => lanes::process::<V2>(token, &self.lanes, decrypt, rest),
            2 => lanes::process::<V4>(token, &self.lanes, decrypt, rest),
            3.. if 2 * rest.len() <= V::LANES => {
                lanes::process::<V>(token, &self.lanes, decrypt, rest);
            }
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
