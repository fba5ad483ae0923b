//! [`Prover::prove_facts`]: a masked sum-check, its ends, then a proof that is bound to them.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::claim::{self, Course};
use super::{BatchSlot, Facts, FactsProof, Shape};
use crate::argument::ends::{Ends, Secrets};
use crate::argument::fact::Equation;
use crate::argument::field::Element;
use crate::argument::images;
use crate::argument::opening::ColumnOpening;
use crate::argument::sum_check::masked;
use crate::argument::tables::{bind, inner};
use crate::argument::transcript::Transcript;
use crate::entry::with_entry;
use crate::error::Error;
use crate::hash::Digest;
use crate::params::Params;
use crate::proof::Proof;
use crate::prover::Prover;
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::SourceEntry;

/// A proof of several facts, and how many attempts it took.
#[derive(Debug)]
pub struct ProvedFacts {
    /// The proof.
    pub proof: FactsProof,
    /// Attempts, the accepted one included: a geometric variable of mean
    /// [`Params::rho`](crate::Params::rho).
    pub attempts: u32,
}

impl Prover<'_> {
    /// Proves knowledge of the witness as [`Self::prove`] does, and that all `facts` hold of it,
    /// and reveals nothing else: under the pads of `slot`, with none of which anything else about
    /// these columns was or will be proved. Any number of proofs of the same facts in the same slot
    /// are safe, whatever their context and seed.
    ///
    /// Memory: as [`Self::prove`], 120 bytes a column, and 72 for each fact and each row up to the
    /// last that one speaks of. S is read twice more.
    ///
    /// # Errors
    /// As [`Self::prove`]; [`Error::FalseFact`]; [`Error::Parameter`] if a fact is not about
    /// messages of this statement, which must have [`Facts::least_columns`], or arguments are not
    /// offered for its parameters.
    ///
    /// # Constant time
    /// In the witness, but for whether all facts hold of it.
    pub fn prove_facts(
        &self,
        context: &[u8],
        slot: BatchSlot,
        facts: &Facts,
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<ProvedFacts, Error> {
        let params = self.statement().params();
        slot.check(params, facts)?;
        slot.check_front(params, facts)?;
        let start = claim::begin(self.statement(), slot, facts);
        let rounds = with_entry!(params, T => {
            let rounds = Begun::read::<T>(params, witness, slot, facts, start)?;
            if !rounds.hold() {
                return Err(Error::FalseFact);
            }
            rounds.play::<T>(params, witness, slot)
        })?;
        let ends = rounds.ends();
        let sent = rounds.send(slot, ends, Rounds::values);
        let proved = self.prove_opening(context, witness, seed, Some(&sent.opening))?;
        let proof = sent.into_proof(proved.proof);
        Ok(ProvedFacts { proof, attempts: proved.attempts })
    }
}

/// sum over columns j of g_j s_aj for each row a, for the g of some equations. Secret.
struct RowSums {
    rows: usize,
    /// Sums of integers: below 2^20 times 2^61 for each of 2^31 columns.
    sums: Zeroizing<Vec<[i128; 3]>>,
}

impl RowSums {
    fn new(rows: usize, equations: usize) -> Self {
        Self { rows, sums: Zeroizing::new(vec![[0; 3]; rows * equations]) }
    }

    /// Adds columns of `v` entries, of which the first is column `first`.
    ///
    /// # Constant time
    /// In the entries.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn add<T: SourceEntry>(&mut self, equations: &[Equation], v: usize, first: usize, s: &[T]) {
        let (rows, columns) = (self.rows, first as u64..(first + s.len() / v) as u64);
        crate::parallel::for_chunks(&mut self.sums, rows, |index, sums| {
            let weights = &equations[index].columns;
            let start = weights.partition_point(|&(j, _)| j < columns.start);
            for &(j, g) in weights[start..].iter().take_while(|&&(j, _)| j < columns.end) {
                let column = &s[v * (j - columns.start) as usize..][..rows];
                // Most weights are in F.
                for (place, g) in (0..).zip(g.coefficients()).filter(|&(_, g)| g != 0) {
                    for (sum, &entry) in sums.iter_mut().zip(column) {
                        let entry: i64 = entry.into();
                        sum[place] += i128::from(entry) * i128::from(g);
                    }
                }
            }
        });
    }

    /// Those of one equation, and behind them that of the row of beta.
    fn of(&self, index: usize, equation: &Equation, beta: &[Element]) -> Zeroizing<Vec<Element>> {
        let mut sums = Zeroizing::new(Vec::with_capacity(self.rows + 1));
        let integers = &self.sums[self.rows * index..self.rows * (index + 1)];
        sums.extend(integers.iter().map(|&integers| Element::from_integers(integers)));
        sums.push(equation.sum(beta));
        sums
    }
}

/// What S says of a claim. Secret.
pub(super) struct Begun {
    /// D_0.
    start: Digest,
    pub(super) course: Course,
    kappa: Zeroizing<Vec<Element>>,
    gamma: Zeroizing<Vec<Element>>,
    /// For each fact the sums over its columns.
    sums: Vec<Zeroizing<Vec<Element>>>,
}

