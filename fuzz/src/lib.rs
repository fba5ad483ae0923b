//! What the fuzzers run, one function for each target: decoders must not panic and must accept only
//! canonical bytes; every instruction set must agree with the definition.
//! `tests/fuzz_corpus.rs` replays the committed inputs.

mod arguments;

use num_bigint::BigUint;
use tautochrone::bignum::{self, Barrett, BoxedNumber, Mul, div};
use tautochrone::ctr::{Label, Seed, Stream};
use tautochrone::gauss::bitslice::Bitslice;
use tautochrone::gauss::facct::Facct;
use tautochrone::gauss::ziggurat::{Options, Partition, Ziggurat};
use tautochrone::ice::{self, Ice};
use tautochrone::matmul::{Matrix, MatrixMut, Multiplier, reference};
use tautochrone::simd::Isa;
use tautochrone::zk::internals::{Proof, read_integers};
use tautochrone::zk::{
    ChallengeKind, CustomParams, Distribution, Masks, Params, Preset, PublicMatrix, RandomWitness,
    RowGroup, Security, Statement, Witness, WitnessFile, WitnessSource,
};

pub use arguments::{
    ARGUMENTS, Arguments, KEYS, Keys, OF_CIRCUIT, OF_INPUTS, OfCircuit, OfInputs, argument,
    circuit, keys,
};

/// A target's name and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target by its name, which is also the name of its corpus.
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

/// Two rows, a dozen columns: a statement of some hundred bytes.
pub fn toy(challenge: ChallengeKind) -> Params {
    let most = (challenge == ChallengeKind::Ternary).then_some(12 * 16);
    let toy = CustomParams { l: 12, v: 16, r: 2, n: Some(4), ..Preset::T4_128.custom() };
    let toy = CustomParams { frobenius_squared: most, challenge, ..toy };
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
    let params = toy(ChallengeKind::Ternary);
    let mut out = vec![0; 16 * 12];
    if let Ok(file) = WitnessFile::new(&params, data.to_vec()) {
        let bound = params.b();
        let within = data.iter().all(|&b| u32::from(b.cast_signed().unsigned_abs()) <= bound);
        assert_eq!(Witness::read(&params, &file).is_ok(), within);
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
            if read_integers(&params, &file, 0, &mut out).is_ok() {
                assert!(out.iter().all(|s| s.unsigned_abs() <= b));
                Witness::wide(&params, out).expect("every entry is within the bound");
            }
        }
    }
}

/// A proof file of any bytes, for both challenges: what decodes encodes to the same bytes.
pub fn proof(data: &[u8]) {
    for challenge in [ChallengeKind::Ternary, ChallengeKind::Binary] {
        let params = toy(challenge);
        let matrix = PublicMatrix::new_on(Isa::PORTABLE, &params, [1; 32]);
        let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
        let statement =
            matrix.commit(&witness, &mut Vec::new()).expect("nothing can fail in memory");
        if let Ok(proof) = Proof::parse(data, &params, &statement.digest(b"fuzz")) {
            assert_eq!(proof.to_bytes(&params), data, "not canonical");
        }
    }
}

/// Parameters of any numbers: refused, or good for an estimate.
pub fn params(data: &[u8]) {
    let mut fields = Fields(data);
    let flags = fields.byte();
    let bit = |i: u8| flags >> i & 1 == 1;
    let byte = fields.byte();
    let rho = (byte & 2 == 2).then_some(u32::from(byte >> 2));
    let rounding = fields.byte();
    let base = CustomParams::new(29, 1176, 2632, 4096, 1);
    let custom = CustomParams {
        rho,
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
        ..base
    };
    let custom = if bit(6) {
        let distribution = Distribution::Gaussian { micros: fields.word() };
        let rows = RowGroup { rows: custom.v, bound: custom.b, distribution };
        let log2_proofs = fields.half();
        if bit(7) {
            let distribution = Distribution::Any;
            let messages = RowGroup { rows: fields.half(), bound: fields.half(), distribution };
            let rows = RowGroup { rows: custom.v.saturating_sub(messages.rows), ..rows };
            let masks = Masks::Mixed { log2_proofs };
            CustomParams { groups: [Some(messages), Some(rows), None], masks, ..custom }
        } else {
            let masks = Masks::Narrow { log2_proofs };
            CustomParams { groups: [Some(rows), None, None], masks, ..custom }
        }
    } else {
        custom
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
        if let Ok(x) = BoxedNumber::from_hex(text, words) {
            let written = x.to_hex();
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
