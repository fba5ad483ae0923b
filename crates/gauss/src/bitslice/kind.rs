//! [`Kind`] and [`Form`]: the distribution that is sampled, and from which layout of random bits.

use crate::exact::Half;

/// Which distribution is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// |X|, X ~ D_sigma: P(0) = 1 / (2R - 1), P(z) = 2 rho(z) / (2R - 1).
    FoldedHalf,
    /// X given X >= 0: P(z) = rho(z) / R.
    UnfoldedHalf,
    /// D_sigma: P(z) = rho(z) / (2R - 1) for every integer z.
    Full,
    /// -z or z + 1 with equal probability, z an unfolded half: symmetric about 1/2, the
    /// proposal of [`Adjusted`](super::Adjusted).
    Bimodal,
}

impl Kind {
    /// The half distribution that is drawn first.
    #[must_use]
    pub const fn half(self) -> Half {
        match self {
            Self::FoldedHalf | Self::Full => Half::Folded,
            Self::UnfoldedHalf | Self::Bimodal => Half::Unfolded,
        }
    }

    /// Whether a sign bit is drawn.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::Full | Self::Bimodal)
    }
}

/// How random bits are laid out. Different forms give different, equally distributed, streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Boolean circuit over bit planes.
    Planes,
    /// Byte look-ups.
    Bytes,
}
