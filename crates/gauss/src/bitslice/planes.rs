//! The bit-sliced form: a Boolean circuit over planes of 512 lanes.
//!
//! Random planes of a block, in order: slot bits, bits of r from the least significant, and the sign if there is one.

use alloc::vec::Vec;

use super::lanes::{BLOCK, Bits, Plane};
use super::presets::Preset;
use super::program::{Program, STRIDE};

/// Value planes of a block, least significant first: 9 bits at most, as a circuit has at most 2^9 slots.
pub(super) type Values = [Plane; 9];

/// No lane set.
pub(super) const NONE: Plane = [0; BLOCK / 8];

/// Where the circuit comes from.
#[derive(Clone, Debug)]
pub(super) enum Logic {
    Generated(Preset),
    Interpreted(Program),
}

/// A circuit and the layout of its blocks.
#[derive(Clone, Debug)]
pub(super) struct Planes {
    pub(super) logic: Logic,
    /// P.
    pub(super) inputs: usize,
    pub(super) value_bits: usize,
    pub(super) signed: bool,
}

impl Planes {
    /// Random planes that a block consumes.
    pub(super) fn rows(&self) -> usize {
        self.inputs + usize::from(self.signed)
    }

    /// The sign plane of a block's random planes; none set if there is no sign.
    pub(super) fn sign<'a>(&self, random: &'a [Plane]) -> &'a Plane {
        if self.signed { &random[self.inputs] } else { &NONE }
    }

    /// Value planes of every block of `random`.
    #[inline(always)]
    pub(super) fn run<V: Bits, const WIDTH: usize>(
        &self,
        token: V::Token,
        random: &[Plane],
        values: &mut [Values],
    ) {
        match &self.logic {
            Logic::Generated(preset) => {
                for (random, values) in random.chunks_exact(self.rows()).zip(values) {
                    for part in 0..V::PARTS {
                        preset.run::<V>(token, random, part, |b, v| v.store(&mut values[b], part));
                    }
                }
            }
            Logic::Interpreted(program) => {
                self.interpret::<V, WIDTH>(token, program, random, values);
            }
        }
    }

    /// `WIDTH` is [`STRIDE`] blocks in registers.
    #[inline(always)]
    fn interpret<V: Bits, const WIDTH: usize>(
        &self,
        token: V::Token,
        program: &Program,
        random: &[Plane],
        values: &mut [Values],
    ) {
        let zero = V::load(token, &NONE, 0);
        let mut registers: Vec<[V; WIDTH]> = alloc::vec![[zero; WIDTH]; program.registers()];
        for (random, values) in random.chunks(STRIDE * self.rows()).zip(values.chunks_mut(STRIDE)) {
            for (i, register) in registers[..program.inputs()].iter_mut().enumerate() {
                for block in 0..values.len() {
                    for part in 0..V::PARTS {
                        register[block * V::PARTS + part] =
                            V::load(token, &random[block * self.rows() + i], part);
                    }
                }
            }
            program.run(&mut registers);
            for (block, values) in values.iter_mut().enumerate() {
                for (plane, &register) in values.iter_mut().zip(program.outputs()) {
                    for part in 0..V::PARTS {
                        registers[usize::from(register)][block * V::PARTS + part]
                            .store(plane, part);
                    }
                }
            }
        }
        for register in registers.iter_mut().flatten() {
            *register = zero;
        }
        zeroize::optimization_barrier(&registers[..]);
    }
}
