//! [`PublicMatrix`]: A.

mod weak;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use once_cell::race::OnceBox;
use tautochrone_ctr::Seed;
use tautochrone_simd::Isa;

use crate::device::{Attached, Device, DeviceCache};
use crate::erase::debug_fields;
use crate::error::{Error, MatrixProblem};
use crate::hash::Hasher;
use crate::matrix_id::{MATRIX_ID_LEN, MatrixId};
use crate::observer::Observer;
use crate::parallel;
use crate::params::Params;
use crate::products::{Engine, Top};
use crate::rounding::Rounding;
use crate::statement::Statement;
use crate::suite::Expansion;
use crate::witness::check_bounds;
use crate::words::Word;
use weak::Lines;

/// The public matrix A, expanded from its seed as products need it, and stored once there were
/// some. One serves any number of commitments, proofs and checks.
///
/// ```
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = custom.validate(Security::Waived)?;
/// # let witness = RandomWitness::new(Seed::from_os()?);
/// let a = PublicMatrix::new(&params, [1; 32]); // a seed that everybody may know
/// let mut file = Vec::new();
/// let statement = a.commit_and_hold(&witness, &mut file)?;
/// assert_eq!(file.len() as u128, params.statement_bytes() as u128);
/// # Ok::<(), Error>(())
/// ```
pub struct PublicMatrix {
    pub(crate) isa: Isa,
    pub(crate) params: Params,
    pub(crate) id: MatrixId,
    pub(crate) words: Words,
    pub(crate) device: Option<Attached>,
    pub(crate) observer: Option<Arc<Observer>>,
    /// The first [`Self::with_pad_columns`], whose A' stays packed for checks of many statements.
    pub(crate) with_pads: OnceBox<Arc<Self>>,
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
    /// A = [A' | I] with the A' of a public seed, on the best instruction set there is
    /// (`TAUTOCHRONE_ISA` caps it).
    ///
    /// For parameters whose A' is [given](Self::given) the result is the matrix of no
    /// statement.
    #[must_use]
    pub fn new(params: &Params, seed_a: [u8; 32]) -> Self {
        Self::new_on(Isa::detect(), params, seed_a)
    }

    /// The same on an instruction set that all products with this A will use too.
    #[doc(hidden)]
    #[must_use]
    pub fn new_on(isa: Isa, params: &Params, seed_a: [u8; 32]) -> Self {
        let words = if params.w() <= 32 {
            Words::W32(Engine::new(isa, params, Top::of_seed(isa, params, &seed_a)))
        } else {
            Words::W64(Engine::new(isa, params, Top::of_seed(isa, params, &seed_a)))
        };
        let id = match params.expansion() {
            Expansion::Given => MatrixId::NONE,
            Expansion::Seed => MatrixId::of_seed(seed_a),
            _ => unreachable!("no other origin is defined"),
        };
        Self::of_words(isa, params.clone(), id, words)
    }

    fn of_words(isa: Isa, params: Params, id: MatrixId, words: Words) -> Self {
        Self { isa, params, id, words, device: None, observer: None, with_pads: OnceBox::new() }
    }

    /// A = [A' | I] with an A' that somebody chose, for instances that another program made; the
    /// parameters say so ([`Expansion::Given`]). `bytes` are the (v - r) r entries, row after row,
    /// each an integer below 2^w in ceil(w / 8) bytes.
    ///
    /// The estimates of binding and hiding hold for a uniform A'. Whether this one is as good is
    /// for those to judge who rely on it: whoever chooses A' may know a trapdoor. What is refused
    /// is only what shows at sight: rows or columns of small entries, or that are another one or
    /// its negative. A uniform A' has such with probability below 2^-128.
    ///
    /// # Errors
    /// [`Error::Request`]; [`Error::Parameter`] if the parameters say that A' is expanded from a
    /// seed.
    pub fn given(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        Self::given_on(Isa::detect(), params, bytes)
    }

    /// The same on an instruction set that all products with this A will use too.
    ///
    /// # Errors
    /// As [`Self::given`].
    #[doc(hidden)]
    pub fn given_on(isa: Isa, params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        let expected = "2 (given in full) for a matrix that is given";
        let holds = params.expansion() == Expansion::Given;
        Error::unless(holds, "expansion", params.expansion() as u32, expected)?;
        let width = params.w().div_ceil(8) as usize;
        let columns = u64::from(params.z_rows());
        let (got, expected) = (bytes.len() as u64, params.given_bytes());
        if got != expected {
            return Err(MatrixProblem::Length { got, expected }.into());
        }
        let entry = |bytes: &[u8]| {
            let mut eight = [0; 8];
            eight[..width].copy_from_slice(bytes);
            u64::from_le_bytes(eight)
        };
        let most = u64::MAX >> (64 - params.w());
        if let Some(at) = bytes.chunks_exact(width).position(|bytes| entry(bytes) > most) {
            #[expect(clippy::integer_division_remainder_used, reason = "the matrix is public")]
            let (row, column) = (at as u64 / columns, at as u64 % columns);
            return Err(MatrixProblem::Entry { row, column, w: params.w() }.into());
        }
        let digest = Hasher::new(params.hash(), "matrix").field(bytes).finish();
        let mut id = [0; MATRIX_ID_LEN];
        id[..digest.as_bytes().len()].copy_from_slice(digest.as_bytes());
        let id = MatrixId::from_bytes(id);
        let (w, rows, columns) = (params.w(), params.r() as usize, columns as usize);
        let at = |index: usize| entry(&bytes[index * width..][..width]);
        Lines { w, rows, columns, entry: &at }.check()?;
        let entries = bytes.chunks_exact(width).map(entry);
        let words = if params.w() <= 32 {
            let entries = entries.map(|entry| entry as u32).collect();
            Words::W32(Engine::new(isa, params, Top::given(params, entries)))
        } else {
            Words::W64(Engine::new(isa, params, Top::given(params, entries.collect())))
        };
        Ok(Self::of_words(isa, params.clone(), id, words))
    }

