//! [`RoundedOff`]: what a prover knows to be rounded off T.

use zeroize::Zeroizing;

use crate::erase::redacted;
use crate::rounding::Rounding;
use crate::words::ModQ;
use tautochrone_simd::{Isa, vectorize};

/// T_0 of the last columns of T, or of all: r rows each, column after column. The prover alone
/// knows it; proofs need not hide it.
#[derive(Clone)]
pub(crate) struct RoundedOff {
    rounding: Rounding,
    /// T modulo the size of words that hold T_0.
    t: Zeroizing<ModQ>,
}

redacted!("RoundedOff", RoundedOff);

impl RoundedOff {
    pub(crate) fn new(rounding: Rounding, t: ModQ) -> Self {
        Self { rounding, t: Zeroizing::new(t) }
    }

    /// Adds columns of T behind these.
    pub(crate) fn append(&mut self, t: &ModQ) {
        self.t.append(t);
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.t.len()
    }

    /// Puts what `f` makes of the words from `start` on into all of `out`.
    pub(crate) fn read<T>(&self, start: usize, out: &mut [T], f: impl Fn(i64) -> T) {
        vectorize!(
            Isa::detect_vectors(),
            self.t.read(start, out, |word| f(self.rounding.low(word))),
        );
    }
}
