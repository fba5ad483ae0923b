//! Welch's t-test between the times of a routine on one fixed secret and on random ones, on the
//! best instruction set of this machine: `timing -- --report [SECONDS [NAME]]`, NAME for the
//! routines whose names begin with it. |t| above 10 in the final test speaks of a leak; noise can
//! not hide the control, which leaks on purpose. Beside it the share of permutations of the classes,
//! within blocks of 64 measurements, whose difference is as large: a leak makes it 0.001, the least
//! there is; where |t| is large and this is not, it was the machine. A report, not a gate: times of a shared machine
//! prove nothing by themselves.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tautochrone_assurance::{leaky, welch};
use tautochrone_bignum::{Job, Method, Mul, fz, modexp_batch};
use tautochrone_ctr::{KeySize, Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Width};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::uniform;
use tautochrone_ice::Ice;
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Ternary};
use tautochrone_simd::{Feature, Isa};
use tautochrone_zk::{Rejection, Rho};

/// The routine that leaks on purpose, tested always.
const CONTROL: &str = "control (leaks)";

/// What every test needs.
struct Report {
    isa: Isa,
    time: Duration,
    only: String,
    random: Stream,
}

impl Report {
    /// Prints and returns the largest |t| of a routine, which measures itself on the 64 secret
    /// words that it is given.
    fn check(&mut self, name: &str, measure: impl FnMut(&[u64; 64]) -> Duration) -> f64 {
        if !name.starts_with(&self.only) && name != CONTROL {
            return 0.0;
        }
        let found = welch::test(self.time, &mut self.random, measure);
        println!(
            "{name:<24} max |t| = {:8.2} over {} measurements, permuted {:.3}",
            found.largest_t, found.count, found.permuted
        );
        found.largest_t
    }
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn seed(secret: &[u64; 64]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(secret) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// AES-CTR and ICE.
fn streams_and_ciphers(report: &mut Report) {
    let isa = report.isa;
    report.check("ctr", |s| {
        let mut stream = Stream::new_on(isa, KeySize::Aes256, &seed(s), u128::from(s[5]));
        let mut out = [0; 4096];
        timed(|| stream.fill(black_box(&mut out)))
    });
    for (name, count) in [("ice, a block", 1), ("ice, 150 blocks", 150)] {
        report.check(name, |s| {
            let ice = Ice::new_on(isa, 1, &seed(s)[..8]).expect("a key");
            let mut blocks: Vec<_> = (0..count).map(|i| s[8 + i % 32].to_le_bytes()).collect();
            timed(|| ice.encrypt(black_box(&mut blocks)))
        });
    }
}

/// Gaussians and uniform integers.
fn samplers(report: &mut Report) {
    let isa = report.isa;
    let sampler = Bitslice::builder().sigma(2.0).isa(isa).build().expect("a sampler");
    report.check("bitslice", |s| {
        let mut stream = Seed::from_bytes(seed(s)).stream(Label::new("timing"), 1);
        let mut out = [0_i32; 512];
        timed(|| sampler.fill(&mut stream, black_box(&mut out)))
    });
    let sampler = Facct::new_on(isa, 1e6).expect("a sampler");
    report.check("facct (centre)", |s| {
        // One stream, hence the same rejections: the centre alone varies.
        let mut stream = Seed::from_bytes([7; 32]).stream(Label::new("timing"), 2);
        let centre = (s[0] >> 12) as f64 / (1_u64 << 40) as f64;
        let mut out = [0; 256];
        timed(|| sampler.fill_centred(centre, &mut stream, black_box(&mut out)).expect("a centre"))
    });
    report.check("facct (centres)", |s| {
        let mut stream = Seed::from_bytes([7; 32]).stream(Label::new("timing"), 3);
        let centres = [(s[0] >> 12) as f64 / (1_u64 << 40) as f64; 256];
        let mut out = [0; 256];
        timed(|| {
            sampler.fill_centres(&centres, &mut stream, black_box(&mut out)).expect("centres");
        })
    });
    // Of 64-bit cells, n = 10^9 + 7 rejects none in practice, and of 32-bit ones n = 2^20 none at
    // all.
    for (name, n) in [("uniform, below 2^20", 1 << 20), ("uniform, below 10^9 + 7", 1_000_000_007)]
    {
        report.check(name, |s| {
            let mut stream = Stream::new_on(isa, KeySize::Aes128, &seed(s)[..16], 0);
            let mut out = [0_u64; 512];
            timed(|| uniform::fill_below(&mut stream, n, black_box(&mut out)).expect("n > 0"))
        });
    }
    report.check("uniform, 20 bits", |s| {
        let mut stream = Stream::new_on(isa, KeySize::Aes128, &seed(s)[..16], 0);
        let mut out = [0_i32; 1024];
        timed(|| uniform::fill_signed(&mut stream, 20, black_box(&mut out)).expect("a width"))
    });
}

/// Matrices.
fn products(report: &mut Report) {
    let isa = report.isa;
    let multiplier = Multiplier::new_on(isa);
    report.check("matmul", |s| {
        let x: Vec<u64> = s.iter().cycle().take(32 * 64).copied().collect();
        let mut z = vec![0_u64; 32 * 16];
        timed(|| {
            let y = Matrix::column_major(&x[..64 * 16], 64, 16).expect("a matrix");
            let x = Matrix::row_major(&x, 32, 64).expect("a matrix");
            let z = MatrixMut::column_major(black_box(&mut z), 32, 16).expect("a matrix");
            multiplier.product(x, y).write_to(z).expect("shapes agree");
        })
    });
}

/// Narrow entries by a public matrix of entries -1, 0, 1.
fn ternary_products(report: &mut Report) {
    let multiplier = Multiplier::new_on(report.isa);
    let y: Vec<i8> = (0..64 * 60).map(|i| (i * i % 3) as i8 - 1).collect();
    report.check("matmul, narrow ternary", |s| {
        let bits = s.iter().flat_map(|word| word.to_le_bytes());
        let x: Vec<i8> = bits.cycle().take(64 * 64).map(|byte| (byte & 1) as i8).collect();
        let mut z = vec![0_u32; 64 * 60];
        timed(|| {
            let x = Matrix::column_major(&x, 64, 64).expect("a matrix");
            let y = Matrix::column_major(&y, 64, 60).expect("a matrix");
            let z = MatrixMut::column_major(black_box(&mut z), 64, 60).expect("a matrix");
            let x = multiplier.pack_narrow(x, 1).expect("narrow");
            let y = Ternary::public_vartime(y).expect("ternary");
            multiplier.product(&x, y).add_to(z).expect("shapes agree");
        })
    });
}

/// A public matrix by a secret one of entries -1, 0, 1.
fn lookups(report: &mut Report) {
    let multiplier = Multiplier::new_on(report.isa);
    let x: Vec<u32> = (1..=32 * 96).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
    report.check("matmul, lookups", |s| {
        let bits = s.iter().flat_map(|word| word.to_le_bytes());
        let y: Vec<i8> = bits
            .cycle()
            .take(96 * 64)
            .map(|byte| (byte & 1) as i8 - (byte >> 1 & 1) as i8)
            .collect();
        let mut z = vec![0_u32; 32 * 64];
        timed(|| {
            let x = Matrix::row_major(&x, 32, 96).expect("a matrix");
            let y = Matrix::column_major(&y, 96, 64).expect("a matrix");
            let z = MatrixMut::column_major(black_box(&mut z), 32, 64).expect("a matrix");
            let y = Ternary::secret(y).expect("ternary");
            multiplier.product(x, y).add_to(z).expect("shapes agree");
        })
    });
}

/// Products, powers and comparisons.
fn big_numbers(report: &mut Report) {
    let isa = report.isa;
    let mul = Mul::new_on(isa);
    report.check("bignum multiplication", |s| {
        let mut z = [0; 64];
        timed(|| mul.mul(black_box(&mut z), &s[..32], &s[32..]))
    });
    let comba = mul.with_comba(32);
    report.check("bignum Comba", |s| {
        let mut z = [0; 64];
        timed(|| comba.mul(black_box(&mut z), &s[..32], &s[32..]))
    });
    // Base, exponent and the modulus but for its ends; one at a time, a pass of eight lanes, digits
    // of 27 bits, general registers.
    let without = isa.without(Feature::Ifma);
    for (name, isa, words, count) in [
        ("bignum power", isa, 16, 1),
        ("bignum power, 8 lanes", isa, 16, 8),
        ("bignum power, AVX2", without, 15, 1),
        ("bignum power, scalar", without, 16, 1),
    ] {
        report.check(name, |s| {
            let mut modulus = s[16..16 + words].to_vec();
            modulus[0] |= 1;
            modulus[words - 1] |= 1 << 63;
            let job = Job { base: &s[..words], exponent: &s[32..33], modulus: &modulus };
            timed(|| {
                black_box(modexp_batch(isa, Method::Auto, black_box(&vec![job; count])));
            })
        });
    }
    report.check("bignum comparison", |s| {
        timed(|| {
            black_box(fz::lt(&s[..32], &s[32..]) ^ fz::eq(&s[..32], &s[32..]));
        })
    });
}

/// The decision to publish.
fn proofs(report: &mut Report) {
    let rejection = Rejection::new(1 << 20, Rho::Three);
    report.check("zk rejection", |s| {
        // The verdict is public, so it is fixed: the probability stays below 1/2, the uniform
        // number above.
        let (inner, norm) = (i128::from(s[0] as i64 >> 26), u128::from(s[1] >> 27));
        let uniform = 1 << 127 | u128::from(s[2]) << 63 | u128::from(s[3]);
        timed(|| {
            black_box(rejection.decide(inner, norm, uniform));
        })
    });
}

/// What is not timed but in the binary for the disassembly check.
fn untimed(report: &mut Report) {
    let isa = report.isa;
    // How many trials an adjusted distribution takes depends on its centre, so there is nothing to
    // compare.
    let base = Bitslice::builder().sigma(2.0).isa(isa);
    let adjusted = Adjusted::new(&base, Width::public(1.9)).expect("a width");
    adjusted
        .fill(black_box(0.5), &mut report.random, black_box(&mut [0_i32; 64]))
        .expect("a centre");
    adjusted
        .fill_centres(black_box(&[0.5; 64]), &mut report.random, black_box(&mut [0_i32; 64]))
        .expect("centres");
    // What a proof multiplies by tables of words is public.
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

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() != Some("--report") {
        eprintln!("usage: timing --report [SECONDS per routine, default 2 [NAME]]");
        return ExitCode::from(2);
    }
    let seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(2.0_f64).clamp(0.1, 3600.0);
    let isa = Isa::detect();
    println!("{isa:?}, {seconds} s each");
    let mut report = Report {
        isa,
        time: Duration::from_secs_f64(seconds),
        only: args.next().unwrap_or_default(),
        random: Seed::from_bytes([1; 32]).stream(Label::new("timing"), 0),
    };
    let control = report.check(CONTROL, |s| {
        let (a, zero) = (s[..32].try_into().expect("32 words"), [0; 32]);
        timed(|| {
            black_box(leaky::leaky_compare(a, &zero));
        })
    });
    streams_and_ciphers(&mut report);
    samplers(&mut report);
    products(&mut report);
    ternary_products(&mut report);
    lookups(&mut report);
    big_numbers(&mut report);
    proofs(&mut report);
    untimed(&mut report);
    if control > 10.0 {
        ExitCode::SUCCESS
    } else {
        println!("BROKEN: the control was not noticed");
        ExitCode::FAILURE
    }
}
