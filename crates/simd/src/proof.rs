//! The uses of tokens: entering code compiled for their instructions, and standing in for
//! the tokens that they include.
#![cfg_attr(any(target_arch = "x86_64", target_arch = "aarch64"), allow(unsafe_code))]

use crate::token::{Amx, Avx2, Avx512, Gfni, Ifma, Neon, Vaes, Vbmi, Vnni};

mod sealed {
    pub trait Sealed: Copy {}
}
use sealed::Sealed;

/// A proof of instructions that code can be compiled for. `()` proves nothing: it is the token of
/// [`Emulated`](crate::vector::Emulated) registers.
pub trait Token: Sealed + Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Whether it proves any instructions.
    const INSTRUCTIONS: bool;
    /// Whether three-input logic (`vpternlog`) on all widths may be used.
    const TERNARY_LOGIC: bool;

    /// Runs `f` as code for the instructions that this token proves, if all of it is
    /// `#[inline(always)]`, the closure too; code that is called instead of inlined is compiled
    /// without them.
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R;
}

/// A token that includes [`Avx2`].
pub trait HasAvx2: Token {
    /// The included token.
    fn avx2(self) -> Avx2;
}
/// A token that includes [`Gfni`].
pub trait HasGfni: HasAvx2 {
    /// The included token.
    fn gfni(self) -> Gfni;
}
/// A token that includes [`Avx512`].
pub trait HasAvx512: HasAvx2 {
    /// The included token.
    fn avx512(self) -> Avx512;
}
/// A token that includes [`Ifma`].
pub trait HasIfma: HasAvx512 {
    /// The included token.
    fn ifma(self) -> Ifma;
}
/// A token that includes [`Vbmi`].
pub trait HasVbmi: HasAvx512 {
    /// The included token.
    fn vbmi(self) -> Vbmi;
}
/// A token that includes [`Vnni`].
pub trait HasVnni: HasAvx512 {
    /// The included token.
    fn vnni(self) -> Vnni;
}

/// A token that includes [`Neon`].
pub trait HasNeon: Token {
    /// The included token.
    fn neon(self) -> Neon;
}

impl Sealed for () {}
impl Token for () {
    const INSTRUCTIONS: bool = false;
    const TERNARY_LOGIC: bool = false;

    #[inline(always)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// The entry into code for a token's instructions, on the targets that have them.
macro_rules! token {
    ($token:ty, $ternary:literal, $features:literal) => {
        token!($token, $ternary, $features, (target_arch = "x86_64"));
    };
    ($token:ty, $ternary:literal, $features:literal, ($($condition:tt)*)) => {
        impl Sealed for $token {}
        impl Token for $token {
            const INSTRUCTIONS: bool = true;
            const TERNARY_LOGIC: bool = $ternary;

            #[inline(always)]
            fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
                /// Not inlined, so that code that is entered from several places is compiled once.
                #[cfg($($condition)*)]
                #[inline(never)]
                #[target_feature(enable = $features)]
                fn inside<R>(f: impl FnOnce() -> R) -> R {
                    f()
                }
                #[cfg($($condition)*)]
                // SAFETY: the token proves that these features were detected.
                return unsafe { inside(f) };
                #[cfg(not($($condition)*))]
                f()
            }
        }
    };
}

/// The features of a token, by the token that proves it.
macro_rules! includes {
    ($($token:ty: $($has:ident :: $method:ident => $part:ident),+;)*) => {$($(
        impl $has for $token {
            #[inline(always)]
            fn $method(self) -> $part {
                $part::included()
            }
        }
    )+)*};
}

token!(Avx2, false, "avx2,fma,bmi1,bmi2,popcnt");
token!(Gfni, false, "avx2,fma,bmi1,bmi2,popcnt,gfni");
token!(Avx512, true, "avx2,fma,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd");
token!(
    Ifma,
    true,
    "avx2,fma,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512ifma"
);
token!(
    (Ifma, Vaes),
    true,
    "avx2,fma,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512ifma,vaes"
);
token!(
    (Avx512, Vaes),
    true,
    "avx2,fma,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,vaes"
);
token!(
    Vbmi,
    true,
    "avx2,fma,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vbmi,avx512vbmi2"
);
token!(
    (Vbmi, Gfni),
    true,
    "avx2,fma,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vbmi,avx512vbmi2,gfni"
);
token!(
    Vnni,
    true,
    "avx2,fma,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni"
);
token!(Amx, true, "avx2,fma,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd");
token!(Neon, false, "neon", (all(target_arch = "aarch64", target_feature = "neon")));

includes! {
    Avx2: HasAvx2::avx2 => Avx2;
    Gfni: HasAvx2::avx2 => Avx2, HasGfni::gfni => Gfni;
    Avx512: HasAvx2::avx2 => Avx2, HasAvx512::avx512 => Avx512;
    Ifma: HasAvx2::avx2 => Avx2, HasAvx512::avx512 => Avx512, HasIfma::ifma => Ifma;
    (Ifma, Vaes): HasAvx2::avx2 => Avx2, HasAvx512::avx512 => Avx512, HasIfma::ifma => Ifma;
    (Avx512, Vaes): HasAvx2::avx2 => Avx2, HasAvx512::avx512 => Avx512;
    Vbmi: HasAvx2::avx2 => Avx2, HasAvx512::avx512 => Avx512, HasVbmi::vbmi => Vbmi;
    (Vbmi, Gfni): HasAvx2::avx2 => Avx2, HasGfni::gfni => Gfni, HasAvx512::avx512 => Avx512,
        HasVbmi::vbmi => Vbmi;
    Vnni: HasAvx2::avx2 => Avx2, HasAvx512::avx512 => Avx512, HasVnni::vnni => Vnni;
    Amx: HasAvx2::avx2 => Avx2, HasAvx512::avx512 => Avx512;
    Neon: HasNeon::neon => Neon;
}
