//! Compact proofs, format version 2: the reference, in plain loops, that a fast prover and verifier
//! will have to agree with byte for byte.
//!
//! A = [A' | I] makes the bottom r rows of Z redundant but for rounding: the verifier computes
//! V = A' Z_1 - T' C, which differs from W only by Z_2 and by what was rounded off T. So a proof
//! carries Z_1 and, for every entry of W, a *hint*: how far the high part of V is from that of W,
//! which is what the challenge hashes. T may be published rounded in turn.
//!
//! | file | what |
//! |---|---|
//! | `rounding` | high and low part of a word modulo 2^w |
//! | `shape` | from dimensions to sigma, d, dT and the bound B |
//! | `hints` | the entropy coder of the hints |
//! | `packing` | columns of T' as they lie in a file |
//! | `protocol` | prover and verifier |
//! | `openings` | plain openings of columns and of sums of them |

mod hints;
mod openings;
mod packing;
mod protocol;
mod rounding;
mod shape;
