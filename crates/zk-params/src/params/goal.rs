//! [`Goal`]: what the parameters that are sought are for.

use crate::rows::Distribution;
use crate::suite::{ChallengeKind, Masks};

/// The goal of a search for parameters.
///
/// ```
/// # mod tautochrone_zk { pub use tautochrone_zk_params::{error::Error, params::*}; }
/// use tautochrone_zk::{Goal, Security};
///
/// // The smallest proof for 4096 columns with entries of -1, 0 and 1.
/// let params = Goal::new(1, 4096).optimise()?.validate(Security::Required)?;
/// assert!(params.estimate().hiding.classical >= 128.0);
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Bits of statistical security and of challenge entropy: 128 or 256.
    pub lambda: u32,
    /// log2 q; sought from 25 to 64, or from 17 on with narrow masks, where it is not given.
    pub w: Option<u32>,
    /// Bound on the entries of the witness; with narrow masks it is the bound of `secrets`, or 127.
    pub b: u32,
    /// Columns of the witness.
    pub l: u64,
    /// Rows of the witness that hold messages, which hide nothing: 0 where all entries are secret.
    pub message_rows: u32,
    /// Bound on the entries of messages; b where it is absent.
    pub message_bound: Option<u32>,
    /// Bound on the squared norm of a message, for messages that are known to be shorter than their
    /// bound allows, as with a claim about their norm (`RowNorm`): F^2 and with it sigma follow
    /// from it. Messages of a larger norm, all columns together, are refused. Rows times bound
    /// squared where it is absent.
    #[doc(hidden)]
    pub message_norm_squared: Option<u64>,
    /// Rows of pads for claims about the messages (`Layout::pad_rows`). With lambda = 128, and
    /// entries that are uniform in [-b, b] in all other rows.
    #[doc(hidden)]
    pub pad_rows: u32,
    /// Hints that proofs of keys' being well formed (`ExactKeys`) may give away: the smallest such
    /// proof is sought, of keys that stay secure with so many of them. 0 where none are to be made.
    /// With lambda = 128, T whole, and no message rows.
    pub key_hints: u32,
    /// Bound and distribution of the other rows that A' is multiplied with; uniform in [-b, b]
    /// where this is absent. How many rows they are is sought. Where masks are narrow or mixed, of
    /// these and the last r rows: a Gaussian, the width of which is sought where this is absent.
    pub secrets: Option<(u32, Distribution)>,
    /// The same of the last r rows, the errors of LWE.
    pub errors: Option<(u32, Distribution)>,
    /// Whether T is to be published whole.
    pub whole_t: bool,
    /// Bits that binding and hiding must cost an attacker.
    pub bits: f64,
    /// Whether those bits count quantum operations.
    pub quantum: bool,
    /// Challenge distribution.
    pub challenge: ChallengeKind,
    /// How wide Y is. Where masks are narrow all rows of the witness are Gaussians, and where they
    /// are mixed all rows but messages and pads.
    pub masks: Masks,
    /// How many proofs are made about one T, which together with them is the shortest then: bits
    /// are rounded off T that a proof does notice, and with mixed masks Y of Gaussian rows is wider
    /// than it has to be. Where it is absent a proof alone is the shortest.
    pub per_statement: Option<u32>,
}

impl Goal {
    /// 128 bits, classical, no messages: the usual goal for entries uniform in [-b, b] and l
    /// columns.
    #[must_use]
    pub const fn new(b: u32, l: u64) -> Self {
        Self {
            lambda: 128,
            w: None,
            b,
            l,
            message_rows: 0,
            message_bound: None,
            message_norm_squared: None,
            pad_rows: 0,
            key_hints: 0,
            secrets: None,
            errors: None,
            whole_t: false,
            bits: 128.0,
            quantum: false,
            challenge: ChallengeKind::Ternary,
            masks: Masks::Wide,
            per_statement: None,
        }
    }
}
