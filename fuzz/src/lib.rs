//! What the fuzzers run, one function for each target: decoders must not panic and must accept only
//! canonical bytes; every instruction set must agree with the definition. `tests/fuzz_corpus.rs`
//! replays the committed inputs.

use std::sync::LazyLock;

use num_bigint::BigUint;
use tautochrone::bignum::{self, Barrett, Mul, convert, div};
use tautochrone::ctr::{Label, Seed, Stream};
use tautochrone::gauss::bitslice::Bitslice;
use tautochrone::gauss::facct::Facct;
use tautochrone::gauss::ziggurat::{Options, Partition, Ziggurat};
use tautochrone::ice::{self, Ice};
use tautochrone::matmul::{Matrix, MatrixMut, Multiplier, reference};
use tautochrone::simd::Isa;
use tautochrone::zk::argument::{
    Assignment, CIRCUIT_PAD_ROWS, Circuit, CircuitBuilder, CircuitSpace, Combination,
    CommittedCircuit, DIGIT_BOUND, DIGITS, ExactKeys, Fact, Facts, InputSpace, Inputs, KeyProof,
    KeyRanges, PAD_BOUND, PAD_ROWS, PaddedSpace, RANGE_PAD_ROWS, RangeProof, Ranges, RowNorm,
    RowRange, Scalar,
};
use tautochrone::zk::{
    ChallengeKind, CustomParams, Distribution, Encoding, MatrixForm, Params, Preset, Proof, Prover,
    PublicMatrix, RandomWitness, RowGroup, Security, Statement, Verifier, Version, Witness,
    WitnessFile, WitnessSource,
};

/// A target's name and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target by its name, which is also that of its corpus.
pub const ALL: &[Target] = &[
    ("statement", statement),
    ("witness", witness),
    ("proof", proof),
    ("argument", argument),
    ("circuit", circuit),
    ("keys", keys),
    ("params", params),
    ("hex", hex),
    ("matmul", matmul),
    ("bignum", bignum),
    ("ice", ice),
    ("samplers", samplers),
];

/// The input, read field by field; zeros once it has run out.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        let (head, rest) = self.0.split_at(self.0.len().min(N));
        out[..head.len()].copy_from_slice(head);
        self.0 = rest;
        out
    }

    fn byte(&mut self) -> u8 {
        u8::from_le_bytes(self.bytes())
    }

    fn word(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    fn half(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }
}

/// Two rows, a dozen columns: a statement of a hundred bytes.
pub fn toy(version: Version, encoding: Encoding) -> Params {
    let preset = if version == Version::One { Preset::T4_128_V1 } else { Preset::T4_128 };
    let most = (version == Version::Two).then_some(12 * 16);
    let toy = CustomParams { l: 12, v: 16, r: 2, n: Some(4), encoding, ..preset.custom() };
    let toy = CustomParams { frobenius_squared: most, ..toy };
    toy.validate(Security::Waived).expect("in range")
}

/// A statement file of any bytes.
pub fn statement(data: &[u8]) {
    if let Ok(statement) = Statement::read(&data, Security::Waived) {
        assert_eq!(statement.block_hashes().len() as u64, statement.params().blocks());
        let _ = statement.digest(b"fuzz");
    }
}

/// A witness file of any bytes: what is accepted is within the bound.
pub fn witness(data: &[u8]) {
    let params = toy(Version::One, Encoding::Rice);
    let mut out = vec![0; 16 * 12];
    if let Ok(file) = WitnessFile::new(&params, data.to_vec()) {
        let bound = params.b();
        let within = data.iter().all(|&b| u32::from(b.cast_signed().unsigned_abs()) <= bound);
        assert_eq!(file.read_columns(&params, 0, &mut out).is_ok(), within);
    }
    let entries = data.iter().map(|b| b.cast_signed()).collect();
    if let Ok(witness) = Witness::new(&params, entries) {
        witness.read_columns(&params, 0, &mut out).expect("it was accepted whole");
    }
    // Entries of two and of four bytes.
    for b in [300, 40_000] {
        let custom = CustomParams { n: Some(4), ..CustomParams::new(60, 2, 16, 12, b) };
        let params = custom.validate(Security::Waived).expect("in range");
        if let Ok(file) = WitnessFile::new(&params, data.to_vec()) {
            let mut out = vec![0; 16 * 12];
            if file.read_wide_columns(&params, 0, &mut out).is_ok() {
                assert!(out.iter().all(|s| s.unsigned_abs() <= b));
                Witness::wide(&params, out).expect("every entry is within the bound");
            }
        }
    }
}

