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
pub trait HasAvx2: Token {}
/// A token that includes [`Gfni`].
pub trait HasGfni: HasAvx2 {}
/// A token that includes [`Avx512`].
pub trait HasAvx512: HasAvx2 {}
/// A token that includes [`Ifma`].
pub trait HasIfma: HasAvx512 {}
/// A token that includes [`Vbmi`].
pub trait HasVbmi: HasAvx512 {}
/// A token that includes [`Neon`].
pub trait HasNeon: Token {}

impl Sealed for () {}
impl Token for () {
    const INSTRUCTIONS: bool = false;
    const TERNARY_LOGIC: bool = false;

    /// Not inlined, so that code that is entered from several places is compiled once.
    #[inline(never)]
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

/// The tokens that a token includes, as a set of features is closed.
macro_rules! includes {
    ($($token:ty: $($has:ident)+;)*) => { $($(impl $has for $token {})+)* };
}

includes! {
    Avx2: HasAvx2;
    Gfni: HasAvx2 HasGfni;
    Avx512: HasAvx2 HasAvx512;
    Ifma: HasAvx2 HasAvx512 HasIfma;
    (Ifma, Vaes): HasAvx2 HasAvx512 HasIfma;
    (Avx512, Vaes): HasAvx2 HasAvx512;
    Vbmi: HasAvx2 HasAvx512 HasVbmi;
    (Vbmi, Gfni): HasAvx2 HasGfni HasAvx512 HasVbmi;
    Vnni: HasAvx2 HasAvx512;
    Amx: HasAvx2 HasAvx512;
    Neon: HasNeon;
}
