//! The one module that calls `cust`: a context, its modules, memory and launches.
//!
//! Everything is issued on one blocking stream (`cust` makes no others), so that copies and fills, which `cust` issues on
//! the null stream, are ordered with the launches; every call returns when its work is done.
#![allow(unsafe_code)]

use core::ffi::c_void;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use cust::context::{Context, CurrentContext};
use cust::device::{Device as Ordinal, DeviceAttribute};
use cust::error::{CudaError, CudaResult};
use cust::event::{Event, EventFlags};
use cust::memory::{CopyDestination as _, DeviceBuffer};
use cust::module::Module;
use cust::stream::{Stream, StreamFlags};

use crate::Error;
use crate::kernel::{Kernel, Launch};

mod shim;

/// An open device.
pub(crate) struct Device {
    // Dropped in this order: what lives in a context goes before it.
    modules: [OnceLock<Module>; 3],
    stream: Stream,
    context: Arc<Context>,
    name: String,
    capability: (u32, u32),
}

fn check<T>(call: &'static str, result: CudaResult<T>) -> Result<T, Error> {
    result.map_err(|error| {
        if error == CudaError::NoDevice {
            return Error::NoDevice;
        }
        let code = shim::last_code();
        Error::Driver { call, code, name: shim::name_of(code).unwrap_or("unknown to the driver") }
    })
}

impl Device {
    pub(crate) fn open(library: &Path, ordinal: u32) -> Result<Self, Error> {
        shim::load(library).map_err(Error::NoDriver)?;
        check("initialisation", cust::init(cust::CudaFlags::empty()))?;
        let count = check("counting devices", Ordinal::num_devices())?;
        if count == 0 {
            return Err(Error::NoDevice);
        }
        if ordinal >= count {
            return Err(Error::Ordinal { got: ordinal, count });
        }
        let device = check("choosing a device", Ordinal::get_device(ordinal))?;
        let attribute = |attribute| check("device attributes", device.get_attribute(attribute));
        let major = attribute(DeviceAttribute::ComputeCapabilityMajor)?;
        let minor = attribute(DeviceAttribute::ComputeCapabilityMinor)?;
        let capability = (major.unsigned_abs(), minor.unsigned_abs());
        if capability < (7, 5) {
            return Err(Error::Capability { major: capability.0, minor: capability.1 });
        }
        let name = check("the device's name", device.name())?;
        let context = Arc::new(check("creating a context", Context::new(device))?);
        // `Context::new` does this too, but not its check.
        check("making the context current", CurrentContext::set_current(&*context))?;
        let stream = check("creating a stream", Stream::new(StreamFlags::DEFAULT, None))?;
        Ok(Self { modules: Default::default(), stream, context, name, capability })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn capability(&self) -> (u32, u32) {
        self.capability
    }

    fn enter(&self) -> Result<(), Error> {
        check("making the context current", CurrentContext::set_current(&*self.context))
    }

    /// `bytes` zero bytes.
    pub(crate) fn zeroed(&self, bytes: usize) -> Result<Memory, Error> {
        self.enter()?;
        // SAFETY: every byte is set below, before anything can read it.
        let memory = check("allocation", unsafe { DeviceBuffer::<u8>::uninitialized(bytes) })?;
        let mut memory = Memory { memory, context: Arc::clone(&self.context) };
        memory.erase()?;
        Ok(memory)
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Memory, Error> {
        self.enter()?;
        let memory = check("upload", DeviceBuffer::from_slice(bytes))?;
        Ok(Memory { memory, context: Arc::clone(&self.context) })
    }

    /// Runs a kernel and waits for it.
    ///
    /// # Safety
    /// `parameters` must point to what the kernel takes, in order and of its types; the memory it names must be live and as
    /// large as the kernel's definition says.
    pub(crate) unsafe fn launch(
        &self,
        kernel: Kernel,
        launch: Launch,
        parameters: &[*mut c_void],
    ) -> Result<(), Error> {
        self.enter()?;
        let slot = &self.modules[kernel.source as usize];
        let module = if let Some(module) = slot.get() {
            module
        } else {
            let module = check("translating PTX", Module::from_ptx(kernel.source.ptx(), &[]))?;
            slot.get_or_init(|| module)
        };
        let function = check("finding a kernel", module.get_function(kernel.name))?;
        // SAFETY: the caller's contract.
        let launched =
            unsafe { self.stream.launch(&function, launch.blocks, launch.threads, 0, parameters) };
        check("launch", launched)?;
        check("kernel", self.stream.synchronize())
    }

    /// Runs `work` and returns the device's own time for it, in seconds.
    pub(crate) fn time(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
        self.enter()?;
        let event = || check("creating an event", Event::new(EventFlags::DEFAULT));
        let (start, end) = (event()?, event()?);
        check("recording an event", start.record(&self.stream))?;
        work()?;
        check("recording an event", end.record(&self.stream))?;
        check("waiting for an event", end.synchronize())?;
        let milliseconds = check("reading an event", end.elapsed_time_f32(&start))?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // The modules and the stream go next, and want their context; a device that fails here has failed before.
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
    memory: DeviceBuffer<u8>,
    context: Arc<Context>,
}

impl Memory {
    /// The device's address of the first byte.
    pub(crate) fn address(&self) -> u64 {
        self.memory.as_device_ptr().as_raw()
    }

    fn enter(&self) -> Result<(), Error> {
        check("making the context current", CurrentContext::set_current(&*self.context))
    }

    pub(crate) fn download(&self, out: &mut [u8]) -> Result<(), Error> {
        self.enter()?;
        check("download", self.memory.copy_to(out))
    }

    fn erase(&mut self) -> Result<(), Error> {
        if self.memory.is_empty() {
            return Ok(());
        }
        check("erasure", self.memory.set_8(0))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // A device that fails here has failed before; nothing is left to report it to.
        let _ = self.enter().and_then(|()| self.erase());
    }
}
