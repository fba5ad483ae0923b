//! The relation as a claim: the sum-check of ranges over a table that has errors in the place of
//! carries, which leaves one entry of its extension. As errors are linear in the messages, that is
//! a linear claim about these.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::equations::Equations;
use super::weights::{Unknowns, products};
use super::{Instances, Relation};
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
        self.placement().map_or((0, 0), |placement| (placement.rows().into(), placement.columns()))
    }

    fn check(&self, params: &Params, layout: &Layout) -> Result<(), Error> {
        self.ranges_if_known().ok_or(Error::StatedByOthers)?.check(params, layout)?;
        let expected = "p of the relation's field";
        let holds = layout.is_over::<P127>() == self.is_wide();
        Error::unless(holds, "p of the layout", layout.p(), expected)?;
        self.check_norm_bound(params.message_norm_bound_squared())
    }

    fn sent(&self, layout: &Layout) -> usize {
        self.ranges_if_known().map_or(0, |ranges| ranges.sent(layout))
    }
}

impl Relation {
    /// Equations are one linear claim more than the ranges of the messages.
    fn replay_equations<'a, F: ArgumentField>(
        known: &'a Equations,
        transcript: &mut Transcript,
        sent: Sent<'_, F>,
    ) -> Vec<LinearClaim<'a, F>> {
        let layout = sent.layout;
        let mut claims = known.ranges.replay(transcript, sent);
        claims.push(known.replay(transcript, layout));
        claims
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
        match &self.instances {
            Instances::Equations(known) => Self::replay_equations(known, transcript, sent),
            _ => Vec::new(),
        }
    }
}

impl Instance for Relation {
    fn argue(&self, turn: Turn<'_>) -> Result<Vec<Element>, Error> {
        self.ranges().argue(turn)
    }

    /// The sum of W over the table is v, with errors as what they are of the messages; the last
    /// claim about the masks of the messages is the claim of ranges.
    fn replay(&self, transcript: &mut Transcript, sent: Sent<'_>) -> Vec<LinearClaim<'_>> {
        let layout = sent.layout;
        let known = match &self.instances {
            Instances::Named => return Vec::new(),
            Instances::WithErrors(known) => known,
            Instances::Equations(known) => {
                return Self::replay_equations(known, transcript, sent);
            }
        };
        let replayed = known.ranges.replay_rounds(transcript, sent);
        let (rows, columns) = (replayed.rows(), replayed.columns());
        let unknowns = Unknowns::new(known, rows, columns, layout);
        let (value, mask) = replayed.value;
        let value = value - unknowns.public();
        let mut places = products(known, rows, columns, layout.columns());
        places.push(Places::Each(Box::new(unknowns)));
        let places = Places::Sum(places);
        [LinearClaim { value, places, masks: [mask].into() }, replayed.last].into()
    }
}
