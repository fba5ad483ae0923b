//! [`PublicMatrix`]: the expanded A.

use std::sync::Arc;

use tautochrone_simd::Isa;

use crate::device::{Attached, Device, DeviceCache};
use crate::error::Error;
use crate::params::Params;
use crate::products::Engine;
use crate::statement::Statement;
use crate::witness::check_bound;
use crate::words::to_bytes;

/// The public matrix A, expanded from its seed. One expansion serves any number of commitments,
/// proofs and checks.
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
    /// Expands A, or A' where A = [A' | I], from a public seed, on the best instruction set there
    /// is.
    #[must_use]
    pub fn new(params: &Params, seed_a: [u8; 32]) -> Self {
        Self::new_on(Isa::detect(), params, seed_a)
    }

    /// The same on an instruction set that all products with this A will use too.
    #[must_use]
    pub fn new_on(isa: Isa, params: &Params, seed_a: [u8; 32]) -> Self {
        let words = if params.w() == 32 {
            Words::W32(Engine::expand(isa, params, &seed_a))
        } else {
            Words::W64(Engine::expand(isa, params, &seed_a))
        };
        Self { isa, params: params.clone(), seed_a, words, device: None }
    }

    /// Lets a device do the products with this A and the sampling of its provers from here on, but
    /// for [`Self::opens`].
    #[must_use]
    pub fn with_device(self, device: Arc<dyn Device>) -> Self {
        Self { device: Some(Attached { device, a: DeviceCache::default() }), ..self }
    }

    /// Whether `s` (v entries, public) opens a column of T (r words, [`Statement::column`]):
    /// |s_i| <= b and A s = t mod q. What has another length does not.
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
}

impl core::fmt::Debug for PublicMatrix {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PublicMatrix")
            .field("params", &self.params)
            .field("isa", &self.isa)
            .finish_non_exhaustive()
    }
}
