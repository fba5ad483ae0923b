//! Gaussian samples per second. Ids: `facct/sigma/isa`, with centres, through `rand`, and peers.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_chacha::rand_core::{Rng, SeedableRng};
use rand_distr::Distribution;
use tautochrone::ctr::{Label, Seed, Stream};
use tautochrone::gauss::bitslice::Bitslice;
use tautochrone::gauss::facct::Facct;
use tautochrone::gauss::ziggurat::Ziggurat;
use tautochrone::gauss::{Buffered, Generator, Sampler};
use tautochrone::simd::Isa;
use tautochrone_benches::check_variance;

const SAMPLES: usize = 1 << 14;

fn stream(isa: Isa, index: u64) -> Stream {
    Seed::from_bytes([1; 32]).stream_on(isa, Label::new("facct bench"), index)
}

fn samples(c: &mut Criterion) {
    let mut group = c.benchmark_group("facct");
    group.throughput(Throughput::Elements(SAMPLES as u64));
    let mut out = vec![0_i64; SAMPLES];
    let mut narrow = vec![0_i32; SAMPLES];
    let best = Isa::detect();
    for sigma in [2.0, 2.5, 215.0, 1e6, 4.6e7, 2e9, 4_294_967_295.0] {
        for isa in Isa::all() {
            let sampler = Facct::new_on(isa, sigma).expect("in range");
            let mut stream = stream(isa, 0);
            let mut many = vec![0_i64; 1 << 17];
            sampler.fill(&mut stream, &mut many);
            check_variance(many.iter().map(|&x| x as f64), sigma);
            group.bench_function(format!("sigma={sigma}/{isa}"), |b| {
                b.iter(|| sampler.fill(&mut stream, black_box(&mut out)));
            });
        }
    }
    let sampler = Facct::new_on(best, 1e6).expect("in range");
    let mut random = stream(best, 0);
    group.bench_function(format!("sigma=1e6,i32/{best}"), |b| {
        b.iter(|| sampler.fill_i32(&mut random, black_box(&mut narrow)));
    });
    for sigma in [2.0, 215.0, 1e6] {
        let sampler = Facct::new_on(best, sigma).expect("in range");
        let mut random = stream(best, 0);
        group.bench_function(format!("sigma={sigma},centre/{best}"), |b| {
            b.iter(|| sampler.fill_centred(-3.7, &mut random, black_box(&mut out)));
        });
        let centres: Vec<f64> = (0..SAMPLES).map(|i| i as f64 / 7.0 - 1000.0).collect();
        group.bench_function(format!("sigma={sigma},centres/{best}"), |b| {
            b.iter(|| sampler.fill_centres(&centres, &mut random, black_box(&mut out)));
        });
    }
    // A trial's randomness alone.
    let mut words = vec![0; SAMPLES * 34 / 16];
    group.bench_function(format!("the stream alone, 17 bytes a trial/{best}"), |b| {
        b.iter(|| random.fill_u64(black_box(&mut words)));
    });
    group.finish();
}

/// Through the traits of `rand`: from another generator, and one by one.
fn generators(c: &mut Criterion) {
    let mut group = c.benchmark_group("rand");
    group.throughput(Throughput::Elements(SAMPLES as u64));
    let mut out = vec![0_i64; SAMPLES];
    let mut rng = rand_chacha::ChaCha12Rng::from_seed([1; 32]);
    let facct = Facct::new(1e6).expect("in range");
    let bitslice = Bitslice::new(3.19).expect("in range");
    let ziggurat = Ziggurat::new(1e6).expect("in range");
    let centred = facct.at(-3.7).expect("in range");
    let samplers: [(&str, &dyn Sampler); 4] = [
        ("facct, sigma=1e6", &facct),
        ("facct, sigma=1e6, centre", &centred),
        ("bitslice, sigma=3.19", &bitslice),
        ("ziggurat, sigma=1e6", &ziggurat),
    ];
    for (name, sampler) in samplers {
        group.bench_function(format!("{name}/fill, ChaCha12"), |b| {
            b.iter(|| sampler.fill(&mut Generator::new(&mut rng), black_box(&mut out)));
        });
        let buffered = Buffered::<_, i64>::new(sampler).expect("any sampler");
        group.bench_function(format!("{name}/Buffered, ChaCha12"), |b| {
            b.iter(|| one_by_one(&buffered, &mut rng, black_box(&mut out)));
        });
        let mut stream = stream(Isa::detect(), 0);
        group.bench_function(format!("{name}/Buffered, AES stream"), |b| {
            b.iter(|| one_by_one(&buffered, &mut stream, black_box(&mut out)));
        });
    }
    group.bench_function("facct, sigma=1e6/Distribution, ChaCha12", |b| {
        b.iter(|| one_by_one(&facct, &mut rng, black_box(&mut out)));
    });
    group.bench_function("bitslice, sigma=3.19/Distribution, ChaCha12", |b| {
        b.iter(|| one_by_one(&bitslice, &mut rng, black_box(&mut out)));
    });
    group.bench_function("ziggurat, sigma=1e6/Distribution, ChaCha12", |b| {
        b.iter(|| one_by_one(&ziggurat, &mut rng, black_box(&mut out)));
    });
    // Not a discrete Gaussian, and not constant time.
    let normal = rand_distr::Normal::new(0.0_f64, 1e6).expect("positive");
    group.bench_function("sigma=1e6/peer: rand_distr Normal + round, ChaCha12", |b| {
        b.iter(|| {
            for x in black_box(&mut out) {
                *x = normal.sample(&mut rng).round() as i64;
            }
        });
    });
    // The bound by the generator alone: 16 bytes a trial, .86 of them accepted.
    let mut bytes = vec![0; SAMPLES * 16 * 100 / 86];
    group.bench_function("16 bytes a trial/ChaCha12 alone", |b| {
        b.iter(|| rng.fill_bytes(black_box(&mut bytes)));
    });
    group.finish();
}

fn one_by_one(sampler: &impl Distribution<i64>, rng: &mut impl Rng, out: &mut [i64]) {
    for x in out {
        *x = sampler.sample(rng);
    }
}

criterion_group!(benches, samples, generators);
criterion_main!(benches);
