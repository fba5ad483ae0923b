//! Packing: the entries of a matrix to digits in the order of its [`Layout`].

use core::array::from_fn;

use crate::buffer::Buffer;
use crate::digits::{Digit, Encoding, Method};
use crate::layout::{Layout, Panels, Shape, Side, TOP_BITS};
use crate::matrix::Matrix;
use crate::parallel;
use crate::transpose;
use crate::word::{Operand, Word};

/// Memory for a packed operand.
#[derive(Default)]
pub(crate) struct Store {
    digits: Buffer,
    sums: Buffer,
}

impl Store {
    /// Overwrites everything with zeros.
    pub(crate) fn erase(&mut self) {
        self.digits.erase();
        self.sums.erase();
    }

    /// Makes room for an operand.
    pub(crate) fn reserve(&mut self, layout: &Layout) {
        self.digits.bytes_mut(layout.bytes());
        self.sums.words_mut(layout.line_room());
    }

    /// Packs a matrix whose rows are the lines; `sums` says whether line sums will be needed.
    pub(crate) fn pack<T: Operand>(
        &mut self,
        layout: &Layout,
        view: Matrix<'_, T>,
        sums: bool,
        parallel: bool,
    ) {
        let bytes = self.digits.bytes_mut(layout.bytes());
        let line_room = self.sums.words_mut(layout.line_room());
        if sums {
            line_room.fill(0);
        }
        for block in 0..layout.blocks() {
            let size = layout.panel_bytes(block);
            let bytes = &mut bytes[layout.block_start(block)..][..size * layout.panels()];
            let lines = (&mut *line_room, layout.shape.lines);
            parallel::for_both_chunks((bytes, size), lines, parallel, |panel, out, line_sums| {
                pack_panel(layout, &view, block, panel, out);
                if sums && layout.method == Method::Winograd {
                    add_pair_sums(layout, out, line_sums);
                }
            });
        }
        if sums && layout.method != Method::Winograd {
            add_line_sums(&view, &mut line_room[..layout.lines]);
        }
    }

    /// The operand that was packed, with line sums if they were asked for.
    pub(crate) fn panels(&self, layout: Layout, sums: bool) -> Panels<'_> {
        Panels {
            layout,
            bytes: self.digits.bytes(layout.bytes()),
            sums: self.sums.words(if sums { layout.lines } else { 0 }),
        }
    }
}

/// Adds the sum of each row modulo `2^64`.
fn add_line_sums<T: Operand>(view: &Matrix<'_, T>, sums: &mut [u64]) {
    let (row, _) = view.strides();
    if row == 1 {
        for j in 0..view.columns() {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(view.at(i, j).widen());
            }
        }
    } else {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = (0..view.columns())
                .fold(*sum, |sum: u64, j| sum.wrapping_add(view.at(i, j).widen()));
        }
    }
}

/// Adds the sum over the pairs of cells of each line of a panel of the products of their digits, modulo `2^{8 D}`.
fn add_pair_sums(layout: &Layout, panel: &[u8], sums: &mut [u64]) {
    match layout.encoding.digit {
        Digit::Byte => add_pair_sums_of(layout, panel, sums, u8::from_le_bytes),
        Digit::Half => add_pair_sums_of(layout, panel, sums, u16::from_le_bytes),
        Digit::Word => add_pair_sums_of(layout, panel, sums, u32::from_le_bytes),
        Digit::Double => add_pair_sums_of(layout, panel, sums, u64::from_le_bytes),
    }
}

/// The same, for digits of `D` bytes: two cells of all lines are two runs, multiplied digit by digit.
fn add_pair_sums_of<W: Word, const D: usize>(
    layout: &Layout,
    panel: &[u8],
    sums: &mut [u64],
    digit: fn([u8; D]) -> W,
) {
    /// At most 32 lines of cells of four bytes.
    const MOST: usize = 128;
    let Shape { lines, cell } = layout.shape;
    let mut products = [W::default(); MOST];
    for pair in panel.chunks_exact(2 * lines * cell) {
        let (first, second) = pair.split_at(lines * cell);
        let (first, second) = (first.as_chunks::<D>().0, second.as_chunks::<D>().0);
        for ((sum, a), b) in products.iter_mut().zip(first).zip(second) {
            *sum = sum.wrapping_add(digit(*a).wrapping_mul(digit(*b)));
        }
    }
    for (sum, products) in sums.iter_mut().zip(products.chunks_exact(cell / D)) {
        *sum = products.iter().fold(*sum, |sum, product| sum.wrapping_add(product.widen()));
    }
    products.fill(W::default());
    zeroize::optimization_barrier(&products);
}

