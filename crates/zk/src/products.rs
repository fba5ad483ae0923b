//! The products of the protocol over Z_q, q = 2^w, for one word type, modulo its size: what uses
//! them masks. Everything is column-major
//! but A', which is row-major; columns of S, Y and Z have v entries, columns of T and W have r.

mod packed;
mod top;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use once_cell::race::OnceBox;
use tautochrone_ctr::{Label, Seed};
use tautochrone_matmul::{
    Error as MatmulError, Matrix, MatrixMut, Multiplier, PackedLeft, Ternary, Width, Workspace,
};
use tautochrone_simd::{Isa, vectorize};

use crate::device::{Attached, Device, DeviceCache, Left, Right, Sum};
use crate::entry::{of_size, parts_of};
use crate::error::Error;
use crate::params::Params;
use crate::words::Word;
pub(crate) use packed::PackedBlock;
pub(crate) use top::Top;

/// A word type with products.
pub(crate) trait ProductWord: Word + tautochrone_matmul::Word {
    /// `z` += X S for S of entries -1, 0, 1, where look-ups take such words.
    const ADD_TERNARY: Option<AddTernary<Self>> = None;

    /// `acc` += X Y on a device; `cache`, if any, belongs to X.
    fn multiply_on(
        device: &dyn Device,
        x: Matrix<'_, Self>,
        y: Right<'_>,
        acc: &mut [Self],
        cache: Option<&DeviceCache>,
    ) -> Result<(), Error>;
}

