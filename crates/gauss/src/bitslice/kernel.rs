//! [`Kernel`]: the layouts of one table, and the registers that each instruction set uses.

#[cfg(target_arch = "x86_64")]
use tautochrone_ctr::Stream;
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
use crate::element::Sample;
use crate::exact::Pmf;
use crate::source::Source as Random;

/// Blocks processed at a time.
const BLOCKS: usize = 4;

#[derive(Clone, Debug)]
enum Backend {
    Planes(Planes),
    /// Magnitudes and sign fit a byte.
    Narrow(Bytes),
    Wide(Bytes),
}

#[derive(Clone, Debug)]
pub(super) struct Kernel {
    kind: Kind,
    backend: Backend,
}

/// A source of raw lanes. No implementation is generic, so that circuits and look-ups are
/// compiled once, here, and not in every crate that samples.
trait Source<R: Raw> {
    /// Raw lanes of every block of `random`.
    fn blocks(&self, isa: Isa, random: &[Plane], out: &mut [[R; BLOCK]]);

    /// Raw lanes of the next `count` blocks, interleaved with encryption, to `sink`, as many at a
    /// time as there are in `raw`. `None`, and nothing is drawn, if there is no such kernel, or the
    /// stream or the CPU lacks a requirement of it.
    #[cfg(target_arch = "x86_64")]
    fn blocks_interleaved(
        &self,
        isa: Isa,
        random: (&mut Stream, usize),
        scratch: &mut Scratch,
        raw: &mut [[R; BLOCK]],
        sink: &mut dyn FnMut(&[[R; BLOCK]]),
    ) -> Option<()> {
        let _ = (isa, random, scratch, raw, sink);
        None
    }
}

impl Source<u8> for Planes {
    fn blocks(&self, isa: Isa, random: &[Plane], out: &mut [[u8; BLOCK]]) {
        let mut values = [[planes::NONE; _]; BLOCKS];
        let rows = BLOCKS * self.rows();
        for (random, out) in random.chunks(rows).zip(out.chunks_mut(BLOCKS)) {
            let values = &mut values[..out.len()];
            circuit(isa, self, random, values);
            let signs = random.chunks_exact(self.rows()).map(|random| self.sign(random));
            unpack(isa, self, values, signs, out);
        }
        wipe(values.as_flattened_mut().as_flattened_mut(), 0);
    }

    #[cfg(target_arch = "x86_64")]
    fn blocks_interleaved(
        &self,
        isa: Isa,
        (stream, count): (&mut Stream, usize),
        scratch: &mut Scratch,
        raw: &mut [[u8; BLOCK]],
        sink: &mut dyn FnMut(&[[u8; BLOCK]]),
    ) -> Option<()> {
        let token = (isa.avx512()?, isa.vaes()?);
        let space = interleave::two_blocks(self.rows(), scratch)?;
        let keystream = stream.registers(count * self.rows())?;
        let mut at = 0;
        // Unpacking and the last step are block by block too: the keystream goes on meanwhile.
        interleave::blocks(token, self, keystream, space, &mut |values, sign| {
            let (values, signs) = (core::slice::from_ref(values), [sign].into_iter());
            unpack(isa, self, values, signs, core::slice::from_mut(&mut raw[at]));
            at += 1;
            if at == raw.len() {
                sink(raw);
                at = 0;
            }
        });
        Some(())
    }
}

macro_rules! look_ups_of {
    ($($lane:ty),*) => {$(
        impl Source<$lane> for Bytes {
            fn blocks(&self, isa: Isa, random: &[Plane], out: &mut [[$lane; BLOCK]]) {
                look_up(isa, self, random, out);
            }
        }
    )*};
}

look_ups_of!(u8, u16);

impl Kernel {
    pub(super) fn planes(preset: Preset, pmf: &Pmf, kind: Kind) -> Self {
        let (value_bits, signed) = (pmf.value_bits() as usize, kind.is_signed());
        let planes = Planes { preset, value_bits, signed };
        Self { kind, backend: Backend::Planes(planes) }
    }

