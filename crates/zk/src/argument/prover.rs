//! [`Prover::prove_fact`]: m, rho, the values y_j of all columns, then a proof that is bound to
//! them.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use tautochrone_simd::{declassify, declassify_slice};
use zeroize::Zeroizing;

use super::claim::{self, MASK, RHO, VALUES};
use super::fact::Fact;
use super::field::Element;
use super::opening::{ColumnOpening, LinearForm};
use super::proof::FactProof;
use super::space::Slot;
use crate::entry::with_entry;
use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::prover::Prover;
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::{SourceEntry, for_column_groups};

/// A proof of a fact, and how many attempts it took.
#[derive(Debug)]
pub struct ProvedFact {
    /// The proof.
    pub proof: FactProof,
    /// Attempts, the accepted one included: a geometric variable of mean 3.
    pub attempts: u32,
}

impl Prover<'_> {
    /// Proves knowledge of the witness as [`Self::prove`] does, and that `fact` holds of it, and
    /// reveals nothing else: under the pads of `slot`, which no other fact about these columns was
    /// or will be proved with. Any number of proofs of one fact in one slot are safe, whatever
    /// their context and seed.
    ///
    /// Memory: as [`Self::prove`], and 72 bytes a column. S is read once more.
    ///
    /// # Errors
    /// As [`Self::prove`]; [`Error::FalseFact`]; [`Error::Parameter`] if the fact is not about
    /// messages of this statement, or arguments are not offered for its parameters.
    ///
    /// # Constant time
    /// In the witness, but for whether the fact holds of it.
    pub fn prove_fact(
        &self,
        context: &[u8],
        slot: Slot,
        fact: &Fact,
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<ProvedFact, Error> {
        let statement = self.statement();
        let params = statement.params();
        slot.check(params, fact)?;
        let mut transcript = claim::begin(statement, slot, fact);
        let start = *transcript.state();
        let equation = fact.equation(&mut transcript);
        let (data, pad) = (LinearForm::new(equation.rows.clone()), claim::pad(slot));
        let columns = with_entry!(params, T => Columns::read::<T>(params, witness, &data, &pad))?;
        let difference = equation.sum(&columns.data) - equation.value;
        if !declassify(difference.is_zero()) {
            return Err(Error::FalseFact);
        }
        let mask = declassify(equation.sum(&columns.pads));
        transcript.absorb(MASK, &[mask]);
        let rho = transcript.challenge(RHO);
        let pairs = columns.pads.iter().zip(columns.data.iter());
        let values: Vec<Element> = pairs.map(|(&pad, &data)| pad + rho * data).collect();
        declassify_slice(&values);
        transcript.absorb(VALUES, &values);
        let opening = ColumnOpening::new(*transcript.state(), pad.plus(rho, &data));
        let proved = self.prove_opening(context, witness, seed, Some(&opening))?;
        let proof = FactProof { start, mask, values, proof: proved.proof };
        Ok(ProvedFact { proof, attempts: proved.attempts })
    }
}

/// What two forms are at every column of S. Secret.
struct Columns {
    /// sum over i of lambda_i s_ij.
    data: Zeroizing<Vec<Element>>,
    /// val(kappa_j).
    pads: Zeroizing<Vec<Element>>,
}

impl Columns {
    fn read<T: SourceEntry>(
        params: &Params,
        witness: &dyn WitnessSource,
        data: &LinearForm,
        pad: &LinearForm,
    ) -> Result<Self, Error> {
        let (v, l) = (params.v() as usize, params.l() as usize);
        let zeros = || Zeroizing::new(vec![Element::ZERO; l]);
        let mut columns = Self { data: zeros(), pads: zeros() };
        for_column_groups(params, witness, Shard::whole(params), |first, entries: &[T]| {
            let start = (first * u64::from(BLOCK)) as usize;
            for (form, values) in [(data, &mut columns.data), (pad, &mut columns.pads)] {
                #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
                let values = &mut values[start..start + entries.len() / v];
                crate::parallel::for_chunks(values, 1, |j, value| {
                    value[0] = form.at(&entries[v * j..v * (j + 1)]);
                });
            }
            Ok(())
        })?;
        Ok(columns)
    }
}