type AddTernary<W> =
    fn(&Multiplier, Matrix<'_, W>, Matrix<'_, i8>, MatrixMut<'_, W>) -> Result<(), MatmulError>;

macro_rules! word_of_devices {
    ($t:ty, $variant:ident, $add_ternary:expr) => {
        impl ProductWord for $t {
            const ADD_TERNARY: Option<AddTernary<Self>> = $add_ternary;

            fn multiply_on(
                device: &dyn Device,
                x: Matrix<'_, Self>,
                y: Right<'_>,
                acc: &mut [Self],
                cache: Option<&DeviceCache>,
            ) -> Result<(), Error> {
                let (x, acc) = (Left::$variant(x), Sum::$variant(acc));
                device.multiply_add(x, y, acc, cache).map_err(Error::Device)
            }
        }
    };
}

word_of_devices!(u32, U32, Some(|by, x, s, z| by.product(x, Ternary::secret(s)?).add_to(z)));
word_of_devices!(u64, U64, None);

/// Devices take words of 32 bits and more.
impl ProductWord for u16 {
    fn multiply_on(
        device: &dyn Device,
        x: Matrix<'_, Self>,
        y: Right<'_>,
        acc: &mut [Self],
        _: Option<&DeviceCache>,
    ) -> Result<(), Error> {
        let (rows, columns) = (x.rows(), x.columns());
        let wide: Vec<u32> =
            (0..columns).flat_map(|j| (0..rows).map(move |i| u32::from(x.at(i, j)))).collect();
        let x = Matrix::column_major(&wide, rows, columns).expect("the shape of x");
        let mut sum: Vec<u32> = acc.iter().map(|&word| word.into()).collect();
        u32::multiply_on(device, x, y, &mut sum, None)?;
        for (word, sum) in acc.iter_mut().zip(sum) {
            *word = sum as Self;
        }
        Ok(())
    }
}

/// An operand of a product with A: entries of S (i8 or i32) or of Y and Z (i64).
pub(crate) trait Entry: tautochrone_matmul::Operand + Into<i64> + bytemuck::Pod {}

impl<T: tautochrone_matmul::Operand + Into<i64> + bytemuck::Pod> Entry for T {}

/// A' packed for right operands of one width. A prover multiplies by it once an attempt, a
/// commitment once a group of columns, a verifier once.
pub(crate) struct Form<W> {
    /// Bits of the right operand's entries, sign included.
    bits: u32,
    /// Products that were formed without it.
    products: AtomicU32,
    packed: OnceBox<PackedLeft<W>>,
}

const PAD_COLUMNS: Label<'static> = Label::new("tautochrone-zk/2 A of pads");

/// Products before A' is packed whole: its memory, touched for the first time, takes as long as the
/// slabs of so many.
const SLABBED: u32 = 3;
/// Bytes of an A' that is packed whole at most.
const HELD: usize = 256 << 20;

impl<W> Form<W> {
    fn new(bits: u32) -> Self {
        Self { bits, products: AtomicU32::new(0), packed: OnceBox::new() }
    }

    /// A' packed, by `pack` if it was not yet. Nobody waits for it: `pack` is parallel, and a
    /// thread that waits for its parts may take up another task meanwhile that needs A' too.
    fn packed(&self, pack: impl FnOnce(Width) -> PackedLeft<W>) -> &PackedLeft<W> {
        self.packed.get_or_init(|| Box::new(pack(Width::signed(self.bits))))
    }

    /// Whether the next product with an A' of so many words is formed in slabs.
    fn slabs(&self, words: usize) -> bool {
        self.packed.get().is_none()
            && (words.saturating_mul(size_of::<W>()) > HELD
                || self.products.fetch_add(1, Ordering::Relaxed) < SLABBED)
    }
}

/// The public matrix A for one word type, and the products with it.
pub(crate) struct Engine<W> {
    multiplier: Multiplier,
    a: Top<W>,
    r: usize,
    v: usize,
    /// Columns of A'.
    k: usize,
    /// For S.
    small: Form<W>,
    /// For Y and Z.
    wide: Form<W>,
    /// For many columns of S where b = 1.
    add_ternary: Option<AddTernary<W>>,
}

impl<W: ProductWord> Engine<W> {
    pub(crate) fn new(isa: Isa, params: &Params, a: Top<W>) -> Self {
        let (r, v, k) = (params.r() as usize, params.v() as usize, params.z_rows() as usize);
        let (small, wide) = (Form::new(small_bits(params)), Form::new(wide_bits(params)));
        let add_ternary = W::ADD_TERNARY.filter(|_| params.b() == 1);
        // Of words of 64 bits no more digits than w has are multiplied.
        let multiplier = Multiplier::new_on(isa);
        let multiplier = match params.w() {
            w @ 33..=63 => multiplier.with_modulus_bits(w),
            _ => multiplier,
        };
        Self { multiplier, a, r, v, k, small, wide, add_ternary }
    }

    /// The engine of [A' | A_x] for these parameters: r rows of A_x, row i from stream i of a key,
    /// in words of ceil(w / 8) bytes modulo 2^w.
    pub(crate) fn with_columns(&self, isa: Isa, params: &Params, key: &Seed) -> Self {
        let (count, width) = (params.v() as usize - self.v, params.w().div_ceil(8) as usize);
        let mut words = vec![W::default(); self.r * count];
        let mut bytes = vec![0; count * width];
        for (row, words) in (0..).zip(words.chunks_exact_mut(count)) {
            key.stream_on(isa, PAD_COLUMNS, row).fill(&mut bytes);
            W::from_bytes(&bytes, width, u64::MAX >> (64 - params.w()), words);
        }
        Self::new(isa, params, self.a.with_columns(&words))
    }

    /// A' x for `x` of k x m, within the cap on entries of Z.
    pub(crate) fn apply_top(&self, device: Option<&Attached>, x: &[i64]) -> Result<Vec<W>, Error> {
        let m = parts_of(x, self.k);
        let top = Matrix::column_major(x, self.k, m).expect("x is k x m");
        let top = top.with_bits(self.wide.bits);
        let mut out = vec![W::default(); self.r * m];
        if let Some(Attached { device, a }) = device {
            W::multiply_on(&**device, self.a.whole(), Right::I64(top), &mut out, Some(a))?;
            return Ok(out);
        }
        self.add_product(&mut Workspace::new(), top, &mut out);
        Ok(out)
    }

    /// `out` += A' `top`, r x m.
    fn add_product<T: Entry>(&self, workspace: &mut Workspace, top: Matrix<'_, T>, out: &mut [W]) {
        let (multiplier, form) = (&self.multiplier, self.form::<T>());
        let m = top.columns();
        if !form.slabs(self.r * self.k) {
            let pack = |width| multiplier.pack_left(self.a.whole(), width).expect("any word");
            let product = multiplier.product(form.packed(pack), top).in_workspace(workspace);
            let z = MatrixMut::column_major(out, self.r, m).expect("out is r x m");
            return product.add_to(z).expect("shapes agree");
        }
        let packed = multiplier.pack_right(top, Width::of::<W>()).expect("entries have such bits");
        self.a.for_slabs(|rows, x| {
            let z = MatrixMut::strided(&mut out[rows.start..], rows.len(), m, self.r);
            let product = multiplier.product(x, &packed).in_workspace(workspace);
            product.add_to(z.expect("rows of out")).expect("shapes agree");
        });
    }

    /// A x for `x` of v x m with entries of S, or within the cap on entries of Y and Z; on a device
    /// if there is one that takes such entries.
    ///
    /// # Constant time
    /// In `x`.
    pub(crate) fn apply<T: Entry>(
        &self,
        device: Option<&Attached>,
        x: &[T],
    ) -> Result<Vec<W>, Error> {
        let mut out = vec![W::default(); parts_of(x, self.v) * self.r];
        self.apply_to(device, &mut Workspace::new(), x, &mut out)?;
        Ok(out)
    }

    /// As [`Self::apply`], in the caller's workspace, to `out` of r x m.
    pub(crate) fn apply_to<T: Entry>(
        &self,
        device: Option<&Attached>,
        workspace: &mut Workspace,
        x: &[T],
        out: &mut [W],
    ) -> Result<(), Error> {
        self.bottom(x, out);
        let (bytes, m) = (of_size::<T, i8>(x).map(|x| self.top(x)), parts_of(x, self.v));
        if let Some(Attached { device, a }) = device {
            // Devices take entries of 8 and of 64 bits.
            let wide = of_size::<T, i64>(x).map(|x| Right::I64(self.top(x)));
            if let Some(top) = bytes.map(Right::I8).or(wide) {
                return W::multiply_on(&**device, self.a.whole(), top, out, Some(a));
            }
        }
        match (self.add_ternary, bytes) {
            (Some(add_ternary), Some(s))
                if self.multiplier.prefers_lookups::<W>([self.r, self.k, m]) =>
            {
                let z = MatrixMut::column_major(out, self.r, m).expect("out is r x m");
                add_ternary(&self.multiplier, self.a.whole(), s, z).expect("shapes agree");
            }
            _ => self.add_product(workspace, self.top(x), out),
        }
        Ok(())
    }

    /// The A' that is packed for such operands.
    const fn form<T: Entry>(&self) -> &Form<W> {
        if size_of::<T>() == size_of::<i64>() { &self.wide } else { &self.small }
    }

    /// The rows of `x` that A' is multiplied with.
    fn top<'a, T: Entry>(&self, x: &'a [T]) -> Matrix<'a, T> {
        let m = parts_of(x, self.v);
        let top = Matrix::strided(x, self.k, m, 1, self.v).expect("x is v x m and k < v");
        top.with_bits(self.form::<T>().bits)
    }

    /// Writes what the identity in A = [A' | I] makes of `x`: its last r rows.
    fn bottom<T: Entry>(&self, x: &[T], out: &mut [W]) {
        crate::parallel::for_chunks(out, self.r, |j, out| {
            let x = &x[j * self.v..][self.k..self.v];
            vectorize!(Isa::detect_vectors(), {
                for (out, &x) in out.iter_mut().zip(x) {
                    *out = W::from_u64(x.into().cast_unsigned());
                }
            });
        });
    }
}

