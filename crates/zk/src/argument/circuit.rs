//! Circuits: rank-1 constraints over F of which a prover knows the secret wires.
//!
//! The wires are committed as columns of S, and a proof of knowledge shows that those which the
//! prover knows satisfy every constraint, exactly, and nothing else about them: the arithmetic
//! circuits of Baum, Bootle, Cerulli, del Pino, Groth and Lyubashevsky (CRYPTO 2018), over a field
//! that does not depend on q. docs/protocol.md, section 16, has the theorems and their proofs.

mod builder;
mod claim;
mod constraints;
mod digits;
mod proof;
mod prover;
mod r1cs;
mod rounds;
mod shape;
mod space;
mod tables;
mod verifier;
mod witness;

pub use builder::{CircuitBuilder, Combination, Wire};
pub use constraints::{Assignment, Circuit, MAX_CIRCUIT};
pub use digits::{DIGIT_BOUND, DIGITS};
pub use proof::CircuitProof;
pub use prover::ProvedCircuit;
pub use space::{CIRCUIT_PAD_ROWS, CircuitSpace};
pub use witness::CircuitWitness;

#[cfg(test)]
mod tests;
