//! The prover: the witness, the seed, Y, M and rejected Z are secret. T, the challenge and an
//! accepted Z are public.

use std::hint::black_box;

use tautochrone_assurance::valgrind::{poison, secret, secret_array, traced};
use tautochrone_ctr::Seed;
use tautochrone_simd::Isa;
use tautochrone_zk::argument::{
    Argument, ArgumentField, ArgumentWorker, CircuitBuilder, CircuitClaim, CircuitField, Claims,
    Combine, CommittedCircuit, ExactKeys, Fact, Goldilocks, InputSpace, Inputs, KeyRanges, Layout,
    P61, P127, PaddedMessages, Ranges, Request, RowNorm, RowRange, Scalar, ScalarOf, Slot,
};
use tautochrone_zk::internals::{DIGIT_BOUND, PAD_BOUND, Rejection, Rho};
use tautochrone_zk::shard::{self, BlockSink, Coordinator, Shard, ShardWitness, WitnessDigest};
use tautochrone_zk::uses::Sums;
use tautochrone_zk::{
    CustomParams, Digest, Distribution, Error, Params, Preset, Prover, PublicMatrix, RandomWitness,
    RowGroup, Security, Statement, Verifier, Witness, WitnessFile, WitnessSource,
};

use crate::report::Report;

/// A witness whose entries are secret as soon as they are read.
struct Secret<W>(W);

impl<W: WitnessSource> WitnessSource for Secret<W> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        self.0.read_columns(params, first_block, out)?;
        poison(out);
        Ok(())
    }
}

pub fn check(report: &mut Report, isa: Isa) {
    report.clean(&format!("zk/rejection/{isa}"), || {
        for sigma in [2, 1 << 20, (1 << 32) - 1] {
            for rho in [Rho::Two, Rho::Three] {
                let test = Rejection::new(sigma, rho);
                for (inner, norm, uniform) in
                    [(1_i128 << 40, 5_u128, 1_u128 << 127), (-(1 << 60), 1 << 70, 3), (0, 0, 0)]
                {
                    let ([inner], [norm], [uniform]) =
                        (secret_array([inner]), secret_array([norm]), secret_array([uniform]));
                    black_box(test.decide(inner, norm, uniform));
                }
            }
        }
    });
    check_wide(report, isa);
    report.clean(&format!("zk/facts/{isa}"), || prove_facts(isa));
    report.clean(&format!("zk/ranges/{isa}"), || prove_ranges(isa));
    report.clean(&format!("zk/norms/{isa}"), || prove_norms(isa));
    report.clean(&format!("zk/arguments in shards/{isa}"), || argue_in_shards(isa));
    report.clean(&format!("zk/circuit/{isa}"), || prove_circuit(isa));
    report.clean(&format!("zk/committed-circuit/{isa}"), || prove_committed_circuit(isa));
    report.clean(&format!("zk/keys/{isa}"), || prove_keys(isa));
    // Challenges of 60 columns are multiplied by tables, of 8 by multiplications.
    let rounded = Preset::T4_128.custom();
    let whole = CustomParams { round_t: Some(0), ..rounded };
    for (name, base, lambda, w, n) in [
        ("blake3", rounded, 128, 29, 60),
        ("sha3", rounded, 256, 64, 8),
        ("whole-t", whole, 128, 36, 8),
    ] {
        let custom = CustomParams { l: 300, v: 40, r: 8, n: Some(n), w, lambda, ..base };
        let params = custom.validate(Security::Waived).expect("toy parameters");
        report.clean(&format!("zk/prove/{name}/{isa}"), || {
            prove(isa, &params, &Secret(RandomWitness::new(Seed::from_bytes([2; 32]))));
        });
        report.clean(&format!("zk/prove-lent/{name}/{isa}"), || {
            let entries = secret((0..40 * 300).map(|i| i as i8 % 2).collect::<Vec<_>>());
            prove(isa, &params, &Witness::new(&params, entries).expect("within the bound"));
        });
        report.clean(&format!("zk/shard/{name}/{isa}"), || prove_in_shards(isa, &params));
        report.clean(&format!("zk/uses/{name}/{isa}"), || {
            let (secrets, errors) = (secret(vec![1_i8; 32 * 300]), secret(vec![-1_i8; 8 * 300]));
            let lwe = Witness::of_lwe(&params, &secrets, &errors).expect("within the bound");
            let mut out = vec![0; 40 * 44];
            lwe.read_columns(&params, 1, &mut out).expect("in memory");

            let a = PublicMatrix::new_on(isa, &params, [1; 32]);
            let messages = secret(vec![1_i8; 10 * 300]);
            let seed = Seed::from_bytes(secret_array([4; 32]));
            let messages = Layout::new(10, 300).witness(&a, &messages, &seed);
            let messages = messages.expect("within the bound");
            messages.read_columns(&params, 1, &mut out).expect("in memory");

            let sums = Sums::new(300, vec![vec![(0, 1), (299, -2)], vec![(5, 3)]]).expect("sums");
            let sum_params = sums.params(&params, Security::Waived).expect("parameters");
            let witness = sums.witness(&params, &sum_params, &messages).expect("the same sums");
            witness.read_columns(&sum_params, 0, &mut out[..40 * 2]).expect("in memory");
            black_box(out);
        });
        report.clean(&format!("zk/witness/{name}/{isa}"), || {
            let entries = secret(vec![1_i8; 40 * 300]);
            black_box(Witness::new(&params, entries).expect("within the bound"));
            let random = RandomWitness::new(Seed::from_bytes(secret_array([2; 32])));
            let mut out = vec![0; 40 * 20];
            random.read_columns(&params, 0, &mut out).expect("columns");
            black_box(&out);
        });
    }
}

