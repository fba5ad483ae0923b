//! [`KeyList`]: public keys of one parameter set, with what they are proved for.

mod family;

use std::str::FromStr;

use tautochrone_kem_keys::frodo::{self, COLUMNS};
use tautochrone_kem_keys::ml_kem::{self, DEGREE, SEED_LEN};
use tautochrone_kem_keys::{Error, Secret};
use tautochrone_zk::argument::{FamilyShape, InstanceErrors, Structure, UnknownPart};

/// A parameter set. As text it has the standard's name, ML-KEM-512 or FrodoKEM-640-SHAKE, say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Set {
    /// FIPS 203.
    MlKem(ml_kem::Set),
    /// ISO/IEC 18033-2, amendment 2.
    Frodo(frodo::Set),
}

impl Set {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let ml_kem = ml_kem::Set::ALL.into_iter().map(Self::MlKem);
        ml_kem.chain(frodo::Set::ALL.into_iter().map(Self::Frodo))
    }

    /// The standard's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MlKem(set) => set.name(),
            Self::Frodo(set) => set.name(),
        }
    }

    fn shape(self) -> FamilyShape {
        let (structure, n, blocks, bound, modulus, variance) = match self {
            Self::MlKem(set) => {
                // Binomial.
                let variance = 500_000 * set.bound() as u64;
                (Structure::Ring, DEGREE, set.rank(), set.bound(), 3329, variance)
            }
            Self::Frodo(set) => {
                // Of the tables of the standard, rounded up; sigma^2 + 1 / 12, about.
                let variance = match set.rows() {
                    640 => 7_921_753,
                    976 => 5_372_193,
                    _ => 2_042_450,
                };
                let modulus = 1 << set.modulus_bits();
                (Structure::Plain, COLUMNS, set.rows(), set.bound(), modulus, variance)
            }
        };
        let (low, high) = (-i32::from(bound), bound.into());
        let secrets = UnknownPart { blocks: blocks as u32, low, high, is_shown: true, variance };
        FamilyShape {
            name: self.name(),
            n: n as u32,
            parts: vec![secrets],
            moduli: vec![modulus; blocks],
            errors: InstanceErrors::NotCommitted { low, high, structure },
        }
    }
}

impl core::fmt::Display for Set {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// No parameter set has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no parameter set {0}: expected ML-KEM-512, -768, -1024, FrodoKEM-640-SHAKE, .. or -1344-AES"
)]
pub struct NoSet(String);

/// In any case.
impl FromStr for Set {
    type Err = NoSet;

    fn from_str(name: &str) -> Result<Self, NoSet> {
        let mut all = Self::all();
        all.find(|set| set.name().eq_ignore_ascii_case(name)).ok_or_else(|| NoSet(name.into()))
    }
}

#[derive(Clone, Debug)]
enum Key {
    MlKem(ml_kem::EncapsulationKey),
    Frodo(frodo::PublicKey),
}

impl Key {
    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::MlKem(key) => key.as_bytes(),
            Self::Frodo(key) => key.as_bytes(),
        }
    }
}

/// Public keys of one parameter set, in an order, each with an identity, for a purpose: what a proof
/// is about.
#[derive(Clone, Debug)]
pub struct KeyList {
    set: Set,
    purpose: Vec<u8>,
    keys: Vec<(Vec<u8>, Key)>,
}

impl KeyList {
    /// Without keys. A purpose is any bytes, a date or a nonce among them: a proof for one is not
    /// valid for another.
    #[must_use]
    pub fn new(set: Set, purpose: &[u8]) -> Self {
        Self { set, purpose: purpose.to_vec(), keys: Vec::new() }
    }

    /// Adds the key of somebody, in its standard encoding.
    ///
    /// # Errors
    /// [`Error::PublicLength`]; [`Error::Coefficient`] of ML-KEM.
    pub fn push(&mut self, identity: &[u8], encoding: &[u8]) -> Result<(), Error> {
        let key = match self.set {
            Set::MlKem(set) => Key::MlKem(ml_kem::EncapsulationKey::from_bytes(set, encoding)?),
            Set::Frodo(set) => Key::Frodo(frodo::PublicKey::from_bytes(set, encoding)?),
        };
        self.keys.push((identity.to_vec(), key));
        Ok(())
    }