/// A proof file of any bytes, in both versions and encodings: what decodes encodes to the same
/// bytes.
pub fn proof(data: &[u8]) {
    let versions = [Version::One, Version::Two];
    let all = versions.map(|version| [Encoding::Rice, Encoding::Rans].map(|e| (version, e)));
    for (version, encoding) in all.into_iter().flatten() {
        let params = toy(version, encoding);
        let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
        let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
        let statement =
            matrix.commit(&witness, &mut Vec::new()).expect("nothing can fail in memory");
        if let Ok(proof) = Proof::parse(data, &params, &statement.digest(b"fuzz")) {
            assert_eq!(proof.to_bytes(&params), data, "not canonical");
        }
    }
}

/// Commitments to bits, and proofs of a fact about them, of their range and of their norm.
pub struct Arguments {
    matrix: PublicMatrix,
    statement: Statement,
    space: PaddedSpace,
    fact: Fact,
    ranges: Ranges,
    norms: Ranges,
    /// The file of the fact, that of the ranges, and that of the norms.
    pub proofs: [Vec<u8>; 3],
}

/// Made once.
pub static ARGUMENTS: LazyLock<Arguments> = LazyLock::new(|| {
    let bits = RowRange { first_row: 0, rows: 2, low: 0, high: 1 };
    let ranges = Ranges::new(vec![bits]).expect("a range");
    // The first row is a bit and its square; the second says how much smaller than 1 it is.
    let norm = RowNorm { first_row: 0, rows: 1, bound_squared: 1, first_bit: 1, bits: 1 };
    let norms = Ranges::with_norms(vec![bits], vec![norm]).expect("a claim");
    let l = ranges.least_columns(1);
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let groups = [any(2, 1), any(PAD_ROWS + 2 * RANGE_PAD_ROWS, PAD_BOUND), None];
    let v = 2 + PAD_ROWS + 2 * RANGE_PAD_ROWS + 10 + 2;
    let custom = CustomParams { n: Some(4), groups, ..CustomParams::new(29, 2, v, l, 1) };
    let frobenius_squared = Some(u128::from(v * 4) * u128::from(l));
    let params = CustomParams { frobenius_squared, ..custom }.validate(Security::Waived);
    let params = params.expect("in range");
    let space = PaddedSpace::with_ranges(&params, 2, 1, 2, Security::Waived).expect("slots");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let mut messages: Vec<i8> = (0..2 * l).map(|i| (i % 3 % 2) as i8).collect();
    norms.fill_slack(2, &mut messages).expect("bits");
    let witness = space.witness(&matrix, &messages, &Seed::from_bytes([2; 32])).expect("bits");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let value = messages.iter().map(|&bit| i64::from(bit)).sum();
    let columns = (0..l).map(|j| (j, 1)).collect();
    let fact = Fact::sum(vec![(0, 1), (1, 1)], columns, value).expect("a fact");
    let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
    let seed = Seed::from_bytes([3; 32]);
    let slot = space.slot(0).expect("a slot");
    let of_fact = prover.prove_fact(b"fuzz", slot, &fact, &witness, &seed).expect("true");
    let slot = space.range_slot(0).expect("a slot");
    let of_ranges = prover.prove_ranges(b"fuzz", slot, &ranges, &witness, &seed).expect("true");
    let slot = space.range_slot(1).expect("a slot");
    let of_norms = prover.prove_ranges(b"fuzz", slot, &norms, &witness, &seed).expect("true");
    let proofs = [of_ranges, of_norms].map(|proved| proved.proof.to_bytes(&params));
    let [of_ranges, of_norms] = proofs;
    let proofs = [of_fact.proof.to_bytes(&params), of_ranges, of_norms];
    Arguments { matrix, statement, space, fact, ranges, norms, proofs }
});

