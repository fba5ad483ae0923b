//! Welch's t-test between the times of a routine on one fixed secret and on random ones, on the best instruction set of
//! this machine: `timing -- --report [SECONDS]`. |t| above 10 in the final test speaks of a leak; noise can not hide
//! the control, which leaks on purpose. A report, not a gate: times of a shared machine prove nothing by themselves.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tautochrone_assurance::leaky;
use tautochrone_bignum::{Job, Method, Mul, fz, modexp_batch};
use tautochrone_ctr::{KeySize, Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Width};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::uniform;
use tautochrone_ice::Ice;
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
use tautochrone_simd::{Feature, Isa};
use tautochrone_zk::Rejection;

/// Running mean and variance (Welford 1962).
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn push(&mut self, x: f64) {
        self.count += 1.0;
        let before = x - self.mean;
        self.mean += before / self.count;
        self.squares += before * (x - self.mean);
    }

    /// Variance of the mean.
    fn error(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }
}

fn welch(a: &Moments, b: &Moments) -> f64 {
    (a.mean - b.mean) / (a.error() + b.error()).sqrt()
}

/// The largest |t| over crops of the slow tail (interrupts), and the number of measurements.
fn test(
    time: Duration,
    random: &mut Stream,
    mut measure: impl FnMut(&[u64; 64]) -> Duration,
) -> (f64, usize) {
    let mut samples = Vec::new();
    let start = Instant::now();
    while start.elapsed() < time {
        // A batch is prepared before any of it is measured, and by selection, so that neither a mispredicted branch nor
        // a store in flight tells the classes apart.
        let mut batch = [([0; 64], 0); 64];
        for (secret, class) in &mut batch {
            random.fill_u64(&mut secret[..]);
            *class = (secret[63] >> 17 & 1) as usize;
            let keep = (*class as u64).wrapping_neg();
            for word in secret {
                *word &= black_box(keep);
            }
        }
        for (secret, class) in &batch {
            samples.push((*class, measure(black_box(secret)).as_nanos() as f64));
        }
    }
    let mut sorted: Vec<f64> = samples.iter().map(|&(_, t)| t).collect();
    sorted.sort_by(f64::total_cmp);
    let worst = [0.5, 0.8, 0.95, 1.0]
        .into_iter()
        .map(|quantile| {
            let limit = sorted[((sorted.len() - 1) as f64 * quantile) as usize];
            let mut classes = [Moments::default(); 2];
            for &(class, t) in samples.iter().filter(|&&(_, t)| t <= limit) {
                classes[class].push(t);
            }
            welch(&classes[0], &classes[1]).abs()
        })
        .filter(|t| t.is_finite())
        .fold(0.0, f64::max);
    (worst, samples.len())
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

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() != Some("--report") {
        eprintln!("usage: timing --report [SECONDS per routine, default 2]");
        return ExitCode::from(2);
    }
    let seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(2.0_f64).clamp(0.1, 3600.0);
    let time = Duration::from_secs_f64(seconds);
    let isa = Isa::detect();
    let mut random = Seed::from_bytes([1; 32]).stream(Label::new("timing"), 0);
    let report = |name: &str, result: (f64, usize)| {
        println!("{name:<24} max |t| = {:8.2} over {} measurements", result.0, result.1);
        result.0
    };
    println!("{isa:?}, {seconds} s each");

    let t = report(
        "control (leaks)",
        test(time, &mut random, |s| {
            let (a, zero) = (s[..32].try_into().expect("32 words"), [0; 32]);
            timed(|| {
                black_box(leaky::leaky_compare(a, &zero));
            })
        }),
    );
    report(
        "ctr",
        test(time, &mut random, |s| {
            let mut stream = Stream::new_on(isa, KeySize::Aes256, &seed(s), u128::from(s[5]));
            let mut out = [0; 4096];
            timed(|| stream.fill(black_box(&mut out)))
        }),
    );
    let sampler = Bitslice::builder().sigma(2.0).isa(isa).build().expect("a sampler");
    report(
        "bitslice",
        test(time, &mut random, |s| {
            let mut stream = Seed::from_bytes(seed(s)).stream(Label::new("timing"), 1);
            let mut out = [0_i32; 512];
            timed(|| sampler.fill(&mut stream, black_box(&mut out)))
        }),
    );
    let sampler = Facct::new_on(isa, 1e6).expect("a sampler");
    report(
        "facct (centre)",
        test(time, &mut random, |s| {
            // One stream, hence the same rejections: the centre alone varies.
            let mut stream = Seed::from_bytes([7; 32]).stream(Label::new("timing"), 2);
            let centre = (s[0] >> 12) as f64 / (1_u64 << 40) as f64;
            let mut out = [0; 256];
            timed(|| {
                sampler.fill_centred(centre, &mut stream, black_box(&mut out)).expect("a centre")
            })
        }),
    );
    // Of 64-bit cells, n = 10^9 + 7 rejects none in practice, and of 32-bit ones n = 2^20 none at all.
    for (name, n) in [("uniform, below 2^20", 1 << 20), ("uniform, below 10^9 + 7", 1_000_000_007)]
    {
        report(
            name,
            test(time, &mut random, |s| {
                let mut stream = Stream::new_on(isa, KeySize::Aes128, &seed(s)[..16], 0);
                let mut out = [0_u64; 512];
                timed(|| uniform::fill_below(&mut stream, n, black_box(&mut out)).expect("n > 0"))
            }),
        );
    }
    report(
        "uniform, 20 bits",
        test(time, &mut random, |s| {
            let mut stream = Stream::new_on(isa, KeySize::Aes128, &seed(s)[..16], 0);
            let mut out = [0_i32; 1024];
            timed(|| uniform::fill_signed(&mut stream, 20, black_box(&mut out)).expect("a width"))
        }),
    );
    for (name, count) in [("ice, a block", 1), ("ice, 150 blocks", 150)] {
        report(
            name,
            test(time, &mut random, |s| {
                let ice = Ice::new_on(isa, 1, &seed(s)[..8]).expect("a key");
                let mut blocks: Vec<_> = (0..count).map(|i| s[8 + i % 32].to_le_bytes()).collect();
                timed(|| ice.encrypt(black_box(&mut blocks)))
            }),
        );
    }
    let multiplier = Multiplier::new_on(isa);
    report(
        "matmul",
        test(time, &mut random, |s| {
            let x: Vec<u64> = s.iter().cycle().take(32 * 64).copied().collect();
            let mut z = vec![0_u64; 32 * 16];
            timed(|| {
                let y = Matrix::column_major(&x[..64 * 16], 64, 16).expect("a matrix");
                let x = Matrix::row_major(&x, 32, 64).expect("a matrix");
                let z = MatrixMut::column_major(black_box(&mut z), 32, 16).expect("a matrix");
                multiplier.multiply(x, y, z).expect("shapes agree");
            })
        }),
    );
    let mul = Mul::new_on(isa);
    report(
        "bignum multiplication",
        test(time, &mut random, |s| {
            let mut z = [0; 64];
            timed(|| mul.mul(black_box(&mut z), &s[..32], &s[32..]))
        }),
    );
    let comba = mul.with_comba(32);
    report(
        "bignum Comba",
        test(time, &mut random, |s| {
            let mut z = [0; 64];
            timed(|| comba.mul(black_box(&mut z), &s[..32], &s[32..]))
        }),
    );
    // Base, exponent and the modulus but for its ends; a pass of eight lanes, one at a time, general registers.
    let scalar = isa.without(Feature::Ifma);
    for (name, isa, count) in [
        ("bignum power", isa, 1),
        ("bignum power, 8 lanes", isa, 8),
        ("bignum power, scalar", scalar, 1),
    ] {
        report(
            name,
            test(time, &mut random, |s| {
                let mut modulus = s[16..32].to_vec();
                modulus[0] |= 1;
                modulus[15] |= 1 << 63;
                let job = Job { base: &s[..16], exponent: &s[32..33], modulus: &modulus };
                timed(|| {
                    black_box(modexp_batch(isa, Method::Auto, black_box(&vec![job; count])));
                })
            }),
        );
    }
    report(
        "bignum comparison",
        test(time, &mut random, |s| {
            timed(|| {
                black_box(fz::lt(&s[..32], &s[32..]) ^ fz::eq(&s[..32], &s[32..]));
            })
        }),
    );
    let rejection = Rejection::new(1 << 20);
    report(
        "zk rejection",
        test(time, &mut random, |s| {
            // The verdict is public, so it is held fixed: the probability stays below 1/2, the uniform number above.
            let (inner, norm) = (i128::from(s[0] as i64 >> 26), u128::from(s[1] >> 27));
            let uniform = 1 << 127 | u128::from(s[2]) << 63 | u128::from(s[3]);
            timed(|| {
                black_box(rejection.decide(inner, norm, uniform));
            })
        }),
    );
    // How many trials an adjusted law takes depends on its centre, so there is nothing to compare; it is run once to be in
    // the binary, for the disassembly check, as are the vector controls.
    let base = Bitslice::builder().sigma(2.0).isa(isa);
    let law = Adjusted::new(&base, Width::public(1.9)).expect("a width");
    law.fill(black_box(0.5), &mut random, black_box(&mut [0_i32; 64])).expect("a centre");
    law.fill_centres(black_box(&[0.5; 64]), &mut random, black_box(&mut [0_i32; 64]))
        .expect("centres");
    #[cfg(target_arch = "x86_64")]
    black_box((
        leaky::leaky_division as *const (),
        leaky::vector::leaky_vector_branch as *const (),
        leaky::vector::leaky_vector_index as *const (),
        leaky::vector::leaky_vector_division as *const (),
    ));
    if t > 10.0 {
        ExitCode::SUCCESS
    } else {
        println!("BROKEN: the control was not noticed");
        ExitCode::FAILURE
    }
}
