//! The kernels: one block algorithm over several register tiles, and one over the tiles of AMX.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod block;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod portable;
mod register;
mod target;
#[cfg(test)]
mod tests;
pub(crate) mod tiles;

use tautochrone_simd::Isa;

use crate::digits::{Digit, Method};
use crate::layout::Shape;
use crate::pack::Packer;
use crate::word::Word;

pub(crate) use block::Task;
pub(crate) use target::Target;

/// The instructions that a kernel is made of; the variants carry the proof that they exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(tautochrone_simd::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(tautochrone_simd::Avx512),
    #[cfg(target_arch = "x86_64")]
    Vnni(tautochrone_simd::Vnni),
    #[cfg(target_arch = "x86_64")]
    Ifma(tautochrone_simd::Ifma),
    #[cfg(target_arch = "x86_64")]
    Amx(tautochrone_simd::Amx, tautochrone_simd::Vbmi),
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    DotProd(tautochrone_simd::DotProd),
    /// AMX with its tiles in plain Rust.
    #[cfg(test)]
    Emulated,
}

impl Backend {
    /// Whether it multiplies tiles.
    pub(crate) const fn has_tiles(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx(..) => true,
            #[cfg(test)]
            Self::Emulated => true,
            _ => false,
        }
    }

    /// The name of its instructions.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Self::Vnni(_) => "vnni",
            #[cfg(target_arch = "x86_64")]
            Self::Ifma(_) => "ifma",
            #[cfg(target_arch = "x86_64")]
            Self::Amx(..) => "amx",
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Self::DotProd(_) => "udot",
            #[cfg(test)]
            Self::Emulated => "emulated",
        }
    }

    /// The packing for it, with the instructions that there are.
    pub(crate) fn packer(self, isa: Isa) -> Packer {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx(_, token) => Packer::Vbmi(token),
            #[cfg(target_arch = "x86_64")]
            Self::Vnni(_) | Self::Ifma(_) => isa.vbmi().map_or(Packer::Portable, Packer::Vbmi),
            #[cfg(all(test, target_arch = "x86_64"))]
            Self::Emulated => isa.vbmi().map_or(Packer::Portable, Packer::Vbmi),
            _ => Packer::Portable,
        }
    }
}

/// How sums of products are formed: the instructions, the digits and the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    pub(crate) backend: Backend,
    pub(crate) digit: Digit,
    pub(crate) method: Method,
}

/// The operands of a back end.
type Methods = &'static [(Digit, Method)];

mod methods {
    use super::Methods;
    use crate::digits::Digit::{Byte, Double, Half, Word};
    use crate::digits::Method::{Direct, TopBit, Winograd};

    pub(super) const PORTABLE: Methods = &[(Half, Direct), (Word, Direct), (Double, Direct)];
    pub(super) const AVX2: Methods =
        &[(Byte, TopBit), (Half, Winograd), (Half, Direct), (Word, Winograd), (Double, Winograd)];
    pub(super) const AVX512_WORDS: Methods = &[(Word, Winograd), (Double, Winograd)];
    pub(super) const AVX512_HALVES: Methods = &[(Half, Winograd), (Half, Direct)];
    pub(super) const VNNI: Methods =
        &[(Byte, Winograd), (Byte, Direct), (Half, Winograd), (Half, Direct)];
    /// Residues of at most 52 bits: a 64-bit product would take four `vpmadd52`.
    pub(super) const IFMA: Methods = &[(Double, Winograd), (Double, Direct)];
    pub(super) const AMX: Methods = &[(Byte, Direct)];
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    pub(super) const DOT_PROD: Methods = &[(Byte, Direct)];
}

impl Kernel {
    /// The kernels of an instruction set, and of all below it: the best tier is not the fastest for
    /// every product.
    pub(crate) fn all(isa: Isa) -> impl Iterator<Item = Self> {
        Self::table(isa).into_iter().flat_map(|(backend, methods)| {
            methods.iter().map(move |&(digit, method)| Self { backend, digit, method })
        })
    }

