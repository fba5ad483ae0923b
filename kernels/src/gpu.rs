//! [`Gpu`]: an open device, and what it computes.

use std::path::Path;

use tautochrone_gauss::facct::{Facct, TrialConstants};

use crate::driver::{self, Device, Interface};
use crate::error::{Error, require};
use crate::kernel::{Entry, Kernel, Launch, Source, blocks, parameter};
use crate::memory::{DeviceMatrix, DeviceVec};
use crate::method::Method;

use crate::reference::{GAUSSIAN_LIMIT, Key, SHARE, UNIFORM_LIMIT, WARP, limit};
use crate::workspace::Workspace;

/// The driver library that the dynamic loader looks for.
const DRIVER: &str = "libcuda.so.1";

/// An open device. Every call returns when its work is done; a device may be used from several
/// threads.
///
/// Large products need memory for the byte planes of their operands ([`Method::Tiled`]). It is
/// erased after each product, and stored for the next until the `Gpu` is dropped.
pub struct Gpu {
    /// Before the device, whose memory it is: dropped first.
    pub(crate) workspace: Workspace,
    pub(crate) device: Box<dyn Device>,
    /// `None`: by the shape of each product.
    pub(crate) method: Option<Method>,
}

impl core::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Gpu").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl Gpu {
    /// Opens the first device.
    ///
    /// # Errors
    /// [`Error::NoDriver`], also in a build without the feature `cuda`; [`Error::NoDevice`];
    /// [`Error::Capability`] for chips before compute capability 7.5; [`Error::Driver`].
    pub fn open() -> Result<Self, Error> {
        Self::open_with(Path::new(DRIVER), 0)
    }

    /// Opens a device by number, through a driver library at a given place. The first call in a
    /// process decides which library that is.
    ///
    /// # Errors
    /// [`Error::Ordinal`] if there is no such device; [`Error::NoDriver`], also in a build without
    /// the feature `cuda`; [`Error::NoDevice`]; [`Error::Capability`] for chips before compute
    /// capability 7.5; [`Error::Driver`].
    pub fn open_with(driver: &Path, ordinal: u32) -> Result<Self, Error> {
        Self::open_by(Interface::Native, driver, ordinal)
    }

    /// As [`Self::open_with`], by one of the interfaces to the driver; the others take
    /// [`Interface::Native`].
    ///
    /// # Errors
    /// [`Error::NoDriver`], also if this was built without the interface; [`Error::Ordinal`],
    /// [`Error::NoDevice`], [`Error::Capability`] or [`Error::Driver`].
    pub fn open_by(interface: Interface, driver: &Path, ordinal: u32) -> Result<Self, Error> {
        let device = driver::open(interface, driver, ordinal)?;
        Ok(Self { workspace: Workspace::default(), device, method: None })
    }

    /// Computes every product by one method, for every shape.
    ///
    /// # Errors
    /// [`Error::Capability`] if the device is too old for it.
    pub fn with_method(self, method: Method) -> Result<Self, Error> {
        require(self.capability(), method.least_capability())?;
        Ok(Self { method: Some(method), ..self })
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

    /// Runs `work` and returns the device's own measure of its time in seconds.
    ///
    /// # Errors
    /// Errors of `work`; [`Error::Driver`].
    pub fn time(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
        let mut work = Some(work);
        self.device.time(&mut || work.take().map_or(Ok(()), |work| work()))
    }

    /// Copies entries to the device.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn upload<T: Entry>(&self, entries: &[T]) -> Result<DeviceVec<T>, Error> {
        DeviceVec::upload(&*self.device, entries)
    }

    /// `len` zeros on the device.
    ///
    /// # Errors
    /// [`Error::Driver`], in particular where memory does not suffice.
    pub fn zeros<T: Entry>(&self, len: usize) -> Result<DeviceVec<T>, Error> {
        DeviceVec::zeros(&*self.device, len)
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
    /// [`Error::Count`] beyond 2^35; [`Error::Driver`].
    pub fn fill_uniform(&self, key: &Key, out: &mut DeviceVec<u64>) -> Result<(), Error> {
        const THREADS: u32 = 128;
        let count = limit(out.len(), UNIFORM_LIMIT)?;
        let Some(pointer) = out.address() else { return Ok(()) };
        let blocks = blocks(count, 8 * u64::from(THREADS)).expect("2^35 words are 2^25 blocks");
        let parameters = [parameter(&pointer), parameter(&count), parameter(key)];
        let kernel = Kernel { source: Source::Sample, name: "uniform".into() };
        let launch = Launch { blocks, threads: THREADS, shared: 0 };
        // SAFETY: the kernel takes (pointer, u64, Key) and writes `count` words.
        #[allow(unsafe_code)]
        let launched = unsafe { self.device.launch(&kernel, launch, &parameters) };
        launched.and(self.device.finish())
    }

    /// `count` samples of D_{Z, sigma}; the same as [`crate::reference::gaussian`]. A (key, nonce)
    /// pair must be used once.
    ///
    /// # Errors
    /// [`Error::Sampler`] unless 2 <= sigma < 2^32; [`Error::Count`] beyond 2^37;
    /// [`Error::Driver`].
    pub fn sample_facct(
        &self,
        sigma: f64,
        count: usize,
        key: &[u8; 32],
        nonce: u64,
    ) -> Result<DeviceVec<i64>, Error> {
        self.gaussian(&Facct::new(sigma)?, &Key::new(key, nonce), count)
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
    /// [`Error::Count`] beyond 2^37; [`Error::Driver`].
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
        let kernel = Kernel { source: Source::Sample, name: "facct".into() };
        let launch = Launch { blocks, threads: WARPS * WARP as u32, shared: 0 };
        // SAFETY: the kernel takes (pointer, u64, u32, Key, pointer to constants) and writes
        // `count` samples.
        #[allow(unsafe_code)]
        let launched = unsafe { self.device.launch(&kernel, launch, &parameters) };
        launched.and(self.device.finish())
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
    /// [`Error::Entries`] unless there are rows * columns entries; [`Error::Driver`].
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
