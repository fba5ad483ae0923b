//! A device of the CUDA driver: its context, modules, memory and launches.
//!
//! Everything is issued on one blocking stream, so that copies and fills, which go to the null
//! stream, are ordered with the launches; every call returns when its work is done.
#![allow(unsafe_code)]

use core::ffi::c_void;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::error::{Error, require};
use crate::kernel::{Kernel, Launch, Source};

mod entry;
#[cfg(not(feature = "cust"))]
mod native;
#[cfg(feature = "cust")]
mod with_cust;

#[cfg(not(feature = "cust"))]
use native as api;
#[cfg(feature = "cust")]
use with_cust as api;

use api::{Buffer, Context, Event, Module, Ordinal, Stream};

/// An open device.
pub(crate) struct Device {
    // Dropped in this order: what lives in a context goes before it.
    modules: [OnceLock<Module>; Source::COUNT],
    stream: Stream,
    context: Arc<Context>,
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

/// Allows a kernel's launches to ask for up to so many bytes of shared memory a block.
fn allow_shared(function: &api::Function, bytes: u32) -> Result<(), Error> {
    /// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
    const MAX_DYNAMIC_SHARED: i32 = 8;
    // SAFETY: the handle is that of a live function.
    let code = unsafe {
        entry::cuFuncSetAttribute(function.raw(), MAX_DYNAMIC_SHARED, bytes.cast_signed())
    };
    if code == 0 { Ok(()) } else { Err(failed("asking for shared memory")) }
}

impl Device {
    pub(crate) fn open(library: &Path, ordinal: u32) -> Result<Self, Error> {
        entry::load(library).map_err(Error::NoDriver)?;
        check("initialisation", api::init())?;
        let count = check("counting devices", api::count_devices())?;
        if count == 0 {
            return Err(Error::NoDevice);
        }
        if ordinal >= count {
            return Err(Error::Ordinal { got: ordinal, count });
        }
        let device = check("choosing a device", Ordinal::new(ordinal))?;
        let (major, minor) = check("device attributes", device.capability())?;
        let capability = (major.unsigned_abs(), minor.unsigned_abs());
        require(capability, (7, 5))?;
        let name = check("the device's name", device.name())?;
        let context = Arc::new(check("creating a context", Context::new(device))?);
        check("making the context current", context.enter())?;
        let stream = check("creating a stream", Stream::new())?;
        Ok(Self { modules: Default::default(), stream, context, name, capability })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn capability(&self) -> (u32, u32) {
        self.capability
    }

    fn enter(&self) -> Result<(), Error> {
        check("making the context current", self.context.enter())
    }

    /// `bytes` zero bytes.
    pub(crate) fn zeroed(&self, bytes: usize) -> Result<Memory, Error> {
        self.enter()?;
        // SAFETY: every byte is set below, before anything can read it.
        let memory = check("allocation", unsafe { Buffer::uninitialized(bytes) })?;
        let mut memory = Memory { memory, context: Arc::clone(&self.context) };
        memory.erase(bytes)?;
        Ok(memory)
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Memory, Error> {
        self.enter()?;
        let memory = check("upload", Buffer::from_slice(bytes))?;
        Ok(Memory { memory, context: Arc::clone(&self.context) })
    }

    /// Starts a kernel; it runs after those that were started before. [`Self::finish`] waits for
    /// it.
    ///
    /// # Safety
    /// `parameters` must point to what the kernel takes, in order and of its types; the memory it
    /// names must be live until the kernel is done, and as large as the kernel's definition says.
    pub(crate) unsafe fn launch(
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
            let module = check("translating PTX", Module::new(kernel.source.ptx()))?;
            slot.get_or_init(|| module)
        };
        let function = check("finding a kernel", module.function(&kernel.name))?;
        if launch.shared > UNASKED {
            allow_shared(&function, launch.shared)?;
        }
        // SAFETY: the caller's contract.
        check("launch", unsafe { self.stream.launch(&function, launch, parameters) })
    }

    /// Waits for the kernels that were started.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.enter()?;
        check("kernel", self.stream.synchronize())
    }

    /// Runs `work` and returns the device's own time for it, in seconds.
    pub(crate) fn time(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
        self.enter()?;
        let event = || check("creating an event", Event::new());
        let (start, end) = (event()?, event()?);
        check("recording an event", start.record(&self.stream))?;
        work()?;
        check("recording an event", end.record(&self.stream))?;
        check("waiting for an event", end.synchronize())?;
        let milliseconds = check("reading an event", end.since(&start))?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // The modules and the stream go next, and need their context; a device that fails here has
        // failed before.
        let _ = self.enter();
    }
}

impl core::fmt::Debug for Device {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Device").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Memory of a device; erased when dropped.
pub(crate) struct Memory {
    memory: Buffer,
    context: Arc<Context>,
}

impl Memory {
    /// The device's address of the first byte.
    pub(crate) fn address(&self) -> u64 {
        self.memory.address()
    }

    fn enter(&self) -> Result<(), Error> {
        check("making the context current", self.context.enter())
    }

    pub(crate) fn download(&self, out: &mut [u8]) -> Result<(), Error> {
        self.enter()?;
        check("download", self.memory.copy_to(out))
    }

    /// Bytes.
    pub(crate) fn len(&self) -> usize {
        self.memory.len()
    }

    /// Makes the first `bytes` bytes zero.
    pub(crate) fn erase(&mut self, bytes: usize) -> Result<(), Error> {
        self.enter()?;
        if bytes == 0 {
            return Ok(());
        }
        check("erasure", self.memory.zero(bytes))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // A device that fails here has failed before; nothing is left to report it to.
        let _ = self.erase(self.len());
    }
}
