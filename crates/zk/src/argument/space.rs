//! Messages over pads over randomness, in the rows and columns of a [`Layout`].

use tautochrone_ctr::{Label, Seed};
use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use alloc::vec::Vec;

use super::field::{CircuitField, with_field};
use super::layout::Layout;
use crate::erase::{Secrets, redacted};
use crate::error::Error;
#[cfg(feature = "committed")]
use crate::error::RequestProblem;
use crate::estimate::Hardness;
use crate::field::Field;
use crate::format::MAGIC_LEN;
use crate::hash::Hasher;
use crate::matrix::PublicMatrix;
use crate::params::{BLOCK, Goal, Params};
use crate::scalar::ScalarOf;
#[cfg(doc)]
use crate::suite::Masks;
#[cfg(feature = "committed")]
use crate::uses::Sums;
use crate::uses::column_of;
use crate::witness::{
    MessageRows, RandomWitness, WitnessSource, check_bound, check_bytes, check_messages,
};

/// Bound on the randomness beside digits to the base 199. A larger one hides with fewer rows and
/// makes Z longer: of 3 to 127, this one is within two percent of the best for 2^10 to 2^20 wires,
/// and two bytes of 256 are rejected when it is drawn.
const RANDOMNESS_BOUND: u32 = 63;

impl Layout {
    /// The goal that the smallest T is sought for: entries of messages up to `bound` in absolute
    /// value, and of randomness up to 1, or digits of elements of F, and randomness up to 63.
    ///
    /// [Mixed masks](Masks::Mixed) in the goal make each proof shorter by three tenths, and T
    /// longer by a tenth: for several proofs about one T, of a stated number.
    #[must_use]
    pub fn goal(&self, bound: u32) -> Goal {
        if self.scalars {
            return Goal {
                message_rows: u32::try_from(self.all_rows()).unwrap_or(u32::MAX),
                message_bound: Some(self.radix.bound),
                ..Goal::new(RANDOMNESS_BOUND, self.all_columns())
            };
        }
        let norm = u64::from(self.rows()) * u64::from(bound).saturating_pow(2);
        self.goal_with_norm(bound, norm)
    }

    /// The same where messages have this squared norm on average: masks in message rows are counted
    /// besides.
    #[doc(hidden)]
    #[must_use]
    pub fn goal_with_norm(&self, bound: u32, norm: u64) -> Goal {
        let (l, holding) = (self.all_columns(), self.holding_columns());
        let of_masks = u128::from(self.rows()) * u128::from(self.radix.bound).pow(2);
        let all = u128::from(self.columns()) * u128::from(norm) + u128::from(holding) * of_masks;
        let of_pads = if self.masks.is_empty() { 0 } else { self.radix.bound };
        Goal {
            message_rows: self.rows(),
            message_bound: Some(bound.max(of_pads)),
            message_norm_squared: u64::try_from(all.div_ceil(l.max(1).into())).ok(),
            pad_rows: self.pad_rows(),
            ..Goal::new(1, l)
        }
    }

    /// Bytes of a statement, and of a proof in its first slot without the claims, that are expected
    /// under these parameters.
    pub(super) fn expected_bytes(&self, params: &Params) -> [u128; 2] {
        let sent = u64::from(self.masks[0]) + 2 * self.rounds() as u64 + 1;
        let argument = self.element_len() as u64 * (sent + self.all_columns());
        [params.statement_bytes(), (params.expected_proof_bytes() + argument).into()]
    }

    /// The cost of telling the messages in two commitments apart, under parameters that
    /// [`Self::goal`] finds. [`Self::witness`] asks for a prover; a verifier for whom messages have
    /// to be hidden asks here.
    ///
    /// # Errors
    /// [`Error::Parameter`] if arguments are not offered for the parameters, they have other
    /// columns than the layout, a row of messages or pads may not hold digits, or fewer than r + 1
    /// rows are left; [`Error::Insecure`] as [`Params::hiding_of_messages`], unless that was waived
    /// for the parameters ([`Params::security`]).
    pub fn hiding(&self, params: &Params) -> Result<Hardness, Error> {
        self.check(params)?;
        params.hiding_of_messages(self.all_rows() as u32, params.security())
    }

