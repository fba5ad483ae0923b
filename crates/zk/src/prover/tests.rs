//! The protocol's own claims, on toy dimensions: acceptance, independence of published proofs from
//! the witness, extraction by rewinding.

use super::*;
use crate::cases::{self, Case, waived};
use crate::hash::Hasher;
use crate::owner::Owner;
use crate::params::{CustomParams, Params, Security};
use crate::preset::Preset;
use crate::rejection::Rho;
use crate::witness::{RandomWitness, Witness};

use tautochrone_ctr::Label;

mod compact;
mod exact;
mod mixed;
mod narrow;

/// Dimensions at which a proof takes tens of microseconds, with the real alpha over the *typical*
/// length of S C (in place of its 2^-128 bound, which at toy dimensions is many times larger): so
/// sigma / `||M||` is what a real proof has at best, with this rho.
fn toy_of(custom: CustomParams, rho: Rho) -> Params {
    let (v, l, n) = (40_u32, 12_u32, 10_u32);
    let typical = crate::estimate::uniform_sd(custom.b) * f64::from(v * l * n / 2).sqrt();
    let sigma = (1.1 * crate::params::alpha(128, rho) * typical) as u64;
    waived(CustomParams { r: 8, v, l: l.into(), n: Some(n), sigma: Some(sigma), ..custom })
}

fn toy(custom: CustomParams) -> Params {
    toy_of(CustomParams { round_t: Some(0), ..custom }, Rho::Three)
}

fn setup(params: &Params, index: u8) -> Case<i8> {
    Case::read(params, index, &RandomWitness::new(Seed::from_bytes([index; 32])))
}

/// The digest of S, and what computes M.
fn hashed(setup: &Case<i8>) -> (ShardWitness<'_>, WitnessDigest) {
    let shard = Shard::whole(&setup.params);
    ShardWitness::hashed(&setup.matrix, &setup.witness, shard, u64::MAX).unwrap()
}

/// f on one thread: others would take longer to hear of a part of so small a product than it takes.
fn on_one_thread<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "rayon")]
    return rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(f);
    #[cfg(not(feature = "rayon"))]
    f()
}

/// Many proofs about one statement, with T in memory: S is hashed and packed once.
struct Proofs<'a> {
    prover: Prover<'a>,
    worker: ShardWitness<'a>,
    digest: WitnessDigest,
}

impl<'a> Proofs<'a> {
    fn new(setup: &'a Case<i8>, statement: &'a Statement) -> Self {
        let (worker, digest) = hashed(setup);
        Self { prover: Prover { statement, ..setup.prover() }, worker, digest }
    }

    /// T C.
    fn tc(&self, hash: &Digest) -> ModQ {
        let Prover { matrix, statement, .. } = self.prover;
        multiply_by_challenges(matrix, statement, None, &[hash]).unwrap().remove(0)
    }

    /// A proof before it is encoded, M, T C, and the number of attempts.
    fn prove(&mut self, seed: &Seed) -> (Proof, Vec<i64>, ModQ, u32) {
        let coordinator = Coordinator::new(&self.prover, b"", &self.digest, seed).unwrap();
        for index in 0.. {
            let attempt = coordinator.begin(index).unwrap();
            let hash = *attempt.challenge_hash();
            let m = self.worker.multiply(&hash).unwrap();
            let Some(response) = attempt.finish(&m).unwrap() else { continue };
            let tc = self.tc(&hash);
            let product = response.needs_product().then_some(&tc);
            let proof = response.into_proof(product).unwrap().expect("within the bounds");
            return (proof, signed(&m), tc, index + 1);
        }
        unreachable!("attempts end")
    }
}

fn loaded(setup: &Case<i8>) -> Statement {
    Statement::load(&setup.file, Security::Waived).unwrap()
}

fn signed(m: &[u32]) -> Vec<i64> {
    m.iter().map(|m| i64::from(m.cast_signed())).collect()
}

/// A product that goes wrong once, as by a bit that flips.
struct Faulty;

impl crate::device::Device for Faulty {
    fn sample(
        &self,
        sampler: &Facct,
        key: &[u8; 32],
        out: &mut [i64],
    ) -> Result<(), crate::device::DeviceError> {
        sampler.fill(&mut Seed::from_bytes(*key).stream(Label::new("tautochrone-zk/2 Y"), 0), out);
        Ok(())
    }

