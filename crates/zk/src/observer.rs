//! [`Progress`]: how far a long computation is, for an observer, who may end it.

use alloc::sync::Arc;
use core::fmt;
use core::ops::ControlFlow;

use once_cell::race::OnceBox;

use crate::error::Error;
use crate::matrix::PublicMatrix;

/// A step of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Columns of T, in blocks.
    Commit,
    /// The rounds of an argument, whose number depends on its claims.
    Argue,
    /// Attempts at a proof, of which an expected number of [`Params::rho`](crate::Params::rho) are
    /// made.
    Attempt,
    /// The product T C of a check or of a proof about a rounded T, in blocks.
    MultiplyStatement,
}

/// How far a computation is. As text it names the step: columns of T, rounds of an argument,
/// attempts at a proof, or columns of the product T C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    pub(crate) stage: Stage,
    /// Parts of a step that are done.
    pub done: u64,
    /// Parts in all, if that is known before.
    pub total: Option<u64>,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = match self.stage {
            Stage::Commit => "columns of T",
            Stage::Argue => "rounds of an argument",
            Stage::Attempt => "attempts at a proof",
            Stage::MultiplyStatement => "columns of T C",
        };
        write!(f, "{} ", self.done)?;
        self.total.map_or(Ok(()), |total| write!(f, "of {total} "))?;
        f.write_str(step)
    }
}

/// An observer of a [`PublicMatrix`].
pub(crate) type Observer = dyn Fn(Progress) -> ControlFlow<()> + Send + Sync;

impl PublicMatrix {
    /// Tells an observer, before each part of a computation with this A, how far the computation
    /// is. [`ControlFlow::Break`] ends it with [`Error::Cancelled`]. The observer is called on the
    /// thread that called the library, and for the checks of a batch on any. It learns public facts
    /// alone: when it is called depends on shapes and on the number of attempts.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use tautochrone_zk::*;
    ///
    /// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
    /// # let params = custom.validate(Security::Waived)?;
    /// let a = PublicMatrix::new(&params, [1; 32]).with_observer(|progress| {
    ///     println!("{progress}");
    ///     ControlFlow::Break(()) // or Continue(())
    /// });
    /// let stopped = a.commit_and_hold(&RandomWitness::new(Seed::from_os()?), &mut Vec::new());
    /// assert!(matches!(stopped, Err(Error::Cancelled)));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with_observer(
        self,
        observer: impl Fn(Progress) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Self {
        Self { observer: Some(Arc::new(observer)), with_pads: OnceBox::new(), ..self }
    }

    /// # Errors
    /// [`Error::Cancelled`] if there is an observer that says so.
    pub(crate) fn report(&self, stage: Stage, done: u64, total: Option<u64>) -> Result<(), Error> {
        let Some(observer) = &self.observer else { return Ok(()) };
        match observer(Progress { stage, done, total }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Cancelled),
        }
    }
}

/// An observer for [`PublicMatrix::with_observer`] that emits an event of level `TRACE` for each
/// part, in the target `tautochrone_zk`, and ends nothing (feature `tracing`).
#[cfg(feature = "tracing")]
pub fn trace_events(Progress { stage, done, total }: Progress) -> ControlFlow<()> {
    tracing::trace!(target: "tautochrone_zk", ?stage, done, total);
    ControlFlow::Continue(())
}

#[cfg(test)]
pub(crate) mod tests;
