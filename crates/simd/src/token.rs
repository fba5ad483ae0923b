//! The tokens. Each is one bit of an [`Isa`], of the name [`Feature`].

use crate::isa::Isa;

macro_rules! tokens {
    ($($(#[$doc:meta])* $name:ident = $index:literal, $method:ident;)*) => {
        /// Names of the token types, for [`Isa::without`](crate::Isa::without).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum Feature {
            $(
                #[doc = concat!("See [`", stringify!($name), "`](crate::", stringify!($name), ").")]
                $name = 1 << $index,
            )*
        }

        impl Feature {
            pub(crate) const ALL: [Self; [$($index),*].len()] = [$(Self::$name),*];
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $name(());
        )*
        impl Isa {
            $(
                #[doc = concat!("The [`", stringify!($name), "`] token, if this set holds it.")]
                #[inline]
                #[must_use]
                pub const fn $method(self) -> Option<$name> {
                    // Where tokens are made: an `Isa` only ever holds detected features.
                    if self.holds(Feature::$name) { Some($name(())) } else { None }
                }
            )*
        }
    };
}

tokens! {
    /// Proof of `avx2`, `fma`, `bmi1`, `bmi2` and `popcnt` (every CPU since Haswell and Zen), with
    /// the OS saving ymm registers.
    Avx2 = 0, avx2;
    /// Proof of `aes` and `sse4.1` (128-bit AES instructions).
    AesNi = 1, aes_ni;
    /// Proof of `adx` and `bmi2` (two independent carry chains, flag-free multiply).
    Adx = 2, adx;
    /// Proof of `gfni`; includes [`Avx2`]. With [`Avx512`] beside it, its 512-bit forms too.
    Gfni = 3, gfni;
    /// Proof of `vaes`; includes [`Avx2`] and [`AesNi`]. With [`Avx512`] beside it, its 512-bit
    /// forms too.
    Vaes = 4, vaes;
    /// Proof of `avx512f` (and `f16c`), `avx512bw`, `avx512dq`, `avx512vl` and `avx512cd`; includes
    /// [`Avx2`].
    Avx512 = 5, avx512;
    /// Proof of `avx512ifma`; includes [`Avx512`].
    Ifma = 6, ifma;
    /// Proof of `avx512vbmi` and `avx512vbmi2`; includes [`Avx512`].
    Vbmi = 7, vbmi;
    /// Proof of `avx512vnni`; includes [`Avx512`].
    Vnni = 8, vnni;
    /// Proof of `amx-tile` and `amx-int8`, and that the operating system has granted this process
    /// the tile state; includes [`Avx512`].
    Amx = 9, amx;
    /// Proof of `neon` (Advanced SIMD), which every aarch64 with floating point has.
    Neon = 10, neon;
    /// Proof of Armv8's `aes`; includes [`Neon`].
    ArmAes = 11, arm_aes;
    /// Proof of Armv8.2's `dotprod`; includes [`Neon`].
    DotProd = 12, dot_prod;
}
