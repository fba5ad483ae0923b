//! The kernels: one block algorithm over several register tiles.

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod emulated;
mod generic;
mod portable;
pub(crate) mod ternary;
#[cfg(test)]
mod tests;

use tautochrone_simd::Isa;

use crate::digits::Digit;
use crate::word::Word;

pub(crate) use generic::{Job, Target};

/// A kernel that may run: its variants carry the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(tautochrone_simd::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(tautochrone_simd::Avx512),
    #[cfg(target_arch = "x86_64")]
    Vnni(tautochrone_simd::Vnni),
    #[cfg(target_arch = "x86_64")]
    Amx(tautochrone_simd::Amx),
    /// The AMX kernel with its tiles in plain Rust.
    #[cfg(test)]
    Emulated,
}

/// The register tile of a kernel, and how packed operands must lie for it.
///
/// A packed *panel* holds `lines` lines (rows of X, columns of Y) of one digit: cell after cell along the sum, in each
/// cell one line after another, in each line `cell` bytes, which are `cell / D` consecutive digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) lines: usize,
    pub(crate) cell: usize,
}

impl Kernel {
    /// The kernels of an instruction set, the digits they take, and about how many terms they form per cycle.
    ///
    /// Rates: ports and widths of Zen 4 (one 512-bit `vpdpbusd`, `vpdpwssd`, `vpmulld` or `vpmullq` per cycle), but for
    /// `vpmullq` a value between that and the third of it that Intel's three-step `vpmullq` reaches. IFMA is not here: a
    /// 64-bit product takes four `vpmadd52`.
    pub(crate) fn all(isa: Isa) -> impl Iterator<Item = (Self, Digit, u32)> {
        Self::table(isa).into_iter().flatten()
    }

    fn table(isa: Isa) -> [Option<(Self, Digit, u32)>; 4] {
        let table = |k, half, word, double| {
            [
                Some((k, Digit::Half, half)),
                Some((k, Digit::Word, word)),
                Some((k, Digit::Double, double)),
                None,
            ]
        };
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = isa.amx() {
                return [Some((Self::Amx(token), Digit::Byte, 1024)), None, None, None];
            }
            if let Some(token) = isa.avx512() {
                let base = Self::Avx512(token);
                let word = Some((base, Digit::Word, 16));
                let double = Some((base, Digit::Double, 6));
                return match isa.vnni().map(Self::Vnni) {
                    Some(vnni) => {
                        let byte = Some((vnni, Digit::Byte, 64));
                        [byte, Some((vnni, Digit::Half, 32)), word, double]
                    }
                    None => [Some((base, Digit::Half, 28)), word, double, None],
                };
            }
            if let Some(token) = isa.avx2() {
                let k = Self::Avx2(token);
                return table(k, 28, 14, 4);
            }
        }
        let _ = isa;
        let k = Self::Portable;
        table(k, 6, 4, 2)
    }

    /// Whether digits of X, and of Y, are signed.
    pub(crate) fn signs(digit: Digit) -> (bool, bool) {
        (digit == Digit::Half, digit != Digit::Word && digit != Digit::Double)
    }

    /// How X and Y must be packed.
    pub(crate) fn shapes(self, digit: Digit) -> (Shape, Shape) {
        let cell = digit.bytes().max(4);
        let shapes = |x, y| (Shape { lines: x, cell }, Shape { lines: y, cell });
        match self {
            Self::Portable => shapes(portable::ROWS, portable::COLUMNS),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => match digit {
                Digit::Double => shapes(4, 6),
                _ => shapes(16, 6),
            },
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) | Self::Vnni(_) => match digit {
                Digit::Double => shapes(16, 12),
                _ => shapes(32, 12),
            },
            #[cfg(target_arch = "x86_64")]
            Self::Amx(_) => (Shape { lines: 32, cell: 4 }, Shape { lines: 32, cell: 64 }),
            #[cfg(test)]
            Self::Emulated => (Shape { lines: 32, cell: 4 }, Shape { lines: 32, cell: 64 }),
        }
    }

    /// Forms the tiles of a job.
    #[allow(unsafe_code)]
    pub(crate) fn run<W: Word>(self, digit: Digit, job: &Job<'_, W>) {
        match self {
            Self::Portable => portable::run(digit, job),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX2.
            Self::Avx2(token) => unsafe { avx2::run(token, digit, job) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX-512 F, BW, DQ, VL.
            Self::Avx512(token) => unsafe { avx512::run(token, digit, job) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX-512 VNNI, which includes F, BW, DQ, VL.
            Self::Vnni(token) => unsafe { avx512::run_vnni(token, digit, job) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AMX int8, which includes AVX-512 F, BW, DQ, VL.
            Self::Amx(token) => unsafe { amx::run(token, job) },
            #[cfg(test)]
            Self::Emulated => emulated::run(job),
        }
    }
}
