//! Poseidon2 (Grassi, Khovratovich, Schofnegger, AFRICACRYPT 2023) over p = 2^61 - 1 as a circuit:
//! about 550 constraints a permutation.
//!
//! The instance is ours, as none is published for this field: twelve elements, of which seven take
//! a message, S-boxes x^17, and round numbers, constants and the internal matrix by the designers'
//! rules. `poseidon2.py`, written from the papers, derives all of them and the known answers that
//! the test compares with.

use tautochrone_zk::argument::{CircuitBuilder, Combination, P, Scalar};

use super::inputs::{self, BYTES};

const WIDTH: usize = 12;
/// Elements that take a message; the others are the capacity: 305 bits.
const RATE: usize = 7;
/// Elements of a digest.
pub(crate) const DIGEST: usize = 5;
/// Full rounds before and after the partial ones.
const HALF: usize = 4;
const PARTIAL: usize = 12;
/// The internal matrix has ones, and beside them 29, 58, .., 348 in the diagonal.
const DIAGONAL_STEP: u32 = 29;
const M4: [[u32; 4]; 4] = [[5, 7, 1, 3], [4, 6, 1, 1], [1, 3, 5, 7], [1, 1, 4, 6]];

/// The Grain LFSR in self-shrinking mode (Poseidon, appendix E).
struct Grain {
    state: [bool; 80],
    at: usize,
}

impl Grain {
    fn new() -> Self {
        let mut bits = Vec::new();
        let fields = [(1, 2), (0, 4), (61, 12), (WIDTH, 12), (2 * HALF, 10), (PARTIAL, 10)];
        for (value, width) in fields {
            bits.extend((0..width).rev().map(|i| value >> i & 1 == 1));
        }
        bits.resize(80, true);
        let mut grain = Self { state: bits.try_into().expect("80 bits"), at: 0 };
        for _ in 0..160 {
            grain.step();
        }
        grain
    }

    fn step(&mut self) -> bool {
        let taps = [62, 51, 38, 23, 13, 0];
        let bit = taps.iter().fold(false, |bit, tap| bit ^ self.state[(self.at + tap) % 80]);
        self.state[self.at] = bit;
        self.at = (self.at + 1) % 80;
        bit
    }

    fn bit(&mut self) -> bool {
        loop {
            let (keep, bit) = (self.step(), self.step());
            if keep {
                return bit;
            }
        }
    }

    fn element(&mut self) -> Scalar {
        loop {
            let value = (0..61).fold(0, |value, _| 2 * value + u64::from(self.bit()));
            if value < P {
                return Scalar::new(value).expect("below p");
            }
        }
    }
}

/// x^17.
fn power(builder: &mut CircuitBuilder, x: Combination) -> Combination {
    let mut square = builder.product(x.clone(), x.clone());
    for _ in 0..3 {
        square = builder.product(square, square);
    }
    builder.product(square, x).into()
}

/// circ(2 M4, M4, M4).
fn external(state: &[Combination]) -> Vec<Combination> {
    let row = |i: usize| {
        let terms = state.iter().enumerate().map(|(j, x)| {
            let double = if i / 4 == j / 4 { 2 } else { 1 };
            x.clone() * Scalar::from(double * M4[i % 4][j % 4])
        });
        terms.fold(Combination::default(), |sum, term| sum + term)
    };
    (0..WIDTH).map(row).collect()
}

fn internal(state: &[Combination]) -> Vec<Combination> {
    let sum = state.iter().fold(Combination::default(), |sum, x| sum + x.clone());
    let row = |(x, factor): (&Combination, u32)| {
        sum.clone() + x.clone() * Scalar::from(DIAGONAL_STEP * factor)
    };
    state.iter().zip(1..).map(row).collect()
}

fn permute(builder: &mut CircuitBuilder, state: &[Combination]) -> Vec<Combination> {
    let mut grain = Grain::new();
    let mut state = external(state);
    for round in 0..2 * HALF + PARTIAL {
        let full = !(HALF..HALF + PARTIAL).contains(&round);
        for x in &mut state[..if full { WIDTH } else { 1 }] {
            *x = power(builder, x.clone() + grain.element().into());
        }
        state = if full { external(&state) } else { internal(&state) };
    }
    state
}

/// The digest of a message, whose bits are wires: seven bytes an element, seven elements a block,
/// and the length in the capacity. Where the message was committed to, its elements are the first
/// secret wires, and these their bits.
fn absorb(builder: &mut CircuitBuilder, message: &[u8], committed: bool) -> Vec<Combination> {
    let mut state = vec![Combination::default(); WIDTH];
    state[RATE] = Scalar::from(message.len() as u32).into();
    let inputs = committed.then(|| inputs::wires(builder, message));
    let mut inputs = inputs.iter().flatten();
    let mut blocks: Vec<&[u8]> = message.chunks(BYTES * RATE).collect();
    blocks.resize(blocks.len().max(1), &[]);
    for block in blocks {
        for (x, bytes) in state.iter_mut().zip(block.chunks(BYTES)) {
            let bit = |i: usize| bytes[i / 8] >> (i % 8) & 1 == 1;
            let element = if let Some(&input) = inputs.next() {
                builder.bits(input, 8 * bytes.len());
                input.into()
            } else {
                let bits: Vec<_> = (0..8 * bytes.len()).map(|i| builder.bit(bit(i))).collect();
                builder.number(&bits)
            };
            *x = core::mem::take(x) + element;
        }
        state = permute(builder, &state);
    }
    state.truncate(DIGEST);
    state
}

/// The digest: five elements of eight bytes, little-endian.
pub(crate) fn digest(message: &[u8]) -> [u8; 8 * DIGEST] {
    let mut builder = CircuitBuilder::new();
    let state = absorb(&mut builder, message, false);
    let mut out = [0; 8 * DIGEST];
    for (out, x) in out.as_chunks_mut::<8>().0.iter_mut().zip(&state) {
        *out = builder.value(x).value().to_le_bytes();
    }
    out
}

/// Adds wires for a message, which are secret, and constraints that its digest is the public
/// inputs. The circuit depends on the length of the message alone, and on whether that was
/// committed to.
pub(crate) fn preimage(
    builder: &mut CircuitBuilder,
    message: &[u8],
    committed: bool,
    digest: [Scalar; DIGEST],
) {
    let public = digest.map(|x| builder.public(x));
    for (x, public) in absorb(builder, message, committed).into_iter().zip(public) {
        builder.equal(x, public);
    }
}

/// The elements of a digest; `None` if these bytes are none.
pub(crate) fn elements(digest: &[u8]) -> Option<[Scalar; DIGEST]> {
    let (words, rest) = digest.as_chunks::<8>();
    let words: Option<Vec<Scalar>> =
        words.iter().map(|word| Scalar::new(u64::from_le_bytes(*word))).collect();
    words?.try_into().ok().filter(|_| rest.is_empty())
}
