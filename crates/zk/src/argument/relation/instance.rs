//! The relation as a claim. Where errors are committed, it is ranges of the messages, and one
//! linear claim more. Where they are not, the sum-check of ranges is one over a table that has
//! errors in the place of carries, which leaves one entry of its extension; as errors are linear in
//! the messages, that is a linear claim about these.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::weights::{Unknowns, products};
use super::{Known, Relation, equations};
use crate::argument::layout::Layout;
use crate::argument::linear::{Definition, Instance, LinearClaim, Sent, Turn};
use crate::error::Error;
use crate::field::{ElementOf, Field, P127};
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

impl<F: Field> Instance<F> for Relation {
    fn argue(&self, turn: Turn<'_, F>) -> Result<Vec<ElementOf<F>>, Error> {
        self.ranges().argue(turn)
    }

    /// Of errors that are not committed: the sum of W over the table is v, with errors as what they
    /// are of the messages; the last claim about the masks of the messages is the claim of ranges.
    fn replay(&self, transcript: &mut Transcript, sent: Sent<'_, F>) -> Vec<LinearClaim<'_, F>> {
        let (Some(known), layout) = (self.known(), sent.layout) else { return Vec::new() };
        if known.shape.commits_to_errors() {
            let mut claims = known.ranges.replay(transcript, sent);
            claims.push(equations::replay(known, transcript, layout));
            return claims;
        }
        let replayed = known.ranges.replay_rounds(transcript, sent);
        let schedule = &replayed.schedule;
        let (rows, columns) = (schedule.rows_point(), schedule.columns_point());
        let unknowns = Unknowns::new(known, rows, columns, layout.columns());
        let (value, mask) = replayed.value;
        let value = value - unknowns.public();
        let products = products(known, rows, columns, layout.columns());
        let (unknowns, masks) = (Box::new(unknowns), [mask].into());
        [LinearClaim { value, products, others: Some(unknowns), masks }, replayed.last].into()
    }
}