/// `acc` += T_block C_block for T_block of `r` x m and C_block of m x n; both public.
pub(crate) fn accumulate_tc<W: ProductWord>(
    isa: Isa,
    device: Option<&Attached>,
    workspace: &mut Workspace,
    r: usize,
    (t, c): (&[W], &[i8]),
    acc: &mut [W],
) -> Result<(), Error> {
    let (m, n) = (parts_of(t, r), parts_of(acc, r));
    let t = Matrix::column_major(t, r, m).expect("t is r x m");
    let c = Matrix::column_major(c, m, n).expect("c is m x n");
    if let Some(Attached { device, .. }) = device {
        let c = Right::I8(c.with_bits(CHALLENGE_BITS));
        return W::multiply_on(&**device, t, c, acc, None);
    }
    let acc = MatrixMut::column_major(acc, r, n).expect("acc is r x n");
    let c = Ternary::public_vartime(c).expect("a challenge is ternary");
    let product = Multiplier::new_on(isa).product(t, c).in_workspace(workspace);
    product.add_to(acc).expect("shapes agree");
    Ok(())
}

/// Bits of an entry of C, sign included.
const CHALLENGE_BITS: u32 = 2;

/// Bits, sign included, of an entry of S.
pub(crate) fn small_bits(params: &Params) -> u32 {
    bits_of(params.b())
}

/// Bits, sign included, of numbers of absolute value up to a bound.
const fn bits_of(bound: u32) -> u32 {
    u32::BITS - bound.leading_zeros() + 1
}

/// Bits, sign included, of an entry of Y or Z: both stay within 14 sigma.
fn wide_bits(params: &Params) -> u32 {
    u64::BITS - params.entry_bound().leading_zeros() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_may_be_needed_meanwhile() {
        let (multiplier, form) = (Multiplier::new_on(Isa::PORTABLE), Form::<u32>::new(8));
        let a = Matrix::row_major(&[7_u32], 1, 1).expect("an entry");
        let pack = |width| multiplier.pack_left(a, width).expect("8 bits");
        let mut meanwhile = None;
        let packed = form.packed(|width| {
            meanwhile = Some(form.packed(pack));
            pack(width)
        });
        assert!(core::ptr::eq(packed, meanwhile.expect("it was packed")), "one for all");
    }
}
