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
use cust::function::Function;
use cust::memory::{CopyDestination as _, DeviceBuffer};
use cust::module::Module;
use cust::stream::{Stream, StreamFlags};
use cust::sys::{CUfunction_attribute, CUresult, cuFuncSetAttribute};

use crate::error::{Error, require};
use crate::kernel::{Kernel, Launch, Source};

mod shim;

/// An open device.
pub(crate) struct Device {
    // Dropped in this order: what lives in a context goes before it.
    modules: [OnceLock<Module>; Source::COUNT],
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

/// Lets a kernel's launches ask for up to so many bytes of shared memory a block.
fn allow_shared(function: &Function<'_>, bytes: u32) -> CudaResult<()> {
    let bytes = i32::try_from(bytes).map_err(|_| CudaError::InvalidValue)?;
    // SAFETY: the handle is that of a live function.
    let code = unsafe {
        cuFuncSetAttribute(
            function.to_raw(),
            CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            bytes,
        )
    };
    // `check` has the driver's own code.
    if code == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(CudaError::UnknownError) }
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
        require(capability, (7, 5))?;
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
        memory.erase(bytes)?;
        Ok(memory)
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Memory, Error> {
        self.enter()?;
        let memory = check("upload", DeviceBuffer::from_slice(bytes))?;
        Ok(Memory { memory, context: Arc::clone(&self.context) })
    }

    /// Starts a kernel; it runs after those that were started before. [`Self::finish`] waits for it.
    ///
    /// # Safety
    /// `parameters` must point to what the kernel takes, in order and of its types; the memory it names must be live until
    /// the kernel is done, and as large as the kernel's definition says.
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
            let module = check("translating PTX", Module::from_ptx(kernel.source.ptx(), &[]))?;
            slot.get_or_init(|| module)
        };
        let function = check("finding a kernel", module.get_function(&kernel.name))?;
        if launch.shared > UNASKED {
            check("asking for shared memory", allow_shared(&function, launch.shared))?;
        }
        let Launch { blocks, threads, shared } = launch;
        // SAFETY: the caller's contract.
        let launched =
            unsafe { self.stream.launch(&function, blocks, threads, shared, parameters) };
        check("launch", launched)
    }

    /// Waits for the kernels that were started.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.enter()?;
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
        check("erasure", self.memory.index(..bytes).set_8(0))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // A device that fails here has failed before; nothing is left to report it to.
        let _ = self.erase(self.len());
    }
}
