//! The problem: a product of some size, and the ways to form it.

use tautochrone_simd::{Isa, Ports};

use crate::kernel::Kernel;
use crate::product::plan::Plan;
use crate::width::Width;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Both operands are packed and multiplied.
    Kernel(Kernel),
    /// [`public_tables`](crate::ternary::public_tables), of three or four columns.
    Tables(usize),
    /// [`secret_lookup`](crate::ternary::secret_lookup).
    Lookups,
}

/// The known properties of a product, all public.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem {
    pub(crate) isa: Isa,
    pub(crate) ports: Ports,
    /// For X and for Y.
    pub(crate) widths: (Width, Width),
    /// Bits of the residues.
    pub(crate) word: u32,
    /// m, k and n; nothing where an operand is packed for any number of products.
    pub(crate) size: Option<[usize; 3]>,
    /// If Y has entries -1, 0, 1 only, and X is a matrix of words: whether Y is public.
    pub(crate) ternary: Option<bool>,
}

impl Problem {
    /// The plan with a kernel, if it takes such words.
    pub(crate) fn plan(&self, kernel: Kernel) -> Option<Plan> {
        let (x, y) = self.widths;
        Plan::with_kernel(kernel, x, y, self.word)
    }

    /// The plans of all kernels that take such words.
    pub(crate) fn plans(&self) -> impl Iterator<Item = Plan> {
        Kernel::all(self.isa).filter_map(|kernel| self.plan(kernel))
    }

    /// Whether a product can be formed in this way.
    pub(crate) fn takes(&self, how: How) -> bool {
        match how {
            How::Kernel(kernel) => self.plan(kernel).is_some(),
            How::Tables(_) => self.ternary == Some(true),
            How::Lookups => {
                let words = self.widths.0 == Width::of::<u32>() && self.word <= u32::BITS;
                self.ternary == Some(false) && words && self.isa.avx512().is_some()
            }
        }
    }

    /// Every way.
    pub(crate) fn ways(&self) -> impl Iterator<Item = How> {
        let others = [How::Tables(3), How::Tables(4), How::Lookups];
        let kernels = self.plans().map(|plan| How::Kernel(plan.kernel));
        kernels.chain(others.into_iter().filter(|&how| self.takes(how)))
    }
}