/// Packs one panel of one block, all digits.
fn pack_panel<T: Operand>(
    layout: &Layout,
    view: &Matrix<'_, T>,
    block: usize,
    panel: usize,
    out: &mut [u8],
) {
    let place = Place {
        layout,
        line: panel * layout.shape.lines,
        term: block * layout.block,
        terms: layout.terms(block),
        plane: layout.plane_bytes(block),
    };
    if layout.method == Method::TopBit {
        let (digits, bits) = out.split_at_mut(out.len() / (TOP_BITS + 1) * TOP_BITS);
        Place { plane: digits.len(), ..place }.pack::<T, 1, 4>(view, digits);
        return take_bits(layout, digits, bits);
    }
    match (layout.encoding.digit.bytes(), layout.shape.cell) {
        (1, 4) => place.pack::<T, 1, 4>(view, out),
        (1, _) => place.pack::<T, 1, 64>(view, out),
        (2, _) => place.pack::<T, 2, 2>(view, out),
        (4, _) => place.pack::<T, 4, 1>(view, out),
        _ => place.pack::<T, 8, 1>(view, out),
    }
}

/// Takes the top bits off the bytes of X, and copies the lowest bits of the bytes of Y, into cells of their own.
fn take_bits(layout: &Layout, digits: &mut [u8], bits: &mut [u8]) {
    let step = layout.shape.lines * size_of::<u32>();
    let (shift, kept) = match layout.side {
        Side::Left => (7, 0x7f7f_7f7f),
        Side::Right => (0, u32::MAX),
    };
    bits.fill(0);
    let groups = digits.chunks_exact_mut(TOP_BITS * step).zip(bits.chunks_exact_mut(step));
    for (cells, bits) in groups {
        for (cell, digits) in cells.chunks_exact_mut(step).enumerate() {
            let bits = bits.as_chunks_mut::<4>().0.iter_mut();
            for (digits, bits) in digits.as_chunks_mut::<4>().0.iter_mut().zip(bits) {
                let four = u32::from_le_bytes(*digits);
                // Bit 8 i to bit i, i = 0 .. 3.
                let apart = four >> shift & 0x0101_0101;
                let twos = apart | apart >> 7;
                let together = (twos | twos >> 14) & 0xf;
                *digits = (four & kept).to_le_bytes();
                *bits = (u32::from_le_bytes(*bits) | together << (4 * cell)).to_le_bytes();
            }
        }
    }
}

/// Where a panel comes from.
struct Place<'a> {
    layout: &'a Layout,
    line: usize,
    term: usize,
    terms: usize,
    plane: usize,
}

/// Cells of a line that are packed before the next line: so few that what is written for 32 lines (8 KiB of 4-byte cells) and
/// what is read stay in the first-level cache, so many that the source is read in runs of several cache lines.
const RUN: usize = 64;

