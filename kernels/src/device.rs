//! [`Gpu`] and [`Reference`] as the [`Device`] of a prover or a verifier.

use std::sync::Arc;

use tautochrone_gauss::facct::Facct;
use tautochrone_matmul::{Matrix, Operand};
use tautochrone_zk::device::{Device, DeviceCache, DeviceError, Left, Right, Sum};
use zeroize::Zeroizing;

use crate::reference::{self, Key};
use crate::{DeviceMatrix, Entry, Error, Gpu, Product};

/// The host computing what a [`Gpu`] does, from the definition: a prover's proofs are the same with
/// either. Slow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Device for Reference {
    fn sample(&self, sampler: &Facct, key: &[u8; 32], out: &mut [i64]) -> Result<(), DeviceError> {
        reference::gaussian(sampler, &Key::new(key, 0), out).map_err(shared)
    }

    fn multiply_add(
        &self,
        x: Left<'_>,
        y: Right<'_>,
        z: Sum<'_>,
        _: Option<&DeviceCache>,
    ) -> Result<(), DeviceError> {
        let (x, m) = match x {
            Left::I8(x) => (rows(x, |x| x as u64), x.rows()),
            Left::U32(x) => (rows(x, u64::from), x.rows()),
            Left::U64(x) => (rows(x, |x| x), x.rows()),
        };
        let (y, k, n) = match y {
            Right::I8(y) => (rows(y.transposed(), |y| y as u64), y.rows(), y.columns()),
            Right::I64(y) => (rows(y.transposed(), |y| y as u64), y.rows(), y.columns()),
        };
        let product = Zeroizing::new(reference::matmul(&x, &y, (m, k, n)).map_err(shared)?);
        #[expect(clippy::integer_division_remainder_used, reason = "shapes and indices are public")]
        let entry = |at: usize| product[at % m * n + at / m];
        match z {
            Sum::U32(z) => {
                (0..).zip(z).for_each(|(at, z)| *z = z.wrapping_add(entry(at) as u32));
            }
            Sum::U64(z) => (0..).zip(z).for_each(|(at, z)| *z = z.wrapping_add(entry(at))),
        }
        Ok(())
    }
}

impl Device for Gpu {
    fn sample(&self, sampler: &Facct, key: &[u8; 32], out: &mut [i64]) -> Result<(), DeviceError> {
        let samples = self.gaussian(sampler, &Key::new(key, 0), out.len());
        samples.and_then(|samples| samples.copy_to(out)).map_err(shared)
    }

    fn multiply_add(
        &self,
        x: Left<'_>,
        y: Right<'_>,
        z: Sum<'_>,
        cache: Option<&DeviceCache>,
    ) -> Result<(), DeviceError> {
        match z {
            Sum::U32(z) => self.add32(x, y, z, cache),
            Sum::U64(z) => self.add64(x, y, z, cache),
        }
        .map_err(shared)
    }
}

/// Calls `$gpu.add` with X as `$x` and Y converted to the narrowest of the types that holds its
/// bits; `y as $word` is Y modulo 2^w.
macro_rules! narrowest {
    ($gpu:ident, $x:ident, $y:ident, $z:ident, $word:ty: $($narrow:ty),*) => {
        match $y {
            Right::I8(y) => $gpu.add($x, &$gpu.right(y, |y| y)?, $z),
            $(Right::I64(y) if y.bits() <= <$narrow>::BITS => {
                $gpu.add($x, &$gpu.right(y, |y| y as $narrow)?, $z)
            })*
            Right::I64(y) => $gpu.add($x, &$gpu.right(y, |y| y as $word)?, $z),
        }
    };
}

impl Gpu {
    fn add32(
        &self,
        x: Left<'_>,
        y: Right<'_>,
        z: &mut [u32],
        cache: Option<&DeviceCache>,
    ) -> Result<(), Error> {
        if let (Left::I8(x), Right::I8(y)) = (x, y) {
            let y = self.right(y, |y| y)?;
            return self.left(x, |x| x, cache, |x| self.add(x, &y, z));
        }
        let add = |x: &DeviceMatrix<u32>| narrowest!(self, x, y, z, u32: i8, i16);
        match x {
            Left::I8(x) => self.left(x, |x| x as u32, cache, add),
            Left::U32(x) => self.left(x, |x| x, cache, add),
            Left::U64(x) => self.left(x, |x| x as u32, cache, add),
        }
    }

    fn add64(
        &self,
        x: Left<'_>,
        y: Right<'_>,
        z: &mut [u64],
        cache: Option<&DeviceCache>,
    ) -> Result<(), Error> {
        let add = |x: &DeviceMatrix<u64>| narrowest!(self, x, y, z, u64: i8, i16, i32);
        match x {
            Left::I8(x) => self.left(x, |x| x as u64, cache, add),
            Left::U32(x) => self.left(x, u64::from, cache, add),
            Left::U64(x) => self.left(x, |x| x, cache, add),
        }
    }

    /// Calls `f` with X on the device: the copy that is stored there, or a copy made now, row after
    /// row.
    fn left<T: Operand, U: Entry>(
        &self,
        x: Matrix<'_, T>,
        convert: impl Fn(T) -> U,
        cache: Option<&DeviceCache>,
        f: impl FnOnce(&DeviceMatrix<U>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(stored) = cache.and_then(DeviceCache::get::<DeviceMatrix<U>>)
            && (stored.rows(), stored.columns()) == (x.rows(), x.columns())
        {
            return f(stored);
        }
        let copy = self.row_major(&rows(x, convert), x.rows(), x.columns())?;
        let Some(cache) = cache else { return f(&copy) };
        match cache.put(copy) {
            Ok(stored) => f(stored),
            Err(copy) => f(&copy),
        }
    }

    /// Y on the device, column after column.
    fn right<T: Operand, U: Entry>(
        &self,
        y: Matrix<'_, T>,
        convert: impl Fn(T) -> U,
    ) -> Result<DeviceMatrix<U>, Error> {
        self.column_major(&rows(y.transposed(), convert), y.rows(), y.columns())
    }

    fn add<X: Entry, Y: Entry>(
        &self,
        x: &DeviceMatrix<X>,
        y: &DeviceMatrix<Y>,
        z: &mut [<(X, Y) as Product>::Z],
    ) -> Result<(), Error>
    where
        (X, Y): Product<X = X, Y = Y>,
    {
        let mut sum = self.column_major(z, x.rows(), y.columns())?;
        self.matmul_add(x, y, &mut sum)?;
        sum.entries().copy_to(z)
    }
}

/// The entries, row after row; erased when dropped, for they may be secret.
fn rows<T: Operand, U: Entry>(x: Matrix<'_, T>, convert: impl Fn(T) -> U) -> Zeroizing<Vec<U>> {
    let mut out = Zeroizing::new(Vec::with_capacity(x.rows() * x.columns()));
    for i in 0..x.rows() {
        out.extend((0..x.columns()).map(|j| convert(x.at(i, j))));
    }
    out
}

fn shared(error: Error) -> DeviceError {
    Arc::new(error)
}