/// Entries of more than a byte: from every source, and proved.
fn check_wide(report: &mut Report, isa: Isa) {
    report.clean(&format!("zk/wide/{isa}"), || {
        let custom = CustomParams::new(44, 8, 40, 300, 1000);
        let custom = CustomParams { n: Some(8), ..custom };
        let params = custom.validate(Security::Waived).expect("toy parameters");
        prove(isa, &params, &Secret(RandomWitness::new(Seed::from_bytes([2; 32]))));
        let random = RandomWitness::new(Seed::from_bytes(secret_array([2; 32])));
        let mut out = vec![0; 2 * 40 * 44];
        random.read_columns(&params, 1, &mut out).expect("columns");

        let (secrets, errors) = (secret(vec![900_i32; 32 * 300]), secret(vec![-900_i32; 8 * 300]));
        let lwe = Witness::of_lwe(&params, &secrets, &errors).expect("within the bound");
        lwe.read_columns(&params, 1, &mut out).expect("in memory");
        let bytes = secret(vec![0_u8; 2 * 40 * 300]);
        let file = WitnessFile::new(&params, bytes).expect("of this length");
        let sums = Sums::new(300, vec![vec![(0, 1), (299, -2)], vec![(5, 3)]]).expect("sums");
        let sum_params = sums.params(&params, Security::Waived).expect("parameters");
        let witness = sums.witness(&params, &sum_params, &file).expect("the same sums");
        witness.read_columns(&sum_params, 0, &mut out[..2 * 40 * 2]).expect("in memory");
        black_box(out);
    });
}

/// Columns in two blocks of T.
const TWO_BLOCKS: u32 = 300;

/// The same for valgrind; for the tracer, which takes microseconds for an instruction, fewer, but
/// more than a group of Z's columns.
fn few_columns() -> u32 {
    if traced() { 70 } else { TWO_BLOCKS }
}

/// Messages about which claims are proved, with secret entries and pads.
struct Messages {
    params: Params,
    layout: Layout,
    matrix: PublicMatrix,
    columns: u32,
}

impl Messages {
    /// More than claims are about, for digits of masks.
    const ROWS: u32 = 64;

    /// Entries of at most `bound`, a slot for these claims, and `n` columns of Z.
    fn new(isa: Isa, columns: u32, bound: u32, n: u32, claims: &Claims) -> Self {
        Self::over::<P61>(isa, columns, bound, n, claims)
    }

