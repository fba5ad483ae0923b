//! [`GaussianErrors`]: committed columns of Gaussian errors, and the claim that each of them is
//! short.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::claims::Claims;
use super::layout::Layout;
use super::ranges::{Ranges, RowNorm, RowRange};
use crate::error::Error;
use crate::params::{CustomParams, Goal, Params};
use crate::preset::Preset;
use crate::rows::{Distribution, RowGroup, RowGroups};
use crate::witness::check_messages;

/// Columns of discrete Gaussians as messages: where they lie, the claim that a proof shows of them,
/// exactly, and the parameters of the smallest such proof.
///
/// A message is `rows` errors, and behind them the bits of what their squared norm is smaller than
/// the bound, one that such errors exceed in one column of 2^64 ([`RowNorm::gaussian`]).
///
/// ```
/// use tautochrone_zk::argument::GaussianErrors;
/// use tautochrone_zk::{CustomParams, Error, Preset, Prover, PublicMatrix, Security, Seed, Verifier};
///
/// // The errors of the preset: 200 columns, besides the ones that mask the proof.
/// let errors = GaussianErrors::new(1024, 3_200_000)?;
/// let custom = Preset::N1_128.for_columns(200);
/// # let custom = CustomParams { w: 29, r: 32, v: 1038 + 162 + 96, n: Some(16), ..custom };
/// # let params = custom.validate(Security::Waived)?;
/// let layout = errors.layout(&params)?;
/// let messages = errors.messages(&[3, -1, 0, 7, -2, 4, -3, 2].repeat(128 * 200))?;
/// let a = PublicMatrix::new(&params, [1; 32]);
/// let witness = layout.witness(&a, &messages, &Seed::from_os()?)?;
/// let mut file = Vec::new();
/// let statement = a.commit_and_hold(&witness, &mut file)?;
///
/// let (slot, claims, seed) = (layout.slot(0)?, errors.claim().into(), Seed::from_os()?);
/// let proved = Prover::new(&a, &statement)?.prove_claims(b"", &slot, &claims, &witness, &seed)?;
/// let proof = proved.proof;
/// Verifier::new(&a, &statement)?.verify_claims(b"", &slot, &claims, &proof)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaussianErrors {
    micros: u64,
    norm: RowNorm,
}

impl GaussianErrors {
    /// Columns of `rows` errors of standard deviation `micros` / 10^6.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no row, if the standard deviation is not from 2 to 12.7, so
    /// that ten of it are a byte, or if the bound on squared norms or the number of rows is too
    /// large for a claim.
    pub fn new(rows: u32, micros: u64) -> Result<Self, Error> {
        let expected = "2 000 000 to 12 700 000, of which ten are a byte";
        let holds = (2_000_000..=12_700_000).contains(&micros);
        Error::unless(holds, "standard deviation in millionths", micros, expected)?;
        let errors = Self { micros, norm: RowNorm::gaussian(0, rows, micros, rows)? };
        errors.checked_claim()?;
        Ok(errors)
    }

    /// The errors of a preset that is for showing norms, else `None`.
    #[doc(hidden)]
    #[must_use]
    pub fn of(preset: Preset) -> Option<Self> {
        match preset {
            Preset::N1_128 | Preset::N4_128 => Self::new(1024, 3_200_000).ok(),
            _ => None,
        }
    }

