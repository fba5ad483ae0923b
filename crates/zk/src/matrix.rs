//! [`PublicMatrix`]: the expanded A, and the commitment T = A S.

use std::io::Write;
use std::sync::Arc;

use tautochrone_simd::{Isa, declassify_slice};

use crate::device::{Attached, Device, Keep};
use crate::error::Error;
use crate::hash::Digest;
use crate::params::{BLOCK, Params};
use crate::products::{Engine, ProductWord};
use crate::statement::{self, Statement};
use crate::witness::columns::for_column_groups;
use crate::witness::{WitnessSource, check_bound};
use crate::words::to_bytes;

/// The public matrix A, expanded from its seed. One expansion serves any number of commitments, proofs and checks.
pub struct PublicMatrix {
    pub(crate) isa: Isa,
    pub(crate) params: Params,
    pub(crate) seed_a: [u8; 32],
    pub(crate) words: Words,
    pub(crate) device: Option<Attached>,
}

/// A by word size.
pub(crate) enum Words {
    W32(Engine<u32>),
    W64(Engine<u64>),
}

/// Runs `$body` with `$engine` bound to the engine of either word size.
macro_rules! with_engine {
    ($matrix:expr, $engine:ident => $body:expr) => {
        match &$matrix.words {
            $crate::matrix::Words::W32($engine) => $body,
            $crate::matrix::Words::W64($engine) => $body,
        }
    };
}
pub(crate) use with_engine;

impl PublicMatrix {
    /// Expands A, or A' where A = [A' | I], on an instruction set that all products with it will use too.
    #[must_use]
    pub fn expand(isa: Isa, params: &Params, seed_a: [u8; 32]) -> Self {
        let words = if params.w() == 32 {
            Words::W32(Engine::expand(isa, params, &seed_a))
        } else {
            Words::W64(Engine::expand(isa, params, &seed_a))
        };
        Self { isa, params: params.clone(), seed_a, words, device: None }
    }

    /// Lets a device do the products with this A and the sampling of its provers from here on, but for
    /// [`Self::opens`] and the attempts and checks of a [`shard`](crate::shard).
    #[must_use]
    pub fn with_device(self, device: Arc<dyn Device>) -> Self {
        Self { device: Some(Attached { device, a: Keep::default() }), ..self }
    }

    /// Computes T = A S block by block, writes the statement file to `sink` while it does, and returns the statement.
    ///
    /// # Errors
    /// What reading the witness or writing the file gives, and [`Error::WitnessBound`].
    ///
    /// # Constant time
    /// In S, while its entries are within the bound.
    pub fn commit(
        &self,
        witness: &dyn WitnessSource,
        sink: &mut dyn Write,
    ) -> Result<Statement, Error> {
        let write = |sink: &mut dyn Write, bytes: &[u8]| {
            sink.write_all(bytes).map_err(Error::io("statement"))
        };
        write(sink, &self.params.header(self.seed_a).to_bytes())?;
        let mut hashes = Vec::new();
        for_column_groups(&self.params, witness, |first_block, columns| {
            let (bytes, digests) =
                with_engine!(self, engine => self.commit_group(engine, first_block, columns))?;
            hashes.extend(digests);
            write(sink, &bytes)
        })?;
        Ok(Statement::new(self.params.clone(), self.seed_a, hashes))
    }

    /// Whether `s` (v entries, public) opens a column of T (r words, [`Statement::column`]): |s_i| <= b and A s = t mod q.
    /// What has another length does not.
    #[must_use]
    pub fn opens(&self, t: &[u64], s: &[i8]) -> bool {
        let (r, v) = (self.params.r(), self.params.v());
        if (t.len(), s.len()) != (r as usize, v as usize)
            || check_bound(v, self.params.b(), 0, s).is_err()
        {
            return false;
        }
        let mut bytes = vec![0; t.len() * self.params.w() as usize / 8];
        for (out, t) in bytes.chunks_exact_mut(self.params.w() as usize / 8).zip(t) {
            out.copy_from_slice(&t.to_le_bytes()[..out.len()]);
        }
        with_engine!(self, engine => to_bytes(&engine.apply(s)) == bytes)
    }

    /// # Errors
    /// [`Error::ForeignMatrix`] if this is not the A of `statement`.
    pub(crate) fn check_belongs_to(&self, statement: &Statement) -> Result<(), Error> {
        if self.params == *statement.params() && self.seed_a == *statement.seed_a() {
            return Ok(());
        }
        Err(Error::ForeignMatrix)
    }

    /// T for a group of columns of S: its bytes, and the hash of each block in them.
    pub(crate) fn commit_group<W: ProductWord>(
        &self,
        engine: &Engine<W>,
        first_block: u64,
        columns: &[i8],
    ) -> Result<(Vec<u8>, Vec<Digest>), Error> {
        let t = engine.apply_on(self.device.as_ref(), columns)?;
        declassify_slice(&t);
        let bytes = to_bytes(&t);
        let block = BLOCK as usize * self.params.r() as usize * W::BYTES;
        let count = bytes.len().div_ceil(block) as u64;
        let digests = crate::parallel::try_map(count, |i| {
            let start = i as usize * block;
            let part = &bytes[start..bytes.len().min(start + block)];
            Ok::<_, Error>(statement::block_hash(&self.params, first_block + i, part))
        })?;
        Ok((bytes, digests))
    }
}

impl core::fmt::Debug for PublicMatrix {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PublicMatrix")
            .field("params", &self.params)
            .field("isa", &self.isa)
            .finish_non_exhaustive()
    }
}
