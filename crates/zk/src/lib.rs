//! A proof of knowledge of short preimages: given A and T over Z_q, q = 2^w, the prover shows that
//! it knows a matrix S of small entries with T = A S mod q, and reveals nothing else about it.
//!
//! | type | what it is |
//! |---|---|
//! | [`simple`] | three functions on the bytes of whole files |
//! | [`Preset`], [`Goal`], [`CustomParams`], [`Params`] | parameters, found or chosen, and validated |
//! | [`PublicMatrix`], [`Statement`] | A, expanded from its seed; T with its parameters |
//! | [`Witness`], [`RandomWitness`], [`WitnessFile`] | S, in memory, from a seed or in a file |
//! | [`Prover`], [`Proved`], [`Verifier`], [`Shows`] | proofs and their checks; what a valid one shows |
//! | [`argument`] | exact claims: sums, ranges, norms, circuits, and LWE keys |
//! | [`uses`] | commitments, sums of them, LWE keys |
//!
#![doc = include_str!("../README.md")]
//!
//! ## LWE keys
//! ```
//! use tautochrone_zk::argument::{ExactKeys, KeyRanges};
//! use tautochrone_zk::*;
//!
//! // Ternary keys that stay secure with one hint.
//! let goal = Goal { key_hints: 1, ..Goal::new(1, 40) };
//! let params = goal.optimise()?.validate(Security::Required)?;
//! let a = PublicMatrix::new(&params, [1; 32]);
//! let (k, r, keys) = (params.v() - params.r(), params.r(), params.l());
//! // Where entries of -1, 0 and 1 should be random.
//! let ternary = |rows: u32| (0..u64::from(rows) * keys).map(|i| (i % 3) as i8 - 1).collect();
//! let (secrets, errors): (Vec<i8>, Vec<i8>) = (ternary(k), ternary(r));
//! let witness = Witness::of_lwe(&params, &secrets, &errors)?;
//! let mut file = Vec::new();
//! let statement = a.commit_and_hold(&witness, &mut file)?;
//!
//! let keys = ExactKeys::new(&a, &statement, KeyRanges::of(&params)?)?;
//! let proved = keys.prove(b"for whom", &witness, &Seed::from_os()?)?;
//! let proof = proved.proof;
//!
//! // Every key is A' s + e with entries of -1, 0 and 1, exactly.
//! keys.verify(b"for whom", &proof)?;
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Ranges and facts
//! ```
//! use tautochrone_zk::argument::{Claims, Fact, Layout, Ranges, RowRange};
//! use tautochrone_zk::*;
//!
//! // Two messages of 8 bits: that they are bits, and that the numbers add up to 43.
//! let bits = Ranges::new(vec![RowRange { first_row: 0, rows: 8, low: 0, high: 1 }])?;
//! let weights = (0..8).map(|i| (i, 1 << i)).collect();
//! let sum = Fact::sum(weights, vec![(0, 1), (1, 1)], 43)?;
//! let claims = Claims::new(vec![bits.into(), sum.into()])?;
//!
//! let layout = Layout::new(8, 2).with_slot(&claims)?;
//! let params = layout.goal(1).optimise()?.validate(Security::Required)?;
//! let messages = [0, 1, 0, 1, 0, 1, 0, 0, /* 42 */ 1, 0, 0, 0, 0, 0, 0, 0 /* 1 */];
//! let a = PublicMatrix::new(&params, [1; 32]);
//! let witness = layout.witness(&a, &messages, &Seed::from_os()?)?;
//! let mut file = Vec::new();
//! let statement = a.commit_and_hold(&witness, &mut file)?;
//!
//! let (slot, seed) = (layout.slot(0)?, Seed::from_os()?);
//! let prover = Prover::new(&a, &statement)?;
//! let proved = prover.prove_claims(b"", &slot, &claims, &witness, &seed)?;
//! let proof = proved.proof;
//! Verifier::new(&a, &statement)?.verify_claims(b"", &slot, &claims, &proof)?;
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Circuits
//! ```
//! use tautochrone_zk::argument::{CircuitBuilder, CircuitClaim, Scalar};
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
//! let params = circuit.optimise()?.validate(Security::Required)?;
//! let layout = circuit.layout(&params)?;
//! let a = PublicMatrix::new(&params, [1; 32]);
//! let witness = circuit.witness(&a, &assignment, &Seed::from_os()?)?;
//! let mut file = Vec::new();
//! let statement = a.commit_and_hold(&witness, &mut file)?;
//! let (slot, seed) = (layout.slot(0)?, Seed::from_os()?);
//! let claims = CircuitClaim::new(&circuit, &assignment.public)?.into();
//! let proved = Prover::new(&a, &statement)?.prove_claims(b"", &slot, &claims, &witness, &seed)?;
//! let proof = proved.proof;
//!
//! // A verifier builds the circuit with zeros for the factors.
//! let (circuit, assignment) = build(0, 0)?;
//! let claims = CircuitClaim::new(&circuit, &assignment.public)?.into();
//! Verifier::new(&a, &statement)?.verify_claims(b"", &slot, &claims, &proof)?;
//! # Ok::<(), Error>(())
//! ```
//!
//! ## What a valid proof shows
//! The prover knows, for every column t_i of T, an integer vector s'_i with A s'_i = t_i mod q
//! exactly and ||s'_i||_2 <= 2 B. This bound is *relaxed*: B is far larger than the length of the
//! columns of an honest prover, and the entry bound b is not enforced. [`argument`] shows more of
//! committed data, exactly.
//!
//! One proof covers all l columns of T, and its size does not grow with l. It is half of the
//! paper's: with A = [A' | I], hints take the place of the rows of Z that the identity is
//! multiplied with, and T may be published rounded.
//!
//! ## How data flows
//! [`PublicMatrix::commit`]: S by column blocks -> T by blocks, hashed and written.
//! [`Prover::prove`]: statement digest D -> Y -> W = A Y -> challenge hash -> C -> M = S C by
//! blocks -> Z = Y + M, rejection -> T C by blocks, hints. [`Verifier::verify`]: A' Z_1 - T C by
//! blocks, norms -> hash.
//! Memory is O(v n + v 1024), up to 64 MiB of S stored packed by a prover (as many bytes as S has,
//! where that lies in memory and is larger), some hundred bytes a block of 256 columns, and T where
//! it is held ([`Statement::load`]).
//!
//! ## Without entropy
//! Without the feature `os-rng` statements and proofs are verified as with it, also on targets that
//! have no source of entropy (`wasm32-unknown-unknown`). Witnesses and proofs then come from seeds
//! alone: [`Prover::prove`] is [`Error::Randomness`] unless it is to be
//! [reproducible](Prover::reproducible).
//!
//! ## Without the standard library
//! Without the feature `std`, a default one, the crate is `no_std` with `alloc`: everything but
//! files ([`FileSource`]) and threads. [`ReadAt`] and sinks then use the errors of [`io`], and
//! hashes do not look for the CPU's vector instructions.
//!
//! ## On several machines
//! With the feature `shards` the protocol and all claims can be run by several machines, each of
//! which has some of the columns: the module `shard`, and the coordinators and workers of
//! [`argument`]. With the feature `device` a GPU, or another machine, multiplies and samples.
//!
//! ## Constant time
//! In S, Y, M, rejected Z and the rejection's random bits, but for the number of attempts, and for
//! the certification of the operator norm in binary mode.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "oracles of tests"))]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(
        feature = "committed",
        feature = "device",
        feature = "relations",
        feature = "shards"
    )),
    allow(dead_code, unreachable_pub, unused_imports, reason = "what only these features export")
)]