/// Commitments to bits, and a proof of several facts about them.
pub struct SeveralFacts {
    matrix: PublicMatrix,
    statement: Statement,
    space: PaddedSpace,
    facts: Facts,
    /// The file.
    pub proof: Vec<u8>,
}

/// Made once.
pub static SEVERAL_FACTS: LazyLock<SeveralFacts> = LazyLock::new(|| {
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let groups = [any(2, 1), any(3 * PAD_ROWS, PAD_BOUND), None];
    let v = 2 + 3 * PAD_ROWS + 10 + 2;
    let l = 13;
    let custom = CustomParams { n: Some(4), groups, ..CustomParams::new(29, 2, v, l, 1) };
    let frobenius_squared = Some(u128::from(v * 4) * u128::from(l));
    let params = CustomParams { frobenius_squared, ..custom }.validate(Security::Waived);
    let params = params.expect("in range");
    let space = PaddedSpace::new(&params, 2, 3, Security::Waived).expect("slots");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let messages: Vec<i8> = (0..2 * l).map(|i| (i % 3 % 2) as i8).collect();
    let witness = space.witness(&matrix, &messages, &Seed::from_bytes([2; 32])).expect("bits");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let value = messages.iter().map(|&bit| i64::from(bit)).sum();
    let sum = Fact::sum(vec![(0, 1), (1, 1)], (0..l).map(|j| (j, 1)).collect(), value);
    let block = Fact::block(0, 5, 2, messages[10..14].iter().map(|&bit| bit.into()).collect());
    let facts = Facts::new(vec![sum.expect("a fact"), block.expect("a fact")]).expect("two");
    let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
    let (slot, seed) = (space.batch_slot(0).expect("three slots"), Seed::from_bytes([3; 32]));
    let proved = prover.prove_facts(b"fuzz", slot, &facts, &witness, &seed).expect("true");
    let proof = proved.proof.to_bytes(&params);
    SeveralFacts { matrix, statement, space, facts, proof }
});

/// Proofs of facts, ranges and norms of any bytes: none is valid but the honest ones.
pub fn argument(data: &[u8]) {
    let several = &*SEVERAL_FACTS;
    let verifier = Verifier::new(&several.matrix, &several.statement).expect("its own A");
    let slot = several.space.batch_slot(0).expect("three slots");
    if verifier.verify_facts(b"fuzz", slot, &several.facts, data).is_ok() {
        assert_eq!(data, several.proof, "another proof of the facts");
    }
    let all = &*ARGUMENTS;
    let verifier = Verifier::new(&all.matrix, &all.statement).expect("its own A");
    let slot = all.space.slot(0).expect("a slot");
    if verifier.verify_fact(b"fuzz", slot, &all.fact, data).is_ok() {
        assert_eq!(data, all.proofs[0], "another proof of the fact");
    }
    let slot = all.space.range_slot(0).expect("a slot");
    if verifier.verify_ranges(b"fuzz", slot, &all.ranges, data).is_ok() {
        assert_eq!(data, all.proofs[1], "another proof of the range");
    }
    let slot = all.space.range_slot(1).expect("a slot");
    if verifier.verify_ranges(b"fuzz", slot, &all.norms, data).is_ok() {
        assert_eq!(data, all.proofs[2], "another proof of the norm");
    }
    // Of whatever claim the file has.
    if let Ok((slot, ranges)) = RangeProof::claim(data, all.statement.params()) {
        if verifier.verify_ranges(b"fuzz", slot, &ranges, data).is_ok() {
            let known = all.proofs[1..].iter().any(|proof| data == &proof[..]);
            assert!(known, "a proof of another claim");
        }
    }
}

/// Commitments to the wires of x (x + 3) = 10, and a proof that it holds of them.
pub struct OfCircuit {
    matrix: PublicMatrix,
    statement: Statement,
    circuit: Circuit,
    assignment: Assignment,
    /// The proof, the circuit, and the wires.
    pub files: [Vec<u8>; 3],
}

