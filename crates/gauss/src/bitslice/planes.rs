//! The bit-sliced form: a Boolean circuit over planes of 512 lanes.
//!
//! Random planes of a block, in order: slot bits, bits of r from the least significant, and the
//! sign if there is one.

use tautochrone_simd::transpose_bits;
use tautochrone_simd::vector::Logic;

use super::lanes::{BLOCK, Plane};
use super::presets::Preset;
use super::raw::Raw;

/// Value planes of a block, least significant first: as many as a byte holds with the sign.
pub(super) type Values = [Plane; u8::VALUE_BITS as usize];

/// No lane set.
pub(super) const NONE: Plane = [0; _];

/// A circuit and the layout of its blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planes {
    pub(super) preset: Preset,
    pub(super) value_bits: usize,
    pub(super) signed: bool,
}

impl Planes {
    /// Random planes that a block consumes.
    pub(super) fn rows(&self) -> usize {
        self.inputs() + usize::from(self.signed)
    }

    /// P.
    fn inputs(&self) -> usize {
        self.preset.precision() as usize
    }

    /// The sign plane of a block's random planes; none set if there is no sign.
    pub(super) fn sign<'a>(&self, random: &'a [Plane]) -> &'a Plane {
        if self.signed { &random[self.inputs()] } else { &NONE }
    }

    /// Value planes of the block `random`, on registers that hold a whole plane; `before` is as in
    /// [`Preset::run`].
    #[inline(always)]
    pub(super) fn block<V: Logic>(
        &self,
        token: V::Token,
        random: &[Plane],
        values: &mut Values,
        before: impl FnMut(usize),
    ) {
        const { assert!(BLOCK == 64 * V::LANES) };
        self.part::<V>(token, random, 0, values, before);
    }

    /// Value planes of every block of `random`.
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "constants")]
    pub(super) fn run<V: Logic>(&self, token: V::Token, random: &[Plane], values: &mut [Values]) {
        for (random, values) in random.chunks_exact(self.rows()).zip(values) {
            for part in 0..BLOCK / 64 / V::LANES {
                self.part::<V>(
                    token,
                    random,
                    8 * V::LANES * part,
                    values,
                    #[inline(always)]
                    |_| (),
                );
            }
        }
    }

    /// The value planes in the register at byte `start`. Vectors are stored after all planes
    /// were read: planes are then read once where there are registers, as nothing was stored
    /// between. Of general registers there are too few to hold values that long.
    #[inline(always)]
    fn part<V: Logic>(
        &self,
        token: V::Token,
        random: &[Plane],
        start: usize,
        values: &mut Values,
        before: impl FnMut(usize),
    ) {
        let in_registers = V::LANES > 1;
        let mut out = [V::zero(token); u8::VALUE_BITS as usize];
        self.preset.run::<V>(
            token,
            random,
            start,
            before,
            #[inline(always)]
            |b, value| {
                if in_registers {
                    out[b] = value;
                } else {
                    value.store_bytes(&mut values[b][start..]);
                }
            },
        );
        if in_registers {
            for (value, plane) in out.iter().zip(values) {
                value.store_bytes(&mut plane[start..]);
            }
        }
    }
}

/// Lanes from planes, by 8 x 8 bit matrices, without vector instructions.
#[inline(always)]
pub(super) fn unpack(values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    for (i, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
        let plane = |b: usize| if b == 7 { Some(sign) } else { values.get(b) };
        let rows = core::array::from_fn(|b| plane(b).map_or(0, |plane| plane[i]));
        *out = transpose_bits(u64::from_le_bytes(rows)).to_le_bytes();
    }
}
