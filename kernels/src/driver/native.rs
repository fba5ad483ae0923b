//! The driver's objects, each released when dropped. `with_cust.rs` offers the same by means of
//! the crate `cust`.
//!
//! A failed call is an [`Unsuccessful`]; [`entry::last_code`] has the driver's reason.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_int, c_uint, c_void};
use core::ptr::null_mut;
use std::ffi::CString;

use super::entry::{self, Handle};
use crate::kernel::Launch;

/// The driver returned an error code.
#[derive(Debug)]
pub(super) struct Unsuccessful;

type Result<T> = core::result::Result<T, Unsuccessful>;

/// Whether a call succeeded.
fn done(code: c_uint) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(Unsuccessful) }
}

pub(super) fn init() -> Result<()> {
    // SAFETY: takes no pointer.
    done(unsafe { entry::cuInit(0) })
}

pub(super) fn count_devices() -> Result<u32> {
    let mut count = 0;
    // SAFETY: writes an int.
    done(unsafe { entry::cuDeviceGetCount(&raw mut count) })?;
    u32::try_from(count).map_err(|_| Unsuccessful)
}

/// A device that the driver has found.
#[derive(Clone, Copy)]
pub(super) struct Ordinal(c_int);

impl Ordinal {
    pub(super) fn new(ordinal: u32) -> Result<Self> {
        let (mut device, ordinal) = (0, c_int::try_from(ordinal).map_err(|_| Unsuccessful)?);
        // SAFETY: writes an int.
        done(unsafe { entry::cuDeviceGet(&raw mut device, ordinal) })?;
        Ok(Self(device))
    }

    pub(super) fn name(self) -> Result<String> {
        let mut name = [0_u8; 128];
        // SAFETY: writes at most 128 bytes.
        done(unsafe { entry::cuDeviceGetName(name.as_mut_ptr().cast(), 128, self.0) })?;
        let text = CStr::from_bytes_until_nul(&name).map_err(|_| Unsuccessful)?;
        Ok(text.to_string_lossy().into_owned())
    }

    /// Compute capability, (major, minor).
    pub(super) fn capability(self) -> Result<(i32, i32)> {
        /// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR` and `.._MINOR`.
        const ATTRIBUTES: [c_int; 2] = [75, 76];
        let mut values = [0; 2];
        for (value, attribute) in values.iter_mut().zip(ATTRIBUTES) {
            // SAFETY: writes an int.
            done(unsafe { entry::cuDeviceGetAttribute(value, attribute, self.0) })?;
        }
        Ok(values.into())
    }
}

/// A device's primary context.
pub(super) struct Context {
    handle: Handle,
    device: Ordinal,
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    pub(super) fn new(device: Ordinal) -> Result<Self> {
        let mut handle = null_mut();
        // SAFETY: writes a handle.
        done(unsafe { entry::cuDevicePrimaryCtxRetain(&raw mut handle, device.0) })?;
        Ok(Self { handle, device })
    }

    /// Makes it the calling thread's current context.
    pub(super) fn enter(&self) -> Result<()> {
        // SAFETY: the handle is live.
        done(unsafe { entry::cuCtxSetCurrent(self.handle) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained once, released once.
        let _ = unsafe { entry::cuDevicePrimaryCtxRelease_v2(self.device.0) };
    }
}

/// Handles, and what destroys their objects.
macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident: $destroy:ident;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name(Handle);

        // SAFETY: the driver's handles may be used from any thread.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle is live, and nothing can use it afterwards. A device that
                // fails here has failed before; nothing is left to report it to.
                let _ = unsafe { entry::$destroy(self.0) };
            }
        }
    )*};
}
handles! {
    /// A queue of launches.
    Stream: cuStreamDestroy_v2;
    /// Translated PTX.
    Module: cuModuleUnload;
    /// A point in a queue.
    Event: cuEventDestroy_v2;
}

/// A kernel of a live module.
pub(super) struct Function(Handle);

impl Module {
    pub(super) fn new(ptx: &str) -> Result<Self> {
        let (ptx, mut handle) = (CString::new(ptx).map_err(|_| Unsuccessful)?, null_mut());
        let (image, none) = (ptx.as_ptr().cast(), null_mut());
        // SAFETY: writes a handle; the image is a C string, and there are no options.
        done(unsafe { entry::cuModuleLoadDataEx(&raw mut handle, image, 0, none, none.cast()) })?;
        Ok(Self(handle))
    }

