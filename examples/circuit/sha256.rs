//! SHA-256 (FIPS 180-4) as a circuit: about 17 700 constraints a block.
//!
//! For three bits with sum t, m = [t >= 2] is the majority, and t - 2 m their sum modulo 2. The
//! conic t (t - 4 m) = t - 6 m has both in one constraint: it is m (4 t - 6) = t (t - 1), and 4 t -
//! 6 is not 0 at 0, 1, 2 and 3, where m is 0, 0, 1 and 1.

use tautochrone_zk::argument::{CircuitBuilder, Combination, Scalar, Wire};

use super::inputs::{self, BYTES};

/// 32 bits, the lowest first: wires or constants.
type Word = Vec<Combination>;

const ROUND_CONSTANTS: [u32; 64] = fractions::<64, 3>();
const INITIAL: [u32; 8] = fractions::<8, 2>();

/// The first 32 bits behind the point of the roots of the first primes, square roots or cube roots.
const fn fractions<const N: usize, const ROOT: u32>() -> [u32; N] {
    let mut out = [0; N];
    let (mut count, mut candidate) = (0, 2_u128);
    while count < N {
        let mut divisor = 2;
        while candidate % divisor != 0 {
            divisor += 1;
        }
        if divisor == candidate {
            // floor(2^32 root) bit by bit, below 2^37; its cube is below 2^111.
            let (mut root, mut bit) = (0_u128, 37);
            while bit > 0 {
                bit -= 1;
                let next: u128 = root + (1 << bit);
                if next.pow(ROOT) <= candidate << (32 * ROOT) {
                    root = next;
                }
            }
            out[count] = root as u32;
            count += 1;
        }
        candidate += 1;
    }
    out
}

/// Adds wires for a message, which are secret, and constraints that its digest is the public
/// inputs, which are the digest's eight words.
///
/// The circuit depends on the length of the message alone, and on whether that was committed to.
pub(crate) fn preimage(
    builder: &mut CircuitBuilder,
    message: &[u8],
    committed: bool,
    digest: &[u8; 32],
) {
    let public: Vec<Wire> = digest
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| builder.public(Scalar::from(u32::from_be_bytes(*word))))
        .collect();
    let sums = absorb(builder, message, committed);
    for ((sum, public), count) in sums.into_iter().zip(public).zip(CARRIES) {
        let carry = builder.value(&sum).value() >> 32;
        carries(builder, sum - public.into(), carry, count);
    }
}

/// The digest, as the circuit computes it.
pub(crate) fn digest(message: &[u8]) -> [u8; 32] {
    let mut builder = CircuitBuilder::new();
    let sums = absorb(&mut builder, message, false);
    let mut out = [0; 32];
    for (out, sum) in out.as_chunks_mut::<4>().0.iter_mut().zip(&sums) {
        // Modulo 2^32.
        *out = (builder.value(sum).value() as u32).to_be_bytes();
    }
    out
}

/// The words of the digest, before carries are taken off. Where the message was committed to, its
/// values are the first secret wires.
fn absorb(builder: &mut CircuitBuilder, message: &[u8], committed: bool) -> [Combination; 8] {
    // The highest bit of a byte comes first.
    let mut bits: Vec<Combination> = Vec::new();
    if committed {
        let inputs = inputs::wires(builder, message);
        for (input, bytes) in inputs.into_iter().zip(message.chunks(BYTES)) {
            for byte in builder.bits(input, 8 * bytes.len()).chunks(8) {
                bits.extend(byte.iter().rev().map(|&bit| Combination::from(bit)));
            }
        }
    } else {
        for byte in message {
            bits.extend((0..8).rev().map(|i| builder.bit(byte >> i & 1 == 1).into()));
        }
    }
    let length = bits.len() as u64;
    bits.push(constant(true));
    while bits.len() % 512 != 448 {
        bits.push(constant(false));
    }
    bits.extend((0..64).rev().map(|i| constant(length >> i & 1 == 1)));
    let words = |block: &[Combination]| {
        block.chunks(32).map(|word| word.iter().rev().cloned().collect()).collect()
    };
    let (blocks, _) = bits.as_chunks::<512>();
    let (last, others) = blocks.split_last().expect("the length at least");
    let mut state = INITIAL.map(constant_word);
    for block in others {
        let mut counts = CARRIES.into_iter();
        state = compress(builder, &state, words(block))
            .map(|sum| modulo(builder, sum, counts.next().expect("one a word")));
    }
    compress(builder, &state, words(last))
}

fn constant(bit: bool) -> Combination {
    Scalar::from(bit).into()
}

fn constant_word(word: u32) -> Word {
    (0..32).map(|i| constant(word >> i & 1 == 1)).collect()
}

/// The number that a word is.
fn number(word: &[Combination]) -> Combination {
    let terms = word.iter().enumerate().map(|(i, bit)| bit.clone() * Scalar::from(1_u32 << i));
    terms.fold(Combination::default(), |sum, term| sum + term)
}

/// Bits of what has to be taken off the sums that [`compress`] returns.
const CARRIES: [usize; 8] = [3, 1, 1, 1, 3, 1, 1, 1];

