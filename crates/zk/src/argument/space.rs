//! [`PaddedSpace`]: messages over pads over randomness, in the rows and columns of a [`Layout`].

use tautochrone_ctr::{Label, Seed};
use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use alloc::vec::Vec;

use super::digits::{self, DIGITS, PAD_BOUND, PAD_ROWS};
use super::field::uniform_residue;
use super::layout::{Layout, Slot};
use crate::erase::Secrets;
use crate::error::Error;
use crate::estimate::Hardness;
use crate::hash::Hasher;
use crate::matrix::PublicMatrix;
use crate::params::{BLOCK, Params, Security};
use crate::uses::commitment::MessageSpace;
use crate::uses::sums::Sums;
use crate::uses::{column_unchecked, wide_column_unchecked};
use crate::witness::{RandomWitness, WitnessSource, check_bound};

/// Messages and pads of a [`Layout`] over uniform randomness, under some parameters.
///
/// **One slot serves one list of [`Claims`](super::Claims) about one T.** With two lists under the
/// same pads, the difference of what the proofs show is an equation about the messages that nothing
/// hides, and with a few more the messages are known. That holds for a T that is derived from this
/// one, too, such as sums of its columns.
#[derive(Clone, Debug)]
pub struct PaddedSpace {
    layout: Layout,
    hiding: Hardness,
}

impl PaddedSpace {
    /// The space of a layout under these parameters, which [`Layout::goal`] finds.
    ///
    /// # Errors
    /// [`Error::Parameter`] if arguments are not offered for the parameters, they have other columns
    /// than the layout, a row of messages or pads may not hold digits up to [`PAD_BOUND`], or fewer
    /// than r + 1 rows are left; unless waived, [`Error::Insecure`] as
    /// [`MessageSpace::new`](crate::uses::commitment::MessageSpace::new).
    pub fn new(params: &Params, layout: Layout, security: Security) -> Result<Self, Error> {
        layout.check(params)?;
        let hiding = MessageSpace::new(params, layout.end() as u32, security)?.hiding();
        Ok(Self { layout, hiding })
    }

    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What it costs to tell the messages in two commitments apart.
    #[must_use]
    pub const fn hiding(&self) -> Hardness {
        self.hiding
    }

    /// Slot `index` of the layout.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is none.
    pub fn slot(&self, index: u32) -> Result<Slot, Error> {
        self.layout.slot(index)
    }

    /// Column `index` of the messages, to open it: all of its entries, those of pads and randomness,
    /// too. Any column of messages may be opened, before and after any proofs (docs/protocol.md,
    /// section on openings). It is column [`Layout::closed`] + `index` of T.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no such column; else as [`column_unchecked`].
    pub fn open(
        &self,
        params: &Params,
        witness: &dyn WitnessSource,
        index: u64,
    ) -> Result<Zeroizing<Vec<i8>>, Error> {
        if index >= self.layout.columns() {
            return Err(Error::parameter("column", index, "a column of the messages"));
        }
        column_unchecked(params, witness, self.layout.closed() + index)
    }

    /// Sum `index` of columns of the witness, to open it: `sums` have these parameters, and add up
    /// columns of T.
    ///
    /// # Errors
    /// [`Error::ClosedColumn`] for a sum of which one column is in a block; the errors of
    /// [`Sums::witness`].
    pub fn open_sum(
        &self,
        params: &Params,
        witness: &dyn WitnessSource,
        (sums, sum_params): (&Sums, &Params),
        index: u64,
    ) -> Result<Zeroizing<Vec<i32>>, Error> {
        let closed = self.layout.closed();
        // A sum shows all of its columns: s_1 + s_2 = 2 is two entries of 1.
        if let Some(column) = sums.terms_of(index).find(|&column| column < closed) {
            return Err(Error::ClosedColumn { column, closed: 0..closed });
        }
        let witness = sums.witness(params, sum_params, witness)?;
        wide_column_unchecked(sum_params, &witness, index)
    }

