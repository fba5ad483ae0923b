//! [`Api`] by means of the crate `cust`.
#![allow(unsafe_code)]

use core::ffi::c_void;

use cust::context::{Context, CurrentContext};
use cust::device::Device;
use cust::error::{CudaError, CudaResult};
use cust::function::Function;
use cust::module::Module;
use cust::stream::{Stream, StreamFlags};

use super::api::Api;
use super::entry::Handle;
use crate::kernel::Launch;

/// The driver by `cust`.
pub(super) enum Cust {}

impl Api for Cust {
    type Unsuccessful = CudaError;
    type Context = Context;
    type Module = Module;
    type Function<'a> = Function<'a>;
    type Stream = Stream;

    fn context(ordinal: u32) -> CudaResult<Context> {
        Context::new(Device::get_device(ordinal)?)
    }

    fn enter(context: &Context) -> CudaResult<()> {
        CurrentContext::set_current(context)
    }

    fn module(ptx: &str) -> CudaResult<Module> {
        Module::from_ptx(ptx, &[])
    }

    fn function<'a>(module: &'a Module, name: &str) -> CudaResult<Function<'a>> {
        module.get_function(name)
    }

    fn function_handle(function: &Function<'_>) -> Handle {
        function.to_raw().cast()
    }

    /// `cust` makes blocking streams only.
    fn stream() -> CudaResult<Stream> {
        Stream::new(StreamFlags::DEFAULT, None)
    }

    fn stream_handle(stream: &Stream) -> Handle {
        stream.as_inner().cast()
    }

    unsafe fn launch(
        stream: &Stream,
        function: &Function<'_>,
        Launch { blocks, threads, shared }: Launch,
        parameters: &[*mut c_void],
    ) -> CudaResult<()> {
        // SAFETY: the caller's contract.
        unsafe { stream.launch(function, blocks, threads, shared, parameters) }
    }
}