/// The next state modulo 2^32: sums of up to eight numbers of 32 bits.
fn compress(builder: &mut CircuitBuilder, state: &[Word; 8], mut w: Vec<Word>) -> [Combination; 8] {
    for t in 16..64 {
        let low = sigma(builder, &w[t - 15], [7, 18], 3);
        let high = sigma(builder, &w[t - 2], [17, 19], 10);
        let sum = number(&w[t - 16]) + low + number(&w[t - 7]) + high;
        w.push(modulo(builder, sum, 2));
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state.clone();
    for (w, k) in w[..63].iter().zip(ROUND_CONSTANTS) {
        let [first, second] = round(builder, [&a, &b, &c], [&e, &f, &g, &h], w, k);
        let of_d = number(&d);
        (h, g, f) = (g, f, e);
        e = modulo(builder, of_d.clone() + first, 3);
        (d, c, b) = (c, b, a);
        // `first` is e - d modulo 2^32; with 2^32 the sum is not negative.
        let first = number(&e) - of_d + two_to(32).into();
        a = modulo(builder, first + second, 2);
    }
    let [first, second] =
        round(builder, [&a, &b, &c], [&e, &f, &g, &h], &w[63], ROUND_CONSTANTS[63]);
    let [b, c, d, f, g, h, of_d] = [a, b, c, e, f, g, d].map(|word| number(&word));
    let sums = [first.clone() + second, b, c, d, of_d + first, f, g, h];
    let mut state = state.iter();
    sums.map(|sum| sum + number(state.next().expect("eight words")))
}

/// The number that a round adds to d, and the one that it adds to that for a: sums of five and two
/// numbers.
fn round(
    builder: &mut CircuitBuilder,
    [a, b, c]: [&Word; 3],
    [e, f, g, h]: [&Word; 4],
    w: &Word,
    k: u32,
) -> [Combination; 2] {
    let high = rotations(builder, e, [6, 11, 25]);
    let first = number(h) + high + choose(builder, e, f, g) + number(w) + Scalar::from(k).into();
    let low = rotations(builder, a, [2, 13, 22]);
    [first, low + majority(builder, a, b, c)]
}

/// 2^power for a power below 61.
fn two_to(power: usize) -> Scalar {
    Scalar::new(1 << power).expect("below p")
}

/// The word that a sum of `count` more bits is modulo 2^32.
fn modulo(builder: &mut CircuitBuilder, sum: Combination, count: usize) -> Word {
    let value = builder.value(&sum).value();
    let word: Word = (0..32).map(|i| builder.bit(value >> i & 1 == 1).into()).collect();
    carries(builder, sum - number(&word), value >> 32, count);
    word
}

/// Demands that `multiple` is 2^32 times a number of `count` bits, which is `carry`: the lowest bit
/// is what the others leave, times 2^-32 = 2^29.
fn carries(builder: &mut CircuitBuilder, multiple: Combination, carry: u64, count: usize) {
    let mut lowest = multiple * two_to(29);
    for i in 1..count {
        let bit = builder.bit(carry >> i & 1 == 1);
        lowest = lowest - Combination::from(bit) * two_to(i);
    }
    builder.constrain(lowest.clone(), lowest - Scalar::ONE.into(), Scalar::ZERO);
}

/// Whether a sum t of three bits is 2 or more.
fn two_of(builder: &mut CircuitBuilder, t: &Combination) -> Combination {
    // At most 3.
    let m = builder.secret(Scalar::from(builder.value(t).value() as u32 >> 1));
    let times = |k: u32| t.clone() - Combination::from(m) * Scalar::from(k);
    builder.constrain(t.clone(), times(4), times(6));
    m.into()
}

/// A sum t of three bits modulo 2.
fn odd(builder: &mut CircuitBuilder, t: &Combination) -> Combination {
    t.clone() - two_of(builder, t) * Scalar::from(2)
}

fn rotated(word: &Word, by: usize) -> impl Iterator<Item = &Combination> {
    word.iter().cycle().skip(by).take(32)
}

/// The number that the sum of three rotations modulo 2 is.
fn rotations(builder: &mut CircuitBuilder, word: &Word, by: [usize; 3]) -> Combination {
    let [x, y, z] = by.map(|by| rotated(word, by).cloned());
    let sums = x.zip(y).zip(z).map(|((x, y), z)| x + y + z);
    number(&sums.map(|t| odd(builder, &t)).collect::<Word>())
}

/// The same of two rotations and a shift.
fn sigma(builder: &mut CircuitBuilder, word: &Word, by: [usize; 2], shift: usize) -> Combination {
    let [x, y] = by.map(|by| rotated(word, by).cloned());
    let z = word[shift..].iter().cloned().chain(core::iter::repeat(Combination::default()));
    let sums = x.zip(y).zip(z).map(|((x, y), z)| x + y + z);
    number(&sums.map(|t| odd(builder, &t)).collect::<Word>())
}

/// The number of bits g + e (f - g).
fn choose(builder: &mut CircuitBuilder, e: &Word, f: &Word, g: &Word) -> Combination {
    let bits = e.iter().zip(f).zip(g);
    let chosen = bits.map(|((e, f), g)| {
        let product = builder.product(e.clone(), f.clone() - g.clone());
        g.clone() + product.into()
    });
    number(&chosen.collect::<Word>())
}

/// The number of bits that two of three words have.
fn majority(builder: &mut CircuitBuilder, a: &Word, b: &Word, c: &Word) -> Combination {
    let sums = a.iter().zip(b).zip(c).map(|((a, b), c)| a.clone() + b.clone() + c.clone());
    number(&sums.map(|t| two_of(builder, &t)).collect::<Word>())
}
