//! A device that the CUDA driver has opened, by any [`Api`]: its context, modules, memory and
//! launches. Calls that only take handles, or nothing, are the same for any [`Api`].
//!
//! Everything is issued on one blocking stream, so that copies and fills, which go to the null
//! stream, are ordered with the launches; every call returns when its work is done.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::api::Api;
use super::device::{Device, Memory};
use super::entry::{self, done};
use super::native::{Event, made};
use crate::error::{Error, require};
use crate::kernel::{Kernel, Launch, Source};

/// An open device.
struct Opened<A: Api> {
    // Dropped in this order: what lives in a context goes before it.
    modules: [OnceLock<A::Module>; Source::COUNT],
    stream: A::Stream,
    context: Arc<A::Context>,
    name: String,
    capability: (u32, u32),
}

fn check<T, E>(call: &'static str, result: Result<T, E>) -> Result<T, Error> {
    result.map_err(|_| failed(call))
}

/// The error of a call that the driver refused on this thread just now.
fn failed(call: &'static str) -> Error {
    /// `CUDA_ERROR_NO_DEVICE`.
    const NO_DEVICE: u32 = 100;
    match entry::last_code() {
        NO_DEVICE => Error::NoDevice,
        code => Error::Driver {
            call,
            code,
            name: entry::name_of(code).unwrap_or("unknown to the driver"),
        },
    }
}

fn enter<A: Api>(context: &A::Context) -> Result<(), Error> {
    check("making the context current", A::enter(context))
}

/// Allows a kernel's launches to ask for up to so many bytes of shared memory a block.
fn allow_shared<A: Api>(function: &A::Function<'_>, bytes: u32) -> Result<(), Error> {
    /// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
    const MAX_DYNAMIC_SHARED: i32 = 8;
    let (function, bytes) = (A::function_handle(function), bytes.cast_signed());
    // SAFETY: it is the handle of a live function.
    let code = unsafe { entry::cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, bytes) };
    check("asking for shared memory", done(code))
}

/// How many devices the driver finds.
fn count_devices() -> Result<u32, Error> {
    let mut count = 0;
    // SAFETY: writes an int.
    check("counting devices", done(unsafe { entry::cuDeviceGetCount(&raw mut count) }))?;
    Ok(u32::try_from(count).unwrap_or(0))
}

fn capability_of(device: c_int) -> Result<(u32, u32), Error> {
    /// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR` and `.._MINOR`.
    const ATTRIBUTES: [c_int; 2] = [75, 76];
    let mut values = [0; 2];
    for (value, attribute) in values.iter_mut().zip(ATTRIBUTES) {
        // SAFETY: writes an int.
        let code = unsafe { entry::cuDeviceGetAttribute(value, attribute, device) };
        check("device attributes", done(code))?;
    }
    Ok(values.map(c_int::unsigned_abs).into())
}

fn name_of(device: c_int) -> Result<String, Error> {
    let mut name = [0_u8; 128];
    // SAFETY: writes at most 128 bytes.
    let code = unsafe { entry::cuDeviceGetName(name.as_mut_ptr().cast(), 128, device) };
    check("the device's name", done(code))?;
    let text = name.split(|&byte| byte == 0).next().unwrap_or_default();
    Ok(String::from_utf8_lossy(text).into_owned())
}

/// Loads the driver library unless another one was before, and opens a device.
pub(super) fn open<A: Api>(library: &Path, ordinal: u32) -> Result<Box<dyn Device>, Error> {
    entry::load(library).map_err(Error::NoDriver)?;
    // SAFETY: takes no pointer.
    check("initialisation", done(unsafe { entry::cuInit(0) }))?;
    let count = count_devices()?;
    if count == 0 {
        return Err(Error::NoDevice);
    }
    if ordinal >= count {
        return Err(Error::Ordinal { got: ordinal, count });
    }
    let device = check("choosing a device", entry::device(ordinal))?;
    let capability = capability_of(device)?;
    require(capability, (7, 5))?;
    let name = name_of(device)?;
    let context = Arc::new(check("creating a context", A::context(ordinal))?);
    enter::<A>(&context)?;
    let stream = check("creating a stream", A::stream())?;
    Ok(Box::new(Opened::<A> { modules: Default::default(), stream, context, name, capability }))
}

impl<A: Api> Opened<A> {
    fn enter(&self) -> Result<(), Error> {
        enter::<A>(&self.context)
    }

    /// A point in the queue, behind what was started before.
    fn event(&self) -> Result<Event, Error> {
        // SAFETY: writes a handle.
        let event = made(|handle| unsafe { entry::cuEventCreate(handle, 0) }).map(Event);
        let event = check("creating an event", event)?;
        let stream = A::stream_handle(&self.stream);
        // SAFETY: live handles.
        check("recording an event", done(unsafe { entry::cuEventRecord(event.0, stream) }))?;
        Ok(event)
    }

