//! The digits of one panel, in the order in which a kernel reads them.

use core::array::from_fn;

use super::transpose;
use crate::digits::Encoding;
use crate::layout::Layout;
use crate::matrix::Matrix;
use crate::word::Operand;

/// Which entries of a matrix a panel holds.
pub(super) struct PanelSource<'a> {
    pub(super) layout: &'a Layout,
    /// The first line.
    pub(super) line: usize,
    /// The first term.
    pub(super) term: usize,
    /// Terms.
    pub(super) terms: usize,
    /// Bytes of a digit of the panel.
    pub(super) plane: usize,
}

/// How an entry `x`, seen as the unsigned `x'`, becomes digits: `x = (x' xor sign) - sign`, and the
/// digits are the bytes of `(x + add) xor flip`.
#[derive(Clone, Copy)]
struct Encoder {
    sign: u64,
    add: u64,
    flip: u64,
}

impl Encoder {
    /// For one digit: half the radix is all that is ever added, and adding it flips the top bit.
    fn of_one<T: Operand>(encoding: &Encoding) -> Self {
        let half = 1 << (encoding.digit.bits() - 1);
        debug_assert!([encoding.add, encoding.flip].iter().all(|&x| x == 0 || x == half));
        Self { sign: sign::<T>(), add: 0, flip: encoding.add ^ encoding.flip }
    }

    fn of_several<T: Operand>(encoding: &Encoding) -> Self {
        let sign = sign::<T>();
        Self { sign, add: encoding.add.wrapping_sub(sign), flip: encoding.flip }
    }

    /// Digits of `D` bytes from bit `shift` on. If there is only `ONE`, `flip` is the caller's to
    /// apply.
    #[inline(always)]
    fn digit<T: Operand, const D: usize, const ONE: bool>(self, entry: T, shift: u32) -> u64 {
        let Self { sign, add, flip } = self;
        match (ONE, 8 * D as u32 <= T::BITS) {
            (true, true) => entry.widen(),
            (true, false) => (entry.widen() ^ sign).wrapping_sub(sign),
            (false, _) => ((entry.widen() ^ sign).wrapping_add(add) ^ flip) >> shift,
        }
    }
}

/// The top bit of a signed type.
fn sign<T: Operand>() -> u64 {
    if T::SIGNED { 1 << (T::BITS - 1) } else { 0 }
}

/// Cells of a line that are packed before the next line: so few that the cells written for 32 lines
/// (8 KiB of 4-byte cells) and the entries read stay in the first-level cache, so many that the
/// source is read in runs of several cache lines.
const RUN: usize = 64;

