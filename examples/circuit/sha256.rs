//! SHA-256 (FIPS 180-4) as a circuit: about 27 000 constraints a block.

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
    for (word, public) in absorb(builder, message, committed).iter().zip(public) {
        builder.equal(number(word), public);
    }
}

/// The digest, as the circuit computes it.
pub(crate) fn digest(message: &[u8]) -> [u8; 32] {
    let mut builder = CircuitBuilder::new();
    let state = absorb(&mut builder, message, false);
    let mut out = [0; 32];
    for (out, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(&state) {
        // A word of 32 bits.
        *out = (builder.value(&number(word)).value() as u32).to_be_bytes();
    }
    out
}

/// Where the message was committed to, its values are the first secret wires.
fn absorb(builder: &mut CircuitBuilder, message: &[u8], committed: bool) -> Vec<Word> {
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
    let mut state: Vec<Word> = INITIAL.map(constant_word).to_vec();
    for block in bits.chunks(512) {
        let words = block.chunks(32).map(|word| word.iter().rev().cloned().collect()).collect();
        compress(builder, &mut state, words);
    }
    state
}

fn constant(bit: bool) -> Combination {
    Scalar::from(bit).into()
}

fn constant_word(word: u32) -> Word {
    (0..32).map(|i| constant(word >> i & 1 == 1)).collect()
}

/// The number that a word is.
fn number(word: &Word) -> Combination {
    let terms = word.iter().enumerate().map(|(i, bit)| bit.clone() * Scalar::from(1_u32 << i));
    terms.fold(Combination::default(), |sum, term| sum + term)
}

fn compress(builder: &mut CircuitBuilder, state: &mut [Word], mut w: Vec<Word>) {
    for t in 16..64 {
        let low = sigma(builder, &w[t - 15], [7, 18], 3);
        let high = sigma(builder, &w[t - 2], [17, 19], 10);
        let sum = number(&w[t - 16]) + number(&low) + number(&w[t - 7]) + number(&high);
        w.push(modulo(builder, sum, 2));
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h]: [Word; 8] =
        core::array::from_fn(|i| state[i].clone());
    for (w, k) in w.iter().zip(ROUND_CONSTANTS) {
        let high = rotations(builder, &e, [6, 11, 25]);
        let choice = choose(builder, &e, &f, &g);
        let first = number(&h) + number(&high) + number(&choice) + Scalar::from(k).into();
        let first = first + number(w);
        let low = rotations(builder, &a, [2, 13, 22]);
        let majority = majority(builder, &a, &b, &c);
        let second = number(&low) + number(&majority);
        (h, g, f) = (g, f, e);
        e = modulo(builder, number(&d) + first.clone(), 3);
        (d, c, b) = (c, b, a);
        a = modulo(builder, first + second, 3);
    }
    for (word, other) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = modulo(builder, number(word) + number(&other), 1);
    }
}

/// A sum modulo 2^32, which is below 2^(32 + more).
fn modulo(builder: &mut CircuitBuilder, sum: Combination, more: usize) -> Word {
    let bits = builder.bits(sum, 32 + more);
    bits[..32].iter().map(|&bit| bit.into()).collect()
}

/// x + y - 2 x y.
fn xor(builder: &mut CircuitBuilder, x: &Combination, y: &Combination) -> Combination {
    let both = builder.product(x.clone(), y.clone());
    x.clone() + y.clone() - Combination::from(both) * Scalar::from(2)
}

fn rotated(word: &Word, by: usize) -> impl Iterator<Item = &Combination> {
    word.iter().cycle().skip(by).take(32)
}

fn rotations(builder: &mut CircuitBuilder, word: &Word, by: [usize; 3]) -> Word {
    let [x, y, z] = by.map(|by| rotated(word, by));
    x.zip(y)
        .zip(z)
        .map(|((x, y), z)| {
            let two = xor(builder, x, y);
            xor(builder, &two, z)
        })
        .collect()
}

/// Two rotations and a shift.
fn sigma(builder: &mut CircuitBuilder, word: &Word, by: [usize; 2], shift: usize) -> Word {
    let [x, y] = by.map(|by| rotated(word, by));
    x.zip(y)
        .enumerate()
        .map(|(i, (x, y))| {
            let two = xor(builder, x, y);
            match word.get(i + shift) {
                Some(z) => xor(builder, &two, z),
                None => two,
            }
        })
        .collect()
}

/// g + e (f - g).
fn choose(builder: &mut CircuitBuilder, e: &Word, f: &Word, g: &Word) -> Word {
    let bits = e.iter().zip(f).zip(g);
    bits.map(|((e, f), g)| {
        let product = builder.product(e.clone(), f.clone() - g.clone());
        g.clone() + product.into()
    })
    .collect()
}

/// b c + a (b + c - 2 b c).
fn majority(builder: &mut CircuitBuilder, a: &Word, b: &Word, c: &Word) -> Word {
    let bits = a.iter().zip(b).zip(c);
    bits.map(|((a, b), c)| {
        let both = Combination::from(builder.product(b.clone(), c.clone()));
        let one = b.clone() + c.clone() - both.clone() * Scalar::from(2);
        both + builder.product(a.clone(), one).into()
    })
    .collect()
}
