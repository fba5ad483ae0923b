//! A driver library that runs the kernels on the host, for tests: exact, slow, strict with
//! shared memory, blind to races in global memory.

/// The library's file. [`Gpu::open_with`](crate::Gpu::open_with) takes it; a program finds it as
/// its driver where `LD_LIBRARY_PATH` names its directory.
pub const MOCK_DRIVER: &str = concat!(env!("OUT_DIR"), "/mock/libcuda.so.1");
