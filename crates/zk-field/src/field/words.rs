//! [`Word`]: the machine integers that residues are, and [`Coefficients`], arrays of them.

use zeroize::Zeroize;

/// An integer that holds a residue.
pub trait Word:
    Copy + Default + Eq + Ord + Zeroize + Send + Sync + Into<u128> + From<bool> + From<u64> + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Bits.
    const BITS: u32;
    /// Bytes.
    const LEN: usize;

    /// Whether it is below another number, from the borrow of their difference.
    fn is_below(self, other: Self) -> bool;
    /// Writes its bytes, the lowest first.
    fn write(self, out: &mut [u8]);
    /// The word of as many bytes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const BITS: u32 = Self::BITS;
            const LEN: usize = size_of::<Self>();

            #[inline(always)]
            fn is_below(self, other: Self) -> bool {
                self.overflowing_sub(other).1
            }
            #[inline(always)]
            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }
            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("the bytes of a word"))
            }
        }
    };
}
word!(u64);
word!(u128);

/// The coefficients of an element of K.
pub trait Coefficients<W: Word>:
    Copy + Default + Eq + Zeroize + Send + Sync + AsRef<[W]> + AsMut<[W]> + 'static
{
    /// D.
    const COUNT: usize;
    /// Of 0.
    const ZERO: Self;

    /// f of each.
    fn map(self, f: impl FnMut(W) -> W) -> Self;
    /// f of each and one of another element.
    fn zip(self, other: Self, f: impl FnMut(W, W) -> W) -> Self;
}

impl<W: Word, const D: usize> Coefficients<W> for [W; D]
where
    Self: Default,
{
    const COUNT: usize = D;
    const ZERO: Self = [W::ZERO; D];

    // Loops: `array::map` and `from_fn` are four functions each for every use.
    #[inline(always)]
    fn map(mut self, mut f: impl FnMut(W) -> W) -> Self {
        for x in &mut self {
            *x = f(*x);
        }
        self
    }
    #[inline(always)]
    fn zip(mut self, other: Self, mut f: impl FnMut(W, W) -> W) -> Self {
        for (i, x) in self.iter_mut().enumerate() {
            *x = f(*x, other[i]);
        }
        self
    }
}
