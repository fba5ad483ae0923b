//! [`Paced`]: the next block's keystream, in equal parts beside the work on this one.

use tautochrone_simd::Token;

use super::beside::Next;

/// Registers of keystream, four at a time, spread over as many steps as a block has groups of 64
/// lanes.
pub(super) struct Paced<'a, 'b> {
    next: Next<'a, 'b>,
    /// Fours of registers to be made.
    fours: usize,
    /// Eighths of a four that have fallen due.
    due: usize,
}

/// Steps of a block.
const STEPS: usize = 8;

impl<'a, 'b> Paced<'a, 'b> {
    pub(super) const fn new(next: Next<'a, 'b>) -> Self {
        Self { fours: next.missing().div_ceil(4), next, due: 0 }
    }

    /// What falls due with a step. Never inlined: the registers of a kernel are its own between two
    /// steps, and a core executes what comes after a step alongside it.
    pub(super) fn step(&mut self) {
        self.next.token.vectorize(
            #[inline(always)]
            || {
                self.due += self.fours;
                while self.due >= STEPS {
                    self.due -= STEPS;
                    self.next.four();
                }
            },
        );
    }

    /// What is still missing.
    pub(super) fn complete(self) {
        self.next.complete();
    }
}
