//! The register kernels: a strip of X times a strip of Y gives a tile of Z, the same algorithm for every register type.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod generic;
mod portable;

use tautochrone_simd::Isa;

/// A kernel for one lane type: `tile[j][i] = sum over k of x[k][i] y[k][j]`, i < `rows`, j < `columns`.
#[derive(Debug)]
pub struct Kernel<L> {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    run: Run<L>,
}

/// How a kernel is entered. The variants carry the proof that it may be.
#[derive(Debug)]
enum Run<L> {
    Portable(fn(&[L], &[L], &mut [L])),
    #[cfg(target_arch = "x86_64")]
    Avx2(tautochrone_simd::Avx2, avx2::Entry<L>),
    #[cfg(target_arch = "x86_64")]
    Avx512(tautochrone_simd::Avx512, avx512::Entry<L>),
}

impl<L> Kernel<L> {
    /// Overwrites `tile` (`rows * columns` lanes, column after column); `x` and `y` are packed strips of equal depth.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn run(&self, x: &[L], y: &[L], tile: &mut [L]) {
        match self.run {
            Run::Portable(kernel) => kernel(x, y, tile),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX2, the only requirement of the entry.
            Run::Avx2(token, kernel) => unsafe { kernel(token, x, y, tile) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves AVX-512 F, BW, DQ and VL, the only requirement of the entry.
            Run::Avx512(token, kernel) => unsafe { kernel(token, x, y, tile) },
        }
    }
}

macro_rules! kernels {
    ($($lane:ident: portable $pr:literal x $pc:literal, avx2 $ar:literal x $ac:literal, avx512 $br:literal x $bc:literal;)*) => {
        $(
            #[doc = concat!("The best kernel for ", stringify!($lane), ".")]
            pub(crate) fn $lane(isa: Isa) -> Kernel<$lane> {
                #[cfg(target_arch = "x86_64")]
                {
                    if let Some(token) = isa.avx512() {
                        let run = Run::Avx512(token, avx512::$lane::<$br, $bc>);
                        return Kernel { rows: $br, columns: $bc, run };
                    }
                    if let Some(token) = isa.avx2() {
                        let run = Run::Avx2(token, avx2::$lane::<$ar, $ac>);
                        return Kernel { rows: $ar, columns: $ac, run };
                    }
                }
                let _ = isa;
                let run = Run::Portable(portable::kernel::<$lane, $pr, $pc>);
                Kernel { rows: $pr, columns: $pc, run }
            }
        )*
    };
}

kernels! {
    u16: portable 16 x 4, avx2 32 x 6, avx512 64 x 12;
    u32: portable 8 x 4, avx2 16 x 6, avx512 32 x 12;
    u64: portable 4 x 4, avx2 8 x 4, avx512 16 x 12;
}
