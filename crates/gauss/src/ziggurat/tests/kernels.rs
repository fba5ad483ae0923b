//! Every kernel against the portable one: block by block at hostile words, and whole fills.

use super::super::layout::{BLOCK, Block, Layout, SPARE, Side};
use super::*;

/// 2^32, where a value of x no longer fits a half word.
const HALF: f64 = 4_294_967_296.0;

/// (sigma, m) on both sides of every border between kernels: 1 + X_m of 32 bits, and one or two
/// words for a trial.
fn shapes() -> Vec<(f64, usize)> {
    let mut shapes = alloc::vec![(0.5, 1), (0.5, 512), (3.19, 63), (215.0, 512), (1.6e5, 7999)];
    for bound in [HALF - 3.0, HALF - 2.0, HALF - 1.0, HALF, HALF + 1.0, 2.0 * HALF - 1.0] {
        shapes.extend([(bound / 13.0, 512), (bound / 13.0, 63)]);
    }
    // 13 sigma = 2^33 for any m, 2^41 for m = 65536.
    shapes.extend([(2.0 * HALF / 13.0, 63), (2.0 * HALF / 13.0, 64)]);
    shapes.extend([(1.69e11, 65_536), (1.7e11, 65_536), (1_099_511_627_776.0, 1)]);
    shapes.extend([(1_099_511_627_776.0, 63), (1_099_511_627_776.0, 512)]);
    shapes
}

/// Words that fall on every edge of the fast path: for a few rectangles, both ends of the choice,
/// x = 0, 1, X_{i-1}, X_{i-1} + 1, X_i, and low halves around the bound of the rejection.
fn edges(layout: &Layout, sides: &[Side]) -> Vec<u64> {
    let mut words = Vec::new();
    for i in [0, 1, layout.m / 2, layout.m - 1] {
        let i = i.min(layout.m - 1);
        let Side { n, left } = sides[i as usize];
        // The first choice of rectangle i, and its neighbours.
        let first = ((u128::from(i) << layout.index_bits) / u128::from(layout.m)) as u64;
        for choice in [first.saturating_sub(1), first, first + 1, (1 << layout.index_bits) - 1] {
            let choice = choice & ((1 << layout.index_bits) - 1);
            for sign in [0, 1 << layout.index_bits] {
                for x in [0, 1, left, left + 1, n - 1] {
                    // The smallest f with floor(f n / 2^64) = x.
                    let f = (u128::from(x) << 64).div_ceil(n.into()) as u64;
                    for step in [-2_i64, -1, 0, 1, 2] {
                        let f = f.wrapping_add_signed(step << layout.low);
                        let f = f >> layout.low << layout.low;
                        let low = choice | sign;
                        if layout.words() == 1 {
                            words.push(f | low);
                        } else {
                            words.extend([low, f]);
                        }
                    }
                }
            }
        }
    }
    words
}

fn doubts(block: &Block, count: usize) -> Vec<bool> {
    let bits = block.doubt.as_flattened();
    (0..count).map(|j| bits[j / 8] >> (j % 8) & 1 == 1).collect()
}

/// The same values as the portable kernel, and a doubt wherever that has one.
fn check(sigma: f64, m: usize, words: impl Fn(&Layout, &[Side]) -> Vec<u64>) {
    let portable = Ziggurat::new_on(Isa::PORTABLE, sigma, options(m, None)).unwrap();
    let per = portable.layout.words();
    let words = words(&portable.layout, &portable.sides);
    for chunk in words.chunks(per * BLOCK) {
        for count in [chunk.len() / per, chunk.len() / per / 2, 9.min(chunk.len() / per), 1] {
            // Words beyond are not looked at.
            let mut buffer = alloc::vec![u64::MAX; 2 * BLOCK + SPARE];
            buffer[..count * per].copy_from_slice(&chunk[..count * per]);
            let mut want = Block::new();
            portable.trials(&buffer, count, &mut want);
            for isa in Isa::all() {
                let z = Ziggurat::new_on(isa, sigma, options(m, None)).unwrap();
                let mut got = Block::new();
                z.trials(&buffer, count, &mut got);
                assert!(
                    got.values[..count] == want.values[..count],
                    "values, sigma {sigma}, m {m}, {isa}"
                );
                let mut both = doubts(&got, count).into_iter().zip(doubts(&want, count));
                assert!(
                    both.all(|(got, want)| got || !want),
                    "doubts, sigma {sigma}, m {m}, {isa}"
                );
            }
        }
    }
}

#[test]
fn blocks_agree_at_the_edges() {
    for (sigma, m) in shapes() {
        check(sigma, m, edges);
        check(sigma, m, |layout, _| {
            let patterns = [0, u64::MAX, 1 << 63, u64::MAX >> 1, u64::from(u32::MAX), !0 << 32];
            patterns.into_iter().cycle().take(120 * layout.words()).collect()
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn kernels_agree_for_any_parameters(
        exponent in -1.0_f64..40.0,
        m in prop_oneof![1_usize..600, (0_u32..=16).prop_map(|k| 1 << k)],
        factor in 0_u32..16,
        seed: u64,
        len in 0_usize..2000,
    ) {
        let sigma = exponent.exp2();
        check(sigma, m, |layout, _| {
            let mut words = alloc::vec![0; 200 * layout.words()];
            stream(seed).fill_u64(&mut words);
            words
        });
        let fill = |isa, factor| {
            let mut out = alloc::vec![0; len];
            let z = Ziggurat::new_on(isa, sigma, options(m, factor)).unwrap();
            z.fill(&mut stream(seed), &mut out);
            prop_assert!(out.iter().all(|x| x.unsigned_abs() <= z.bound()));
            Ok(out)
        };
        let want = fill(Isa::PORTABLE, None)?;
        for isa in Isa::all() {
            prop_assert!(fill(isa, Some(factor))? == want, "{}, factor {}", isa, factor);
        }
    }
}
