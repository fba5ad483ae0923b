//! Seeds and streams: calls of `tautochrone-ctr`.

use core::ffi::{c_char, c_void};

use tautochrone_ctr::{Label, Seed};
use zeroize::Zeroize;

use crate::memory;
use crate::status::{Failure, Status, guard, shield};

/// A stream of secret random bytes: AES-128 in counter mode. One thread may use it at a time.
#[derive(Debug)]
pub struct Stream(tautochrone_ctr::Stream);

impl Stream {
    pub(crate) fn inner(&mut self) -> &mut tautochrone_ctr::Stream {
        &mut self.0
    }
}

/// Bytes of a seed.
pub const SEED_BYTES: usize = 32;

/// Fills `seed` (TAUTOCHRONE_SEED_BYTES bytes) from the operating system's entropy.
///
/// TAUTOCHRONE_STATUS_ENTROPY if there is none: `seed` is zeros then.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_seed_random(seed: *mut u8) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { memory::output(seed, SEED_BYTES, "seed") }?;
        out.copy_from_slice(Seed::from_os()?.expose());
        Ok(())
    })
}

/// Makes the stream of `seed` (TAUTOCHRONE_SEED_BYTES bytes), a label and an index, and puts a
/// handle of it at `out`.
///
/// label: the name of one use of the seed, in UTF-8. Two different pairs of label and index never
/// share a stream. The same three give the same bytes in Rust and Python, and on every machine.
/// After `fork`, parent and child have the same stream: make another one in one of them.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_stream_new(
    seed: *const u8,
    label: *const c_char,
    index: u64,
    out: *mut *mut Stream,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise, for all three.
        unsafe {
            memory::create(out, || {
                let seed = memory::input(seed, SEED_BYTES, "seed")?;
                let label = memory::string(label, "label")?.to_str();
                let label = label.map_err(|_| Failure::parameter("label is not UTF-8"))?;
                let mut bytes = [0; SEED_BYTES];
                bytes.copy_from_slice(seed);
                let stream = Seed::from_bytes(bytes).stream(Label::new(label), index);
                bytes.zeroize();
                Ok(Stream(stream))
            })
        }
    })
}

/// Erases and frees a stream. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tautochrone_stream_free(stream: *mut Stream) {
    // SAFETY: the caller's promise.
    shield((), || unsafe { memory::free(stream) });
}

/// Fills `out` with the next `len` bytes of the stream. Constant time in them.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_stream_fill(
    stream: *mut Stream,
    out: *mut u8,
    len: usize,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise, for both.
        let (stream, out) =
            unsafe { (memory::exclusive(stream, "stream")?, memory::output(out, len, "out")?) };
        stream.0.fill(out);
        Ok(())
    })
}

/// Overwrites `len` bytes at `data` with zeros, which no compiler leaves out: for secrets that are
/// not needed any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tautochrone_wipe(data: *mut c_void, len: usize) -> Status {
    guard(|| {
        // SAFETY: the caller's promise; zeros are bytes, no matter what was there before.
        unsafe { memory::output::<u8>(data.cast(), len, "data") }?.zeroize();
        Ok(())
    })
}