    /// The same over any field.
    fn over<F: ArgumentField>(isa: Isa, columns: u32, bound: u32, n: u32, claims: &Claims) -> Self {
        let layout = Layout::integers_over::<F>(Self::ROWS, columns.into()).with_slot(claims);
        let layout = layout.expect("of the messages");
        let (pads, l) = (layout.pad_rows(), layout.all_columns());
        let group = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
        let groups = [group(Self::ROWS, bound), group(pads, PAD_BOUND), None];
        let v = Self::ROWS + pads + 30 + 8;
        let custom = CustomParams { n: Some(n), groups, ..CustomParams::new(29, 8, v, l, 1) };
        let params = custom.validate(Security::Waived).expect("toy parameters");
        let matrix = PublicMatrix::new_on(isa, &params, [1; 32]);
        Self { params, layout, matrix, columns }
    }

    fn slot(&self) -> Slot {
        self.layout.slot(0).expect("a slot")
    }

    /// Messages, pads and the randomness under them, T, and its file.
    fn commit<'a>(
        &self,
        messages: &'a [i8],
        seed: &Seed,
    ) -> (Secret<PaddedMessages<'a>>, Statement, Vec<u8>) {
        let witness = self.layout.witness(&self.matrix, messages, seed).expect("within the bound");
        let witness = Secret(witness);
        let mut file = Vec::new();
        let statement = self.matrix.commit_and_hold(&witness, &mut file).expect("a commitment");
        (witness, statement, file)
    }

    /// Messages, pads and their seed are secret; whether the claims hold of them, and the messages
    /// that are sent, are not. The first claims are true, the others are not.
    fn prove(&self, messages: &[i8], [claims, wrong]: [&Claims; 2]) {
        let seed = Seed::from_bytes(secret_array([4; 32]));
        let (witness, statement, file) = self.commit(messages, &seed);
        let commitment = (&self.matrix, &statement, &file[..]);
        prove_claims(commitment, &self.slot(), &witness, &seed, [claims, wrong]);
    }
}

/// One proof of the first claims, which are true, and none of the others, which are not.
fn prove_claims(
    (a, statement, file): (&PublicMatrix, &Statement, &[u8]),
    slot: &Slot,
    witness: &dyn WitnessSource,
    seed: &Seed,
    [claims, wrong]: [&Claims; 2],
) {
    let prover = Prover::new(a, statement).expect("a prover").reproducible();
    let prove = |claims| prover.prove_claims(b"ctgrind", slot, claims, witness, seed);
    let proof = prove(claims).expect("true claims").proof;
    let verifier = Verifier::new(a, statement).expect("its own A").with_file(&file);
    verifier.verify_claims(b"ctgrind", slot, claims, &proof).expect("valid");
    assert!(matches!(prove(wrong), Err(Error::FalseFact)));
}

/// The fact that 2 (5 s_0j - 3 s_7j), over all columns, is the sum for entries of 1, and `more`.
fn weighted_sum(columns: u32, more: i64) -> Fact {
    let value = 4 * i64::from(columns) + more;
    let columns = (0..columns.into()).map(|j| (j, 2)).collect();
    Fact::sum(vec![(0, 5), (7, -3)], columns, value).expect("a fact")
}

fn bits(first_row: u32, rows: u32) -> RowRange {
    RowRange { first_row, rows, low: 0, high: 1 }
}

/// One fact, and several: the last one is false.
fn prove_facts(isa: Isa) {
    let columns = few_columns();
    let messages = secret(vec![1_i8; (Messages::ROWS * columns) as usize]);
    let several = |value| {
        let first = u64::from(columns) - 45;
        let block = Fact::block(2, first, 3, vec![1, 1, value, 1, 1, 1]).expect("a fact");
        Claims::new(vec![weighted_sum(columns, 0).into(), block.into()]).expect("two")
    };
    let one = |more| Claims::from(weighted_sum(columns, more));
    for [claims, wrong] in [[one(0), one(1)], [several(1), several(0)]] {
        let made = Messages::new(isa, columns, PAD_BOUND, 60, &claims);
        made.prove(&messages, [&claims, &wrong]);
    }
}

