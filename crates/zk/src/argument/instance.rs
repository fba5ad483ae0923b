//! [`Instance`]: what a kind of claim defines, and [`LinearClaim`], to which it is reduced.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::layout::Layout;
use super::request::{Ask, Columns};
use crate::error::Error;
use crate::field::Element;
use crate::hash::Hasher;
use crate::opening::transcript::Transcript;
use crate::params::Params;

/// The definition of a kind of claim. A claim that is not linear has a sum-check of its own, which
/// leaves linear claims about the places of messages, and about the masks of the claim's messages.
pub(super) trait Instance {
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

    /// The prover's part: the elements that are sent from this state of the transcript on. `index` is
    /// the claim's place in its list, as workers know it.
    ///
    /// # Errors
    /// Errors of reading S.
    fn argue(
        &self,
        transcript: Transcript,
        masks: &[Element],
        index: u32,
        layout: &Layout,
        ask: &mut Ask<'_>,
    ) -> Result<Vec<Element>, Error>;

    /// The linear claims that are left when these elements were sent. The first of the claim's masks is
    /// mask number `first_mask`.
    fn replay(
        &self,
        transcript: &mut Transcript,
        sent: &[Element],
        first_mask: usize,
        layout: &Layout,
    ) -> Vec<LinearClaim<'_>>;
}

/// The sum over the places of messages of weight times element, plus the sum over k of `masks`_k
/// (mask k), is `value`. Public.
pub(super) struct LinearClaim<'a> {
    pub(super) value: Element,
    pub(super) places: Places<'a>,
    pub(super) masks: Vec<(usize, Element)>,
}

/// The weights of places.
pub(super) enum Places<'a> {
    /// 0.
    None,
    /// `rows`_a `columns`_j.
    Product { rows: Vec<(u32, Element)>, columns: Columns },
    /// Any.
    Each(Box<dyn Weights + 'a>),
    /// The sum of these.
    Sum(Vec<Self>),
}

/// Weights of places that are no product of weights of rows and of columns.
pub(super) trait Weights {
    /// The number of the first rows, of `rows` in all, behind which all weights are 0.
    fn end(&self, rows: usize) -> usize {
        rows
    }

    /// Adds `scale` times the weight of each of `rows` places a column to a table of `height` elements a
    /// column, which are at least as many as [`Self::end`].
    fn add(&self, scale: Element, rows: usize, height: usize, table: &mut [Element]);

    /// The sum over rows a and columns j of the weight times eq(`point`, a) `columns`_j, for `rows`
    /// places a column.
    fn at(&self, point: &[Element], rows: usize, columns: &[Element]) -> Element;
}
