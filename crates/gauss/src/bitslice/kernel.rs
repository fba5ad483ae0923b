//! [`Kernel`]: the layouts of one table, and the registers that each instruction set uses.

#[cfg(target_arch = "x86_64")]
use tautochrone_ctr::FirstRound;
use tautochrone_simd::vector::{Logic, U64x1};
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x4, U64x8};
use tautochrone_simd::{Isa, Token, wipe};

use super::alias::AliasTable;
#[cfg(target_arch = "x86_64")]
use super::beside;
use super::bytes::{self, Bytes};
use super::kind::{Form, Kind};
use super::lanes::{BLOCK, Plane};
use super::planes::{self, Planes, Values};
use super::portable;
use super::presets::Preset;
use super::raw::{self, Raw, Sample, Shape};
use crate::exact::Pmf;
use crate::source::Source as Random;

/// Random planes drawn at a time: two blocks of the most demanding form, in 18 KiB.
const BUFFER: usize = 288;
/// Blocks processed at a time.
const BLOCKS: usize = 4;

#[derive(Debug)]
enum Backend {
    Planes(Planes),
    /// Magnitudes and sign fit a byte.
    Narrow(Bytes),
    Wide(Bytes),
}

#[derive(Debug)]
pub(super) struct Kernel {
    shape: Shape,
    backend: Backend,
}

/// A source of raw lanes. No implementation is generic, so that circuits and look-ups are
/// compiled once, here, and not in every crate that samples.
trait Source<R: Raw> {
    /// Raw lanes of every block of `random`.
    fn blocks(&self, isa: Isa, random: &[Plane], out: &mut [[R; BLOCK]]);
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
}

impl Source<u8> for Bytes {
    fn blocks(&self, isa: Isa, random: &[Plane], out: &mut [[u8; BLOCK]]) {
        look_up(isa, self, random, out);
    }
}

impl Source<u16> for Bytes {
    fn blocks(&self, isa: Isa, random: &[Plane], out: &mut [[u16; BLOCK]]) {
        look_up(isa, self, random, out);
    }
}

/// Random bits that become samples, aligned for the registers; the used ones are erased on drop.
#[repr(C, align(64))]
pub(super) struct Scratch {
    planes: [Plane; BUFFER],
    used: usize,
}

impl Scratch {
    #[expect(clippy::large_stack_arrays, reason = "18 KiB, no allocation in a fill")]
    pub(super) const fn new() -> Self {
        Self { planes: [[0; _]; BUFFER], used: 0 }
    }

    /// The next random planes.
    fn draw(&mut self, source: &mut (impl Random + ?Sized), count: usize) -> &[Plane] {
        self.used = self.used.max(count);
        let planes = &mut self.planes[..count];
        source.fill(planes.as_flattened_mut());
        planes
    }

    /// Space for two blocks of so many planes, if there is.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn two_blocks(&mut self, planes: usize) -> Option<(&mut [Plane], &mut [Plane])> {
        let used = beside::space(planes);
        if used > BUFFER {
            return None;
        }
        self.used = self.used.max(used);
        Some(beside::two_blocks(planes, &mut self.planes))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        wipe(self.planes[..self.used].as_flattened_mut(), 0);
    }
}

impl Kernel {
    pub(super) fn planes(preset: Preset, pmf: &Pmf, kind: Kind) -> Self {
        let (value_bits, signed) = (pmf.value_bits() as usize, kind.is_signed());
        let planes = Planes { preset, value_bits, signed };
        Self { shape: Shape::of(kind), backend: Backend::Planes(planes) }
    }

    /// `table` is the identity table of `pmf`.
    pub(super) fn bytes(pmf: &Pmf, table: &AliasTable, kind: Kind) -> Self {
        let bytes = Bytes::new(table, kind.is_signed());
        let narrow = pmf.value_bits() <= u8::VALUE_BITS;
        let backend = if narrow { Backend::Narrow(bytes) } else { Backend::Wide(bytes) };
        Self { shape: Shape::of(kind), backend }
    }