/// Commitments to x, and a proof of the same circuit about it.
pub struct OfInputs {
    statement: Vec<u8>,
    inputs: Inputs,
    /// The proof.
    pub proof: Vec<u8>,
}

/// Made once.
pub static OF_INPUTS: LazyLock<OfInputs> = LazyLock::new(|| {
    let OfCircuit { assignment, .. } = &*OF_CIRCUIT;
    let rows = DIGITS + 2 * CIRCUIT_PAD_ROWS;
    let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
    let custom = CustomParams {
        n: Some(4),
        groups: [Some(group), None, None],
        ..CustomParams::new(40, 2, rows + 12, 2, 1)
    };
    let params = custom.validate(Security::Waived).expect("in range");
    let space = InputSpace::new(&params, Security::Waived).expect("digits and pads");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let seed = Seed::from_bytes([2; 32]);
    let witness = space.witness(&matrix, &assignment.secret, &seed).expect("one value");
    let mut statement = Vec::new();
    matrix.commit(&witness, &mut statement).expect("in memory");
    let inputs = Inputs::first(1, 1);
    let claim = of_inputs(&statement, &inputs);
    let proved = claim.prove(b"fuzz", &witness, assignment, &Seed::from_bytes([3; 32]));
    let proof = proved.expect("it holds").proof.to_bytes(claim.params());
    drop(claim);
    OfInputs { statement, inputs, proof }
});

fn of_inputs<'a>(statement: &'a Vec<u8>, inputs: &'a Inputs) -> CommittedCircuit<'a> {
    let OfCircuit { circuit, assignment, .. } = &*OF_CIRCUIT;
    let (isa, public) = (Isa::PORTABLE, &assignment.public);
    CommittedCircuit::new_on(isa, statement, Security::Waived, circuit, public, inputs)
        .expect("one value")
        .reproducible()
}

/// Made once.
pub static OF_CIRCUIT: LazyLock<OfCircuit> = LazyLock::new(|| {
    let mut builder = CircuitBuilder::new();
    let ten = builder.public(Scalar::from(10));
    let x = builder.secret(Scalar::from(2));
    builder.constrain(x, Combination::from(x) + Scalar::from(3).into(), ten);
    let (circuit, assignment) = builder.finish().expect("a circuit");
    let rows = DIGITS + CIRCUIT_PAD_ROWS;
    let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
    let custom = CustomParams {
        n: Some(4),
        groups: [Some(group), None, None],
        ..CustomParams::new(40, 2, rows + 12, 30, 1)
    };
    let params = custom.validate(Security::Waived).expect("in range");
    let space = CircuitSpace::new(&params, &circuit, Security::Waived).expect("enough columns");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let seed = Seed::from_bytes([2; 32]);
    let witness = space.witness(&matrix, &circuit, &assignment, &seed).expect("it holds");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let prover = Prover::new(&matrix, &statement).expect("waived").reproducible();
    let seed = Seed::from_bytes([3; 32]);
    let proved = prover.prove_circuit(b"fuzz", &circuit, &assignment.public, &witness, &seed);
    let proof = proved.expect("it holds").proof.to_bytes(&params);
    let files = [proof, circuit.to_r1cs(), assignment.to_wtns().to_vec()];
    OfCircuit { matrix, statement, circuit, assignment, files }
});

/// Any bytes as a proof about a circuit, of which none is valid but the honest one; as a circuit,
/// which is written as it was read; and as wires.
pub fn circuit(data: &[u8]) {
    let all = &*OF_CIRCUIT;
    let verifier = Verifier::new(&all.matrix, &all.statement).expect("its own A");
    if verifier.verify_circuit(b"fuzz", &all.circuit, &all.assignment.public, data).is_ok() {
        assert_eq!(data, all.files[0], "another proof");
    }
    let OfInputs { statement, inputs, proof } = &*OF_INPUTS;
    if of_inputs(statement, inputs).verify(b"fuzz", data).is_ok() {
        assert_eq!(data, proof, "another proof about inputs");
    }
    if let Ok(circuit) = Circuit::read_r1cs(data) {
        let again = Circuit::read_r1cs(&circuit.to_r1cs()).expect("its own file");
        assert!(again == circuit, "another circuit");
    }
    if let Ok(assignment) = Assignment::read_wtns(data, &all.circuit) {
        let again = Assignment::read_wtns(&assignment.to_wtns(), &all.circuit).expect("its own");
        assert!(again.public == assignment.public && again.secret == assignment.secret);
        all.circuit.first_violation(&assignment).expect("as many wires");
    }
}

