//! Packing: the entries of a matrix to digits in the order of its [`Layout`].

mod bits;
pub(crate) mod compact;
mod panel;
mod sums;
pub(crate) mod transpose;
#[cfg(target_arch = "x86_64")]
mod vbmi;

use bits::split_bits;
use panel::PanelSource;
use sums::{add_line_sums, add_pair_sums};

use core::sync::atomic::{AtomicBool, Ordering};

use tautochrone_simd::{Token, Vbmi, declassify, vectorize};

use crate::buffer::Buffer;
use crate::digits::Method;
use crate::error::Error;
use crate::layout::{Layout, Panels, TOP_BITS};
use crate::matrix::Matrix;
use crate::matrix::any::{AnyMatrix, with_matrix};
use crate::parallel;
use crate::word::Operand;

/// The instructions that packing is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packer {
    Portable,
    Vbmi(Vbmi),
}

impl Packer {
    /// Runs `f` as code for its instructions, if all of it is `#[inline(always)]`.
    #[inline(always)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        match self {
            Self::Portable => f(),
            Self::Vbmi(token) => token.vectorize(f),
        }
    }
}

/// How the digits of a packed operand are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As a kernel reads them.
    Digits,
    /// Two bits an entry ([`compact`]), which become digits in every product, strip by strip.
    TwoBits,
}

impl Form {
    /// Bytes of a panel of all digits, in one block.
    fn panel_bytes(self, layout: &Layout, block: usize) -> usize {
        match self {
            Self::Digits => layout.panel_bytes(block),
            Self::TwoBits => compact::panel_bytes(layout.steps(block)),
        }
    }

    /// Bytes of an operand.
    pub(crate) fn bytes(self, layout: &Layout) -> usize {
        match self {
            Self::Digits => layout.bytes(),
            Self::TwoBits => {
                let panels = (0..layout.blocks()).map(|block| self.panel_bytes(layout, block));
                panels.sum::<usize>() * layout.panels()
            }
        }
    }
}

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

    /// Grows to the size of an operand.
    pub(crate) fn reserve(&mut self, layout: &Layout) {
        self.digits.bytes_mut(layout.bytes());
        self.sums.words_mut(layout.padded_lines());
    }

    /// Packs a matrix whose rows are the lines; `sums` says whether line sums will be needed.
    ///
    /// # Errors
    /// [`Error::BeyondBits`], which is all that is revealed of the entries.
    pub(crate) fn pack(
        &mut self,
        packer: Packer,
        layout: &Layout,
        view: AnyMatrix<'_>,
        (form, sums): (Form, bool),
        parallel: bool,
    ) -> Result<(), Error> {
        with_matrix!(view, view => self.pack_typed(packer, layout, view, (form, sums), parallel))
    }

    fn pack_typed<T: Operand>(
        &mut self,
        packer: Packer,
        layout: &Layout,
        view: Matrix<'_, T>,
        (form, sums): (Form, bool),
        parallel: bool,
    ) -> Result<(), Error> {
        let mut rest = self.digits.bytes_mut(form.bytes(layout));
        let padded_lines = self.sums.words_mut(layout.padded_lines());
        if sums {
            padded_lines.fill(0);
        }
        let together = if layout.step.is_some() { TOGETHER } else { 1 };
        let beyond = AtomicBool::new(false);
        for block in 0..layout.blocks() {
            let size = form.panel_bytes(layout, block);
            let (bytes, others) = rest.split_at_mut(size * layout.panels());
            rest = others;
            let lines = padded_lines.chunks_mut(together * layout.shape.lines);
            let groups = bytes.chunks_mut(together * size).zip(lines);
            parallel::for_each(groups, parallel, |group, (out, line_sums)| {
                let pack = |out: &mut [u8]| {
                    pack_panels(packer, layout, &view, block, group * together, out)
                };
                let found = match form {
                    Form::Digits => pack(out),
                    Form::TwoBits => compact::pack(packer, layout.panel_bytes(block), out, pack),
                };
                beyond.fetch_or(found, Ordering::Relaxed);
                if sums && layout.method == Method::Winograd {
                    pair_sums(packer, layout, out, line_sums);
                }
            });
        }
        if sums && layout.method != Method::Winograd {
            add_line_sums(&view, &mut padded_lines[..layout.lines]);
        }
        if declassify(beyond.into_inner()) {
            return Err(Error::BeyondBits { bits: view.bits() });
        }
        Ok(())
    }

    /// The operand that was packed as digits, with line sums if they were asked for.
    pub(crate) fn panels(&self, layout: Layout, sums: bool) -> Panels<'_> {
        Panels {
            layout,
            bytes: self.digits.bytes(layout.bytes()),
            sums: self.sums.words(if sums { layout.lines } else { 0 }),
        }
    }
}

