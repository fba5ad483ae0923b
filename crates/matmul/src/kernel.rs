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

    /// What packs for it.
    pub(crate) const fn packer(self) -> Packer {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx(_, token) => Packer::Vbmi(token),
            _ => Packer::Portable,
        }
    }
}

/// How sums of products are formed: by which instructions, of which digits, by which method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    pub(crate) backend: Backend,
    pub(crate) digit: Digit,
    pub(crate) method: Method,
}

/// What a backend can do, and about how many terms it then forms in 100 cycles.
type Rates = &'static [(Digit, Method, u32)];

/// Rates that `benches/matmul.rs` measures from registers on Zen 4 (`peak/..`), but for AVX-512's
/// 64-bit words a value between that (800) and what Intel's three-step `vpmullq` reaches (533).
/// IFMA is not here: a 64-bit product takes four `vpmadd52`.
mod rates {
    use super::Rates;
    use crate::digits::Digit::{Byte, Double, Half, Word};
    use crate::digits::Method::{Direct, TopBit, Winograd};

    pub(super) const PORTABLE: Rates =
        &[(Half, Direct, 600), (Word, Direct, 400), (Double, Direct, 200)];
    pub(super) const AVX2: Rates = &[
        (Byte, TopBit, 4600),
        (Half, Winograd, 2960),
        (Half, Direct, 2560),
        (Word, Winograd, 1480),
        (Double, Winograd, 450),
    ];
    pub(super) const AVX512_WORDS: Rates = &[(Word, Winograd, 1600), (Double, Winograd, 700)];
    pub(super) const AVX512_HALVES: Rates = &[(Half, Winograd, 3130), (Half, Direct, 2300)];
    pub(super) const VNNI: Rates = &[
        (Byte, Winograd, 8500),
        (Byte, Direct, 6400),
        (Half, Winograd, 4250),
        (Half, Direct, 3200),
    ];
    /// Residues of at most 52 bits.
    pub(super) const IFMA: Rates = &[(Double, Winograd, 1600), (Double, Direct, 1500)];
    pub(super) const AMX: Rates = &[(Byte, Direct, 102_400)];
    /// Not measured: two `udot` of 16 terms a cycle, as Neoverse N1 starts them (Arm, Neoverse N1
    /// Software Optimization Guide); it starts one multiply-add of four words, as [`PORTABLE`] has
    /// it.
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    pub(super) const DOT_PROD: Rates = &[(Byte, Direct, 3200)];
}

impl Kernel {
    /// The kernels of an instruction set, and about how many terms each forms in 100 cycles.
    pub(crate) fn all(isa: Isa) -> impl Iterator<Item = (Self, u32)> {
        Self::table(isa).into_iter().flat_map(|(backend, rates)| {
            rates.iter().map(move |&(digit, method, rate)| (Self { backend, digit, method }, rate))
        })
    }

    fn table(isa: Isa) -> [(Backend, Rates); 3] {
        const NONE: (Backend, Rates) = (Backend::Portable, &[]);
        #[cfg(target_arch = "x86_64")]
        {
            if let (Some(token), Some(vbmi)) = (isa.amx(), isa.vbmi()) {
                return [(Backend::Amx(token, vbmi), rates::AMX), NONE, NONE];
            }
            if let Some(token) = isa.avx512() {
                let narrow = match isa.vnni() {
                    Some(token) => (Backend::Vnni(token), rates::VNNI),
                    None => (Backend::Avx512(token), rates::AVX512_HALVES),
                };
                let long = match isa.ifma() {
                    Some(token) => (Backend::Ifma(token), rates::IFMA),
                    None => NONE,
                };
                return [narrow, (Backend::Avx512(token), rates::AVX512_WORDS), long];
            }
            if let Some(token) = isa.avx2() {
                return [(Backend::Avx2(token), rates::AVX2), NONE, NONE];
            }
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some(token) = isa.dot_prod() {
            let bytes = (Backend::DotProd(token), rates::DOT_PROD);
            return [bytes, (Backend::Portable, rates::PORTABLE), NONE];
        }
        let _ = isa;
        [(Backend::Portable, rates::PORTABLE), NONE, NONE]
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
        if !task.more.is_empty() && !backend.has_tiles() {
            self.run(&Task { more: &[], ..task.clone() });
            for (x, y) in task.more {
                self.run(&Task { x, y, more: &[], store: false, ..task.clone() });
            }
            return;
        }
        match backend {
            Backend::Portable => portable::run(digit, task),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX2.
            Backend::Avx2(token) => unsafe { avx2::run(token, digit, method, task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX-512 F, BW, DQ, VL.
            Backend::Avx512(token) => unsafe { avx512::run(token, digit, method, task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX-512 VNNI, which includes F, BW, DQ, VL.
            Backend::Vnni(token) => unsafe { avx512::run_vnni(token, digit, method, task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX-512 IFMA, which includes F, BW, DQ, VL.
            Backend::Ifma(token) => unsafe { avx512::run_ifma(token, method, task) },
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