/// Ternary keys, and proofs that they are well formed.
pub struct Keys {
    matrix: PublicMatrix,
    statement: Statement,
    /// The files of a proof, and of one in the former format.
    pub proofs: [Vec<u8>; 2],
}

impl Keys {
    fn exact(&self, claim: KeyRanges) -> ExactKeys<'_> {
        ExactKeys::new(&self.matrix, &self.statement, claim).expect("waived").reproducible()
    }
}

/// Made once.
pub static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let custom = CustomParams { n: Some(4), ..CustomParams::new(29, 2, 5, 3, 2) };
    let frobenius_squared = Some(60);
    let custom = CustomParams { round_t: Some(0), frobenius_squared, ..custom };
    let params = custom.validate(Security::Waived).expect("in range");
    let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
    let entries: Vec<i8> = (0..15).map(|i| (i % 3) as i8 - 1).collect();
    let witness = Witness::new(&params, entries).expect("trits");
    let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
    let keys = Keys { matrix, statement, proofs: [Vec::new(), Vec::new()] };
    let claim = KeyRanges::new(1, 1).expect("a claim");
    let proofs = [claim, claim.with_whole_dummies()].map(|claim| {
        let exact = keys.exact(claim);
        let proved = exact.prove(b"fuzz", &witness, &Seed::from_bytes([3; 32])).expect("true");
        proved.proof.to_bytes(&exact)
    });
    Keys { proofs, ..keys }
});

/// Proofs about keys of any bytes: none is valid but the honest ones.
pub fn keys(data: &[u8]) {
    let all = &*KEYS;
    let expected = KeyRanges::new(1, 1).expect("a claim");
    if all.exact(expected).verify(b"fuzz", data).is_ok() {
        assert_eq!(data, all.proofs[0], "another proof of the claim");
    }
    // Of whatever claim the file has.
    let Ok(claim) = KeyProof::claim(data, all.statement.params()) else { return };
    let Ok(exact) = ExactKeys::new(&all.matrix, &all.statement, claim) else { return };
    if exact.verify(b"fuzz", data).is_ok() {
        assert!(all.proofs.iter().any(|proof| data == proof), "a proof of another claim");
    }
}

/// Parameters of any numbers: refused, or good for an estimate.
pub fn params(data: &[u8]) {
    let mut fields = Fields(data);
    let flags = fields.byte();
    let bit = |i: u8| flags >> i & 1 == 1;
    let version = if fields.byte() & 1 == 1 { Version::One } else { Version::Two };
    let rounding = fields.byte();
    let base = CustomParams::new(29, 1176, 2632, 4096, 1);
    let custom = CustomParams {
        version,
        round_w: (rounding & 1 == 1).then_some(u32::from(rounding >> 2)),
        round_t: (rounding & 2 == 2).then_some(u32::from(rounding >> 2)),
        lambda: if bit(0) { fields.half() } else { 128 },
        w: if bit(1) { fields.half() } else { 32 },
        r: fields.half(),
        v: fields.half(),
        l: fields.word(),
        n: bit(2).then(|| fields.half()),
        b: fields.half(),
        sigma: bit(3).then(|| fields.word()),
        challenge: if bit(4) { ChallengeKind::Binary } else { ChallengeKind::Ternary },
        norm_bound: bit(5).then(|| fields.word()),
        matrix: if bit(6) { MatrixForm::Systematic } else { MatrixForm::Full },
        encoding: if bit(7) { Encoding::Rans } else { Encoding::Rice },
        ..base
    };
    if let Ok(params) = custom.validate(Security::Waived) {
        let _ = params.estimate();
        let _ = params.check_security();
        assert!(params.sigma() >= 2 && params.sigma() < 1 << 32);
    }
}