    /// Which A this is.
    #[cfg(feature = "shards")]
    #[must_use]
    pub const fn id(&self) -> &MatrixId {
        &self.id
    }

    /// Lets a device do the products with this A and the sampling of its provers from here on, but
    /// for [`Self::opens`].
    #[cfg(feature = "device")]
    #[must_use]
    pub fn with_device(self, device: Arc<dyn Device>) -> Self {
        let device = Some(Attached { device, a: DeviceCache::default() });
        Self { device, with_pads: OnceBox::new(), ..self }
    }

    /// Whether `s` (v entries, public) opens a column of T (r words modulo q,
    /// [`Statement::column`]): every |s_i| is within its row's bound, and A s = t mod q, or where T
    /// is rounded |A s - t| <= residual_weight 2^(dT-1) in every entry, centred modulo q. What has
    /// another length does not.
    #[must_use]
    pub fn opens<T: Copy + Into<i32>>(&self, t: &[u64], s: &[T]) -> bool {
        let (r, v) = (self.params.r(), self.params.v());
        let s: Vec<i32> = s.iter().map(|&s| s.into()).collect();
        if (t.len(), s.len()) != (r as usize, v as usize)
            || check_bounds(&self.params, 0, &s).is_err()
        {
            return false;
        }
        let modulus = Rounding::new(self.params.w(), 0);
        let residual = (u64::from(self.params.residual_weight()) << self.params.round_t()) >> 1;
        let residual = if self.params.round_t() == 0 { 0 } else { residual };
        with_engine!(self, engine => {
            let image = engine.apply(None, &s).expect("no device fails");
            let away = |(&image, &t): (_, &u64)| {
                modulus.difference(Word::to_u64(image), t).unsigned_abs()
            };
            image.iter().zip(t).map(away).all(|away| away <= residual)
        })
    }

    /// Runs `f` where its parts are spread over threads at the least cost; on the caller's thread
    /// if there is a device, which may belong to that.
    pub(crate) fn inside<T: Send>(&self, f: impl FnOnce() -> T + Send) -> T {
        if self.device.is_some() { f() } else { parallel::inside(f) }
    }

    /// The same A under the parameters of a statement with more columns: a device and an observer
    /// stay.
    pub(crate) fn with_columns(&self, longer: &Params) -> Self {
        let matrix = Self::new_on(self.isa, longer, *self.id.seed());
        Self { device: self.fresh_device(), observer: self.observer.clone(), ..matrix }
    }

    /// The device, which has no A yet.
    fn fresh_device(&self) -> Option<Attached> {
        let device = Arc::clone(&self.device.as_ref()?.device);
        Some(Attached { device, a: DeviceCache::default() })
    }

    /// [A' | A_x | I], with as many columns A_x as `extended` has rows of S more, from the key
    /// H("pad columns", expansion, w, r, v, columns, id of A'), which is also the identifier of
    /// this matrix ([`Engine::with_columns`]). A' does not change.
    pub(crate) fn with_pad_columns(&self, extended: &Params) -> Arc<Self> {
        let new = || Arc::new(self.new_with_pad_columns(extended));
        let kept = self.with_pads.get_or_init(|| Box::new(new()));
        if kept.params == *extended { Arc::clone(kept) } else { new() }
    }

    fn new_with_pad_columns(&self, extended: &Params) -> Self {
        let params = &self.params;
        let columns = extended.v() - params.v();
        let id = Hasher::new(params.hash(), "pad columns")
            .number(params.expansion() as u64)
            .number(params.w().into())
            .number(params.r().into())
            .number(params.v().into())
            .number(columns.into())
            .field(self.id.as_bytes())
            .finish_key();
        let (isa, key) = (self.isa, Seed::from_bytes(id));
        let words = match &self.words {
            Words::W32(engine) => Words::W32(engine.with_columns(isa, extended, &key)),
            Words::W64(engine) => Words::W64(engine.with_columns(isa, extended, &key)),
        };
        let matrix = Self::of_words(isa, extended.clone(), MatrixId::of_seed(id), words);
        Self { device: self.fresh_device(), observer: self.observer.clone(), ..matrix }
    }

    /// # Errors
    /// [`Error::Request`] if this is not the A of `statement`.
    pub(crate) fn check_belongs_to(&self, statement: &Statement) -> Result<(), Error> {
        // A header of lambda = 256 may name the identifier that belongs to no statement.
        let known = self.id != MatrixId::NONE;
        if known && self.params == *statement.params() && self.id == *statement.matrix_id() {
            return Ok(());
        }
        Err(MatrixProblem::Foreign.into())
    }
}

debug_fields!("PublicMatrix", PublicMatrix; params, isa);
