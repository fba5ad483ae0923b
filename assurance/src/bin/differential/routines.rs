//! Routines that handle secrets, for comparisons of what they do on different ones.

use std::hint::black_box;

use tautochrone_assurance::leaky;
use tautochrone_bignum::{Barrett, Job, Method, Mul, fz, gcd, modexp_batch};
use tautochrone_ctr::{KeySize, Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Form, Kind, Width};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::uniform;
use tautochrone_ice::Ice;
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Ternary};
use tautochrone_simd::{Feature, Isa};
use tautochrone_zk::argument::{
    self, ArgumentWorker, Columns, Element, Fact, Layout, Ranges, Request, RowNorm, RowRange, Slot,
};
use tautochrone_zk::internals::{PAD_BOUND, Rejection, Rho};
use tautochrone_zk::shard::{Shard, ShardWitness};
use tautochrone_zk::{
    CustomParams, Digest, Distribution, Params, PublicMatrix, RowGroup, Security, Witness,
};

use crate::request::CONTROL;

/// The words of secrets that a routine is given.
pub type Secrets = [u64; 64];

/// Runs what is compared of a call, once; its preparation is not.
pub type Watch<'a> = dyn FnMut(&mut dyn FnMut()) + 'a;

/// A routine.
pub type Routine<'a> = dyn FnMut(&Secrets, &mut Watch<'_>) + 'a;

/// What routines are compared by.
pub struct Report<'a> {
    /// The instruction set of all routines.
    pub isa: Isa,
    /// The beginnings of the names of those that are wanted besides controls; none for all.
    pub only: Vec<String>,
    /// Calls a routine of a name on secrets of its choice, and compares what it sees.
    pub compare: &'a mut dyn FnMut(&str, &mut Routine<'_>),
    /// How many were compared, but for controls.
    pub routines: usize,
}

impl Report<'_> {
    fn check(&mut self, name: &str, mut routine: impl FnMut(&Secrets, &mut Watch<'_>)) {
        let is_control = name.starts_with(CONTROL);
        let wanted = self.only.is_empty() || self.only.iter().any(|only| name.starts_with(only));
        if wanted || is_control {
            self.routines += usize::from(!is_control);
            (self.compare)(name, &mut routine);
        }
    }

    /// Every routine, after the controls.
    pub fn check_all(&mut self) {
        controls(self);
        streams_and_ciphers(self);
        samplers(self);
        products(self);
        big_numbers(self);
        proofs(self);
    }
}

/// Routines that leak on purpose: the first by an early exit, others by a branch and an index.
fn controls(report: &mut Report<'_>) {
    report.check("control (early exit)", |s, watch| {
        let (a, zero) = (s[..32].try_into().expect("32 words"), [0; 32]);
        watch(&mut || {
            black_box(leaky::leaky_compare(a, &zero));
        });
    });
    report.check("control (branch)", |s, watch| {
        watch(&mut || {
            black_box(leaky::leaky_branch(s[0]));
        });
    });
    let table = [1; 256];
    report.check("control (index)", |s, watch| {
        watch(&mut || {
            black_box(leaky::leaky_index(&table, s[0] as u8));
        });
    });
}