/// Hexadecimal numbers: what is read is written again, but for case and leading zeros.
pub fn hex(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    for words in [0, 1, 3] {
        if let Ok(x) = convert::from_hex(text, words) {
            let written = convert::to_hex(&x);
            let plain = |s: &str| s.trim_start_matches('0').to_lowercase();
            assert_eq!(plain(&written), plain(text));
        }
    }
}

/// Products on every instruction set against three loops.
pub fn matmul(data: &[u8]) {
    let mut fields = Fields(data);
    let [m, k, n] = fields.bytes().map(|b: u8| usize::from(b % 40));
    let (x_bits, y_bits) = (1 + u32::from(fields.byte() % 32), 1 + u32::from(fields.byte() % 8));
    let seed: [u8; 8] = fields.bytes();
    // Entries: the bytes given, then a cheap expansion of the seed.
    let mut state = u64::from_le_bytes(seed) | 1;
    let mut entry = |bits: u32| {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(u64::from(fields.byte()) << 8 | 1);
        // The extremes of the promised width are frequent.
        let value = match state >> 62 {
            0 => i64::MIN,
            1 => i64::MAX,
            _ => state.cast_signed(),
        };
        value >> (64 - bits)
    };
    let x: Vec<i32> = (0..m * k).map(|_| entry(x_bits) as i32).collect();
    let y: Vec<i8> = (0..k * n).map(|_| entry(y_bits) as i8).collect();
    let x = Matrix::row_major(&x, m, k).expect("a matrix");
    let y = Matrix::column_major(&y, k, n).expect("a matrix");
    let mut want = vec![7_u32; m * n];
    let view = MatrixMut::column_major(&mut want, m, n).expect("a matrix");
    reference::multiply_add(x, y, view);
    for isa in Isa::all() {
        let mut got = vec![7_u32; m * n];
        let view = MatrixMut::column_major(&mut got, m, n).expect("a matrix");
        let (x, y) = (x.with_bits(x_bits), y.with_bits(y_bits));
        Multiplier::new_on(isa).product(x, y).add_to(view).expect("shapes agree");
        assert_eq!(got, want, "{isa}");
    }
}

fn big(x: &[u64]) -> BigUint {
    x.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64_u32) + word)
}

/// Big numbers against num-bigint.
pub fn bignum(data: &[u8]) {
    let mut fields = Fields(data);
    let n = 1 + usize::from(fields.byte() % 34);
    let mut number = || (0..n).map(|_| fields.word()).collect::<Vec<u64>>();
    let (x, y, m) = (number(), number(), number());
    let mut z = vec![0; 2 * n];
    for isa in Isa::all() {
        Mul::new_on(isa).mul(&mut z, &x, &y);
        assert_eq!(big(&z), big(&x) * big(&y), "{isa}");
        Mul::new_on(isa).square(&mut z, &x);
        assert_eq!(big(&z), big(&x) * big(&x), "{isa}");
        let mut r = vec![0; n];
        match Barrett::new_on(isa, &m) {
            Ok(ring) => {
                ring.mul(&mut r, &x, &y).expect("widths agree");
                assert_eq!(big(&r), big(&x) * big(&y) % big(&m), "{isa}");
                ring.pow(&mut r, &x, &y[..1]).expect("widths agree");
                assert_eq!(big(&r), big(&x).modpow(&big(&y[..1]), &big(&m)), "{isa}");
            }
            Err(error) => assert!(error == bignum::Error::ZeroModulus && big(&m) == BigUint::ZERO),
        }
    }
    if big(&m) != BigUint::ZERO {
        let (mut q, mut r) = (x.clone(), vec![0; n]);
        div::div_rem(&mut q, &mut r, &m);
        assert_eq!((big(&q), big(&r)), (big(&x) / big(&m), big(&x) % big(&m)));
        if n <= 4 {
            let reduced = bignum::gcd::inverse(&x, &m);
            match reduced {
                Ok(inverse) => {
                    assert_eq!(big(&inverse) * big(&x) % big(&m), BigUint::from(1_u32) % big(&m));
                }
                Err(error) => assert_eq!(error, bignum::Error::NoInverse),
            }
        }
    }
}

