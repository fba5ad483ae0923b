//! [`Feature`]: what a feature requires.

use crate::token::Feature;

impl Feature {
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
