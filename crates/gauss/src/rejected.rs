//! [`rejected`]: the samples that are to be tried once more.

/// The most trials that are asked about at once: a bit-sliced block.
const MAX_TRIALS: usize = 512;

/// Row b: the positions of the bits of b that are not set, in ascending order.
pub(crate) static POSITIONS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut at) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 0 {
                table[byte][at] = bit;
                at += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Which of the first `len` trials were rejected, in ascending order: those whose bit of
/// `accepted`, of at most [`MAX_TRIALS`], is not set. The bits are public.
///
/// A byte at a time, without branches: which are rejected is random, and would be mispredicted.
pub(crate) fn rejected(len: usize, accepted: &[u8]) -> impl ExactSizeIterator<Item = usize> {
    // The last byte may write eight at once.
    let mut all = [0_u16; MAX_TRIALS + 8];
    let mut count = 0;
    for (&byte, start) in accepted[..len.div_ceil(8)].iter().zip((0_u16..).step_by(8)) {
        let to: &mut [u16; 8] = all[count..].first_chunk_mut().expect("a byte holds eight bits");
        for (to, &position) in to.iter_mut().zip(&POSITIONS[usize::from(byte)]) {
            *to = start + u16::from(position);
        }
        count += byte.count_zeros() as usize;
    }
    // Bits of the last byte beyond `len` were not asked about.
    let beyond = 8 * len.div_ceil(8) - len;
    if beyond > 0 {
        let last = accepted[len >> 3];
        count -= (!last >> (8 - beyond)).count_ones() as usize;
    }
    all.into_iter().take(count).map(usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rejected_ones_are_those_without_a_bit(
            accepted in prop::collection::vec(any::<u8>(), MAX_TRIALS / 8), len in 0..=MAX_TRIALS,
        ) {
            let want: Vec<usize> = (0..len).filter(|i| accepted[i >> 3] >> (i & 7) & 1 == 0).collect();
            prop_assert_eq!(rejected(len, &accepted).collect::<Vec<_>>(), want);
        }
    }

    #[test]
    fn all_or_none() {
        assert_eq!(
            rejected(MAX_TRIALS, &[0; MAX_TRIALS / 8]).collect::<Vec<_>>(),
            (0..MAX_TRIALS).collect::<Vec<_>>()
        );
        assert_eq!(rejected(MAX_TRIALS, &[0xff; MAX_TRIALS / 8]).len(), 0);
        assert_eq!(rejected(0, &[0; MAX_TRIALS / 8]).len(), 0);
    }
}
