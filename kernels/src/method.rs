//! [`Method`]: how a product is computed.

#[doc = include_str!("../docs/products.md")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Tensor cores; both operands are first cut into byte planes, whose tiles then go through
    /// shared memory. For large matrices; compute capability 8.0.
    Tiled,
    /// Tensor cores; every warp reads its part of the operands itself. For small matrices; compute
    /// capability 8.0.
    Direct,
    /// Integer multiply-add, one thread an entry; for chips without the tensor cores that the
    /// others need.
    Imad,
}

impl Method {
    /// The least compute capability that has the instructions.
    pub(crate) fn least_capability(self) -> (u32, u32) {
        match self {
            Self::Tiled | Self::Direct => (8, 0),
            Self::Imad => (7, 5),
        }
    }

    /// By the device and the shape of a product of m x k by k x n.
    pub(crate) fn of(capability: (u32, u32), (m, k, n): (u32, u32, u32)) -> Self {
        /// Rows, columns and terms from which cutting the operands pays, see docs/products.md; the
        /// largest side of a tile.
        const LARGE: u32 = 256;
        if capability < Self::Direct.least_capability() {
            Self::Imad
        } else if m.min(k).min(n) < LARGE {
            Self::Direct
        } else {
            Self::Tiled
        }
    }
}
