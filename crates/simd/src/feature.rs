//! [`Feature`]: one bit of an [`Isa`](crate::Isa) for each token.

/// Names of the token types, for [`Isa::without`](crate::Isa::without).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u32)]
pub enum Feature {
    /// See [`Avx2`](crate::Avx2).
    Avx2 = 1 << 0,
    /// See [`AesNi`](crate::AesNi).
    AesNi = 1 << 1,
    /// See [`Adx`](crate::Adx).
    Adx = 1 << 2,
    /// See [`Gfni`](crate::Gfni).
    Gfni = 1 << 3,
    /// See [`Vaes`](crate::Vaes).
    Vaes = 1 << 4,
    /// See [`Avx512`](crate::Avx512).
    Avx512 = 1 << 5,
    /// See [`Ifma`](crate::Ifma).
    Ifma = 1 << 6,
    /// See [`Vbmi`](crate::Vbmi).
    Vbmi = 1 << 7,
    /// See [`Vnni`](crate::Vnni).
    Vnni = 1 << 8,
    /// See [`Amx`](crate::Amx).
    Amx = 1 << 9,
    /// See [`Neon`](crate::Neon).
    Neon = 1 << 10,
    /// See [`ArmAes`](crate::ArmAes).
    ArmAes = 1 << 11,
    /// See [`DotProd`](crate::DotProd).
    DotProd = 1 << 12,
}

impl Feature {
    pub(crate) const ALL: [Self; 13] = [
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
        Self::Neon,
        Self::ArmAes,
        Self::DotProd,
    ];

    pub(crate) const fn bit(self) -> u32 {
        self as u32
    }

    /// The features that must be present for `self` to be: a set is closed if it holds this for
    /// each of its members.
    pub(crate) const fn requires(self) -> u32 {
        let avx2 = Self::Avx2.bit();
        let avx512 = avx2 | Self::Avx512.bit();
        match self {
            Self::Avx2 | Self::AesNi | Self::Adx | Self::Neon => 0,
            Self::Gfni | Self::Avx512 => avx2,
            Self::Vaes => avx2 | Self::AesNi.bit(),
            Self::ArmAes | Self::DotProd => Self::Neon.bit(),
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
