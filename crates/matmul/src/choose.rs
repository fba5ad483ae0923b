//! How a product is formed: by which kernel, by tables, or by look-ups. This file alone decides, by
//! the costs of `choose/cost.rs`.
//!
//! Products with vectors are not among them: `matvec` forms products of whole words.

mod cost;
#[cfg(test)]
mod tests;

use core::fmt;

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

/// A way to form a product. All give the same result; benches compare their times.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Way(pub(crate) How);

impl Way {
    /// Whether operands are packed and multiplied.
    #[must_use]
    pub const fn multiplies(self) -> bool {
        matches!(self.0, How::Kernel(_))
    }
}

impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            How::Kernel(Kernel { backend, digit, method, .. }) => {
                write!(f, "{} {digit:?} {method:?}", backend.name())
            }
            How::Tables(columns) => write!(f, "tables of {columns}"),
            How::Lookups => f.write_str("look-ups"),
        }
    }
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

    /// About how many cycles a product takes in a way; without a size, the cycles of one term.
    fn cost(&self, how: How) -> f64 {
        match (how, self.size) {
            (How::Kernel(kernel), None) => cost::of_a_term(self, kernel),
            (How::Kernel(kernel), Some(size)) => {
                self.plan(kernel).map_or(f64::INFINITY, |plan| cost::of_kernel(self, &plan, size))
            }
            (How::Tables(columns), Some(size)) => cost::of_product_by_tables(self, columns, size),
            (How::Lookups, Some(size)) => cost::of_product_by_lookups(size),
            // Every packed panel is multiplied.
            (How::Tables(_) | How::Lookups, None) => f64::INFINITY,
        }
    }

    /// The cheapest of some ways; the first of equal ones.
    fn cheapest(&self, ways: impl Iterator<Item = How>) -> How {
        let costs = ways.map(|how| (self.cost(how), how));
        let best = costs.min_by(|(one, _), (other, _)| one.total_cmp(other));
        // Every instruction set has a kernel without a limit for words of at most 32 bits, and one
        // for 64.
        best.expect("some kernel takes every word").1
    }

    /// The cheapest way.
    pub(crate) fn best(&self) -> How {
        self.cheapest(self.ways())
    }

    /// Whether left operands of small entries should be packed narrow, `terms` entries a number,
    /// for products with so many columns, and not for the cheapest kernel.
    pub(crate) fn prefers_narrow(&self, terms: usize, columns: usize) -> bool {
        let multiplied = self.cost(How::Kernel(self.best_plan().kernel));
        cost::of_narrow(self, terms, columns) < 64.0 * multiplied * columns as f64
    }

    /// Whether look-ups form a product of that size faster than the cheapest kernel of this problem
    /// without a size, whose left operand is packed.
    pub(crate) fn prefers_lookups(&self, size: [usize; 3]) -> bool {
        let packed = self.cost(How::Kernel(self.best_plan().kernel));
        let terms = size.iter().map(|&size| size as f64).product::<f64>();
        let ternary = Self { ternary: Some(false), ..*self };
        ternary.takes(How::Lookups) && cost::of_product_by_lookups(size) < packed * terms
    }

    /// The plan of the cheapest kernel.
    pub(crate) fn best_plan(&self) -> Plan {
        let kernels = self.plans().map(|plan| How::Kernel(plan.kernel));
        let How::Kernel(kernel) = self.cheapest(kernels) else { unreachable!("kernels only") };
        self.plan(kernel).expect("it takes them")
    }
}
