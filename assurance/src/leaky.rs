//! One routine for each class of leak. A check that does not report its twin is broken.

#[cfg(target_arch = "x86_64")]
pub mod amx;

use core::hint::black_box;

/// A branch on a secret.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn leaky_branch(secret: u64) -> u64 {
    if secret & 1 == 1 { black_box(3) } else { black_box(secret.wrapping_mul(5)) }
}

/// A table entry at a secret index.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn leaky_index(table: &[u64; 256], secret: u8) -> u64 {
    table[usize::from(secret)]
}

/// A hardware division of a secret. Valgrind does not report it, the disassembly check does.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn leaky_division(secret: u64, divisor: u64) -> u64 {
    1_000_003 / (secret ^ divisor | 1)
}

/// A comparison that stops at the first difference.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn leaky_compare(a: &[u64; 32], b: &[u64; 32]) -> bool {
    for (a, b) in a.iter().zip(b) {
        if black_box(*a) != *b {
            return false;
        }
    }
    true
}

/// Leaks of vector registers.
#[cfg(target_arch = "x86_64")]
pub mod vector {
    use core::arch::x86_64::*;
    use core::hint::black_box;

    /// A branch on a comparison of vectors.
    ///
    /// # Safety
    /// The CPU must have AVX-512 BW.
    #[inline(never)]
    #[unsafe(no_mangle)]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub unsafe extern "C" fn leaky_vector_branch(x: &[u64; 8]) -> u64 {
        // SAFETY: eight words are there to be read.
        let v = unsafe { _mm512_loadu_si512(x.as_ptr().cast()) };
        if _mm512_cmpeq_epi8_mask(v, _mm512_setzero_si512()) != 0 {
            black_box(1)
        } else {
            black_box(x[0] * 3)
        }
    }

    /// A mask of a comparison in a general register.
    ///
    /// # Safety
    /// The CPU must have AVX-512 BW.
    #[inline(never)]
    #[unsafe(no_mangle)]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub unsafe extern "C" fn leaky_vector_mask(x: &[u64; 8]) -> u64 {
        // SAFETY: eight words are there to be read.
        let v = unsafe { _mm512_loadu_si512(x.as_ptr().cast()) };
        _mm512_cmpeq_epi8_mask(v, _mm512_setzero_si512())
    }

    /// A gather at secret indices.
    ///
    /// # Safety
    /// The CPU must have AVX-512 F.
    #[inline(never)]
    #[unsafe(no_mangle)]
    #[target_feature(enable = "avx512f")]
    pub unsafe extern "C" fn leaky_vector_index(
        table: &[u64; 256],
        x: &[u64; 8],
        out: &mut [u64; 8],
    ) {
        // SAFETY: eight words are there to be read and written; an index is below 256 after
        // masking.
        unsafe {
            let v = _mm512_loadu_si512(x.as_ptr().cast());
            let v = _mm512_and_si512(v, _mm512_set1_epi64(255));
            let g = _mm512_i64gather_epi64::<8>(v, table.as_ptr().cast());
            _mm512_storeu_si512(out.as_mut_ptr().cast(), g);
        }
    }

    /// A division of floating-point numbers.
    ///
    /// # Safety
    /// The CPU must have AVX-512 F.
    #[inline(never)]
    #[unsafe(no_mangle)]
    #[target_feature(enable = "avx512f")]
    pub unsafe extern "C" fn leaky_vector_division(x: &mut [f64; 8]) {
        // SAFETY: eight numbers are there to be read and written.
        unsafe {
            let v = _mm512_loadu_pd(x.as_ptr());
            _mm512_storeu_pd(x.as_mut_ptr(), _mm512_div_pd(_mm512_set1_pd(1.0), v));
        }
    }
}
