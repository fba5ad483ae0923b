//! [`Instance`], with its [`Definition`]: what a kind of claim defines, and [`LinearClaim`], to
//! which it is reduced.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::layout::Layout;
use super::request::{Ask, Columns};
use crate::error::Error;
use crate::field::{ElementOf, Field, P61};
use crate::hash::Hasher;
use crate::opening::transcript::Transcript;
use crate::params::Params;

/// The part of the definition of a kind of claim that depends on no field.
pub(super) trait Definition {
    /// Adds the claim to D_0.
    fn fields(&self, hasher: Hasher) -> Hasher;

    /// The row and the column of messages behind the last ones of the claim; no column where it is
    /// about all.
    fn end(&self, layout: &Layout) -> (u64, u64);

    /// # Errors
    /// [`Error::Parameter`] if entries that are extracted under these parameters may satisfy the claim
    /// modulo p alone, or the layout is not one of such claims.
    fn check(&self, params: &Params, layout: &Layout) -> Result<(), Error>;

    /// How many elements of K mask the claim's messages.
    fn masks(&self, layout: &Layout) -> usize;

    /// How many elements of K are sent.
    fn sent(&self, layout: &Layout) -> usize;
}

/// The definition of a kind of claim. A claim that is not linear has a sum-check of its own, which
/// leaves linear claims about the places of messages, and about the masks of the claim's messages.
pub(super) trait Instance<F: Field = P61>: Definition {
    /// The prover's part: the elements that are sent from this state of the transcript on. `index` is
    /// the claim's place in its list, as workers know it.
    ///
    /// # Errors
    /// Errors of reading S.
    fn argue(
        &self,
        transcript: Transcript,
        masks: &[ElementOf<F>],
        index: u32,
        layout: &Layout,
        ask: &mut Ask<'_, F>,
    ) -> Result<Vec<ElementOf<F>>, Error>;

    /// The linear claims that are left when these elements were sent. The first of the claim's masks is
    /// mask number `first_mask`.
    fn replay(
        &self,
        transcript: &mut Transcript,
        sent: &[ElementOf<F>],
        first_mask: usize,
        layout: &Layout,
    ) -> Vec<LinearClaim<'_, F>>;
}

/// The sum over the places of messages of weight times element, plus the sum over k of `masks`_k
/// (mask k), is `value`. Public.
pub(super) struct LinearClaim<'a, F: Field = P61> {
    pub(super) value: ElementOf<F>,
    pub(super) places: Places<'a, F>,
    pub(super) masks: Vec<(usize, ElementOf<F>)>,
}

/// The weights of places.
pub(super) enum Places<'a, F: Field = P61> {
    /// 0.
    None,
    /// `rows`_a `columns`_j.
    Product { rows: Vec<(u32, ElementOf<F>)>, columns: Columns<F> },
    /// Any.
    Each(Box<dyn Weights<F> + 'a>),
    /// The sum of these.
    Sum(Vec<Self>),
}

/// Weights of places that are no product of weights of rows and of columns.
pub(super) trait Weights<F: Field = P61> {
    /// The number of the first rows, of `rows` in all, behind which all weights are 0.
    fn end(&self, rows: usize) -> usize {
        rows
    }

    /// Adds `scale` times the weight of each of `rows` places a column to a table of `height` elements a
    /// column, which are at least as many as [`Self::end`].
    fn add(&self, scale: ElementOf<F>, rows: usize, height: usize, table: &mut [ElementOf<F>]);

    /// The sum over rows a and columns j of the weight times eq(`point`, a) `columns`_j, for `rows`
    /// places a column.
    fn at(&self, point: &[ElementOf<F>], rows: usize, columns: &[ElementOf<F>]) -> ElementOf<F>;
}
