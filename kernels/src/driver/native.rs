//! [`Api`] by this crate's own declarations of the driver's functions.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_int, c_uint, c_void};
use core::ptr::null_mut;
use std::ffi::CString;

use super::api::Api;
use super::entry::{self, Handle};
use crate::kernel::Launch;

/// The driver by its own entry points.
pub(super) enum Native {}

/// The driver returned an error code.
#[derive(Debug)]
pub(super) struct Unsuccessful;

type Result<T> = core::result::Result<T, Unsuccessful>;

/// Whether a call succeeded.
fn done(code: c_uint) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(Unsuccessful) }
}

/// A device that the driver has found.
#[derive(Clone, Copy)]
pub(super) struct Ordinal(c_int);

/// A device's primary context.
pub(super) struct Context {
    handle: Handle,
    device: Ordinal,
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

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

/// Device memory.
pub(super) struct Buffer {
    address: u64,
    len: usize,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: allocated once, freed once.
            let _ = unsafe { entry::cuMemFree_v2(self.address) };
        }
    }
}

impl Api for Native {
    type Unsuccessful = Unsuccessful;
    type Ordinal = Ordinal;
    type Context = Context;
    type Module = Module;
    type Function<'a> = Function;
    type Stream = Stream;
    type Event = Event;
    type Buffer = Buffer;

    fn init() -> Result<()> {
        // SAFETY: takes no pointer.
        done(unsafe { entry::cuInit(0) })
    }

    fn count_devices() -> Result<u32> {
        let mut count = 0;
        // SAFETY: writes an int.
        done(unsafe { entry::cuDeviceGetCount(&raw mut count) })?;
        u32::try_from(count).map_err(|_| Unsuccessful)
    }

    fn ordinal(ordinal: u32) -> Result<Ordinal> {
        let (mut device, ordinal) = (0, c_int::try_from(ordinal).map_err(|_| Unsuccessful)?);
        // SAFETY: writes an int.
        done(unsafe { entry::cuDeviceGet(&raw mut device, ordinal) })?;
        Ok(Ordinal(device))
    }

    fn name(device: Ordinal) -> Result<String> {
        let mut name = [0_u8; 128];
        // SAFETY: writes at most 128 bytes.
        done(unsafe { entry::cuDeviceGetName(name.as_mut_ptr().cast(), 128, device.0) })?;
        let text = CStr::from_bytes_until_nul(&name).map_err(|_| Unsuccessful)?;
        Ok(text.to_string_lossy().into_owned())
    }

    fn capability(device: Ordinal) -> Result<(i32, i32)> {
        /// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR` and `.._MINOR`.
        const ATTRIBUTES: [c_int; 2] = [75, 76];
        let mut values = [0; 2];
        for (value, attribute) in values.iter_mut().zip(ATTRIBUTES) {
            // SAFETY: writes an int.
            done(unsafe { entry::cuDeviceGetAttribute(value, attribute, device.0) })?;
        }
        Ok(values.into())
    }

    fn context(device: Ordinal) -> Result<Context> {
        let mut handle = null_mut();
        // SAFETY: writes a handle.
        done(unsafe { entry::cuDevicePrimaryCtxRetain(&raw mut handle, device.0) })?;
        Ok(Context { handle, device })
    }

    fn enter(context: &Context) -> Result<()> {
        // SAFETY: the handle is live.
        done(unsafe { entry::cuCtxSetCurrent(context.handle) })
    }

    fn module(ptx: &str) -> Result<Module> {
        let (ptx, mut handle) = (CString::new(ptx).map_err(|_| Unsuccessful)?, null_mut());
        let (image, none) = (ptx.as_ptr().cast(), null_mut());
        // SAFETY: writes a handle; the image is a C string, and there are no options.
        done(unsafe { entry::cuModuleLoadDataEx(&raw mut handle, image, 0, none, none.cast()) })?;
        Ok(Module(handle))
    }

    fn function(module: &Module, name: &str) -> Result<Function> {
        let (name, mut handle) = (CString::new(name).map_err(|_| Unsuccessful)?, null_mut());
        // SAFETY: writes a handle; a live module and a C string.
        done(unsafe { entry::cuModuleGetFunction(&raw mut handle, module.0, name.as_ptr()) })?;
        Ok(Function(handle))
    }

    fn handle(function: &Function) -> Handle {
        function.0
    }

    fn stream() -> Result<Stream> {
        let mut handle = null_mut();
        // SAFETY: writes a handle.
        done(unsafe { entry::cuStreamCreateWithPriority(&raw mut handle, 0, 0) })?;
        Ok(Stream(handle))
    }

    unsafe fn launch(
        stream: &Stream,
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
                stream.0,
                parameters,
                null_mut(),
            )
        })
    }

    fn synchronize(stream: &Stream) -> Result<()> {
        // SAFETY: the handle is live.
        done(unsafe { entry::cuStreamSynchronize(stream.0) })
    }

    fn event() -> Result<Event> {
        let mut handle = null_mut();
        // SAFETY: writes a handle.
        done(unsafe { entry::cuEventCreate(&raw mut handle, 0) })?;
        Ok(Event(handle))
    }

    fn record(event: &Event, stream: &Stream) -> Result<()> {
        // SAFETY: live handles.
        done(unsafe { entry::cuEventRecord(event.0, stream.0) })
    }

    fn wait(event: &Event) -> Result<()> {
        // SAFETY: the handle is live.
        done(unsafe { entry::cuEventSynchronize(event.0) })
    }

    fn between(start: &Event, end: &Event) -> Result<f32> {
        let mut milliseconds = 0.0;
        // SAFETY: writes a float; live handles.
        done(unsafe { entry::cuEventElapsedTime(&raw mut milliseconds, start.0, end.0) })?;
        Ok(milliseconds)
    }

    unsafe fn uninitialized(len: usize) -> Result<Buffer> {
        let mut address = 0;
        if len > 0 {
            // SAFETY: writes an address.
            done(unsafe { entry::cuMemAlloc_v2(&raw mut address, len) })?;
        }
        Ok(Buffer { address, len })
    }

    fn copy_of(bytes: &[u8]) -> Result<Buffer> {
        // SAFETY: every byte is written here.
        let buffer = unsafe { Self::uninitialized(bytes.len()) }?;
        if !bytes.is_empty() {
            let (to, from) = (buffer.address, bytes.as_ptr().cast());
            // SAFETY: both have this length.
            done(unsafe { entry::cuMemcpyHtoD_v2(to, from, bytes.len()) })?;
        }
        Ok(buffer)
    }

    fn address(buffer: &Buffer) -> u64 {
        buffer.address
    }

    fn len(buffer: &Buffer) -> usize {
        buffer.len
    }

    fn copy_to(buffer: &Buffer, out: &mut [u8]) -> Result<()> {
        assert_eq!(out.len(), buffer.len, "as long as the buffer");
        if out.is_empty() {
            return Ok(());
        }
        let (to, from) = (out.as_mut_ptr().cast(), buffer.address);
        // SAFETY: both have this length.
        done(unsafe { entry::cuMemcpyDtoH_v2(to, from, out.len()) })
    }

    fn zero(buffer: &mut Buffer, len: usize) -> Result<()> {
        assert!(len <= buffer.len, "within the buffer");
        // SAFETY: so many bytes are there.
        done(unsafe { entry::cuMemsetD8_v2(buffer.address, 0, len) })
    }
}
