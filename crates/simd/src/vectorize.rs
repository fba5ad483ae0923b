//! Code that compilers vectorise, on the widest registers of an [`Isa`].

use crate::isa::Isa;
use crate::proof::Token;

/// `token.vectorize(|| code)`, of a [`Token`] or an [`Isa`], with a closure that is inlined.
///
/// ```
/// use tautochrone_simd::{Isa, vectorize};
///
/// assert_eq!(vectorize!(Isa::detect(), (1..=100_u32).sum::<u32>()), 5050);
/// ```
#[macro_export]
macro_rules! vectorize {
    ($token:expr, $code:expr $(,)?) => {
        $token.vectorize(
            #[inline(always)]
            || $code,
        )
    };
}

impl Isa {
    /// Runs `f` as code for the widest registers of this set: as [`Token::vectorize`], if all of it
    /// is `#[inline(always)]`, the closure too. (Code for aarch64 is code for NEON anyway.)
    #[inline(always)]
    pub fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        if let Some(token) = self.avx512() {
            token.vectorize(f)
        } else if let Some(token) = self.avx2() {
            token.vectorize(f)
        } else {
            f()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Isa;

    #[test]
    fn the_closure_runs_once_on_every_instruction_set() {
        for isa in Isa::all() {
            let mut count = 0;
            let sum = vectorize!(isa, {
                count += 1;
                (1..=100_u32).sum::<u32>()
            });
            assert_eq!((count, sum), (1, 5050), "{isa}");
        }
    }
}