    /// Errors of a column.
    #[doc(hidden)]
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.norm.rows
    }

    /// Entries of a message: errors, and bits.
    #[doc(hidden)]
    #[must_use]
    pub const fn message_rows(&self) -> u32 {
        self.norm.rows + self.norm.bits
    }

    /// The standard deviation of an error, in millionths.
    #[doc(hidden)]
    #[must_use]
    pub const fn micros(&self) -> u64 {
        self.micros
    }

    /// The prover's bound on an error, ten standard deviations: exceeded once in 2^75 errors.
    pub(crate) const fn bound(&self) -> u32 {
        self.micros.div_ceil(100_000) as u32
    }

    /// The claim: every column of errors is so short.
    #[must_use]
    pub fn claim(&self) -> Ranges {
        self.checked_claim().expect("checked when this was made")
    }

    fn checked_claim(&self) -> Result<Ranges, Error> {
        let RowNorm { first_bit, bits, .. } = self.norm;
        let parts = vec![RowRange { first_row: first_bit, rows: bits, low: 0, high: 1 }];
        Ranges::with_norms(parts, vec![self.norm])
    }

    /// Messages of columns of errors, one after the other: with the bits behind each.
    ///
    /// # Errors
    /// [`Error::Witness`] if they are not whole columns; [`Error::FalseFact`] if a column is
    /// longer than the claim says.
    ///
    /// # Constant time
    /// In the errors, but for whether a column is longer.
    pub fn messages(&self, errors: &[i8]) -> Result<Zeroizing<Vec<i8>>, Error> {
        let (rows, height) = (self.rows() as usize, self.message_rows() as usize);
        let columns = errors.chunks_exact(rows);
        let got = errors.len() as u64;
        check_messages(got, got.next_multiple_of(rows as u64))?;
        let mut messages = Zeroizing::new(vec![0; columns.len() * height]);
        for (message, column) in messages.chunks_exact_mut(height).zip(columns) {
            message[..rows].copy_from_slice(column);
        }
        self.claim().fill_slack(height, &mut messages)?;
        Ok(messages)
    }

    /// The layout of `columns` columns of errors, with a slot for the claim.
    pub(crate) fn layout_of(&self, columns: u64) -> Layout {
        let layout = Layout::new(self.message_rows(), columns);
        layout.with_slot(&Claims::from(self.claim())).expect("a slot for a claim about all columns")
    }

    /// The goal that the smallest proof for so many columns of errors is sought for. F^2
    /// counts the norm that they have together, and not the bound on the norm of each.
    #[must_use]
    pub fn goal(&self, columns: u64) -> Goal {
        self.layout_of(columns).goal_with_norm(self.bound(), self.mean_norm_squared(columns))
    }

    /// The rows and columns of messages and pads under these parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are no more columns than the masks need.
    pub fn layout(&self, params: &Params) -> Result<Layout, Error> {
        let l = params.l();
        // The block grows with the columns.
        let fits = |columns: &u64| self.layout_of(*columns).all_columns() == l;
        let closed = self.layout_of(l).closed().min(l);
        let columns = (l - closed..l).find(fits);
        let columns = columns.ok_or_else(|| {
            Error::parameter("l", l, "columns of errors and of the block that masks a proof")
        })?;
        Ok(self.layout_of(columns))
    }

    /// A bound on the squared norms of l messages together, which they exceed with probability
    /// below 2^-40, divided by l.
    fn mean_norm_squared(&self, l: u64) -> u64 {
        let gaussian = Distribution::Gaussian { micros: self.micros };
        let errors = RowGroup { rows: self.rows(), bound: self.bound(), distribution: gaussian };
        let bits = RowGroup { rows: self.norm.bits, bound: 1, distribution: Distribution::Any };
        let groups = RowGroups::new(&[errors, bits]).expect("two groups");
        // At most 2^20 rows of 12.7^2 and a little.
        groups.frobenius_squared(l).div_ceil(l.max(1).into()) as u64
    }
}

impl Preset {
    /// [`Self::custom`] for another number of columns. For presets of errors these are columns of
    /// messages, to which those that mask a proof are added, and F^2, and so sigma, follows from
    /// it.
    #[must_use]
    pub fn for_columns(self, columns: u64) -> CustomParams {
        let custom = self.custom();
        let Some(errors) = GaussianErrors::of(self) else {
            return CustomParams { l: columns, ..custom };
        };
        let CustomParams { w, r, v, .. } = custom;
        let CustomParams { l, frobenius_squared, .. } = errors.goal(columns).custom(w, r, v);
        CustomParams { l, frobenius_squared, ..custom }
    }
}

#[cfg(test)]
mod tests;