/// Ranges: small integers are multiplied in the first, elements of K alone in the other.
fn prove_ranges(isa: Isa) {
    let ranges = |parts: &[(u32, i32, i32)]| {
        let part = |&(first_row, low, high)| RowRange { first_row, rows: 4, low, high };
        Claims::from(Ranges::new(parts.iter().map(part).collect()).expect("ranges"))
    };
    let columns = few_columns();
    let messages = secret(vec![1_i8; (Messages::ROWS * columns) as usize]);
    for [claims, wrong] in [
        [ranges(&[(0, 0, 1), (4, -1, 1)]), ranges(&[(0, -1, 0)])],
        [ranges(&[(1, -5, 5)]), ranges(&[(1, -5, 0)])],
    ] {
        let made = Messages::new(isa, columns, 8, 8, &claims);
        made.prove(&messages, [&claims, &wrong]);
    }
}

/// Norms, the bits of what they are smaller than their bound, and a fact besides, over both fields.
fn prove_norms(isa: Isa) {
    let columns = few_columns();
    let norm = |bound| {
        let norm = RowNorm::at_most(0, 4, bound, 10);
        Ranges::with_norms(vec![bits(10, norm.bits)], vec![norm]).expect("a claim")
    };
    // Entries are 3.
    let claims = |bound| {
        let fact = weighted_sum(columns, 8 * i64::from(columns));
        Claims::new(vec![norm(bound).into(), fact.into()]).expect("two")
    };
    let rows = Messages::ROWS as usize;
    let mut messages = secret(vec![3_i8; rows * columns as usize]);
    assert!(matches!(norm(35).fill_slack(rows, &mut messages), Err(Error::FalseFact)));
    norm(70).fill_slack(rows, &mut messages).expect("four times 9 is less");
    let list = [&claims(70), &claims(69)];
    Messages::new(isa, columns, 8, 8, list[0]).prove(&messages, list);
    Messages::over::<P127>(isa, columns, 8, 8, list[0]).prove(&messages, list);
}

/// Claims in two shards, up to Y, with the attempts after it as without an argument: masks, sums
/// and the parts of columns are secret where they arrive, too.
fn argue_in_shards(isa: Isa) {
    let ranges = Ranges::new(vec![bits(0, 4)]).expect("a range");
    let claims = Claims::new(vec![ranges.into(), weighted_sum(TWO_BLOCKS, 0).into()]);
    let claims = claims.expect("two");
    let made = Messages::new(isa, TWO_BLOCKS, 8, 8, &claims);
    let messages = secret(vec![1_i8; (Messages::ROWS * made.columns) as usize]);
    let (witness, statement, _) = made.commit(&messages, &Seed::from_bytes(secret_array([4; 32])));
    let prover = Prover::new(&made.matrix, &statement).expect("a prover");
    let (slot, params) = (made.slot(), &made.params);
    let worker = |part| {
        let shard = Shard::even(params, part, 2);
        <ArgumentWorker<'_>>::new(params, &witness, shard, &slot, &claims).expect("true claims")
    };
    let mut workers = [0, 1].map(worker);
    let argument = Argument::new(&prover, (&slot, &claims), &mut |request| {
        let request = Request::from_bytes(&request.to_bytes()).expect("its own bytes");
        let [mut all, next] = workers.each_mut().map(|worker| worker.answer(&request));
        let (all, next) = (all.as_mut().expect("in memory"), next.expect("in memory"));
        match request.combine() {
            Combine::Sum => all.iter_mut().zip(next.iter()).for_each(|(sum, &x)| *sum += x),
            Combine::Concatenate => all.extend_from_slice(&next),
        }
        Ok(core::mem::take(all))
    });
    black_box(argument.expect("true claims"));
}

