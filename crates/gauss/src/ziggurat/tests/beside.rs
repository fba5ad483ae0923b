//! Long fills beside the keystream: the samples, and the place in the stream, of the portable path.

use tautochrone_ctr::KeySize;

use super::super::block::BLOCK;
use super::*;

/// Every kernel: one word and two, half products and whole ones; few and many doubts.
const SHAPES: [(f64, usize); 7] =
    [(0.5, 512), (2.0, 1024), (3.19, 63), (215.0, 1024), (1.6e5, 7999), (1e9, 64), (1e12, 1024)];

/// Lengths around the least number of blocks and around whole ones, and a long one.
const LENGTHS: [usize; 9] = [
    7 * BLOCK + 1,
    16 * BLOCK - 1,
    16 * BLOCK,
    16 * BLOCK + 1,
    17 * BLOCK - 1,
    17 * BLOCK,
    17 * BLOCK + 1,
    9973,
    40 * BLOCK,
];

/// Where fills begin: on a block of AES, in the middle of one, within a word, and so that the low
/// half of the counter wraps in a fill.
fn streams(isa: Isa) -> Vec<Stream> {
    let stream = |start| Stream::new_on(isa, KeySize::Aes128, &[7; 16], start);
    let mut all =
        alloc::vec![stream(9), stream(1 << 70), stream(9), stream((1_u128 << 64) - 30_000)];
    all[1].fill(&mut [0; 40]);
    all[2].fill(&mut [0; 7]);
    all
}

fn check(edit: impl Fn(&mut Ziggurat)) {
    for (sigma, m) in SHAPES {
        let mut portable = Ziggurat::new_on(Isa::PORTABLE, sigma, options(m, None)).unwrap();
        edit(&mut portable);
        for isa in Isa::all().skip(1) {
            let mut z = Ziggurat::new_on(isa, sigma, options(m, None)).unwrap();
            edit(&mut z);
            for (ours, theirs) in streams(isa).iter_mut().zip(&mut streams(Isa::PORTABLE)) {
                for len in LENGTHS {
                    let (mut got, mut want) = (alloc::vec![0; len], alloc::vec![0; len]);
                    z.fill(ours, &mut got);
                    portable.fill(theirs, &mut want);
                    assert!(got == want, "sigma {sigma}, m {m}, {isa}, {len} samples");
                    assert_eq!(ours.position(), theirs.position(), "sigma {sigma} {isa} {len}");
                }
            }
        }
    }
}

#[test]
fn long_fills_agree() {
    check(|_| ());
}

/// Fewer words are drawn ahead than comparisons take: in every block, or in some.
#[test]
fn long_fills_agree_where_comparisons_need_more_words() {
    check(|z| z.layout.doubt = 0.0);
    check(|z| z.layout.doubt *= 0.8);
}

/// A generator that is no stream has no registers, and gives the same samples.
#[test]
fn a_generator_of_the_same_bytes_gives_the_same_samples() {
    for (sigma, m) in SHAPES {
        let z = ziggurat(sigma, m, None);
        let (mut got, mut want) = (alloc::vec![0; 9973], alloc::vec![0; 9973]);
        z.fill(&mut stream(3), &mut got);
        z.fill_from(&mut stream(3), &mut want);
        assert!(got == want, "sigma {sigma}, m {m}");
    }
}
