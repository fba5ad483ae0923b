//! [`Top`]: A', whole in memory or expanded again for every product, some rows at a time.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use once_cell::race::OnceBox;
use tautochrone_ctr::{Label, Seed};
use tautochrone_matmul::Matrix;
use tautochrone_simd::Isa;

use crate::entry::parts_of;
use crate::hash::Hasher;
use crate::parallel;
use crate::params::Params;
use crate::products::ProductWord;

/// Words of a slab, for each thread: of about a MiB, which with what is packed of them lie in the
/// caches. Measured best on Zen 4, where twice as many took as long and eight times 1.1 times.
const SLAB: usize = 1 << 17;
/// Slabs are multiples of so many rows: the panels of all kernels divide it.
const ROWS: usize = 32;
/// Words that one stream of the seed's expansion has.
const CHUNK: usize = 1 << 13;

/// A', r x k.
///
/// Memory that a process has not touched before costs several times as much as expanding again
/// what it would hold: a word of A' and the digits that are packed of it are 13 to 16 bytes, and a
/// page of 4 KiB takes about a microsecond.
pub(crate) struct Top<W> {
    r: usize,
    k: usize,
    /// What it is expanded from, unless it was given.
    expansion: Option<Arc<Expansion>>,
    /// The last columns, row after row, where others were expanded.
    given: Vec<W>,
    words: OnceBox<Vec<W>>,
}

/// AES-CTR under the key H("A", origin, w, r, v, seed), in little-endian words of ceil(w / 8)
/// bytes, reduced modulo 2^w.
struct Expansion {
    isa: Isa,
    seed: Seed,
    /// Bytes of a word.
    width: usize,
    mask: u64,
}

impl Expansion {
    /// Words from the first one of a chunk on.
    fn expand<W: ProductWord>(&self, chunk: usize, out: &mut [W]) {
        let Self { isa, seed, width, mask } = self;
        let label = Label::new("tautochrone-zk/2 A");
        parallel::for_chunks(out, CHUNK, |index, words| {
            let mut stream = seed.stream_on(*isa, label, (chunk + index) as u64);
            let mut bytes = [0; 4096];
            for words in words.chunks_mut(parts_of(&bytes, *width)) {
                let bytes = &mut bytes[..words.len() * width];
                stream.fill(bytes);
                W::from_bytes(bytes, *width, *mask, words);
            }
        });
    }
}

impl<W: ProductWord> Top<W> {
    /// A' of a seed, row after row.
    pub(crate) fn of_seed(isa: Isa, params: &Params, seed_a: &[u8; 32]) -> Self {
        let key = Hasher::new(params.hash(), "A")
            .number(params.expansion() as u64)
            .number(params.w().into())
            .number(params.r().into())
            .number(params.v().into())
            .field(seed_a)
            .finish_key();
        let seed = Seed::from_bytes(key);
        let (width, mask) = (params.w().div_ceil(8) as usize, u64::MAX >> (64 - params.w()));
        let expansion = Some(Arc::new(Expansion { isa, seed, width, mask }));
        let (r, k) = (params.r() as usize, params.z_rows() as usize);
        Self { r, k, expansion, given: Vec::new(), words: OnceBox::new() }
    }

    /// This A', row after row.
    pub(crate) fn given(params: &Params, words: Vec<W>) -> Self {
        let (r, k) = (params.r() as usize, params.z_rows() as usize);
        debug_assert_eq!(words.len(), r * k, "the entries of A'");
        let words = OnceBox::with_value(Box::new(words));
        Self { r, k, expansion: None, given: Vec::new(), words }
    }

    /// The same with more columns behind it, given row after row: the expanded part is not held.
    pub(super) fn with_columns(&self, more: &[W]) -> Self {
        let k = self.k + parts_of(more, self.r);
        let mut joined = Self {
            r: self.r,
            k,
            expansion: self.expansion.clone(),
            given: more.to_vec(),
            words: OnceBox::new(),
        };
        if joined.expansion.is_none() || !self.given.is_empty() {
            let mut words = Vec::with_capacity(self.r * k);
            joined.append(self.words(), 0, &mut words);
            joined.expansion = None;
            joined.words = OnceBox::with_value(Box::new(words));
        }
        joined
    }

    /// Columns that are not given.
    fn expanded(&self) -> usize {
        self.k - parts_of(&self.given, self.r)
    }

    /// Appends some rows of the expanded part, each with the given columns behind it.
    fn append(&self, expanded: &[W], first: usize, out: &mut Vec<W>) {
        let given = self.k - self.expanded();
        let rows = expanded.chunks_exact(self.expanded());
        for (row, more) in rows.zip(self.given[first * given..].chunks_exact(given)) {
            out.extend_from_slice(row);
            out.extend_from_slice(more);
        }
    }

