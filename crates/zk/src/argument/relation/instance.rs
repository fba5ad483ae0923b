//! The relation as a claim: the sum-check of ranges over a table that has errors in the place of
//! carries, which leaves one entry of its extension. As errors are linear in the messages, that is a
//! linear claim about these.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Relation;
use super::weights::{Unknowns, products};
use crate::argument::instance::{Definition, Instance, LinearClaim, Places};
use crate::argument::layout::Layout;
use crate::argument::request::Ask;
use crate::error::Error;
use crate::field::Element;
use crate::hash::Hasher;
use crate::opening::transcript::Transcript;
use crate::params::Params;

impl Definition for Relation {
    /// The digest.
    fn fields(&self, hasher: Hasher) -> Hasher {
        hasher.field(self.digest.as_bytes())
    }

    fn end(&self, _: &Layout) -> (u64, u64) {
        let end = |known: &super::Known| (known.placement.rows().into(), known.placement.columns());
        self.known.as_deref().map_or((0, 0), end)
    }

    fn check(&self, params: &Params, layout: &Layout) -> Result<(), Error> {
        if self.known.is_none() {
            return Err(Error::StatedByOthers);
        }
        self.ranges().check(params, layout)?;
        self.check_extracted(params)
    }

    fn masks(&self, layout: &Layout) -> usize {
        self.known.as_deref().map_or(0, |known| known.ranges.masks(layout))
    }

    fn sent(&self, layout: &Layout) -> usize {
        self.known.as_deref().map_or(0, |known| known.ranges.sent(layout))
    }
}

impl Instance for Relation {
    fn argue(
        &self,
        transcript: Transcript,
        masks: &[Element],
        index: u32,
        layout: &Layout,
        ask: &mut Ask<'_>,
    ) -> Result<Vec<Element>, Error> {
        self.ranges().argue(transcript, masks, index, layout, ask)
    }

    /// The sum of W over the table is v, with errors as what they are of the messages; the last claim
    /// about the masks of the messages is that of ranges.
    fn replay(
        &self,
        transcript: &mut Transcript,
        sent: &[Element],
        first_mask: usize,
        layout: &Layout,
    ) -> Vec<LinearClaim<'_>> {
        let replayed = self.ranges().replay_rounds(transcript, sent, first_mask, layout);
        let (known, rows, columns) = (self.known(), replayed.rows(), replayed.columns());
        let unknowns = Unknowns::new(known, rows, columns, layout);
        let (value, mask) = replayed.value;
        let value = value - unknowns.public();
        let mut places = products(known, rows, columns, layout.columns());
        places.push(Places::Each(Box::new(unknowns)));
        let places = Places::Sum(places);
        [LinearClaim { value, places, masks: [mask].into() }, replayed.last].into()
    }
}