impl Place<'_> {
    /// `D` bytes per digit, `C` digits per cell.
    fn pack<T: Operand, const D: usize, const C: usize>(
        &self,
        view: &Matrix<'_, T>,
        out: &mut [u8],
    ) {
        let Encoding { add, flip, count, .. } = self.layout.encoding;
        let shifted = |entry: T| entry.widen().wrapping_add(add) ^ flip;
        match (count, add | flip) {
            (1, 0) => self.pack_by::<T, D, C, true>(view, out, T::widen),
            (1, _) => self.pack_by::<T, D, C, true>(view, out, shifted),
            _ => self.pack_by::<T, D, C, false>(view, out, shifted),
        }
    }

    /// The same, given what becomes of an entry before it is cut into digits, and whether it is `ONE` digit.
    #[inline(always)]
    fn pack_by<T: Operand, const D: usize, const C: usize, const ONE: bool>(
        &self,
        view: &Matrix<'_, T>,
        out: &mut [u8],
        encode: impl Fn(T) -> u64,
    ) {
        let encode = |entry, shift| if ONE { encode(entry) } else { encode(entry) >> shift };
        let height = self.layout.shape.lines;
        let lines = height.min(self.layout.lines - self.line);
        if lines < height || !self.terms.is_multiple_of(self.layout.align) {
            out.fill(0);
        }
        let (row, column) = view.strides();
        let (whole, rest) = (self.terms / C, self.terms % C);
        if column == 1 {
            for first in (0..whole).step_by(RUN) {
                let cells = RUN.min(whole - first);
                for (plane, shift) in self.planes(out) {
                    let out = &mut plane[first * height * D * C..];
                    let from = self.term + first * C;
                    let run = |i| view.row_run(self.line + i, from, cells * C).as_chunks().0;
                    let digit = |entry| encode(entry, shift);
                    let fours = lines / 4 * 4;
                    for i in (0..fours).step_by(4) {
                        let out = &mut out[i * D * C..];
                        put_four::<T, D, C>(from_fn(|l| run(i + l)), out, height, digit);
                    }
                    for i in fours..lines {
                        let out = out[i * D * C..].chunks_mut(height * D * C);
                        for (entries, out) in run(i).iter().zip(out) {
                            put::<D>(&mut out[..D * C], |c| digit(entries[c]));
                        }
                    }
                }
            }
        } else {
            let data = &view.data()[self.line * row + self.term * column..];
            let first = if (D, C, row, self.layout.encoding.count) == (1, 4, 1, 1) {
                self.interleave(data, column, lines, out)
            } else {
                0
            };
            for cell in first..whole {
                for (plane, shift) in self.planes(out) {
                    let out = plane[cell * height * D * C..].chunks_exact_mut(D * C);
                    for (i, out) in out.take(lines).enumerate() {
                        let at = |c| data[i * row + (cell * C + c) * column];
                        put::<D>(out, |c| encode(at(c), shift));
                    }
                }
            }
        }
        if rest > 0 {
            for (plane, shift) in self.planes(out) {
                let out = plane[whole * height * D * C..].chunks_exact_mut(D * C);
                for (i, out) in out.take(lines).enumerate() {
                    let at = |c| view.at(self.line + i, self.term + whole * C + c);
                    put::<D>(&mut out[..rest * D], |c| encode(at(c), shift));
                }
            }
        }
    }

    /// The panels of the digits, and how far up each digit lies in an entry.
    fn planes<'a>(&self, out: &'a mut [u8]) -> impl Iterator<Item = (&'a mut [u8], u32)> {
        let bits = self.layout.encoding.digit.bits();
        out.chunks_exact_mut(self.plane).zip((0..).step_by(bits as usize))
    }

    /// Whole cells of four entries of one byte each, of lines that lie side by side in memory: four columns are woven
    /// together, sixteen lines at a time, which compilers turn into byte shuffles. Returns how many cells are done: all,
    /// or none if the lines are not a multiple of sixteen.
    fn interleave<T: Operand>(
        &self,
        data: &[T],
        column: usize,
        lines: usize,
        out: &mut [u8],
    ) -> usize {
        const LINES: usize = 16;
        const CELL: usize = 4;
        if !lines.is_multiple_of(LINES) {
            return 0;
        }
        let Encoding { add, flip, .. } = self.layout.encoding;
        let digit = |entry: T| (entry.widen() as u8).wrapping_add(add as u8) ^ flip as u8;
        let cells = self.terms / CELL;
        let out = out.chunks_exact_mut(CELL * self.layout.shape.lines);
        for (cell, out) in out.take(cells).enumerate() {
            let [a, b, c, d]: [&[[T; LINES]]; CELL] =
                from_fn(|c| data[(cell * CELL + c) * column..][..lines].as_chunks().0);
            let out = out.as_chunks_mut::<{ CELL * LINES }>().0;
            for ((((out, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                for (i, out) in out.as_chunks_mut::<CELL>().0.iter_mut().enumerate() {
                    *out = [digit(a[i]), digit(b[i]), digit(c[i]), digit(d[i])];
                }
            }
        }
        cells
    }
}

/// Writes the cells of four lines side by side, `height` cells apart for each cell of a line.
#[inline(always)]
fn put_four<T: Copy, const D: usize, const C: usize>(
    lines: [&[[T; C]]; 4],
    out: &mut [u8],
    height: usize,
    digit: impl Fn(T) -> u64,
) {
    let cells = lines[0].len();
    let lines = lines.map(|line| &line[..cells]);
    let pitch = height * D * C;
    let number = |l: usize, c: usize| {
        let digits = lines[l][c].iter().enumerate();
        digits.fold(0, |number, (i, &entry)| {
            number | (digit(entry) & u64::MAX >> (64 - 8 * D)) << (8 * D * i)
        })
    };
    let mut done = 0;
    if D * C == 4 {
        while done + 4 <= cells {
            let words = from_fn(|l| from_fn(|c| number(l, done + c) as u32));
            for (c, words) in transpose::words(words).iter().enumerate() {
                put_cells(&mut out[(done + c) * pitch..], words, u32::to_le_bytes);
            }
            done += 4;
        }
    } else if D * C == 8 {
        while done + 2 <= cells {
            for two in [0, 2] {
                let doubles = from_fn(|l| from_fn(|c| number(two + l, done + c)));
                for (c, doubles) in transpose::doubles(doubles).iter().enumerate() {
                    let at = (done + c) * pitch + two * D * C;
                    put_cells(&mut out[at..], doubles, u64::to_le_bytes);
                }
            }
            done += 2;
        }
    }
    for cell in done..cells {
        let out = out[cell * pitch..].chunks_exact_mut(D * C);
        for (line, out) in lines.iter().zip(out) {
            put::<D>(out, |c| digit(line[cell][c]));
        }
    }
}

/// Writes whole cells.
#[inline(always)]
fn put_cells<U: Copy, const N: usize, const B: usize>(
    out: &mut [u8],
    cells: &[U; N],
    bytes: impl Fn(U) -> [u8; B],
) {
    for (out, &cell) in out[..N * B].as_chunks_mut::<B>().0.iter_mut().zip(cells) {
        *out = bytes(cell);
    }
}

/// Writes digits of `D` bytes.
#[inline(always)]
fn put<const D: usize>(out: &mut [u8], digit: impl Fn(usize) -> u64) {
    for (c, out) in out.as_chunks_mut::<D>().0.iter_mut().enumerate() {
        out.copy_from_slice(&digit(c).to_le_bytes()[..D]);
    }
}
