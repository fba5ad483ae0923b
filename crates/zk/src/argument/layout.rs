//! [`Layout`]: which rows and columns of S hold messages, and which hold the pads that mask proofs
//! about them.

use alloc::vec::Vec;
use core::ops::Range;

use super::digits::Radix;
use super::field::{ArgumentField, CircuitField, with_field};
use crate::error::Error;
use crate::field::{ElementOf, Field, P61, P127, Word};
use crate::opening::LinearForm;
use crate::params::Params;
use crate::supported::{check_messages, check_supported};

/// Most slots of a layout.
pub(super) const MAX_SLOTS: usize = 64;

/// Rows and columns of S, for messages of `rows` places in `columns` columns: small integers, of
/// one row each, or elements of F, for circuits, in eight.
///
/// Rows: the message; gamma; then beta of slot 0, of slot 1 and so on, an element of K each in
/// digits. Columns: the *blocks* of slot 0, of slot 1 and so on, which are never opened; then the
/// columns of the messages, all of which may be opened, before and after any proofs. A block is 2
/// mu columns whose gamma masks the messages of the last sum-check, mu = ceil(log2(rows + 1)), and
/// as many columns as hold further masks in their message rows.
///
/// The rows below are uniform randomness. **One slot serves one list of [`Claims`](super::Claims)
/// about one T.** With two lists under the same pads, the difference of what the proofs show is an
/// equation about the messages that nothing hides, and with a few more the messages are known. That
/// holds for a T that is derived from this one, too, such as sums of its columns.
///
/// ```
/// use tautochrone_zk::argument::{Claims, Layout, RowRange, Ranges};
///
/// // 1024 bits in each of 4096 columns, and pads for a proof that they are bits.
/// let bits = Ranges::new(vec![RowRange { first_row: 0, rows: 1024, low: 0, high: 1 }])?;
/// let layout = Layout::new(1024, 4096).with_slot(&Claims::from(bits))?;
/// assert_eq!((layout.closed(), layout.columns()), (28, 4096));
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How elements of F are written, in pads and, where a place takes more than a row, in
    /// messages.
    pub(super) radix: Radix,
    /// Whether a place is an element of F, or an entry.
    pub(super) scalars: bool,
    rows: u32,
    columns: u64,
    /// Elements of K that each slot has besides gamma and beta.
    pub(super) masks: Vec<u32>,
}

impl Layout {
    /// Messages of integers that are entries of S, without a slot.
    #[must_use]
    pub const fn new(rows: u32, columns: u64) -> Self {
        Self::integers_over::<P61>(rows, columns)
    }

    /// The same for claims over the field of 2^127 - 1 elements, where integers are too large for
    /// 2^61 - 1: pads are longer.
    #[must_use]
    pub const fn of_large_integers(rows: u32, columns: u64) -> Self {
        Self::integers_over::<P127>(rows, columns)
    }

    /// The same over any field.
    #[doc(hidden)]
    #[must_use]
    pub const fn integers_over<F: ArgumentField>(rows: u32, columns: u64) -> Self {
        Self { radix: F::PADS, scalars: false, rows, columns, masks: Vec::new() }
    }

    /// Messages of elements of F, without a slot: the wires of circuits, and values for them. Of
    /// eight digits each over [`P61`], and of nine over [`Goldilocks`](super::Goldilocks).
    #[doc(hidden)]
    #[must_use]
    pub const fn over<F: CircuitField>(rows: u32, columns: u64) -> Self {
        Self { radix: F::RADIX, scalars: true, rows, columns, masks: Vec::new() }
    }

    /// The same with a slot of so many masks.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are 64 slots.
    pub(super) fn with_masks(mut self, masks: u32) -> Result<Self, Error> {
        Error::unless(self.masks.len() < MAX_SLOTS, "slots", MAX_SLOTS as u64 + 1, "at most 64")?;
        self.masks.push(masks);
        Ok(self)
    }

    /// Places of a message in a column.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// p of its field.
    pub(super) const fn p(&self) -> u128 {
        self.radix.p()
    }

    /// Bytes of an element of K.
    pub(super) fn element_len(&self) -> usize {
        with_field!(self, F => F::ELEMENT_LEN)
    }

    /// Whether this is its field.
    pub(crate) fn is_over<F: Field>(&self) -> bool {
        self.p() == F::P.into()
    }

    /// The number of its form in files: rows of a place; of integers for claims over
    /// [large integers](Self::of_large_integers), 2.
    pub(super) fn form_number(&self) -> u32 {
        if self.radix == Radix::P127 { 2 } else { self.place_rows() }
    }

    /// Rows of S that a place takes.
    pub(super) const fn place_rows(&self) -> u32 {
        if self.scalars { self.radix.digits } else { 1 }
    }

