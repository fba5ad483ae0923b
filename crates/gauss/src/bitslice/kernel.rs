//! [`Kernel`]: the layout of a table, and fills by the registers that each instruction set has.

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use tautochrone_simd::vector::U64x2;
use tautochrone_simd::vector::{Logic, U64x1};
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x4, U64x8};
use tautochrone_simd::{Isa, Token, vectorize, wipe};

use super::alias::AliasTable;
use super::bytes::{self, Bytes};
#[cfg(target_arch = "x86_64")]
use super::interleave;
use super::kind::{Form, Kind};
use super::lanes::{BLOCK, CAPACITY, Plane, Scratch};
use super::planes::{self, Planes, Values};
use super::presets::Preset;
use super::raw::{self, Raw};
use super::sampler::Bitslice;
use crate::element::Sample;
use crate::exact::Pmf;
use crate::source::Source;

/// Blocks processed at a time.
const BLOCKS: usize = 4;

/// The layout of a table.
#[derive(Clone, Debug)]
pub(super) enum Kernel {
    Planes(Planes),
    /// Magnitudes and sign fit a byte.
    Narrow(Bytes),
    Wide(Bytes),
}

impl Kernel {
    pub(super) fn planes(preset: Preset, pmf: &Pmf, kind: Kind) -> Self {
        let (value_bits, signed) = (pmf.value_bits() as usize, kind.is_signed());
        Self::Planes(Planes { preset, value_bits, signed })
    }

    /// `table` is the identity table of `pmf`.
    pub(super) fn bytes(pmf: &Pmf, table: &AliasTable, kind: Kind) -> Self {
        let bytes = Bytes::new(table, kind.is_signed());
        let narrow = pmf.value_bits() <= u8::VALUE_BITS;
        if narrow { Self::Narrow(bytes) } else { Self::Wide(bytes) }
    }

    pub(super) const fn form(&self) -> Form {
        match self {
            Self::Planes(_) => Form::Planes,
            Self::Narrow(_) | Self::Wide(_) => Form::Bytes,
        }
    }

    /// Random planes (64 bytes each) that a block consumes.
    fn rows(&self) -> usize {
        match self {
            Self::Planes(planes) => planes.rows(),
            Self::Narrow(bytes) | Self::Wide(bytes) => 8 * bytes.rows(),
        }
    }

    /// Random bytes that a block consumes.
    pub(super) fn block_bytes(&self) -> usize {
        size_of::<Plane>() * self.rows()
    }
}

impl Bitslice {
    /// As [`Self::fill`], in the caller's scratch space: for frequent short fills.
    pub(super) fn fill_with<T: Sample>(
        &self,
        source: &mut dyn Source,
        scratch: &mut Scratch,
        out: &mut [T],
    ) {
        let isa = self.isa;
        match &self.kernel {
            Kernel::Planes(planes) => {
                #[cfg(target_arch = "x86_64")]
                if self.fill_interleaved(planes, source, scratch, out).is_some() {
                    return;
                }
                self.fill_blocks(source, scratch, out, |random, raw| {
                    circuits(isa, planes, random, raw);
                });
            }
            Kernel::Narrow(bytes) => self.fill_blocks(source, scratch, out, |random, raw| {
                narrow_look_ups(isa, bytes, random, raw);
            }),
            Kernel::Wide(bytes) => self.fill_blocks(source, scratch, out, |random, raw| {
                wide_look_ups(isa, bytes, random, raw);
            }),
        }
    }

    /// Blocks of a sample: x1 and x2 of sums x1 + k x2 are in alternate ones.
    fn draws(&self) -> usize {
        if self.factor.is_some() { 2 } else { 1 }
    }

    /// From raw lanes of every block of random planes, which `lanes` makes.
    fn fill_blocks<R: Raw, T: Sample>(
        &self,
        source: &mut dyn Source,
        scratch: &mut Scratch,
        out: &mut [T],
        lanes: impl Fn(&[Plane], &mut [[R; BLOCK]]),
    ) {
        let draws = self.draws();
        #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
        let at_once = (CAPACITY / self.kernel.rows()).min(BLOCKS) / draws;
        let mut raw = [[R::ZERO; BLOCK]; BLOCKS];
        for out in out.chunks_mut(at_once * BLOCK) {
            let blocks = draws * out.len().div_ceil(BLOCK);
            let random = scratch.draw_bytes(source, blocks * self.kernel.block_bytes());
            let raw = &mut raw[..blocks];
            lanes(random.as_chunks().0, raw);
            self.samples(raw, out);
        }
        wipe(raw.as_flattened_mut(), R::ZERO);
    }

