//! [`declassify`]: where a secret-dependent value becomes public, said in code.
#![cfg_attr(tautochrone_ctgrind, allow(unsafe_code))]

/// `value`, which is public from here on although it was computed from secrets: whether a trial was
/// rejected, whether a modulus is zero.
///
/// Compiles to nothing. In a build with `--cfg tautochrone_ctgrind` it tells valgrind, under which
/// the secrets are marked as uninitialised, so that every other branch or address that depends on
/// them is reported. What a routine reveals is therefore the list of its calls of this function.
#[inline(always)]
#[must_use]
pub fn declassify<T: Copy>(value: T) -> T {
    #[cfg(tautochrone_ctgrind)]
    let value = {
        let value = core::hint::black_box(value);
        make_defined(&raw const value as usize, size_of::<T>());
        core::hint::black_box(value)
    };
    value
}

/// [`declassify`] for what a slice points to.
#[inline(always)]
pub fn declassify_slice<T>(values: &[T]) {
    #[cfg(tautochrone_ctgrind)]
    make_defined(core::hint::black_box(values).as_ptr() as usize, size_of_val(values));
    #[cfg(not(tautochrone_ctgrind))]
    let _ = values;
}

/// Valgrind's client request `MAKE_MEM_DEFINED` (memcheck.h; the instruction sequence is the one of
/// valgrind.h for amd64, and does nothing outside valgrind).
#[cfg(tautochrone_ctgrind)]
#[inline(never)]
fn make_defined(address: usize, len: usize) {
    const MAKE_MEM_DEFINED: usize = 0x4d43_0002;
    let request = [MAKE_MEM_DEFINED, address, len, 0, 0, 0];
    // SAFETY: four rotations of rdi by 128 bits in all and an exchange of rbx with itself change
    // nothing but flags; valgrind reads `request`, marks memory in its own tables and returns in
    // rdx.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            inout("rdx") 0_usize => _, in("rax") request.as_ptr(), options(nostack),
        );
    }
}
