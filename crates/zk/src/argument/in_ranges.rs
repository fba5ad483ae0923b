//! [`PublicMatrix::verify_in_ranges`]: a proof of facts beside one of the ranges of what they speak
//! of.

use super::fact::Fact;
use super::ranges::Ranges;
use crate::claim::{Claim, Shown};
use crate::error::{Error, Reason, VerifyError};
use crate::matrix::PublicMatrix;

impl Ranges {
    /// # Errors
    /// [`Error::Parameter`] unless every row that the fact speaks of is in a range.
    fn check_cover(&self, fact: &Fact) -> Result<(), Error> {
        let within = |row| self.parts().iter().any(|part| part.all().contains(&row));
        match fact.rows().find(|&row| !within(row)) {
            Some(row) => Err(Error::parameter("row of a fact", row, "a row of a range")),
            None => Ok(()),
        }
    }
}

impl PublicMatrix {
    /// Checks a proof of a fact, or of several, and with it a proof about the same statement that all
    /// entries of their rows lie in ranges, exactly. If this is not an error, the facts hold of
    /// values in these ranges: a sum of bits, say, is one of bits. A proof of a fact alone shows
    /// nothing of the entries, and somebody who commits to other integers proves any sum.
    ///
    /// # Errors
    /// [`VerifyError::NoVerdict`] with [`Error::Parameter`] unless `facts` shows facts and `ranges`
    /// shows ranges that every row of theirs is in; [`VerifyError::Invalid`] with
    /// [`Reason::OtherStatement`] if they are about two statements; the errors of
    /// [`Self::verify_batch`] for either.
    pub fn verify_in_ranges(
        &self,
        facts: &Claim<'_>,
        ranges: &Claim<'_>,
    ) -> Result<(), VerifyError> {
        let all = match facts.shows {
            Shown::Fact(_, fact) => core::slice::from_ref(fact),
            Shown::Facts(_, facts) => facts.facts(),
            _ => &[],
        };
        let Shown::Ranges(_, claim) = ranges.shows else {
            return Err(Error::parameter("ranges of facts", 0_u32, "a proof of ranges").into());
        };
        if all.is_empty() {
            return Err(Error::parameter("facts in ranges", 0_u32, "a proof of facts").into());
        }
        all.iter().try_for_each(|fact| claim.check_cover(fact))?;
        if facts.statement != ranges.statement {
            return Err(Reason::OtherStatement.into());
        }
        self.verify_batch(&[*facts, *ranges]).into_iter().collect()
    }
}
