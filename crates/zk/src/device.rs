//! [`Device`]: where a prover's and a verifier's products and Gaussian samples come from instead of
//! this crate's own code.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::any::Any;

use once_cell::race::OnceBox;
use tautochrone_gauss::facct::Facct;
use tautochrone_matmul::Matrix;

pub use crate::error::DeviceError;

/// A machine that samples and multiplies, a GPU for instance;
/// [`PublicMatrix::with_device`](crate::PublicMatrix::with_device) takes one. Products are exact,
/// so a verifier's answers and a commitment do not depend on where they are computed. A proof does,
/// through Y: a device has a random stream of its own, under a key that nothing else uses, and its
/// proofs are as valid and as secret as the stream is.
///
/// # Constant time
/// A device's handling of samples and entries is its own claim to make.
pub trait Device: Send + Sync {
    /// Fills `out` with independent samples of the sampler's distribution, a function of the key,
    /// which is used once.
    ///
    /// # Errors
    /// The device's own.
    fn sample(&self, sampler: &Facct, key: &[u8; 32], out: &mut [i64]) -> Result<(), DeviceError>;

    /// Z += X Y modulo 2^w, Z column after column; `cache`, if any, belongs to X and may store
    /// a copy of it in the device's own form.
    ///
    /// # Errors
    /// The device's own.
    fn multiply_add(
        &self,
        x: Left<'_>,
        y: Right<'_>,
        z: Sum<'_>,
        cache: Option<&DeviceCache>,
    ) -> Result<(), DeviceError>;
}

/// A left factor: S, or A or T.
#[derive(Clone, Copy, Debug)]
pub enum Left<'a> {
    /// Of 8 bits, signed.
    I8(Matrix<'a, i8>),
    /// Modulo 2^32.
    U32(Matrix<'a, u32>),
    /// Modulo 2^64.
    U64(Matrix<'a, u64>),
}

/// A right factor: S or C, or Y or Z, whose bits are known to be fewer than the type has.
#[derive(Clone, Copy, Debug)]
pub enum Right<'a> {
    /// Of 8 bits, signed.
    I8(Matrix<'a, i8>),
    /// Of [`Matrix::bits`] bits, signed.
    I64(Matrix<'a, i64>),
}

/// The matrix that a product is added to, column after column.
#[derive(Debug)]
pub enum Sum<'a> {
    /// Modulo 2^32.
    U32(&'a mut [u32]),
    /// Modulo 2^64.
    U64(&'a mut [u64]),
}

/// Where a device stores its own copy of a matrix: of one matrix, for one device.
#[derive(Default)]
pub struct DeviceCache(OnceBox<Box<dyn Any + Send + Sync>>);

impl DeviceCache {
    /// The stored value, if it is a `T`.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.get()?.downcast_ref()
    }

    /// Stores `value`.
    ///
    /// # Errors
    /// The value, if something is stored already.
    pub fn put<T: Any + Send + Sync>(&self, value: T) -> Result<&T, T> {
        match self.0.set(Box::new(Box::new(value))) {
            Ok(()) => Ok(self.get().expect("a T was just put there")),
            Err(value) => Err(*(*value).downcast().expect("it is the T that was not put")),
        }
    }
}

impl core::fmt::Debug for DeviceCache {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("DeviceCache")
    }
}

/// A device, and its copy of A.
pub(crate) struct Attached {
    pub(crate) device: Arc<dyn Device>,
    pub(crate) a: DeviceCache,
}