    /// Circuits interleaved with encryption. `None`, and nothing is drawn, if the source is no
    /// stream, or the stream or the CPU lacks a requirement.
    #[cfg(target_arch = "x86_64")]
    fn fill_interleaved<T: Sample>(
        &self,
        planes: &Planes,
        source: &mut dyn Source,
        scratch: &mut Scratch,
        out: &mut [T],
    ) -> Option<()> {
        let token = (self.isa.avx512()?, self.isa.vaes()?);
        let space = interleave::two_blocks(planes.rows(), scratch)?;
        let draws = self.draws();
        let count = draws * out.len().div_ceil(BLOCK);
        let keystream = source.stream()?.registers(count * planes.rows())?;
        let (mut raw, mut at, mut out) = ([[0; BLOCK]; 2], 0, out.chunks_mut(BLOCK));
        // Unpacking and the last step are block by block too: the keystream goes on meanwhile.
        interleave::blocks(token, planes, keystream, space, &mut |values, sign| {
            unpack(self.isa, planes, values, sign, &mut raw[at]);
            at += 1;
            if at == draws {
                at = 0;
                if let Some(out) = out.next() {
                    self.samples(&raw[..draws], out);
                }
            }
        });
        wipe(raw.as_flattened_mut(), 0);
        Some(())
    }

    /// The last step, by the best registers.
    fn samples<R: Raw, T: Sample>(&self, raw: &[[R; BLOCK]], out: &mut [T]) {
        let (kind, factor) = (self.kind, self.factor);
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.isa.avx512() {
            return super::avx512::samples(token, kind, factor, raw, out);
        } else if let Some(token) = self.isa.avx2() {
            return super::avx2::samples(token, kind, factor, raw, out);
        }
        raw::samples(kind, factor, raw, out);
    }
}

/// Raw lanes by the circuit. No function that makes them is generic, so that circuits and look-ups
/// are compiled once, here, and not in every crate that samples.
fn circuits(isa: Isa, planes: &Planes, random: &[Plane], out: &mut [[u8; BLOCK]]) {
    let mut values = [[planes::NONE; _]; BLOCKS];
    let rows = BLOCKS * planes.rows();
    for (random, out) in random.chunks(rows).zip(out.chunks_mut(BLOCKS)) {
        let values = &mut values[..out.len()];
        circuit(isa, planes, random, values);
        let blocks = random.chunks_exact(planes.rows()).zip(values);
        for ((random, values), out) in blocks.zip(out) {
            unpack(isa, planes, values, planes.sign(random), out);
        }
    }
    wipe(values.as_flattened_mut().as_flattened_mut(), 0);
}

fn narrow_look_ups(isa: Isa, table: &Bytes, random: &[Plane], out: &mut [[u8; BLOCK]]) {
    look_up(isa, table, random, out);
}

fn wide_look_ups(isa: Isa, table: &Bytes, random: &[Plane], out: &mut [[u16; BLOCK]]) {
    look_up(isa, table, random, out);
}

/// Look-ups, by the best registers.
fn look_up<R: Raw>(isa: Isa, table: &Bytes, random: &[Plane], out: &mut [[R; BLOCK]]) {
    let random = random.as_flattened().as_chunks().0;
    for (random, out) in random.chunks_exact(table.rows()).zip(out) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = isa.vbmi() {
            super::avx512::bytes(token, table, random, out);
            continue;
        } else if let Some(token) = isa.avx2() {
            super::avx2::bytes(token, table, random, out);
            continue;
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some(token) = isa.neon() {
            super::neon::bytes(token, table, random, out);
            continue;
        }
        bytes::block_portable(table, random, out);
    }
}

/// Value planes, by the best registers.
fn circuit(isa: Isa, planes: &Planes, random: &[Plane], values: &mut [Values]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = isa.avx512() {
        return run::<U64x8<_>>(token, planes, random, values);
    } else if let Some(token) = isa.avx2() {
        return run::<U64x4<_>>(token, planes, random, values);
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    if let Some(token) = isa.neon() {
        return run::<U64x2<_>>(token, planes, random, values);
    }
    run::<U64x1>((), planes, random, values);
}

fn run<V: Logic>(token: V::Token, planes: &Planes, random: &[Plane], values: &mut [Values]) {
    vectorize!(token, planes.run::<V>(token, random, values));
}

/// Lanes from planes, by the best registers.
fn unpack(isa: Isa, planes: &Planes, values: &Values, sign: &Plane, out: &mut [u8; BLOCK]) {
    let values = &values[..planes.value_bits];
    #[cfg(target_arch = "x86_64")]
    if let (Some(vbmi), Some(gfni)) = (isa.vbmi(), isa.gfni()) {
        return super::avx512::transpose(vbmi, gfni, values, sign, out);
    } else if let Some(token) = isa.avx512() {
        return super::avx512::unpack(token, values, sign, out);
    } else if let Some(token) = isa.avx2() {
        return super::avx2::unpack(token, values, sign, out);
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    if let Some(token) = isa.neon() {
        return super::neon::unpack(token, values, sign, out);
    }
    planes::unpack(values, sign, out);
}