    /// `table` is the identity table of `pmf`.
    pub(super) fn bytes(pmf: &Pmf, table: &AliasTable, kind: Kind) -> Self {
        let bytes = Bytes::new(table, kind.is_signed());
        let narrow = pmf.value_bits() <= u8::VALUE_BITS;
        let backend = if narrow { Backend::Narrow(bytes) } else { Backend::Wide(bytes) };
        Self { kind, backend }
    }

    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) const fn form(&self) -> Form {
        match self.backend {
            Backend::Planes(_) => Form::Planes,
            Backend::Narrow(_) | Backend::Wide(_) => Form::Bytes,
        }
    }

    /// Random planes (64 bytes each) that a block consumes.
    pub(super) fn rows(&self) -> usize {
        match &self.backend {
            Backend::Planes(planes) => planes.rows(),
            Backend::Narrow(bytes) | Backend::Wide(bytes) => 8 * bytes.rows(),
        }
    }

    /// Random bytes that a block consumes.
    pub(super) fn block_bytes(&self) -> usize {
        size_of::<Plane>() * self.rows()
    }

    /// Samples, or sums x1 + factor x2 of them with x1 and x2 in alternate blocks.
    pub(super) fn fill<T: Sample>(
        &self,
        isa: Isa,
        factor: Option<u32>,
        random: &mut dyn Random,
        scratch: &mut Scratch,
        out: &mut [T],
    ) {
        match &self.backend {
            Backend::Planes(planes) => {
                self.fill_from::<u8, T>(planes, isa, factor, random, scratch, out);
            }
            Backend::Narrow(bytes) => {
                self.fill_from::<u8, T>(bytes, isa, factor, random, scratch, out);
            }
            Backend::Wide(bytes) => {
                self.fill_from::<u16, T>(bytes, isa, factor, random, scratch, out);
            }
        }
    }

    fn fill_from<R: Raw, T: Sample>(
        &self,
        source: &impl Source<R>,
        isa: Isa,
        factor: Option<u32>,
        random: &mut dyn Random,
        scratch: &mut Scratch,
        out: &mut [T],
    ) {
        let draws = if factor.is_some() { 2 } else { 1 };
        #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
        let at_once = (CAPACITY / self.rows()).min(BLOCKS) / draws;
        let mut raw = [[R::ZERO; BLOCK]; BLOCKS];
        #[cfg(target_arch = "x86_64")]
        if let Some(stream) = random.stream() {
            let random = (stream, draws * out.len().div_ceil(BLOCK));
            let raw = &mut raw[..draws];
            let mut out = out.chunks_mut(BLOCK);
            let done = source.blocks_interleaved(isa, random, scratch, raw, &mut |raw| {
                if let Some(out) = out.next() {
                    samples(isa, self.kind, factor, raw, out);
                }
            });
            if done.is_some() {
                wipe(raw.as_flattened_mut(), R::ZERO);
                return;
            }
        }
        for out in out.chunks_mut(at_once * BLOCK) {
            let blocks = draws * out.len().div_ceil(BLOCK);
            let random = scratch.draw_bytes(random, blocks * self.block_bytes());
            let raw = &mut raw[..blocks];
            source.blocks(isa, random.as_chunks().0, raw);
            samples(isa, self.kind, factor, raw, out);
        }
        wipe(raw.as_flattened_mut(), R::ZERO);
    }
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
fn unpack<'a>(
    isa: Isa,
    planes: &Planes,
    values: &[Values],
    signs: impl Iterator<Item = &'a Plane>,
    out: &mut [[u8; BLOCK]],
) {
    for ((values, sign), out) in values.iter().zip(signs).zip(out) {
        let values = &values[..planes.value_bits];
        #[cfg(target_arch = "x86_64")]
        if let (Some(vbmi), Some(gfni)) = (isa.vbmi(), isa.gfni()) {
            super::avx512::transpose(vbmi, gfni, values, sign, out);
            continue;
        } else if let Some(token) = isa.avx512() {
            super::avx512::unpack(token, values, sign, out);
            continue;
        } else if let Some(token) = isa.avx2() {
            super::avx2::unpack(token, values, sign, out);
            continue;
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some(token) = isa.neon() {
            super::neon::unpack(token, values, sign, out);
            continue;
        }
        planes::unpack(values, sign, out);
    }
}

/// The last step, by the best registers.
fn samples<R: Raw, T: Sample>(
    isa: Isa,
    kind: Kind,
    factor: Option<u32>,
    raw: &[[R; BLOCK]],
    out: &mut [T],
) {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = isa.avx512() {
        return super::avx512::samples(token, kind, factor, raw, out);
    } else if let Some(token) = isa.avx2() {
        return super::avx2::samples(token, kind, factor, raw, out);
    }
    raw::samples(kind, factor, raw, out);
}
