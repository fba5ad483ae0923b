//! Samples per second and set-up of the discrete Ziggurat. Ids: `ziggurat/sigma,m/isa`,
//! `partition/sigma,m`, and peers. An entry of the thesis' tables is
//! `sample --sampler ziggurat --sigma 10 --rectangles 63 --factor 1 --omega 106`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_chacha::rand_core::{Rng, SeedableRng};
use rand_distr::Distribution;
use tautochrone::ctr::{Label, Seed, Stream};
use tautochrone::gauss::ziggurat::{Options, Partition, Ziggurat};
use tautochrone::simd::Isa;
use tautochrone_benches::check_variance;

const SAMPLES: usize = 1 << 14;

fn stream(isa: Isa) -> Stream {
    Seed::from_bytes([1; 32]).stream_on(isa, Label::new("ziggurat bench"), 0)
}

/// The portable path and one tier of each kernel.
fn tiers() -> impl Iterator<Item = Isa> {
    ["portable", "avx2", "avx512"].into_iter().filter_map(|name| Isa::named(name).ok())
}

fn rounded(normal: &rand_distr::Normal<f64>, rng: &mut impl Rng, out: &mut [i64]) {
    for x in black_box(out) {
        *x = normal.sample(rng).round() as i64;
    }
}

fn samples(c: &mut Criterion) {
    let mut group = c.benchmark_group("ziggurat");
    group.throughput(Throughput::Elements(SAMPLES as u64));
    let mut out = vec![0; SAMPLES];
    for sigma in [2.0, 3.19, 10.0, 215.0, 1.6e5, 2e9] {
        for rectangles in [63, 512] {
            let options = Options { rectangles, ..Options::default() };
            for isa in tiers() {
                let z = Ziggurat::new_on(isa, sigma, options).expect("in range");
                let mut stream = stream(isa);
                let mut many = vec![0_i64; 1 << 17];
                z.fill(&mut stream, &mut many);
                check_variance(many.iter().map(|&x| x as f64), sigma);
                group.bench_function(format!("sigma={sigma},m={rectangles}/{isa}"), |b| {
                    b.iter(|| z.fill(&mut stream, black_box(&mut out)));
                });
            }
        }
        // The factor changes the memory, not the output.
        for factor in [0, 1, 3, 7] {
            let options = Options { rectangles: 63, factor: Some(factor), omega: None };
            let z = Ziggurat::new_on(Isa::detect(), sigma, options).expect("in range");
            let mut stream = stream(Isa::detect());
            group.bench_function(format!("sigma={sigma},m=63,factor={factor}"), |b| {
                b.iter(|| z.fill(&mut stream, black_box(&mut out)));
            });
        }
        // Not a discrete Gaussian: rounding a continuous one is off by 1 / (24 sigma^2) and more in
        // the tails.
        let normal = rand_distr::Normal::new(0.0, sigma).expect("positive");
        let peer = format!("sigma={sigma}/peer: rand_distr Normal + round");
        let mut rng = stream(Isa::detect());
        group.bench_function(format!("{peer}, AES stream"), |b| {
            b.iter(|| rounded(&normal, &mut rng, &mut out));
        });
        let mut rng = rand_chacha::ChaCha12Rng::from_seed([1; 32]);
        group.bench_function(format!("{peer}, ChaCha12"), |b| {
            b.iter(|| rounded(&normal, &mut rng, &mut out));
        });
    }
    // How much of the time is the stream's: one word a sample.
    let mut words = vec![0; SAMPLES];
    let mut stream = stream(Isa::detect());
    group.bench_function("the stream alone, one word a sample", |b| {
        b.iter(|| stream.fill_u64(black_box(&mut words)));
    });
    group.finish();
}

fn partitions(c: &mut Criterion) {
    let mut group = c.benchmark_group("partition");
    for sigma in [10.0, 1000.0, 1.6e5, 2e9] {
        for rectangles in [63, 512, 7999] {
            group.throughput(Throughput::Elements(rectangles as u64));
            group.bench_function(format!("sigma={sigma},m={rectangles}"), |b| {
                b.iter(|| Partition::new(black_box(sigma), rectangles).expect("in range"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, samples, partitions);
criterion_main!(benches);
