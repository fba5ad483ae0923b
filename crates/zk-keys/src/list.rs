//! [`KeyList`]: public keys of one parameter set, with what they are proved for.

mod family;

use tautochrone_kem_keys::{Error, PublicKey, SEED_LEN, Secret, Set};
use tautochrone_zk::argument::{FamilyShape, InstanceErrors, Structure, UnknownPart};

/// What the keys of a set are as instances.
fn shape(set: Set) -> FamilyShape {
    let (structure, variance) = match set.blocks() {
        // Of the tables of FrodoKEM's standard, rounded up; sigma^2 + 1 / 12, about.
        640 => (Structure::Plain, 7_921_753),
        976 => (Structure::Plain, 5_372_193),
        1344 => (Structure::Plain, 2_042_450),
        // Binomial.
        _ => (Structure::Ring, 500_000 * set.bound() as u64),
    };
    let (low, high) = (-i32::from(set.bound()), set.bound().into());
    let secrets = UnknownPart { blocks: set.blocks() as u32, low, high, is_shown: true, variance };
    FamilyShape {
        name: set.name(),
        n: set.block_len() as u32,
        parts: vec![secrets],
        moduli: vec![set.modulus().into(); set.blocks()],
        errors: InstanceErrors::NotCommitted { low, high, structure },
    }
}

/// Public keys of one parameter set, in an order, each with an identity, for a purpose: what a
/// proof is about.
#[derive(Clone, Debug)]
pub struct KeyList {
    set: Set,
    purpose: Vec<u8>,
    keys: Vec<(Vec<u8>, PublicKey)>,
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
        let key = PublicKey::from_bytes(self.set, encoding)?;
        self.keys.push((identity.to_vec(), key));
        Ok(())
    }

    /// Adds the key of somebody as a file has it: in its standard encoding, or of ML-KEM as RFC
    /// 9935 has it, in DER or between the lines of a `PUBLIC KEY`.
    ///
    /// # Errors
    /// As [`Self::push`]; [`Error::Pem`], [`Error::Der`].
    pub fn push_any(&mut self, identity: &[u8], file: &[u8]) -> Result<(), Error> {
        let key = match Form::of(file, self.set, &[self.set.public_len()]) {
            Form::Pem => PublicKey::from_pem(text(file, "PUBLIC KEY")?)?,
            Form::Der => PublicKey::from_der(file)?,
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

    /// The secret of key `index` from its secret key in the standard encoding: of ML-KEM expanded,
    /// or the seed (d, z) of 64 bytes.
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
        self.keys[index].1.secret(encoding)
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
        let key = &self.keys[index].1;
        match Form::of(file, self.set, &[SEED_LEN, self.set.secret_len()]) {
            Form::Pem => key.secret_from_pem(text(file, "PRIVATE KEY")?),
            Form::Der => key.secret_from_der(file),
            Form::Standard => key.secret(file),
        }
    }

    fn key(&self, instance: u64) -> &PublicKey {
        &self.keys[instance as usize].1
    }
}

/// How a file has a key.
enum Form {
    Pem,
    Der,
    Standard,
}

impl Form {
    /// Keys of FrodoKEM have one form. No structure in DER is as long as a standard encoding of its
    /// set.
    fn of(file: &[u8], set: Set, standard: &[usize]) -> Self {
        if !set.is_ml_kem() {
            Self::Standard
        } else if file.starts_with(b"-----BEGIN") {
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

    /// Parameters are for the secrets that the standard draws: its tables have the probabilities,
    /// in 2^-16, of 0, of 1, of 2 and so on; negative integers have the same.
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
            let secrets = shape(name.parse().expect("a set")).parts[0];
            let all = table[0] + 2 * table[1..].iter().sum::<u64>();
            assert_eq!(all, 1 << 16, "{name}");
            let squares: u64 = (0..).zip(table).map(|(x, p)| 2 * x * x * p).sum();
            assert_eq!(secrets.variance, (squares * 1_000_000).div_ceil(1 << 16), "{name}");
            assert_eq!(secrets.high as usize, table.len() - 1, "{name}");
        }
    }
}
