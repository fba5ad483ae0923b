//! Low products of 16 limbs, in one piece: the columns stay in registers from row to row, and the
//! first row starts from nothing.
//!
//! Register 8 + c mod 8 holds column c. Row i adds x_i times a run of limbs: lower halves go along
//! the carry flag, upper halves along the overflow flag, and the row's last upper half begins a new
//! column in the register of one that is done. What the columns of a row hold, k limbs, and the
//! product of a limb and k limbs add up to less than 2^(64 (k + 1)), so that no row carries beyond
//! its new column.
//!
//! rsi is x, rcx is y, rdi is z, rdx the limb x_i; rax and rbx are free, rbp is zero.
//!
//! # Constant time
//! Straight lines.
#![allow(unsafe_code)]
use core::arch::asm;

use tautochrone_simd::Adx;

/// The rest of a row of a low product, whose last column passes no carry on.
macro_rules! low_terms {
    ([$j:literal] $lo:ident $last:ident) => {
        concat!(term!($j $lo $last), "adcx ", stringify!($last), ",rbp\n")
    };
    ([$j:literal $($js:literal)+] $lo:ident $hi:ident $($more:ident)+) => {
        concat!(term!($j $lo $hi), low_terms!([$($js)+] $hi $($more)+))
    };
}

/// A row begins: x_i, and both flags are clear.
macro_rules! begin {
    ($i:literal) => {
        concat!("mov rdx,[rsi+8*", $i, "]\nxor ebp,ebp\n")
    };
}

/// Limbs of z := registers.
macro_rules! store {
    ($($c:literal $r:ident),+) => {
        concat!($("mov [rdi+8*", $c, "],", stringify!($r), "\n"),+)
    };
}

/// Row i of all eight limbs: column c is done behind the first term, and its register new.
macro_rules! whole_row {
    ($i:literal $c:literal $lo:ident $hi:ident $($more:ident)+) => {
        concat!(
            begin!($i),
            term!(0 $lo $hi),
            store!($c $lo),
            terms!([1 2 3 4 5 6 7] "" "rbp" $hi $($more)+ $lo),
        )
    };
}

/// The first row, columns := x_0 times seven limbs from y_1 on, in columns 1 to 8.
macro_rules! first_terms {
    () => {
        "
        mulx r10,rax,[rcx+8]
        add r9,rax
        mulx r11,rax,[rcx+16]
        adc r10,rax
        mulx r12,rax,[rcx+24]
        adc r11,rax
        mulx r13,rax,[rcx+32]
        adc r12,rax
        mulx r14,rax,[rcx+40]
        adc r13,rax
        mulx r15,rax,[rcx+48]
        adc r14,rax
        mulx r8,rax,[rcx+56]
        adc r15,rax
        adc r8,0
        "
    };
}

/// z := x y modulo 2^1024; all three have 16 limbs.
///
/// Eight rows x_0 .. x_7 of y_0 .. y_7, then what of x_8 .. x_15 times y_0 .. y_7, and of x_0 ..
/// x_7 times y_8 .. y_15, lies below 2^1024. Of the products in column 15 only the lower half
/// counts: they are added last, without carries.
#[inline(never)]
pub(crate) fn mul_low_16(_: Adx, z: &mut [u64], x: &[u64], y: &[u64]) {
    assert!(x.len() == 16 && y.len() == 16 && z.len() == 16, "widths of a low product");
    // SAFETY: the token proves ADX, and every CPU with ADX has BMI2; all accesses lie in the
    // asserted lengths; rbx, rbp and the stack pointer are restored. rbx and rbp are saved by hand:
    // they cannot be operands. All operands are named, so that none lies in them or relative to the
    // stack pointer.
    unsafe {
        asm!(
            "push rbx",
            "push rbp",
            "mov rdx,[rsi]", "mulx r9,r8,[rcx]", "mov [rdi],r8",
            first_terms!(),
            whole_row!(1 1 r9 r10 r11 r12 r13 r14 r15 r8),
            whole_row!(2 2 r10 r11 r12 r13 r14 r15 r8 r9),
            whole_row!(3 3 r11 r12 r13 r14 r15 r8 r9 r10),
            whole_row!(4 4 r12 r13 r14 r15 r8 r9 r10 r11),
            whole_row!(5 5 r13 r14 r15 r8 r9 r10 r11 r12),
            whole_row!(6 6 r14 r15 r8 r9 r10 r11 r12 r13),
            whole_row!(7 7 r15 r8 r9 r10 r11 r12 r13 r14),
            begin!(8), low_terms!([0 1 2 3 4 5 6] r8 r9 r10 r11 r12 r13 r14 r15),
            begin!(0), low_terms!([8 9 10 11 12 13 14] r8 r9 r10 r11 r12 r13 r14 r15),
            begin!(9), low_terms!([0 1 2 3 4 5] r9 r10 r11 r12 r13 r14 r15),
            begin!(1), low_terms!([8 9 10 11 12 13] r9 r10 r11 r12 r13 r14 r15),
            begin!(10), low_terms!([0 1 2 3 4] r10 r11 r12 r13 r14 r15),
            begin!(2), low_terms!([8 9 10 11 12] r10 r11 r12 r13 r14 r15),
            begin!(11), low_terms!([0 1 2 3] r11 r12 r13 r14 r15),
            begin!(3), low_terms!([8 9 10 11] r11 r12 r13 r14 r15),
            begin!(12), low_terms!([0 1 2] r12 r13 r14 r15),
            begin!(4), low_terms!([8 9 10] r12 r13 r14 r15),
            begin!(13), low_terms!([0 1] r13 r14 r15),
            begin!(5), low_terms!([8 9] r13 r14 r15),
            begin!(14), low_terms!([0] r14 r15),
            begin!(6), low_terms!([8] r14 r15),
            ".set i,0",
            ".rept 16",
            "mov rax,[rsi+8*i]", "imul rax,[rcx+8*(15-i)]", "add r15,rax",
            ".set i,i+1",
            ".endr",
            store!(8 r8, 9 r9, 10 r10, 11 r11, 12 r12, 13 r13, 14 r14, 15 r15),
            "pop rbp",
            "pop rbx",
            in("rsi") x.as_ptr(), in("rcx") y.as_ptr(), in("rdi") z.as_mut_ptr(),
            out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, out("rax") _, out("rdx") _,
        );
    }
}
