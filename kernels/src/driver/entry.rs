//! The entry points of the CUDA driver, forwarded to a driver library that is opened when first
//! needed. A program with this module in it links and starts on any Linux machine; without a
//! driver, [`load`] says so.
//!
//! With the feature `cust`, they have the names by which that crate links to them. It declares the
//! result as a Rust enum of the codes known in CUDA 11.4; a newer code would be an invalid value of
//! it, so codes that it does not know are returned as 999 (unknown). [`last_code`] has the driver's
//! own.
#![allow(unsafe_code)]

use core::cell::Cell;
use core::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::OnceLock;

// In libc.so.6 since glibc 2.34, which the standard library links; older ones have them in
// libdl.so.2.
#[link(name = "dl")]
unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

const RTLD_NOW: c_int = 2;
const SYMBOL_NOT_FOUND: c_uint = 302;
const NOT_INITIALIZED: c_uint = 3;
#[cfg(feature = "cust")]
const UNKNOWN: c_uint = 999;

/// The codes of `cudaError_enum` in `cust_raw` 0.11.
#[cfg(feature = "cust")]
const KNOWN: [core::ops::RangeInclusive<c_uint>; 14] = [
    0..=8,
    34..=34,
    100..=102,
    200..=202,
    205..=224,
    300..=304,
    400..=401,
    500..=500,
    600..=600,
    700..=705,
    708..=720,
    800..=809,
    900..=911,
    UNKNOWN..=UNKNOWN,
];

static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();

thread_local! {
    static LAST: Cell<c_uint> = const { Cell::new(0) };
}

/// The last error code that the driver returned on this thread.
pub(super) fn last_code() -> u32 {
    LAST.get()
}

/// Opens the driver library once a process; the first call decides which. The error is dlerror(3)'s
/// text.
pub(super) fn load(library: &Path) -> Result<(), &'static str> {
    DRIVER.get_or_init(|| Driver::open(library)).as_ref().map(drop).map_err(String::as_str)
}

/// The driver's name of an error code.
pub(super) fn name_of(code: u32) -> Option<&'static str> {
    let function = find(c"cuGetErrorName").ok()?;
    // SAFETY: it is the address of the driver's `cuGetErrorName`, whose type this is.
    let function = unsafe {
        core::mem::transmute::<*mut c_void, extern "C" fn(c_uint, *mut *const c_char) -> c_uint>(
            function,
        )
    };
    let mut text = core::ptr::null();
    if function(code, &raw mut text) != 0 || text.is_null() {
        return None;
    }
    // SAFETY: the driver's names are C strings that live as long as it does, and it is never
    // closed.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// A driver library that is never closed.
struct Driver(*mut c_void);

// SAFETY: a handle of dlopen(3) may be used from any thread.
unsafe impl Send for Driver {}
// SAFETY: as above.
unsafe impl Sync for Driver {}

impl Driver {
    fn open(library: &Path) -> Result<Self, String> {
        let name = CString::new(library.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
        // SAFETY: a C string and a valid flag; what the library's initialisers do is the driver's
        // business.
        let handle = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
        if !handle.is_null() {
            return Ok(Self(handle));
        }
        // SAFETY: takes nothing.
        let text = unsafe { dlerror() };
        if text.is_null() {
            return Err("it cannot be loaded".into());
        }
        // SAFETY: the text stays valid until this thread's next call of that family.
        Err(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    }
}

fn find(name: &CStr) -> Result<*mut c_void, c_uint> {
    let Some(Ok(driver)) = DRIVER.get() else { return Err(NOT_INITIALIZED) };
    // SAFETY: an open handle and a C string.
    let address = unsafe { dlsym(driver.0, name.as_ptr()) };
    if address.is_null() { Err(SYMBOL_NOT_FOUND) } else { Ok(address) }
}

/// Notes an error code, and makes it one that the caller knows.
fn record(code: c_uint) -> c_uint {
    if code != 0 {
        LAST.set(code);
    }
    #[cfg(feature = "cust")]
    if !KNOWN.iter().any(|codes| codes.contains(&code)) {
        return UNKNOWN;
    }
    code
}

macro_rules! forward {
    ($($(#[$attribute:meta])* fn $name:ident($($argument:ident: $type:ty),*);)*) => {$(
        $(#[$attribute])*
        #[cfg_attr(feature = "cust", unsafe(no_mangle))]
        #[allow(non_snake_case)]
        pub(super) unsafe extern "C" fn $name($($argument: $type),*) -> c_uint {
            const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => unreachable!(),
            };
            static ADDRESS: OnceLock<usize> = OnceLock::new();
            let address = match ADDRESS.get() {
                Some(&address) => address,
                None => match find(NAME) {
                    Ok(address) => *ADDRESS.get_or_init(|| address.expose_provenance()),
                    Err(code) => return record(code),
                },
            };
            let function = core::ptr::with_exposed_provenance_mut::<c_void>(address);
            // SAFETY: it is the address of the driver's function of this name, whose type in
            // cuda.h this is; the caller keeps to its contract.
            record(unsafe {
                core::mem::transmute::<*mut c_void, unsafe extern "C" fn($($type),*) -> c_uint>(function)(
                    $($argument),*
                )
            })
        }
    )*};
}

/// Whether a call succeeded.
pub(super) fn done(code: c_uint) -> Result<(), ()> {
    if code == 0 { Ok(()) } else { Err(()) }
}

/// The driver's handle of a device, of which it has counted more than `ordinal`.
pub(super) fn device(ordinal: u32) -> Result<c_int, ()> {
    let mut device = 0;
    // SAFETY: writes an int.
    done(unsafe { cuDeviceGet(&raw mut device, ordinal.cast_signed()) })?;
    Ok(device)
}

/// The driver's handles of its objects.
pub(super) type Handle = *mut c_void;

forward! {
    fn cuInit(flags: c_uint);
    #[cfg(feature = "cust")]
    fn cuDriverGetVersion(version: *mut c_int);
    #[cfg(feature = "cust")]
    fn cuGetErrorString(code: c_uint, text: *mut *const c_char);
    fn cuDeviceGet(device: *mut c_int, ordinal: c_int);
    fn cuDeviceGetCount(count: *mut c_int);
    fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int);
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int);
    fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int);
    fn cuDevicePrimaryCtxRelease_v2(device: c_int);
    fn cuCtxSetCurrent(context: Handle);
    fn cuModuleLoadDataEx(
        module: *mut Handle, image: *const c_void, count: c_uint, options: *mut c_void, values: *mut Handle
    );
    fn cuModuleUnload(module: Handle);
    fn cuModuleGetFunction(function: *mut Handle, module: Handle, name: *const c_char);
    fn cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int);
    fn cuStreamCreateWithPriority(stream: *mut Handle, flags: c_uint, priority: c_int);
    fn cuStreamSynchronize(stream: Handle);
    fn cuStreamDestroy_v2(stream: Handle);
    fn cuMemAlloc_v2(pointer: *mut u64, bytes: usize);
    fn cuMemFree_v2(pointer: u64);
    fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize);
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize);
    fn cuMemsetD8_v2(to: u64, value: c_uchar, bytes: usize);
    fn cuEventCreate(event: *mut Handle, flags: c_uint);
    fn cuEventRecord(event: Handle, stream: Handle);
    fn cuEventSynchronize(event: Handle);
    fn cuEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle);
    fn cuEventDestroy_v2(event: Handle);
    fn cuLaunchKernel(
        function: Handle, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint,
        block_z: c_uint, shared: c_uint, stream: Handle, parameters: *mut Handle, extra: *mut Handle
    );
}
