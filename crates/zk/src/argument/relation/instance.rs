//! The relation as a claim. Where errors are committed, it is ranges of the messages, and one linear
//! claim more. Where they are not, the sum-check of ranges is one over a table that has errors in the
//! place of carries, which leaves one entry of its extension; as errors are linear in the messages,
//! that is a linear claim about these.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::weights::{Unknowns, products};
use super::{Known, Relation, equations};
use crate::argument::field::ArgumentField;
use crate::argument::layout::Layout;
use crate::argument::linear::{Definition, Instance, LinearClaim, Places, Sent, Turn};
use crate::error::Error;
use crate::field::{Element, ElementOf, P127};
use crate::opening::transcript::Transcript;
use crate::params::Params;

impl Definition for Relation {
    /// The digest.
    fn end(&self, _: &Layout) -> (u64, u64) {
        self.known().map_or((0, 0), |Known { placement, .. }| {
            (placement.rows().into(), placement.columns())
        })
    }

    fn check(&self, params: &Params, layout: &Layout) -> Result<(), Error> {
        let known = self.known().ok_or(Error::StatedByOthers)?;
        known.ranges.check(params, layout)?;
        let expected = "p of the relation's field";
        let holds = layout.is_over::<P127>() == self.is_wide();
        Error::unless(holds, "p of the layout", layout.p(), expected)?;
        self.check_norm_bound(params.message_norm_bound_squared())
    }

    fn sent(&self, layout: &Layout) -> usize {
        self.known().map_or(0, |known| known.ranges.sent(layout))
    }
}

impl Known {
    /// Of equations, where errors are committed.
    fn replay<F: ArgumentField>(
        &self,
        transcript: &mut Transcript,
        sent: Sent<'_, F>,
    ) -> Vec<LinearClaim<'_, F>> {
        let layout = sent.layout;
        let mut claims = self.ranges.replay(transcript, sent);
        claims.push(equations::replay(self, transcript, layout));
        claims
    }

    /// Where errors are not committed: the sum of W over the table is v, with errors as what they
    /// are of the messages; the last claim about the masks of the messages is the claim of ranges.
    fn replay_with_errors(
        &self,
        transcript: &mut Transcript,
        sent: Sent<'_>,
    ) -> Vec<LinearClaim<'_>> {
        let layout = sent.layout;
        let replayed = self.ranges.replay_rounds(transcript, sent);
        let (rows, columns) = (replayed.rows(), replayed.columns());
        let unknowns = Unknowns::new(self, rows, columns, layout);
        let (value, mask) = replayed.value;
        let value = value - unknowns.public();
        let mut places = products(self, rows, columns, layout.columns());
        places.push(Places::Each(Box::new(unknowns)));
        let places = Places::Sum(places);
        [LinearClaim { value, places, masks: [mask].into() }, replayed.last].into()
    }
}

/// Of equations alone, as [`Definition::check`] says.
impl Instance<P127> for Relation {
    fn argue(&self, turn: Turn<'_, P127>) -> Result<Vec<ElementOf<P127>>, Error> {
        self.ranges().argue(turn)
    }

    fn replay(
        &self,
        transcript: &mut Transcript,
        sent: Sent<'_, P127>,
    ) -> Vec<LinearClaim<'_, P127>> {
        let known = self.known().filter(|known| known.shape.commits_to_errors());
        known.map_or_else(Vec::new, |known| known.replay(transcript, sent))
    }
}

impl Instance for Relation {
    fn argue(&self, turn: Turn<'_>) -> Result<Vec<Element>, Error> {
        self.ranges().argue(turn)
    }

    fn replay(&self, transcript: &mut Transcript, sent: Sent<'_>) -> Vec<LinearClaim<'_>> {
        match self.known() {
            None => Vec::new(),
            Some(known) if known.shape.commits_to_errors() => known.replay(transcript, sent),
            Some(known) => known.replay_with_errors(transcript, sent),
        }
    }
}
