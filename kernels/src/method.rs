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
        /// Rows, columns and terms below which the largest tiles are not filled.
        const SIDE: u32 = 256;
        /// Products of entries up to which cutting the operands first takes longer than it saves,
        /// see docs/products.md.
        const SMALL: u128 = 1 << 30;
        if capability < Self::Direct.least_capability() {
            Self::Imad
        } else if m.min(k).min(n) < SIDE || u128::from(m) * u128::from(k) * u128::from(n) <= SMALL {
            Self::Direct
        } else {
            Self::Tiled
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_products_are_direct() {
        let of = |m, k, n| Method::of((9, 0), (m, k, n));
        for shape in [(0, 0, 0), (1024, 1024, 1024), (1 << 20, 1 << 20, 255), (256, 255, 1 << 30)] {
            assert_eq!(Method::of((8, 0), shape), Method::Direct, "{shape:?}");
            assert_eq!(Method::of((7, 5), shape), Method::Imad, "{shape:?}");
        }
        assert_eq!(of(1024, 1024, 1025), Method::Tiled);
        assert_eq!(of(256, 256, 1 << 15), Method::Tiled);
        assert_eq!(of(u32::MAX, u32::MAX, u32::MAX), Method::Tiled);
    }
}
