//! [`Workspace`]: device memory for intermediate results.

use std::sync::{Mutex, PoisonError};

use crate::Error;
use crate::driver::{Device, Memory};

/// Memory of a device that is allocated once, grows as needed, and is erased after each use:
/// allocating takes a driver about as long as a large product.
#[derive(Default)]
pub(crate) struct Workspace(Mutex<Option<Box<dyn Memory>>>);

impl Workspace {
    /// Calls `work` with the address of `bytes` bytes, and erases them. `None` if the device has no
    /// memory for them.
    pub(crate) fn with(
        &self,
        device: &dyn Device,
        bytes: usize,
        work: impl FnOnce(u64) -> Result<(), Error>,
    ) -> Option<Result<(), Error>> {
        let mut stored = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if stored.as_ref().is_some_and(|memory| memory.len() < bytes) {
            // Before the new one is allocated.
            *stored = None;
        }
        if stored.is_none() {
            *stored = Some(device.zeroed(bytes).ok()?);
        }
        let memory = stored.as_mut()?;
        let done = work(memory.address());
        Some(done.and(memory.erase(bytes)))
    }
}
