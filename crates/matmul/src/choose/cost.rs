//! The cost of a product, in cycles of one thread: an estimate, from public numbers alone.
//!
//! A product by a kernel takes, with m and n rounded up to whole register tiles and k to whole
//! cells or steps,
//!
//! `fixed + products m k n p / t + packing + (sums m n + tiles T) b`
//!
//! cycles: p products of digits a term at [`terms_per_cycle`] t; b blocks of the sum times weights,
//! T tiles. Packing takes, for each byte of digits, `written`, and `several` more if an entry has
//! several digits, `wider` if it is narrower than its digit, `pairs` if there is a second pass, for
//! sums of products of neighbours or for top bits. What the instructions allow follows from the
//! CPU's ports; the other factors were fitted to 950 measurements on a Sapphire Rapids (least
//! squares of quotients, whose standard deviation is a fifth: `benches/record`).

use tautochrone_simd::Ports;

use super::Problem;
use crate::digits::{Digit, Method};
use crate::kernel::{Backend, Kernel};
use crate::layout::{Layout, Side};
use crate::product::plan::{MAX_DEPTH, Plan};

/// Terms of one digit that a kernel's instructions form in a cycle: the terms of a register,
/// divided by the cycles of its multiplications or of all of its instructions, the larger of the
/// two.
pub(super) fn terms_per_cycle(kernel: Kernel, ports: Ports) -> f64 {
    // Of a register of 512 bits.
    let digits = 64.0 / kernel.digit.bytes() as f64;
    let words = f64::from(ports.words);
    let products = match kernel.digit {
        Digit::Word => ports.words,
        Digit::Double => ports.doubles,
        _ => 1,
    };
    // Multiplications, and all instructions, that a cycle has.
    let (one, wide, narrow) = ((1, 1), (ports.multiplications, ports.all), (2, ports.all_256));
    let (terms, products, others, cycle) = match (kernel.backend, kernel.digit, kernel.method) {
        // `vpdpbusd`, `vpdpwssd`, `vpmadd52luq` add as well; two terms at once take two additions.
        (Backend::Vnni(_) | Backend::Ifma(_), _, Method::Direct) => (digits, 1.0, 0.0, wide),
        (Backend::Vnni(_) | Backend::Ifma(_), ..) => (2.0 * digits, 1.0, 2.0, wide),
        (Backend::Avx512(_), _, Method::Direct) => (digits, 1.0, 1.0, wide),
        (Backend::Avx512(_), ..) => (2.0 * digits, f64::from(products), 3.0, wide),
        // And an eighth of the products of top bits, with an `and` and a `xor`.
        (Backend::Avx2(_), Digit::Byte, _) => (64.0, 2.0, 2.5, narrow),
        (Backend::Avx2(_), Digit::Half, Method::Direct) => (16.0, 1.0, 1.0, narrow),
        (Backend::Avx2(_), Digit::Half, _) => (32.0, 1.0, 3.0, narrow),
        (Backend::Avx2(_), Digit::Word, _) => (16.0, words, 3.0, narrow),
        (Backend::Avx2(_), Digit::Double, _) => (8.0, 1.0 + words, 5.0, narrow),
        (Backend::Amx(..), ..) => (TILE_TERMS, 1.0, 0.0, one),
        // Not measured: two `udot` of 16 terms a cycle, as Neoverse N1 starts them (Arm, Neoverse
        // N1 Software Optimization Guide).
        (Backend::DotProd(_), ..) => (32.0, 1.0, 0.0, one),
        #[cfg(test)]
        (Backend::Emulated, ..) => (TILE_TERMS, 1.0, 0.0, one),
        // Measured: what compilers make of the loops for the baseline of x86-64.
        (Backend::Portable, Digit::Half, _) => (2.2, 1.0, 0.0, one),
        (Backend::Portable, ..) => (2.0, 1.0, 0.0, one),
    };
    let (multiplications, all) = cycle;
    terms / f64::max(products / f64::from(multiplications), (products + others) / f64::from(all))
}

/// `tdpbusd`: 16 x 16 sums of 64 terms in 16 cycles.
const TILE_TERMS: f64 = 1024.0;

/// The factors above: fixed, products, written, several, wider, pairs, sums, tiles.
fn factors(backend: Backend) -> [f64; 8] {
    // Half of the peak of the tile unit: digits come from the second-level cache.
    const TILES: [f64; 8] = [4300.0, 1.9, 0.17, 0.0, 0.0, 0.0, 0.15, 60.0];
    const PORTABLE: [f64; 8] = [2100.0, 1.3, 0.4, 0.0, 0.0, 0.0, 4.4, 0.0];
    match backend {
        // NEON packs by portable code.
        Backend::Portable | Backend::DotProd(_) => PORTABLE,
        Backend::Avx2(_) => [2200.0, 1.3, 0.27, 0.35, 0.25, 0.1, 1.0, 76.0],
        Backend::Avx512(_) | Backend::Vnni(_) | Backend::Ifma(_) => {
            [2200.0, 1.25, 0.14, 0.7, 0.25, 0.11, 0.14, 160.0]
        }
        Backend::Amx(..) => TILES,
        #[cfg(test)]
        Backend::Emulated => TILES,
    }
}

