//! Exact facts about committed data: linear equations that hold of the very vectors to which a
//! commitment is bound.
//!
//! A proof of knowledge shows, for every column t_j of T, an integer vector s'_j with `A s'_j =
//! t_j` and `||s'_j|| <= 2 B`, to which the prover is bound. A [`Fact`] is a linear statement about
//! message rows of these vectors, modulo p = 2^61 - 1: a weighted sum of entries has a value, or a
//! block of entries is this one. A proof of it is a proof of knowledge with one element of a field
//! of 2^183 elements for every column besides, 24 bytes each (0.5 to 1.2 percent of T), and it
//! reveals nothing but that the fact holds: pads that were committed with the messages mask what is
//! sent.
//!
//! ```
//! use tautochrone_zk::argument::{Fact, PaddedSpace};
//! use tautochrone_zk::*;
//!
//! // Two messages of 8 bits each, and pads for two facts.
//! # let messages_and_pads = [Some(RowGroup { rows: 170, bound: 2, distribution: Distribution::Any }), None, None];
//! # let custom = CustomParams { n: Some(16), groups: messages_and_pads, ..CustomParams::new(29, 32, 266, 2, 1) };
//! # let params = custom.validate(Security::Waived)?;
//! # let security = Security::Waived;
//! # let _ = "
//! let goal = Goal { message_rows: 8, pad_slots: 2, ..Goal::new(1, 2) };
//! let params = goal.optimise()?.validate(Security::Required)?;
//! let security = Security::Required;
//! # ";
//! let space = PaddedSpace::new(&params, 8, 2, security)?;
//! let messages = [0, 1, 0, 1, 0, 1, 0, 0, /* 42 */ 1, 0, 0, 0, 0, 0, 0, 0 /* 1 */];
//! let a = PublicMatrix::new(&params, [1; 32]);
//! let witness = space.witness(&a, &messages, &Seed::from_os()?)?;
//! let mut file = Vec::new();
//! let statement = a.commit_and_hold(&witness, &mut file)?;
//!
//! // The two numbers add up to 43.
//! let bits: Vec<(u32, i64)> = (0..8).map(|i| (i, 1 << i)).collect();
//! let fact = Fact::sum(bits, vec![(0, 1), (1, 1)], 43)?;
//! let prover = Prover::new(&a, &statement)?;
//! let proved = prover.prove_fact(b"", space.slot(0)?, &fact, &witness, &Seed::from_os()?)?;
//! let proof = proved.proof.to_bytes(&params);
//!
//! let verifier = Verifier::new(&a, &statement)?;
//! verifier.verify_fact(b"", space.slot(0)?, &fact, &proof)?;
//! assert!(fact.holds_over_the_integers(&params));
//!
//! // Bits 1 to 3 of the first number, under other pads.
//! let fact = Fact::block(1, 0, 3, vec![1, 0, 1])?;
//! let proved = prover.prove_fact(b"", space.slot(1)?, &fact, &witness, &Seed::from_os()?)?;
//! verifier.verify_fact(b"", space.slot(1)?, &fact, &proved.proof.to_bytes(&params))?;
//! # Ok::<(), Error>(())
//! ```
//!
//! # Several facts at once
//! [`Facts`] are proved together, by [`Prover::prove_facts`](crate::Prover::prove_facts): the proof
//! is hardly longer than that of one, and takes three slots of pads, however many facts there are.
//! It shows every one of them.
//!
//! ```
//! use tautochrone_zk::argument::{Fact, Facts, PaddedSpace};
//! use tautochrone_zk::*;
//!
//! // 20 messages of 8 bits, and pads for several facts at once.
//! # let messages_and_pads = [Some(RowGroup { rows: 251, bound: 2, distribution: Distribution::Any }), None, None];
//! # let custom = CustomParams { n: Some(16), groups: messages_and_pads, ..CustomParams::new(29, 32, 347, 20, 1) };
//! # let params = custom.validate(Security::Waived)?;
//! # let security = Security::Waived;
//! # let _ = "
//! let goal = Goal { message_rows: 8, pad_slots: 3, ..Goal::new(1, 20) };
//! let params = goal.optimise()?.validate(Security::Required)?;
//! let security = Security::Required;
//! # ";
//! let space = PaddedSpace::new(&params, 8, 3, security)?;
//! let a = PublicMatrix::new(&params, [1; 32]);
//! // Message j is the number j.
//! let messages: Vec<i8> = (0..20).flat_map(|j: i8| (0..8).map(move |i| j >> i & 1)).collect();
//! let witness = space.witness(&a, &messages, &Seed::from_os()?)?;
//! let mut file = Vec::new();
//! let statement = a.commit_and_hold(&witness, &mut file)?;
//!
//! let bits: Vec<(u32, i64)> = (0..8).map(|i| (i, 1 << i)).collect();
//! let facts = Facts::new(vec![
//!     Fact::sum(bits.clone(), (0..20).map(|j| (j, 1)).collect(), 190)?,
//!     Fact::sum(bits, vec![(3, 1), (5, -1)], -2)?,
//!     Fact::block(0, 10, 2, vec![0, 1])?,
//! ])?;
//! let (slot, seed) = (space.batch_slot(0)?, Seed::from_os()?);
//! let proved = Prover::new(&a, &statement)?.prove_facts(b"", slot, &facts, &witness, &seed)?;
//! let proof = proved.proof.to_bytes(&params);
//! Verifier::new(&a, &statement)?.verify_facts(b"", slot, &facts, &proof)?;
//! # Ok::<(), Error>(())
//! ```
//!
//! # Exact ranges
//! [`Ranges`] say that all entries of some rows are bits, say, or in [-1, 1], of the same vectors
//! and over the integers: [`Prover::prove_ranges`](crate::Prover::prove_ranges). They need pads of
//! their own ([`PaddedSpace::with_ranges`]) and some 120 columns at least, and cost 24 bytes a
//! column, too.
//!
//! ```
//! use tautochrone_zk::argument::{PaddedSpace, Ranges, RowRange};
//! use tautochrone_zk::*;
//!
//! // Messages of 8 bits.
//! let bits = RowRange { first_row: 0, rows: 8, low: 0, high: 1 };
//! let ranges = Ranges::new(vec![bits])?;
//! let l = ranges.least_columns(2);
//! # let messages_and_pads = [Some(RowGroup { rows: 197, bound: 2, distribution: Distribution::Any }), None, None];
//! # let custom = CustomParams { n: Some(16), groups: messages_and_pads, ..CustomParams::new(29, 32, 293, l, 1) };
//! # let params = custom.validate(Security::Waived)?;
//! # let security = Security::Waived;
//! # let _ = "
//! let goal = Goal { message_rows: 8, range_slots: 1, ..Goal::new(1, l) };
//! let params = goal.optimise()?.validate(Security::Required)?;
//! let security = Security::Required;
//! # ";
//! let space = PaddedSpace::with_ranges(&params, 8, 0, 1, security)?;
//! // Those behind the second message are empty.
//! let mut messages = vec![0, 1, 0, 1, 0, 1, 0, 0, /* 42 */ 1, 0, 0, 0, 0, 0, 0, 0 /* 1 */];
//! messages.resize(8 * l as usize, 0);
//! let a = PublicMatrix::new(&params, [1; 32]);
//! let witness = space.witness(&a, &messages, &Seed::from_os()?)?;
//! let mut file = Vec::new();
//! let statement = a.commit_and_hold(&witness, &mut file)?;
//!
//! let (slot, seed) = (space.range_slot(0)?, Seed::from_os()?);
//! let proved = Prover::new(&a, &statement)?.prove_ranges(b"", slot, &ranges, &witness, &seed)?;
//! let proof = proved.proof.to_bytes(&params);
//! Verifier::new(&a, &statement)?.verify_ranges(b"", slot, &ranges, &proof)?;
//! # Ok::<(), Error>(())
//! ```
//!
//! # Exact norms
//! Gaussian errors are shown to be short by their norm: [`Ranges::with_norms`] claims that the sum of
//! the squares of some entries of every column, and of bits in other rows times powers of 2, is beta^2.
//! [`GaussianErrors`] lays such columns out, with a [`Preset`](crate::Preset) for them; by hand:
//!
//! ```
//! use tautochrone_zk::argument::{PaddedSpace, Ranges, RowNorm, RowRange};
//! use tautochrone_zk::*;
//!
//! // 8 errors of standard deviation 3.2, and behind them the bits of what their norm is smaller.
//! let norm = RowNorm::gaussian(0, 8, 3_200_000, 8)?;
//! let bits = RowRange { first_row: 8, rows: norm.bits, low: 0, high: 1 };
//! let ranges = Ranges::with_norms(vec![bits], vec![norm])?;
//! let (rows, l) = (8 + norm.bits, ranges.least_columns(2));
//! # let group = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
//! # let groups = [group(rows, 32), group(189, 2), None];
//! # let custom = CustomParams { n: Some(16), groups, ..CustomParams::new(29, 32, rows + 285, l, 1) };
//! # let params = custom.validate(Security::Waived)?;
//! # let security = Security::Waived;
//! # let _ = "
//! let (message_bound, message_norm_squared) = (Some(32), Some(norm.bound_squared + 64));
//! let goal = Goal { message_rows: rows, message_bound, message_norm_squared, range_slots: 1, ..Goal::new(1, l) };
//! let params = goal.optimise()?.validate(Security::Required)?;
//! let security = Security::Required;
//! # ";
//! let space = PaddedSpace::with_ranges(&params, rows, 0, 1, security)?;
//! let mut messages = vec![0_i8; (u64::from(rows) * l) as usize];
//! messages[..8].copy_from_slice(&[3, -1, 0, 7, -2, -4, 1, 2]);
//! ranges.fill_slack(rows as usize, &mut messages)?;
//! let a = PublicMatrix::new(&params, [1; 32]);
//! let witness = space.witness(&a, &messages, &Seed::from_os()?)?;
//! let mut file = Vec::new();
//! let statement = a.commit_and_hold(&witness, &mut file)?;
//!
//! let (slot, seed) = (space.range_slot(0)?, Seed::from_os()?);
//! let proved = Prover::new(&a, &statement)?.prove_ranges(b"", slot, &ranges, &witness, &seed)?;
//! let proof = proved.proof.to_bytes(&params);
//! Verifier::new(&a, &statement)?.verify_ranges(b"", slot, &ranges, &proof)?;
//! # Ok::<(), Error>(())
//! ```
//!
//! # Keys
//! LWE keys that somebody has already carry no pads. [`ExactKeys`] shows that they are well formed,
//! with all entries of secrets and errors within bounds of at most 8, and gives away a random linear
//! combination of the entries of each, on which [`KeyRanges`] has more to say.
//!
//! # Circuits
//! A [`Circuit`] is rank-1 constraints over F = Z / p, on secret wires that are committed for it and
//! on public inputs: [`Prover::prove_circuit`](crate::Prover::prove_circuit) shows that they satisfy
//! every one, exactly.
//!
//! ```
//! use tautochrone_zk::argument::{CircuitBuilder, CircuitSpace, Scalar};
//! use tautochrone_zk::*;
//!
//! // Somebody knows two factors of 2021, neither of them 1 or larger than 255.
//! let build = |x: u32, y: u32| {
//!     let mut builder = CircuitBuilder::new();
//!     let product = builder.public(Scalar::from(2021));
//!     let factors = [x, y].map(|factor| builder.secret(Scalar::from(factor)));
//!     for factor in factors {
//!         builder.bits(factor, 8);
//!         let less = builder.sum(&[factor]) - Scalar::ONE.into();
//!         let inverse = builder.secret(builder.value(&less).inverse());
//!         builder.constrain(less, inverse, Scalar::ONE);
//!     }
//!     builder.constrain(factors[0], factors[1], product);
//!     builder.finish()
//! };
//! let (circuit, assignment) = build(43, 47)?;
//! let params = CircuitSpace::optimise(&circuit)?.validate(Security::Required)?;
//! let space = CircuitSpace::new(&params, &circuit, Security::Required)?;
//! let a = PublicMatrix::new(&params, [1; 32]);
//! let witness = space.witness(&a, &circuit, &assignment, &Seed::from_os()?)?;
//! let mut file = Vec::new();
//! let statement = a.commit_and_hold(&witness, &mut file)?;
//! let (public, seed) = (&assignment.public, Seed::from_os()?);
//! let proved = Prover::new(&a, &statement)?.prove_circuit(b"", &circuit, public, &witness, &seed)?;
//! let proof = proved.proof.to_bytes(&params);
//!
//! // A verifier builds the circuit with zeros for the factors.
//! let (circuit, assignment) = build(0, 0)?;
//! let verifier = Verifier::new(&a, &statement)?;
//! verifier.verify_circuit(b"", &circuit, &assignment.public, &proof)?;
//! # Ok::<(), Error>(())
//! ```
//!
//! Values can be committed to before anybody knows for which circuits ([`InputSpace`]). A
//! [`CommittedCircuit`] has some of them as its first wires; the others are committed to in the
//! proof, and the old commitments stay as they were published. Each such claim uses up a slot of
//! pads.
//!
//! # Openings
//! Columns can be opened before and after any proofs, in any order, **but for those whose pads mask
//! what proofs send**: such an opening says something about all other columns. One fact alone needs
//! no closed column. Several facts and ranges need the first ones, a *front*
//! ([`PaddedSpace::with_front`], [`Ranges::closed`], [`Facts::closed`]), circuits the first ones of
//! their own ([`CircuitSpace::closed`]); circuits on committed values mask in new columns, so that
//! values can be opened ([`InputSpace::open`]). What is closed is refused
//! ([`Error::ClosedColumn`](crate::Error::ClosedColumn),
//! [`Error::OpensMasks`](crate::Error::OpensMasks)), and so is a sum that has such a column.
//! docs/protocol.md, section 18, has the theorem.
//!
//! # Whose T
//! Whoever gets answers about two T from one prover, one of them altered, gets the committed data.
//! Provers compare T with A S: by the [`OwnerDigest`](crate::OwnerDigest) that `commit` leaves in the statement, which an
//! owner stores with S for statements that are read from a file later, or by multiplying again.
//!
//! # What is not shown
//! Of a fact alone, that entries are within b: those of s'_j may be as large as 2 B. In the first
//! example, that the two sums of "bits" are numbers of bits: whoever commits to other integers
//! proves any sum. [`PublicMatrix::verify_in_ranges`](crate::PublicMatrix::verify_in_ranges) asks
//! for a proof of ranges besides. A block has no such gap, as its entries are given; and whatever
//! opening is shown later, its entries are those of which the facts hold: another one would solve
//! SIS.
//!
//! # How
//! Column j holds its message, pads kappa_j, uniform in K and in small digits, and randomness. For
//! sum over i and j of lambda_i g_j s_ij = c the prover sends m = sum over j of g_j kappa_j, gets
//! rho in K, sends y_j = rho (sum over i of lambda_i s_ij) + kappa_j, and proves knowledge of S in
//! such a way that these are values of the columns. The verifier checks sum over j of g_j y_j = rho
//! c + m. docs/protocol.md, section 13, has the theorems and their proofs.

