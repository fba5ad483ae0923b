//! [`Times`]: what one proof takes.

use std::time::Duration;

/// What one proof takes.
pub(crate) struct Times {
    pub(crate) commit: Duration,
    pub(crate) prove: Duration,
    pub(crate) verify: Duration,
    /// Of commitments, and of the proof.
    pub(crate) bytes: [usize; 2],
}
