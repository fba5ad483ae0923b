//! The kernels by name, and the types for which there are any.

use zeroize::Zeroize;

use crate::Error;

/// A file of kernels; the index of its module in a device.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))]
pub(crate) enum Source {
    Sample,
    Matmul,
    Imad,
}

impl Source {
    #[cfg_attr(not(feature = "cuda"), allow(dead_code))]
    pub(crate) const fn ptx(self) -> &'static str {
        match self {
            Self::Sample => crate::SAMPLE_PTX,
            Self::Matmul => crate::MATMUL_PTX,
            Self::Imad => crate::IMAD_PTX,
        }
    }
}

/// An entry of one of the files.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))]
pub(crate) struct Kernel {
    pub(crate) source: Source,
    pub(crate) name: &'static str,
}

/// How many blocks of how many threads.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))]
pub(crate) struct Launch {
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
}

/// What the kernels of products take by value: strides in entries, shapes, whether to add to Z.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Shape {
    pub(crate) z: [u64; 2],
    pub(crate) x: [u64; 2],
    /// Of columns, then of rows.
    pub(crate) y: [u64; 2],
    pub(crate) m: u32,
    pub(crate) n: u32,
    pub(crate) k: u32,
    pub(crate) add: u32,
}

/// Blocks that cover `count` things, `each` to a block.
pub(crate) fn blocks(count: u64, each: u64) -> Option<u32> {
    u32::try_from(count.div_ceil(each)).ok().filter(|&blocks| blocks < 1 << 31)
}

mod sealed {
    pub trait Sealed {}
}

/// What device memory can hold: `u8` to `u64`, `i8` to `i64`.
pub trait Entry: Copy + Default + Zeroize + Send + Sync + sealed::Sealed + 'static {}

/// A number modulo 2^w: `u8`, `u16`, `u32`, `u64`.
pub trait Word: Entry {}

macro_rules! entries {
    ($($trait:ident: $($type:ty)*;)*) => {$($(entries!(@ $trait $type);)*)*};
    (@ Entry $type:ty) => {
        impl sealed::Sealed for $type {}
        impl Entry for $type {}
    };
    (@ Word $type:ty) => {
        entries!(@ Entry $type);
        impl Word for $type {}
    };
}
entries! {
    Word: u8 u16 u32 u64;
    Entry: i8 i16 i32 i64;
}

/// A pair (X, Y) of entry types of which products are computed: a word and a word of the same width or a narrower signed
/// integer, or two `i8`.
pub trait Product: sealed::Sealed {
    /// Left entries.
    type X: Entry;
    /// Right entries.
    type Y: Entry;
    /// Entries of the product.
    type Z: Word;
    #[doc(hidden)]
    const TENSOR: &'static str;
    /// Rows and columns that a block of `TENSOR` makes.
    #[doc(hidden)]
    const TILE: (u32, u32);
    #[doc(hidden)]
    const IMAD: &'static str;
}

/// What four warps make, from the sizes of entries in bytes; as in cuda/matmul.cu.
const fn tile(z: usize, x: usize, y: usize) -> (u32, u32) {
    let weights = if x + y - 1 < z { x + y - 1 } else { z };
    match weights {
        1 => (128, 64),
        2..=4 => (64, 64),
        _ => (32, 32),
    }
}

macro_rules! products {
    ($($z:ident $x:ident $y:ident;)*) => {$(
        impl sealed::Sealed for ($x, $y) {}
        impl Product for ($x, $y) {
            type X = $x;
            type Y = $y;
            type Z = $z;
            const TENSOR: &'static str =
                concat!("matmul_", stringify!($z), "_", stringify!($x), "_", stringify!($y));
            const TILE: (u32, u32) = tile(size_of::<$z>(), size_of::<$x>(), size_of::<$y>());
            const IMAD: &'static str =
                concat!("imad_", stringify!($z), "_", stringify!($x), "_", stringify!($y));
        }
    )*};
}
// As in cuda/product.h.
products! {
    u8 u8 u8;
    u16 u16 i8;
    u16 u16 u16;
    u32 u32 i8;
    u32 u32 i16;
    u32 u32 u32;
    u32 i8 i8;
    u64 u64 i8;
    u64 u64 i16;
    u64 u64 i32;
    u64 u64 u64;
}

/// Rows, columns or entries as the kernels count them.
pub(crate) fn count(rows: usize, columns: usize) -> Result<(u32, u32), Error> {
    let fits = |n: usize| u32::try_from(n).ok().filter(|&n| n < 1 << 31);
    match (fits(rows), fits(columns)) {
        (Some(rows), Some(columns)) => Ok((rows, columns)),
        _ => Err(Error::Large { rows, columns }),
    }
}