/// Toy parameters for elements of F.
fn of_digits(layout: &Layout) -> Params {
    let rows = layout.all_rows() as u32;
    let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
    let custom = CustomParams::new(40, 8, rows + 38, layout.all_columns(), 1);
    let custom = CustomParams { n: Some(8), groups: [Some(group), None, None], ..custom };
    custom.validate(Security::Waived).expect("toy parameters")
}

/// The values of secret wires, pads and their seed: whether the constraints hold and all that is
/// sent are public, as the circuit and its public inputs are.
fn prove_circuit(isa: Isa) {
    prove_circuit_over::<P61>(isa);
    prove_circuit_over::<Goldilocks>(isa);
}

fn prove_circuit_over<F: CircuitField>(isa: Isa) {
    let build = |x: u32| {
        let mut builder = CircuitBuilder::<F>::default();
        let public = builder.public(ScalarOf::from(100));
        let [x] = secret_array([x]);
        let wire = builder.secret(ScalarOf::from(x));
        let bits = builder.bits(wire, 8);
        let square = builder.product(bits[1], wire);
        builder.constrain(wire, square, public);
        builder.finish().expect("a circuit")
    };
    let (circuit, assignment) = build(10);
    let claim = |public: u32| {
        Claims::from(CircuitClaim::new(&circuit, &[ScalarOf::from(public)]).expect("one input"))
    };
    let layout = Layout::over::<F>(7, 2).with_slot(&claim(100)).expect("a slot");
    let params = of_digits(&layout);
    let layout = circuit.layout(&params).expect("enough columns");
    let a = PublicMatrix::new_on(isa, &params, [1; 32]);
    let seed = Seed::from_bytes(secret_array([4; 32]));
    let witness = circuit.witness(&a, &assignment, &seed).expect("constraints that hold");
    let witness = Secret(witness);
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file).expect("a commitment");
    let (commitment, slot) = ((&a, &statement, &file[..]), layout.slot(0).expect("a slot"));
    prove_claims(commitment, &slot, &witness, &seed, [&claim(100), &claim(1)]);
    let (same, wrong) = build(11);
    assert!(same == circuit);
    let refused = circuit.witness(&a, &wrong, &seed);
    assert!(matches!(refused, Err(Error::FalseFact)));
}

/// The same of values that were committed before, new wires, and the key of new columns, which are
/// public as T.
fn prove_committed_circuit(isa: Isa) {
    let build = |x: u32| {
        let mut builder = CircuitBuilder::new();
        let public = builder.public(Scalar::from(100));
        let [x] = secret_array([x]);
        let wire = builder.secret(Scalar::from(x));
        let square = builder.product(wire, wire);
        builder.equal(square, public);
        builder.finish().expect("a circuit")
    };
    let (circuit, assignment) = build(10);
    let params = of_digits(&Layout::of_values(15, 1, 2).expect("two slots"));
    let space = InputSpace::new(&params).expect("digits and pads");
    let a = PublicMatrix::new_on(isa, &params, [1; 32]);
    let seed = Seed::from_bytes(secret_array([4; 32]));
    let [one, ten] = secret_array([1_u32, 10]);
    let witness = space.witness(&a, &[Scalar::from(one), Scalar::from(ten)], &seed);
    let witness = Secret(witness.expect("two values"));
    let statement = a.commit_and_hold(&witness, &mut Vec::new()).expect("a commitment");
    let prove = |element: u64, slot: u32| {
        let inputs = Inputs { slot, elements: vec![element] };
        let public = &assignment.public;
        let claim = CommittedCircuit::new(&a, &statement, &circuit, public, &inputs);
        let claim = claim.expect("a value").reproducible();
        let proof = claim.prove(b"ctgrind", &witness, &assignment, &seed)?;
        claim.verify(b"ctgrind", &proof.proof).expect("valid");
        Ok(())
    };
    prove(1, 0).expect("a square");
    assert!(matches!(prove(0, 1), Err(Error::FalseFact)));
}

