//! [`open`]: a [`Device`], whichever way the CUDA driver is called ([`Interface`]).

use std::path::Path;

use crate::error::Error;

#[cfg(all(feature = "cuda", target_os = "linux"))]
mod api;
#[cfg(all(feature = "cust", target_os = "linux"))]
mod by_cust;
mod device;
#[cfg(all(feature = "cuda", target_os = "linux"))]
mod entry;
#[cfg(all(feature = "cuda", target_os = "linux"))]
mod native;
#[cfg(all(feature = "cuda", target_os = "linux"))]
mod opened;

pub(crate) use device::{Device, Memory};

/// How the CUDA driver is called. Results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interface {
    /// By this crate's own declarations of the driver's functions: the feature `cuda`, which needs
    /// no CUDA toolkit.
    #[default]
    Native,
    /// By the crate `cust`: the feature `cust`, whose build needs a CUDA toolkit, or a patch of one
    /// of its dependencies (see the [crate's features](crate#features)).
    Cust,
}

/// Opens a device by number, through a driver library at a given place. The first call in a process
/// decides which library that is.
#[cfg_attr(not(all(feature = "cuda", target_os = "linux")), allow(unused_variables))]
pub(crate) fn open(
    interface: Interface,
    library: &Path,
    ordinal: u32,
) -> Result<Box<dyn Device>, Error> {
    match interface {
        #[cfg(all(feature = "cuda", target_os = "linux"))]
        Interface::Native => opened::open::<native::Native>(library, ordinal),
        #[cfg(all(feature = "cust", target_os = "linux"))]
        Interface::Cust => opened::open::<by_cust::Cust>(library, ordinal),
        #[cfg(not(all(feature = "cuda", target_os = "linux")))]
        Interface::Native => {
            Err(Error::NoDriver("this program was built without the feature `cuda`"))
        }
        #[cfg(not(all(feature = "cust", target_os = "linux")))]
        Interface::Cust => {
            Err(Error::NoDriver("this program was built without the feature `cust`"))
        }
    }
}