mod batch;
mod circuit;
mod claim;
pub(crate) mod digits;
mod elements;
mod ends;
mod fact;
pub(crate) mod field;
mod front;
mod gaussian;
mod images;
mod in_ranges;
pub(crate) mod keys;
pub(crate) mod opening;
mod proof;
mod prover;
mod ranges;
mod scalar;
mod shard;
mod slot;
mod space;
mod sum_check;
mod supported;
mod tables;
mod transcript;
mod verifier;

pub use batch::{BatchSlot, Facts, FactsProof, MAX_FACTS, ProvedFacts};
pub use circuit::{
    Assignment, CIRCUIT_PAD_ROWS, Circuit, CircuitBuilder, CircuitProof, CircuitSpace,
    CircuitWitness, Combination, CommittedCircuit, DIGIT_BOUND, DIGITS, InputSpace, Inputs,
    MAX_CIRCUIT, MAX_INPUT_SLOTS, ProvedCircuit, UsedSlots, Wire,
};
pub use digits::{PAD_BOUND, PAD_ROWS};
pub use fact::Fact;
pub use field::{ELEMENT_LEN, Element, HALF_P, P};
pub use gaussian::GaussianErrors;
pub use keys::{
    ExactKeys, KeyArgument, KeyColumns, KeyCoordinator, KeyEstimate, KeyProof, KeyRanges,
    KeyWorker, MAX_HINTS, MAX_KEY_BOUND, ProvedKeys,
};
pub use proof::FactProof;
pub use prover::ProvedFact;
pub use ranges::{
    MAX_NORMS, MAX_RANGES, MAX_SLACK_BITS, MAX_WIDTH, ProvedRanges, RANGE_PAD_ROWS, RangeArgument,
    RangeCoordinator, RangeProof, RangeSlot, RangeWorker, Ranges, RowNorm, RowRange,
};
pub use scalar::Scalar;
pub use shard::{FactArgument, FactCoordinator, FactWorker};
pub use slot::Slot;
pub use space::{PaddedMessages, PaddedSpace};
pub use transcript::{decode as decode_elements, encode as encode_elements};

#[cfg(test)]
mod openings;
#[cfg(test)]
mod sharded;
#[cfg(test)]
mod tests;