    /// Rows of S that a message takes; no overflow, as [`Self::check`] compares.
    pub(super) const fn message_rows(&self) -> u32 {
        self.rows.saturating_mul(self.place_rows())
    }

    /// The element that some rows of a place stand for.
    ///
    /// # Constant time
    /// In the entries.
    pub(super) fn place<F: Field, T: Copy + Into<i64>>(&self, rows: &[T]) -> ElementOf<F> {
        if self.scalars {
            ElementOf::monomial(self.radix.value::<F, T>(rows), 0)
        } else {
            Into::<i64>::into(rows[0]).into()
        }
    }

    /// The weights of the rows of places that have these.
    pub(super) fn row_weights<F: Field>(&self, weights: &[ElementOf<F>]) -> Vec<ElementOf<F>> {
        if !self.scalars {
            return weights.to_vec();
        }
        let of_place =
            |&weight: &ElementOf<F>| self.radix.powers::<F>().map(move |x| weight.scale(x));
        weights.iter().flat_map(of_place).collect()
    }

    /// Places of messages that an element of K takes, with what each is multiplied with.
    pub(super) fn mask_weights<F: Field>(&self) -> Vec<ElementOf<F>> {
        let powers = (0..3).map(|power| ElementOf::monomial(F::Word::ONE, power));
        if self.scalars { powers.collect() } else { self.radix.weights().collect() }
    }

    /// How many they are.
    pub(super) const fn mask_places(&self) -> u32 {
        if self.scalars { 3 } else { self.radix.rows() }
    }

    /// Columns of messages.
    #[must_use]
    pub const fn columns(&self) -> u64 {
        self.columns
    }

    /// Places of messages, one column after the other. Value i of an `InputSpace` is in place i;
    /// places behind the last value are 0.
    pub(super) fn capacity(&self) -> u64 {
        u64::from(self.rows) * self.columns
    }

    /// How many claims, or lists of claims, can be proved of one T.
    #[doc(hidden)]
    #[must_use]
    pub fn slots(&self) -> u32 {
        self.masks.len() as u32
    }

    /// Rows of pads: gamma, and beta of each slot.
    #[doc(hidden)]
    #[must_use]
    pub fn pad_rows(&self) -> u32 {
        if self.masks.is_empty() { 0 } else { self.radix.rows() * (self.slots() + 1) }
    }

    /// Rows of messages and pads: the first ones of S.
    #[doc(hidden)]
    #[must_use]
    pub fn all_rows(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.place_rows()) + u64::from(self.pad_rows())
    }

    /// Columns in front of the messages, which are never opened.
    #[must_use]
    pub fn closed(&self) -> u64 {
        self.masks.iter().map(|&masks| self.block_columns(masks)).sum()
    }

    /// l: the columns of all blocks and of the messages.
    #[doc(hidden)]
    #[must_use]
    pub fn all_columns(&self) -> u64 {
        self.closed().saturating_add(self.columns)
    }

    /// mu: variables of the rows of messages and one behind them.
    pub(super) const fn rounds(&self) -> usize {
        (self.rows as u64 + 1).next_power_of_two().ilog2() as usize
    }

    /// The same without a slot.
    pub(crate) fn without_slots(&self) -> Self {
        Self { masks: Vec::new(), ..self.clone() }
    }

    /// The same with more columns of messages.
    pub(super) fn longer(&self, columns: u64) -> Self {
        Self { columns: self.columns.saturating_add(columns), ..self.clone() }
    }

    /// Columns of a block whose gamma masks a message: 2 mu.
    const fn masking_columns(&self) -> u64 {
        2 * self.rounds() as u64
    }

    /// Columns of a block, the last ones of which hold digits of so many elements.
    fn block_columns(&self, masks: u32) -> u64 {
        let places = u64::from(masks) * u64::from(self.mask_places());
        self.masking_columns() + places.div_ceil(u64::from(self.rows).max(1))
    }

    /// Columns of all blocks that hold digits.
    pub(super) fn holding_columns(&self) -> u64 {
        self.closed() - self.masking_columns() * u64::from(self.slots())
    }

    /// Slot `index`.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is none.
    pub fn slot(&self, index: u32) -> Result<Slot, Error> {
        Error::unless(index < self.slots(), "slot", index, "a slot of the layout")?;
        Ok(Slot { layout: self.clone(), index })
    }

    /// # Errors
    /// [`Error::Parameter`] unless arguments are offered for these parameters, or there are no
    /// slots for them; they have the columns of this layout, A' is multiplied with all of its rows,
    /// and these hold digits.
    pub(super) fn check(&self, params: &Params) -> Result<(), Error> {
        if self.masks.is_empty() {
            check_messages(params)?;
        } else {
            check_supported(params)?;
        }
        if self.rows == 0 || self.columns == 0 {
            return Err(Error::parameter("rows and columns of messages", 0_u32, "at least 1"));
        }
        let expected = "the columns of messages and all blocks";
        Error::unless(self.all_columns() == params.l(), "l", params.l(), expected)?;
        let wide = params.message_mask_rows();
        let holds = wide == 0 || self.all_rows() == u64::from(wide);
        let expected = "the rows of messages and pads, where masks are mixed";
        Error::unless(holds, "rows of messages", wide, expected)?;
        let holds = self.all_rows() <= params.z_rows().into();
        let expected = "rows of messages and pads that A' is multiplied with";
        Error::unless(holds, "v - r", params.z_rows(), expected)?;
        let mut start = 0;
        for group in params.row_groups() {
            let has_digits = self.scalars || !self.masks.is_empty();
            if has_digits && start < self.all_rows() && group.bound < self.radix.bound {
                let expected = match self.radix.bound {
                    99 => "at least 99",
                    69 => "at least 69",
                    _ => "at least 2",
                };
                return Err(Error::parameter("b of rows of digits", group.bound, expected));
            }
            start += u64::from(group.rows);
        }
        Ok(())
    }
}

