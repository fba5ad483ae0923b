//! [`Error`].

/// Why there is no circuit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The distribution has no table.
    #[error(transparent)]
    Distribution(#[from] tautochrone_gauss::Error),
    /// The distribution has too many values.
    #[error("a distribution of {values} values is too wide for a circuit ({most} at most)")]
    Width {
        /// Size of the support.
        values: usize,
        /// Largest that works.
        most: usize,
    },
}
