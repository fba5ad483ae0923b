//! [`Api`]: the driver's objects, each released when dropped, and the calls that take them. Memory,
//! which is an address, is the same for all ([`opened`](super::opened)).

use core::ffi::c_void;

use super::entry::Handle;
use crate::kernel::Launch;

/// One way to call the driver. A failed call says no more than that it failed:
/// [`last_code`](super::entry::last_code) has the driver's reason.
#[allow(unsafe_code)]
pub(super) trait Api: Sized + 'static {
    /// The driver returned an error code.
    type Unsuccessful;
    /// A device's primary context.
    type Context: Send + Sync;
    /// Translated PTX.
    type Module: Send + Sync;
    /// A kernel of a live module.
    type Function<'a>;
    /// A queue of launches, ordered with copies and fills, which are issued on the null stream.
    type Stream: Send + Sync;

    /// Of a device by its number.
    fn context(ordinal: u32) -> Result<Self::Context, Self::Unsuccessful>;
    /// Makes it the calling thread's current context.
    fn enter(context: &Self::Context) -> Result<(), Self::Unsuccessful>;

    fn module(ptx: &str) -> Result<Self::Module, Self::Unsuccessful>;
    fn function<'a>(
        module: &'a Self::Module,
        name: &str,
    ) -> Result<Self::Function<'a>, Self::Unsuccessful>;
    fn function_handle(function: &Self::Function<'_>) -> Handle;

    fn stream() -> Result<Self::Stream, Self::Unsuccessful>;
    fn stream_handle(stream: &Self::Stream) -> Handle;
    /// # Safety
    /// `parameters` must point to what the kernel takes, in order and of its types; the memory it
    /// names must be live until the kernel is done.
    unsafe fn launch(
        stream: &Self::Stream,
        function: &Self::Function<'_>,
        launch: Launch,
        parameters: &[*mut c_void],
    ) -> Result<(), Self::Unsuccessful>;
}
