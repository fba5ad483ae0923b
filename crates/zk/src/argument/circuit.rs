//! Circuits: rank-1 constraints over F whose secret wires a prover knows.
//!
//! The wires are committed as columns of S, and a proof of knowledge shows that those which the
//! prover knows satisfy every constraint, exactly, and nothing else about them: the arithmetic
//! circuits of Baum, Bootle, Cerulli, del Pino, Groth and Lyubashevsky (CRYPTO 2018), over a field
//! that does not depend on q. docs/protocol.md, section 14, has the theorem and its proof.
//!
//! Some of the wires may have been committed before the circuit was known (`InputSpace`,
//! `CommittedCircuit`): T is then their columns, as they were published, with new columns behind.

mod builder;
mod claim;
#[cfg(feature = "committed")]
mod committed;
mod constraints;
#[cfg(feature = "committed")]
mod inputs;
mod optimise;
mod r1cs;
mod rounds;
#[cfg(feature = "committed")]
mod slots;
mod space;
mod weights;

pub use builder::{CircuitBuilder, Combination, Wire};
pub use claim::CircuitClaim;
#[cfg(feature = "committed")]
pub use committed::CommittedCircuit;
pub use constraints::{Assignment, Circuit};
#[cfg(feature = "committed")]
pub use inputs::{InputSpace, Inputs};
pub use r1cs::CircuitFile;
#[cfg(feature = "committed")]
pub use slots::UsedSlots;

#[cfg(test)]
mod tests;
