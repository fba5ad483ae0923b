//! The driver's objects by means of the crate `cust`; the same as `native.rs`.
#![allow(unsafe_code)]

use core::ffi::c_void;

use cust::CudaFlags;
use cust::context::{Context as CustContext, CurrentContext};
use cust::device::{Device, DeviceAttribute};
use cust::error::CudaResult;
use cust::event::{Event as CustEvent, EventFlags};
use cust::memory::{CopyDestination as _, DeviceBuffer};
use cust::module::Module as CustModule;
use cust::stream::{Stream as CustStream, StreamFlags};

use super::entry::Handle;
use crate::kernel::Launch;

pub(super) fn init() -> CudaResult<()> {
    cust::init(CudaFlags::empty())
}

pub(super) fn count_devices() -> CudaResult<u32> {
    Device::num_devices()
}

#[derive(Clone, Copy)]
pub(super) struct Ordinal(Device);

impl Ordinal {
    pub(super) fn new(ordinal: u32) -> CudaResult<Self> {
        Device::get_device(ordinal).map(Self)
    }

    pub(super) fn name(self) -> CudaResult<String> {
        self.0.name()
    }

    pub(super) fn capability(self) -> CudaResult<(i32, i32)> {
        let major = self.0.get_attribute(DeviceAttribute::ComputeCapabilityMajor)?;
        Ok((major, self.0.get_attribute(DeviceAttribute::ComputeCapabilityMinor)?))
    }
}

pub(super) struct Context(CustContext);

impl Context {
    pub(super) fn new(device: Ordinal) -> CudaResult<Self> {
        CustContext::new(device.0).map(Self)
    }

    pub(super) fn enter(&self) -> CudaResult<()> {
        CurrentContext::set_current(&self.0)
    }
}

pub(super) struct Module(CustModule);

pub(super) struct Function<'a>(cust::function::Function<'a>);

impl Module {
    pub(super) fn new(ptx: &str) -> CudaResult<Self> {
        CustModule::from_ptx(ptx, &[]).map(Self)
    }

    pub(super) fn function(&self, name: &str) -> CudaResult<Function<'_>> {
        self.0.get_function(name).map(Function)
    }
}

impl Function<'_> {
    pub(super) fn raw(&self) -> Handle {
        self.0.to_raw().cast()
    }
}

pub(super) struct Stream(CustStream);

impl Stream {
    /// `cust` makes blocking streams only.
    pub(super) fn new() -> CudaResult<Self> {
        CustStream::new(StreamFlags::DEFAULT, None).map(Self)
    }

    /// # Safety
    /// As in `native.rs`.
    pub(super) unsafe fn launch(
        &self,
        function: &Function<'_>,
        Launch { blocks, threads, shared }: Launch,
        parameters: &[*mut c_void],
    ) -> CudaResult<()> {
        // SAFETY: the caller's contract.
        unsafe { self.0.launch(&function.0, blocks, threads, shared, parameters) }
    }

    pub(super) fn synchronize(&self) -> CudaResult<()> {
        self.0.synchronize()
    }
}

pub(super) struct Event(CustEvent);

impl Event {
    pub(super) fn new() -> CudaResult<Self> {
        CustEvent::new(EventFlags::DEFAULT).map(Self)
    }

    pub(super) fn record(&self, stream: &Stream) -> CudaResult<()> {
        self.0.record(&stream.0)
    }

    pub(super) fn synchronize(&self) -> CudaResult<()> {
        self.0.synchronize()
    }

    pub(super) fn since(&self, start: &Self) -> CudaResult<f32> {
        self.0.elapsed_time_f32(&start.0)
    }
}

pub(super) struct Buffer(DeviceBuffer<u8>);

impl Buffer {
    /// # Safety
    /// The bytes must be written before they are read.
    pub(super) unsafe fn uninitialized(len: usize) -> CudaResult<Self> {
        // SAFETY: the caller's contract.
        unsafe { DeviceBuffer::uninitialized(len) }.map(Self)
    }

    pub(super) fn from_slice(bytes: &[u8]) -> CudaResult<Self> {
        DeviceBuffer::from_slice(bytes).map(Self)
    }

    pub(super) fn address(&self) -> u64 {
        self.0.as_device_ptr().as_raw()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn copy_to(&self, out: &mut [u8]) -> CudaResult<()> {
        self.0.copy_to(out)
    }

    pub(super) fn zero(&mut self, len: usize) -> CudaResult<()> {
        self.0.index(..len).set_8(0)
    }
}
