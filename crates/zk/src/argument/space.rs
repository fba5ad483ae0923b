//! [`PaddedSpace`]: which rows of S hold messages, and which hold the pads under which facts about
//! them are proved.

use alloc::vec::Vec;

use tautochrone_ctr::{Label, Seed};
use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use super::batch::BatchSlot;
use super::digits::{self, DIGITS, PAD_BOUND, PAD_ROWS};
use super::field::uniform_residue;
use super::front::Front;
use super::ranges::{RANGE_PAD_ROWS, RangeSlot};
use super::slot::Slot;
use super::supported::check_supported;
use crate::error::Error;
use crate::estimate::Hardness;
use crate::hash::Hasher;
use crate::matrix::PublicMatrix;
use crate::params::{BLOCK, Params, Security};
use crate::uses::commitment::{MessageSpace, Messages};
use crate::uses::sums::Sums;
use crate::uses::{column_unchecked, wide_column_unchecked};
use crate::witness::WitnessSource;

/// Messages over some slots of pads over uniform randomness: rows 0 to `rows` - 1 of S are a
/// message, slot k is the [`PAD_ROWS`] rows from `rows` + `PAD_ROWS` k on. Behind these may be
/// slots for [`Ranges`](super::Ranges), of [`RANGE_PAD_ROWS`] rows each.
///
/// **One slot serves one [`Fact`](super::Fact), or one claim of ranges, about one T**; three slots
/// serve several [`Facts`](super::Facts) at once. With two facts under the same pads, the
/// difference of what the proofs show is an equation about the messages that nothing hides, and
/// with a few more the messages are known. That holds for a T that is derived from this one, too,
/// such as sums of its columns.
#[derive(Clone, Copy, Debug)]
pub struct PaddedSpace {
    rows: u32,
    slots: u32,
    range_slots: u32,
    front: Front,
    hiding: Hardness,
}

impl PaddedSpace {
    /// Messages of `rows` entries and `slots` slots under these parameters, which
    /// [`Goal::pad_slots`] finds.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the parameters are not of version 2 with lambda = 128, if there is
    /// no row or no slot, if a row of a pad may not hold digits up to [`PAD_BOUND`], or fewer than
    /// r + 1 rows are left; unless waived, [`Error::Insecure`] as
    /// [`MessageSpace::new`](crate::uses::commitment::MessageSpace::new).
    ///
    /// [`Goal::pad_slots`]: crate::Goal::pad_slots
    pub fn new(params: &Params, rows: u32, slots: u32, security: Security) -> Result<Self, Error> {
        if slots == 0 {
            return Err(Error::parameter("slots", slots, "at least 1"));
        }
        Self::with_ranges(params, rows, slots, 0, security)
    }

    /// The same with `range_slots` slots for claims of [`Ranges`](super::Ranges), and any number of
    /// slots for facts. [`Goal::range_slots`](crate::Goal::range_slots) finds parameters.
    ///
    /// # Errors
    /// As [`Self::new`], there being a slot of either kind.
    pub fn with_ranges(
        params: &Params,
        rows: u32,
        slots: u32,
        range_slots: u32,
        security: Security,
    ) -> Result<Self, Error> {
        check_supported(params)?;
        let expected = "at least 1, and few enough that randomness is left";
        if rows == 0 {
            return Err(Error::parameter("message rows", rows, expected));
        }
        let pads = slots.checked_mul(PAD_ROWS).zip(range_slots.checked_mul(RANGE_PAD_ROWS));
        let end = pads.and_then(|(facts, ranges)| facts.checked_add(ranges)?.checked_add(rows));
        let Some(end) = end.filter(|&end| end > rows) else {
            return Err(Error::parameter("slots", slots, expected));
        };
        let hiding = MessageSpace::new(params, end, security)?.hiding();
        let mut start = 0;
        for group in params.row_groups() {
            let group_start = start;
            start += group.rows;
            if group_start < end && start > rows && group.bound < PAD_BOUND {
                return Err(Error::parameter("b of rows of pads", group.bound, "at least 2"));
            }
        }
        Ok(Self { rows, slots, range_slots, front: Front::NONE, hiding })
    }

    /// The same with a front: the first `columns` columns are never opened, so that all others may
    /// be, before and after any proofs, in any order (docs/protocol.md, section 18). Their messages
    /// are zeros, or what nobody will ask for. Claims say how many they need
    /// ([`Facts::closed`](super::Facts::closed), [`Ranges::closed`](super::Ranges::closed)).
    ///
    /// Without a front any number of claims can be proved, but of columns with three slots for
    /// facts, or with a slot for ranges, none can be opened.
    #[must_use]
    pub const fn with_front(self, columns: u64) -> Self {
        Self { front: Front(columns), ..self }
    }

    /// Entries of a message.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// How many facts can be proved of one T.
    #[must_use]
    pub const fn slots(&self) -> u32 {
        self.slots
    }

    /// How many claims of ranges can be proved of one T.
    #[must_use]
    pub const fn range_slots(&self) -> u32 {
        self.range_slots
    }

    /// Columns that are never opened: the first ones.
    #[must_use]
    pub const fn front(&self) -> u64 {
        self.front.0
    }

    /// Column `index` of the witness, to open it.
    ///
    /// # Errors
    /// [`Error::ClosedColumn`] for a column in front; [`Error::OpensMasks`] if there is no front, but
    /// slots of pads of which any column may mask what proofs send; else as [`column_unchecked`].
    pub fn open(
        &self,
        params: &Params,
        witness: &dyn WitnessSource,
        index: u64,
    ) -> Result<Zeroizing<Vec<i8>>, Error> {
        self.check_opens()?;
        self.front.check_open(index)?;
        column_unchecked(params, witness, index)
    }