    /// Adds the key of somebody as a file has it: in its standard encoding, or of ML-KEM as RFC 9935
    /// has it, in DER or between the lines of a `PUBLIC KEY`.
    ///
    /// # Errors
    /// As [`Self::push`]; [`Error::Pem`], [`Error::Der`].
    pub fn push_any(&mut self, identity: &[u8], file: &[u8]) -> Result<(), Error> {
        let Set::MlKem(set) = self.set else { return self.push(identity, file) };
        let key = match Form::of(file, &[set.public_len()]) {
            Form::Pem => ml_kem::EncapsulationKey::from_pem(text(file, "PUBLIC KEY")?)?,
            Form::Der => ml_kem::EncapsulationKey::from_der(file)?,
            Form::Standard => return self.push(identity, file),
        };
        // Which set it is of is seen there.
        self.push(identity, key.as_bytes())
    }

    /// The parameter set.
    #[must_use]
    pub const fn set(&self) -> Set {
        self.set
    }

    /// How many keys there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The secret of key `index` from its secret key in the standard encoding: of ML-KEM expanded, or
    /// the seed (d, z) of 64 bytes.
    ///
    /// # Constant time
    /// In the secret key, but for whether it is refused, and why.
    ///
    /// # Panics
    /// If there is no such key.
    ///
    /// # Errors
    /// [`Error::SecretLength`]; [`Error::OtherPublicKey`], [`Error::Hash`], [`Error::Secret`] or
    /// [`Error::Mismatch`] if it is not the secret key of this public key.
    pub fn secret(&self, index: usize, encoding: &[u8]) -> Result<Secret, Error> {
        match &self.keys[index].1 {
            Key::MlKem(key) => key.secret(encoding),
            Key::Frodo(key) => key.secret(encoding),
        }
    }

    /// [`Self::secret`] of a secret key as a file has it: in its standard encoding, or of ML-KEM as
    /// RFC 9935 has it, in DER or between the lines of a `PRIVATE KEY`.
    ///
    /// # Constant time
    /// In the secret key, but for the form of the file, and whether it is refused, and why.
    ///
    /// # Panics
    /// If there is no such key.
    ///
    /// # Errors
    /// As [`Self::secret`]; [`Error::Pem`], [`Error::Der`], [`Error::Seed`].
    pub fn secret_any(&self, index: usize, file: &[u8]) -> Result<Secret, Error> {
        let Key::MlKem(key) = &self.keys[index].1 else { return self.secret(index, file) };
        match Form::of(file, &[SEED_LEN, key.set().secret_len()]) {
            Form::Pem => key.secret_from_pem(text(file, "PRIVATE KEY")?),
            Form::Der => key.secret_from_der(file),
            Form::Standard => key.secret(file),
        }
    }

    fn key(&self, instance: u64) -> &Key {
        &self.keys[instance as usize].1
    }
}

/// How a file has an ML-KEM key.
enum Form {
    Pem,
    Der,
    Standard,
}

impl Form {
    /// No structure in DER is as long as a standard encoding of its set.
    fn of(file: &[u8], standard: &[usize]) -> Self {
        if file.starts_with(b"-----BEGIN") {
            Self::Pem
        } else if !standard.contains(&file.len()) && file.first() == Some(&0x30) {
            Self::Der
        } else {
            Self::Standard
        }
    }
}

fn text<'a>(file: &'a [u8], label: &'static str) -> Result<&'a str, Error> {
    str::from_utf8(file).map_err(|_| Error::Pem(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters are for the secrets that the standard draws: its tables have the probabilities, in
    /// 2^-16, of 0, of 1, of 2 and so on; negative integers have the same.
    #[test]
    fn variances_of_frodo_are_those_of_its_tables() {
        let tables: [(&str, &[u64]); 3] = [
            (
                "FrodoKEM-640-AES",
                &[9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1],
            ),
            ("FrodoKEM-976-AES", &[11278, 10277, 7774, 4882, 2545, 1101, 396, 118, 29, 6, 1]),
            ("FrodoKEM-1344-AES", &[18286, 14320, 6876, 2023, 364, 40, 2]),
        ];
        for (name, table) in tables {
            let secrets = name.parse::<Set>().expect("a set").shape().parts[0];
            let all = table[0] + 2 * table[1..].iter().sum::<u64>();
            assert_eq!(all, 1 << 16, "{name}");
            let squares: u64 = (0..).zip(table).map(|(x, p)| 2 * x * x * p).sum();
            assert_eq!(secrets.variance, (squares * 1_000_000).div_ceil(1 << 16), "{name}");
            assert_eq!(secrets.high as usize, table.len() - 1, "{name}");
        }
    }
}
