//! What stands for the driver in a build without the feature `cuda`: nothing can be opened, so
//! nothing else can be called.

use core::convert::Infallible;
use core::ffi::c_void;
use std::path::Path;

use crate::Error;
use crate::kernel::{Kernel, Launch};

#[derive(Debug)]
pub(crate) struct Device(Infallible);

pub(crate) struct Memory(Infallible);

impl Device {
    pub(crate) fn open(_: &Path, _: u32) -> Result<Self, Error> {
        Err(Error::NoDriver("this program was built without the feature `cuda`"))
    }

    pub(crate) fn name(&self) -> &str {
        match self.0 {}
    }

    pub(crate) fn capability(&self) -> (u32, u32) {
        match self.0 {}
    }

    pub(crate) fn zeroed(&self, _: usize) -> Result<Memory, Error> {
        match self.0 {}
    }

    pub(crate) fn upload(&self, _: &[u8]) -> Result<Memory, Error> {
        match self.0 {}
    }

    /// # Safety
    /// None needed: it cannot be called.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn launch(
        &self,
        _: &Kernel,
        _: Launch,
        _: &[*mut c_void],
    ) -> Result<(), Error> {
        match self.0 {}
    }

    pub(crate) fn finish(&self) -> Result<(), Error> {
        match self.0 {}
    }

    pub(crate) fn time(&self, _: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
        match self.0 {}
    }
}

impl Memory {
    pub(crate) fn address(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn len(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn erase(&mut self, _: usize) -> Result<(), Error> {
        match self.0 {}
    }

    pub(crate) fn download(&self, _: &mut [u8]) -> Result<(), Error> {
        match self.0 {}
    }
}
