#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod list;
mod proof;

pub use list::{KeyList, Set};
pub use proof::{Error, KeysProof, prove, prove_on, verify, verify_on};
#[doc(inline)]
pub use tautochrone_kem_keys::Secret;
