//! Products, squares and low products by rows: eight limbs of one factor times the other factor,
//! limb by limb, in eight accumulators that move up along it.
#![allow(unsafe_code)]
use core::arch::asm;

use tautochrone_simd::Adx;

/// Limbs of a row.
pub(crate) const ROW: usize = 8;

/// Eight rows, rax times: x (rsi) times y[8] (rcx) is added to z (rdi), all pointers and
/// accumulators r8 .. r15 move up.
///
/// Row i adds z[i] and x[i] y to the accumulators: below 2^512 + (2^64 - 1) 2^512 + 2^64, nine
/// limbs, of which the lowest is z[i]. Lower halves go along the carry flag, upper halves along the
/// overflow flag. Changes rbx, rdx, and the limb at the top of the stack, which is the counter.
macro_rules! eight_rows {
    () => {
        "
        2:
        .set i,0
        .rept 8
        mov rdx,[rsi+8*i]; xor eax,eax; adox r8,[rdi+8*i]
        mulx rbx,rax,[rcx]; adcx r8,rax; adox r9,rbx; mov [rdi+8*i],r8
        mulx rbx,r8,[rcx+8]; adcx r8,r9; adox r10,rbx
        mulx rbx,r9,[rcx+16]; adcx r9,r10; adox r11,rbx
        mulx rbx,r10,[rcx+24]; adcx r10,r11; adox r12,rbx
        mulx rbx,r11,[rcx+32]; adcx r11,r12; adox r13,rbx
        mulx rbx,r12,[rcx+40]; adcx r12,r13; adox r14,rbx
        mulx rbx,r13,[rcx+48]; adcx r13,r14; adox r15,rbx
        mulx rbx,r14,[rcx+56]; adcx r14,r15; mov r15d,0; adcx rbx,r15; adox rbx,r15; mov r15,rbx
        .set i,i+1
        .endr
        add rsi,64
        add rdi,64
        dec qword ptr [rsp]
        jnz 2b
        "
    };
}

/// The accumulators := 0.
macro_rules! clear {
    () => {
        "
        xor r8d,r8d; xor r9d,r9d; xor r10d,r10d; xor r11d,r11d
        xor r12d,r12d; xor r13d,r13d; xor r14d,r14d; xor r15d,r15d
        "
    };
}

/// The accumulators are stored.
macro_rules! store {
    () => {
        "
        mov [rdi],r8; mov [rdi+8],r9; mov [rdi+16],r10; mov [rdi+24],r11
        mov [rdi+32],r12; mov [rdi+40],r13; mov [rdi+48],r14; mov [rdi+56],r15
        "
    };
}

/// z := z + x y for x[n], y[8], n a multiple of 8, not zero; `$end` stores the accumulators above
/// the rows, `$limbs` of them.
///
/// rbx is saved by hand: it cannot be an operand, but could be chosen for one, so all operands are
/// named. Constant-time: the only jump counts n.
macro_rules! products {
    ($($(#[$doc:meta])* $name:ident = $limbs:expr, $end:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) fn $name(_: Adx, z: &mut [u64], x: &[u64], y: &[u64; ROW]) {
                let n = x.len();
                assert!(n > 0 && n.is_multiple_of(ROW) && z.len() == n + $limbs, "widths of rows");
                // SAFETY: the token proves ADX, and every CPU with ADX has BMI2; all accesses lie
                // in the asserted lengths; rbx and the stack pointer are restored.
                unsafe {
                    asm!(
                        "push rbx",
                        "push rax",
                        clear!(),
                        eight_rows!(),
                        $end,
                        "pop rax",
                        "pop rbx",
                        inout("rsi") x.as_ptr() => _, in("rcx") y, inout("rdi") z.as_mut_ptr() => _,
                        inout("rax") n >> 3 => _,
                        out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
                        out("r14") _, out("r15") _, out("rdx") _,
                    );
                }
            }
        )*
    };
}
products! {
    /// z := z + x y, in which the upper eight limbs of z[n + 8] are written, not added.
    add_product = ROW, store!();
    /// z := z + x y modulo 2^(64 n), z[n].
    add_low_product = 0, "";
}

/// Row i of [`add_above`], x_i times the limbs of x above it.
macro_rules! above {
    ($i:literal [$($j:literal)+] $($column:ident)+) => {
        concat!(
            concat!("mov rdx,[rcx+8*", $i, "]\nxor eax,eax\n"),
            terms!([$($j)+] "mov eax,0\n" "rax" $($column)+),
        )
    };
}

