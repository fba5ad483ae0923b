//! [`Multiplier`]: what products run on. The products themselves are in `multiply.rs`.

use tautochrone_simd::{Isa, Ports};

use crate::choose::{How, Problem, Way};
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
/// In all entries of all operands, except a [`Ternary`](crate::Ternary) matrix that is said to be
/// public. Variable in shapes, strides, element types and stated widths, which are public.
///
/// ```
/// use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Threads};
///
/// let multiplier = Multiplier::new().with_threads(Threads::One);
/// let x = [1_u64, 2, 3, 4];
/// let mut z = [0_u64; 4];
/// let x = Matrix::column_major(&x, 2, 2)?;
/// multiplier.product(x, x).write_to(MatrixMut::column_major(&mut z, 2, 2)?)?;
/// assert_eq!(z, [7, 10, 15, 22]);
/// # Ok::<(), tautochrone_matmul::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Multiplier {
    isa: Isa,
    threads: Threads,
    /// Products are formed modulo two to this, at most the bits of the word.
    modulus_bits: u32,
    forced: Option<How>,
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
        Self { isa, threads: Threads::Ambient, modulus_bits: 64, forced: None }
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

    /// Forms products modulo `2^bits` where words have more; `bits` is clamped to 1..=64.
    ///
    /// Z then holds residues below `2^bits`. Operands may have higher bits, which do not count:
    /// kernels multiply `ceil(bits / 8)` byte digits of them, or products of at most 52 bits where
    /// the CPU has these. An operand that was packed modulo a smaller power is refused
    /// ([`Error::PackedDiffer`](crate::Error::PackedDiffer)).
    ///
    /// ```
    /// use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
    ///
    /// let (x, y, mut z) = ([1_u64 << 36], [3_i8], [0_u64]);
    /// let (x, y) = (Matrix::row_major(&x, 1, 1)?, Matrix::column_major(&y, 1, 1)?);
    /// let multiplier = Multiplier::new().with_modulus_bits(37);
    /// multiplier.product(x, y).write_to(MatrixMut::column_major(&mut z, 1, 1)?)?;
    /// assert_eq!(z, [1 << 36]); // 2^37 + 2^36 mod 2^37
    /// # Ok::<(), tautochrone_matmul::Error>(())
    /// ```
    #[must_use]
    pub const fn with_modulus_bits(self, bits: u32) -> Self {
        Self { modulus_bits: Width::unsigned(bits).bits, ..self }
    }

    /// Bits of the residues of a product of words of `word` bits.
    pub(crate) const fn residue_bits(&self, word: u32) -> u32 {
        if self.modulus_bits < word { self.modulus_bits } else { word }
    }

    /// The same, with products formed in this way wherever it takes them: for benches and tests.
    #[doc(hidden)]
    #[must_use]
    pub const fn by(self, way: Way) -> Self {
        Self { forced: Some(way.0), ..self }
    }

    /// The problem of products of entries of these widths.
    pub(crate) fn problem(
        &self,
        widths: (Width, Width),
        word: u32,
        size: Option<[usize; 3]>,
    ) -> Problem {
        let (isa, word) = (self.isa, self.residue_bits(word));
        Problem { isa, ports: Ports::here(), widths, word, size, ternary: None }
    }

    /// How to form a product.
    pub(crate) fn how(&self, problem: &Problem) -> How {
        match self.forced {
            Some(how) if problem.takes(how) => how,
            _ => problem.best(),
        }
    }

    /// The plan of a product that is multiplied.
    pub(crate) fn plan(&self, problem: &Problem) -> Plan {
        match self.forced {
            Some(How::Kernel(kernel)) => problem.plan(kernel),
            _ => None,
        }
        .unwrap_or_else(|| problem.best_plan())
    }

    pub(crate) fn is_parallel(&self, terms: usize) -> bool {
        self.threads == Threads::Ambient && terms >= MIN_PARALLEL_TERMS && parallel::threads() > 1
    }
}