impl PanelSource<'_> {
    /// Whether an entry of the panel needs more bits than stated. The entries are still in the
    /// caches if the panel was just packed.
    pub(super) fn exceeds_stated_bits<T: Operand>(&self, view: &Matrix<'_, T>) -> bool {
        let stated = view.width();
        if stated.bits == T::BITS {
            return false;
        }
        let lines = self.layout.shape.lines.min(self.layout.lines - self.line);
        let entries = view
            .rows_in(self.line..self.line + lines)
            .columns_in(self.term..self.term + self.terms);
        let mut used = 0;
        entries.for_each_run(|run| used |= T::magnitude_bits(run));
        used >> (stated.bits - u32::from(stated.signed)) != 0
    }

    /// `D` bytes per digit, `C` digits per cell.
    pub(super) fn pack<T: Operand, const D: usize, const C: usize>(
        &self,
        view: &Matrix<'_, T>,
        out: &mut [u8],
    ) {
        let (view, encoding) = (view.as_unsigned(), &self.layout.encoding);
        // An entry that is no wider than a digit is one, and what packs several is not compiled.
        if const { 8 * D as u32 >= T::BITS } || encoding.count == 1 {
            self.pack_by::<_, D, C, true>(&view, out, Encoder::of_one::<T>(encoding));
        } else {
            self.pack_by::<_, D, C, false>(&view, out, Encoder::of_several::<T>(encoding));
        }
    }

    /// The same for unsigned entries, given whether an entry is `ONE` digit.
    fn pack_by<T: Operand, const D: usize, const C: usize, const ONE: bool>(
        &self,
        view: &Matrix<'_, T>,
        out: &mut [u8],
        encoder: Encoder,
    ) {
        let encode = |entry: T, shift| encoder.digit::<T, D, ONE>(entry, shift);
        // A separate step for whole cells, which are one load where an entry is one byte.
        let flip = if ONE { encoder.flip } else { 0 };
        let height = self.layout.shape.lines;
        let lines = height.min(self.layout.lines - self.line);
        if lines < height || !self.terms.is_multiple_of(self.layout.align) {
            out.fill(0);
        }
        let (row, column) = view.strides();
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let (whole, rest) = (self.terms / C, self.terms % C);
        if column == 1 {
            for first in (0..whole).step_by(RUN) {
                let cells = RUN.min(whole - first);
                for (plane, shift) in self.planes(out) {
                    let out = &mut plane[first * height * D * C..];
                    let from = self.term + first * C;
                    let run = |i| view.row_run(self.line + i, from, cells * C).as_chunks().0;
                    let digit = |entry| encode(entry, shift);
                    let fours = lines & !3;
                    for i in (0..fours).step_by(4) {
                        let out = &mut out[i * D * C..];
                        put_four::<T, D, C>(from_fn(|l| run(i + l)), out, height, flip, digit);
                    }
                    for i in fours..lines {
                        let out = out[i * D * C..].chunks_mut(height * D * C);
                        for (entries, out) in run(i).iter().zip(out) {
                            put::<D>(&mut out[..D * C], |c| digit(entries[c]) ^ flip);
                        }
                    }
                }
            }
        } else {
            let interleaved = ONE && (D, C, row) == (1, 4, 1);
            let first = if interleaved {
                self.interleave(view, lines, out, u32::from_ne_bytes([flip as u8; 4]))
            } else {
                0
            };
            for cell in first..whole {
                for (plane, shift) in self.planes(out) {
                    let out = plane[cell * height * D * C..].chunks_exact_mut(D * C);
                    for (i, out) in out.take(lines).enumerate() {
                        let at = |c| view.at(self.line + i, self.term + cell * C + c);
                        put::<D>(out, |c| encode(at(c), shift) ^ flip);
                    }
                }
            }
        }
        if rest > 0 {
            for (plane, shift) in self.planes(out) {
                let out = plane[whole * height * D * C..].chunks_exact_mut(D * C);
                for (i, out) in out.take(lines).enumerate() {
                    let at = |c| view.at(self.line + i, self.term + whole * C + c);
                    put::<D>(&mut out[..rest * D], |c| encode(at(c), shift) ^ flip);
                }
            }
        }
    }

    /// The panels of the digits, and how far up each digit lies in an entry.
    fn planes<'a>(&self, out: &'a mut [u8]) -> impl Iterator<Item = (&'a mut [u8], u32)> {
        let bits = self.layout.encoding.digit.bits();
        out.chunks_exact_mut(self.plane).zip((0..).step_by(bits as usize))
    }

    /// Whole cells of four entries of one byte each, of lines that are adjacent in memory: four
    /// columns are interleaved, sixteen lines at a time, and bits flipped. Returns how many cells
    /// are done: all, or none if the lines are not a multiple of sixteen.
    fn interleave<T: Operand>(
        &self,
        view: &Matrix<'_, T>,
        lines: usize,
        out: &mut [u8],
        flips: u32,
    ) -> usize {
        const LINES: usize = 16;
        const CELL: usize = 4;
        if !lines.is_multiple_of(LINES) {
            return 0;
        }
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let cells = self.terms / CELL;
        let out = out.chunks_exact_mut(CELL * self.layout.shape.lines);
        for (cell, out) in out.take(cells).enumerate() {
            let column = |c| view.column_run(self.line, self.term + cell * CELL + c, lines);
            let [a, b, c, d]: [&[[T; LINES]]; CELL] = from_fn(|c| column(c).as_chunks().0);
            let out = out.as_chunks_mut::<{ CELL * LINES }>().0;
            let digit = |entry: T| entry.widen() as u32 & 0xFF;
            for ((((out, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                // As numbers, which compilers turn into vectors.
                let words: [u32; LINES] = from_fn(|i| {
                    let upper = digit(c[i]) | digit(d[i]) << 8;
                    (digit(a[i]) | digit(b[i]) << 8 | upper << 16) ^ flips
                });
                put_cells(out, &words, u32::to_le_bytes);
            }
        }
        cells
    }
}

/// Writes the cells of four adjacent lines, `height` cells apart for each cell of a line.
#[inline(always)]
fn put_four<T: Copy, const D: usize, const C: usize>(
    lines: [&[[T; C]]; 4],
    out: &mut [u8],
    height: usize,
    flip: u64,
    digit: impl Fn(T) -> u64,
) {
    let cells = lines[0].len();
    let lines = lines.map(|line| &line[..cells]);
    let pitch = height * D * C;
    let mask = u64::MAX >> (64 - 8 * D);
    let flips = (0..64).step_by(8 * D).fold(0, |flips, bit| flips | (flip & mask) << bit);
    let number = |l: usize, c: usize| {
        let digits = lines[l][c].iter().enumerate();
        flips ^ digits.fold(0, |number, (i, &entry)| number | (digit(entry) & mask) << (8 * D * i))
    };
    let mut done = 0;
    if const { D * C == 4 } {
        while done + 4 <= cells {
            let words = from_fn(|l| from_fn(|c| number(l, done + c) as u32));
            for (c, words) in transpose::words(words).iter().enumerate() {
                put_cells(&mut out[(done + c) * pitch..], words, u32::to_le_bytes);
            }
            done += 4;
        }
    } else if const { D * C == 8 } {
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
            put::<D>(out, |c| digit(line[cell][c]) ^ flip);
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
