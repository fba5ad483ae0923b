//! Squares of 8 and 16 limbs and low products of 16, in one piece: the columns stay in registers
//! from row to row, and the first row starts from nothing.
//!
//! Register 8 + c mod 8 holds column c. Row i adds x_i times a run of limbs: lower halves go along
//! the carry flag, upper halves along the overflow flag, and the row's last upper half begins a new
//! column in the register of one that is done. What the columns of a row hold, k limbs, and the
//! product of a limb and k limbs add up to less than 2^(64 (k + 1)), so that no row carries beyond
//! its new column.
//!
//! In all pieces rsi is x, rcx the factor of the rows (x for a square), rdi is z, rdx the limb x_i;
//! rax and rbx are free, rbp is zero in a row and free elsewhere.
//!
//! # Constant time
//! Straight lines.
#![allow(unsafe_code)]
use core::arch::asm;

use tautochrone_simd::Adx;

/// Columns lo and hi += x_i y_j, in a row.
macro_rules! term {
    ($j:literal $lo:ident $hi:ident) => {
        concat!(
            "mulx rbx,rax,[rcx+8*",
            $j,
            "]\n",
            "adcx ",
            stringify!($lo),
            ",rax\n",
            "adox ",
            stringify!($hi),
            ",rbx\n",
        )
    };
}

/// The rest of a row: terms, of which the last begins a column.
macro_rules! terms {
    ([$j:literal] $lo:ident $new:ident) => {
        concat!(
            "mulx ", stringify!($new), ",rax,[rcx+8*", $j, "]\n",
            "adcx ", stringify!($lo), ",rax\n",
            "adcx ", stringify!($new), ",rbp\n",
            "adox ", stringify!($new), ",rbp\n",
        )
    };
    ([$j:literal $($js:literal)+] $lo:ident $hi:ident $($more:ident)+) => {
        concat!(term!($j $lo $hi), terms!([$($js)+] $hi $($more)+))
    };
}

/// The rest of a row of a low product, of which the last column takes no carry on.
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

/// Row i, then the columns that it finishes.
macro_rules! row {
    ($i:literal $js:tt $($r:ident)+; $($done:tt)*) => {
        concat!(begin!($i), terms!($js $($r)+), row!(@ $($done)*))
    };
    (@) => { "" };
    (@ $($done:tt)+) => { store!($($done)+) };
}

/// Row i of all eight limbs: column c is done behind the first term, and its register new.
macro_rules! whole_row {
    ($i:literal $c:literal $lo:ident $hi:ident $($more:ident)+) => {
        concat!(
            begin!($i),
            term!(0 $lo $hi),
            store!($c $lo),
            terms!([1 2 3 4 5 6 7] $hi $($more)+ $lo),
        )
    };
}

