//! [`Multiplier`]: what a product runs on. Its products are in other files: `multiply` and `lookup` have those that users call.

use tautochrone_simd::Isa;

use crate::digits::Width;
use crate::error::Error;
use crate::kernel::Way;
use crate::matrix::MatrixMut;
use crate::parallel;
use crate::plan::Plan;
use crate::word::Word;

/// Which threads a product may use. The result never depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Threads {
    /// The calling thread.
    One,
    /// The rayon pool that the caller runs in, the global one by default; without the feature `rayon`, as `One`.
    #[default]
    Ambient,
}

/// Products of fewer terms than this stay on the calling thread: about 50 microseconds of work.
const PARALLEL_TERMS: usize = 1 << 20;
/// Forms products on one instruction set. Cheap to make, holds no memory.
///
/// # Constant time
/// In all entries of all operands. Variable in shapes, strides, element types and promised widths, which are public.
#[derive(Clone, Copy, Debug)]
pub struct Multiplier {
    isa: Isa,
    threads: Threads,
    forced: Option<Way>,
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
            Some(way) => Plan::with(way, x, y, word),
            None => None,
        }
        .unwrap_or_else(|| Plan::new(self.isa, x, y, word))
    }

    pub(crate) fn is_parallel(&self, terms: usize) -> bool {
        self.threads == Threads::Ambient && terms >= PARALLEL_TERMS && parallel::threads() > 1
    }
}

#[cfg(test)]
impl Multiplier {
    /// The same, going this way wherever it gives exact sums.
    pub(crate) const fn forced(self, way: Way) -> Self {
        Self { forced: Some(way), ..self }
    }
}

pub(crate) fn check<W: Word>(
    x: (usize, usize),
    y: (usize, usize),
    z: &MatrixMut<'_, W>,
) -> Result<(), Error> {
    if x.1 == y.0 && x.0 == z.rows() && y.1 == z.columns() {
        return Ok(());
    }
    Err(Error::Shape {
        x_rows: x.0,
        x_columns: x.1,
        y_rows: y.0,
        y_columns: y.1,
        z_rows: z.rows(),
        z_columns: z.columns(),
    })
}
