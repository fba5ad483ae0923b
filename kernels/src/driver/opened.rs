//! A device that the CUDA driver has opened, by any [`Api`]: its context, modules, memory and
//! launches.
//!
//! Everything is issued on one blocking stream, so that copies and fills, which go to the null
//! stream, are ordered with the launches; every call returns when its work is done.
#![allow(unsafe_code)]

use core::ffi::c_void;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::api::Api;
use super::device::{Device, Memory};
use super::entry;
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
    // SAFETY: it is the handle of a live function.
    let code = unsafe {
        entry::cuFuncSetAttribute(A::handle(function), MAX_DYNAMIC_SHARED, bytes.cast_signed())
    };
    if code == 0 { Ok(()) } else { Err(failed("asking for shared memory")) }
}

/// Loads the driver library unless another one was before, and opens a device.
pub(super) fn open<A: Api>(library: &Path, ordinal: u32) -> Result<Box<dyn Device>, Error> {
    entry::load(library).map_err(Error::NoDriver)?;
    check("initialisation", A::init())?;
    let count = check("counting devices", A::count_devices())?;
    if count == 0 {
        return Err(Error::NoDevice);
    }
    if ordinal >= count {
        return Err(Error::Ordinal { got: ordinal, count });
    }
    let device = check("choosing a device", A::ordinal(ordinal))?;
    let (major, minor) = check("device attributes", A::capability(device))?;
    let capability = (major.unsigned_abs(), minor.unsigned_abs());
    require(capability, (7, 5))?;
    let name = check("the device's name", A::name(device))?;
    let context = Arc::new(check("creating a context", A::context(device))?);
    enter::<A>(&context)?;
    let stream = check("creating a stream", A::stream())?;
    Ok(Box::new(Opened::<A> { modules: Default::default(), stream, context, name, capability }))
}

impl<A: Api> Opened<A> {
    fn enter(&self) -> Result<(), Error> {
        enter::<A>(&self.context)
    }

    fn memory(&self, buffer: A::Buffer) -> OpenedMemory<A> {
        OpenedMemory { buffer, context: Arc::clone(&self.context) }
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
        self.enter()?;
        // SAFETY: every byte is set below, before anything can read it.
        let buffer = check("allocation", unsafe { A::uninitialized(bytes) })?;
        let mut memory = self.memory(buffer);
        memory.erase(bytes)?;
        Ok(Box::new(memory))
    }

    fn upload(&self, bytes: &[u8]) -> Result<Box<dyn Memory>, Error> {
        self.enter()?;
        Ok(Box::new(self.memory(check("upload", A::copy_of(bytes))?)))
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
        check("kernel", A::synchronize(&self.stream))
    }

    fn time(&self, work: &mut dyn FnMut() -> Result<(), Error>) -> Result<f64, Error> {
        self.enter()?;
        let event = || check("creating an event", A::event());
        let (start, end) = (event()?, event()?);
        check("recording an event", A::record(&start, &self.stream))?;
        work()?;
        check("recording an event", A::record(&end, &self.stream))?;
        check("waiting for an event", A::wait(&end))?;
        let milliseconds = check("reading an event", A::between(&start, &end))?;
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
    buffer: A::Buffer,
    context: Arc<A::Context>,
}

impl<A: Api> Memory for OpenedMemory<A> {
    fn address(&self) -> u64 {
        A::address(&self.buffer)
    }

    fn len(&self) -> usize {
        A::len(&self.buffer)
    }

    fn erase(&mut self, bytes: usize) -> Result<(), Error> {
        enter::<A>(&self.context)?;
        if bytes == 0 {
            return Ok(());
        }
        check("erasure", A::zero(&mut self.buffer, bytes))
    }

    fn download(&self, out: &mut [u8]) -> Result<(), Error> {
        enter::<A>(&self.context)?;
        check("download", A::copy_to(&self.buffer, out))
    }
}

impl<A: Api> Drop for OpenedMemory<A> {
    fn drop(&mut self) {
        // A device that fails here has failed before; nothing is left to report it to.
        let _ = self.erase(self.len());
    }
}
