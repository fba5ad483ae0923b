//! Pointers from C, as references: null, alignment and lengths are checked here, and nowhere else.
//!
//! Nothing can check that a pointer points to as much memory as is said, and that nobody else
//! writes there: that is the caller's promise, which the header states once for all functions, and
//! to which every `SAFETY` here refers.

use core::ffi::{CStr, c_char, c_void};
use core::slice;

use crate::status::{Failure, Status};

fn null(name: &str) -> Failure {
    Failure::new(Status::Null, format_args!("{name} is null"))
}

/// Whether `len` elements may lie there, which must not be null if there are any.
fn check<T>(data: *const T, len: usize, name: &str) -> Result<(), Failure> {
    if data.is_null() {
        return Err(null(name));
    }
    if !data.is_aligned() {
        let align = align_of::<T>();
        return Err(Failure::new(
            Status::Array,
            format_args!("{name} is not aligned to {align} bytes"),
        ));
    }
    // Rust's objects are no larger.
    let most = isize::MAX.unsigned_abs() / size_of::<T>().max(1);
    if len > most {
        return Err(Failure::new(
            Status::Array,
            format_args!("{name} has {len} elements, more than memory"),
        ));
    }
    Ok(())
}

/// An array to be read.
///
/// # Safety
/// Initialised, and not written to by others during the call.
pub(crate) unsafe fn input<'a, T>(
    data: *const T,
    len: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check(data, len, name)?;
    // SAFETY: not null, aligned and of a possible size; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts(data, len) })
}

/// An array to be written, with zeros in it: what C has there need not be initialised.
///
/// # Safety
/// Writable, and not used by others during the call; all-zero bytes are a `T`.
pub(crate) unsafe fn output<'a, T>(
    data: *mut T,
    len: usize,
    name: &str,
) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(data, len, name)?;
    // SAFETY: not null, aligned and of a possible size; the rest is the caller's promise.
    unsafe {
        data.write_bytes(0, len);
        Ok(slice::from_raw_parts_mut(data, len))
    }
}

/// An array to be read and written.
///
/// # Safety
/// Initialised, writable, and not used by others during the call.
pub(crate) unsafe fn updated<'a, T>(
    data: *mut T,
    len: usize,
    name: &str,
) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(data, len, name)?;
    // SAFETY: not null, aligned and of a possible size; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(data, len) })
}

/// Start, elements, their size, and name of an array.
pub(crate) type Extent<'a> = (*const c_void, usize, usize, &'a str);

/// Refuses arrays that overlap.
pub(crate) fn disjoint(one: Extent<'_>, other: Extent<'_>) -> Result<(), Failure> {
    let range = |(data, len, size, _): Extent<'_>| {
        let start = data.addr();
        start..start.saturating_add(len.saturating_mul(size))
    };
    let (x, y) = (range(one), range(other));
    if x.is_empty() || y.is_empty() || x.end <= y.start || y.end <= x.start {
        return Ok(());
    }
    Err(Failure::new(Status::Array, format_args!("{} and {} overlap in memory", one.3, other.3)))
}

/// A structure or a handle to be read.
///
/// # Safety
/// Null, or a `T` that is not written to or freed during the call.
pub(crate) unsafe fn reference<'a, T>(at: *const T, name: &str) -> Result<&'a T, Failure> {
    if !at.is_null() {
        check(at, 1, name)?;
    }
    // SAFETY: null or aligned; the rest is the caller's promise.
    unsafe { at.as_ref() }.ok_or_else(|| null(name))
}

/// A handle to be changed.
///
/// # Safety
/// Null, or a `T` that nobody else uses during the call.
pub(crate) unsafe fn exclusive<'a, T>(at: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    if !at.is_null() {
        check(at, 1, name)?;
    }
    // SAFETY: null or aligned; the rest is the caller's promise.
    unsafe { at.as_mut() }.ok_or_else(|| null(name))
}

/// A string that ends in NUL.
///
/// # Safety
/// Null, or such a string, not written to during the call.
pub(crate) unsafe fn string<'a>(text: *const c_char, name: &str) -> Result<&'a CStr, Failure> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// Makes a value by `make` and puts a handle of it at `out`, or null if that fails.
///
/// # Safety
/// `out` is null, or a pointer may be written there.
pub(crate) unsafe fn create<T>(
    out: *mut *mut T,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    if out.is_null() {
        return Err(null("out"));
    }
    check(out, 1, "out")?;
    // SAFETY: not null and aligned; the caller's promise.
    unsafe { out.write(core::ptr::null_mut()) };
    let handle = Box::into_raw(Box::new(make()?));
    // SAFETY: as above.
    unsafe { out.write(handle) };
    Ok(())
}

/// Drops what [`create`] made; nothing happens for null.
///
/// # Safety
/// `handle` is null or from [`create`], not freed yet, and not used by anybody any more.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(handle) });
    }
}
