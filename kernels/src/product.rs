//! Products of matrices over Z_2^w: [`Gpu::matmul`] and [`Gpu::matmul_add`].

use crate::error::Error;
use crate::kernel::{
    Entry, Kernel, Launch, Operand, Product, Shape, Source, TILED_SHARED, blocks, count,
    direct_tile, parameter, tiled_tile,
};
use crate::method::Method;
use crate::reference::WARP;
use crate::{DeviceMatrix, Gpu};

/// A product without empty operands, as the kernels take it.
struct Call {
    z: u64,
    x: u64,
    y: u64,
    shape: Shape,
    large: Error,
}

impl Gpu {
    /// X Y over Z_2^w, w the width of the left entries ((i8, i8) gives w = 32), in row-major order.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::Large`], [`Error::Driver`].
    ///
    /// # Constant time
    /// In the entries.
    pub fn matmul<X: Entry, Y: Entry>(
        &self,
        x: &DeviceMatrix<X>,
        y: &DeviceMatrix<Y>,
    ) -> Result<DeviceMatrix<<(X, Y) as Product>::Z>, Error>
    where
        (X, Y): Product<X = X, Y = Y>,
    {
        let mut z = self.zero_matrix(x.rows(), y.columns())?;
        self.product(x, y, &mut z, false)?;
        Ok(z)
    }

    /// Z += X Y, Z in any order.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::Large`], [`Error::Driver`].
    ///
    /// # Constant time
    /// In the entries.
    pub fn matmul_add<X: Entry, Y: Entry>(
        &self,
        x: &DeviceMatrix<X>,
        y: &DeviceMatrix<Y>,
        z: &mut DeviceMatrix<<(X, Y) as Product>::Z>,
    ) -> Result<(), Error>
    where
        (X, Y): Product<X = X, Y = Y>,
    {
        self.product(x, y, z, true)
    }

    fn product<X: Entry, Y: Entry>(
        &self,
        x: &DeviceMatrix<X>,
        y: &DeviceMatrix<Y>,
        z: &mut DeviceMatrix<<(X, Y) as Product>::Z>,
        add: bool,
    ) -> Result<(), Error>
    where
        (X, Y): Product<X = X, Y = Y>,
    {
        if x.columns() != y.rows() || (z.rows(), z.columns()) != (x.rows(), y.columns()) {
            let z = add.then_some((z.rows(), z.columns()));
            return Err(Error::Shape { x: (x.rows(), x.columns()), y: (y.rows(), y.columns()), z });
        }
        let large = Error::Large { rows: z.rows(), columns: z.columns() };
        let (m, n) = count(z.rows(), z.columns())?;
        let (_, k) = count(x.rows(), x.columns())?;
        let Some(z_address) = z.entries().address() else { return Ok(()) };
        // Without a term the sum is zero, and so is what Z was made of.
        let (Some(x_address), Some(y_address)) = (x.entries().address(), y.entries().address())
        else {
            return Ok(());
        };
        let y_strides = [y.strides()[1], y.strides()[0]];
        let shape =
            Shape { z: z.strides(), x: x.strides(), y: y_strides, m, n, k, add: add.into() };
        let call = Call { z: z_address, x: x_address, y: y_address, shape, large };
        match self.method.unwrap_or_else(|| Method::of(self.capability(), (m, k, n))) {
            Method::Tiled => match self.tiled::<X, Y>(&call) {
                Some(done) => done,
                // No memory for the planes: nothing was done.
                None => self.direct::<X, Y>(&call),
            },
            Method::Direct => self.direct::<X, Y>(&call),
            Method::Imad => self.imad::<X, Y>(&call),
        }
    }

    fn imad<X: Entry, Y: Entry>(&self, call: &Call) -> Result<(), Error>
    where
        (X, Y): Product<X = X, Y = Y>,
    {
        const THREADS: u32 = 128;
        let entries = u64::from(call.shape.m) * u64::from(call.shape.n);
        let blocks = blocks(entries, THREADS.into()).ok_or_else(|| call.large.clone())?;
        let kernel = named(Source::Imad, "imad", <(X, Y) as Product>::TYPES);
        self.multiply(&kernel, Launch { blocks, threads: THREADS, shared: 0 }, call)
            .and(self.device.finish())
    }

