//! Which parameter is wrong.

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
