//! Statements for tests, with their witnesses and files.

pub(crate) mod extractor;
pub(crate) mod shards;

use tautochrone_ctr::Seed;

use crate::argument::{Claims, Slot};
use crate::entry::WitnessEntry;
use crate::error::{Error, Fault, Reason};
use crate::matrix::PublicMatrix;
use crate::params::{BLOCK, CustomParams, Params, Security};
use crate::preset::Preset;
use crate::prover::Prover;
use crate::rows::{Distribution, RowGroup};
use crate::statement::Statement;
use crate::suite::{ChallengeKind, Masks};
use crate::verifier::Verifier;
use crate::witness::columns::read_columns;
use crate::witness::{RandomWitness, Witness, WitnessSource};

/// That a result is an error of this pattern.
macro_rules! assert_error {
    ($result:expr, $error:pat $(if $guard:expr)?) => {
        assert_error!($result, $error $(if $guard)?, "expected another")
    };
    ($result:expr, $error:pat $(if $guard:expr)?, $($context:tt)+) => {
        match $result.map(drop) {
            Err($error) $(if $guard)? => (),
            other => panic!("{}: {other:?}", format_args!($($context)+)),
        }
    };
}

/// Of proofs of claims.
pub(crate) const CONTEXT: &[u8] = b"context";
pub(crate) const SEED: [u8; 32] = [7; 32];

/// Where the equation of an argument does not hold, and where the challenge is another.
pub(crate) const EQUATION: Option<Reason> = Some(Reason::Content(Fault::Equation));
pub(crate) const CHALLENGE: Option<Reason> = Some(Reason::Content(Fault::Challenge));

/// A statement, its witness, and their files.
pub(crate) struct Case<T = i32> {
    pub(crate) params: Params,
    pub(crate) matrix: PublicMatrix,
    pub(crate) statement: Statement,
    pub(crate) file: Vec<u8>,
    pub(crate) witness: Witness,
    pub(crate) entries: Vec<T>,
}

impl Case {
    /// A random witness; cases of the same parameters and `a` share A.
    pub(crate) fn new(custom: CustomParams, a: u8, seed: u8) -> Self {
        // Toys are too short to be near their mean.
        let ternary = custom.challenge == ChallengeKind::Ternary;
        let params = if ternary { validated(custom) } else { waived(custom) };
        Self::read(&params, a, &RandomWitness::new(Seed::from_bytes([seed; 32])))
    }
}

impl<T: WitnessEntry + Into<i128>> Case<T> {
    /// The witness that a source has.
    pub(crate) fn read(params: &Params, a: u8, source: &dyn WitnessSource) -> Self {
        let mut entries = vec![T::default(); params.v() as usize * params.l() as usize];
        read_columns(params, source, 0, &mut entries).unwrap();
        Self::of(params.clone(), a, entries)
    }
}

impl<T: Copy + Into<i32> + Into<i128>> Case<T> {
    /// A witness of these entries.
    pub(crate) fn of(params: Params, a: u8, entries: Vec<T>) -> Self {
        let matrix = PublicMatrix::new(&params, [a; 32]);
        let witness = Witness::wide(&params, entries.iter().map(|&s| s.into()).collect()).unwrap();
        let mut file = Vec::new();
        let statement = matrix.commit(&witness, &mut file).unwrap();
        Self { params, matrix, statement, file, witness, entries }
    }

    /// S.
    pub(crate) fn s(&self) -> Vec<i128> {
        self.entries.iter().map(|&s| s.into()).collect()
    }
}

impl<T> Case<T> {
    /// A reproducible prover, and T in its file.
    pub(crate) fn prover(&self) -> Prover<'_> {
        let prover = Prover::new(&self.matrix, &self.statement).unwrap();
        prover.with_file(&self.file).reproducible()
    }

    /// T in its file.
    pub(crate) fn verifier(&self) -> Verifier<'_> {
        Verifier::new(&self.matrix, &self.statement).unwrap().with_file(&self.file)
    }

    /// A proof file in [`CONTEXT`].
    pub(crate) fn prove_claims(&self, slot: &Slot, claims: &Claims) -> Result<Vec<u8>, Error> {
        let seed = Seed::from_bytes(SEED);
        let proved = self.prover().prove_claims(CONTEXT, slot, claims, &self.witness, &seed)?;
        assert!(proved.attempts > 0);
        Ok(proved.proof)
    }

    /// The verdict on it.
    pub(crate) fn verify_claims(
        &self,
        slot: &Slot,
        claims: &Claims,
        proof: &[u8],
    ) -> Result<(), Error> {
        self.verifier().verify_claims(CONTEXT, slot, claims, proof)
    }
}

/// Columns of bytes that are read, not lent, and that nobody has checked.
pub(crate) struct Unchecked(pub(crate) Vec<i8>);

impl WitnessSource for Unchecked {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let start = first_block as usize * BLOCK as usize * params.v() as usize;
        out.copy_from_slice(&self.0[start..start + out.len()]);
        Ok(())
    }
}

