//! Circuits: rank-1 constraints over F of which a prover knows the secret wires.
//!
//! The wires are committed as columns of S, and a proof of knowledge shows that those which the
//! prover knows satisfy every constraint, exactly, and nothing else about them: the arithmetic
//! circuits of Baum, Bootle, Cerulli, del Pino, Groth and Lyubashevsky (CRYPTO 2018), over a field
//! that does not depend on q. docs/protocol.md, section 16, has the theorems and their proofs.
//!
//! Some of the wires may have been committed before the circuit was known ([`InputSpace`],
//! [`CommittedCircuit`]): T is then their columns, as they were published, with new columns behind.

mod builder;
mod claim;
mod committed;
mod constraints;
mod digits;
mod inputs;
mod instance;
mod layout;
mod optimise;
mod proof;
mod prover;
mod r1cs;
mod rounds;
mod shape;
mod slots;
mod space;
mod tables;
mod verifier;
mod witness;

pub use builder::{CircuitBuilder, Combination, Wire};
pub use committed::CommittedCircuit;
pub use constraints::{Assignment, Circuit, MAX_CIRCUIT};
pub use digits::{DIGIT_BOUND, DIGITS};
pub use inputs::{InputSpace, Inputs};
pub use layout::{CIRCUIT_PAD_ROWS, MAX_INPUT_SLOTS};
pub use proof::CircuitProof;
pub use prover::ProvedCircuit;
pub use slots::UsedSlots;
pub use space::CircuitSpace;
pub use witness::CircuitWitness;

#[cfg(test)]
mod tests;