    /// All words, row after row; they stay in memory.
    pub(super) fn words(&self) -> &[W] {
        self.words.get_or_init(|| {
            let mut words = vec![W::default(); self.r * self.expanded()];
            let expansion = self.expansion.as_ref().expect("nothing else makes it without words");
            expansion.expand(0, &mut words);
            if self.given.is_empty() {
                return Box::new(words);
            }
            let mut joined = Vec::with_capacity(self.r * self.k);
            self.append(&words, 0, &mut joined);
            Box::new(joined)
        })
    }

    /// All of it; it stays in memory.
    pub(super) fn whole(&self) -> Matrix<'_, W> {
        Matrix::row_major(self.words(), self.r, self.k).expect("r x k words")
    }

    /// Calls f(rows, these rows of A') until all rows were given. They are expanded into one piece
    /// of memory, one slab after the other, unless A' lies in memory.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn for_slabs(&self, mut f: impl FnMut(Range<usize>, Matrix<'_, W>)) {
        let &Self { r, k, .. } = self;
        let expanded = self.expanded();
        let rows = (parallel::threads() * SLAB / (ROWS * k).max(1)).max(1) * ROWS;
        let (mut slab, mut joined) = (Vec::new(), Vec::new());
        for first in (0..r).step_by(rows) {
            let range = first..r.min(first + rows);
            let words = match (self.words.get(), &self.expansion) {
                (None, Some(expansion)) => {
                    let [start, end] = [range.start, range.end].map(|row| row * expanded);
                    let chunks = start / CHUNK..end.div_ceil(CHUNK);
                    slab.resize(chunks.len() * CHUNK, W::default());
                    expansion.expand(chunks.start, &mut slab);
                    let words = &slab[start - chunks.start * CHUNK..][..end - start];
                    if self.given.is_empty() {
                        words
                    } else {
                        joined.clear();
                        self.append(words, range.start, &mut joined);
                        &joined[..]
                    }
                }
                _ => &self.words()[range.start * k..],
            };
            let words = &words[..range.len() * k];
            let x = Matrix::row_major(words, range.len(), k).expect("words of these rows");
            f(range, x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::waived;
    use crate::params::CustomParams;

    /// Slabs that begin and end within chunks, of words of all widths, are the rows of A'.
    #[test]
    fn slabs_are_the_rows_of_the_whole() {
        fn check<W: ProductWord>(params: &Params) {
            let expanded = || Top::<W>::of_seed(Isa::detect(), params, &[7; 32]);
            check_slabs(&expanded(), &expanded());
            let k = params.z_rows() as usize;
            let more: Vec<W> = (0..200 * 3).map(|i| W::from_u64(7 * i + 1)).collect();
            let row = |(row, more): (&[W], &[W])| [row, more].concat();
            let rows = |whole: &[W], k| -> Vec<W> {
                whole.chunks_exact(k).zip(more.chunks_exact(3)).flat_map(row).collect()
            };
            // Expanded or given words with columns behind them, and with columns behind these.
            let once = rows(expanded().words(), k);
            let given = || Top::given(params, expanded().words().to_vec()).with_columns(&more);
            for top in [expanded().with_columns(&more), given()] {
                assert!(top.words() == once);
                let twice = top.with_columns(&more);
                assert!(twice.words() == rows(&once, k + 3));
            }
            let joined = || expanded().with_columns(&more);
            check_slabs(&joined(), &joined());
        }
        fn check_slabs<W: ProductWord>(whole: &Top<W>, parts: &Top<W>) {
            let whole = whole.words();
            let (mut next, mut slabs) = (0, 0);
            parts.for_slabs(|rows, x| {
                assert_eq!((rows.start, rows.len(), x.columns()), (next, x.rows(), parts.k));
                for i in [0, x.rows() / 2, x.rows() - 1] {
                    let row = (0..x.columns()).map(|j| x.at(i, j));
                    assert!(row.eq(whole[(next + i) * parts.k..][..parts.k].iter().copied()));
                }
                (next, slabs) = (rows.end, slabs + 1);
            });
            assert!(parts.words.get().is_none(), "nothing stays in memory");
            assert_eq!(next, parts.r);
            assert!(slabs > 1 || parallel::threads() > 2, "{slabs} slabs");
        }
        for w in [27, 32, 37, 44] {
            let params =
                waived(CustomParams { n: Some(16), ..CustomParams::new(w, 200, 5200 + 77, 40, 1) });
            if w <= 32 { check::<u32>(&params) } else { check::<u64>(&params) }
        }
    }
}
