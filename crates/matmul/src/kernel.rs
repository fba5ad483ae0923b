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

use tautochrone_simd::{Amx, Avx2, Avx512, DotProd, Ifma, Isa, Vbmi, Vnni};

use crate::digits::{Digit, Method};
use crate::layout::Shape;
use crate::pack::Packer;
use crate::word::Word;

pub(crate) use block::Task;
pub(crate) use target::Target;

/// The instructions that a kernel is made of; the variants carry the proof that they exist, which
/// no CPU of another architecture gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    Portable,
    Avx2(Avx2),
    Avx512(Avx512),
    Vnni(Vnni),
    Ifma(Ifma),
    Amx(Amx, Vbmi),
    DotProd(DotProd),
    /// AMX with its tiles in plain Rust.
    #[cfg(test)]
    Emulated,
}

impl Backend {
    /// Whether it multiplies tiles.
    pub(crate) const fn has_tiles(self) -> bool {
        match self {
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
            Self::Avx2(_) => "avx2",
            Self::Avx512(_) => "avx512",
            Self::Vnni(_) => "vnni",
            Self::Ifma(_) => "ifma",
            Self::Amx(..) => "amx",
            Self::DotProd(_) => "udot",
            #[cfg(test)]
            Self::Emulated => "emulated",
        }
    }

    /// The packing for it, with the instructions that there are.
    pub(crate) fn packer(self, isa: Isa) -> Packer {
        let has_packer = matches!(self, Self::Vnni(_) | Self::Ifma(_)) || self.has_tiles();
        isa.vbmi().filter(|_| has_packer).map_or(Packer::Portable, Packer::Vbmi)
    }
}

/// How sums of products are formed: the instructions, the digits, the method, and the rows and
/// columns of a tile of sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    pub(crate) backend: Backend,
    pub(crate) digit: Digit,
    pub(crate) method: Method,
    pub(crate) tile: (usize, usize),
}

/// The kernels of a back end.
type Kernels = &'static [(Digit, Method, (usize, usize))];

/// Kernels, and rows and columns of their tiles.
mod table {
    use super::{Kernels, portable, tiles};
    use crate::digits::Digit::{Byte, Double, Half, Word};
    use crate::digits::Method::{Direct, TopBit, Winograd};

    pub(super) const PORTABLE: Kernels = &[
        (Half, Direct, portable::TILE_OF_SUMS),
        (Word, Direct, portable::TILE_OF_SUMS),
        (Double, Direct, portable::TILE_OF_SUMS),
    ];

    /// Of 16 registers, direct products take 12 sums, two of X, one of Y and one product; pairs
    /// take 8 sums, four of X, two of Y and two to be multiplied; pairs of 64-bit words 8 sums, two
    /// of X, two of Y and four for products.
    pub(super) const YMM_DIRECT: (usize, usize) = (16, 6);
    pub(super) const YMM_PAIRS: (usize, usize) = (16, 4);
    pub(super) const YMM_LONG_PAIRS: (usize, usize) = (4, 4);
    pub(super) const AVX2: Kernels = &[
        (Byte, TopBit, YMM_DIRECT),
        (Half, Winograd, YMM_PAIRS),
        (Half, Direct, YMM_DIRECT),
        (Word, Winograd, YMM_PAIRS),
        (Double, Winograd, YMM_LONG_PAIRS),
    ];

    /// Columns: of 32 registers, direct sums take 2 x 12 and X two; sums of pairs take 2 x 10, X
    /// four, Y two, and the factors the rest.
    pub(super) const ZMM_DIRECT: usize = 12;
    pub(super) const ZMM_PAIRS: usize = 10;
    pub(super) const AVX512_WORDS: Kernels =
        &[(Word, Winograd, (32, ZMM_PAIRS)), (Double, Winograd, (16, ZMM_PAIRS))];
    pub(super) const AVX512_HALVES: Kernels =
        &[(Half, Winograd, (32, ZMM_PAIRS)), (Half, Direct, (32, ZMM_DIRECT))];
    pub(super) const VNNI: Kernels = &[
        (Byte, Winograd, (32, ZMM_PAIRS)),
        (Byte, Direct, (32, ZMM_DIRECT)),
        (Half, Winograd, (32, ZMM_PAIRS)),
        (Half, Direct, (32, ZMM_DIRECT)),
    ];
    /// Residues of at most 52 bits: a 64-bit product would take four `vpmadd52`.
    pub(super) const IFMA: Kernels =
        &[(Double, Winograd, (16, ZMM_PAIRS)), (Double, Direct, (16, ZMM_DIRECT))];
    pub(super) const AMX: Kernels = &[(Byte, Direct, (tiles::LINES, tiles::LINES))];
    /// Of 32 registers, 24 are sums, two are of X and three of Y: five loads for 24 products.
    pub(super) const UDOT: (usize, usize) = (8, 12);
    pub(super) const DOT_PROD: Kernels = &[(Byte, Direct, UDOT)];
}

/// Bits that `vpmadd52luq` gives of a product; it adds them modulo 2^64.
const IFMA_BITS: u32 = 52;

impl Kernel {
    /// The kernels of an instruction set, and of all below it: the best tier is not the fastest for
    /// every product.
    pub(crate) fn all(isa: Isa) -> impl Iterator<Item = Self> {
        let tiles = isa.amx().zip(isa.vbmi()).map(|(amx, vbmi)| Backend::Amx(amx, vbmi));
        let narrow = match (isa.vnni(), isa.avx512()) {
            (Some(token), _) => Some((Backend::Vnni(token), table::VNNI)),
            (_, Some(token)) => Some((Backend::Avx512(token), table::AVX512_HALVES)),
            _ => None,
        };
        let all = [
            tiles.map(|tiles| (tiles, table::AMX)),
            narrow,
            isa.avx512().map(|token| (Backend::Avx512(token), table::AVX512_WORDS)),
            isa.ifma().map(|token| (Backend::Ifma(token), table::IFMA)),
            isa.avx2().map(|token| (Backend::Avx2(token), table::AVX2)),
            isa.dot_prod().map(|token| (Backend::DotProd(token), table::DOT_PROD)),
            Some((Backend::Portable, table::PORTABLE)),
        ];
        all.into_iter().flatten().flat_map(|(backend, kernels)| {
            let kernel = move |&(digit, method, tile)| Self { backend, digit, method, tile };
            kernels.iter().map(kernel)
        })
    }

    /// Whether it forms products modulo `2^word`.
    pub(crate) const fn takes(self, word: u32) -> bool {
        match self.backend {
            Backend::Ifma(_) => word <= IFMA_BITS,
            _ => self.method.takes(self.digit, word),
        }
    }

    /// Whether digits of X, and of Y, are signed.
    pub(crate) fn signs(self) -> (bool, bool) {
        match self.backend {
            Backend::DotProd(_) => (false, false),
            _ => (self.digit == Digit::Half, matches!(self.digit, Digit::Byte | Digit::Half)),
        }
    }

    /// How X and Y must be packed.
    pub(crate) fn shapes(self) -> (Shape, Shape) {
        if self.backend.has_tiles() {
            return tiles::SHAPES;
        }
        let cell = self.digit.bytes().max(4);
        let (rows, columns) = self.tile;
        (Shape { lines: rows, cell }, Shape { lines: columns, cell })
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
        let Self { backend, digit, method, .. } = self;
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
            _ => unreachable!("a token for instructions of another architecture"),
        }
    }
}