/// ICE on every instruction set against icefast, and back.
pub fn ice(data: &[u8]) {
    let mut fields = Fields(data);
    let level = fields.byte() % 3;
    // More than two batches of the widest kernel.
    let blocks = usize::from(u16::from_le_bytes(fields.bytes()) % 1100);
    let mut key = vec![0; Ice::key_length(level)];
    key.fill_with(|| fields.byte());
    let plain: Vec<[u8; 8]> = (0..blocks).map(|_| fields.bytes()).collect();
    let mut want = plain.as_flattened().to_vec();
    // No blocks at all are too few for icefast.
    if blocks > 0 {
        icefast::Ice::new(level.into(), &key).encrypt(&mut want);
    }
    for isa in Isa::all() {
        let ice = Ice::new_on(isa, level, &key).expect("a key of the right length");
        let mut got = plain.clone();
        ice.encrypt(&mut got);
        assert_eq!(got.as_flattened(), want, "{isa}");
        ice.decrypt(&mut got);
        assert_eq!(got, plain, "{isa}");
    }
    let wrong = Ice::new(level, &key[1..]).err();
    let expected = key.len();
    assert_eq!(wrong, Some(ice::Error::KeyLength { got: expected - 1, expected, level }));
}

/// One sampler, which the input names, on every instruction set against the portable path.
pub fn samplers(data: &[u8]) {
    let mut fields = Fields(data);
    let which = fields.byte();
    let seed = Seed::from_bytes(fields.bytes());
    let len = usize::from(fields.byte()) + 1;
    let same = |fill: &mut dyn FnMut(Isa, &mut Stream, &mut [i64])| {
        let mut run = |isa| {
            let mut out = vec![0; len];
            fill(isa, &mut seed.stream_on(isa, Label::new("fuzz"), 0), &mut out);
            out
        };
        let want = run(Isa::PORTABLE);
        for isa in Isa::all() {
            assert_eq!(run(isa), want, "{isa}");
        }
    };
    match which % 4 {
        0 => facct(fields, &same),
        1 => ziggurat(fields, &same),
        kind => {
            let sigma = if kind == 2 { 2.0 } else { 34.0 };
            same(&mut |isa, stream, out| {
                let sampler = Bitslice::builder().sigma(sigma).isa(isa).build();
                sampler.expect("a preset").fill(stream, out);
            });
        }
    }
}

/// Calls its argument on every instruction set and compares what is written.
type Same<'a> = dyn Fn(&mut dyn FnMut(Isa, &mut Stream, &mut [i64])) + 'a;

/// Any bits at all as sigma and centre are refused or served, and alike everywhere.
fn facct(mut fields: Fields<'_>, same: &Same<'_>) {
    let [sigma, centre] = [(); 2].map(|()| f64::from_bits(fields.word()));
    if Facct::new(sigma).is_err() {
        assert!(Isa::all().all(|isa| Facct::new_on(isa, sigma).is_err()));
        return;
    }
    same(&mut |isa, stream, out| {
        let sampler = Facct::new_on(isa, sigma).expect("accepted before");
        if sampler.fill_centred(centre, stream, out).is_err() {
            out.fill(i64::MIN);
        }
    });
}

/// Few rectangles, so that the partition is found in time.
fn ziggurat(mut fields: Fields<'_>, same: &Same<'_>) {
    let sigma = f64::from_bits(fields.word());
    let rectangles = 1 << (fields.byte() % 6);
    let some = |value: u8| (value > 0).then(|| value.into());
    let options =
        Options { rectangles, factor: some(fields.byte() % 8), omega: some(fields.byte()) };
    let Ok(partition) = Partition::new(sigma, rectangles) else { return };
    let make = |isa| Ziggurat::from_partition(isa, partition.clone(), options);
    if make(Isa::PORTABLE).is_err() {
        assert!(Isa::all().all(|isa| make(isa).is_err()));
        return;
    }
    same(&mut |isa, stream, out| make(isa).expect("accepted before").fill(stream, out));
}
