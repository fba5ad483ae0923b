//! [`KeyRanges`]: bounds on the secrets and errors of LWE keys; and [`Extended`], the parameters of
//! the statement by which they are shown.

mod extended;
mod pads;

pub use extended::{Extended, HINT_BITS, parts};
pub use pads::KeyPads;

use crate::error::Error;
use crate::params::Params;

/// Largest bound on an entry that can be proved of keys: a range of 17 integers.
pub const MAX_KEY_BOUND: u32 = 8;
/// Most hints that a claim may name.
pub const MAX_HINTS: u32 = 8;

/// The claim that every column of T is an LWE key A' s + e whose entries of s lie in [-b_s, b_s]
/// and entries of e in [-b_e, b_e]: of the very vectors that the prover knows, and over the
/// integers.
///
/// A proof of it gives away one *hint* a key, a random linear combination of its entries in a field
/// of 2^183 elements, and nothing else. All proofs of one claim about one T give away the same
/// hint, for every context and seed. Another claim, or the same key in another T (another
/// batch, another order), gives away one more; [`Self::with_hints`] says for how many of them a key
/// is to stay secure.
///
/// ```
/// # mod tautochrone_zk {
/// #     pub use tautochrone_zk_params::error::Error;
/// #     pub mod argument { pub use tautochrone_zk_params::keys::KeyRanges; }
/// # }
/// use tautochrone_zk::argument::KeyRanges;
///
/// // Ternary secrets and errors, for one batch and one claim.
/// let claim = KeyRanges::new(1, 1)?;
/// assert_eq!((claim.secret_bound(), claim.error_bound(), claim.hints()), (1, 1, 1));
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRanges {
    secret: u32,
    error: u32,
    hints: u32,
}

impl KeyRanges {
    /// Secrets within `secret` and errors within `error`, both from 1 to 8, and one
    /// hint a key.
    ///
    /// # Errors
    /// [`Error::Parameter`] if a bound is another.
    pub fn new(secret: u32, error: u32) -> Result<Self, Error> {
        for (name, bound) in [("bound on secrets", secret), ("bound on errors", error)] {
            let known = (1..=MAX_KEY_BOUND).contains(&bound);
            Error::unless(known, name, bound, "1 to 8: at most 17 integers")?;
        }
        Ok(Self { secret, error, hints: 1 })
    }

    /// The bounds in a statement's header on its secrets, the first v - r rows of S, and errors.
    ///
    /// # Errors
    /// [`Error::Parameter`] if a bound is not from 1 to 8, or secrets and errors are not a group of
    /// rows each, or one.
    pub fn of(params: &Params) -> Result<Self, Error> {
        let [secrets, errors] = parts(params)?;
        Self::new(secrets.bound, errors.bound)
    }

    /// The same for keys that may give away `hints` hints in all, 1 to 8: by
    /// proofs of so many claims, or in so many batches.
    ///
    /// # Errors
    /// [`Error::Parameter`] if they are none, or more.
    pub fn with_hints(self, hints: u32) -> Result<Self, Error> {
        Error::unless((1..=MAX_HINTS).contains(&hints), "hints", hints, "1 to 8")?;
        Ok(Self { hints, ..self })
    }

    /// b_s.
    #[must_use]
    pub const fn secret_bound(&self) -> u32 {
        self.secret
    }

    /// b_e.
    #[must_use]
    pub const fn error_bound(&self) -> u32 {
        self.error
    }

    /// How many hints a key is to stay secure with.
    #[must_use]
    pub const fn hints(&self) -> u32 {
        self.hints
    }

    /// e: messages of a round.
    #[doc(hidden)]
    pub const fn messages(&self) -> u32 {
        let bound = if self.secret > self.error { self.secret } else { self.error };
        2 * bound + 2
    }
}
