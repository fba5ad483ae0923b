//! AES-CTR randomness: owned streams with a 128-bit counter, split by domain label and index.
//!
//! * A [`Seed`] is 32 bytes, filled whole or not at all; [`Seed::from_os`] is the workspace's only source of entropy.
//! * [`Seed::stream`] gives the [`Stream`] of a [`Label`] and an index: two different pairs never share one, so every
//!   consumer names its own and nothing depends on the order in which consumers run.
//! * A [`Stream`] is owned, not `Clone`, seekable, and erased when dropped.
//!
//! ```
//! use tautochrone_ctr::{Label, Seed};
//!
//! const MASKS: Label = Label::new("example masks");
//! let seed = Seed::from_bytes([7; 32]);
//! let (mut first, mut second) = ([0; 24], [0; 24]);
//! seed.stream(MASKS, 0).fill(&mut first);
//! seed.stream(MASKS, 1).fill(&mut second);
//! assert_ne!(first, second);
//! ```
//!
//! # Constant time
//! In seed, key and output: AES-NI or VAES where the CPU has them, a bit-sliced implementation elsewhere (the `aes`
//! crate). Lengths and positions are public.

mod error;
mod seed;
mod stream;

pub use error::Error;
pub use seed::{Label, Seed};
pub use stream::{KeySize, Stream};
