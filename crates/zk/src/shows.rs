//! [`Shows`]: what a proof file says that it shows.

use core::fmt;

use crate::argument::keys::proof::stated_claim;
use crate::argument::proof::stated_claims;
use crate::argument::{Claims, KeyRanges, P127, Ranges, Slot};
use crate::error::Error;
use crate::format::ProofKind;
use crate::params::Params;

/// The claim that a proof file states. As text it is one sentence.
///
/// ```
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = custom.validate(Security::Waived)?;
/// # let a = PublicMatrix::new(&params, [1; 32]);
/// # let witness = RandomWitness::new(Seed::from_os()?);
/// # let mut file = Vec::new();
/// # let statement = a.commit_and_hold(&witness, &mut file)?;
/// # let proved = Prover::new(&a, &statement)?.prove(b"", &witness, &Seed::from_os()?)?;
/// # let proof = proved.proof;
/// let shows = Verifier::new(&a, &statement)?.with_file(&file).verify_file(b"", &proof, &[])?;
/// assert_eq!(shows.to_string(), "knowledge of a short preimage of every column");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shows {
    /// That somebody knows S.
    Knowledge,
    /// Claims about messages.
    Claims(Slot, Claims),
    /// That keys are well formed.
    Keys(KeyRanges),
}

impl Shows {
    /// The claim of a file. Nothing is shown before it is verified.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed) if claims cannot be read, [`Error::Invalid`]
    /// if there are no such claims about this statement.
    #[doc(hidden)]
    pub fn of(proof: &[u8], params: &Params) -> Result<Self, Error> {
        let begins_as = |kind: ProofKind| proof.starts_with(&kind.magic());
        if begins_as(ProofKind::Claims) {
            let (slot, claims) = stated_claims(proof, params)?;
            return Ok(Self::Claims(slot, claims));
        }
        if begins_as(ProofKind::Keys) {
            return Ok(Self::Keys(stated_claim(proof, params)?));
        }
        Ok(Self::Knowledge)
    }
}

impl fmt::Display for Shows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Knowledge => f.write_str("knowledge of a short preimage of every column"),
            Self::Claims(slot, claims) => {
                let (columns, closed) = (slot.layout().columns(), slot.layout().closed());
                let over_p127 = slot.layout().is_over::<P127>();
                let field = if over_p127 { ", over 2^127 - 1" } else { "" };
                write!(f, "of the last {columns} columns, {closed} in front{field}: {claims}")
            }
            Self::Keys(claim) => {
                let [secret, error] = [claim.secret_bound(), claim.error_bound()];
                write!(
                    f,
                    "every column is a key with secrets in [-{secret}, {secret}] and errors in \
                     [-{error}, {error}]"
                )
            }
        }
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for part in self.parts() {
            let (first, last) = (part.first_row, part.all().end - 1);
            write!(f, "{between}rows {first} to {last} in [{}, {}]", part.low, part.high)?;
            between = ", ";
        }
        for norm in self.norms() {
            let last = u64::from(norm.first_row) + u64::from(norm.rows) - 1;
            let (first, squared) = (norm.first_row, norm.bound_squared);
            write!(f, "{between}rows {first} to {last} of squared norm at most {squared}")?;
            between = ", ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::{Fact, Layout, RowNorm, RowRange};

    #[test]
    fn claims_are_sentences() {
        let bits = RowRange { first_row: 4, rows: 5, low: 0, high: 1 };
        let norm = RowNorm::at_most(0, 4, 20, 4);
        let ranges = Ranges::with_norms(vec![bits], vec![norm]).unwrap();
        let sum = Fact::sum(vec![(0, 1), (2, 4)], vec![(1, 1), (7, -1)], -43).unwrap();
        let block = Fact::block(3, 2, 2, vec![1, 0, 0, 1]).unwrap();
        let claims = Claims::new(vec![ranges.into(), sum.into(), block.into()]).unwrap();
        let slot = |layout: Layout| layout.with_slot(&claims).unwrap().slot(0).unwrap();
        let over_p127 = slot(Layout::of_large_integers(200, 50));
        let sentence = Shows::Claims(over_p127, claims.clone()).to_string();
        assert!(sentence.contains(" in front, over 2^127 - 1: rows 4 to 8"), "{sentence}");
        let slot = slot(Layout::new(200, 50));
        let closed = slot.layout().closed();
        assert_eq!(
            Shows::Claims(slot, claims).to_string(),
            format!(
                "of the last 50 columns, {closed} in front: rows 4 to 8 in [0, 1], rows 0 to 3 of \
                 squared norm at most 20; a weighted sum over 2 rows and 2 columns is -43; the 2 x 2 \
                 entries from row 3 and column 2 on are as stated"
            )
        );
        let keys = Shows::Keys(KeyRanges::new(1, 2).unwrap()).to_string();
        assert_eq!(keys, "every column is a key with secrets in [-1, 1] and errors in [-2, 2]");
    }
}
