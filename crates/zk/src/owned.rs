//! What every argument needs before anything of it is returned: that T = A S.

use crate::commit;
use crate::error::Error;
use crate::hash::Digest;
use crate::matrix::PublicMatrix;
use crate::owner::Owner;
use crate::statement::Statement;
use crate::witness::WitnessSource;

impl Statement {
    /// That T = A S, for the S with this H(S).
    ///
    /// # Errors
    /// [`Error::ForeignWitness`]; errors of reading S or of a device, where nothing is known of who
    /// computed T.
    pub(crate) fn check_owner(
        &self,
        matrix: &PublicMatrix,
        witness: &dyn WitnessSource,
        s: &Digest,
    ) -> Result<(), Error> {
        let unknown = matches!(self.owner(), Owner::Unknown);
        if unknown && commit::hashes(matrix, witness)? != self.block_hashes() {
            return Err(Error::ForeignWitness);
        }
        self.check_owner_digest(s)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use alloc::vec::Vec;

    use tautochrone_ctr::Seed;

    use super::*;
    use crate::cases::waived;
    use crate::params::{CustomParams, Security};
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
            assert!(alloc::format!("{statement:?}").contains("OwnerDigest([REDACTED])"));
        }
        assert_eq!(all[0].owner_digest(), of(1, 1).owner_digest());
    }
}