/// Cycles of a term of a long product, by a kernel.
pub(super) fn of_a_term(problem: &Problem, kernel: Kernel) -> f64 {
    let (x, y) = problem.widths;
    let [_, factor, ..] = factors(kernel.backend);
    let products = kernel.digit.products(x, y, problem.word) as f64;
    factor * products / terms_per_cycle(kernel, problem.ports)
}

/// Cycles of a product of that size by a kernel that takes such words.
pub(super) fn of_kernel(problem: &Problem, plan: &Plan, [m, k, n]: [usize; 3]) -> f64 {
    let kernel = plan.kernel;
    let [fixed, _, written, several, wider, pairs, sums, tiles] = factors(kernel.backend);
    let layout = |side, width, lines| plan.layout(side, width, (lines, k), true);
    let (x, y) = problem.widths;
    let operands = [(x, layout(Side::Left, x, m)), (y, layout(Side::Right, y, n))];
    let ceil = |size: usize, part: usize| size.div_ceil(part) as f64 * part as f64;
    let [rows, columns] = operands.map(|(_, layout)| ceil(layout.lines, layout.shape.lines));
    let terms = ceil(k, operands[0].1.step.unwrap_or(operands[0].1.align));
    let (mut packing, mut digits, mut tile) = (0.0, 0, 1);
    for (width, Layout { encoding, shape, lines, .. }) in operands {
        let (digit, count) = (encoding.digit, encoding.count);
        let bytes = ceil(lines, shape.lines) * terms * (digit.bytes() * count) as f64;
        packing += written * bytes;
        if count > 1 {
            packing += several * bytes;
        } else if digit.bits() > width.bits.next_multiple_of(8) {
            packing += wider * bytes;
        }
        if kernel.method != Method::Direct {
            packing += pairs * bytes;
        }
        (digits, tile) = (digits + count, tile * shape.lines);
    }
    let weights = kernel.digit.count(problem.word, problem.word).min(digits - 1);
    let blocks = k.div_ceil(MAX_DEPTH) as f64 * weights as f64;
    fixed
        + of_a_term(problem, kernel) * rows * columns * terms
        + packing
        + (sums + tiles / tile as f64) * rows * columns * blocks
}

/// Cycles of a register of 64 bytes of words of X, for every `columns` columns of X whose sums are
/// tabulated: to fill the table, and to add an entry of it to each of n columns of Z.
fn of_tables(problem: &Problem, columns: usize, n: f64) -> f64 {
    // Measured, for a sum in the table and for a column of Z.
    let (fill, add) = if problem.isa.avx512().is_some() {
        (1.35, 1.4)
    } else if problem.isa.avx2().is_some() {
        (1.4, 2.0)
    } else {
        (4.0, 6.0)
    };
    (if columns == 3 { 27.0 } else { 81.0 }) * fill + n * add
}

/// Cycles of a product by tables in memory.
pub(super) fn of_product_by_tables(problem: &Problem, columns: usize, size: [usize; 3]) -> f64 {
    let [m, k, n] = size.map(|size| size as f64);
    let registers = (m * f64::from(problem.widths.0.bits) / 512.0).max(1.0);
    let groups = (k / columns as f64).max(1.0);
    TABLES_FIXED + registers * groups * of_tables(problem, columns, n) + INDEX * k * n
}

/// Cycles of a product by look-ups of 32-bit words in registers: for a row and three columns of X
/// to make two registers of sums, and for 16 columns of Y to look up and add.
pub(super) fn of_product_by_lookups([m, k, n]: [usize; 3]) -> f64 {
    let (rows, groups) = (m as f64, (k as f64 / 3.0).max(1.0));
    let registers = n.div_ceil(16) as f64;
    TABLES_FIXED + rows * groups * (16.0 + 1.42 * registers) + INDEX * k as f64 * n as f64
}

/// Cycles before the first table is filled: scratch is allocated and erased.
const TABLES_FIXED: f64 = 3000.0;
/// Cycles for an entry of Y to become a part of an index.
const INDEX: f64 = 0.5;

/// Cycles of 64 rows of small entries by a column of n columns, packed narrow: so many entries are
/// a number where they are looked up.
pub(super) fn of_narrow(problem: &Problem, terms: usize, n: usize) -> f64 {
    if problem.isa.vbmi().is_some() {
        // A look-up of 64 bytes, and its widening addition to 64 sums of 16 bits; measured 2.5, but
        // at equal cost narrow ones take less memory.
        return 2.4 * n as f64 / terms as f64;
    }
    of_tables(problem, 3, n as f64) / 3.0
}
