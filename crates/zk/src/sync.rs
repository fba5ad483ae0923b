//! What threads share values with: [`OnceLock`] and [`AtomicUsize`].
//!
//! The files that take them from here, `computed` and `parallel::first_error`, are also compiled by
//! `assurance/interleavings`, whose `crate::sync` has models of both, and run there in all orders
//! that threads may take.

#[cfg(feature = "rayon")]
pub(crate) use core::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use tautochrone_zk_params::once::OnceLock;