    /// Column `index` of the messages, to open it: all of its entries, pads and randomness
    /// included. Any column of messages may be opened, before and after any proofs
    /// (docs/protocol.md, section on openings). It is column [`Layout::closed`] + `index` of T.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no such column of messages, or this is no layout of these
    /// parameters; errors of reading the witness.
    pub fn open(
        &self,
        params: &Params,
        witness: &dyn WitnessSource,
        index: u64,
    ) -> Result<Zeroizing<Vec<i8>>, Error> {
        // Another layout may have fewer closed columns.
        self.check(params)?;
        Error::unless(index < self.columns(), "column", index, "a column of the messages")?;
        column_of(params, witness, self.closed() + index)
    }

    /// Sum `index` of columns of the witness, to open it: `sums` have these parameters, and add up
    /// columns of T.
    ///
    /// # Errors
    /// [`Error::Request`] for a sum with a column in a block; [`Error::Parameter`] if this is no
    /// layout of these parameters; the errors of [`Sums::witness`].
    #[cfg(feature = "committed")]
    pub fn open_sum(
        &self,
        params: &Params,
        witness: &dyn WitnessSource,
        (sums, sum_params): (&Sums, &Params),
        index: u64,
    ) -> Result<Zeroizing<Vec<i32>>, Error> {
        self.check(params)?;
        let closed = self.closed();
        // A sum shows all of its columns: s_1 + s_2 = 2 is two entries of 1.
        if let Some(column) = sums.terms_of(index).find(|&column| column < closed) {
            return Err(Error::Request(RequestProblem::ClosedColumn { column, closed: 0..closed }));
        }
        let witness = sums.witness(params, sum_params, witness)?;
        column_of(sum_params, &witness, index)
    }

    /// The witness of `messages` (rows times columns of the layout, column after column) for
    /// statements over `matrix`, with pads and randomness from a key H("padded witness", seed,
    /// statement header, rows of a place, rows, columns, masks of each slot, messages): no other T
    /// has these, even if the seed serves for other things. Messages of elements of F are their
    /// digits.
    ///
    /// # Errors
    /// [`Error::Witness`]; as [`Self::hiding`].
    pub fn witness<'a>(
        &self,
        matrix: &PublicMatrix,
        messages: &'a [i8],
        seed: &Seed,
    ) -> Result<PaddedMessages<'a>, Error> {
        self.witness_for(matrix, &[], Messages::Borrowed(messages), seed)
    }

    /// The same where the name of a claim, or nothing, enters the key in front of the messages.
    pub(super) fn witness_for<'a>(
        &self,
        matrix: &PublicMatrix,
        claim: &[&[u8]],
        messages: Messages<'a>,
        seed: &Seed,
    ) -> Result<PaddedMessages<'a>, Error> {
        let hasher = self.hasher(matrix, seed, claim).field(bytemuck::cast_slice(&messages));
        self.witness_of(matrix, messages, hasher)
    }

    /// The same of elements of F, one after the other down the columns of messages; the places
    /// behind the last one are 0.
    pub(super) fn witness_of_scalars<F: CircuitField>(
        &self,
        matrix: &PublicMatrix,
        values: &[ScalarOf<F>],
        claim: &[&[u8]],
        seed: &Seed,
    ) -> Result<PaddedMessages<'static>, Error> {
        let expected = "at most as many as there are places";
        let holds = values.len() as u64 <= self.capacity();
        Error::unless(holds, "values", values.len() as u64, expected)?;
        let mut hasher = self.hasher(matrix, seed, claim);
        hash_scalars(&mut hasher, values);
        self.witness_of(matrix, Messages::Owned(digits(self, self.columns(), values)), hasher)
    }

    fn hasher(&self, matrix: &PublicMatrix, seed: &Seed, claim: &[&[u8]]) -> Hasher {
        let hasher = Hasher::new(matrix.params.hash(), "padded witness")
            .field(seed.expose())
            .field(&matrix.params.header(&matrix.id)[MAGIC_LEN..])
            .number(self.form_number().into())
            .number(self.rows().into())
            .number(self.columns());
        let masks = self.masks.iter();
        let hasher = masks.fold(hasher, |hasher, &masks| hasher.number(masks.into()));
        claim.iter().fold(hasher, |hasher, field| hasher.field(field))
    }

    fn witness_of<'a>(
        &self,
        matrix: &PublicMatrix,
        messages: Messages<'a>,
        hasher: Hasher,
    ) -> Result<PaddedMessages<'a>, Error> {
        let (params, layout) = (&matrix.params, self);
        layout.hiding(params)?;
        let expected = u64::from(layout.message_rows()) * layout.columns();
        let entries: &[i8] = &messages;
        check_messages(entries.len() as u64, expected)?;
        let bound = params.row_groups()[0].bound;
        check_bound(layout.message_rows(), bound, layout.closed(), entries)?;
        let key = Seed::from_bytes(*Zeroizing::new(hasher.finish_key()));
        let blocks = blocks(params, layout, &key);
        Ok(PaddedMessages { blocks, ..PaddedMessages::new(layout, messages, key) })
    }
}

