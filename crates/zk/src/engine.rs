//! The products of the protocol over Z_q, q = 2^w, for one word type. Everything is column-major but A', which is
//! row-major; columns of S, Y and Z have v entries, columns of T and W have r.

use tautochrone_ctr::{Label, Seed};
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
use tautochrone_simd::Isa;

use crate::hash::Hasher;
use crate::params::Params;

/// A word of w bits.
pub(crate) trait Word: tautochrone_matmul::Word {
    const BYTES: usize;
    fn from_bytes(bytes: &[u8]) -> Self;
    fn put_bytes(self, out: &mut [u8]);
    fn from_i64(x: i64) -> Self;
    fn sub(self, other: Self) -> Self;
}

macro_rules! word {
    ($t:ty) => {
        impl Word for $t {
            const BYTES: usize = size_of::<$t>();
            #[inline]
            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("a word's bytes"))
            }
            #[inline]
            fn put_bytes(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }
            #[inline]
            fn from_i64(x: i64) -> Self {
                x as Self
            }
            #[inline]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
    };
}

word!(u32);
word!(u64);

/// A operand of a product with A: entries of S (i8) or of Y and Z (i64).
pub(crate) trait Entry: tautochrone_matmul::Operand + Into<i64> {}
impl Entry for i8 {}
impl Entry for i64 {}

/// The public matrix A for one word type, and the products with it.
pub(crate) struct Engine<W> {
    multiplier: Multiplier,
    a: Vec<W>,
    r: usize,
    v: usize,
    /// Columns of A'.
    k: usize,
}

impl<W: Word> Engine<W> {
    /// Expands A': key H("A", generator, w, r, v, systematic, seed), AES-CTR, row after row, words little-endian.
    pub(crate) fn expand(isa: Isa, params: &Params, seed_a: &[u8; 32]) -> Self {
        const LABEL: Label = Label::new("tautochrone-zk/1 A");
        /// Bytes a task expands.
        const CHUNK: usize = 1 << 16;
        let key = Hasher::new(params.hash(), "A")
            .number(1)
            .number(params.w().into())
            .number(params.r().into())
            .number(params.v().into())
            .number(params.systematic().into())
            .field(seed_a)
            .finish_key();
        let seed = Seed::from_bytes(key);
        let (r, v, k) =
            (params.r() as usize, params.v() as usize, params.random_columns() as usize);
        let mut a = vec![W::default(); r * k];
        crate::parallel::for_chunks(&mut a, CHUNK / W::BYTES, |index, words| {
            let mut stream = seed.stream_on(isa, LABEL, index as u64);
            let mut bytes = [0; 4096];
            for words in words.chunks_mut(bytes.len() / W::BYTES) {
                let bytes = &mut bytes[..words.len() * W::BYTES];
                stream.fill(bytes);
                for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(W::BYTES)) {
                    *word = W::from_bytes(bytes);
                }
            }
        });
        Self { multiplier: Multiplier::new_on(isa), a, r, v, k }
    }

    /// A x for `x` of v x m with entries below 2^(bits - 1) in absolute value.
    ///
    /// # Constant time
    /// In `x`.
    pub(crate) fn apply<T: Entry>(&self, x: &[T], bits: u32) -> Vec<W> {
        let m = x.len() / self.v;
        let mut out = vec![W::default(); self.r * m];
        // A = [A' | I]: start from the last r rows of x; k = v when A is not systematic.
        if self.k < self.v {
            for (out, x) in out.chunks_exact_mut(self.r).zip(x.chunks_exact(self.v)) {
                for (out, &x) in out.iter_mut().zip(&x[self.k..]) {
                    *out = W::from_i64(x.into());
                }
            }
        }
        let a = Matrix::row_major(&self.a, self.r, self.k).expect("expand made r x k words");
        let top = Matrix::strided(x, self.k, m, 1, self.v).expect("x is v x m and k <= v");
        let z = MatrixMut::column_major(&mut out, self.r, m).expect("out is r x m");
        self.multiplier.multiply_add(a, top.with_bits(bits), z).expect("shapes agree");
        out
    }

    /// `acc` += T_block C_block, T r x m and C m x n.
    pub(crate) fn accumulate_tc(&self, t: &[W], c: &[i8], acc: &mut [W]) {
        let (m, n) = (t.len() / self.r, acc.len() / self.r);
        let t = Matrix::column_major(t, self.r, m).expect("t is r x m");
        let c = Matrix::column_major(c, m, n).expect("c is m x n");
        let acc = MatrixMut::column_major(acc, self.r, n).expect("acc is r x n");
        self.multiplier.multiply_add(t, c.with_bits(2), acc).expect("shapes agree");
    }
}

/// `acc` += S_block C_block modulo 2^32, S v x m with |s| <= b and C m x n: exact over the integers while b l < 2^31.
///
/// # Constant time
/// In S.
pub(crate) fn accumulate_sc(isa: Isa, b: u32, v: usize, s: &[i8], c: &[i8], acc: &mut [u32]) {
    let (m, n) = (s.len() / v, acc.len() / v);
    let s_bits = u32::BITS - b.leading_zeros() + 1;
    let s = Matrix::column_major(s, v, m).expect("s is v x m");
    let c = Matrix::column_major(c, m, n).expect("c is m x n");
    let acc = MatrixMut::column_major(acc, v, n).expect("acc is v x n");
    let multiplier = Multiplier::new_on(isa);
    multiplier.multiply_add(s.with_bits(s_bits), c.with_bits(2), acc).expect("shapes agree");
}
