//! Accepted values moved together, in their order. Which are accepted is public.
#![allow(unsafe_code)]

use tautochrone_simd::Isa;

use super::super::lanes::BLOCK;

/// Writes the accepted ones of `values` to the front of `compacted` and returns how many there are;
/// what follows them is arbitrary.
pub(super) fn lanes(
    isa: Isa,
    values: &[i32; BLOCK],
    accepted: &[u8; BLOCK],
    compacted: &mut [i32; BLOCK],
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if isa.avx512().is_some() {
        // SAFETY: the token proves AVX-512 and POPCNT.
        return unsafe { avx512(values, accepted, compacted) };
    }
    let _ = isa;
    let mut count = 0;
    for (&value, &accepted) in values.iter().zip(accepted) {
        compacted[count] = value;
        count += usize::from(accepted);
    }
    count
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,popcnt")]
fn avx512(values: &[i32; BLOCK], accepted: &[u8; BLOCK], compacted: &mut [i32; BLOCK]) -> usize {
    use core::arch::x86_64::*;

    const LANES: usize = 16;
    let mut count = 0;
    for (values, accepted) in
        values.as_chunks::<LANES>().0.iter().zip(accepted.as_chunks::<LANES>().0)
    {
        let to: &mut [i32; LANES] =
            compacted[count..].first_chunk_mut().expect("space for every value that is left");
        // SAFETY: both references cover 16 bytes.
        let accepted = unsafe { _mm_loadu_si128(accepted.as_ptr().cast()) };
        let mask = _mm_test_epi8_mask(accepted, accepted);
        // In registers: a compressing store is many times slower on Zen 4.
        // SAFETY: the references cover 64 bytes each.
        unsafe {
            let values = _mm512_loadu_si512(values.as_ptr().cast());
            let front = _mm512_maskz_compress_epi32(mask, values);
            _mm512_storeu_si512(to.as_mut_ptr().cast(), front);
        }
        count += mask.count_ones() as usize;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn agrees(accepted: &[u8; BLOCK]) {
        let values: [i32; BLOCK] = core::array::from_fn(|i| i as i32 - 7);
        let want: Vec<i32> =
            values.into_iter().zip(accepted).filter(|(_, a)| **a == 1).map(|(v, _)| v).collect();
        for isa in Isa::all() {
            let mut compacted = [0; BLOCK];
            let count = lanes(isa, &values, accepted, &mut compacted);
            assert_eq!(compacted[..count], want, "{isa}");
        }
    }

    #[test]
    fn all_or_none() {
        agrees(&[0; BLOCK]);
        agrees(&[1; BLOCK]);
    }

    proptest! {
        #[test]
        fn accepted_values_keep_their_order(bits in prop::collection::vec(0_u8..2, BLOCK)) {
            agrees(bits.as_slice().try_into().unwrap());
        }
    }
}