const MASKS: Label<'static> = Label::new("tautochrone-zk/2 masks");
const GAMMA: Label<'static> = Label::new("tautochrone-zk/2 gamma");
const BETA: Label<'static> = Label::new("tautochrone-zk/2 beta");

/// Adds a field of values, eight bytes each.
pub(super) fn hash_scalars<F: CircuitField>(hasher: &mut Hasher, scalars: &[ScalarOf<F>]) {
    hasher.words(scalars.iter().map(|scalar| scalar.value()));
}

/// The digits of elements of F in the places of `columns` columns, 0 behind the last one.
///
/// # Constant time
/// In the elements.
pub(super) fn digits<F: CircuitField>(
    layout: &Layout,
    columns: u64,
    values: &[ScalarOf<F>],
) -> Secrets {
    let (rows, digits) = (layout.message_rows() as usize, layout.place_rows() as usize);
    let places = layout.rows() as usize;
    let mut entries = Secrets::zeros(rows * columns as usize);
    crate::parallel::for_chunks(&mut entries, rows, |j, column| {
        let start = values.len().min(places * j);
        for (value, out) in values[start..].iter().zip(column.chunks_exact_mut(digits)) {
            layout.radix.write::<F>(value.value(), out);
        }
    });
    entries
}

/// Digits of uniform elements of a stream, as many as there are.
///
/// # Constant time
/// In the digits.
fn fill_digits(
    params: &Params,
    layout: &Layout,
    key: &Seed,
    (label, index): (Label<'_>, u64),
    out: &mut [i8],
) {
    let isa = Isa::detect_vectors();
    let mut stream = key.stream_with(isa, params.key_size(), label, index);
    let mut bytes = Zeroizing::new([0; 32]);
    let radix = layout.radix;
    with_field!(layout, F => {
        let bytes = &mut bytes[..F::UNIFORM_LEN];
        for residue in out.chunks_exact_mut(radix.digits as usize) {
            stream.fill(bytes);
            radix.write::<F>(F::uniform_residue(bytes), residue);
        }
    });
}

/// The message rows and gamma of all columns in front of the messages, column after column. Secret.
fn blocks(params: &Params, layout: &Layout, key: &Seed) -> Secrets {
    let (rows, radix) = (layout.message_rows() as usize, layout.radix);
    let pad = radix.rows() as usize;
    let height = rows + pad;
    let mut blocks = Secrets::zeros(height * layout.closed() as usize);
    for index in 0..layout.slots() {
        let slot = layout.slot(index).expect("a slot of the layout");
        for j in slot.masking() {
            let gamma = &mut blocks[height * j as usize..][rows..height];
            fill_digits(params, layout, key, (GAMMA, j), gamma);
        }
        let mut masks = Secrets::<i8>::zeros(pad * slot.masks() as usize);
        fill_digits(params, layout, key, (MASKS, index.into()), &mut masks);
        for (j, digits) in slot.holding().zip(masks.chunks(rows)) {
            blocks[height * j as usize..][..digits.len()].copy_from_slice(digits);
        }
    }
    blocks
}

/// Messages as they are in S.
pub(super) enum Messages<'a> {
    Borrowed(&'a [i8]),
    Owned(Secrets),
}

impl core::ops::Deref for Messages<'_> {
    type Target = [i8];
    fn deref(&self) -> &[i8] {
        match self {
            Self::Borrowed(messages) => messages,
            Self::Owned(messages) => messages,
        }
    }
}

/// Messages over pads over randomness, as a witness; made by [`Layout::witness`].
pub struct PaddedMessages<'a> {
    messages: Messages<'a>,
    /// Message rows and gamma of the columns in front.
    blocks: Secrets,
    key: Seed,
    randomness: RandomWitness,
    layout: Layout,
}

