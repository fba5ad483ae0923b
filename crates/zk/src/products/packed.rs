//! [`PackedBlock`]: columns of S between the products with challenges.

use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_matmul::{
    Matrix, MatrixMut, Multiplier, Operand, PackedLeft, PackedNarrow, Ternary, Width, Workspace,
};
use tautochrone_simd::Isa;

use super::{CHALLENGE_BITS, bits_of};
use crate::device::{Attached, DeviceCache, Left, Right, Sum};
use crate::entry::{WitnessEntry, of_size, parts_of};
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::Params;

/// A block of S, v x m with |s| <= b, ready for products with challenges; erased when dropped.
pub(crate) struct PackedBlock<'a> {
    multiplier: Multiplier,
    columns: usize,
    /// By the first row of each: small entries are looked up even beside large ones.
    rows: Vec<(usize, PackedRows<'a>)>,
}

enum PackedRows<'a> {
    Packed(PackedLeft<u32>),
    /// For lookups.
    Narrow(PackedNarrow),
    /// All rows, on a device, which has a copy of its own.
    OnDevice(&'a Attached, Secrets, DeviceCache),
}

/// Rows that are packed in one way.
struct Stripe {
    rows: Range<usize>,
    bound: u32,
    narrow: bool,
}

/// All rows of S, from the first to the last.
fn stripes(multiplier: &Multiplier, params: &Params) -> Vec<Stripe> {
    let mut stripes: Vec<Stripe> = Vec::new();
    let mut start = 0;
    for group in params.row_groups() {
        let (rows, bound) = (start..start + group.rows as usize, group.bound);
        start = rows.end;
        let narrow = multiplier.prefers_narrow(bound, params.n() as usize);
        match stripes.last_mut().filter(|last| last.narrow == narrow) {
            Some(last) if !narrow || last.bound == bound => {
                last.rows.end = rows.end;
                last.bound = last.bound.max(bound);
            }
            _ => stripes.push(Stripe { rows, bound, narrow }),
        }
    }
    stripes
}

impl<'a> PackedBlock<'a> {
    /// Packs m columns of S, entries of which are within the bounds of their rows.
    ///
    /// # Constant time
    /// In S.
    pub(crate) fn new<T: WitnessEntry>(
        isa: Isa,
        attached: Option<&'a Attached>,
        params: &Params,
        s: &[T],
    ) -> Self {
        let (multiplier, columns) = (Multiplier::new_on(isa), parts_of(s, params.v() as usize));
        let bytes = of_size::<T, i8>(s);
        let pack = |Stripe { rows, bound, narrow }| {
            let packed = if let Some(s) = bytes.filter(|_| narrow) {
                let s = multiplier.pack_narrow(stripe(s, params, &rows), bound as u8);
                PackedRows::Narrow(s.expect("b is below the limit"))
            } else {
                let s = stripe(s, params, &rows).with_bits(bits_of(bound));
                let s = multiplier.pack_left_compact(s, Width::signed(CHALLENGE_BITS));
                PackedRows::Packed(s.expect("|s| <= b"))
            };
            (rows.start, packed)
        };
        let rows = match (attached, bytes) {
            // Devices take bytes; wider entries are multiplied here.
            (Some(attached), Some(s)) => {
                let (s, cache) = (Secrets::copy(s), DeviceCache::default());
                vec![(0, PackedRows::OnDevice(attached, s, cache))]
            }
            _ => stripes(&multiplier, params).into_iter().map(pack).collect(),
        };
        Self { multiplier, columns, rows }
    }

    /// Whether products of several blocks are formed as one, so that small blocks cost nothing.
    pub(crate) fn are_joined(isa: Isa, attached: Option<&Attached>) -> bool {
        attached.is_none() && isa.amx().is_some()
    }

    /// Columns of the block.
    pub(crate) const fn columns(&self) -> usize {
        self.columns
    }

    /// Bytes that it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = |(_, rows): &(usize, PackedRows<'_>)| match rows {
            PackedRows::Packed(s) => PackedLeft::bytes(s),
            PackedRows::Narrow(s) => s.bytes(),
            PackedRows::OnDevice(_, s, _) => s.len(),
        };
        self.rows.iter().map(bytes).sum()
    }

    /// `acc` += sum of S_block C_block modulo 2^32, C m x n for each block, in the caller's
    /// workspace: exact over the integers while b l < 2^31.
    ///
    /// # Errors
    /// [`Error::Device`].
    ///
    /// # Constant time
    /// In S.
    pub(crate) fn accumulate(
        workspace: &mut Workspace,
        blocks: &[Self],
        c: &[Vec<i8>],
        acc: &mut [u32],
    ) -> Result<(), Error> {
        let packed = blocks.iter().zip(c).map(|(block, c)| match &block.rows[..] {
            [(_, PackedRows::Packed(s))] => Some((s, challenges(c, block.columns))),
            _ => None,
        });
        if let Some(pairs) = packed.collect::<Option<Vec<_>>>() {
            let ([block, ..], [(s, c), ..]) = (blocks, &pairs[..]) else { return Ok(()) };
            let acc = MatrixMut::column_major(acc, s.rows(), c.columns());
            let product = block.multiplier.sum_of_products(&pairs).in_workspace(workspace);
            product.add_to(acc.expect("acc is v x n")).expect("shapes agree");
            return Ok(());
        }
        let mut each = blocks.iter().zip(c);
        each.try_for_each(|(block, c)| block.accumulate_one(workspace, c, acc))
    }

    /// `acc` += S_block C_block.
    fn accumulate_one(
        &self,
        workspace: &mut Workspace,
        c: &[i8],
        acc: &mut [u32],
    ) -> Result<(), Error> {
        let Self { multiplier, columns, rows } = self;
        let c = challenges(c, *columns);
        let (v, n) = (parts_of(acc, c.columns()), c.columns());
        for (first, rows) in rows {
            let acc = &mut acc[*first..];
            match rows {
                PackedRows::Packed(s) => {
                    let acc = MatrixMut::strided(acc, s.rows(), n, v).expect("acc is v x n");
                    let product = multiplier.product(s, c).in_workspace(workspace);
                    product.add_to(acc).expect("shapes agree");
                }
                PackedRows::Narrow(s) => {
                    let acc = MatrixMut::strided(acc, s.rows(), n, v).expect("acc is v x n");
                    let c = Ternary::public_vartime(c).expect("a challenge is ternary");
                    multiplier.product(s, c).add_to(acc).expect("shapes agree");
                }
                PackedRows::OnDevice(Attached { device, .. }, s, cache) => {
                    let s = Matrix::column_major(s, v, *columns).expect("s is v x m");
                    let (s, c, acc) = (Left::I8(s), Right::I8(c), Sum::U32(acc));
                    device.multiply_add(s, c, acc, Some(cache)).map_err(Error::Device)?;
                }
            }
        }
        Ok(())
    }
}

/// Some rows of columns of S.
fn stripe<'a, T: Operand>(s: &'a [T], params: &Params, rows: &Range<usize>) -> Matrix<'a, T> {
    let v = params.v() as usize;
    Matrix::strided(&s[rows.start..], rows.len(), parts_of(s, v), 1, v).expect("s is v x m")
}

/// Challenges for m columns of S.
fn challenges(c: &[i8], m: usize) -> Matrix<'_, i8> {
    Matrix::column_major(c, m, parts_of(c, m)).expect("c is m x n").with_bits(CHALLENGE_BITS)
}
