//! The kernels by name, and the types for which there are any.

use core::ffi::c_void;

use zeroize::Zeroize;

use crate::Error;

/// A file of kernels; the index of its module in a device.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))]
pub(crate) enum Source {
    Sample,
    Imad,
    Direct,
    Split,
    Tiled,
}

#[cfg_attr(not(feature = "cuda"), allow(dead_code))]
impl Source {
    /// How many files there are.
    pub(crate) const COUNT: usize = 5;

    pub(crate) const fn ptx(self) -> &'static str {
        match self {
            Self::Sample => crate::SAMPLE_PTX,
            Self::Imad => crate::IMAD_PTX,
            Self::Direct => crate::DIRECT_PTX,
            Self::Split => crate::SPLIT_PTX,
            Self::Tiled => crate::TILED_PTX,
        }
    }
}

/// An entry of one of the files.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))]
pub(crate) struct Kernel {
    pub(crate) source: Source,
    pub(crate) name: String,
}

/// How many blocks of how many threads, each block with how many bytes of shared memory.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))]
pub(crate) struct Launch {
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    pub(crate) shared: u32,
}

/// The address of what a kernel takes by value, as the driver wants it.
pub(crate) fn parameter<T>(value: &T) -> *mut c_void {
    core::ptr::from_ref(value).cast_mut().cast()
}

/// The values that the kernels of products take: strides in entries, shapes, whether to add to Z.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Shape {
    pub(crate) z: [u64; 2],
    pub(crate) x: [u64; 2],
    /// Strides of columns, then of rows.
    pub(crate) y: [u64; 2],
    pub(crate) m: u32,
    pub(crate) n: u32,
    pub(crate) k: u32,
    pub(crate) add: u32,
}

/// The values that the kernels that split take: strides in entries, shape.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Operand {
    /// From one line to the next, and from one of its entries to the next.
    pub(crate) strides: [u64; 2],
    pub(crate) lines: u32,
    pub(crate) length: u32,
    /// In the order of the right operand.
    pub(crate) pairs: u32,
}

impl Operand {
    /// Fragments of one byte plane, 512 bytes each: strips of 16 lines by an even number of steps
    /// of 32 entries; as in cuda/split.h.
    pub(crate) fn fragments(self) -> u64 {
        u64::from(self.lines.div_ceil(16)) * u64::from(self.length.div_ceil(64) * 2)
    }
}

/// Blocks that cover `count` things, `each` to a block.
pub(crate) fn blocks(count: u64, each: u64) -> Option<u32> {
    u32::try_from(count.div_ceil(each)).ok().filter(|&blocks| blocks < 1 << 31)
}

mod sealed {
    pub trait Sealed {}
}

/// The entries of device memory: `u8` to `u64`, `i8` to `i64`.
pub trait Entry: Copy + Default + Zeroize + Send + Sync + sealed::Sealed + 'static {
    /// The type in the kernels' names.
    #[doc(hidden)]
    const TYPE: &'static str;
}

macro_rules! entries {
    ($($type:ty)*) => {$(
        impl sealed::Sealed for $type {}
        impl Entry for $type {
            const TYPE: &'static str = stringify!($type);
        }
    )*};
}
entries!(u8 u16 u32 u64 i8 i16 i32 i64);

/// A pair (X, Y) of entry types with kernels for their products: a word and a word of the same
/// width or a narrower signed integer, or two `i8`.
pub trait Product: sealed::Sealed {
    /// Left entries.
    type X: Entry;
    /// Right entries.
    type Y: Entry;
    /// Entries of the product, numbers modulo 2^w.
    type Z: Entry;
    /// Types of Z, X and Y, as in the kernels' names.
    #[doc(hidden)]
    const TYPES: &'static str;
}

/// Rows and columns that a block of four warps makes, from the sizes of entries in bytes; as in
/// cuda/direct.cu.
pub(crate) const fn direct_tile(z: usize, x: usize, y: usize) -> (u32, u32) {
    match weights(z, x, y) {
        1 => (128, 64),
        2..=4 => (64, 64),
        _ => (32, 32),
    }
}

/// Rows and columns that a block of eight warps makes; as in cuda/tiled.cu.
#[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
pub(crate) const fn tiled_tile(z: usize, x: usize, y: usize) -> (u32, u32) {
    let strips = 16 / weights(z, x, y);
    let down = balanced(strips, x, y);
    let across = strips / down;
    let warps_down = balanced(8, down * x, across * y);
    (16 * (down * warps_down) as u32, 16 * (across * 8 / warps_down) as u32)
}

/// Shared memory of a block, in bytes; as in cuda/tiled.cu.
pub(crate) const TILED_SHARED: u32 = 98304;

/// How many weights 2^(8 (i + j)) below 2^w the products of bytes i and j have.
const fn weights(z: usize, x: usize, y: usize) -> usize {
    if x + y - 1 < z { x + y - 1 } else { z }
}

/// The power of two d <= product for which d x + (product / d) y is least.
#[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
const fn balanced(product: usize, x: usize, y: usize) -> usize {
    let (mut best, mut d) = (1, 2);
    while d <= product {
        if d * x + product / d * y < best * x + product / best * y {
            best = d;
        }
        d *= 2;
    }
    best
}

macro_rules! products {
    ($($z:ident $x:ident $y:ident;)*) => {$(
        impl sealed::Sealed for ($x, $y) {}
        impl Product for ($x, $y) {
            type X = $x;
            type Y = $y;
            type Z = $z;
            const TYPES: &'static str =
                concat!(stringify!($z), "_", stringify!($x), "_", stringify!($y));
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
