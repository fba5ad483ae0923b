//! A list as a family of equations, and what a proof of it needs besides.

use std::borrow::Cow;

use tautochrone_zk::argument::{Coefficient, Family, FamilyShape, InstanceErrors, UnknownPart};

use super::{BASE, Entry, Kind, RingList, RingSecret, TFHE_DIGITS};
use crate::proof::{List, hash};

/// Standard deviation up to which a carry takes a byte.
const LARGEST_DEVIATION: u64 = 22;

/// Adds 2^64 d to each target, d being the integer next to 2^-64 times the product of the mask and
/// 1/2 in each coefficient, which bits are on average. So carries are the carries of bits less 1/2.
fn add_means(mask: &[i64], targets: &mut [i128]) {
    // Coefficient y of the product with 1 in each coefficient is the sum of those up to y, less all
    // others.
    let all: i128 = mask.iter().map(|&a| i128::from(a)).sum();
    let mut sum = -all;
    for (target, &a) in targets.iter_mut().zip(mask) {
        sum += 2 * i128::from(a);
        *target += (sum + (1 << 64)) >> 65 << 64;
    }
}

impl RingList {
    /// Coefficients, centred, in eight bytes each, of factors without their multiples, and of
    /// others.
    fn bytes(&self, factors: &[Vec<i64>], others: &[Vec<i64>]) -> Vec<u8> {
        let all = factors.iter().step_by(self.secret.digits()).chain(others).flatten();
        all.flat_map(|x| x.to_le_bytes()).collect()
    }
}

impl Family for RingList {
    fn shape(&self) -> FamilyShape {
        let (secret, error) = (self.secret, self.error);
        let part = |blocks, low, high, is_shown, variance| UnknownPart {
            blocks,
            low,
            high,
            is_shown,
            variance,
        };
        let (name, parts, vectors, factor_variance) = match &self.kind {
            Kind::Rlwe => ("RLWE", vec![secret.part(1), error.part(1)], 1, secret.of_digits().1),
            Kind::Bfv { scales, .. } => {
                let message = part(scales[0].len() as u32, -8, 8, false, 21_500_000);
                let parts = vec![secret.part(1), message, error.part(2)];
                ("BFV encryption", parts, 2, secret.of_digits().1)
            }
            Kind::Tfhe => {
                let digits = part(TFHE_DIGITS as u32, -4, 3, true, 5_500_000);
                ("TFHE compact key", vec![part(2, 0, 1, true, 500_000), digits], 1, 250_000)
            }
        };
        // Of A s, of the message's digits, and of t.
        let of_message = if vectors == 2 { parts[1].blocks.into() } else { 0 };
        let carry_variance =
            (self.n as u64 * factor_variance + 21_500_000 * of_message) / 12 + 90_000;
        let one = carry_variance <= LARGEST_DEVIATION.pow(2) * 1_000_000;
        let carry_digits = if one { 1 } else { 2 };
        let errors = InstanceErrors::Committed { carry_digits, carry_variance };
        FamilyShape { name, n: self.n as u32, parts, moduli: self.moduli.repeat(vectors), errors }
    }

    fn instances(&self) -> u64 {
        self.entries.len() as u64
    }

    fn is_common(&self) -> bool {
        matches!(self.kind, Kind::Bfv { .. })
    }