    pub(super) const fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) const fn form(&self) -> Form {
        match self.backend {
            Backend::Planes(_) => Form::Planes,
            Backend::Narrow(_) | Backend::Wide(_) => Form::Bytes,
        }
    }

    pub(super) const fn preset(&self) -> Option<Preset> {
        match self.backend {
            Backend::Planes(Planes { preset, .. }) => Some(preset),
            Backend::Narrow(_) | Backend::Wide(_) => None,
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
        random: &mut (impl Random + ?Sized),
        scratch: &mut Scratch,
        out: &mut [T],
    ) {
        match &self.backend {
            Backend::Planes(planes) => {
                #[cfg(target_arch = "x86_64")]
                if self.fill_beside(planes, isa, factor, random, scratch, out).is_some() {
                    return;
                }
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
        random: &mut (impl Random + ?Sized),
        scratch: &mut Scratch,
        out: &mut [T],
    ) {
        let draws = if factor.is_some() { 2 } else { 1 };
        #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
        let at_once = (BUFFER / self.rows()).min(BLOCKS) / draws;
        let mut raw = [[R::ZERO; BLOCK]; BLOCKS];
        for out in out.chunks_mut(at_once * BLOCK) {
            let blocks = draws * out.len().div_ceil(BLOCK);
            let random = scratch.draw(random, blocks * self.rows());
            let raw = &mut raw[..blocks];
            source.blocks(isa, random, raw);
            samples(isa, self.shape, factor, raw, out);
        }
        wipe(raw.as_flattened_mut(), R::ZERO);
    }

    /// The same by circuits beside the keystream; `None`, and nothing is drawn, if the source or the
    /// CPU has not what it takes.
    #[cfg(target_arch = "x86_64")]
    fn fill_beside<T: Sample>(
        &self,
        planes: &Planes,
        isa: Isa,
        factor: Option<u32>,
        random: &mut (impl Random + ?Sized),
        scratch: &mut Scratch,
        out: &mut [T],
    ) -> Option<()> {
        let token = (isa.avx512()?, isa.vaes()?);
        let stream = if factor.is_none() { random.stream()? } else { return None };
        let (now, next) = scratch.two_blocks(planes.rows())?;
        let registers = stream.registers(out.len().div_ceil(BLOCK) * planes.rows())?;
        let mut first_round = FirstRound::new();
        let source = beside::Ahead::new(token, *planes, registers, &mut first_round, now, next);
        let mut raw = [[0; BLOCK]];
        let mut out = out.chunks_mut(BLOCK);
        // Unpacking and the last step are block by block too: the keystream goes on meanwhile.
        source.blocks(&mut |values, sign| {
            unpack(isa, planes, core::slice::from_ref(values), [sign].into_iter(), &mut raw);
            if let Some(out) = out.next() {
                samples(isa, self.shape, None, &raw, out);
            }
        });
        wipe(raw.as_flattened_mut(), 0);
        Some(())
    }

    /// The samples that a block of `random` gives, or two of them a block of sums.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn block(
        &self,
        isa: Isa,
        factor: Option<u32>,
        random: &[Plane],
        out: &mut [i64; BLOCK],
    ) {
        match &self.backend {
            Backend::Planes(planes) => self.block_from::<u8>(planes, isa, factor, random, out),
            Backend::Narrow(bytes) => self.block_from::<u8>(bytes, isa, factor, random, out),
            Backend::Wide(bytes) => self.block_from::<u16>(bytes, isa, factor, random, out),
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn block_from<R: Raw>(
        &self,
        source: &impl Source<R>,
        isa: Isa,
        factor: Option<u32>,
        random: &[Plane],
        out: &mut [i64; BLOCK],
    ) {
        let mut raw = [[R::ZERO; BLOCK]; 2];
        let draws = if factor.is_some() { 2 } else { 1 };
        source.blocks(isa, random, &mut raw[..draws]);
        samples(isa, self.shape, factor, &raw[..draws], out);
        wipe(raw.as_flattened_mut(), R::ZERO);
    }

    /// The samples that whole blocks of `random` give.
    #[cfg(test)]
    pub(super) fn samples_of(&self, isa: Isa, factor: Option<u32>, random: &[Plane]) -> Vec<i64> {
        match &self.backend {
            Backend::Planes(planes) => self.samples_from::<u8>(planes, isa, factor, random),
            Backend::Narrow(bytes) => self.samples_from::<u8>(bytes, isa, factor, random),
            Backend::Wide(bytes) => self.samples_from::<u16>(bytes, isa, factor, random),
        }
    }

    #[cfg(test)]
    fn samples_from<R: Raw>(
        &self,
        source: &impl Source<R>,
        isa: Isa,
        factor: Option<u32>,
        random: &[Plane],
    ) -> Vec<i64> {
        let blocks = random.len() / self.rows();
        let mut out = alloc::vec![0; blocks * BLOCK / if factor.is_some() { 2 } else { 1 }];
        let mut raw = alloc::vec![[R::ZERO; BLOCK]; blocks];
        source.blocks(isa, random, &mut raw);
        samples(isa, self.shape, factor, &raw, &mut out);
        out
    }
}

/// Look-ups, by the best registers.
fn look_up<R: Raw>(isa: Isa, table: &Bytes, random: &[Plane], out: &mut [[R; BLOCK]]) {
    let random = random.as_flattened().as_chunks().0;
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = isa.vbmi() {
        return super::avx512::bytes(token, table, random, out);
    } else if let Some(token) = isa.avx2() {
        return super::avx2::bytes(token, table, random, out);
    }
    for (random, out) in random.chunks_exact(table.rows()).zip(out) {
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
    run::<U64x1>((), planes, random, values);
}

fn run<V: Logic>(token: V::Token, planes: &Planes, random: &[Plane], values: &mut [Values]) {
    token.vectorize(
        #[inline(always)]
        || planes.run::<V>(token, random, values),
    );
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
        portable::unpack(values, sign, out);
    }
}

/// The last step, by the best registers.
fn samples<R: Raw, T: Sample>(
    isa: Isa,
    shape: Shape,
    factor: Option<u32>,
    raw: &[[R; BLOCK]],
    out: &mut [T],
) {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = isa.avx512() {
        return super::avx512::samples(token, shape, factor, raw, out);
    } else if let Some(token) = isa.avx2() {
        return super::avx2::samples(token, shape, factor, raw, out);
    }
    raw::samples(shape, factor, raw, out);
}
