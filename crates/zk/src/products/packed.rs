//! [`PackedBlock`]: columns of S between the products with challenges.

use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_matmul::{
    Matrix, MatrixMut, Multiplier, Operand, PackedLeft, PackedNarrow, Ternary, Width, Workspace,
};
use tautochrone_simd::Isa;

use super::{CHALLENGE_BITS, bits_of};
use crate::device::{Attached, DeviceCache, Left, Right, Sum};
use crate::entry::WitnessEntry;
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::Params;

/// A block of S, v x m with |s| <= b, ready for products with challenges; erased when dropped.
pub(crate) enum PackedBlock<'a> {
    Packed {
        multiplier: Multiplier,
        s: PackedLeft<u32>,
    },
    /// For lookups.
    Narrow {
        multiplier: Multiplier,
        s: PackedNarrow,
    },
    /// Stripes of rows, by the first of each: small entries are looked up even beside large ones.
    Stripes(Vec<(usize, Self)>),
    /// On a device, which has a copy of its own.
    OnDevice {
        attached: &'a Attached,
        s: Secrets,
        rows: usize,
        cache: DeviceCache,
    },
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
        let rows = params.v() as usize;
        let bytes = (size_of::<T>() == 1).then(|| bytemuck::cast_slice(s));
        // Devices take bytes; wider entries are multiplied here.
        if let (Some(attached), Some(s)) = (attached, bytes) {
            let s = Secrets::copy(s);
            return Self::OnDevice { attached, s, rows, cache: DeviceCache::default() };
        }
        let multiplier = Multiplier::new_on(isa);
        let pack = |Stripe { rows, bound, narrow }| {
            if let Some(s) = bytes.filter(|_| narrow) {
                let s = stripe(s, params, &rows);
                let s = multiplier.pack_narrow(s, bound as u8).expect("b is below the limit");
                return (rows.start, Self::Narrow { multiplier, s });
            }
            let s = stripe(s, params, &rows).with_bits(bits_of(bound));
            let s =
                multiplier.pack_left_compact(s, Width::signed(CHALLENGE_BITS)).expect("|s| <= b");
            (rows.start, Self::Packed { multiplier, s })
        };
        let mut packed: Vec<_> = stripes(&multiplier, params).into_iter().map(pack).collect();
        match packed.pop() {
            // The last one begins with the first row.
            Some((0, all)) => all,
            last => {
                packed.extend(last);
                Self::Stripes(packed)
            }
        }
    }

    /// Whether products of several blocks are formed as one, so that small blocks cost nothing.
    pub(crate) fn are_joined(isa: Isa, attached: Option<&Attached>) -> bool {
        attached.is_none() && isa.amx().is_some()
    }

    /// Columns of the block.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(crate) fn columns(&self) -> usize {
        match self {
            Self::Packed { s, .. } => s.columns(),
            Self::Narrow { s, .. } => s.columns(),
            Self::Stripes(stripes) => stripes.first().map_or(0, |(_, stripe)| stripe.columns()),
            Self::OnDevice { s, rows, .. } => s.len() / rows,
        }
    }

    /// Bytes that it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Packed { s, .. } => PackedLeft::bytes(s),
            Self::Narrow { s, .. } => s.bytes(),
            Self::Stripes(stripes) => stripes.iter().map(|(_, stripe)| stripe.bytes()).sum(),
            Self::OnDevice { s, .. } => s.len(),
        }
    }

    /// `acc` += sum of S_block C_block modulo 2^32, C m x n for each block, in the caller's
    /// workspace: exact over the integers while b l < 2^31.
    ///
    /// # Errors
    /// [`Error::Device`].
    ///
    /// # Constant time
    /// In S.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(crate) fn accumulate(
        workspace: &mut Workspace,
        blocks: &[Self],
        c: &[Vec<i8>],
        acc: &mut [u32],
    ) -> Result<(), Error> {
        let packed = blocks.iter().zip(c).map(|(block, c)| match block {
            Self::Packed { multiplier, s } => Some((multiplier, (s, challenges(c, s.columns())))),
            _ => None,
        });
        let Some(packed) = packed.collect::<Option<Vec<_>>>() else {
            let mut each = blocks.iter().zip(c);
            return each.try_for_each(|(block, c)| {
                let c = challenges(c, block.columns());
                let rows = acc.len() / c.columns();
                block.accumulate_one(workspace, c, acc, rows)
            });
        };
        let Some((multiplier, (first, _))) = packed.first() else { return Ok(()) };
        let acc = MatrixMut::column_major(acc, first.rows(), acc.len() / first.rows());
        let pairs: Vec<_> = packed.iter().map(|(_, pair)| *pair).collect();
        let acc = acc.expect("acc is v x n");
        let product = multiplier.sum_of_products(&pairs).in_workspace(workspace);
        product.add_to(acc).expect("shapes agree");
        Ok(())
    }

    /// `acc` += S_block C_block, for columns of `acc` that are `stride` words apart.
    fn accumulate_one(
        &self,
        workspace: &mut Workspace,
        c: Matrix<'_, i8>,
        acc: &mut [u32],
        stride: usize,
    ) -> Result<(), Error> {
        match self {
            Self::Packed { multiplier, s } => {
                let acc = MatrixMut::strided(acc, s.rows(), c.columns(), stride);
                let product = multiplier.product(s, c).in_workspace(workspace);
                product.add_to(acc.expect("acc is v x n")).expect("shapes agree");
                Ok(())
            }
            Self::Narrow { multiplier, s } => {
                let acc = MatrixMut::strided(acc, s.rows(), c.columns(), stride);
                let c = Ternary::public_vartime(c).expect("a challenge is ternary");
                let acc = acc.expect("acc is v x n");
                multiplier.product(s, c).add_to(acc).expect("shapes agree");
                Ok(())
            }
            Self::Stripes(stripes) => stripes.iter().try_for_each(|(first, stripe)| {
                stripe.accumulate_one(workspace, c, &mut acc[*first..], stride)
            }),
            Self::OnDevice { attached, s, rows, cache } => {
                let s = Matrix::column_major(s, *rows, c.rows()).expect("s is v x m");
                attached
                    .device
                    .multiply_add(Left::I8(s), Right::I8(c), Sum::U32(acc), Some(cache))
                    .map_err(Error::Device)
            }
        }
    }
}

/// Some rows of columns of S.
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
fn stripe<'a, T: Operand>(s: &'a [T], params: &Params, rows: &Range<usize>) -> Matrix<'a, T> {
    let v = params.v() as usize;
    Matrix::strided(&s[rows.start..], rows.len(), s.len() / v, 1, v).expect("s is v x m")
}

/// Challenges for m columns of S.
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
fn challenges(c: &[i8], m: usize) -> Matrix<'_, i8> {
    Matrix::column_major(c, m, c.len() / m).expect("c is m x n").with_bits(CHALLENGE_BITS)
}
