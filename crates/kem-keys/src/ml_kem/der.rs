//! Keys in files: RFC 9935, in DER (X.690) and, within lines of text, as RFC 7468 has it.
//!
//! Nothing in these structures but the keys is free, and DER has one encoding of each: what stands
//! before a key is compared, not parsed.

use alloc::vec::Vec;

use tautochrone_simd::{declassify, declassify_slice};
use zeroize::Zeroizing;

use super::SEED_LEN;
use crate::error::Error;
use crate::key::PublicKey;
use crate::secret::Secret;
use crate::set::Set;

/// Files of ML-KEM keys. FrodoKEM has no such format.
impl PublicKey {
    /// Reads a SubjectPublicKeyInfo in DER, of any parameter set of ML-KEM.
    ///
    /// # Errors
    /// [`Error::Der`], [`Error::Coefficient`].
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        let read = |set: Set| {
            let len = set.public_len();
            // A string of bits, none of which is unused in its last byte.
            let key = [&header(0x03, 1 + len)[..], &[0]].concat();
            let key = body(der, &[&algorithm(set)?, &key], len)?;
            Some(Self::from_bytes(set, key))
        };
        Set::ALL.into_iter().find_map(read).unwrap_or(Err(Error::Der("an ML-KEM public key")))
    }

    /// [`Self::from_der`] of the text between the lines of a `PUBLIC KEY` of RFC 7468.
    ///
    /// # Errors
    /// [`Error::Pem`], and the errors of [`Self::from_der`].
    pub fn from_pem(pem: &str) -> Result<Self, Error> {
        Self::from_der(&decode(pem, "PUBLIC KEY")?)
    }

    /// [`Self::secret`] of a PrivateKeyInfo in DER: the seed, the expanded key, or both, which have
    /// to agree. Attributes and a public key are refused.
    ///
    /// # Errors
    /// [`Error::Der`], [`Error::Seed`], and the errors of [`Self::secret`].
    pub fn secret_from_der(&self, der: &[u8]) -> Result<Secret, Error> {
        let len = self.set.secret_len();
        let expanded = header(0x04, len);
        let both = [&header(0x30, 2 + SEED_LEN + expanded.len() + len)[..], &[0x04, 64]].concat();
        let read = |choice: &[u8], len: usize| {
            let key = header(0x04, choice.len() + len);
            body(der, &[&[0x02, 1, 0], &algorithm(self.set)?, &key, choice], len)
        };
        if let Some(key) = read(&[0x80, 64], SEED_LEN).or_else(|| read(&expanded, len)) {
            return self.secret(key);
        }
        let (seed, key) = read(&both, SEED_LEN + expanded.len() + len)
            .and_then(|both| both.split_at_checked(SEED_LEN))
            .and_then(|(seed, rest)| Some((seed, behind(&expanded, rest)?)))
            .ok_or(Error::Der("a private key of this parameter set, without attributes"))?;
        let (secret, own) = (self.secret(key)?, self.secret(seed)?);
        let z = seed[32..].iter().zip(&key[len - 32..]).map(|(a, b)| a ^ b);
        let s = secret.s().iter().zip(own.s()).map(|(a, b)| (a ^ b) as u8);
        // Whether a key is refused is public.
        if declassify(z.chain(s).fold(0, |all, x| all | x)) == 0 {
            Ok(secret)
        } else {
            Err(Error::Seed)
        }
    }

    /// [`Self::secret_from_der`] of the text between the lines of a `PRIVATE KEY` of RFC 7468.
    ///
    /// # Errors
    /// [`Error::Pem`], and the errors of [`Self::secret_from_der`].
    pub fn secret_from_pem(&self, pem: &str) -> Result<Secret, Error> {
        self.secret_from_der(&decode(pem, "PRIVATE KEY")?)
    }
}

/// Tag and length of what has `len` bytes, at most 2^16 - 1.
fn header(tag: u8, len: usize) -> Vec<u8> {
    let [high, low] = (len as u16).to_be_bytes();
    match len {
        0..=0x7f => alloc::vec![tag, low],
        0x80..=0xff => alloc::vec![tag, 0x81, low],
        _ => alloc::vec![tag, 0x82, high, low],
    }
}

/// The AlgorithmIdentifier id-alg-ml-kem-*, 2.16.840.1.101.3.4.4.*, without parameters.
fn algorithm(set: Set) -> Option<[u8; 13]> {
    let last = set.is_ml_kem().then(|| set.blocks() as u8 - 1)?;
    Some([0x30, 11, 0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, last])
}

/// The last `len` bytes of `der` if it is a sequence of `parts` and these.
fn body<'a>(der: &'a [u8], parts: &[&[u8]], len: usize) -> Option<&'a [u8]> {
    let parts = parts.concat();
    let start = [header(0x30, parts.len() + len), parts].concat();
    if der.len() == start.len() + len { behind(&start, der) } else { None }
}

/// The bytes behind `start`.
fn behind<'a>(start: &[u8], der: &'a [u8]) -> Option<&'a [u8]> {
    let (head, key) = der.split_at_checked(start.len())?;
    // No part of a key.
    declassify_slice(head);
    (head == start).then_some(key)
}

/// The bytes of a text of RFC 7468, in lines of 64 characters but the last, which may be shorter.
/// Its characters are secret, their number is not.
fn decode(pem: &str, label: &'static str) -> Result<Zeroizing<Vec<u8>>, Error> {
    let read = || {
        let text = pem.strip_prefix("-----BEGIN ")?.strip_prefix(label)?.strip_prefix("-----")?;
        let end = if text.starts_with('\r') { "\r\n" } else { "\n" };
        let text = text.strip_suffix(end).unwrap_or(text).strip_prefix(end)?;
        let text = text.strip_suffix("-----")?.strip_suffix(label)?.strip_suffix("-----END ")?;
        let lines = text.as_bytes().chunks(64 + end.len());
        let lines: Vec<_> =
            lines.map(|line| line.strip_suffix(end.as_bytes())).collect::<Option<_>>()?;
        let last = lines.last().filter(|last| !last.is_empty() && last.len().is_multiple_of(4))?;
        // As many as the number of bytes wants.
        let padding = last.iter().rev().take(2).take_while(|&&byte| declassify(byte == b'='));
        let count = 64 * (lines.len() - 1) + last.len() - padding.count();
        // Never grows, so that no copy stays behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(count));
        let (mut refused, mut buffer, mut bits) = (0, 0, 0);
        for &byte in lines.iter().copied().flatten().take(count) {
            let six = sextet(byte);
            refused |= six;
            (buffer, bits) = (buffer << 6 | six & 63, bits + 6);
            if bits >= 8 {
                bits -= 8;
                bytes.push((buffer >> bits) as u8);
                buffer &= (1 << bits) - 1;
            }
        }
        // Bits that fill no byte have to be 0. Whether a key is refused is public.
        (declassify(refused | -buffer) >= 0).then_some(bytes)
    };
    read().ok_or(Error::Pem(label))
}

/// The six bits of a character of base64, or -1.
fn sextet(byte: u8) -> i32 {
    let byte = i32::from(byte);
    let value = |first: u8, last: u8, value: i32| {
        // All ones from first to last.
        let within = !(byte - i32::from(first) | i32::from(last) - byte) >> 31;
        within & (byte - i32::from(first) + value + 1)
    };
    let letters = value(b'A', b'Z', 0) | value(b'a', b'z', 26);
    (letters | value(b'0', b'9', 52) | value(b'+', b'+', 62) | value(b'/', b'/', 63)) - 1
}