/// [`add_pair_sums`] in the instructions of a packer.
fn pair_sums(packer: Packer, layout: &Layout, panel: &[u8], sums: &mut [u64]) {
    vectorize!(packer, add_pair_sums(layout, panel, sums));
}

/// Panels of steps that are packed together: 16 lines of bytes each, a cache line.
const TOGETHER: usize = 4;

/// Packs adjacent panels of one block, all digits. Returns whether an entry needs more bits than
/// stated, which is as secret as the entries.
fn pack_panels<T: Operand>(
    packer: Packer,
    layout: &Layout,
    view: &Matrix<'_, T>,
    block: usize,
    first: usize,
    out: &mut [u8],
) -> bool {
    let source = |panel| PanelSource {
        layout,
        line: panel * layout.shape.lines,
        term: block * layout.block,
        terms: layout.terms(block),
        plane: layout.plane_bytes(block),
    };
    #[cfg(target_arch = "x86_64")]
    if let Packer::Vbmi(token) = packer
        && layout.step.is_some()
        && let Some(exceeds) = vbmi::pack(token, &source(first), view, out)
    {
        return exceeds;
    }
    let panels = out.chunks_exact_mut(layout.panel_bytes(block)).enumerate();
    panels.fold(false, |exceeds, (i, out)| {
        pack_panel(packer, &source(first + i), view, out) | exceeds
    })
}

/// Packs one panel, whose digits lie apart or, where the layout has steps, together in each.
fn pack_panel<T: Operand>(
    packer: Packer,
    source: &PanelSource<'_>,
    view: &Matrix<'_, T>,
    out: &mut [u8],
) -> bool {
    let layout = source.layout;
    #[cfg(target_arch = "x86_64")]
    if let Packer::Vbmi(token) = packer
        && layout.step.is_none()
        && vbmi::planes::pack_planes(token, source, view, out)
    {
        return source.exceeds_stated_bits(view);
    }
    let _ = packer;
    let (step, plane) = match layout.step {
        Some(step) => (step, step * layout.shape.lines),
        None => (source.terms, source.plane),
    };
    for (i, out) in out.chunks_exact_mut(plane * layout.encoding.count).enumerate() {
        let (term, terms) = (source.term + i * step, step.min(source.terms - i * step));
        let source = PanelSource { term, terms, plane, ..*source };
        match (layout.method, layout.encoding.digit.bytes(), layout.shape.cell) {
            (Method::TopBit, ..) => {
                #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
                let (digits, bits) = out.split_at_mut(out.len() / (TOP_BITS + 1) * TOP_BITS);
                PanelSource { plane: digits.len(), ..source }.pack::<T, 1, 4>(view, digits);
                split_bits(layout, digits, bits);
            }
            (_, 1, 4) => source.pack::<T, 1, 4>(view, out),
            (_, 1, _) => source.pack::<T, 1, 64>(view, out),
            (_, 2, _) => source.pack::<T, 2, 2>(view, out),
            (_, 4, _) => source.pack::<T, 4, 1>(view, out),
            _ => source.pack::<T, 8, 1>(view, out),
        }
    }
    source.exceeds_stated_bits(view)
}