/// The same of keys and their dummy columns: hints are public, too.
fn prove_keys(isa: Isa) {
    let custom = CustomParams { n: Some(8), ..CustomParams::new(29, 8, 28, 300, 2) };
    let params = CustomParams { round_t: Some(0), ..custom }.validate(Security::Waived);
    let params = params.expect("toy parameters");
    let a = PublicMatrix::new_on(isa, &params, [1; 32]);
    let witness = Secret(RandomWitness::new(Seed::from_bytes(secret_array([4; 32]))));
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file).expect("keys");
    let seed = Seed::from_bytes(secret_array([3; 32]));
    let prove = |claim: KeyRanges| {
        let keys = ExactKeys::new(&a, &statement, claim).expect("waived").reproducible();
        let proof = keys.prove(b"ctgrind", &witness, &seed)?.proof;
        keys.verify(b"ctgrind", &proof).expect("valid");
        Ok(())
    };
    prove(KeyRanges::new(2, 2).expect("a claim")).expect("well formed");
    let other = KeyRanges::new(2, 1).expect("a claim");
    assert!(matches!(prove(other), Err(Error::FalseFact)));
}

fn prove(isa: Isa, params: &Params, witness: &dyn WitnessSource) {
    let a = PublicMatrix::new_on(isa, params, [1; 32]);
    let mut file = Vec::new();
    let statement = a.commit_and_hold(witness, &mut file).expect("a commitment");
    let prover = Prover::new(&a, &statement).expect("a prover").reproducible();
    let seed = Seed::from_bytes(secret_array([3; 32]));
    let proved = prover.prove(b"ctgrind", witness, &seed).expect("a proof");
    let bytes = proved.proof;
    let verifier = Verifier::new(&a, &statement).expect("its own A");
    verifier.with_file(&file).verify(b"ctgrind", &bytes).expect("a valid proof");
}

/// Keeps no block: every one is computed.
struct Forget;

impl BlockSink for Forget {
    fn finished(&mut self, _: u64, _: &Digest) -> Result<Option<Digest>, Error> {
        Ok(None)
    }

    fn put(&mut self, _: u64, _: &Digest, _: &Digest, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }
}

/// One proof by two machines.
fn prove_in_shards(isa: Isa, params: &Params) {
    let a = PublicMatrix::new_on(isa, params, [1; 32]);
    let witness = Secret(RandomWitness::new(Seed::from_bytes([2; 32])));
    let shards = [0, 1].map(|i| Shard::even(params, i, 2));
    let hashes = shards.map(|s| shard::commit(&a, &witness, s, &mut Forget).expect("a shard of T"));
    let mut s = WitnessDigest::default();
    hashes.iter().for_each(|hashes| s.join(&hashes.s));
    let t = hashes.iter().flat_map(|hashes| hashes.t.clone()).collect();
    let statement = shard::statement(params, *a.id(), t).expect("all blocks");
    // T again, for the product that a compact proof needs.
    let mut file = Vec::new();
    a.commit(&witness, &mut file).expect("in memory");
    let seed = Seed::from_bytes(secret_array([3; 32]));
    let prover = Prover::new(&a, &statement).expect("a prover").reproducible();
    let coordinator = Coordinator::new(&prover, b"ctgrind", &s, &seed);
    let coordinator = coordinator.expect("hashes of all blocks");
    let mut workers = shards.map(|s| ShardWitness::new(&a, &witness, s, 1 << 20));
    let proof = (0..params.max_attempts()).find_map(|i| {
        let attempt = coordinator.begin(i).expect("no entropy is needed");
        let mut m = vec![0_u32; (params.v() * params.n()) as usize];
        for worker in &mut workers {
            let part = worker.multiply(attempt.challenge_hash()).expect("a witness in bounds");
            m.iter_mut().zip(part.iter()).for_each(|(m, part)| *m = m.wrapping_add(*part));
        }
        let response = attempt.finish(&m).expect("the sum of all parts")?;
        let tc = response.needs_product().then(|| {
            let (all, hash) = (Shard::whole(params), response.challenge_hash());
            shard::multiply_tc(&a, &file, all, statement.block_hashes(), hash).expect("in memory")
        });
        response.into_proof(tc.as_ref()).expect("the product")
    });
    black_box(proof.expect("one attempt in three succeeds"));
}
