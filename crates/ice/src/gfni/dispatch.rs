//! The rounds of a key for all kernels of an instruction set, and which of them takes how many
//! blocks.

use tautochrone_simd::vector::Vector;
use tautochrone_simd::wipe;

use super::keys::{Packed, RoundKey, Rounds, Words};
use super::register::{LaneRegister, WideRegister};
use super::{lanes, narrow, wide};
use crate::schedule::Schedule;

/// The rounds of a key for groups of blocks, and for single ones.
pub(crate) struct Keys<R: RoundKey> {
    groups: Rounds<R>,
    lanes: lanes::Keys,
}

/// The rounds of a key for AVX-512.
pub(crate) type WideKeys = Keys<wide::Round>;

impl WideKeys {
    pub(crate) fn new<V4: Words, V8: WideRegister + Vector<Token = V4::Token>>(
        token: V4::Token,
        schedule: Schedule,
    ) -> Self {
        let schedule = Packed::new(schedule);
        let lanes = lanes::Keys::new::<V4>(token, &schedule);
        Self { groups: wide::keys::<V4, V8>(token, &schedule), lanes }
    }

    /// Pairs of groups of 64, then the fastest way for the rest.
    pub(crate) fn process<V2, V4, V8>(
        &self,
        token: V2::Token,
        decrypt: bool,
        blocks: &mut [[u8; 8]],
    ) where
        V2: LaneRegister,
        V4: LaneRegister + Vector<Token = V2::Token>,
        V8: LaneRegister + WideRegister + Vector<Token = V2::Token>,
    {
        let groups = |blocks: &mut _| wide::run::<V8>(token, &self.groups, decrypt, blocks);
        let (whole, rest) = split(blocks, 128, 8);
        if !whole.is_empty() {
            groups(whole);
        }
        match rest.len() {
            0 => (),
            1 => lanes::process::<V2>(token, &self.lanes, decrypt, rest),
            2 => lanes::process::<V4>(token, &self.lanes, decrypt, rest),
            3..=4 => lanes::process::<V8>(token, &self.lanes, decrypt, rest),
            _ => padded::<8>(rest, groups),
        }
    }
}

/// The rounds of a key for AVX2.
pub(crate) type NarrowKeys = Keys<narrow::Round>;

impl NarrowKeys {
    pub(crate) fn new<V: Words>(token: V::Token, schedule: Schedule) -> Self {
        let schedule = Packed::new(schedule);
        let lanes = lanes::Keys::new::<V>(token, &schedule);
        Self { groups: narrow::keys::<V>(token, &schedule), lanes }
    }

    /// Groups of 32, then the fastest way for the rest.
    pub(crate) fn process<V2, V4>(&self, token: V2::Token, decrypt: bool, blocks: &mut [[u8; 8]])
    where
        V2: LaneRegister,
        V4: LaneRegister + Vector<Token = V2::Token>,
    {
        let groups = |blocks: &mut _| narrow::run::<V4>(token, &self.groups, decrypt, blocks);
        let (whole, rest) = split(blocks, 32, 4);
        if !whole.is_empty() {
            groups(whole);
        }
        match rest.len() {
            0 => (),
            1 => lanes::process::<V2>(token, &self.lanes, decrypt, rest),
            2 => lanes::process::<V4>(token, &self.lanes, decrypt, rest),
            _ => padded::<4>(rest, groups),
        }
    }
}

/// Splits off the blocks behind whole groups if it is less than a register of `least` blocks.
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
fn split(blocks: &mut [[u8; 8]], group: usize, least: usize) -> (&mut [[u8; 8]], &mut [[u8; 8]]) {
    let rest = blocks.len() % group;
    blocks.split_at_mut(blocks.len() - if rest < least { rest } else { 0 })
}

/// Runs a kernel that takes N blocks at least on fewer, and zeros behind them.
fn padded<const N: usize>(blocks: &mut [[u8; 8]], kernel: impl FnOnce(&mut [[u8; 8]])) {
    let mut copy = [[0; 8]; N];
    copy[..blocks.len()].copy_from_slice(blocks);
    kernel(&mut copy);
    blocks.copy_from_slice(&copy[..blocks.len()]);
    wipe(&mut copy, [0; 8]);
}