    fn multiply_add(
        &self,
        _: crate::device::Left<'_>,
        _: crate::device::Right<'_>,
        z: crate::device::Sum<'_>,
        _: Option<&crate::device::DeviceCache>,
    ) -> Result<(), crate::device::DeviceError> {
        match z {
            crate::device::Sum::U32(z) => z.fill_with(fault),
            crate::device::Sum::U64(z) => z.fill_with(|| fault().into()),
        }
        Ok(())
    }
}

/// Another number at each call, with another high part.
fn fault() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CALLS: AtomicU32 = AtomicU32::new(1);
    CALLS.fetch_add(1, Ordering::Relaxed) << 20
}

/// A seed used twice with everything the same, but for one product that was wrong once: two
/// challenges. With one Y they would reveal S, and do where proofs are reproducible; fresh entropy
/// makes two Y of it, with one machine or several.
#[test]
fn a_wrong_product_does_not_repeat_y() {
    let params = toy(Preset::T4_128.custom());
    let Case { matrix, statement, .. } = setup(&params, 1);
    let matrix = matrix.with_device(std::sync::Arc::new(Faulty));
    let (digest, seed) = (statement.digest(b""), Seed::from_bytes([5; 32]));
    let hashes = WitnessDigest::new(vec![digest; params.blocks() as usize], [0; 2]);
    let statement = statement.owned_by(&hashes);
    let two = |prover: &Prover<'_>| {
        let coordinator = Coordinator::new(prover, b"", &hashes, &seed).unwrap();
        let (one, other) = (coordinator.begin(0).unwrap(), coordinator.begin(0).unwrap());
        assert_ne!(one.challenge_hash, other.challenge_hash, "the fault");
        *one.y == *other.y
    };
    let prover = || Prover::new(&matrix, &statement).unwrap();
    assert!(!two(&prover()));
    assert!(two(&prover().reproducible()), "the control");
}

/// In every place, of either sign, also where no entry can be too large.
#[test]
fn entries_of_m_beyond_their_bound_are_seen() {
    for at in 0..40 {
        for (entry, largest, above) in [
            (5, 5, false),
            (-5, 5, false),
            (6, 5, true),
            (-6, 5, true),
            (i32::MIN, i32::MAX as u64, true),
            (i32::MIN, 1 << 31, false),
            (i32::MIN, 1 << 40, false),
        ] {
            let mut m = [0; 40];
            m[at] = i32::cast_unsigned(entry);
            assert_eq!(any_above(&m, largest), above, "{entry} at {at}, {largest}");
        }
    }
}

/// What a prover stores of S packed is bounded, and follows S where that is in memory.
#[test]
fn as_much_of_s_is_stored_as_lies_in_memory() {
    let custom = CustomParams { r: 8, v: 24, l: 4096, n: Some(10), ..Preset::T4_128.custom() };
    let params = waived(custom);
    let entries = vec![0; 24 * 4096];
    let drawn = RandomWitness::new(Seed::from_bytes([1; 32]));
    let memory = Witness::new(&params, entries).unwrap();
    let capacity = |witness: &dyn WitnessSource, least| capacity(&params, witness, least);
    assert_eq!(capacity(&drawn, PACKED_BYTES), PACKED_BYTES);
    assert_eq!(capacity(&memory, PACKED_BYTES), PACKED_BYTES);
    assert_eq!(capacity(&drawn, 100), 100);
    assert_eq!(capacity(&memory, 100), 24 * 4096);
}

/// Where hints of honest proofs are too large for their encoding the parameter is named, and not
/// the witness.
#[test]
fn too_few_rounded_bits_are_named() {
    let custom = CustomParams { n: Some(10), ..CustomParams::new(29, 8, 40, 12, 1) };
    let sigma = waived(custom).sigma();
    let prove = |custom: CustomParams| {
        let setup = setup(&waived(custom), 1);
        let prover = Prover::new(&setup.matrix, &setup.statement)?.with_file(&setup.file);
        prover.prove(b"", &setup.witness, &Seed::from_bytes([2; 32])).map(drop)
    };
    let rounded = |bits| CustomParams { round_w: Some(bits), ..custom };
    assert!(prove(rounded(sigma.ilog2() + 1)).is_ok());
    // The same number of bits of T is many for so few bits of W; of sums nothing is known.
    let coarse = CustomParams { round_t: Some(sigma.ilog2() + 2), ..rounded(sigma.ilog2()) };
    for custom in [rounded(sigma.ilog2() - 1), rounded(3), coarse] {
        assert_error!(prove(custom), Error::Parameter(e) if e.name == "round_w");
    }
}
