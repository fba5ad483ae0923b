//! Products by matrices of entries -1, 0, 1, without multiplications.
//!
//! Signed sums of a few entries of X are tabulated or looked up instead of computed:
//!
//! | module | X | Y | tables | indexed by |
//! |---|---|---|---|---|
//! | [`public_tables`] | words | public | sums of columns of X, in memory | Y |
//! | [`secret_lookup`] | 32-bit words | secret | sums of entries of X, in registers | Y |
//! | [`packed_lookup`] | small, packed | public | products with entries of Y, in registers | X |

mod indices;
pub(crate) mod packed_lookup;
pub(crate) mod public_tables;
mod row;
pub(crate) mod secret_lookup;

use core::fmt;

use tautochrone_simd::declassify;

use crate::error::Error;
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::Multiplier;
use crate::parallel;
use crate::word::Word;

/// A right operand whose entries are -1, 0 and 1, as checked when this is made.
///
/// ```
/// use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Ternary};
///
/// let (x, y) = ([1_u32, 2, 3, 4], [1_i8, -1]);
/// let y = Ternary::secret(Matrix::column_major(&y, 2, 1)?)?;
/// let mut z = [0; 2];
/// let z_view = MatrixMut::column_major(&mut z, 2, 1)?;
/// Multiplier::new().product(Matrix::row_major(&x, 2, 2)?, y).write_to(z_view)?;
/// assert_eq!(z, [u32::MAX, u32::MAX]); // 1 - 2 and 3 - 4
/// # Ok::<(), tautochrone_matmul::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Ternary<'a> {
    entries: Matrix<'a, i8>,
    public: bool,
}

impl<'a> Ternary<'a> {
    /// A secret matrix.
    ///
    /// # Errors
    /// [`Error::NotTernary`].
    ///
    /// # Constant time
    /// In the entries, here and in products, but for the verdict.
    pub fn secret(entries: Matrix<'a, i8>) -> Result<Self, Error> {
        Self::checked(entries, false)
    }

    /// A public matrix, whose entries may index tables.
    ///
    /// # Errors
    /// [`Error::NotTernary`].
    ///
    /// # Constant time
    /// Products with it take constant time in the other operand and in the result, and variable
    /// time in this one.
    pub fn public_vartime(entries: Matrix<'a, i8>) -> Result<Self, Error> {
        Self::checked(entries, true)
    }

    fn checked(entries: Matrix<'a, i8>, public: bool) -> Result<Self, Error> {
        let mut wrong = 0;
        entries.for_each_run(|run| {
            wrong |= run.iter().fold(0, |wrong, entry| {
                // 0, 1 or 2, or else with a higher bit or with both of the low ones.
                let digit = entry.cast_unsigned().wrapping_add(1);
                wrong | digit & 0xfc | digit & digit >> 1 & 1
            });
        });
        if declassify(wrong) != 0 {
            return Err(Error::NotTernary);
        }
        Ok(Self { entries: entries.with_bits(BITS), public })
    }

    /// Rows and columns.
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.entries.rows(), self.entries.columns())
    }

    /// The matrix.
    pub(crate) fn entries(&self) -> Matrix<'a, i8> {
        self.entries
    }

    /// Whether it is public.
    pub(crate) fn is_public(&self) -> bool {
        self.public
    }
}

impl fmt::Debug for Ternary<'_> {
    /// The shape only: entries may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ternary({} x {})", self.entries.rows(), self.entries.columns())
    }
}

/// Bits of an entry, sign included.
pub(crate) const BITS: u32 = 2;

/// Calls `f(first, columns of Z from there on)` on threads that share the columns of sums of `k`
/// terms. Each share but the last is a multiple of `multiple` columns. Nothing is called where
/// there is nothing to add.
fn share_columns<Z: Word>(
    multiplier: &Multiplier,
    k: usize,
    multiple: usize,
    z: MatrixMut<'_, Z>,
    f: impl Fn(usize, &mut MatrixMut<'_, Z>) + Sync,
) {
    let (m, n) = (z.rows(), z.columns());
    if m == 0 || n == 0 || k == 0 {
        return;
    }
    let parallel = multiplier.is_parallel(m.saturating_mul(n).saturating_mul(k));
    let share = if parallel { n.div_ceil(parallel::threads()) } else { n };
    let share = share.next_multiple_of(multiple).min(n);
    let (stride, data) = z.into_data();
    parallel::for_each(data.chunks_mut((share * stride).max(m)), parallel, |part, data| {
        let first = part * share;
        let columns = share.min(n - first);
        let z = &mut MatrixMut::strided(data, m, columns, stride).expect("some columns of Z");
        f(first, z);
    });
}
