//! Registers of a tile: how panels are read into them, multiplied and summed.
//!
//! These registers differ from the types of `simd::vector`. Their methods are unsafe, since they
//! read panels by address, and they are as many sums as the register file holds, for which the
//! compiler must see raw registers in an array.
#![allow(unsafe_code)]

use tautochrone_simd::{Token, vectorize};

use super::block::{Lane, Operands, TILE, Tile};
#[cfg(doc)]
use crate::digits::Method;

/// How registers are multiplied and summed; a cell has as many bytes as a lane of a sum.
pub(super) trait Arithmetic: Copy {
    /// Proof that the instructions exist.
    type Token: Token;
    /// A register, of which any bytes are a value.
    type Vector: Copy;
    /// An accumulator of as many lanes as a register has.
    type Sum: Copy;
    type Lane: Lane;
    /// Lanes of a register.
    #[expect(clippy::integer_division_remainder_used, reason = "constants")]
    const LANES: usize = size_of::<Self::Vector>() / size_of::<Self::Lane>();
    /// A cell in every lane.
    ///
    /// # Safety
    /// The instructions exist (here and below).
    unsafe fn splat(cell: Self::Lane) -> Self::Vector;
    /// # Safety
    /// As above.
    unsafe fn zero() -> Self::Sum;
    /// Sums digit by digit.
    ///
    /// # Safety
    /// As above.
    unsafe fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `sum + a b`.
    ///
    /// # Safety
    /// As above.
    unsafe fn multiply_add(sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum;
    /// # Safety
    /// `to` is valid for the lanes of a register, and need not be aligned; the instructions exist.
    unsafe fn store(sum: Self::Sum, to: *mut Self::Vector);
}

/// An [`Arithmetic`] whose sums are one register each: by `$set` of a cell, `$add` of digits, and
/// `$body`, the sum with a product; `store` says how sums are stored if not as they are.
#[cfg(target_arch = "x86_64")]
macro_rules! arithmetic {
    (
        $(#[$doc:meta])*
        $name:ident: $token:ty, $vector:ty, $lane:ty, $set:ident, $add:ident,
        |$sum:ident, $a:ident, $b:ident| $body:expr
        $(, store |$total:ident, $to:ident| $store:expr)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $name;

        impl Arithmetic for $name {
            type Token = $token;
            type Vector = $vector;
            type Sum = $vector;
            type Lane = $lane;

            #[inline(always)]
            unsafe fn splat(cell: $lane) -> $vector {
                // SAFETY: by the caller, as below.
                unsafe { $set(cell.cast_signed()) }
            }

            #[inline(always)]
            unsafe fn zero() -> $vector {
                // SAFETY: as above.
                unsafe { $set(0) }
            }

            #[inline(always)]
            unsafe fn add(a: $vector, b: $vector) -> $vector {
                // SAFETY: as above.
                unsafe { $add(a, b) }
            }

            #[inline(always)]
            unsafe fn multiply_add($sum: $vector, $a: $vector, $b: $vector) -> $vector {
                // SAFETY: as above.
                unsafe { $body }
            }

            arithmetic!(@store $vector $(, |$total, $to| $store)?);
        }
    };
    (@store $vector:ty) => {
        arithmetic!(@store $vector, |sum, to| to.write_unaligned(sum));
    };
    (@store $vector:ty, |$total:ident, $to:ident| $store:expr) => {
        #[inline(always)]
        unsafe fn store($total: $vector, $to: *mut $vector) {
            // SAFETY: as above.
            unsafe { $store }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use arithmetic;

/// A step of X in registers, and what the same step of Y does to it.
pub(super) trait Register: Copy {
    type Of: Arithmetic;
    /// A step of Y, in every lane.
    type Y: Copy;
    /// Cells of a step.
    const STEP: usize;
    /// # Safety
    /// `from` points to `STEP` times `LANES` cells, `stride` bytes apart; the instructions exist
    /// (here and below).
    unsafe fn load(from: *const u8, stride: usize) -> Self;
    /// # Safety
    /// `from` points to `STEP` cells, `stride` bytes apart.
    unsafe fn broadcast(from: *const u8, stride: usize) -> Self::Y;
    /// `sum + x y`, up to terms of x alone and of y alone.
    ///
    /// # Safety
    /// As above.
    unsafe fn multiply_add(
        self,
        sum: <Self::Of as Arithmetic>::Sum,
        y: Self::Y,
    ) -> <Self::Of as Arithmetic>::Sum;
}

/// A register that is multiplied term by term.
#[derive(Clone, Copy)]
pub(super) struct Single<A: Arithmetic>(A::Vector);

impl<A: Arithmetic> Register for Single<A> {
    type Of = A;
    type Y = A::Vector;
    const STEP: usize = 1;

    #[inline(always)]
    unsafe fn load(from: *const u8, _: usize) -> Self {
        // SAFETY: a readable register, by the caller.
        Self(unsafe { from.cast::<A::Vector>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn broadcast(from: *const u8, _: usize) -> A::Vector {
        // SAFETY: a readable cell, by the caller.
        unsafe { A::splat(from.cast::<A::Lane>().read_unaligned()) }
    }

    #[inline(always)]
    unsafe fn multiply_add(self, sum: A::Sum, y: A::Vector) -> A::Sum {
        // SAFETY: by the caller.
        unsafe { A::multiply_add(sum, self.0, y) }
    }
}

/// Two registers that are multiplied two terms at a time ([`Method::Winograd`]).
#[derive(Clone, Copy)]
pub(super) struct Pairs<A: Arithmetic>(Single<A>, Single<A>);

impl<A: Arithmetic> Register for Pairs<A> {
    type Of = A;
    type Y = (A::Vector, A::Vector);
    const STEP: usize = 2;

    #[inline(always)]
    unsafe fn load(from: *const u8, stride: usize) -> Self {
        // SAFETY: two readable registers, by the caller.
        unsafe { Self(Single::load(from, 0), Single::load(from.add(stride), 0)) }
    }

    #[inline(always)]
    unsafe fn broadcast(from: *const u8, stride: usize) -> Self::Y {
        // SAFETY: two readable cells, by the caller.
        unsafe { (Single::<A>::broadcast(from, 0), Single::<A>::broadcast(from.add(stride), 0)) }
    }

    #[inline(always)]
    unsafe fn multiply_add(self, sum: A::Sum, y: Self::Y) -> A::Sum {
        // SAFETY: by the caller.
        unsafe { A::multiply_add(sum, A::add(self.0.0, y.1), A::add(self.1.0, y.0)) }
    }
}

/// The tile of `M` registers of rows by `N` columns. Where no more than 1, `FEW` or `SOME` columns
/// are needed, only so many are formed.
#[derive(Clone, Copy)]
pub(super) struct Block<
    V: Register,
    const M: usize,
    const FEW: usize,
    const SOME: usize,
    const N: usize,
>(<V::Of as Arithmetic>::Token);

impl<V: Register, const M: usize, const FEW: usize, const SOME: usize, const N: usize>
    Block<V, M, FEW, SOME, N>
{
    /// The tile, whose instructions the token proves.
    pub(super) const fn new(token: <V::Of as Arithmetic>::Token) -> Self {
        Self(token)
    }

    /// The columns that are needed, of `R` registers.
    ///
    /// # Safety
    /// As [`Tile::multiply`].
    #[inline(always)]
    unsafe fn columns<const R: usize>(
        self,
        operands: &Operands<'_>,
        out: &mut [<V::Of as Arithmetic>::Lane; TILE],
    ) {
        const { assert!(R <= M && FEW <= N && SOME <= N && M * V::Of::LANES * N <= TILE) }
        let lines = (M * V::Of::LANES, N);
        // SAFETY: guaranteed by the caller.
        unsafe {
            match operands.columns {
                1 => accumulate::<V, R, 1>(self.0, operands, lines, out),
                n if n <= FEW => accumulate::<V, R, FEW>(self.0, operands, lines, out),
                n if FEW < SOME && n <= SOME => {
                    accumulate::<V, R, SOME>(self.0, operands, lines, out);
                }
                _ => accumulate::<V, R, N>(self.0, operands, lines, out),
            }
        }
    }
}

impl<V: Register, const M: usize, const FEW: usize, const SOME: usize, const N: usize> Tile
    for Block<V, M, FEW, SOME, N>
{
    type Lane = <V::Of as Arithmetic>::Lane;

    #[inline(always)]
    unsafe fn multiply(&self, operands: &Operands<'_>, out: &mut [Self::Lane; TILE]) {
        // Once for words of every size.
        vectorize!(
            self.0,
            // SAFETY: guaranteed by the caller.
            unsafe {
                if M > 1 && operands.rows > V::Of::LANES {
                    self.columns::<M>(operands, out);
                } else {
                    self.columns::<1>(operands, out);
                }
            }
        );
    }
}

/// `M` registers of rows by `N` columns, from panels of `x_lines` and `y_lines` lines.
///
/// # Safety
/// As [`Tile::multiply`]; the lanes of `M` registers are at most `x_lines`, `N <= y_lines`,
/// `x_lines * N <= TILE`, `cells` a multiple of `V::STEP`.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) unsafe fn accumulate<V: Register, const M: usize, const N: usize>(
    _: <V::Of as Arithmetic>::Token,
    operands: &Operands<'_>,
    (x_lines, y_lines): (usize, usize),
    out: &mut [<V::Of as Arithmetic>::Lane; TILE],
) {
    let (lanes, cell) = (V::Of::LANES, size_of::<<V::Of as Arithmetic>::Lane>());
    let (x_stride, y_stride) = (x_lines * cell, y_lines * cell);
    // SAFETY: every access lies in the panels, whose cells are `x_stride` and `y_stride` bytes
    // apart, or in the first `N * x_lines` lanes of `out`.
    unsafe {
        let mut sums = [[V::Of::zero(); M]; N];
        for pair in operands.pairs {
            let (mut x, mut y) = (pair.x, pair.y);
            for _ in 0..operands.cells / V::STEP {
                let mut registers = [V::load(x, x_stride); M];
                let mut i = 1;
                while i < M {
                    registers[i] = V::load(x.add(i * lanes * cell), x_stride);
                    i += 1;
                }
                let mut j = 0;
                while j < N {
                    let column = V::broadcast(y.add(j * cell), y_stride);
                    let mut i = 0;
                    while i < M {
                        sums[j][i] = registers[i].multiply_add(sums[j][i], column);
                        i += 1;
                    }
                    j += 1;
                }
                x = x.add(V::STEP * x_stride);
                y = y.add(V::STEP * y_stride);
            }
        }
        for (j, sums) in sums.iter().enumerate() {
            for (i, sum) in sums.iter().enumerate() {
                V::Of::store(*sum, out.as_mut_ptr().add(j * x_lines + i * lanes).cast());
            }
        }
    }
}