    /// Sum `index` of columns of the witness, to open it: `sums` have these parameters.
    ///
    /// # Errors
    /// As [`Self::open`], also for a sum of which one column is in front; the errors of
    /// [`Sums::witness`].
    pub fn open_sum(
        &self,
        params: &Params,
        witness: &dyn WitnessSource,
        (sums, sum_params): (&Sums, &Params),
        index: u64,
    ) -> Result<Zeroizing<Vec<i32>>, Error> {
        self.check_opens()?;
        self.front.check_sum(sums, index)?;
        let witness = sums.witness(params, sum_params, witness)?;
        wide_column_unchecked(sum_params, &witness, index)
    }

    /// # Errors
    /// [`Error::OpensMasks`].
    const fn check_opens(&self) -> Result<(), Error> {
        let masks = self.range_slots > 0 || self.slots >= BatchSlot::SLOTS;
        if masks && self.front.0 == 0 { Err(Error::OpensMasks) } else { Ok(()) }
    }

    /// What it costs to tell the messages in two commitments apart.
    #[must_use]
    pub const fn hiding(&self) -> Hardness {
        self.hiding
    }

    /// The row behind the last pad.
    const fn end(&self) -> u32 {
        self.rows + PAD_ROWS * self.slots + RANGE_PAD_ROWS * self.range_slots
    }

    /// Slot `index` for a claim of ranges.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is none.
    pub fn range_slot(&self, index: u32) -> Result<RangeSlot, Error> {
        if index >= self.range_slots {
            return Err(Error::parameter("range slot", index, "a slot of the space"));
        }
        let first_row = self.rows + PAD_ROWS * self.slots + RANGE_PAD_ROWS * index;
        Ok(RangeSlot::new(self.rows, first_row).behind(self.front))
    }

    /// Slot `index`.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is none.
    pub fn slot(&self, index: u32) -> Result<Slot, Error> {
        if index >= self.slots {
            return Err(Error::parameter("slot", index, "a slot of the space"));
        }
        Ok(Slot::new(self.rows, self.rows + PAD_ROWS * index).behind(self.front))
    }

    /// Slots `first`, `first` + 1 and `first` + 2, for several [`Facts`](super::Facts) at once.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are none.
    pub fn batch_slot(&self, first: u32) -> Result<BatchSlot, Error> {
        let slot = |more: u32| self.slot(first.saturating_add(more));
        Ok(BatchSlot::new([slot(0)?, slot(1)?, slot(2)?]))
    }

    /// The witness of `messages` (rows x l, column after column) for statements over `matrix`, with
    /// pads and randomness from a key H("padded witness", seed, statement header, rows, slots,
    /// slots for ranges if there are any, messages): what is used once is used for one T, whatever else a seed serves for.
    ///
    /// # Errors
    /// [`Error::MessageLength`]; [`Error::WitnessBound`].
    pub fn witness<'a>(
        &self,
        matrix: &PublicMatrix,
        messages: &'a [i8],
        seed: &Seed,
    ) -> Result<PaddedMessages<'a>, Error> {
        let params = &matrix.params;
        let mut hasher = Hasher::new(params.domain(), "padded witness")
            .field(seed.expose())
            .field(&params.header(&matrix.id).hashed_bytes())
            .number(self.rows.into())
            .number(self.slots.into());
        if self.range_slots > 0 {
            hasher = hasher.number(self.range_slots.into());
        }
        let hasher = hasher.field(bytemuck::cast_slice(messages));
        let key = Zeroizing::new(hasher.finish_key());
        let space = MessageSpace::new(params, self.rows, Security::Waived)?;
        Ok(PaddedMessages {
            messages: space.witness(params, messages, Seed::from_bytes(*key))?,
            pads: Seed::from_bytes(*key),
            space: *self,
        })
    }

    /// The message in a column.
    #[must_use]
    pub fn message<'a>(&self, column: &'a [i8]) -> &'a [i8] {
        &column[..self.rows as usize]
    }
}

/// Messages over pads over randomness, as a witness; made by [`PaddedSpace::witness`].
pub struct PaddedMessages<'a> {
    messages: Messages<'a>,
    pads: Seed,
    space: PaddedSpace,
}

impl core::fmt::Debug for PaddedMessages<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PaddedMessages([REDACTED])")
    }
}

impl PaddedMessages<'_> {
    const LABEL: Label<'static> = Label::new("tautochrone-zk/2 pads");
}

impl WitnessSource for PaddedMessages<'_> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let (v, start) = (params.v() as usize, self.space.rows as usize);
        let end = self.space.end() as usize;
        if end > v {
            return Err(Error::parameter(
                "v",
                params.v(),
                "at least the rows of messages and pads",
            ));
        }
        self.messages.read_columns(params, first_block, out)?;
        let isa = Isa::detect_vectors();
        crate::parallel::for_chunks(out, BLOCK as usize * v, |index, columns| {
            let index = first_block.wrapping_add(index as u64);
            let mut stream = self.pads.stream_with(isa, params.key_size(), Self::LABEL, index);
            let mut bytes = Zeroizing::new([0; 24]);
            for column in columns.chunks_exact_mut(v) {
                for residue in column[start..end].chunks_exact_mut(DIGITS) {
                    stream.fill(&mut *bytes);
                    digits::write(uniform_residue(&bytes), PAD_BOUND, residue);
                }
            }
        });
        Ok(())
    }
}
