//! [`Family`]: instances t_i = A_i s_i + e_i modulo q that one claim is about.

use alloc::borrow::Cow;

/// How the entries of a matrix are given, which is what its products cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Structure {
    /// Rows of integers. Secrets are the rows of a matrix of n columns, so that A x is the product of
    /// two matrices; n = 1 for a vector.
    Plain,
    /// Rows of polynomials modulo X^n + 1, for a power n of two; secrets are polynomials.
    Ring,
}

/// What all instances of a family have in common.
///
/// An instance has `columns` n secrets: entry y of block b is number b n + y. Its equation has `rows`
/// n rows, numbered alike, each with an error, and a carry k with A s + e = t + q k over the integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyShape {
    /// A name that no other family has.
    pub name: &'static str,
    /// q, from 2 to 2^16.
    pub modulus: u32,
    /// What blocks of A are.
    pub structure: Structure,
    /// n, a power of two.
    pub n: u32,
    /// Blocks of the equation.
    pub rows: u32,
    /// Blocks of secrets.
    pub columns: u32,
    /// The least and the largest secret, with 0 among them.
    pub secrets: (i32, i32),
    /// The least and the largest error, with 0 among them.
    pub errors: (i32, i32),
    /// The variance of honest secrets, in millionths, from which parameters follow.
    pub secret_variance: u64,
}

impl FamilyShape {
    /// Secrets of an instance.
    #[must_use]
    pub const fn secrets_len(&self) -> usize {
        self.columns as usize * self.n as usize
    }

    /// Rows of an instance's equation.
    #[must_use]
    pub const fn errors_len(&self) -> usize {
        self.rows as usize * self.n as usize
    }

    /// Secrets and carries of an instance.
    pub(super) const fn unknowns(&self) -> u64 {
        (self.rows as u64 + self.columns as u64) * self.n as u64
    }

    /// Integers that A consists of.
    pub(super) const fn matrix_len(&self) -> usize {
        self.rows as usize * self.row_len()
    }

    /// Entries in a row of blocks of A.
    pub(super) const fn row_len(&self) -> usize {
        match self.structure {
            Structure::Plain => self.columns as usize,
            Structure::Ring => self.secrets_len(),
        }
    }

    /// Secrets that one row of the equation adds up.
    pub(super) const fn terms(&self) -> u64 {
        self.row_len() as u64
    }
}

/// Instances t_i = A_i s_i + e_i modulo q of one shape: the public part, which a verifier has as well.
/// Entries are centred, in [-q/2, q/2), so that carries are small.
pub trait Family: Send + Sync {
    /// What the instances have in common.
    fn shape(&self) -> FamilyShape;

    /// How many instances there are.
    fn instances(&self) -> u64;

    /// Whether A_i is the same for all instances, which are then worked with at once. The claim and its
    /// proof are the same either way.
    fn is_common(&self) -> bool {
        false
    }

    /// Bytes from which A_i and t_i follow, as integers, in the way that the name of the shape says: no
    /// other A_i and t_i have them.
    fn encoding(&self, instance: u64) -> Cow<'_, [u8]>;

    /// t_i: at most 2^20 in absolute value.
    fn target(&self, instance: u64, out: &mut [i32]);

    /// Calls see(row, entries) for every row of blocks of A_i, in order: `columns` integers, or the
    /// coefficients of as many polynomials, the lowest first.
    fn rows(&self, instance: u64, see: &mut dyn FnMut(usize, &[i16]));
}