redacted!("PaddedMessages", PaddedMessages<'_>);

impl<'a> PaddedMessages<'a> {
    /// Without columns in front.
    fn new(layout: &Layout, messages: Messages<'a>, key: Seed) -> Self {
        let randomness = RandomWitness::new(Seed::from_bytes(*key.expose()));
        let layout = layout.clone();
        Self { messages, blocks: Secrets::zeros(0), key, randomness, layout }
    }

    /// Columns of elements of F that follow the columns of a statement with this layout.
    pub(super) fn behind<F: CircuitField>(
        layout: &Layout,
        columns: u64,
        values: &[ScalarOf<F>],
        key: Seed,
    ) -> Self {
        Self::new(layout, Messages::Owned(digits(layout, columns, values)), key)
    }

    /// Rows of gamma.
    fn gamma(&self) -> usize {
        let rest = self.layout.all_rows() - u64::from(self.layout.message_rows());
        u64::from(self.layout.radix.rows()).min(rest) as usize
    }

    /// Columns in front.
    fn closed(&self) -> usize {
        if self.blocks.is_empty() { 0 } else { self.layout.closed() as usize }
    }

    /// The columns from block `first_block` on: their lengths are those that were checked.
    ///
    /// # Errors
    /// [`Error::Witness`] if there are fewer.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(super) fn fill(
        &self,
        params: &Params,
        first_block: u64,
        out: &mut [i8],
    ) -> Result<(), Error> {
        check_bytes(params)?;
        let v = params.v() as usize;
        let (rows, end) = (self.layout.message_rows() as usize, self.layout.all_rows() as usize);
        let (gamma, closed) = (self.gamma(), self.closed());
        let first = first_block.saturating_mul(u64::from(BLOCK)) as usize;
        let all = closed + self.messages.len() / rows;
        let needed = first.saturating_add(out.len() / v);
        check_messages(all.min(needed) as u64, needed as u64)?;
        self.randomness.fill(params, params.key_size(), first_block, out);
        crate::parallel::for_chunks(out, v, |j, column| {
            let j = first + j;
            column[..end].fill(0);
            if j < closed {
                let block = &self.blocks[(rows + gamma) * j..][..rows + gamma];
                column[..rows + gamma].copy_from_slice(block);
            } else {
                let message = &self.messages[(j - closed) * rows..][..rows];
                column[..rows].copy_from_slice(message);
            }
            let beta = &mut column[rows + gamma..end];
            fill_digits(params, &self.layout, &self.key, (BETA, j as u64), beta);
        });
        Ok(())
    }
}

impl WitnessSource for PaddedMessages<'_> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        self.layout.check(params)?;
        self.fill(params, first_block, out)
    }

    fn messages(&self, params: &Params) -> Option<MessageRows<'_>> {
        let holds = self.layout.check(params).is_ok() && params.entry_bytes() == 1;
        let (first, rows) = (self.closed() as u64, self.layout.message_rows() as usize);
        holds.then_some(MessageRows { first, rows, entries: &self.messages })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::waived;
    use crate::field::P61;
    use crate::params::CustomParams;

    /// Where 256 bits are claimed the randomness of a commitment has keys of as many.
    #[test]
    fn randomness_is_as_secret_as_lambda_says() {
        for (lambda, same) in [(128, true), (256, false)] {
            let custom = CustomParams { n: Some(16), ..CustomParams::new(32, 32, 96, 300, 1) };
            let params = waived(CustomParams { lambda, ..custom });
            let seed = || Seed::from_bytes([5; 32]);
            let read = |witness: &dyn WitnessSource| {
                let mut columns = vec![0; 96 * 44];
                witness.read_columns(&params, 1, &mut columns).unwrap();
                columns
                    .chunks_exact(96)
                    .flat_map(|column| column[40..].to_vec())
                    .collect::<Vec<_>>()
            };
            let layout = Layout::new(40, 300);
            let committed = read(&PaddedMessages::behind::<P61>(&layout, 300, &[], seed()));
            // Of 128-bit keys.
            let random = read(&RandomWitness::new(seed()));
            assert_eq!(committed == random, same, "lambda = {lambda}");
        }
    }
}
