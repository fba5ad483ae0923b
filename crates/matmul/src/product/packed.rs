//! Operands packed once and multiplied often.

use core::fmt;
use core::marker::PhantomData;

use crate::layout::{Layout, Panels};
use crate::pack::{Form, Store};
use crate::product::plan::Plan;
use crate::width::Width;

/// A packed operand without its type.
pub(crate) struct Packed {
    pub(crate) plan: Plan,
    pub(crate) layout: Layout,
    pub(crate) width: Width,
    pub(crate) form: Form,
    pub(crate) store: Store,
    /// Whether there are line sums.
    pub(crate) sums: bool,
}

impl Packed {
    /// The operand, which was packed as digits, with line sums if it has them.
    pub(crate) fn panels(&self) -> Panels<'_> {
        debug_assert!(self.form == Form::Digits, "a product makes digits of other forms");
        self.store.panels(self.layout, self.sums)
    }

    /// Whether a product with an operand of this layout needs line sums that are not there, as
    /// this one was packed for narrower partners.
    pub(crate) fn lacks_sums(&self, other: &Layout) -> bool {
        !self.sums && self.layout.needs_sums(other)
    }
}

impl fmt::Debug for Packed {
    /// The shape only: entries may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({} lines of {})", self.layout.lines, self.layout.depth)
    }
}

macro_rules! packed {
    ($(#[$doc:meta])* $name:ident, $rows:ident, $columns:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<W> {
            pub(crate) inner: Packed,
            pub(crate) word: PhantomData<W>,
        }

        impl<W> $name<W> {
            /// Rows.
            #[must_use]
            pub const fn rows(&self) -> usize {
                self.inner.layout.$rows
            }

            /// Columns.
            #[must_use]
            pub const fn columns(&self) -> usize {
                self.inner.layout.$columns
            }

            /// Bytes of memory that it takes, about.
            #[must_use]
            pub fn bytes(&self) -> usize {
                self.inner.form.bytes(&self.inner.layout)
            }
        }
    };
}

packed! {
    /// A left operand in the layout of the kernel that will use it, by [`Multiplier::pack_left`] or
    /// [`Multiplier::pack_left_compact`]; erased when dropped.
    ///
    /// [`Multiplier::pack_left`]: crate::Multiplier::pack_left
    /// [`Multiplier::pack_left_compact`]: crate::Multiplier::pack_left_compact
    PackedLeft, lines, depth
}
packed! {
    /// A right operand in the layout of the kernel that will use it, by [`Multiplier::pack_right`];
    /// erased when dropped.
    ///
    /// [`Multiplier::pack_right`]: crate::Multiplier::pack_right
    PackedRight, depth, lines
}