    fn table(isa: Isa) -> [(Backend, Methods); 6] {
        const PORTABLE: (Backend, Methods) = (Backend::Portable, methods::PORTABLE);
        const NONE: (Backend, Methods) = (Backend::Portable, &[]);
        #[cfg(target_arch = "x86_64")]
        {
            let tiles = match (isa.amx(), isa.vbmi()) {
                (Some(token), Some(vbmi)) => (Backend::Amx(token, vbmi), methods::AMX),
                _ => NONE,
            };
            let narrow = match (isa.vnni(), isa.avx512()) {
                (Some(token), _) => (Backend::Vnni(token), methods::VNNI),
                (_, Some(token)) => (Backend::Avx512(token), methods::AVX512_HALVES),
                _ => NONE,
            };
            let words = isa.avx512().map(|token| (Backend::Avx512(token), methods::AVX512_WORDS));
            let long = isa.ifma().map(|token| (Backend::Ifma(token), methods::IFMA));
            let avx2 = isa.avx2().map(|token| (Backend::Avx2(token), methods::AVX2));
            let [words, long, avx2] = [words, long, avx2].map(|entry| entry.unwrap_or(NONE));
            [tiles, narrow, words, long, avx2, PORTABLE]
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        {
            let bytes = isa.dot_prod().map(|token| (Backend::DotProd(token), methods::DOT_PROD));
            [bytes.unwrap_or(NONE), PORTABLE, NONE, NONE, NONE, NONE]
        }
        #[cfg(not(any(
            target_arch = "x86_64",
            all(target_arch = "aarch64", target_feature = "neon")
        )))]
        {
            let _ = isa;
            [PORTABLE, NONE, NONE, NONE, NONE, NONE]
        }
    }

    /// Whether it forms products modulo `2^word`.
    pub(crate) const fn takes(self, word: u32) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let Backend::Ifma(_) = self.backend {
            return word <= avx512::IFMA_BITS;
        }
        self.method.takes(self.digit, word)
    }

    /// Whether digits of X, and of Y, are signed.
    pub(crate) fn signs(self) -> (bool, bool) {
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Backend::DotProd(_) = self.backend {
            return (false, false);
        }
        (self.digit == Digit::Half, matches!(self.digit, Digit::Byte | Digit::Half))
    }

    /// How X and Y must be packed.
    pub(crate) fn shapes(self) -> (Shape, Shape) {
        let cell = self.digit.bytes().max(4);
        let shapes = |(x, y)| (Shape { lines: x, cell }, Shape { lines: y, cell });
        match self.backend {
            Backend::Portable => shapes((portable::ROWS, portable::COLUMNS)),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(_) => shapes(avx2::tile(self.digit, self.method)),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(_) | Backend::Vnni(_) | Backend::Ifma(_) => {
                shapes(avx512::tile(self.digit, self.method))
            }
            #[cfg(target_arch = "x86_64")]
            Backend::Amx(..) => tiles::SHAPES,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Backend::DotProd(_) => shapes((neon::ROWS, neon::COLUMNS)),
            #[cfg(test)]
            Backend::Emulated => tiles::SHAPES,
        }
    }

    /// Bytes of Y that stay cached while X streams through, for each term: of a panel of one digit,
    /// or, of tiles, of a group of panels of all digits; for so many digits of X and Y.
    pub(crate) fn resident_line(self, (x, y): (usize, usize), word: u32) -> usize {
        if self.backend.has_tiles() {
            let weights = self.digit.count(word, word).min(x + y - 1);
            let (_, panels) = tiles::Form::new((x, y), weights).panels();
            return panels * tiles::LINES * y;
        }
        self.shapes().1.lines * self.digit.bytes()
    }

    /// How many bytes these should be: with AMX two thirds of the first-level cache of 48 KiB.
    /// Elsewhere the second level keeps up (a term of a tile takes longer), and 40 KiB measured
    /// best on Zen 4: with less a tile's sums go to Z more often, with more the panels of X that
    /// stay in the second level are too few.
    pub(crate) const fn resident(self) -> usize {
        if self.backend.has_tiles() { 32 << 10 } else { 40 << 10 }
    }

    /// Forms the tiles of a task.
    #[allow(unsafe_code)]
    pub(crate) fn run<W: Word>(self, task: &Task<'_, W>) {
        let Self { backend, digit, method } = self;
        if task.pairs.len() > 1 && !backend.has_tiles() {
            for (i, pair) in task.pairs.iter().enumerate() {
                let (x, y) = pair;
                let (pairs, store) = (core::slice::from_ref(pair), task.store && i == 0);
                self.run(&Task { x, y, pairs, store, ..task.clone() });
            }
            return;
        }
        match backend {
            Backend::Portable => portable::run(digit, task),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX2.
            Backend::Avx2(token) => unsafe { avx2::run(token, digit, method, task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX-512 F, BW, DQ, VL, and VNNI or IFMA where they are used.
            Backend::Avx512(_) | Backend::Vnni(_) | Backend::Ifma(_) => unsafe {
                avx512::run(self, task);
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the tokens prove AMX int8, and AVX-512 F, BW, DQ, VL, VBMI.
            Backend::Amx(token, vbmi) => unsafe { tiles::amx::run(token, vbmi, task) },
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            // SAFETY: the token proves dot products.
            Backend::DotProd(token) => unsafe { neon::run(token, task) },
            #[cfg(test)]
            Backend::Emulated => tiles::emulated::run(task),
        }
    }
}