/// z := z + (x_0 .. x_7 times what lies above each in x) 2^64, as [`add_product`] of x[8 ..] and
/// x[.. 8], and the products of different limbs of x[.. 8] in addition: x[n], z[n + 8], n a
/// multiple of 8, not zero.
///
/// Register 8 + c mod 8 holds column c. Row i adds x_i (x_{i+1} .. x_7) to columns i + 1 to i + 8;
/// columns 2 i + 1 and 2 i + 2 are then done. The triangle ends below column 15: it is at most
/// (2^1024 - 1) / (2^64 + 1) - 2^512 + 1, and z adds less than 2^512.
fn add_above(_: Adx, z: &mut [u64], x: &[u64]) {
    let n = x.len();
    assert!(n > 0 && n.is_multiple_of(ROW) && z.len() == n + ROW, "widths of a square");
    // SAFETY: as above.
    unsafe {
        asm!(
            "push rbx",
            "push rax",
            "mov r9,[rdi+8]", "mov r10,[rdi+16]", "mov r11,[rdi+24]", "mov r12,[rdi+32]",
            "mov r13,[rdi+40]", "mov r14,[rdi+48]", "mov r15,[rdi+56]",
            above!(0 [1 2 3 4 5 6 7] r9 r10 r11 r12 r13 r14 r15 r8),
            "mov [rdi+8],r9", "mov [rdi+16],r10",
            above!(1 [2 3 4 5 6 7] r11 r12 r13 r14 r15 r8 r9),
            "mov [rdi+24],r11", "mov [rdi+32],r12",
            above!(2 [3 4 5 6 7] r13 r14 r15 r8 r9 r10),
            "mov [rdi+40],r13", "mov [rdi+48],r14",
            above!(3 [4 5 6 7] r15 r8 r9 r10 r11),
            "mov [rdi+56],r15",
            above!(4 [5 6 7] r9 r10 r11 r12),
            above!(5 [6 7] r11 r12 r13),
            "mov rdx,[rcx+48]", "xor r15d,r15d",
            "mulx r14,rax,[rcx+56]", "adcx r13,rax", "adcx r14,r15",
            "add rsi,64",
            "add rdi,64",
            "cmp qword ptr [rsp],0",
            "je 3f",
            eight_rows!(),
            "3:",
            store!(),
            "pop rax",
            "pop rbx",
            inout("rsi") x.as_ptr() => _, in("rcx") x.as_ptr(), inout("rdi") z.as_mut_ptr() => _,
            inout("rax") (n >> 3) - 1 => _,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, out("rdx") _,
        );
    }
}

/// z := 2 z + the squares of the limbs of x: x[n], z[2 n], n a multiple of 8, not zero; the result
/// has 2 n limbs. The doubling runs along the carry flag, the squares along the overflow flag;
/// `lea` and `jrcxz` keep both. Constant-time as above.
fn double_and_add_squares(_: Adx, z: &mut [u64], x: &[u64]) {
    let n = x.len();
    assert!(n > 0 && n.is_multiple_of(ROW) && z.len() == 2 * n, "widths of a square");
    // SAFETY: as above.
    unsafe {
        asm!(
            "xor eax,eax",
            "2:",
            ".set i,0",
            ".rept 8",
            "mov rdx,[{x}+8*i]", "mulx {h},{l},rdx",
            "mov {t},[{z}+16*i]", "adcx {t},{t}", "adox {t},{l}", "mov [{z}+16*i],{t}",
            "mov {t},[{z}+16*i+8]", "adcx {t},{t}", "adox {t},{h}", "mov [{z}+16*i+8],{t}",
            ".set i,i+1",
            ".endr",
            "lea {z},[{z}+128]",
            "lea {x},[{x}+64]",
            "lea rcx,[rcx-1]",
            "jrcxz 3f",
            "jmp 2b",
            "3:",
            z = inout(reg) z.as_mut_ptr() => _, x = inout(reg) x.as_ptr() => _,
            h = out(reg) _, l = out(reg) _, t = out(reg) _,
            inout("rcx") n >> 3 => _, out("rax") _, out("rdx") _,
            options(nostack),
        );
    }
}

/// z := x y, for a multiple of eight limbs.
pub(crate) fn mul(adx: Adx, z: &mut [u64], x: &[u64], y: &[u64]) {
    let n = x.len();
    z[..n].fill(0);
    for (j, y) in y.as_chunks().0.iter().enumerate() {
        add_product(adx, &mut z[ROW * j..][..n + ROW], x, y);
    }
}

/// z := x y modulo 2^(64 n), for a multiple of eight limbs.
pub(crate) fn mul_low(adx: Adx, z: &mut [u64], x: &[u64], y: &[u64]) {
    z.fill(0);
    for (j, y) in y.as_chunks().0.iter().enumerate() {
        let z = &mut z[ROW * j..];
        add_low_product(adx, z, &x[..z.len()], y);
    }
}

/// z := x^2, for a multiple of eight limbs: products of different limbs once, doubled, then the
/// squares of the limbs.
pub(crate) fn square(adx: Adx, z: &mut [u64], x: &[u64]) {
    let n = x.len();
    z[..n].fill(0);
    for j in (0..n).step_by(ROW) {
        add_above(adx, &mut z[2 * j..][..n - j + ROW], &x[j..]);
    }
    double_and_add_squares(adx, z, x);
}