    /// The witness of `messages` (rows times columns of the layout, column after column) for
    /// statements over `matrix`, with pads and randomness from a key H("padded witness", seed,
    /// statement header, rows, columns, masks of each slot, messages): what is used once is used for
    /// one T, whatever else a seed serves for.
    ///
    /// # Errors
    /// [`Error::MessageLength`]; [`Error::WitnessBound`]; [`Error::Parameter`] if the parameters have
    /// other columns.
    pub fn witness<'a>(
        &self,
        matrix: &PublicMatrix,
        messages: &'a [i8],
        seed: &Seed,
    ) -> Result<PaddedMessages<'a>, Error> {
        let (params, layout) = (&matrix.params, &self.layout);
        layout.check(params)?;
        let expected = u64::from(layout.rows()) * layout.columns();
        if messages.len() as u64 != expected {
            return Err(Error::MessageLength { got: messages.len() as u64, expected });
        }
        let bound = params.row_groups()[0].bound;
        check_bound(layout.rows(), bound, layout.closed(), messages)?;
        let mut hasher = Hasher::new(params.hash(), "padded witness")
            .field(seed.expose())
            .field(&params.header(&matrix.id).hashed_bytes())
            .number(layout.rows().into())
            .number(layout.columns());
        for &masks in layout.masks() {
            hasher = hasher.number(masks.into());
        }
        let key = hasher.field(bytemuck::cast_slice(messages)).finish_key();
        let key = Zeroizing::new(key);
        let seed = || Seed::from_bytes(*key);
        let blocks = blocks(params, layout, &seed());
        let layout = layout.clone();
        Ok(PaddedMessages {
            messages,
            blocks,
            key: seed(),
            randomness: RandomWitness::new(seed()),
            layout,
        })
    }

    /// The message in an opened column.
    #[must_use]
    pub fn message<'a, T>(&self, column: &'a [T]) -> &'a [T] {
        &column[..self.layout.rows() as usize]
    }
}

const MASKS: Label<'static> = Label::new("tautochrone-zk/2 masks");
const GAMMA: Label<'static> = Label::new("tautochrone-zk/2 gamma");
const BETA: Label<'static> = Label::new("tautochrone-zk/2 beta");

/// Digits of uniform elements of a stream, as many as there are.
///
/// # Constant time
/// In the digits.
fn fill_digits(params: &Params, key: &Seed, label: Label<'_>, index: u64, out: &mut [i8]) {
    let isa = Isa::detect_vectors();
    let mut stream = key.stream_with(isa, params.key_size(), label, index);
    let mut bytes = Zeroizing::new([0; 24]);
    for residue in out.chunks_exact_mut(DIGITS) {
        stream.fill(&mut *bytes);
        digits::write(uniform_residue(&bytes), PAD_BOUND, residue);
    }
}

/// The message rows and gamma of all columns in front of the messages, column after column. Secret.
fn blocks(params: &Params, layout: &Layout, key: &Seed) -> Secrets {
    let (rows, pad) = (layout.rows() as usize, PAD_ROWS as usize);
    let height = rows + pad;
    let mut blocks = Secrets::zeros(height * layout.closed() as usize);
    for index in 0..layout.slots() {
        let slot = layout.slot(index).expect("a slot of the layout");
        for j in slot.masking() {
            let gamma = &mut blocks[height * j as usize..][rows..height];
            fill_digits(params, key, GAMMA, j, gamma);
        }
        let mut masks = Secrets::<i8>::zeros(pad * slot.masks() as usize);
        fill_digits(params, key, MASKS, index.into(), &mut masks);
        for (j, digits) in slot.holding().zip(masks.chunks(rows)) {
            blocks[height * j as usize..][..digits.len()].copy_from_slice(digits);
        }
    }
    blocks
}

/// Messages over pads over randomness, as a witness; made by [`PaddedSpace::witness`].
pub struct PaddedMessages<'a> {
    messages: &'a [i8],
    /// Message rows and gamma of the columns in front.
    blocks: Secrets,
    key: Seed,
    randomness: RandomWitness,
    layout: Layout,
}

impl core::fmt::Debug for PaddedMessages<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PaddedMessages([REDACTED])")
    }
}

impl WitnessSource for PaddedMessages<'_> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        if params.entry_bytes() > 1 {
            return Err(Error::WideEntries { b: params.b() });
        }
        self.layout.check(params)?;
        let v = params.v() as usize;
        let (rows, end) = (self.layout.rows() as usize, self.layout.end() as usize);
        let (pads, closed) = (self.layout.pad_rows() as usize, self.layout.closed());
        let gamma = (PAD_ROWS as usize).min(pads);
        let first = first_block.saturating_mul(u64::from(BLOCK));
        self.randomness.fill(params, params.key_size(), first_block, out);
        crate::parallel::for_chunks(out, v, |j, column| {
            let j = first + j as u64;
            column[..end].fill(0);
            if j < closed {
                let block = &self.blocks[(rows + gamma) * j as usize..][..rows + gamma];
                column[..rows + gamma].copy_from_slice(block);
            } else {
                let start = (j - closed) as usize * rows;
                column[..rows].copy_from_slice(&self.messages[start..start + rows]);
            }
            fill_digits(params, &self.key, BETA, j, &mut column[rows + gamma..end]);
        });
        Ok(())
    }
}
