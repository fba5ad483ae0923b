//! The least work of a product by a kernel: from shapes, for benches that compare it with time.

use super::cost::terms_per_cycle;
use super::problem::Problem;
use crate::digits::Method;
use crate::kernel::Backend;
use crate::kernel::tiles::Form;
use crate::layout::{Layout, Side, TOP_BITS};
use crate::product::plan::Plan;

/// The least work of a product.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Multiplications of registers or of tiles that are executed: shapes are rounded up to whole
    /// ones.
    pub multiplications: u64,
    /// Cycles in which the CPU's ports or its tile unit can form the products of digits, without
    /// rounding up.
    pub cycles: f64,
}

impl Work {
    /// The work of a product of m x k by k x n entries; nothing for kernels without vectors.
    pub(crate) fn new(problem: &Problem, plan: &Plan, [m, k, n]: [usize; 3]) -> Option<Self> {
        let kernel = plan.kernel;
        let (x_width, y_width) = problem.widths;
        let x = plan.layout(Side::Left, x_width, (m, k), false);
        let y = plan.layout(Side::Right, y_width, (n, k), false);
        let products = kernel.digit.products(x_width, y_width, problem.word);
        let multiplications = if kernel.backend.has_tiles() {
            let digits = (x.encoding.count, y.encoding.count);
            let weights = kernel.digit.count(plan.word, plan.word).min(digits.0 + digits.1 - 1);
            let form = Form::new(digits, weights);
            let steps: usize = (0..x.blocks()).map(|block| x.steps(block)).sum();
            steps * form.products(digits, weights, (x.panels(), y.panels()))
        } else {
            products * of_registers(kernel.backend, &x, &y)?
        };
        let terms = m as f64 * k as f64 * n as f64 * products as f64;
        let cycles = terms / terms_per_cycle(kernel, problem.ports);
        Some(Self { multiplications: multiplications as u64, cycles })
    }
}

/// Multiplications of registers for one product of digits of each term.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn of_registers(backend: Backend, x: &Layout, y: &Layout) -> Option<usize> {
    let register: Option<usize> = match backend {
        Backend::Portable => None,
        #[cfg(target_arch = "x86_64")]
        Backend::Avx2(_) => Some(32),
        #[cfg(target_arch = "x86_64")]
        Backend::Avx512(_) | Backend::Vnni(_) | Backend::Ifma(_) => Some(64),
        #[cfg(target_arch = "x86_64")]
        Backend::Amx(..) => None,
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        Backend::DotProd(_) => Some(16),
        #[cfg(test)]
        Backend::Emulated => None,
    };
    // Bytes of digits of a line of X, by all columns.
    let bytes: usize = (0..x.blocks()).map(|block| x.cells(block) * x.shape.cell).sum();
    let registers = x.padded_lines() * y.padded_lines() * bytes / register?;
    Some(match x.method {
        Method::Direct => registers,
        Method::Winograd => registers / 2,
        Method::TopBit => registers + registers / TOP_BITS,
    })
}