/// Rows i of all eight limbs, columns 8 to 15 to columns 16 to 23.
macro_rules! square_rows {
    () => {
        concat!(
            whole_row!(8 8 r8 r9 r10 r11 r12 r13 r14 r15),
            whole_row!(9 9 r9 r10 r11 r12 r13 r14 r15 r8),
            whole_row!(10 10 r10 r11 r12 r13 r14 r15 r8 r9),
            whole_row!(11 11 r11 r12 r13 r14 r15 r8 r9 r10),
            whole_row!(12 12 r12 r13 r14 r15 r8 r9 r10 r11),
            whole_row!(13 13 r13 r14 r15 r8 r9 r10 r11 r12),
            whole_row!(14 14 r14 r15 r8 r9 r10 r11 r12 r13),
            whole_row!(15 15 r15 r8 r9 r10 r11 r12 r13 r14),
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

/// Products of different limbs of x_0 .. x_7: columns 1 to 7 are stored, 8 to 14 in registers.
macro_rules! low_triangle {
    () => {
        concat!(
            "mov rdx,[rsi]\nxor r9d,r9d\n",
            first_terms!(),
            store!(1 r9, 2 r10),
            row!(1 [2 3 4 5 6 7] r11 r12 r13 r14 r15 r8 r9; 3 r11, 4 r12),
            row!(2 [3 4 5 6 7] r13 r14 r15 r8 r9 r10; 5 r13, 6 r14),
            row!(3 [4 5 6 7] r15 r8 r9 r10 r11; 7 r15),
            row!(4 [5 6 7] r9 r10 r11 r12;),
            row!(5 [6 7] r11 r12 r13;),
            row!(6 [7] r13 r14;),
        )
    };
}

/// Products of different limbs of x_8 .. x_15: columns 16 to 22 are stored, 23 to 30 in registers.
macro_rules! high_triangle {
    () => {
        concat!(
            store!(16 r8),
            row!(8 [9 10 11 12 13 14 15] r9 r10 r11 r12 r13 r14 r15 r8; 17 r9, 18 r10),
            row!(9 [10 11 12 13 14 15] r11 r12 r13 r14 r15 r8 r9; 19 r11, 20 r12),
            row!(10 [11 12 13 14 15] r13 r14 r15 r8 r9 r10; 21 r13, 22 r14),
            row!(11 [12 13 14 15] r15 r8 r9 r10 r11;),
            row!(12 [13 14 15] r9 r10 r11 r12;),
            row!(13 [14 15] r11 r12 r13;),
            row!(14 [15] r13 r14;),
        )
    };
}

/// rbx, rax := x_i^2.
macro_rules! limb_square {
    ($i:literal) => {
        concat!("mov rdx,[rsi+8*", $i, "]\nmulx rbx,rax,rdx\n")
    };
}

/// Limb c of z := twice a column and half of a square: the doubling runs along the carry flag, the
/// squares along the overflow flag. The column lies in a register, or in z.
macro_rules! double {
    ($c:literal $half:ident) => {
        concat!("mov rbp,[rdi+8*", $c, "]\n", double!($c rbp $half))
    };
    ($c:literal $r:ident $half:ident) => {
        concat!(
            "adcx ", stringify!($r), ",", stringify!($r), "\n",
            "adox ", stringify!($r), ",", stringify!($half), "\n",
            store!($c $r),
        )
    };
}

/// Squares of limbs i, for columns c and d in z.
macro_rules! doubles {
    ($($i:literal $c:literal $d:literal),+) => {
        concat!($(limb_square!($i), double!($c rax), double!($d rbx)),+)
    };
}

/// The same for columns in registers.
macro_rules! doubles_of {
    ($($i:literal $c:literal $r:ident $d:literal $s:ident),+) => {
        concat!($(limb_square!($i), double!($c $r rax), double!($d $s rbx)),+)
    };
}

/// Columns 0 and 1: nothing lies above the square of x_0.
macro_rules! double_first {
    () => {
        concat!("xor eax,eax\n", limb_square!(0), store!(0 rax), double!(1 rbx))
    };
}

/// The last two columns, c in a register, and d, which has the carries and half of a square.
macro_rules! double_last {
    ($i:literal $c:literal $r:ident $d:literal) => {
        concat!(
            limb_square!($i),
            double!($c $r rax),
            "mov eax,0\nadcx rbx,rax\nadox rbx,rax\n",
            store!($d rbx),
        )
    };
}

/// Runs lines with rsi = x, rcx = y, rdi = z.
///
/// rbx and rbp are saved by hand: they cannot be operands. All operands are named, so that none
/// lies in them or relative to the stack pointer.
macro_rules! run {
    ($z:expr, $x:expr, $y:expr; $($lines:expr),+) => {
        asm!(
            "push rbx",
            "push rbp",
            $($lines,)+
            "pop rbp",
            "pop rbx",
            in("rsi") $x.as_ptr(), in("rcx") $y.as_ptr(), in("rdi") $z.as_mut_ptr(),
            out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, out("rax") _, out("rdx") _,
        )
    };
}

#[inline(never)]
fn square_8(_: Adx, z: &mut [u64], x: &[u64]) {
    assert!(x.len() == 8 && z.len() == 16, "widths of a square");
    // SAFETY: the token proves ADX, and every CPU with ADX has BMI2; all accesses lie in the
    // asserted lengths; rbx, rbp and the stack pointer are restored.
    unsafe {
        run!(z, x, x;
            low_triangle!(),
            double_first!(),
            doubles!(1 2 3, 2 4 5, 3 6 7),
            doubles_of!(4 8 r8 9 r9, 5 10 r10 11 r11, 6 12 r12 13 r13),
            double_last!(7 14 r14 15)
        );
    }
}

/// The lower half is doubled before the upper triangle, which hides the latency of its carries. What
/// it carries to column 16, 0 to 2, is added to the lower half of x_8^2: that is 0 or 1 modulo 4,
/// so at most 2^64 - 3.
#[inline(never)]
fn square_16(_: Adx, z: &mut [u64], x: &[u64]) {
    assert!(x.len() == 16 && z.len() == 32, "widths of a square");
    // SAFETY: as above; the stack has one limb more, popped before the others.
    unsafe {
        run!(z, x, x;
            low_triangle!(),
            "xor r15d,r15d",
            square_rows!(),
            double_first!(),
            doubles!(1 2 3, 2 4 5, 3 6 7, 4 8 9, 5 10 11, 6 12 13, 7 14 15),
            "mov eax,0", "mov ebp,0", "adcx rax,rbp", "adox rax,rbp", "push rax",
            high_triangle!(),
            "pop rbp", limb_square!(8), "add rax,rbp", "xor ebp,ebp",
            double!(16 rax), double!(17 rbx),
            doubles!(9 18 19, 10 20 21),
            limb_square!(11), double!(22 rax), double!(23 r15 rbx),
            doubles_of!(12 24 r8 25 r9, 13 26 r10 27 r11, 14 28 r12 29 r13),
            double_last!(15 30 r14 31)
        );
    }
}

/// Eight rows x_0 .. x_7 of y_0 .. y_7, then what of x_8 .. x_15 times y_0 .. y_7, and of x_0 .. x_7
/// times y_8 .. y_15, lies below 2^1024. Of the products in column 15 only the lower half counts:
/// they are added last, without carries.
#[inline(never)]
fn low_16(_: Adx, z: &mut [u64], x: &[u64], y: &[u64]) {
    assert!(x.len() == 16 && y.len() == 16 && z.len() == 16, "widths of a low product");
    // SAFETY: as above.
    unsafe {
        run!(z, x, y;
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
            store!(8 r8, 9 r9, 10 r10, 11 r11, 12 r12, 13 r13, 14 r14, 15 r15)
        );
    }
}

/// The square where there is one for the width; false where there is none.
pub(crate) fn square(adx: Adx, z: &mut [u64], x: &[u64]) -> bool {
    match x.len() {
        8 => square_8(adx, z, x),
        16 => square_16(adx, z, x),
        _ => return false,
    }
    true
}

/// The low product where there is one for the width.
pub(crate) fn mul_low(adx: Adx, z: &mut [u64], x: &[u64], y: &[u64]) -> bool {
    let found = x.len() == 16;
    if found {
        low_16(adx, z, x, y);
    }
    found
}
