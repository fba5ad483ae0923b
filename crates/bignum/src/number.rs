//! Numbers that own their limbs: wiped when dropped, not copied implicitly.
use core::fmt;
use core::ops::{Deref, DerefMut};

use subtle::{Choice, ConstantTimeEq};
use tautochrone_simd::declassify;
use zeroize::{Zeroize, Zeroizing};

use crate::error::Error;
use crate::{convert, fz};

/// A number in the storage `S`: [`Fixed`] or [`BoxedNumber`].
///
/// It dereferences to its limbs, lowest first, so that every operation of this crate takes it as it
/// is:
/// ```
/// use tautochrone_bignum::{Barrett, Fixed, fz};
///
/// // 3^5 + 1 modulo 2^127 + 10.
/// let m = Fixed::<2>::from_hex("8000000000000000000000000000000a")?;
/// let (mut x, one) = (Fixed::<2>::zero(), Fixed::from_limbs([1, 0]));
/// Barrett::new(&m)?.pow(&mut x, &Fixed::from_limbs([3, 0]), &[5])?;
/// fz::add(&mut x, &one);
/// assert_eq!(x.to_hex(), "000000000000000000000000000000f4");
/// # Ok::<(), tautochrone_bignum::Error>(())
/// ```
///
/// Numbers are equal if their values are, for any widths; the comparison takes the same time
/// for all values, and only its answer is public. `{:x}` and `{:X}` print the value with all
/// 16 n digits, while `{:?}` prints the width alone.
/// ```
/// use tautochrone_bignum::{BoxedNumber, Fixed};
///
/// let x = Fixed::<1>::from(0xace);
/// assert_eq!(format!("{x:#x} {x:X}"), "0x0000000000000ace 0000000000000ACE");
/// assert_eq!(format!("{x:?}"), "Number { limbs: 1, .. }");
/// assert_eq!(BoxedNumber::from(7), BoxedNumber::from_hex("7", 2)?);
/// # Ok::<(), tautochrone_bignum::Error>(())
/// ```
pub struct Number<S: Zeroize>(S);

/// A number of `LIMBS` 64-bit limbs in place, without heap.
pub type Fixed<const LIMBS: usize> = Number<[u64; LIMBS]>;

/// A number on the heap, whose width is chosen at run time and stays.
pub type BoxedNumber = Number<Box<[u64]>>;

impl<S: Zeroize> Drop for Number<S> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<S: Zeroize + AsRef<[u64]>> fmt::Debug for Number<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Number").field("limbs", &self.0.as_ref().len()).finish_non_exhaustive()
    }
}

impl<S: Zeroize + AsRef<[u64]>> Number<S> {
    /// All digits, with `ten` as the digit of 10; they are wiped after printing.
    fn print(&self, f: &mut fmt::Formatter<'_>, ten: u8) -> fmt::Result {
        f.pad_integral(true, "0x", &Zeroizing::new(convert::hex_digits(self, ten)))
    }
}

impl<S: Zeroize + AsRef<[u64]>> fmt::LowerHex for Number<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f, b'a')
    }
}

impl<S: Zeroize + AsRef<[u64]>> fmt::UpperHex for Number<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f, b'A')
    }
}

impl<S: Zeroize + AsRef<[u64]>> ConstantTimeEq for Number<S> {
    fn ct_eq(&self, other: &Self) -> Choice {
        let n = self.len().min(other.len());
        let (x, x_above) = self.split_at(n);
        let (y, y_above) = other.split_at(n);
        let equal = fz::eq(x, y) & fz::is_zero(x_above) & fz::is_zero(y_above);
        Choice::from((equal & 1) as u8)
    }
}

impl<S: Zeroize + AsRef<[u64]>> PartialEq for Number<S> {
    fn eq(&self, other: &Self) -> bool {
        declassify(self.ct_eq(other).unwrap_u8()) == 1
    }
}

impl<S: Zeroize + AsRef<[u64]>> Eq for Number<S> {}

/// The number with this value.
///
/// A number without limbs holds none:
/// ```compile_fail
/// tautochrone_bignum::Fixed::<0>::from(1);
/// ```
impl<const LIMBS: usize> From<u64> for Fixed<LIMBS> {
    fn from(value: u64) -> Self {
        const { assert!(LIMBS > 0, "a number without limbs holds no value") };
        let mut x = Self::zero();
        x[0] = value;
        x
    }
}

/// The number with this value, in one limb.
impl From<u64> for BoxedNumber {
    fn from(value: u64) -> Self {
        Self(Box::new([value]))
    }
}

impl<S: Zeroize + AsRef<[u64]>> Deref for Number<S> {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        self.0.as_ref()
    }
}

impl<S: Zeroize + AsRef<[u64]> + AsMut<[u64]>> DerefMut for Number<S> {
    fn deref_mut(&mut self) -> &mut [u64] {
        self.0.as_mut()
    }
}

impl<S: Zeroize + AsRef<[u64]> + AsMut<[u64]>> Number<S> {
    fn read(mut self, read: impl FnOnce(&mut [u64]) -> Result<(), Error>) -> Result<Self, Error> {
        read(&mut self)?;
        Ok(self)
    }

    /// [`convert::to_hex`].
    pub fn to_hex(&self) -> String {
        convert::to_hex(self)
    }
}

impl<const LIMBS: usize> Fixed<LIMBS> {
    /// 0.
    #[must_use]
    pub const fn zero() -> Self {
        Self([0; LIMBS])
    }

    /// The number with these limbs, lowest first.
    #[must_use]
    pub const fn from_limbs(limbs: [u64; LIMBS]) -> Self {
        Self(limbs)
    }

    /// [`convert::read_hex`].
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::NotHex`], [`Error::TooLong`].
    pub fn from_hex(hex: &str) -> Result<Self, Error> {
        Self::zero().read(|x| convert::read_hex(x, hex))
    }

    /// [`convert::read_le_bytes`].
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn from_le_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::zero().read(|x| convert::read_le_bytes(x, bytes))
    }

    /// [`convert::read_be_bytes`].
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn from_be_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::zero().read(|x| convert::read_be_bytes(x, bytes))
    }
}

impl BoxedNumber {
    /// 0 in `limbs` limbs.
    #[must_use]
    pub fn zero(limbs: usize) -> Self {
        Self(vec![0; limbs].into())
    }

    /// The number with these limbs, lowest first.
    #[must_use]
    pub fn from_limbs(limbs: Box<[u64]>) -> Self {
        Self(limbs)
    }

    /// [`convert::read_hex`].
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::NotHex`], [`Error::TooLong`].
    pub fn from_hex(hex: &str, limbs: usize) -> Result<Self, Error> {
        Self::zero(limbs).read(|x| convert::read_hex(x, hex))
    }

    /// [`convert::read_le_bytes`].
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn from_le_bytes(bytes: &[u8], limbs: usize) -> Result<Self, Error> {
        Self::zero(limbs).read(|x| convert::read_le_bytes(x, bytes))
    }

    /// [`convert::read_be_bytes`].
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn from_be_bytes(bytes: &[u8], limbs: usize) -> Result<Self, Error> {
        Self::zero(limbs).read(|x| convert::read_be_bytes(x, bytes))
    }
}
