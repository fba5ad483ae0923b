//! [`Workspace`]: scratch memory that outlives a product.

use core::fmt;

use crate::pack::Store;

/// Memory for the packed forms of both operands, reused from product to product: a product that
/// needs no more than an earlier one allocates nothing (on one thread; rayon may allocate for its
/// own queues). Erased when dropped.
#[derive(Default)]
pub struct Workspace {
    pub(crate) x: Store,
    pub(crate) y: Store,
}

impl Workspace {
    /// An empty workspace, which grows on demand.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Overwrites what earlier products left behind with zeros.
    pub fn erase(&mut self) {
        self.x.erase();
        self.y.erase();
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Workspace")
    }
}
