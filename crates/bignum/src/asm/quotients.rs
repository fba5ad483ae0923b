//! Montgomery's reduction by long rows, without multiplications for the quotients.
#![allow(unsafe_code)]
use core::arch::asm;

use tautochrone_simd::Adx;

/// Widths are multiples of this many limbs.
pub(crate) const GROUP: usize = 8;

/// `rows` times: z := z + x_i y, n + 1 limbs with a carry that goes into the top limb of the next
/// row; z moves up by a limb each time. Returns the last carry. A row goes through its columns in
/// groups of `G`, or in one go if `ONE`: then n = `G`.
///
/// A row is below (2^(64 n) - 1) + (2^64 - 1)(2^(64 n) - 1): n + 1 limbs. Lower halves go along the
/// carry flag, z along the overflow flag; `lea` and `jrcxz` keep both. Constant-time: jumps count
/// limbs and rows.
///
/// # Safety
/// `x` points to `rows` limbs, and `z` to n + rows; x_i may be a limb that rows before i have
/// written. n is y's length, a multiple of G, not zero, and G if `ONE`; `rows` is not zero.
#[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
unsafe fn long_rows<const G: usize, const ONE: bool>(
    _: Adx,
    z: *mut u64,
    x: *const u64,
    rows: usize,
    y: &[u64],
) -> u64 {
    let carry;
    // SAFETY: as the caller promises; rbx is restored.
    unsafe {
        asm!(
            "push rbx",
            "xor r10d,r10d",
            "xor r11d,r11d",
            "2:",
            "mov rdx,[r14]",
            ".if {one} == 0",
            "mov rcx,r13",
            ".endif",
            "xor r8d,r8d",
            "3:",
            ".set j,0",
            ".rept {G}/2",
            "mulx rbx,rax,[rsi+16*j]", "adcx rax,r8", "adox rax,[rdi+16*j]", "mov [rdi+16*j],rax",
            "mulx r8,rax,[rsi+16*j+8]", "adcx rax,rbx", "adox rax,[rdi+16*j+8]", "mov [rdi+16*j+8],rax",
            ".set j,j+1",
            ".endr",
            ".if {one} == 0",
            "lea rsi,[rsi+8*{G}]",
            "lea rdi,[rdi+8*{G}]",
            "lea rcx,[rcx-1]",
            "jrcxz 4f",
            "jmp 3b",
            "4:",
            ".endif",
            // The upper half of the last product, two flags, the carry of the row before, and the
            // top limb: below 2^65.
            "adox r8,r11", "adcx r8,r10", "mov r10d,0", "adcx r10,r11",
            ".if {one}",
            "add r8,[rdi+8*{G}]", "mov [rdi+8*{G}],r8", "adc r10,0",
            ".else",
            "add r8,[rdi]", "mov [rdi],r8", "adc r10,0",
            "sub rsi,r15",
            "sub rdi,r15",
            ".endif",
            "add rdi,8",
            "add r14,8",
            "dec r9",
            "jnz 2b",
            "pop rbx",
            inout("rsi") y.as_ptr() => _, inout("rdi") z => _, inout("r14") x => _, inout("r9") rows => _,
            in("r13") y.len() / G, in("r15") 8 * y.len(), out("r10") carry,
            out("rax") _, out("rcx") _, out("rdx") _, out("r8") _, out("r11") _,
            G = const G, one = const ONE as u8,
        );
    }
    carry
}

/// t := t + q m, where q < 2 2^(64 n) is such that the lower half becomes zero; returns the carry,
/// at most 2. The lower half is left in any state.
///
/// With K = `inverse` = -1 / m modulo 2^64, m K + 1 is divisible by 2^64, and t + t_0 m K = (t -
/// t_0) + t_0 (m K + 1): adding t_0 `multiple`, `multiple` = (m K + 1) / 2^64, one limb up clears
/// limb 0, and no product gives the quotient. All limbs but the last are cleared in this way; the
/// last one needs m itself, so that no multiple of m K remains. So q = K (t_0 + .. + t_{n-2} 2^(64
/// (n-2))) + q_{n-1} 2^(64 (n-1)).
///
/// Inputs t[2 n], multiple[n], modulus[n], n a multiple of 8.
pub(crate) fn add_multiple(
    adx: Adx,
    t: &mut [u64],
    multiple: &[u64],
    modulus: &[u64],
    inverse: u64,
) -> u64 {
    let n = modulus.len();
    assert!(
        n > 0 && n.is_multiple_of(GROUP) && multiple.len() == n && t.len() == 2 * n,
        "widths of a reduction"
    );
    let rows = match n {
        32 => long_rows::<32, true>,
        64 => long_rows::<64, true>,
        _ if n.is_multiple_of(32) => long_rows::<32, false>,
        _ if n.is_multiple_of(16) => long_rows::<16, false>,
        _ => long_rows::<GROUP, false>,
    };
    let z = t.as_mut_ptr();
    // SAFETY: rows start from limb 1 and n - 1, and end below 2 n; the asserted lengths.
    unsafe {
        let carry = rows(adx, z.add(1), z, n - 1, multiple);
        let last = z.add(n - 1).read().wrapping_mul(inverse);
        carry + rows(adx, z.add(n - 1), &raw const last, 1, modulus)
    }
}

/// r := x + top 2^(64 n) - j m below 2^(64 n), for top <= 2 and a left side below 2^(64 n) + 2 m: m
/// is subtracted as long as there is a top, at most twice. r[n], x[n], m[n], n a multiple of 8, not
/// zero. `mulx` makes the masked m, as it leaves the carry flag alone.
#[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
pub(crate) fn subtract_top(_: Adx, r: &mut [u64], x: &[u64], m: &[u64], mut top: u64) {
    let n = m.len();
    assert!(
        n > 0 && n.is_multiple_of(GROUP) && r.len() == n && x.len() == n,
        "widths of a reduction"
    );
    let mut from = x.as_ptr();
    for _ in 0..2 {
        let borrow: u64;
        // SAFETY: the token proves ADX, and every CPU with ADX has BMI2; all accesses lie in the
        // asserted lengths.
        unsafe {
            asm!(
                "xor {b:e},{b:e}",
                "2:",
                ".set i,0",
                ".rept 8",
                "mov {t},[{x}+8*i]", "mulx {h},{l},[{m}+8*i]", "sbb {t},{l}", "mov [{r}+8*i],{t}",
                ".set i,i+1",
                ".endr",
                "lea {x},[{x}+64]",
                "lea {m},[{m}+64]",
                "lea {r},[{r}+64]",
                "lea rcx,[rcx-1]",
                "jrcxz 3f",
                "jmp 2b",
                "3:",
                "adc {b},0",
                x = inout(reg) from => _, m = inout(reg) m.as_ptr() => _, r = inout(reg) r.as_mut_ptr() => _,
                b = out(reg) borrow, t = out(reg) _, h = out(reg) _, l = out(reg) _,
                // 2 and 1 give 1, 0 gives 0.
                in("rdx") top >> 1 | top & 1, inout("rcx") n / GROUP => _,
                options(nostack),
            );
        }
        top -= borrow;
        from = r.as_ptr();
    }
}