    fn header(&self) -> Cow<'_, [u8]> {
        match &self.kind {
            Kind::Bfv { key, scales } => self.bytes(key, scales).into(),
            _ => (&[][..]).into(),
        }
    }

    /// Of a and b, or of c_0 and c_1; less the offset in b of TFHE.
    fn encoding(&self, instance: u64) -> Cow<'_, [u8]> {
        let Entry { factors, targets, .. } = &self.entries[instance as usize];
        self.bytes(factors, targets).into()
    }

    fn target(&self, instance: u64, row: usize, out: &mut [i128]) {
        let Entry { factors, targets, .. } = &self.entries[instance as usize];
        out.iter_mut().zip(&targets[row]).for_each(|(out, &t)| *out = t.into());
        if matches!(self.kind, Kind::Tfhe) {
            add_means(&factors[0], out);
        }
    }

    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>)) {
        let secrets = self.secret.digits();
        let factors = match &self.kind {
            Kind::Bfv { key, .. } => key,
            _ => &self.entries[instance as usize].factors,
        };
        for (block, factor) in factors[row * secrets..][..secrets].iter().enumerate() {
            see(block, Coefficient::Polynomial(factor));
        }
        let errors = match self.kind {
            // A bit, and digits.
            Kind::Tfhe => &[1, 1, 1 << 3, 1 << 6, 1 << 9, 1 << 12, 1 << 15][..],
            _ => &[1, BASE][..self.error.digits()],
        };
        let mut first = secrets;
        if let Kind::Bfv { scales, .. } = &self.kind {
            match scales.get(row) {
                Some(scales) => {
                    let pairs = scales.iter().enumerate();
                    pairs.for_each(|(i, &scale)| see(first + i, Coefficient::Integer(scale)));
                }
                // e_1 is behind e_0.
                None => first += errors.len(),
            }
            first += scales[0].len();
        }
        for (i, &scale) in errors.iter().enumerate() {
            see(first + i, Coefficient::Integer(scale));
        }
    }
}

impl List for RingList {
    type Secret = RingSecret;

    fn lifts(&self) -> u8 {
        32
    }

    /// The hash that a proof is bound to besides: of kind, purpose, how many there are, and of each
    /// the identity. Keys and ciphertexts enter the claim.
    fn context(&self) -> [u8; 32] {
        let count = (self.entries.len() as u64).to_le_bytes();
        let name = self.shape().name.as_bytes();
        let list = [&b"tautochrone rings"[..], name, &self.purpose, &count];
        hash(list.into_iter().chain(self.entries.iter().map(|entry| &entry.identity[..])))
    }

    fn unknowns(secret: &RingSecret) -> &[i8] {
        &secret.0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tautochrone_zk::Security;
    use tautochrone_zk::argument::Relation;

    use super::*;

    /// A target is a number of 64 bits with its sign and that multiple of 2^64 which is next to the
    /// product with bits that are 1/2.
    #[test]
    fn targets_of_tfhe_are_next_to_means() {
        let n = 8;
        let mask: Vec<u64> = (0..n).map(|i| (2 * i + 1) << 60 | i).collect();
        let body: Vec<u64> = (0..n).map(|i| i << 61).collect();
        let mut list = RingList::tfhe(n as usize, b"").unwrap();
        list.push_key(b"", std::slice::from_ref(&mask), std::slice::from_ref(&body)).unwrap();
        let mut targets = vec![0; n as usize];
        list.target(0, 0, &mut targets);
        for (y, (target, body)) in targets.into_iter().zip(body).enumerate() {
            let multiple = target - i128::from(body.wrapping_sub(18_724).cast_signed());
            assert_eq!(multiple & ((1 << 64) - 1), 0);
            let twice: i128 = (0..)
                .zip(&mask)
                .map(|(i, &a)| if i <= y { a.cast_signed() } else { -a.cast_signed() })
                .map(i128::from)
                .sum();
            assert!((2 * multiple - twice).abs() <= 1 << 64, "{y}");
        }
    }

    /// T and the proof of 64 keys, which parameters for the shortest proof alone make 2.70 MB.
    #[test]
    fn lists_are_short() {
        let mut list = RingList::tfhe(2048, b"").unwrap();
        let zeros = vec![vec![0; 2048]];
        (0..64).for_each(|_| list.push_key(b"", &zeros, &zeros).unwrap());
        let custom = Relation::optimise(Arc::new(list), 0).unwrap().1;
        let params = custom.validate(Security::Required).unwrap();
        let bytes = params.statement_bytes() + u128::from(params.expected_proof_bytes());
        // Besides, 760 elements of K.
        assert!(bytes + 760 * 32 < 2_580_000, "{bytes}");
    }
}
