//! [`Workspace`]: scratch memory that outlives a product.

use alloc::vec::Vec;
use core::fmt;
use core::iter;

use crate::pack::Store;

/// Memory for the packed forms of both operands, reused from product to product: a product that
/// needs no more than an earlier one allocates nothing (on one thread; rayon may allocate for its
/// own queues). Erased when dropped.
///
/// ```
/// use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Workspace};
///
/// let x = [1_u32, 2, 3, 4];
/// let x = Matrix::row_major(&x, 2, 2)?;
/// let mut workspace = Workspace::new();
/// let mut z = [0_u32; 4];
/// for _ in 0..3 {
///     let z = MatrixMut::row_major(&mut z, 2, 2)?;
///     Multiplier::new().product(x, x).in_workspace(&mut workspace).add_to(z)?;
/// }
/// assert_eq!(z, [21, 30, 45, 66]);
/// # Ok::<(), tautochrone_matmul::Error>(())
/// ```
#[derive(Default)]
pub struct Workspace {
    pub(crate) x: Store,
    pub(crate) y: Store,
    /// The operands of further pairs, where several products are added up.
    more: Vec<[Store; 2]>,
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
        self.more.as_flattened_mut().iter_mut().for_each(Store::erase);
    }

    /// Memory for the left and the right operands of so many pairs, at least one.
    pub(crate) fn pairs(&mut self, count: usize) -> impl Iterator<Item = (&mut Store, &mut Store)> {
        if self.more.len() + 1 < count {
            self.more.resize_with(count - 1, Default::default);
        }
        let more = self.more.iter_mut().map(|[x, y]| (x, y));
        iter::once((&mut self.x, &mut self.y)).chain(more).take(count)
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Workspace")
    }
}