/// Parameters, weak as those of toys are.
pub(crate) fn waived(custom: CustomParams) -> Params {
    custom.validate(Security::Waived).unwrap()
}

/// Parameters for any witness: toys are too short to be near their mean.
pub(crate) fn validated(custom: CustomParams) -> Params {
    let frobenius_squared = Some(waived(custom).largest_frobenius_squared());
    waived(CustomParams { frobenius_squared, ..custom })
}

/// Short columns, two blocks of them, and T whole.
pub(crate) fn whole_t(preset: Preset) -> CustomParams {
    let round_t = Some(0);
    CustomParams { r: 16, v: 64, l: 300, n: Some(12), round_t, ..preset.custom() }
}

/// Gaussian rows, and narrow masks.
pub(crate) fn narrow(w: u32, r: u32, v: u32, l: u64, log2_proofs: u32) -> CustomParams {
    let masks = Masks::Narrow { log2_proofs };
    let distribution = Distribution::Gaussian { micros: 8_850_000 };
    let rows = RowGroup { rows: v, bound: 127, distribution };
    CustomParams { groups: [Some(rows), None, None], masks, ..CustomParams::new(w, r, v, l, 127) }
}

/// Rows of messages in front of Gaussian ones, and mixed masks.
pub(crate) fn mixed(w: u32, messages: u32, r: u32, v: u32, l: u64) -> CustomParams {
    let masks = Masks::Mixed { log2_proofs: 10 };
    let rows = RowGroup { rows: messages, bound: 5, distribution: Distribution::Any };
    let of = narrow(w, r, v - messages, l, 10);
    CustomParams { v, groups: [Some(rows), of.groups[0], None], masks, ..of }
}

/// Small dimensions over several groups of 1024 columns, the last of them a ragged block alone or
/// after whole ones; all word sizes, both challenges and hashes, T rounded and whole, and b and n
/// for every form in which S is packed.
pub(crate) fn long() -> [CustomParams; 6] {
    let toy = |preset: Preset, l| CustomParams { r: 3, v: 8, l, n: Some(10), ..preset.custom() };
    [
        toy(Preset::T4_128, 2401),
        CustomParams { n: Some(20), ..toy(Preset::T4_128, 2049) },
        CustomParams { n: Some(17), b: 2, round_t: Some(0), ..toy(Preset::T4_128, 2401) },
        CustomParams { n: Some(20), ..toy(Preset::B4_128, 2145) },
        CustomParams {
            challenge: ChallengeKind::Binary,
            n: Some(19),
            w: 64,
            ..toy(Preset::B4_128, 2401)
        },
        toy(Preset::T4_256, 2304),
    ]
}

/// The name of the parameter that is refused.
pub(crate) fn name<T>(result: Result<T, Error>) -> &'static str {
    match result.err() {
        Some(Error::Parameter(error)) => error.name,
        other => panic!("{other:?}"),
    }
}

/// The reason why a proof is not valid.
pub(crate) fn reason(verdict: Result<(), Error>) -> Option<Reason> {
    match verdict {
        Ok(()) => None,
        Err(Error::Invalid(reason)) => Some(reason),
        Err(error) => panic!("{error}"),
    }
}

/// f(0) and f(1) at the same time, for tests that take so long that one thread would be left alone.
pub(crate) fn halves<T: Send>(f: impl Fn(usize) -> T + Sync) -> [T; 2] {
    std::thread::scope(|scope| {
        let second = scope.spawn(|| f(1));
        [f(0), second.join().expect("a half that fails has said so")]
    })
}

/// The file with one bit flipped.
pub(crate) fn flipped(file: &[u8], bit: usize) -> Vec<u8> {
    replaced(file, bit / 8, &[file[bit / 8] ^ 1 << (bit % 8)])
}

/// These with others from place `at` on.
pub(crate) fn replaced<T: Copy>(all: &[T], at: usize, others: &[T]) -> Vec<T> {
    let mut all = all.to_vec();
    all[at..at + others.len()].copy_from_slice(others);
    all
}

/// Calls see(file, place) for files that differ from this one: with one of some bits flipped, cut
/// to some lengths, and extended, with the length that the header says or their own.
pub(crate) fn damaged(
    file: &[u8],
    bits: impl Iterator<Item = usize>,
    lengths: impl Iterator<Item = usize>,
    mut see: impl FnMut(&[u8], usize),
) {
    for bit in bits {
        see(&flipped(file, bit), bit);
    }
    let cut = lengths.chain([23, 24, file.len() - 1]);
    for len in cut.chain([1, 2, 10_000].map(|extra| file.len() + extra)) {
        let mut other = file.to_vec();
        other.resize(len, 0);
        see(&other, len);
        see(&if len < 24 { other } else { of_length(file, len) }, len);
    }
}

/// The file cut off or extended to a length, which its header says.
pub(crate) fn of_length(file: &[u8], len: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    file.resize(len, 0);
    replaced(&file, 16, &(len as u64).to_le_bytes())
}
