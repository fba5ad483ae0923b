//! [`FirstRound`]: most of the first round, once for many counters.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use tautochrone_simd::wipe;

use crate::engine::schedule::Schedule;
use crate::sizes::BLOCK;

/// Values of a counter's last byte.
const ROWS: usize = 256;

/// What the last byte of a counter changes in the state after the first round.
///
/// Consecutive counters differ in that byte alone, 255 times of 256. The first round sends a byte
/// to four bytes of the state, and these are a sum (an exclusive or) over the bytes that they come
/// from: with the state of the counter that ends in zero, b, the one of the counter that ends in l
/// is b + row l, whatever the other fifteen bytes are. (The idea of Park and Lee, FACE, TCHES
/// 2018.)
///
/// Rows are as secret as the key, and erased on drop; counters, which become addresses, are public.
#[repr(C, align(64))]
pub struct FirstRound {
    rows: MaybeUninit<[[u8; BLOCK]; ROWS]>,
    known: bool,
}

impl FirstRound {
    /// No rows.
    #[must_use]
    pub const fn new() -> Self {
        Self { rows: MaybeUninit::uninit(), known: false }
    }

    /// The rows of a key.
    #[target_feature(enable = "aes,sse4.1")]
    pub(super) fn fill(&mut self, keys: &Schedule) -> &[[u8; BLOCK]] {
        // SAFETY: sixteen bytes.
        let key = unsafe { _mm_loadu_si128(keys[0].as_ptr().cast()) };
        let zero = _mm_setzero_si128();
        let state = |last: usize| {
            let counter = _mm_set_epi64x((last as i64) << 56, 0);
            _mm_aesenc_si128(_mm_xor_si128(counter, key), zero)
        };
        let start = state(0);
        let rows = self.rows.as_mut_ptr().cast::<[u8; BLOCK]>();
        for last in 0..ROWS {
            // SAFETY: one of the rows, sixteen bytes.
            unsafe {
                _mm_storeu_si128(rows.add(last).cast(), _mm_xor_si128(state(last), start));
            }
        }
        self.known = true;
        // SAFETY: all rows have been written.
        unsafe { self.rows.assume_init_ref() }
    }
}

impl Default for FirstRound {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for FirstRound {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FirstRound([REDACTED])")
    }
}

impl Drop for FirstRound {
    fn drop(&mut self) {
        if self.known {
            // SAFETY: all rows have been written.
            wipe(unsafe { self.rows.assume_init_mut() }, [0; BLOCK]);
        }
    }
}