fn seed(secret: &[u64; 64]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(secret) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// The first counter of a stream is public, and where it wraps, too.
const COUNTER: u128 = u64::MAX as u128 - 20;

/// AES-CTR and ICE.
fn streams_and_ciphers(report: &mut Report<'_>) {
    let isa = report.isa;
    report.check("ctr", |s, watch| {
        let mut stream = Stream::new_on(isa, KeySize::Aes256, &seed(s), COUNTER);
        let mut out = [0; 4096];
        watch(&mut || stream.fill(black_box(&mut out)))
    });
    report.check("ctr, from a key", |s, watch| {
        let mut out = [0; 64];
        watch(&mut || {
            let mut stream = Stream::new_on(isa, KeySize::Aes256, &seed(s), COUNTER);
            stream.fill(black_box(&mut out));
        });
    });
    report.check("ice, from a key", |s, watch| {
        watch(&mut || {
            black_box(Ice::new_on(isa, 2, &seed(s)[..16]).expect("a key"));
        });
    });
    for (name, count) in [("ice, a block", 1), ("ice, 150 blocks", 150)] {
        report.check(name, |s, watch| {
            let ice = Ice::new_on(isa, 1, &seed(s)[..8]).expect("a key");
            let mut blocks: Vec<_> = (0..count).map(|i| s[8 + i % 32].to_le_bytes()).collect();
            watch(&mut || ice.encrypt(black_box(&mut blocks)))
        });
    }
}

/// Gaussians and uniform integers.
fn samplers(report: &mut Report<'_>) {
    let isa = report.isa;
    let circuit = Bitslice::builder().sigma(2.0).isa(isa);
    let bytes = Bitslice::builder().sigma(34.0).isa(isa).form(Form::Bytes);
    for (name, builder) in [
        ("bitslice", circuit.clone()),
        ("bitslice, bimodal", circuit.kind(Kind::Bimodal)),
        ("bitslice, bytes", bytes),
    ] {
        let sampler = builder.build().expect("a sampler");
        report.check(name, |s, watch| {
            let mut stream = Seed::from_bytes(seed(s)).stream(Label::new("timing"), 1);
            let mut out = [0_i32; 512];
            watch(&mut || sampler.fill(&mut stream, black_box(&mut out)));
        });
    }
    let sampler = Facct::new_on(isa, 1e6).expect("a sampler");
    report.check("facct (centre)", |s, watch| {
        // One stream, hence the same rejections: the centre alone varies.
        let mut stream = Seed::from_bytes([7; 32]).stream(Label::new("timing"), 2);
        let centre = (s[0] >> 12) as f64 / (1_u64 << 40) as f64;
        let mut out = [0; 256];
        watch(&mut || {
            sampler.fill_centred(centre, &mut stream, black_box(&mut out)).expect("a centre")
        })
    });
    report.check("facct (centres)", |s, watch| {
        let mut stream = Seed::from_bytes([7; 32]).stream(Label::new("timing"), 3);
        let centres = [(s[0] >> 12) as f64 / (1_u64 << 40) as f64; 256];
        let mut out = [0; 256];
        watch(&mut || {
            sampler.fill_centres(&centres, &mut stream, black_box(&mut out)).expect("centres");
        })
    });
    // n = 10^9 + 7 rejects no 64-bit cells in practice, and n = 2^20 no 32-bit ones at
    // all.
    for (name, n) in [("uniform, below 2^20", 1 << 20), ("uniform, below 10^9 + 7", 1_000_000_007)]
    {
        report.check(name, |s, watch| {
            let mut stream = Stream::new_on(isa, KeySize::Aes128, &seed(s)[..16], 0);
            let mut out = [0_u64; 512];
            watch(&mut || uniform::fill_below(&mut stream, n, black_box(&mut out)).expect("n > 0"))
        });
    }
    report.check("uniform, 20 bits", |s, watch| {
        let mut stream = Stream::new_on(isa, KeySize::Aes128, &seed(s)[..16], 0);
        let mut out = [0_i32; 1024];
        watch(&mut || uniform::fill_signed(&mut stream, 20, black_box(&mut out)).expect("a width"))
    });
}

/// Matrices.
fn products(report: &mut Report<'_>) {
    let multiplier = Multiplier::new_on(report.isa);
    report.check("matmul", |s, watch| {
        let x: Vec<u64> = s.iter().cycle().take(32 * 64).copied().collect();
        let mut z = vec![0_u64; 32 * 16];
        watch(&mut || {
            let y = Matrix::column_major(&x[..64 * 16], 64, 16).expect("a matrix");
            let x = Matrix::row_major(&x, 32, 64).expect("a matrix");
            let z = MatrixMut::column_major(black_box(&mut z), 32, 16).expect("a matrix");
            multiplier.product(x, y).write_to(z).expect("shapes agree");
        })
    });
    // Narrow entries by a public matrix of entries -1, 0, 1.
    let y: Vec<i8> = (0..64 * 60).map(|i| (i * i % 3) as i8 - 1).collect();
    report.check("matmul, narrow ternary", |s, watch| {
        let bits = s.iter().flat_map(|word| word.to_le_bytes());
        let x: Vec<i8> = bits.cycle().take(64 * 64).map(|byte| (byte & 1) as i8).collect();
        let mut z = vec![0_u32; 64 * 60];
        watch(&mut || {
            let x = Matrix::column_major(&x, 64, 64).expect("a matrix");
            let y = Matrix::column_major(&y, 64, 60).expect("a matrix");
            let z = MatrixMut::column_major(black_box(&mut z), 64, 60).expect("a matrix");
            let x = multiplier.pack_narrow(x, 1).expect("narrow");
            let y = Ternary::public_vartime(y).expect("ternary");
            multiplier.product(&x, y).add_to(z).expect("shapes agree");
        })
    });
    // A public matrix by a secret one of entries -1, 0, 1.
    let x: Vec<u32> = (1..=32 * 96).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
    report.check("matmul, lookups", |s, watch| {
        let bits = s.iter().flat_map(|word| word.to_le_bytes());
        let y: Vec<i8> = bits
            .cycle()
            .take(96 * 64)
            .map(|byte| (byte & 1) as i8 - (byte >> 1 & 1) as i8)
            .collect();
        let mut z = vec![0_u32; 32 * 64];
        watch(&mut || {
            let x = Matrix::row_major(&x, 32, 96).expect("a matrix");
            let y = Matrix::column_major(&y, 96, 64).expect("a matrix");
            let z = MatrixMut::column_major(black_box(&mut z), 32, 64).expect("a matrix");
            let y = Ternary::secret(y).expect("ternary");
            multiplier.product(x, y).add_to(z).expect("shapes agree");
        })
    });
}

/// Products, powers and comparisons.
fn big_numbers(report: &mut Report<'_>) {
    let isa = report.isa;
    let mul = Mul::new_on(isa);
    report.check("bignum multiplication", |s, watch| {
        let mut z = [0; 64];
        watch(&mut || mul.mul(black_box(&mut z), &s[..32], &s[32..]))
    });
    let comba = mul.with_comba(32);
    report.check("bignum Comba", |s, watch| {
        let mut z = [0; 64];
        watch(&mut || comba.mul(black_box(&mut z), &s[..32], &s[32..]))
    });
    // Base, exponent and the modulus but for its ends; one at a time, a pass of eight lanes,
    // general registers.
    let without = isa.without(Feature::Ifma);
    for (name, isa, words, count) in [
        ("bignum power", isa, 16, 1),
        ("bignum power, 8 lanes", isa, 16, 8),
        ("bignum power, 15 limbs", without, 15, 1),
        ("bignum power, 16 limbs", without, 16, 1),
    ] {
        // Without lanes for them several are tasks of their own.
        if count > 1 && isa == without {
            continue;
        }
        report.check(name, |s, watch| {
            let mut modulus = s[16..16 + words].to_vec();
            modulus[0] |= 1;
            modulus[words - 1] |= 1 << 63;
            let job = Job { base: &s[..words], exponent: &s[32..33], modulus: &modulus };
            watch(&mut || {
                black_box(modexp_batch(isa, Method::Auto, black_box(&vec![job; count])));
            })
        });
    }
    report.check("bignum Karatsuba", |s, watch| {
        let mut z = [0; 128];
        let karatsuba = mul.with_comba(16);
        watch(&mut || karatsuba.mul(black_box(&mut z), s, s));
    });
    report.check("bignum Barrett", |s, watch| {
        let modulus: [u64; 16] = std::array::from_fn(|i| s[i] | u64::from(i == 15) << 63);
        let mut r = [0; 16];
        watch(&mut || {
            let barrett = Barrett::new_on(isa, &modulus).expect("a modulus");
            barrett.reduce(black_box(&mut r), &s[32..]).expect("twice as long");
        });
    });
    report.check("bignum gcd", |s, watch| {
        let (mut a, mut b) = (s[..8].to_vec(), s[8..16].to_vec());
        watch(&mut || gcd::gcd(black_box(&mut a), black_box(&mut b)));
    });
    report.check("bignum comparison", |s, watch| {
        watch(&mut || {
            black_box(fz::lt(&s[..32], &s[32..]) ^ fz::eq(&s[..32], &s[32..]));
        })
    });
}

/// The computations of a prover before anything is sent, and the decision to publish. Samples that
/// are drawn until it is in a range (witnesses of random entries, pads, Y) takes as long as that
/// takes, and is not here.
fn proofs(report: &mut Report<'_>) {
    let isa = report.isa;
    let rejection = Rejection::new(1 << 20, Rho::Three);
    report.check("zk rejection", |s, watch| {
        // The verdict is public, so it is fixed: the probability stays below 1/2, the uniform
        // number above.
        let (inner, norm) = (i128::from(s[0] as i64 >> 26), u128::from(s[1] >> 27));
        let uniform = 1 << 127 | u128::from(s[2]) << 63 | u128::from(s[3]);
        watch(&mut || {
            black_box(rejection.decide(inner, norm, uniform));
        });
    });
    let claims = Claims::new(isa);
    report.check("zk witness", |s, watch| {
        let entries: Vec<i8> = s.iter().map(|word| *word as i8 & 1).collect();
        let entries: Vec<i8> = entries.iter().copied().cycle().take(claims.entries()).collect();
        watch(&mut || {
            black_box(Witness::new(&claims.params, entries.clone()).expect("within the bound"));
        });
    });
    report.check("zk product S C", |s, watch| {
        let witness = claims.witness(s);
        watch(&mut || {
            let mut shard = ShardWitness::new(&claims.matrix, &witness, claims.all(), 1 << 20);
            black_box(shard.multiply(&claims.challenge_hash).expect("within the bound"));
        });
    });
    let bits = RowRange { first_row: 3, rows: 6, low: 0, high: 1 };
    let norm = Ranges::with_norms(vec![bits], vec![RowNorm::at_most(0, 3, 60, 3)]).expect("a norm");
    report.check("zk norms", |s, watch| {
        // Three entries of at most 4 in absolute value, and the six bits of the slack to 60.
        let entry = |word: u64| (word % 9) as i8 - 4;
        let mut messages: Vec<i8> = s
            .iter()
            .flat_map(|&x| [entry(x), entry(x >> 8), entry(x >> 16), 0, 0, 0, 0, 0, 0])
            .collect();
        watch(&mut || norm.fill_slack(9, black_box(&mut messages)).expect("at most 48"));
    });
    report.check("zk commitment", |s, watch| {
        let witness = claims.witness(s);
        let mut file = Vec::new();
        watch(&mut || {
            file.clear();
            claims.matrix.commit(&witness, &mut file).expect("in memory");
        });
    });
    report.check("zk fact", |s, watch| {
        let witness = claims.witness(s);
        watch(&mut || {
            let mut worker = claims.worker(&witness, 0);
            let columns = (0..Claims::COLUMNS.into()).map(|j| (j, Element::from(2))).collect();
            for request in [
                Request::Masks,
                Request::Columns(vec![Columns::Some(columns)]),
                // As many as variables of the rows.
                Request::Values([3; 5].map(Element::from).to_vec()),
            ] {
                black_box(worker.answer(&request).expect("in memory"));
            }
        });
    });
    report.check("zk ranges", |s, watch| {
        let witness = claims.witness(s);
        watch(&mut || {
            let mut worker = claims.worker(&witness, 1);
            // As many challenges as rounds: two for the rows, six for the columns.
            let challenges = [7; 8].map(Element::from).to_vec();
            let mask = Element::from((s[0] >> 1).cast_signed());
            let mut ask = |request| black_box(worker.answer(&request).expect("in memory"));
            ask(Request::Masks);
            ask(Request::Begin { claim: 0, challenges, mask });
            ask(Request::Bind(Element::from(5)));
            ask(Request::BindLast(Element::from(6)));
            // eq of the columns, and as above.
            ask(Request::Columns(vec![Columns::Point([9; 6].map(Element::from).to_vec())]));
            ask(Request::Values([3; 5].map(Element::from).to_vec()));
        });
    });
}

/// Kernels that are in the binary for the disassembly check, and not compared.
pub fn not_compared(isa: Isa) {
    // How many trials an adjusted distribution takes depends on its centre.
    let mut random = Seed::from_bytes([7; 32]).stream(Label::new("not compared"), 0);
    let base = Bitslice::builder().sigma(2.0).isa(isa);
    let adjusted = Adjusted::new(&base, Width::public(1.9)).expect("a width");
    adjusted.fill(black_box(0.5), &mut random, black_box(&mut [0_i32; 64])).expect("a centre");
    adjusted
        .fill_centres(black_box(&[0.5; 64]), &mut random, black_box(&mut [0_i32; 64]))
        .expect("centres");
    // A proof multiplies public numbers alone by tables of words.
    let (x, y) = ([1_u32; 16 * 4], [1_i8; 4 * 3]);
    let x = Matrix::column_major(black_box(&x), 16, 4).expect("a matrix");
    let y = Matrix::column_major(&y, 4, 3).expect("a matrix");
    let mut z = [0_u32; 16 * 3];
    let z = MatrixMut::column_major(black_box(&mut z), 16, 3).expect("a matrix");
    let y = Ternary::public_vartime(y).expect("ternary");
    Multiplier::new_on(isa).product(x, y).add_to(z).expect("shapes agree");
    #[cfg(target_arch = "x86_64")]
    black_box((
        leaky::leaky_division as *const (),
        leaky::vector::leaky_vector_branch as *const (),
        leaky::vector::leaky_vector_mask as *const (),
        leaky::vector::leaky_vector_index as *const (),
        leaky::vector::leaky_vector_division as *const (),
    ));
}

/// Claims about messages that are secret bits.
struct Claims {
    params: Params,
    matrix: PublicMatrix,
    layout: Layout,
    /// A fact, and ranges, in slots 0 and 1.
    claims: [argument::Claims; 2],
    slots: [Slot; 2],
    /// Any one.
    challenge_hash: Digest,
}

impl Claims {
    const ROWS: u32 = 30;
    const COLUMNS: u32 = 60;

    fn new(isa: Isa) -> Self {
        let columns = (0..Self::COLUMNS.into()).map(|j| (j, 2)).collect();
        let fact = Fact::sum(vec![(0, 5), (2, -3)], columns, 0).expect("a fact");
        let bits = RowRange { first_row: 0, rows: 3, low: 0, high: 1 };
        let claims = [fact.into(), Ranges::new(vec![bits]).expect("a range").into()];
        let layout = Layout::new(Self::ROWS, Self::COLUMNS.into());
        let layout = claims
            .iter()
            .fold(layout, |layout, claims| layout.with_slot(claims).expect("of the messages"));
        let group = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
        let groups = [group(Self::ROWS + layout.pad_rows(), PAD_BOUND), None, None];
        let v = Self::ROWS + layout.pad_rows() + 30 + 8;
        let custom = CustomParams::new(29, 8, v, layout.all_columns(), 1);
        let custom = CustomParams { n: Some(60), groups, ..custom };
        let params = custom.validate(Security::Waived).expect("toy parameters");
        let matrix = PublicMatrix::new_on(isa, &params, [1; 32]);
        let zero = Witness::new(&params, vec![0; v as usize * params.l() as usize]);
        let zero = zero.expect("within the bound");
        let statement = matrix.commit_and_hold(&zero, &mut Vec::new()).expect("in memory");
        Self {
            slots: [0, 1].map(|index| layout.slot(index).expect("two slots")),
            layout,
            matrix,
            challenge_hash: statement.block_hashes()[0],
            claims,
            params,
        }
    }

    fn worker<'a>(&'a self, witness: &'a Witness, slot: usize) -> ArgumentWorker<'a> {
        let (slot, claims) = (&self.slots[slot], &self.claims[slot]);
        let worker = <ArgumentWorker<'_>>::new(&self.params, witness, self.all(), slot, claims);
        worker.expect("bits")
    }

    fn all(&self) -> Shard {
        Shard::whole(&self.params)
    }

    /// Entries of the whole witness.
    fn entries(&self) -> usize {
        self.params.v() as usize * self.params.l() as usize
    }

    fn messages(&self, s: &Secrets) -> Vec<i8> {
        let bits = s.iter().flat_map(|word| (0..64).map(move |bit| (word >> bit & 1) as i8));
        bits.take((Self::ROWS * Self::COLUMNS) as usize).collect()
    }

    fn witness(&self, s: &Secrets) -> Witness {
        let messages = self.messages(s);
        let seed = Seed::from_bytes(seed(s));
        let witness = self.layout.witness(&self.matrix, &messages, &seed).expect("bits");
        Witness::read(&self.params, &witness).expect("in memory")
    }
}
