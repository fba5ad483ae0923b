//! [`Gpu`]: an open device, and what it computes.

use core::ffi::c_void;
use std::path::Path;

use tautochrone_gauss::facct::{Facct, TrialConstants};

use crate::Error;
use crate::driver;
use crate::kernel::{Entry, Kernel, Launch, Product, Shape, Source, blocks, count};
use crate::memory::{DeviceMatrix, DeviceVec};
use crate::reference::{GAUSSIAN_LIMIT, Key, SHARE, UNIFORM_LIMIT, WARP, limit};

/// The driver library that the dynamic loader looks for.
const DRIVER: &str = "libcuda.so.1";

/// An open device. Every call returns when its work is done; a device may be used from several threads.
#[derive(Debug)]
pub struct Gpu {
    device: driver::Device,
    tensor_cores: bool,
}

impl Gpu {
    /// Opens the first device.
    ///
    /// # Errors
    /// [`Error::NoDriver`], also in a build without the feature `cuda`; [`Error::NoDevice`]; [`Error::Capability`] for
    /// chips before compute capability 7.5; [`Error::Driver`].
    pub fn open() -> Result<Self, Error> {
        Self::open_with(Path::new(DRIVER), 0)
    }

    /// Opens a device by number, through a driver library at a given place. The first call in a process decides which
    /// library that is.
    ///
    /// # Errors
    /// As [`Self::open`], and [`Error::Ordinal`].
    pub fn open_with(driver: &Path, ordinal: u32) -> Result<Self, Error> {
        let device = driver::Device::open(driver, ordinal)?;
        // mma.sync of this shape came with 8.0.
        let tensor_cores = device.capability() >= (8, 0);
        Ok(Self { device, tensor_cores })
    }

    /// Multiplies with integer instructions, as on chips without the tensor cores that the kernels need.
    #[must_use]
    pub fn without_tensor_cores(self) -> Self {
        Self { tensor_cores: false, ..self }
    }

