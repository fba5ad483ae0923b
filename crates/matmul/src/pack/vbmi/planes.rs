//! Panels of registers, whose digits lie apart, of lines of words: the same bytes as the packer in
//! plain Rust.

use super::*;

/// Lines that are packed together: a register of their cells of four bytes.
const TOGETHER: usize = 16;

/// Packs a panel of bytes or of whole words of 64 bits, if entries of a line are adjacent words of
/// 32 or 64 bits, unchanged as digits, and there is a whole number of registers of lines. Returns
/// whether it did.
pub(in crate::pack) fn pack_planes<T: Operand>(
    _: Vbmi,
    source: &PanelSource<'_>,
    view: &Matrix<'_, T>,
    out: &mut [u8],
) -> bool {
    let layout = source.layout;
    let (digit, count, lines) =
        (layout.encoding.digit.bytes(), layout.encoding.count, layout.shape.lines);
    let adjacent = view.strides().1 == 1;
    let whole = source.line + lines <= layout.lines && lines.is_multiple_of(TOGETHER);
    let plain = layout.encoding.add == 0 && layout.encoding.flip == 0;
    if !(adjacent && whole && plain) || layout.method == Method::TopBit {
        return false;
    }
    match (digit, layout.shape.cell, T::BITS) {
        // SAFETY: the token proves AVX-512 F, BW, DQ, VL, VBMI.
        (1, 4, 32 | 64) if count <= bytes::<T>() => unsafe { pack_bytes(source, view, out) },
        // SAFETY: as above.
        (8, 8, 64) => unsafe { pack_words(source, view, out) },
        _ => return false,
    }
    true
}

/// A register of sixteen lines each, from a term on, or what is left of them.
#[inline(always)]
fn runs<'a, T: Operand>(
    source: &PanelSource<'_>,
    view: &Matrix<'a, T>,
    line: usize,
    term: usize,
) -> [&'a [T]; TOGETHER] {
    #[expect(clippy::integer_division_remainder_used, reason = "constants")]
    let terms = (REGISTER / bytes::<T>()).min(source.terms - term);
    from_fn(|i| view.row_run(source.line + line + i, source.term + term, terms))
}

/// The bytes of 8 or 16 terms of a line are 16 cells, of all their digits; of 16 lines they are a
/// tile, whose transpose has 16 lines of a cell in a register.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn pack_bytes<T: Operand>(source: &PanelSource<'_>, view: &Matrix<'_, T>, out: &mut [u8]) {
    // Cells of a digit in a register.
    let cells = TOGETHER / bytes::<T>();
    let pitch = 4 * source.layout.shape.lines;
    let mut tile = Tile([0; TILE]);
    let index = if bytes::<T>() == 8 {
        index!(|i| (i / 4 % 2 * 4 + i % 4) * 8 + i / 8)
    } else {
        index!(|i| (i / 4 % 4 * 4 + i % 4) * 4 + i / 16)
    };
    for (step, term) in (0..source.terms).step_by(REGISTER / bytes::<T>()).enumerate() {
        for line in (0..source.layout.shape.lines).step_by(TOGETHER) {
            let runs = runs(source, view, line, term);
            for (run, row) in runs.into_iter().zip(tile.0.chunks_exact_mut(REGISTER)) {
                store(row, _mm512_permutexvar_epi8(index, load(run)));
            }
            transpose(&mut tile.0);
            let digits = tile.0.chunks_exact(cells * REGISTER);
            for (plane, digit) in out.chunks_exact_mut(source.plane).zip(digits) {
                let plane = plane.chunks_exact_mut(pitch).skip(step * cells);
                for (out, row) in plane.zip(digit.chunks_exact(REGISTER)) {
                    out[4 * line..][..REGISTER].copy_from_slice(row);
                }
            }
        }
    }
}

/// Eight terms of eight lines at a time, transposed.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn pack_words<T: Operand>(source: &PanelSource<'_>, view: &Matrix<'_, T>, out: &mut [u8]) {
    let pitch = 8 * source.layout.shape.lines;
    for term in (0..source.terms).step_by(8) {
        for line in (0..source.layout.shape.lines).step_by(TOGETHER) {
            let runs = runs(source, view, line, term);
            for (half, runs) in runs.chunks_exact(8).enumerate() {
                let terms = transpose_quads(&from_fn(|i| load(runs[i])), 8);
                let cells = out.chunks_exact_mut(pitch).skip(term);
                for (cell, lines) in cells.zip(terms) {
                    store(&mut cell[8 * line + REGISTER * half..], lines);
                }
            }
        }
    }
}

/// Words of 16 lines, which may be secret: erased when dropped.
#[repr(align(64))]
struct Tile([u8; TILE]);

wipe_on_drop!(Tile, 0: 0);