/// Where the pads of one list of claims are: rows of beta, a block of columns, and the rest of the
/// layout. **A slot serves one list of [`Claims`](super::Claims) about one T**, in any number of
/// proofs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    layout: Layout,
    /// Which one, from 0.
    pub(super) index: u32,
}

impl Slot {
    /// The layout that it is a slot of.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Elements of K that masks are, besides gamma and beta.
    pub(super) fn masks(&self) -> u32 {
        self.layout.masks[self.index as usize]
    }

    fn first_column(&self) -> u64 {
        let before = &self.layout.masks[..self.index as usize];
        before.iter().map(|&masks| self.layout.block_columns(masks)).sum()
    }

    /// F_2: the columns whose gamma masks a message.
    pub(super) fn masking(&self) -> Range<u64> {
        let first = self.first_column();
        first..first + self.layout.masking_columns()
    }

    /// F_1: the columns that hold digits of masks.
    pub(super) fn holding(&self) -> Range<u64> {
        let first = self.first_column();
        self.masking().end..first + self.layout.block_columns(self.masks())
    }

    /// How many columns F_1 has.
    pub(super) fn holding_columns(&self) -> usize {
        (self.holding().end - self.holding().start) as usize
    }

    /// How many masks are in a column in front of the messages: gamma, and in F_1 beta and the
    /// places.
    pub(super) fn masks_in(&self, column: u64) -> usize {
        if self.holding().contains(&column) { 2 + self.layout.rows() as usize } else { 1 }
    }

    /// D: the columns of messages.
    pub(super) fn data(&self) -> Range<u64> {
        self.layout.closed()..self.layout.all_columns()
    }

    /// Whether a column is in the table of the last sum-check: in F_1 or in D.
    pub(super) fn is_in_table(&self, column: u64) -> bool {
        self.holding().contains(&column) || self.data().contains(&column)
    }

    /// How many columns are in the table.
    pub(super) fn table_columns(&self) -> usize {
        self.holding_columns() + self.layout.columns as usize
    }

    /// What belongs to all columns, in their order, given it of the columns in the table and of the
    /// others.
    pub(super) fn in_order<T: Copy>(&self, table: &[T], others: &[T]) -> Vec<T> {
        let (mut table, mut others) = (table.iter(), others.iter());
        let next = |j| if self.is_in_table(j) { table.next() } else { others.next() };
        (0..self.layout.all_columns()).map_while(next).copied().collect()
    }

    fn pad<F: Field>(&self, index: u32) -> LinearForm<F> {
        let first = self.layout.message_rows() + self.layout.radix.rows() * index;
        LinearForm::new((first..).zip(self.layout.radix.weights()).collect())
    }

    /// val(gamma_j).
    pub(super) fn gamma<F: Field>(&self) -> LinearForm<F> {
        self.pad(0)
    }

    /// val(beta_j) of this slot.
    pub(super) fn beta<F: Field>(&self) -> LinearForm<F> {
        self.pad(1 + self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_at_most_64() {
        let layout = Layout::new(100, 50);
        assert!(layout.slot(0).is_err());
        let many = (0..MAX_SLOTS).try_fold(layout, |layout, _| layout.with_masks(0)).unwrap();
        assert!(many.slot(63).is_ok() && many.slot(64).is_err() && many.with_masks(0).is_err());
    }
}
