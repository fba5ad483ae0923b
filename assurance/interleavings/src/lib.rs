//! The data that threads of the proof system share, in every order in which the threads may run, or
//! in many random ones where there are too many: deadlocks and results that depend on the order
//! fail.
//!
//! The files under test are files of `crates/zk`; their `crate::sync` is the module of that name
//! here, whose types hand every step to the scheduler of [shuttle]. Tasks run in [`pool`], a model
//! of what rayon does where it matters: whoever waits for a task runs others meanwhile.
#![cfg(test)]

#[path = "../../../crates/zk/src/computed.rs"]
mod computed;
#[path = "../../../crates/zk/src/parallel/first_error.rs"]
mod first_error;
mod pool;
mod sync;

mod tests;
