//! [`Secret`], and its ranges.

use alloc::vec::Vec;
use core::fmt;

use tautochrone_simd::{declassify, value_barrier};
use zeroize::Zeroizing;

/// The secret s of a key and its error e = t - A s, both within the bounds of the parameter set, in
/// the order of t. Erased when dropped, and never printed.
pub struct Secret {
    pub(crate) s: Zeroizing<Vec<i8>>,
    pub(crate) e: Zeroizing<Vec<i8>>,
}

impl Secret {
    /// s.
    #[must_use]
    pub fn s(&self) -> &[i8] {
        &self.s
    }

    /// e.
    #[must_use]
    pub fn e(&self) -> &[i8] {
        &self.e
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([REDACTED])")
    }
}

/// Integers within a bound, and whether all that were pushed are.
pub(crate) struct Small {
    values: Zeroizing<Vec<i8>>,
    bound: i8,
    /// Not 0 as soon as one is not.
    outside: u32,
}

impl Small {
    pub(crate) fn new(bound: i8, len: usize) -> Self {
        // Never grows, so that no copy stays behind.
        Self { values: Zeroizing::new(Vec::with_capacity(len)), bound, outside: 0 }
    }

    pub(crate) fn push(&mut self, value: i16) {
        let (value_32, bound) = (i32::from(value), i32::from(self.bound));
        self.refuse_negative((bound - value_32) | (bound + value_32));
        self.values.push(value as i8);
    }

    pub(crate) fn extend(&mut self, values: &[i16]) {
        for &value in values {
            self.push(value);
        }
    }

    /// Remembers a refusal if `value` is negative.
    pub(crate) fn refuse_negative(&mut self, value: i32) {
        self.outside |= value as u32 >> 31;
    }

    /// Remembers a refusal unless the last value pushed is `expected`.
    pub(crate) fn refuse_unless(&mut self, expected: i8) {
        self.outside |= u32::from((self.values[self.values.len() - 1] ^ expected) as u8);
    }

    /// The integers, or `error`.
    pub(crate) fn finish<E>(self, error: E) -> Result<Zeroizing<Vec<i8>>, E> {
        // Whether a key is refused is public.
        if declassify(value_barrier(u64::from(self.outside))) == 0 {
            Ok(self.values)
        } else {
            Err(error)
        }
    }
}
