//! The tokens. Each is one bit of an [`Isa`](crate::Isa); [`Feature::closure`] records which ones include others.

/// Names of the token types, for [`Isa::without`](crate::Isa::without).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u32)]
pub enum Feature {
    /// See [`Avx2`].
    Avx2 = 1 << 0,
    /// See [`AesNi`].
    AesNi = 1 << 1,
    /// See [`Adx`].
    Adx = 1 << 2,
    /// See [`Gfni`].
    Gfni = 1 << 3,
    /// See [`Vaes`].
    Vaes = 1 << 4,
    /// See [`Avx512`].
    Avx512 = 1 << 5,
    /// See [`Ifma`].
    Ifma = 1 << 6,
    /// See [`Vbmi`].
    Vbmi = 1 << 7,
    /// See [`Vnni`].
    Vnni = 1 << 8,
    /// See [`Amx`].
    Amx = 1 << 9,
}

impl Feature {
    pub(crate) const ALL: [Self; 10] = [
        Self::Avx2,
        Self::AesNi,
        Self::Adx,
        Self::Gfni,
        Self::Vaes,
        Self::Avx512,
        Self::Ifma,
        Self::Vbmi,
        Self::Vnni,
        Self::Amx,
    ];

    pub(crate) const fn bit(self) -> u32 {
        self as u32
    }

    /// The features that must be present for `self` to be: a set is closed if it holds this for each of its members.
    pub(crate) const fn requires(self) -> u32 {
        let avx2 = Self::Avx2.bit();
        let avx512 = avx2 | Self::Avx512.bit();
        match self {
            Self::Avx2 | Self::AesNi | Self::Adx => 0,
            Self::Gfni | Self::Avx512 => avx2,
            Self::Vaes => avx2 | Self::AesNi.bit(),
            Self::Ifma | Self::Vbmi | Self::Vnni | Self::Amx => avx512,
        }
    }

    /// The largest closed subset of `set`.
    pub(crate) const fn closure(set: u32) -> u32 {
        let mut set = set;
        // Two rounds suffice: the longest chain is Amx -> Avx512 -> Avx2.
        let mut round = 0;
        while round < 2 {
            let mut i = 0;
            while i < Self::ALL.len() {
                let f = Self::ALL[i];
                if set & f.requires() != f.requires() {
                    set &= !f.bit();
                }
                i += 1;
            }
            round += 1;
        }
        set
    }
}

macro_rules! tokens {
    ($($(#[$doc:meta])* $name:ident, $method:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $name(());
        )*
        impl crate::Isa {
            $(
                #[doc = concat!("The [`", stringify!($name), "`] token, if this set holds it.")]
                #[inline]
                #[must_use]
                pub const fn $method(self) -> Option<$name> {
                    // The one place where tokens are made: an `Isa` only ever holds detected features.
                    if self.holds(Feature::$name) { Some($name(())) } else { None }
                }
            )*
        }
    };
}

tokens! {
    /// Proof of `avx2`, `fma`, `bmi1`, `bmi2` and `popcnt` (every CPU since Haswell and Zen), with the OS saving ymm registers.
    Avx2, avx2;
    /// Proof of `aes` and `sse4.1` (128-bit AES instructions).
    AesNi, aes_ni;
    /// Proof of `adx` and `bmi2` (two independent carry chains, flag-free multiply).
    Adx, adx;
    /// Proof of `gfni`; includes [`Avx2`]. With [`Avx512`] beside it, its 512-bit forms too.
    Gfni, gfni;
    /// Proof of `vaes`; includes [`Avx2`] and [`AesNi`]. With [`Avx512`] beside it, its 512-bit forms too.
    Vaes, vaes;
    /// Proof of `avx512f` (and `f16c`), `avx512bw`, `avx512dq`, `avx512vl` and `avx512cd`; includes [`Avx2`].
    Avx512, avx512;
    /// Proof of `avx512ifma`; includes [`Avx512`].
    Ifma, ifma;
    /// Proof of `avx512vbmi` and `avx512vbmi2`; includes [`Avx512`].
    Vbmi, vbmi;
    /// Proof of `avx512vnni`; includes [`Avx512`].
    Vnni, vnni;
    /// Proof of `amx-tile` and `amx-int8`, and that the operating system has granted this process the tile state;
    /// includes [`Avx512`].
    Amx, amx;
}
