//! The operands that a product takes on its left and on its right.

use core::marker::PhantomData;

use crate::layout::Side;
use crate::matrix::Matrix;
use crate::matrix::any::AnyMatrix;
use crate::product::packed::{Packed, PackedLeft, PackedRight};
use crate::ternary::Ternary;
use crate::ternary::packed_lookup::PackedNarrow;
use crate::width::Width;
use crate::word::Operand;

/// An operand without its type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    View(AnyMatrix<'a>),
    Packed(&'a Packed),
    /// On the right.
    Ternary(Ternary<'a>),
    /// On the left of a public [`Ternary`] matrix only.
    Narrow(&'a PackedNarrow),
}

impl<'a> Source<'a> {
    /// The values that entries may take.
    pub(crate) fn width(self) -> Width {
        match self {
            Self::View(view) => view.width(),
            Self::Packed(packed) => packed.width,
            Self::Ternary(ternary) => ternary.entries().width(),
            Self::Narrow(_) => Width::of::<i8>(),
        }
    }

    /// Rows and columns.
    pub(crate) fn shape(self, side: Side) -> (usize, usize) {
        match self {
            Self::View(view) => (view.rows(), view.columns()),
            Self::Packed(Packed { layout, .. }) => match side {
                Side::Left => (layout.lines, layout.depth),
                Side::Right => (layout.depth, layout.lines),
            },
            Self::Ternary(ternary) => ternary.shape(),
            Self::Narrow(narrow) => (narrow.rows(), narrow.columns()),
        }
    }

    /// The matrix, if it was not packed.
    pub(crate) fn view(self) -> Option<AnyMatrix<'a>> {
        match self {
            Self::View(view) => Some(view),
            Self::Ternary(ternary) => Some(AnyMatrix::new(ternary.entries())),
            Self::Packed(_) | Self::Narrow(_) => None,
        }
    }

    /// The operand that was packed for kernels.
    pub(crate) fn packed(self) -> Option<&'a Packed> {
        if let Self::Packed(packed) = self { Some(packed) } else { None }
    }
}

macro_rules! side {
    ($(#[$doc:meta])* $side:ident: $([$($t:ident)?] $from:ty => |$value:ident| $source:expr;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $side<'a, W> {
            pub(crate) source: Source<'a>,
            word: PhantomData<W>,
        }

        $(impl<'a, W $(, $t: Operand)?> From<$from> for $side<'a, W> {
            fn from($value: $from) -> Self {
                Self { source: $source, word: PhantomData }
            }
        })*
    };
}

side! {
    /// A left operand modulo 2^w: a [`Matrix`] of any element type, a `&`[`PackedLeft`], or for
    /// w = 32 a `&`[`PackedNarrow`], whose partners are public [`Ternary`] matrices.
    Left:
    [T] Matrix<'a, T> => |matrix| Source::View(AnyMatrix::new(matrix));
    [] &'a PackedLeft<W> => |packed| Source::Packed(&packed.inner);
}

side! {
    /// A right operand modulo 2^w: a [`Matrix`] of any element type, a `&`[`PackedRight`], or a
    /// [`Ternary`] matrix.
    Right:
    [T] Matrix<'a, T> => |matrix| Source::View(AnyMatrix::new(matrix));
    [] &'a PackedRight<W> => |packed| Source::Packed(&packed.inner);
    [] Ternary<'a> => |ternary| Source::Ternary(ternary);
}

impl<'a> From<&'a PackedNarrow> for Left<'a, u32> {
    fn from(narrow: &'a PackedNarrow) -> Self {
        Self { source: Source::Narrow(narrow), word: PhantomData }
    }
}
