//! Methods of the registers of `core::arch`, once for all of them. Their tokens prove the
//! instructions.

/// Methods that are one intrinsic.
macro_rules! intrinsics {
    ($($name:ident $(<const $n:ident: $type:ty>)? ($($x:ident),*) = $intrinsic:expr;)*) => {$(
        #[inline(always)]
        fn $name $(<const $n: $type>)? (self $(, $x: Self)*) -> Self {
            // SAFETY: the register's token proves the instruction.
            Self(unsafe { $intrinsic(self.0 $(, $x.0)*) }, self.1)
        }
    )*};
}
pub(super) use intrinsics;

/// Methods that are one intrinsic on numbers, between conversions of registers from and to bits.
macro_rules! arithmetic {
    ($from_bits:ident, $to_bits:ident: $($name:ident($($x:ident),*) = $intrinsic:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $x: Self)*) -> Self {
            // SAFETY: the register's token proves its instructions.
            self.with(unsafe {
                $to_bits($intrinsic($from_bits(self.raw()) $(, $from_bits($x.raw()))*))
            })
        }
    )*};
}
pub(super) use arithmetic;

/// Methods that are an expression of intrinsics, in the registers of the intrinsics by their names.
macro_rules! expressions {
    ($($name:ident($first:ident $(, $x:ident)*) = $result:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $x: Self)*) -> Self {
            let $first = self.0;
            $(let $x = $x.0;)*
            // SAFETY: the register's token proves the instructions.
            self.with(unsafe { $result })
        }
    )*};
}
pub(super) use expressions;

/// The register of the intrinsics.
macro_rules! raw {
    ($name:ident<$has:ident>($raw:ty)) => {
        impl<T: $has> $name<T> {
            /// The register, for instructions that the traits have not.
            #[inline(always)]
            pub fn raw(self) -> $raw {
                self.0
            }
            /// A register of such instructions.
            #[inline(always)]
            pub fn from_raw(token: T, raw: $raw) -> Self {
                Self(raw, token)
            }
            #[inline(always)]
            pub(super) fn with(self, raw: $raw) -> Self {
                Self(raw, self.1)
            }
        }
    };
}
pub(super) use raw;

/// The beginning of an `impl` of [`Vector`](super::Vector): token, constants and memory.
#[cfg(target_arch = "x86_64")]
macro_rules! memory {
    ($lanes:literal, $splat:expr, $load:expr, $store:expr) => {
        const LANES: usize = $lanes;

        #[inline(always)]
        fn token(self) -> T {
            self.1
        }

        #[inline(always)]
        fn splat(token: T, x: u64) -> Self {
            // SAFETY: the token proves the instruction.
            Self(unsafe { $splat(x as i64) }, token)
        }
        #[inline(always)]
        fn load(token: T, words: &[u64]) -> Self {
            let words = &words[..$lanes];
            // SAFETY: the token proves the instruction; the slice covers the register.
            Self(unsafe { $load(words.as_ptr().cast()) }, token)
        }
        #[inline(always)]
        fn store(self, words: &mut [u64]) {
            let words = &mut words[..$lanes];
            // SAFETY: as above.
            unsafe { $store(words.as_mut_ptr().cast(), self.0) }
        }
        #[inline(always)]
        fn load_bytes(token: T, bytes: &[u8]) -> Self {
            let bytes = &bytes[..8 * $lanes];
            // SAFETY: as above.
            Self(unsafe { $load(bytes.as_ptr().cast()) }, token)
        }
        #[inline(always)]
        fn store_bytes(self, bytes: &mut [u8]) {
            let bytes = &mut bytes[..8 * $lanes];
            // SAFETY: as above.
            unsafe { $store(bytes.as_mut_ptr().cast(), self.0) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use memory;