#[macro_use]
extern crate alloc;

#[cfg(test)]
#[macro_use]
mod cases;

pub mod argument;
mod blocks;
mod challenge;
mod check;
#[cfg(test)]
mod checks;
mod commit;
#[cfg(feature = "device")]
pub mod device;
#[cfg(not(feature = "device"))]
mod device;
mod entry;
mod erase;
mod hash;
mod matrix;
mod norm;
mod observer;
mod opening;
mod owner;
mod parallel;
mod pending;
mod preset;
mod product;
mod products;
mod proof;
mod prover;
#[cfg(test)]
mod reference;
mod require;
mod residual;
mod rounded_off;
#[cfg(feature = "shards")]
pub mod shard;
#[cfg(not(feature = "shards"))]
mod shard;
mod shows;
pub mod simple;
mod source;
mod statement;
pub mod uses;
mod verifier;
mod witness;

// The layers below: their modules are named as if they were here.
use tautochrone_zk_field::{eq, field, polynomial, scalar, sum_check};
use tautochrone_zk_params::{
    codec, error, estimate, format, keys, matrix_id, params, rejection, rounding, rows, suite,
    supported, words,
};

pub use tautochrone_ctr::Seed;
#[cfg_attr(feature = "std", doc(hidden))] // The names of `std::io`.
#[doc(inline)]
pub use tautochrone_zk_params::io;

/// Items for this project alone; they may change in any release.
#[doc(hidden)]
pub mod internals {
    pub use crate::error::{
        Fault, Malformation, MatrixProblem, ParameterError, RequestProblem, Weakness,
        WitnessProblem,
    };
    pub use crate::params::BLOCK;
    pub use crate::proof::Proof;
    pub use crate::rejection::{Rejection, Rho, Verdict};
    pub use crate::rows::{DIGIT_BOUND, PAD_BOUND};
    pub use crate::suite::Challenge;
    pub use crate::witness::columns::read_integers;
    pub use tautochrone_zk_params::estimate;
}

#[doc(inline)]
pub use error::{Error, Reason};
#[doc(inline)]
pub use estimate::{Estimate, Hardness};
pub use hash::Digest;
pub use matrix::PublicMatrix;
#[cfg(feature = "shards")]
#[doc(inline)]
pub use matrix_id::MatrixId;
pub use observer::Progress;
#[cfg(feature = "tracing")]
pub use observer::trace_events;
#[doc(inline)]
pub use params::{CustomParams, Goal, Params, Security};
pub use preset::Preset;
#[cfg(feature = "shards")]
pub use proof::Proof;
pub use prover::{Proved, Prover};
pub use require::Requirement;
#[doc(inline)]
pub use rows::{Distribution, RowGroup};
pub use shows::Shows;
#[cfg(feature = "std")]
pub use source::FileSource;
pub use source::ReadAt;
pub use statement::Statement;
#[doc(inline)]
pub use suite::{ChallengeKind, Expansion, Masks};
pub use verifier::{Claim, Verifier};
pub use witness::{RandomWitness, Witness, WitnessFile, WitnessSource};