impl Begun {
    /// Reads S once.
    ///
    /// # Errors
    /// Those of reading it.
    pub(super) fn read<T: SourceEntry>(
        params: &Params,
        witness: &dyn WitnessSource,
        slot: BatchSlot,
        facts: &Facts,
        transcript: Transcript,
    ) -> Result<Self, Error> {
        let start = *transcript.state();
        let course = Course::begin(transcript, Shape::new(facts, params.l()), facts);
        let mut sums = RowSums::new(course.shape.rows, course.equations.len());
        let forms = [slot.kappa(), slot.gamma(), slot.beta()];
        let see = |first, entries: &[T]| {
            sums.add(&course.equations, params.v() as usize, first, entries);
        };
        let [kappa, gamma, beta] =
            images::read(params, witness, Shard::whole(params), &forms, see)?;
        let of = |(index, equation)| sums.of(index, equation, &beta);
        let sums = course.equations.iter().enumerate().map(of).collect();
        Ok(Self { start, course, kappa, gamma, sums })
    }

    /// Whether all facts are true, and nothing else of them.
    fn hold(&self) -> bool {
        let mut all = true;
        for (equation, sums) in self.course.equations.iter().zip(&self.sums) {
            let mut left = Element::ZERO;
            for &(row, weight) in &equation.rows {
                left += weight * sums[row as usize];
            }
            all &= (left - equation.value).is_zero();
        }
        declassify(all)
    }

    /// All rounds. S is read once more.
    ///
    /// # Errors
    /// Those of reading it.
    pub(super) fn play<T: SourceEntry>(
        self,
        params: &Params,
        witness: &dyn WitnessSource,
        slot: BatchSlot,
    ) -> Result<Rounds, Error> {
        let Self { start, mut course, kappa, gamma, mut sums } = self;
        let shape = course.shape;
        let mut messages = Vec::with_capacity(shape.messages());
        let mut send = |course: &mut Course, coefficients| {
            let sent = masked::<{ Shape::MESSAGES }>(coefficients, &gamma[messages.len()..]);
            messages.extend(sent);
            course.round(&sent)
        };
        let pairs = course.equations.iter().zip(&course.scales);
        let mut weights: Vec<Zeroizing<Vec<Element>>> = pairs
            .map(|(equation, &scale)| {
                let mut table = Zeroizing::new(vec![Element::ZERO; shape.rows + 1]);
                for &(row, weight) in &equation.rows {
                    table[row as usize] = scale * weight;
                }
                table
            })
            .collect();
        for _ in 0..shape.row_rounds {
            let mut coefficients = Zeroizing::new([Element::ZERO; Shape::MESSAGES]);
            for (weights, sums) in weights.iter().zip(&sums) {
                let of_fact = Zeroizing::new(inner(weights, sums));
                coefficients.iter_mut().zip(of_fact.iter()).for_each(|(sum, &x)| *sum += x);
            }
            let r = send(&mut course, *coefficients);
            for table in weights.iter_mut().chain(&mut sums) {
                *table = bind(table, r);
            }
        }
        drop((weights, sums));
        let forms = [course.images(slot)];
        let see = |_, _: &[T]| ();
        let [images] = images::read(params, witness, Shard::whole(params), &forms, see)?;
        let (mut columns, mut table) = (Zeroizing::new(course.columns()), images.clone());
        for _ in 0..shape.column_rounds {
            let coefficients = Zeroizing::new(inner(&columns, &table));
            let r = send(&mut course, *coefficients);
            (columns, table) = (bind(&columns, r), bind(&table, r));
        }
        let value = table[0];
        Ok(Rounds { start, course, kappa, gamma, messages, images, value })
    }
}

/// The rounds as they were played.
pub(super) struct Rounds {
    /// D_0.
    start: Digest,
    pub(super) course: Course,
    kappa: Zeroizing<Vec<Element>>,
    gamma: Zeroizing<Vec<Element>>,
    pub(super) messages: Vec<Element>,
    /// phi_1(s_j). Secret.
    pub(super) images: Zeroizing<Vec<Element>>,
    /// v.
    value: Element,
}

/// All that is sent before Y.
pub(super) struct Argument {
    start: Digest,
    messages: Vec<Element>,
    ends: Ends,
    values: Vec<Element>,
    pub(super) opening: ColumnOpening,
}

impl Argument {
    pub(super) fn into_proof(self, proof: Proof) -> FactsProof {
        let Self { start, messages, ends, values, .. } = self;
        FactsProof { start, messages, ends, values, proof }
    }
}

impl Rounds {
    fn secrets(&self) -> Secrets<'_> {
        let Self { kappa, gamma, images, .. } = self;
        Secrets { kappa, gamma, images }
    }

    pub(super) fn ends(&self) -> Ends {
        let (eq, w) = (self.course.column_weights(), self.course.pad_weights().0);
        self.secrets().ends(self.value, [&eq, &w])
    }

    /// y_j = phi(s_j).
    pub(super) fn values(&self, rho: Element) -> Vec<Element> {
        self.secrets().values(rho)
    }

    /// Sends the ends, and after rho the values.
    pub(super) fn send(
        mut self,
        slot: BatchSlot,
        ends: Ends,
        values: impl FnOnce(&Self, Element) -> Vec<Element>,
    ) -> Argument {
        let rho = self.course.rho(&ends);
        let values = values(&self, rho);
        self.course.finish(&values);
        let form = self.course.form(slot, rho);
        let opening = ColumnOpening::new(*self.course.transcript.state(), form);
        let Self { start, messages, .. } = self;
        Argument { start, messages, ends, values, opening }
    }
}
