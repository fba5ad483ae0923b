//! [`Transcript`]: the chain of hashes that an argument's messages and challenges go through.
//!
//! D_0 = H("argument", A, T, slot, fact) is made by [`Transcript::begin`]; a message continues it
//! as H("argument message", D_i, label, message), a challenge as H("argument challenge", D_i,
//! label). The context of a proof, its n, sigma, B^2, d and encoding are not in it: all proofs of
//! one fact about one T must have the same challenges, as they have the same pads.

use alloc::vec::Vec;

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use crate::error::{Error, Fault, Reason, ShardProblem};
use crate::field::{Coefficients as _, ElementOf, Field, MAX_UNIFORM_LEN};
use crate::hash::{Digest, Hasher, Xof};
use crate::suite::HashSuite;

/// One hash for all chains, with all parameters.
pub(crate) const CHAIN: HashSuite = HashSuite::Blake3;

/// The hash of D_0, to which fields are added.
pub(crate) fn start() -> Hasher {
    Hasher::new(CHAIN, "argument")
}

/// The hash of a circuit, to which its numbers are added.
pub(crate) fn circuit(is_over_goldilocks: bool) -> Hasher {
    Hasher::new(CHAIN, if is_over_goldilocks { "circuit over Goldilocks" } else { "circuit" })
}

/// The hash of a claim about values that were committed before, to which its parts are added.
pub(crate) fn claim_about_inputs() -> Hasher {
    Hasher::new(CHAIN, "claim about inputs")
}

/// A chain of hashes.
#[derive(Clone, Debug)]
pub(crate) struct Transcript {
    state: Digest,
    /// Challenges that were drawn, where they are fixed.
    #[cfg(test)]
    drawn: i128,
}

impl Transcript {
    /// A chain from D_0.
    pub(crate) fn begin(start: Hasher) -> Self {
        Self {
            state: start.finish(),
            #[cfg(test)]
            drawn: 0,
        }
    }

    /// D_i.
    pub(crate) const fn state(&self) -> &Digest {
        &self.state
    }

    /// Continues with a message of the prover's.
    pub(crate) fn absorb<F: Field>(&mut self, label: &str, message: &[ElementOf<F>]) {
        let bytes = encode(message);
        self.state = Hasher::new(CHAIN, "argument message")
            .field(self.state.as_bytes())
            .field(label.as_bytes())
            .field(&bytes)
            .finish();
    }

    /// A challenge of the verifier's: the first 72 bytes, or 64 over P127, of XOF("argument
    /// element", D_(i+1)).
    pub(crate) fn challenge<F: Field>(&mut self, label: &str) -> ElementOf<F> {
        #[cfg(test)]
        if let Some(element) = fixed::challenge(self.drawn) {
            self.drawn += 1;
            return element;
        }
        self.state = Hasher::new(CHAIN, "argument challenge")
            .field(self.state.as_bytes())
            .field(label.as_bytes())
            .finish();
        let mut bytes = [0; MAX_UNIFORM_LEN];
        let bytes = &mut bytes[..F::Coefficients::COUNT * F::UNIFORM_LEN];
        Xof::new(CHAIN, "argument element", &self.state).read_at(0, bytes);
        ElementOf::from_uniform(bytes)
    }
}

/// Challenges that do not depend on what is sent, for tests of masks.
#[cfg(test)]
pub(crate) mod fixed {
    use core::cell::Cell;

    use super::{ElementOf, Field};
    use crate::field::Coefficients as _;

    std::thread_local! {
        static FIXED: Cell<bool> = const { Cell::new(false) };
    }

    /// Challenge number `drawn`, where challenges are fixed.
    pub(crate) fn challenge<F: Field>(drawn: i128) -> Option<ElementOf<F>> {
        let integers = [7 * drawn + 3, 1 << (drawn % 60), drawn * drawn - 50];
        let mut element = F::Coefficients::ZERO;
        let residues = element.as_mut().iter_mut().zip(integers);
        residues.for_each(|(residue, integer)| *residue = F::residue(integer));
        FIXED.get().then(|| ElementOf::from_residues(element))
    }

