//! [`OwnerDigest`]: how a prover knows a T that it computed itself from one that was altered.
//!
//! Pads of arguments are rows of S, and their challenges come from T. About a T* that differs from
//! A S in a single bit, a prover would answer other challenges under the same pads, and two answers
//! show what the pads were to hide (docs/protocol.md, section 12). So every argument compares T
//! with S before anything of it is returned.

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use crate::erase::redacted;
use crate::hash::{Digest, Hasher};
use crate::suite::HashSuite;

/// H("owner", H(S), D) of a witness S and the statement T = A S, in no context.
#[derive(Clone)]
pub(crate) struct OwnerDigest(Zeroizing<[u8; 32]>);

redacted!("OwnerDigest", OwnerDigest);

impl OwnerDigest {
    /// Of H(S) and D.
    pub(crate) fn new(suite: HashSuite, s: &Digest, d: &Digest) -> Self {
        let hasher = Hasher::new(suite, "owner").field(s.as_bytes()).field(d.as_bytes());
        Self(Zeroizing::new(hasher.finish_key()))
    }

    /// The digest as it is stored.
    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest as it was stored.
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// # Constant time
    /// In both, but for the verdict.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let pairs = self.0.iter().zip(other.0.iter());
        declassify(pairs.fold(0, |difference, (x, y)| difference | (x ^ y))) == 0
    }
}

/// The known origin of T.
#[derive(Clone, Debug, Default)]
pub(crate) enum Owner {
    /// Nothing: a prover multiplies A by S and compares.
    #[default]
    Unknown,
    /// The witness of this digest alone.
    Digest(OwnerDigest),
    /// This process, from columns that it has compared already and others that it made itself.
    Compared,
}

#[cfg(test)]
pub(crate) mod tests {
    use tautochrone_ctr::Seed;

    use crate::cases::waived;
    use crate::error::Error;
    use crate::matrix::PublicMatrix;
    use crate::params::{CustomParams, Security};
    use crate::statement::Statement;
    use crate::witness::RandomWitness;

    /// Every prover of an argument, `prove`, answers about the statement of its witness alone: of
    /// its file with one bit altered nothing is returned, whether or not it has an owner's digest;
    /// of the file itself it makes the same proof with that digest and without.
    pub(crate) fn check_prover(
        statement: &Statement,
        file: &[u8],
        prove: impl Fn(&Statement, &Vec<u8>) -> Result<Vec<u8>, Error>,
    ) {
        let digest = statement.owner_digest().unwrap();
        let load = |file: &Vec<u8>| Statement::load(file, Security::Waived).unwrap();
        let own = file.to_vec();
        let expected = prove(&load(&own), &own).unwrap();
        assert!(prove(&load(&own).with_owner_digest(*digest), &own).unwrap() == expected);
        // The lowest published bit of one word of the first and of the last column.
        let size = statement.params().column_bytes();
        for place in [file.len() - size, 256] {
            let mut altered = own.clone();
            altered[place] ^= 1;
            for digest in [None, Some(*digest)] {
                let statement = load(&altered);
                let statement = match digest {
                    Some(digest) => statement.with_owner_digest(digest),
                    None => statement,
                };
                let result = prove(&statement, &altered);
                assert!(matches!(result, Err(Error::ForeignWitness)), "byte {place}");
            }
        }
    }

    /// A digest is one of a witness and of a statement, and is not printed.
    #[test]
    fn digests_name_both() {
        let params = waived(CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) });
        let of = |a: u8, s: u8| {
            let matrix = PublicMatrix::new(&params, [a; 32]);
            let witness = RandomWitness::new(Seed::from_bytes([s; 32]));
            matrix.commit(&witness, &mut Vec::new()).unwrap()
        };
        let all = [of(1, 1), of(1, 2), of(2, 1)];
        for (i, statement) in all.iter().enumerate() {
            let digest = statement.owner_digest().unwrap();
            assert!(all[..i].iter().all(|other| digest != other.owner_digest().unwrap()));
            assert!(format!("{statement:?}").contains("OwnerDigest([REDACTED])"));
        }
        assert_eq!(all[0].owner_digest(), of(1, 1).owner_digest());
    }
}