    fn direct<X: Entry, Y: Entry>(&self, call: &Call) -> Result<(), Error>
    where
        (X, Y): Product<X = X, Y = Y>,
    {
        let tile = direct_tile(size_of::<<(X, Y) as Product>::Z>(), size_of::<X>(), size_of::<Y>());
        let launch = Launch { blocks: call.tiles(tile)?, threads: 4 * WARP as u32, shared: 0 };
        let kernel = named(Source::Direct, "direct", <(X, Y) as Product>::TYPES);
        self.multiply(&kernel, launch, call).and(self.device.finish())
    }

    /// `None`, and nothing done, if there is no memory for the planes.
    fn tiled<X: Entry, Y: Entry>(&self, call: &Call) -> Option<Result<(), Error>>
    where
        (X, Y): Product<X = X, Y = Y>,
    {
        let Shape { x, y, m, n, k, .. } = call.shape;
        let rows = Operand { strides: x, lines: m, length: k, pairs: 0 };
        let columns = Operand { strides: y, lines: n, length: k, pairs: 1 };
        let x_bytes = planes::<X>(rows)?;
        let bytes = usize::try_from(x_bytes.checked_add(planes::<Y>(columns)?)?).ok()?;
        self.workspace.with(&*self.device, bytes, |address| {
            let (x, y) = (address, address + x_bytes);
            let tile =
                tiled_tile(size_of::<<(X, Y) as Product>::Z>(), size_of::<X>(), size_of::<Y>());
            let launch = Launch {
                blocks: call.tiles(tile)?,
                threads: 8 * WARP as u32,
                shared: TILED_SHARED,
            };
            let kernel = named(Source::Tiled, "tiled", <(X, Y) as Product>::TYPES);
            let planes = Call { z: call.z, x, y, shape: call.shape, large: call.large.clone() };
            self.split::<X>(x, call.x, rows)
                .and_then(|()| self.split::<Y>(y, call.y, columns))
                .and_then(|()| self.multiply(&kernel, launch, &planes))
                .and(self.device.finish())
        })
    }

    /// Starts to cut an operand into its byte planes.
    fn split<E: Entry>(&self, planes: u64, entries: u64, operand: Operand) -> Result<(), Error> {
        /// Warps of a block, each of which makes a fragment.
        const WARPS: u32 = 4;
        let large =
            || Error::Large { rows: operand.lines as usize, columns: operand.length as usize };
        let blocks = blocks(operand.fragments(), WARPS.into()).ok_or_else(large)?;
        let launch = Launch { blocks, threads: WARPS * WARP as u32, shared: 0 };
        let kernel = named(Source::Split, "split", E::TYPE);
        let parameters = [parameter(&planes), parameter(&entries), parameter(&operand)];
        // SAFETY: the kernel of this type takes two pointers and an operand, reads the entries that
        // its strides reach, and writes the planes of its fragments.
        #[allow(unsafe_code)]
        unsafe {
            self.device.launch(&kernel, launch, &parameters)
        }
    }

    /// Starts a kernel of products.
    fn multiply(&self, kernel: &Kernel, launch: Launch, call: &Call) -> Result<(), Error> {
        let parameters =
            [parameter(&call.z), parameter(&call.x), parameter(&call.y), parameter(&call.shape)];
        // SAFETY: the kernel of these types takes three pointers and a shape; every matrix has the
        // entries that its strides reach, or all its planes.
        #[allow(unsafe_code)]
        unsafe {
            self.device.launch(kernel, launch, &parameters)
        }
    }
}

impl Call {
    /// Blocks, one for each tile.
    fn tiles(&self, (rows, columns): (u32, u32)) -> Result<u32, Error> {
        let tiles =
            u64::from(self.shape.m.div_ceil(rows)) * u64::from(self.shape.n.div_ceil(columns));
        blocks(tiles, 1).ok_or_else(|| self.large.clone())
    }
}

fn named(source: Source, kind: &str, types: &str) -> Kernel {
    Kernel { source, name: format!("{kind}_{types}") }
}

/// Bytes of an operand's planes, a plane for each byte of an entry.
fn planes<E: Entry>(operand: Operand) -> Option<u64> {
    operand.fragments().checked_mul(512 * size_of::<E>() as u64)
}
