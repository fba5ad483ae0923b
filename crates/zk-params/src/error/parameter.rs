//! Which parameter is wrong, or too weak.

/// A parameter, and what it was expected to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} is {got}; expected {expected}")]
pub struct ParameterError {
    /// Name as in the protocol description.
    pub name: &'static str,
    /// The offending value.
    pub got: u128,
    /// The accepted values.
    pub expected: &'static str,
}

impl ParameterError {
    /// This error, unless something holds.
    pub(crate) fn unless(
        holds: bool,
        name: &'static str,
        got: impl Into<u128>,
        expected: &'static str,
    ) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self { name, got: got.into(), expected }) }
    }
}

/// Why parameters are not secure.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Weakness {
    /// An attack is too cheap.
    #[error(
        "insecure parameters: {attack} costs about 2^{bits:.1} operations; 2^{required} are required"
    )]
    Attack {
        /// Which attack.
        attack: &'static str,
        /// Its estimated classical cost in bits.
        bits: f64,
        /// lambda.
        required: u32,
    },
    /// sigma does not hide the witness.
    #[error("sigma {got} is too small to hide the witness; at least {needed} is needed")]
    Sigma {
        /// The given sigma.
        got: u64,
        /// alpha times the bound on ||S C||.
        needed: u64,
    },
}