    pub(super) fn function(&self, name: &str) -> Result<Function> {
        let (name, mut handle) = (CString::new(name).map_err(|_| Unsuccessful)?, null_mut());
        // SAFETY: writes a handle; a live module and a C string.
        done(unsafe { entry::cuModuleGetFunction(&raw mut handle, self.0, name.as_ptr()) })?;
        Ok(Function(handle))
    }
}

impl Function {
    pub(super) fn raw(&self) -> Handle {
        self.0
    }
}

impl Stream {
    /// Ordered with copies and fills, which are issued on the null stream.
    pub(super) fn new() -> Result<Self> {
        let mut handle = null_mut();
        // SAFETY: writes a handle.
        done(unsafe { entry::cuStreamCreateWithPriority(&raw mut handle, 0, 0) })?;
        Ok(Self(handle))
    }

    /// # Safety
    /// `parameters` must point to what the kernel takes, in order and of its types; the memory it
    /// names must be live until the kernel is done.
    pub(super) unsafe fn launch(
        &self,
        function: &Function,
        Launch { blocks, threads, shared }: Launch,
        parameters: &[*mut c_void],
    ) -> Result<()> {
        let parameters = parameters.as_ptr().cast_mut();
        // SAFETY: live handles, and the caller's contract; the driver only reads the parameters.
        done(unsafe {
            entry::cuLaunchKernel(
                function.0,
                blocks,
                1,
                1,
                threads,
                1,
                1,
                shared,
                self.0,
                parameters,
                null_mut(),
            )
        })
    }

    pub(super) fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is live.
        done(unsafe { entry::cuStreamSynchronize(self.0) })
    }
}

impl Event {
    pub(super) fn new() -> Result<Self> {
        let mut handle = null_mut();
        // SAFETY: writes a handle.
        done(unsafe { entry::cuEventCreate(&raw mut handle, 0) })?;
        Ok(Self(handle))
    }

    pub(super) fn record(&self, stream: &Stream) -> Result<()> {
        // SAFETY: live handles.
        done(unsafe { entry::cuEventRecord(self.0, stream.0) })
    }

    pub(super) fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is live.
        done(unsafe { entry::cuEventSynchronize(self.0) })
    }

    /// Milliseconds since an earlier event.
    pub(super) fn since(&self, start: &Self) -> Result<f32> {
        let mut milliseconds = 0.0;
        // SAFETY: writes a float; live handles.
        done(unsafe { entry::cuEventElapsedTime(&raw mut milliseconds, start.0, self.0) })?;
        Ok(milliseconds)
    }
}

/// Device memory.
pub(super) struct Buffer {
    address: u64,
    len: usize,
}

impl Buffer {
    /// # Safety
    /// The bytes must be written before they are read.
    pub(super) unsafe fn uninitialized(len: usize) -> Result<Self> {
        let mut address = 0;
        if len > 0 {
            // SAFETY: writes an address.
            done(unsafe { entry::cuMemAlloc_v2(&raw mut address, len) })?;
        }
        Ok(Self { address, len })
    }

    pub(super) fn from_slice(bytes: &[u8]) -> Result<Self> {
        // SAFETY: every byte is written here.
        let buffer = unsafe { Self::uninitialized(bytes.len()) }?;
        if !bytes.is_empty() {
            let (to, from) = (buffer.address, bytes.as_ptr().cast());
            // SAFETY: both have this length.
            done(unsafe { entry::cuMemcpyHtoD_v2(to, from, bytes.len()) })?;
        }
        Ok(buffer)
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn copy_to(&self, out: &mut [u8]) -> Result<()> {
        assert_eq!(out.len(), self.len, "as long as the buffer");
        if out.is_empty() {
            return Ok(());
        }
        // SAFETY: both have this length.
        done(unsafe { entry::cuMemcpyDtoH_v2(out.as_mut_ptr().cast(), self.address, out.len()) })
    }

    /// Makes the first `len` bytes zero.
    pub(super) fn zero(&mut self, len: usize) -> Result<()> {
        assert!(len <= self.len, "within the buffer");
        // SAFETY: so many bytes are there.
        done(unsafe { entry::cuMemsetD8_v2(self.address, 0, len) })
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: allocated once, freed once.
            let _ = unsafe { entry::cuMemFree_v2(self.address) };
        }
    }
}
