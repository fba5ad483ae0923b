//! [`Common`]: what the headers of both versions say, each at its own place.

use crate::suite::Encoding;

/// The fields of statement headers that both versions have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    pub(crate) encoding: Encoding,
    pub(crate) lambda: u32,
    pub(crate) w: u32,
    pub(crate) r: u32,
    pub(crate) v: u32,
    pub(crate) n: u32,
    pub(crate) l: u64,
    pub(crate) sigma: u64,
    pub(crate) norm_bound_squared: u128,
}
