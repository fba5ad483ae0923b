//! [`Integer`]: the types that uniform numbers come in.

/// An integer type without padding, for which any bytes are a value.
pub trait Integer: Copy {
    /// Its width.
    const BITS: u32;
    /// The low bits.
    fn cut(word: u64) -> Self;
    /// ((cell & mask) ^ sign) - sign of a cell of this width, read from memory as little-endian.
    fn extract(self, mask: Self, sign: Self) -> Self;
    /// The bytes of `out`, in memory order.
    fn bytes_mut(out: &mut [Self]) -> &mut [u8];
}

/// A type that [`fill_bits`](super::fill_bits) and [`fill_below`](super::fill_below) fill:
/// unsigned, 8 to 64 bits.
pub trait Unsigned: Integer {}
/// A type that [`fill_signed`](super::fill_signed) fills: signed, 8 to 64 bits.
pub trait Signed: Integer {}

macro_rules! integers {
    ($kind:ident: $($t:ty)*) => {$(
        impl Integer for $t {
            const BITS: u32 = <$t>::BITS;

            #[inline(always)]
            fn cut(word: u64) -> Self {
                word as Self
            }

            #[inline(always)]
            fn extract(self, mask: Self, sign: Self) -> Self {
                (Self::from_le(self) & mask ^ sign).wrapping_sub(sign)
            }

            fn bytes_mut(out: &mut [Self]) -> &mut [u8] {
                bytemuck::cast_slice_mut(out)
            }
        }
        impl $kind for $t {}
    )*};
}
integers!(Unsigned: u8 u16 u32 u64);
integers!(Signed: i8 i16 i32 i64);
