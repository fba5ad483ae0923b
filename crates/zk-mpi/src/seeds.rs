//! The seeds of a job.

use tautochrone_cli::{Seeded, seed};
use tautochrone_ctr::Seed;
use tautochrone_zk::Params;
use zeroize::Zeroizing;

use crate::{Comm, Fault, Partial, text};

/// The parts of a run's seed, as the example `prove` derives them, each where it is needed.
#[derive(Debug)]
pub struct Seeds {
    /// Of A; public.
    pub a: [u8; 32],
    /// Seed of a random witness, or of the randomness under messages, where there is any.
    pub witness: Option<Seed>,
    /// Of Y and the rejection step; at rank 0 only.
    pub y: Option<Seed>,
}

impl Seeds {
    /// Rank 0 draws, or takes what was given, and tells the others what they need. The seed of A
    /// may be the one of an unfinished earlier run.
    ///
    /// # Errors
    /// If the operating system has no entropy.
    pub fn share(
        comm: &Comm,
        options: &Seeded,
        random_witness: bool,
        (partial, params): (&Partial, &Params),
    ) -> Result<Self, Fault> {
        let seed = comm.is_root().then(|| options.hiding_seed()).transpose();
        let seed = comm.agree(seed.map_err(text))?;
        let part = |name: &'static str| {
            let bytes = seed.as_ref().map(|seed| seed::public_part(seed, name));
            Zeroizing::new(bytes.unwrap_or_default())
        };
        let mut a = *part("prove: seed of A");
        if options.seed.is_none() {
            a = partial.earlier_seed(params).unwrap_or(a);
        }
        comm.broadcast(&mut a);
        let witness = random_witness.then(|| {
            let mut bytes = part("prove: witness");
            comm.broadcast(&mut *bytes);
            Seed::from_bytes(*bytes)
        });
        let y = seed.as_ref().map(|_| Seed::from_bytes(*part("prove: Y")));
        Ok(Self { a, witness, y })
    }
}
