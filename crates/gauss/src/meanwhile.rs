//! [`Meanwhile`]: what is done beside the steps of other work.

/// What else is done between one step of a kernel and the next.
pub(crate) trait Meanwhile {
    /// A part of it.
    fn step(&mut self);
}

/// Nothing.
pub(crate) struct Nothing;

impl Meanwhile for Nothing {
    #[inline(always)]
    fn step(&mut self) {}
}
