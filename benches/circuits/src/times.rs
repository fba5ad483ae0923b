//! [`Times`]: what one proof takes.

use std::time::Duration;

/// The times of one proof.
pub(crate) struct Times {
    pub(crate) commit: Duration,
    pub(crate) prove: Duration,
    pub(crate) verify: Duration,
    /// Bytes of commitments, and of the proof.
    pub(crate) bytes: [usize; 2],
}