    /// Memory of any content.
    fn allocate(&self, len: usize) -> Result<OpenedMemory<A>, Error> {
        self.enter()?;
        let mut address = 0;
        // SAFETY: writes an address.
        check("allocation", done(unsafe { entry::cuMemAlloc_v2(&raw mut address, len) }))?;
        Ok(OpenedMemory { address, len, context: Arc::clone(&self.context) })
    }
}

impl<A: Api> Device for Opened<A> {
    fn name(&self) -> &str {
        &self.name
    }

    fn capability(&self) -> (u32, u32) {
        self.capability
    }

    fn zeroed(&self, bytes: usize) -> Result<Box<dyn Memory>, Error> {
        let mut memory = self.allocate(bytes)?;
        memory.erase(bytes)?;
        Ok(Box::new(memory))
    }

    fn upload(&self, bytes: &[u8]) -> Result<Box<dyn Memory>, Error> {
        let memory = self.allocate(bytes.len())?;
        let (to, from) = (memory.address, bytes.as_ptr().cast());
        // SAFETY: both have this length.
        check("upload", done(unsafe { entry::cuMemcpyHtoD_v2(to, from, bytes.len()) }))?;
        Ok(Box::new(memory))
    }

    unsafe fn launch(
        &self,
        kernel: &Kernel,
        launch: Launch,
        parameters: &[*mut c_void],
    ) -> Result<(), Error> {
        /// Shared memory that a block has without asking, in bytes.
        const UNASKED: u32 = 48 << 10;
        self.enter()?;
        let slot = &self.modules[kernel.source as usize];
        let module = if let Some(module) = slot.get() {
            module
        } else {
            let module = check("translating PTX", A::module(kernel.source.ptx()))?;
            slot.get_or_init(|| module)
        };
        let function = check("finding a kernel", A::function(module, &kernel.name))?;
        if launch.shared > UNASKED {
            allow_shared::<A>(&function, launch.shared)?;
        }
        // SAFETY: the caller's contract.
        check("launch", unsafe { A::launch(&self.stream, &function, launch, parameters) })
    }

    fn finish(&self) -> Result<(), Error> {
        self.enter()?;
        let stream = A::stream_handle(&self.stream);
        // SAFETY: the handle is live.
        check("kernel", done(unsafe { entry::cuStreamSynchronize(stream) }))
    }

    fn time(&self, work: &mut dyn FnMut() -> Result<(), Error>) -> Result<f64, Error> {
        self.enter()?;
        let start = self.event()?;
        work()?;
        let end = self.event()?;
        // SAFETY: the handle is live.
        check("waiting for an event", done(unsafe { entry::cuEventSynchronize(end.0) }))?;
        let mut milliseconds = 0.0;
        // SAFETY: writes a float; live handles.
        let code = unsafe { entry::cuEventElapsedTime(&raw mut milliseconds, start.0, end.0) };
        check("reading an event", done(code))?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

impl<A: Api> Drop for Opened<A> {
    fn drop(&mut self) {
        // The modules and the stream go next, and need their context; a device that fails here has
        // failed before.
        let _ = self.enter();
    }
}

struct OpenedMemory<A: Api> {
    address: u64,
    len: usize,
    context: Arc<A::Context>,
}

impl<A: Api> Memory for OpenedMemory<A> {
    fn address(&self) -> u64 {
        self.address
    }

    fn len(&self) -> usize {
        self.len
    }

    fn erase(&mut self, bytes: usize) -> Result<(), Error> {
        assert!(bytes <= self.len, "within the memory");
        enter::<A>(&self.context)?;
        // SAFETY: so many bytes are there.
        check("erasure", done(unsafe { entry::cuMemsetD8_v2(self.address, 0, bytes) }))
    }

    fn download(&self, out: &mut [u8]) -> Result<(), Error> {
        assert_eq!(out.len(), self.len, "as long as the memory");
        enter::<A>(&self.context)?;
        let (to, from) = (out.as_mut_ptr().cast(), self.address);
        // SAFETY: both have this length.
        check("download", done(unsafe { entry::cuMemcpyDtoH_v2(to, from, out.len()) }))
    }
}

impl<A: Api> Drop for OpenedMemory<A> {
    fn drop(&mut self) {
        // A device that fails here has failed before; nothing is left to report it to.
        let _ = self.erase(self.len);
        // SAFETY: allocated once, freed once, in its context.
        let _ = unsafe { entry::cuMemFree_v2(self.address) };
    }
}