    /// The device's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.device.name()
    }

    /// Compute capability, (major, minor).
    #[must_use]
    pub fn capability(&self) -> (u32, u32) {
        self.device.capability()
    }

    /// Whether products run on tensor cores.
    #[must_use]
    pub fn has_tensor_cores(&self) -> bool {
        self.tensor_cores
    }

    /// Runs `work` and returns the device's own measure of its time in seconds.
    ///
    /// # Errors
    /// Those of `work`, and [`Error::Driver`].
    pub fn time(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
        self.device.time(work)
    }

    /// Copies entries to the device.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn upload<T: Entry>(&self, entries: &[T]) -> Result<DeviceVec<T>, Error> {
        DeviceVec::upload(&self.device, entries)
    }

    /// `len` zeros on the device.
    ///
    /// # Errors
    /// [`Error::Driver`], in particular where memory does not suffice.
    pub fn zeros<T: Entry>(&self, len: usize) -> Result<DeviceVec<T>, Error> {
        DeviceVec::zeros(&self.device, len)
    }

    /// `count` uniform 64-bit words; the same as [`crate::reference::uniform`].
    ///
    /// # Errors
    /// [`Error::Count`] beyond 2^35; [`Error::Driver`].
    pub fn uniform(&self, key: &Key, count: usize) -> Result<DeviceVec<u64>, Error> {
        limit(count, UNIFORM_LIMIT)?;
        let mut out = self.zeros(count)?;
        self.fill_uniform(key, &mut out)?;
        Ok(out)
    }

    /// As [`Self::uniform`], into memory that is there.
    ///
    /// # Errors
    /// As [`Self::uniform`].
    pub fn fill_uniform(&self, key: &Key, out: &mut DeviceVec<u64>) -> Result<(), Error> {
        const THREADS: u32 = 128;
        let count = limit(out.len(), UNIFORM_LIMIT)?;
        let Some(pointer) = out.address() else { return Ok(()) };
        let blocks = blocks(count, 8 * u64::from(THREADS)).expect("2^35 words are 2^25 blocks");
        let parameters = [parameter(&pointer), parameter(&count), parameter(key)];
        let kernel = Kernel { source: Source::Sample, name: "uniform" };
        // SAFETY: the kernel takes (pointer, u64, Key) and writes `count` words.
        #[allow(unsafe_code)]
        unsafe {
            self.device.launch(kernel, Launch { blocks, threads: THREADS }, &parameters)
        }
    }

    /// `count` samples of D_{Z, sigma}; the same as [`crate::reference::gaussian`]. A (key, nonce) pair must be used once.
    ///
    /// # Errors
    /// [`Error::Sampler`] unless 2 <= sigma < 2^32; [`Error::Count`] beyond 2^37; [`Error::Driver`].
    pub fn sample_facct(
        &self,
        sigma: f64,
        count: usize,
        key: &[u8; 32],
        nonce: u64,
    ) -> Result<DeviceVec<i64>, Error> {
        self.gaussian(&Facct::try_new(sigma)?, &Key::new(key, nonce), count)
    }

    /// As [`Self::sample_facct`], by a sampler that is there.
    ///
    /// # Errors
    /// [`Error::Count`] beyond 2^37; [`Error::Driver`].
    pub fn gaussian(
        &self,
        sampler: &Facct,
        key: &Key,
        count: usize,
    ) -> Result<DeviceVec<i64>, Error> {
        limit(count, GAUSSIAN_LIMIT)?;
        let mut out = self.zeros(count)?;
        self.fill_gaussian(sampler, key, &mut out)?;
        Ok(out)
    }

    /// As [`Self::gaussian`], into memory that is there.
    ///
    /// # Errors
    /// As [`Self::gaussian`].
    pub fn fill_gaussian(
        &self,
        sampler: &Facct,
        key: &Key,
        out: &mut DeviceVec<i64>,
    ) -> Result<(), Error> {
        /// Warps a block.
        const WARPS: u32 = 4;
        let count = limit(out.len(), GAUSSIAN_LIMIT)?;
        let Some(pointer) = out.address() else { return Ok(()) };
        let share = SHARE as u32;
        let blocks = blocks(count, u64::from(share * WARPS)).expect("2^37 samples are 2^25 blocks");
        let constants = self.device.upload(constant_bytes(&sampler.trial_constants()))?;
        let address = constants.address();
        let parameters = [
            parameter(&pointer),
            parameter(&count),
            parameter(&share),
            parameter(key),
            parameter(&address),
        ];
        let kernel = Kernel { source: Source::Sample, name: "facct" };
        let launch = Launch { blocks, threads: WARPS * WARP as u32 };
        // SAFETY: the kernel takes (pointer, u64, u32, Key, pointer to constants) and writes `count` samples.
        #[allow(unsafe_code)]
        unsafe {
            self.device.launch(kernel, launch, &parameters)
        }
    }

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
    /// As [`Self::matmul`].
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
        let shape = Shape {
            z: z.strides(),
            x: x.strides(),
            y: [y.strides()[1], y.strides()[0]],
            m,
            n,
            k,
            add: add.into(),
        };
        let (kernel, launch) = if self.tensor_cores {
            let (rows, columns) = <(X, Y) as Product>::TILE;
            let tiles = u64::from(m.div_ceil(rows)) * u64::from(n.div_ceil(columns));
            let kernel = Kernel { source: Source::Matmul, name: <(X, Y) as Product>::TENSOR };
            (kernel, Launch { blocks: blocks(tiles, 1).ok_or(large)?, threads: 4 * WARP as u32 })
        } else {
            const THREADS: u32 = 128;
            let entries = u64::from(m) * u64::from(n);
            let kernel = Kernel { source: Source::Imad, name: <(X, Y) as Product>::IMAD };
            let blocks = blocks(entries, THREADS.into()).ok_or(large)?;
            (kernel, Launch { blocks, threads: THREADS })
        };
        let parameters = [
            parameter(&z_address),
            parameter(&x_address),
            parameter(&y_address),
            parameter(&shape),
        ];
        // SAFETY: the kernel of these types takes three pointers and a shape; every matrix has the entries that its
        // strides reach.
        #[allow(unsafe_code)]
        unsafe {
            self.device.launch(kernel, launch, &parameters)
        }
    }

    /// A matrix on the device, from its entries row after row.
    ///
    /// # Errors
    /// [`Error::Entries`] unless there are rows * columns entries; [`Error::Driver`].
    pub fn row_major<T: Entry>(
        &self,
        entries: &[T],
        rows: usize,
        columns: usize,
    ) -> Result<DeviceMatrix<T>, Error> {
        self.upload(entries)?.into_row_major(rows, columns)
    }

    /// A matrix on the device, from its entries column after column.
    ///
    /// # Errors
    /// As [`Self::row_major`].
    pub fn column_major<T: Entry>(
        &self,
        entries: &[T],
        rows: usize,
        columns: usize,
    ) -> Result<DeviceMatrix<T>, Error> {
        Ok(self.row_major(entries, columns, rows)?.transposed())
    }

    /// The zero matrix, row-major.
    ///
    /// # Errors
    /// [`Error::Large`], [`Error::Driver`].
    pub fn zero_matrix<T: Entry>(
        &self,
        rows: usize,
        columns: usize,
    ) -> Result<DeviceMatrix<T>, Error> {
        let len = rows.checked_mul(columns).ok_or(Error::Large { rows, columns })?;
        self.zeros(len)?.into_row_major(rows, columns)
    }
}

fn parameter<T>(value: &T) -> *mut c_void {
    core::ptr::from_ref(value).cast_mut().cast()
}

#[allow(unsafe_code)]
fn constant_bytes(constants: &TrialConstants) -> &[u8] {
    // SAFETY: the fields are 8-byte numbers, then two arrays of 32 4-byte numbers: no padding.
    unsafe {
        core::slice::from_raw_parts(
            core::ptr::from_ref(constants).cast(),
            size_of::<TrialConstants>(),
        )
    }
}
