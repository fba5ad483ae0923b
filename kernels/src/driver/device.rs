//! [`Device`]: what kernels run on, and [`Memory`] of it.

use core::ffi::c_void;

use crate::error::Error;
use crate::kernel::{Kernel, Launch};

/// An open device. Work is issued in order; a method that is not said to start something returns
/// when it is done. A device may be used from several threads.
pub(crate) trait Device: Send + Sync {
    fn name(&self) -> &str;

    /// Compute capability, (major, minor).
    fn capability(&self) -> (u32, u32);

    /// `bytes` zero bytes, one or more.
    fn zeroed(&self, bytes: usize) -> Result<Box<dyn Memory>, Error>;

    /// Of one byte or more.
    fn upload(&self, bytes: &[u8]) -> Result<Box<dyn Memory>, Error>;

    /// Starts a kernel; it runs after the kernels that were started before. [`Self::finish`] waits
    /// for it.
    ///
    /// # Safety
    /// `parameters` must point to what the kernel takes, in order and of its types; the memory it
    /// names must be live until the kernel is done, and as large as the kernel's definition says.
    #[allow(unsafe_code)]
    unsafe fn launch(
        &self,
        kernel: &Kernel,
        launch: Launch,
        parameters: &[*mut c_void],
    ) -> Result<(), Error>;

    /// Waits for the kernels that were started.
    fn finish(&self) -> Result<(), Error>;

    /// Runs `work` and returns the device's own time for it, in seconds.
    fn time(&self, work: &mut dyn FnMut() -> Result<(), Error>) -> Result<f64, Error>;
}

/// Memory of a device; erased when dropped.
pub(crate) trait Memory: Send + Sync {
    /// The device's address of the first byte.
    fn address(&self) -> u64;

    /// Bytes.
    fn len(&self) -> usize;

    /// Makes the first `bytes` bytes zero.
    fn erase(&mut self, bytes: usize) -> Result<(), Error>;

    /// Copies all bytes to `out`, which is as long.
    fn download(&self, out: &mut [u8]) -> Result<(), Error>;
}
