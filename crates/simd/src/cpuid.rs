//! CPUID, XCR0 and the operating system's word on AMX.
//!
//! Register bits: Intel SDM volume 2A, CPUID leaves 1 and 7; volume 1, section 13.3 (XCR0).
#![allow(unsafe_code)]

use core::arch::x86_64::{__cpuid_count, _xgetbv, CpuidResult};
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use crate::token::Feature;

/// Set in the cache once detection has run, so that an empty feature set is cached too.
const DONE: u32 = 1 << 31;
static CACHE: AtomicU32 = AtomicU32::new(0);

/// Features of this CPU that the operating system supports, as a closed set of [`Feature`] bits.
///
/// Instructions alone tell: no system call is made. [`Feature::Amx`] says that CPU and operating
/// system know tiles; whether this process may use them is [`tiles_granted`].
pub(crate) fn detected() -> u32 {
    match CACHE.load(Ordering::Relaxed) {
        0 => {
            // Threads that race here compute the same value.
            let set = Feature::closure(detect());
            CACHE.store(set | DONE, Ordering::Relaxed);
            set
        }
        set => set & !DONE,
    }
}

/// Whether the operating system grants this process the tile state.
///
/// The first call asks, with a system call that a strict sandbox may punish by death: ask only
/// before tiles are offered. The answer holds for the process; a forked child inherits it together
/// with the permission.
pub(crate) fn tiles_granted() -> bool {
    const NO: u8 = 1;
    const YES: u8 = 2;
    static ANSWER: AtomicU8 = AtomicU8::new(0);
    match ANSWER.load(Ordering::Relaxed) {
        0 => {
            // Threads that race here both ask, and get the same answer.
            let granted = request_tile_permission();
            ANSWER.store(if granted { YES } else { NO }, Ordering::Relaxed);
            granted
        }
        answer => answer == YES,
    }
}

/// The first subleaf of CPUID, which every x86-64 CPU has.
///
/// The intrinsic is safe in newer versions of Rust.
#[allow(unused_unsafe)]
pub(crate) fn cpuid(leaf: u32) -> CpuidResult {
    // SAFETY: x86-64 includes the instruction.
    unsafe { __cpuid_count(leaf, 0) }
}

fn detect() -> u32 {
    if cpuid(0).eax < 7 {
        return 0;
    }
    let (one, seven) = (cpuid(1), cpuid(7));
    let bit = |register: u32, index: u32| register >> index & 1 == 1;

    let osxsave = bit(one.ecx, 27);
    // SAFETY: OSXSAVE says that the operating system has enabled XGETBV.
    let xcr0 = if osxsave { unsafe { read_xcr0() } } else { 0 };
    let ymm = xcr0 & 0b110 == 0b110;
    let zmm = xcr0 & 0b1110_0110 == 0b1110_0110;
    let tiles = xcr0 & 0x6_0000 == 0x6_0000;

    let bmi2 = bit(seven.ebx, 8);
    let mut set = 0;
    let mut add = |feature: Feature, present: bool| {
        if present {
            set |= feature.bit();
        }
    };
    add(
        Feature::Avx2,
        ymm && bit(seven.ebx, 5)
            && bit(one.ecx, 28)
            && bit(one.ecx, 12)
            && bit(one.ecx, 23)
            && bit(seven.ebx, 3)
            && bmi2,
    );
    add(Feature::AesNi, bit(one.ecx, 25) && bit(one.ecx, 19));
    // Valgrind executes ADX but does not report it; a build for valgrind believes in it wherever
    // BMI2 is.
    add(Feature::Adx, (bit(seven.ebx, 19) || cfg!(tautochrone_ctgrind)) && bmi2);
    add(Feature::Gfni, bit(seven.ecx, 8));
    add(Feature::Vaes, bit(seven.ecx, 9));
    // F, DQ, CD, BW, VL; and F16C, which is a part of F for compilers.
    add(
        Feature::Avx512,
        zmm && bit(one.ecx, 29) && [16, 17, 28, 30, 31].into_iter().all(|i| bit(seven.ebx, i)),
    );
    add(Feature::Ifma, bit(seven.ebx, 21));
    add(Feature::Vbmi, bit(seven.ecx, 1) && bit(seven.ecx, 6));
    add(Feature::Vnni, bit(seven.ecx, 11));
    add(Feature::Amx, tiles && bit(seven.edx, 24) && bit(seven.edx, 25));
    set
}

/// # Safety
/// CPUID must report OSXSAVE.
#[target_feature(enable = "xsave")]
unsafe fn read_xcr0() -> u64 {
    // SAFETY: the caller has checked OSXSAVE.
    unsafe { _xgetbv(0) }
}

/// Asks Linux for the AMX tile state. Granted, it is for all threads and for children by `fork`.
///
/// `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`, Linux 5.16,
/// Documentation/arch/x86/xstate.rst. Any error is a refusal: an old kernel, a sandbox, an
/// alternate signal stack that is too small for the state.
#[cfg(target_os = "linux")]
fn request_tile_permission() -> bool {
    const SYS_ARCH_PRCTL: i64 = 158;
    const ARCH_REQ_XCOMP_PERM: i64 = 0x1023;
    const XFEATURE_XTILEDATA: i64 = 18;
    let result: i64;
    // SAFETY: a system call that reads its two integer arguments and touches no memory of ours;
    // `syscall` clobbers rcx and r11.
    unsafe {
        core::arch::asm!(
            "syscall",
            inlateout("rax") SYS_ARCH_PRCTL => result,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") XFEATURE_XTILEDATA,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result == 0
}

#[cfg(not(target_os = "linux"))]
fn request_tile_permission() -> bool {
    false
}
