//! Eight words of one factor stay in the eight accumulators' rows: products, squares and low products by rows.
#![allow(unsafe_code)]
use core::arch::asm;
use core::hint::black_box;

use tautochrone_simd::Adx;

/// Words of a row.
pub(crate) const ROW: usize = 8;
/// Words of the widest square.
pub(crate) const MAX_SQUARE: usize = 64;

/// z := z + x y, in which the upper eight words of `z` are written, not added; without `TOP` they are not there.
///
/// Inputs x[n], y[8], z[n]; output z[n + 8], or z[n] without `TOP`; n a multiple of 8, not zero. Row i adds z[i] and
/// x[i] y to the accumulators r8 .. r15: below 2^512 + (2^64 - 1) 2^512 + 2^64, nine words. Lower halves go along the
/// carry flag, upper halves along the overflow flag. Clobbers rbx (saved: it cannot
/// be an operand, but could be chosen for one, so all are named), rax, rdx and flags. Constant-time: the only jump
/// counts n.
pub(crate) fn add_product<const TOP: bool>(_: Adx, z: &mut [u64], x: &[u64], y: &[u64]) {
    let n = x.len();
    assert!(
        n > 0
            && n.is_multiple_of(ROW)
            && y.len() == ROW
            && z.len() == n + if TOP { ROW } else { 0 },
        "widths of rows"
    );
    // SAFETY: the token proves ADX, and every CPU with ADX has BMI2; all accesses lie in the asserted lengths; rbx and the
    // stack pointer are restored.
    unsafe {
        asm!(
            "push rbx",
            "push rax",
            "xor r8d,r8d", "xor r9d,r9d", "xor r10d,r10d", "xor r11d,r11d",
            "xor r12d,r12d", "xor r13d,r13d", "xor r14d,r14d", "xor r15d,r15d",
            "2:",
            ".set i,0",
            ".rept 8",
            "mov rdx,[rsi+8*i]",
            "xor eax,eax",
            "adox r8,[rdi+8*i]",
            "mulx rbx,rax,[rcx]", "adcx r8,rax", "adox r9,rbx", "mov [rdi+8*i],r8",
            "mulx rbx,r8,[rcx+8]", "adcx r8,r9", "adox r10,rbx",
            "mulx rbx,r9,[rcx+16]", "adcx r9,r10", "adox r11,rbx",
            "mulx rbx,r10,[rcx+24]", "adcx r10,r11", "adox r12,rbx",
            "mulx rbx,r11,[rcx+32]", "adcx r11,r12", "adox r13,rbx",
            "mulx rbx,r12,[rcx+40]", "adcx r12,r13", "adox r14,rbx",
            "mulx rbx,r13,[rcx+48]", "adcx r13,r14", "adox r15,rbx",
            "mulx rbx,r14,[rcx+56]", "adcx r14,r15",
            "mov r15d,0", "adcx rbx,r15", "adox rbx,r15", "mov r15,rbx",
            ".set i,i+1",
            ".endr",
            "add rsi,64",
            "add rdi,64",
            "dec qword ptr [rsp]",
            "jnz 2b",
            ".if {top}",
            "mov [rdi],r8", "mov [rdi+8],r9", "mov [rdi+16],r10", "mov [rdi+24],r11",
            "mov [rdi+32],r12", "mov [rdi+40],r13", "mov [rdi+48],r14", "mov [rdi+56],r15",
            ".endif",
            "pop rax",
            "pop rbx",
            inout("rsi") x.as_ptr() => _, in("rcx") y.as_ptr(), inout("rdi") z.as_mut_ptr() => _,
            inout("rax") n >> 3 => _,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            out("rdx") _, top = const TOP as u8,
        );
    }
}

/// z := 2 z + d modulo 2^(64 n). Inputs z[n], d[n]; output z[n]; n a multiple of 8, not zero. The doubling runs along the
/// carry flag, the addition along the overflow flag; `lea` and `jrcxz` keep both. Constant-time as above.
fn double_and_add(_: Adx, z: &mut [u64], d: &[u64]) {
    let n = z.len();
    assert!(n > 0 && n.is_multiple_of(ROW) && d.len() == n, "widths of a square");
    // SAFETY: the token proves ADX; all accesses lie in the asserted lengths.
    unsafe {
        asm!(
            "xor {t:e},{t:e}",
            "2:",
            ".set i,0",
            ".rept 8",
            "mov {t},[{z}+8*i]", "adcx {t},{t}", "adox {t},[{d}+8*i]", "mov [{z}+8*i],{t}",
            ".set i,i+1",
            ".endr",
            "lea {z},[{z}+64]",
            "lea {d},[{d}+64]",
            "lea rcx,[rcx-1]",
            "jrcxz 3f",
            "jmp 2b",
            "3:",
            z = inout(reg) z.as_mut_ptr() => _, d = inout(reg) d.as_ptr() => _, t = out(reg) _,
            inout("rcx") n >> 3 => _,
            options(nostack),
        );
    }
}

/// z := x y, for a multiple of eight words.
pub(crate) fn mul(adx: Adx, z: &mut [u64], x: &[u64], y: &[u64]) {
    let n = x.len();
    z[..n].fill(0);
    for (j, y) in y.chunks_exact(ROW).enumerate() {
        add_product::<true>(adx, &mut z[ROW * j..][..n + ROW], x, y);
    }
}

/// z := x y modulo 2^(64 n), for a multiple of eight words.
pub(crate) fn mul_low(adx: Adx, z: &mut [u64], x: &[u64], y: &[u64]) {
    z.fill(0);
    for (j, y) in y.chunks_exact(ROW).enumerate() {
        let z = &mut z[ROW * j..];
        add_product::<false>(adx, z, &x[..z.len()], y);
    }
}

/// z := x^2, for a multiple of eight words, at most [`MAX_SQUARE`]: blocks of 8 x 8 words off the diagonal once, doubled,
/// then the diagonal.
pub(crate) fn square(adx: Adx, z: &mut [u64], x: &[u64]) {
    z.fill(0);
    let (blocks, rest) = x.as_chunks::<ROW>();
    assert!(rest.is_empty(), "widths of a square");
    let mut room = [0; 2 * MAX_SQUARE];
    let d = &mut room[..z.len()];
    for (j, (y, d)) in blocks.iter().zip(d.chunks_exact_mut(2 * ROW)).enumerate() {
        let above = &x[ROW * (j + 1)..];
        if !above.is_empty() {
            add_product::<true>(adx, &mut z[ROW * (2 * j + 1)..][..above.len() + ROW], above, y);
        }
        add_product::<true>(adx, d, y, y);
    }
    double_and_add(adx, z, d);
    room.fill(0);
    black_box(&room);
}
