//! [`Multiplier`]: what products run on. The products themselves are in `multiply.rs`.

use tautochrone_simd::Isa;

use crate::kernel::Kernel;
use crate::parallel;
use crate::product::plan::Plan;
use crate::width::Width;

/// Which threads a product may use. The result never depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Threads {
    /// The calling thread.
    One,
    /// The rayon pool that the caller runs in, the global one by default; without the feature
    /// `rayon`, as `One`.
    #[default]
    Ambient,
}

/// Products of fewer terms than this stay on the calling thread: about 50 microseconds of work.
const MIN_PARALLEL_TERMS: usize = 1 << 20;

/// Forms products on one instruction set. Cheap to make, holds no memory.
///
/// # Constant time
/// In all entries of all operands, but for those of a [`Ternary`](crate::Ternary) matrix that is
/// said to be public. Variable in shapes, strides, element types and stated widths, which are
/// public.
#[derive(Clone, Copy, Debug)]
pub struct Multiplier {
    isa: Isa,
    threads: Threads,
    forced: Option<Kernel>,
}

impl Default for Multiplier {
    fn default() -> Self {
        Self::new()
    }
}

impl Multiplier {
    /// On the best instruction set and the ambient threads.
    #[must_use]
    pub fn new() -> Self {
        Self::new_on(Isa::detect())
    }

    /// On a chosen instruction set and the ambient threads.
    #[must_use]
    pub const fn new_on(isa: Isa) -> Self {
        Self { isa, threads: Threads::Ambient, forced: None }
    }

    /// The same, on these threads.
    #[must_use]
    pub const fn with_threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// The instruction set.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.isa
    }

    pub(crate) fn plan(&self, x: Width, y: Width, word: u32) -> Plan {
        match self.forced {
            Some(kernel) => Plan::with_kernel(kernel, x, y, word),
            None => None,
        }
        .unwrap_or_else(|| Plan::new(self.isa, x, y, word))
    }

    pub(crate) fn is_parallel(&self, terms: usize) -> bool {
        self.threads == Threads::Ambient && terms >= MIN_PARALLEL_TERMS && parallel::threads() > 1
    }
}

#[cfg(test)]
impl Multiplier {
    /// The same, with this kernel wherever it gives exact sums.
    pub(crate) const fn forced(self, kernel: Kernel) -> Self {
        Self { forced: Some(kernel), ..self }
    }
}
