//! [`Error`].

/// Why a sampler can not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// sigma is not a number in the sampler's range.
    #[error("sigma is {got}; this sampler takes a number from {least} to below {limit}")]
    Sigma {
        /// What was asked for.
        got: f64,
        /// Smallest sigma.
        least: f64,
        /// First sigma that is too large.
        limit: f64,
    },
    /// The tails of the distribution do not fit the output type.
    #[error(
        "samples of sigma {sigma} reach {bound} in absolute value, beyond the output type's {limit}"
    )]
    Output {
        /// The sampler's sigma.
        sigma: f64,
        /// Its largest sample.
        bound: u64,
        /// The output type's largest value.
        limit: u64,
    },
    /// The precision is outside what tables offer.
    #[error("precision must be between 32 and 128 bits, got {precision}")]
    Precision {
        /// What was asked for.
        precision: u32,
    },
}
