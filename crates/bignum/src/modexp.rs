//! Exponentiation: [`single`], [`pair`] and [`batch`] ask [`choose`] for one of the engines, which
//! all compute the same function.
//!
//! | engine | arithmetic | moduli |
//! |---|---|---|
//! | [`scalar`] of [`Montgomery`](crate::Montgomery) | limbs, in assembly with ADX | odd |
//! | [`scalar`] of [`Barrett`](crate::Barrett) | limbs, in assembly with ADX | any |
//! | [`ifma::montgomery`] | a digit of 52 bits of each of eight parts of a number in a register | odd |
//! | [`ifma::barrett`] | eight digits of 52 bits in a register | any |
//! | [`ifma::pair`] | the same, of four parts of each of two numbers | odd, two at once |
//! | [`ifma_x8`] | a digit of 52 bits of eight numbers in a register | any, eight at once |

mod batch;
mod bytes;
pub(crate) mod choose;
pub(crate) mod ifma;
pub(crate) mod ifma_x8;
mod job;
mod pair;
pub(crate) mod scalar;
mod single;

pub use batch::modexp_batch;
pub use bytes::{modexp_bytes, modexp_bytes_vartime};
pub use choose::Method;
pub use job::Job;
pub use pair::modexp_pair;
pub use single::modexp;