    /// Calls `f` with the same challenges as ever, on this thread.
    pub(crate) fn with<T>(f: impl FnOnce() -> T) -> T {
        FIXED.set(true);
        let result = f();
        FIXED.set(false);
        result
    }
}

/// Elements one after the other, 24 or 32 bytes each, as they travel between machines and are
/// hashed. Secret if they are; [`decode`] reads them.
#[must_use]
pub fn encode<F: Field>(elements: &[ElementOf<F>]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(F::ELEMENT_LEN * elements.len()));
    for element in elements {
        bytes.extend(element.to_bytes());
    }
    bytes
}

/// `count` elements one after the other.
///
/// # Errors
/// [`Error::Shard`] if the bytes are anything else.
///
/// # Constant time
/// In the elements, but for whether they all are some.
pub fn decode<F: Field>(bytes: &[u8], count: usize) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
    if bytes.len() != count.saturating_mul(F::ELEMENT_LEN) {
        return Err(Error::Shard(ShardProblem::Elements));
    }
    let mut elements = Zeroizing::new(Vec::with_capacity(count));
    let mut reduced = true;
    for bytes in bytes.chunks_exact(F::ELEMENT_LEN) {
        let (element, is_reduced) = ElementOf::from_slice(bytes);
        reduced &= is_reduced;
        elements.push(element);
    }
    if declassify(reduced) { Ok(elements) } else { Err(Error::Shard(ShardProblem::Elements)) }
}

/// The next `count` elements of a file, and what is behind them.
///
/// # Errors
/// [`Reason::Content`].
pub(crate) fn split_elements<F: Field>(
    body: &[u8],
    count: usize,
) -> Result<(Vec<ElementOf<F>>, &[u8]), Reason> {
    let (elements, rest) = body.split_at_checked(F::ELEMENT_LEN * count).ok_or(Fault::Encoding)?;
    let mut decoded = Vec::with_capacity(count);
    for (index, bytes) in (0..).zip(elements.chunks_exact(F::ELEMENT_LEN)) {
        let (element, is_reduced) = ElementOf::from_slice(bytes);
        decoded.push(is_reduced.then_some(element).ok_or(Fault::FieldElement { index })?);
    }
    Ok((decoded, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Element, Goldilocks, P, P61};

    #[test]
    fn elements_travel() {
        let elements: Vec<Element> = (-3..4).map(Element::from).collect();
        let bytes = encode(&elements);
        assert_eq!(decode(&bytes, 7).unwrap()[..], elements);
        assert!(decode::<P61>(&[], 0).unwrap().is_empty());
        let is_refused = |bytes: &[u8], count| {
            let refused = decode::<P61>(bytes, count);
            assert!(matches!(refused, Err(Error::Shard(ShardProblem::Elements))), "{refused:?}");
        };
        for count in [0, 6, 8, usize::MAX] {
            is_refused(&bytes, count);
        }
        is_refused(&[&bytes[..], &[0]].concat(), 7);
        // Each coefficient is below p.
        for place in 0..21 {
            for word in [P, P + 1, 1 << 61, 1 << 63, u64::MAX] {
                let mut other = bytes.to_vec();
                other[8 * place..8 * (place + 1)].copy_from_slice(&word.to_le_bytes());
                is_refused(&other, 7);
            }
        }
        let largest = [P - 1; 3].map(u64::to_le_bytes).concat();
        assert_eq!(decode(&largest, 1).unwrap()[..], [Element::from_integers([-1; 3])]);
    }

    #[test]
    fn words_of_goldilocks_travel() {
        let p = Goldilocks::P;
        let bytes = [0, p - 1, 1 << 61].map(u64::to_le_bytes).concat();
        let decoded = decode::<Goldilocks>(&bytes, 1).unwrap();
        assert_eq!(
            (decoded[0].coefficients(), &encode(&decoded)[..]),
            ([0, p - 1, 1 << 61], &bytes[..])
        );
        for word in [p, p + 1, u64::MAX] {
            let bytes = [0, word, 0].map(u64::to_le_bytes).concat();
            assert!(decode::<Goldilocks>(&bytes, 1).is_err());
        }
    }
}
