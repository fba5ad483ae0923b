//! Valgrind's client requests, by the instruction sequence of valgrind.h for amd64: nothing outside
//! valgrind.

use core::arch::asm;
use core::hint::black_box;
use std::sync::OnceLock;

/// `'M' << 24 | 'C' << 16`: memcheck's own requests.
const MEMCHECK: usize = 0x4d43_0000;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const GET_VBITS: usize = MEMCHECK + 8;
const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
const END_OF_TRACE: usize = 0x5452_0001;

#[inline(never)]
fn request(code: usize, [a, b, c]: [usize; 3]) -> usize {
    let args = [code, a, b, c, 0, 0];
    let mut result = 0;
    // SAFETY: rotations of rdi by 128 bits in all and an exchange of rbx with itself change nothing
    // but flags; valgrind reads `args` and returns in rdx.
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            inout("rdx") result, in("rax") args.as_ptr(), options(nostack),
        );
    }
    black_box(&mut result);
    result
}

/// Whether this process runs under valgrind.
pub fn running() -> bool {
    traced() || request(RUNNING_ON_VALGRIND, [0; 3]) != 0
}

/// Whether this process runs under the tracer (`assurance/trace`), which answers valgrind's
/// requests too.
pub fn traced() -> bool {
    // Asked once: what the C library's vectors read beyond the end of a name may be secret.
    static TRACED: OnceLock<bool> = OnceLock::new();
    *TRACED.get_or_init(|| std::env::var_os("TAUTOCHRONE_TRACE").is_some())
}

/// From here to [`end`] the tracer follows every instruction; nothing else has been secret before.
pub fn begin() {
    if traced() {
        // SAFETY: a breakpoint, at which the tracer takes over; it is there, by its variable.
        unsafe { asm!("int3", options(nomem, nostack)) }
    }
}

/// See [`begin`].
pub fn end() {
    if traced() {
        request(END_OF_TRACE, [0; 3]);
    }
}

/// Errors reported so far.
pub fn errors() -> usize {
    request(COUNT_ERRORS, [0; 3])
}

/// Marks what a slice points to as secret.
pub fn poison<T>(values: &mut [T]) {
    let values = black_box(values);
    request(MAKE_MEM_UNDEFINED, [values.as_ptr() as usize, size_of_val(values), 0]);
}

/// Marks what a slice points to as public.
pub fn unpoison<T>(values: &mut [T]) {
    let values = black_box(values);
    request(MAKE_MEM_DEFINED, [values.as_ptr() as usize, size_of_val(values), 0]);
}

/// Whether any bit of what a slice points to depends on a secret. A check whose output does not is
/// void.
pub fn tainted<T>(values: &[T]) -> bool {
    let values = black_box(values);
    let mut bits = vec![0_u8; size_of_val(values)];
    let places = [values.as_ptr() as usize, bits.as_mut_ptr() as usize, bits.len()];
    let read = request(GET_VBITS, places);
    assert!(read <= 1, "memcheck knows this memory");
    black_box(&mut bits).iter().any(|&bits| bits != 0)
}

/// The same vector, secret.
#[must_use]
pub fn secret<T>(mut values: Vec<T>) -> Vec<T> {
    poison(&mut values);
    values
}

/// The same array, secret.
#[must_use]
pub fn secret_array<T: Copy, const N: usize>(mut values: [T; N]) -> [T; N] {
    poison(&mut values);
    black_box(values)
}
