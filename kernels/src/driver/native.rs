//! [`Api`] by this crate's own declarations of the driver's functions.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uint, c_void};
use core::ptr::null_mut;
use std::ffi::CString;

use super::api::Api;
use super::entry::{self, Handle, done};
use crate::kernel::Launch;

/// The driver by its own entry points.
pub(super) enum Native {}

type Result<T> = core::result::Result<T, ()>;

/// The handle that a call writes.
pub(super) fn made(call: impl FnOnce(*mut Handle) -> c_uint) -> Result<Handle> {
    let mut handle = null_mut();
    done(call(&raw mut handle))?;
    Ok(handle)
}

/// A device's primary context.
pub(super) struct Context {
    handle: Handle,
    device: c_int,
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained once, released once.
        let _ = unsafe { entry::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}

/// Handles, and what destroys their objects.
macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident: $destroy:ident;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name(pub(super) Handle);

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

impl Api for Native {
    type Unsuccessful = ();
    type Context = Context;
    type Module = Module;
    type Function<'a> = Function;
    type Stream = Stream;

    fn context(ordinal: u32) -> Result<Context> {
        let device = entry::device(ordinal)?;
        // SAFETY: writes a handle.
        let handle = made(|handle| unsafe { entry::cuDevicePrimaryCtxRetain(handle, device) })?;
        Ok(Context { handle, device })
    }

    fn enter(context: &Context) -> Result<()> {
        // SAFETY: the handle is live.
        done(unsafe { entry::cuCtxSetCurrent(context.handle) })
    }

    fn module(ptx: &str) -> Result<Module> {
        let ptx = CString::new(ptx).map_err(drop)?;
        let (image, none) = (ptx.as_ptr().cast(), null_mut());
        // SAFETY: writes a handle; the image is a C string, and there are no options.
        made(|handle| unsafe { entry::cuModuleLoadDataEx(handle, image, 0, none, none.cast()) })
            .map(Module)
    }

    fn function(module: &Module, name: &str) -> Result<Function> {
        let name = CString::new(name).map_err(drop)?;
        // SAFETY: writes a handle; a live module and a C string.
        made(|handle| unsafe { entry::cuModuleGetFunction(handle, module.0, name.as_ptr()) })
            .map(Function)
    }

    fn function_handle(function: &Function) -> Handle {
        function.0
    }

    fn stream() -> Result<Stream> {
        // SAFETY: writes a handle.
        made(|handle| unsafe { entry::cuStreamCreateWithPriority(handle, 0, 0) }).map(Stream)
    }

    fn stream_handle(stream: &Stream) -> Handle {
        stream.0
    }

    unsafe fn launch(
        stream: &Stream,
        function: &Function,
        Launch { blocks, threads, shared }: Launch,
        parameters: &[*mut c_void],
    ) -> Result<()> {
        let (function, stream, parameters) = (function.0, stream.0, parameters.as_ptr().cast_mut());
        let launch = entry::cuLaunchKernel;
        // SAFETY: live handles, and the caller's contract; the driver only reads the parameters.
        done(unsafe {
            launch(function, blocks, 1, 1, threads, 1, 1, shared, stream, parameters, null_mut())
        })
    }
}
