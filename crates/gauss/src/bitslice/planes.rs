//! The bit-sliced form: a Boolean circuit over planes of 512 lanes.
//!
//! Random planes of a block, in order: slot bits, bits of r from the least significant, and the sign if there is one.

use alloc::vec::Vec;

use super::lanes::{BLOCK, Bits, Plane, erase};
use super::presets::Preset;
use super::program::{Program, STRIDE};
use super::raw::Raw;

/// Bits of a value at most (a table has at most 2^12 slots).
pub(super) const MAX_VALUE_BITS: usize = 12;

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

    /// All blocks of `random`, into raw lanes.
    ///
    /// `unpack` turns value planes and the sign plane into lanes, in lane order.
    #[inline(always)]
    pub(super) fn run<V: Bits, R: Raw, const WIDTH: usize>(
        &self,
        token: V::Token,
        random: &[Plane],
        out: &mut [[R; BLOCK]],
        unpack: impl Fn(&[Plane], &Plane, &mut [R; BLOCK]),
    ) {
        let none = [0; BLOCK / 8];
        match &self.logic {
            Logic::Generated(preset) => {
                let mut values = [none; MAX_VALUE_BITS];
                for (random, out) in random.chunks_exact(self.rows()).zip(out) {
                    for part in 0..V::PARTS {
                        preset.run::<V>(
                            |i| V::load(token, &random[i], part),
                            |b, v| v.store(&mut values[b], part),
                        );
                    }
                    let sign = if self.signed { &random[self.inputs] } else { &none };
                    unpack(&values[..self.value_bits], sign, out);
                }
                erase(values.as_flattened_mut());
            }
            Logic::Interpreted(program) => {
                self.interpret::<V, R, WIDTH>(token, program, random, out, unpack);
            }
        }
    }

    /// `WIDTH` is [`STRIDE`] blocks in registers.
    #[inline(always)]
    fn interpret<V: Bits, R: Raw, const WIDTH: usize>(
        &self,
        token: V::Token,
        program: &Program,
        random: &[Plane],
        out: &mut [[R; BLOCK]],
        unpack: impl Fn(&[Plane], &Plane, &mut [R; BLOCK]),
    ) {
        let none = [0; BLOCK / 8];
        let zero = V::load(token, &none, 0);
        let mut registers: Vec<[V; WIDTH]> = alloc::vec![[zero; WIDTH]; program.registers()];
        let mut values = [none; MAX_VALUE_BITS];
        for (random, out) in random.chunks(STRIDE * self.rows()).zip(out.chunks_mut(STRIDE)) {
            for (i, register) in registers[..program.inputs()].iter_mut().enumerate() {
                for block in 0..out.len() {
                    for part in 0..V::PARTS {
                        register[block * V::PARTS + part] =
                            V::load(token, &random[block * self.rows() + i], part);
                    }
                }
            }
            program.run(&mut registers);
            for (block, out) in out.iter_mut().enumerate() {
                for (plane, &register) in values.iter_mut().zip(program.outputs()) {
                    for part in 0..V::PARTS {
                        registers[usize::from(register)][block * V::PARTS + part]
                            .store(plane, part);
                    }
                }
                let sign =
                    if self.signed { &random[block * self.rows() + self.inputs] } else { &none };
                unpack(&values[..self.value_bits], sign, out);
            }
        }
        for register in registers.iter_mut().flatten() {
            *register = zero;
        }
        zeroize::optimization_barrier(&registers[..]);
        erase(values.as_flattened_mut());
    }
}
