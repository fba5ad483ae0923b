//! [`ExactKeys::verify`]: the equation of the dummy columns' values, and the proof that these and
//! the hints belong to the columns.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::ExactKeys;
use super::claim::FinalMessages;
use super::published::widen;
use crate::argument::ranges::schedule::Schedule;
use crate::check::Check;
use crate::error::{Error, Fault, Reason};
use crate::field::Element;
use crate::opening::ColumnOpening;
use crate::pending::{Pending, settle_one};
use crate::sum_check::dot;

impl ExactKeys<'_> {
    /// Checks a proof in a user's context, with T in memory or [from a file](Self::with_file). If
    /// this is not an error, the prover knows for every key t an s and an e with A' s + e = t whose
    /// entries lie within the bounds of the claim, exactly.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the file, the claim, T or an equation is another;
    /// [`Error::Malformed`](crate::Error::Malformed) if it is no such file or the file has another
    /// T than the statement, [`Error::Io`](crate::Error::Io) if T cannot be read.
    pub fn verify(&self, context: &[u8], proof: &[u8]) -> Result<(), Error> {
        settle_one(self.pending(context, proof))
    }

    /// All that [`Self::verify`] checks but for what needs T.
    pub(crate) fn pending(&self, context: &[u8], proof: &[u8]) -> Result<Pending<'_>, Error> {
        let parts = self.split(proof)?;
        let dummies =
            widen(&self.extended, parts.columns).ok_or(Reason::Content(Fault::Encoding))?;
        let extended = self.extend(&dummies)?;
        let start = self.transcript(&extended);
        let digest = extended.digest(&self.context(context));
        let count = self.extended.elements() as usize;
        let (sent, proof) = parts.decode(self.params(), [start.state(), &digest], count)?;
        let (messages, rest) = sent.split_at(self.dummies() as usize);
        let (ends, values) = rest.split_at(rest.len() - messages.len());
        let ends = FinalMessages::of(ends);
        let mut schedule = self.after_rounds(Schedule::replay(start, self.shape(), messages));
        let rho = schedule.rho(&ends);
        let w = schedule.pad_weights();
        let rest = dot(&w, messages) - schedule.last_claim(&self.ranges, &ends.hints);
        let expected = ends.weighted_masks + rho * (ends.weighted_hints + rho * rest);
        if dot(&w, values) != expected {
            return Err(Reason::Content(Fault::Equation).into());
        }
        let state = schedule.finish(values);
        let opening = ColumnOpening::new(state, schedule.form(rho));
        let mut all: Vec<Element> = ends.hints.iter().map(|&hint| rho * hint).collect();
        all.extend(values);
        let check = Check::opened(&self.matrix, digest, proof, opening.with_values(all));
        Ok(Pending::new(check, Cow::Owned(extended), self.statement_file))
    }
}
