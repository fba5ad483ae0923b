//! [`Error`].

/// Why a sampler cannot be constructed, or cannot sample as requested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// sigma is not a number in the sampler's range.
    #[error("sigma is {got:?}; this sampler takes a number from {least:?} to below {limit:?}")]
    Sigma {
        /// The requested value.
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
        /// The requested value.
        precision: u32,
    },
    /// The values do not fit the number of bits asked for.
    #[error(
        "{bits} bits do not hold the support of sigma {sigma} at precision {precision}: it needs {needed} bits"
    )]
    Bits {
        /// The requested value.
        bits: u32,
        /// The values that work.
        needed: u32,
        /// The sampler's sigma.
        sigma: f64,
        /// Its precision in bits.
        precision: u32,
    },
    /// The precision does not resolve the tail asked for.
    #[error(
        "precision {precision} reaches {reached:.2} sigma, not {tail}; {needed} bits would (128 is the most there is)"
    )]
    Tail {
        /// The requested reach, in sigma.
        tail: f64,
        /// The reach of the table, in sigma.
        reached: f64,
        /// The precision in bits.
        precision: u32,
        /// A precision that would reach it.
        needed: f64,
    },
    /// A circuit was requested, and there is none for this distribution.
    #[error(
        "no circuit was generated for sigma {sigma} at {precision} bits and this kind; \
         leave the form out, or ask for bytes"
    )]
    NoCircuit {
        /// The sigma that was asked for.
        sigma: f64,
        /// The precision in bits that was asked for.
        precision: u32,
    },
    /// A ziggurat of no rectangles, or of too many.
    #[error("{got} rectangles; a ziggurat takes 1 to {limit}")]
    Rectangles {
        /// The requested value.
        got: usize,
        /// Most rectangles.
        limit: usize,
    },
    /// The comparison precision omega is outside its range.
    #[error(
        "omega is {got} bits; it must be between {least} and {limit}, or absent for exact comparisons"
    )]
    Omega {
        /// The requested value.
        got: u32,
        /// Fewest bits.
        least: u32,
        /// Most bits.
        limit: u32,
    },
    /// More extra points than a rectangle may have.
    #[error("factor {got} cannot be stored: a rectangle has at most {limit} extra points")]
    Points {
        /// The requested value.
        got: u32,
        /// Most extra points.
        limit: u32,
    },
    /// The adjusted width is out of reach of the base sampler. (The width itself may be secret and
    /// is not part of the error.)
    #[error(
        "the width must be between {least} and the base's {limit}, and s_min between {limit} / 16 and the width"
    )]
    Adjust {
        /// Smallest width.
        least: f64,
        /// Largest width.
        limit: f64,
    },
    /// A centre is not a number or too far out.
    #[error("a centre must be a number of absolute value below {limit}")]
    Centre {
        /// First absolute value that is too large.
        limit: f64,
    },
    /// A uniform number of no bits, or of more than its type has.
    #[error("{bits} bits; the output type takes 1 to {limit}")]
    Width {
        /// The requested value.
        bits: u32,
        /// Most bits.
        limit: u32,
    },
    /// A uniform number of an empty range.
    #[error("there is no number in an empty range")]
    Range,
    /// There must be one centre for each sample.
    #[error("{centres} centres for {out} samples")]
    Length {
        /// Number of centres.
        centres: usize,
        /// Number of samples.
        out: usize,
    },
}

impl Error {
    /// Whether samples up to `bound` fit an output type of largest value `limit`. sigma is asked
    /// for only if they do not: it may be the square root of a large fraction, which costs more
    /// than many samples.
    pub(crate) fn check_output(
        bound: u64,
        limit: u64,
        sigma: impl FnOnce() -> f64,
    ) -> Result<(), Self> {
        if bound > limit { Err(Self::Output { sigma: sigma(), bound, limit }) } else { Ok(()) }
    }
}
