#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod list;
mod proof;
mod rings;

pub use list::KeyList;
pub use proof::{Error, KeysProof, prove, prove_on, verify, verify_on};
pub use rings::{BfvKey, RingError, RingList, RingSecret, Small};
#[doc(inline)]
pub use tautochrone_kem_keys::{Secret, Set};
