//! Bit-sliced discrete Gaussians, AES-CTR included, one thread; beside what a user would otherwise
//! reach for.
//!
//! `rand_distr::Normal` rounded is not a discrete Gaussian and not constant time: it is here for
//! scale only.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use rand_distr::{Distribution, Normal};
use tautochrone::ctr::{Label, Seed, Stream};
use tautochrone::gauss::bitslice::{Adjusted, Bitslice, Builder, Form, Sample, Width};
use tautochrone::simd::Isa;
use tautochrone_benches::check_variance;

/// Samples of a call: 16 blocks, so that output stays in the first-level cache.
const COUNT: usize = 8192;

fn stream() -> Stream {
    Seed::from_bytes([5; 32]).stream(Label::new("bench bitslice"), 0)
}

fn sampler<T: Sample + Default + Into<i64>>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    builder: &Builder,
) {
    for isa in Isa::all() {
        let sampler = builder.clone().isa(isa).build().expect("an available distribution");
        let mut stream = stream();
        let mut out = vec![T::default(); COUNT];
        sampler.try_fill(&mut stream, &mut out).expect("the samples fit");
        check_variance(out.iter().map(|&x| x.into() as f64), sampler.sigma());
        group.bench_function(BenchmarkId::new(name, isa), |b| {
            b.iter(|| sampler.try_fill(&mut stream, black_box(&mut out)));
        });
    }
}

/// Centre and width adjusted by rejection from sigma = 2: one centre, and a centre of each
/// coordinate.
fn adjusted(group: &mut BenchmarkGroup<'_, WallTime>) {
    let base = Bitslice::builder().sigma(2.0).precision(64);
    let centres: Vec<f64> = (0..COUNT).map(|i| i as f64 / 7.0 - 100.0).collect();
    for isa in Isa::all() {
        let mut stream = stream();
        let mut out = vec![0_i32; COUNT];
        for (centre, sigma) in [(0.5, 1.9), (0.3, 1.5), (-3.7, 1.2)] {
            let adjusted =
                Adjusted::new(&base.clone().isa(isa), Width::public(sigma)).expect("a width");
            adjusted.fill(0.0, &mut stream, &mut out).expect("a centre");
            check_variance(out.iter().map(|&x| f64::from(x)), sigma);
            let name = format!("adjusted to ({centre}, {sigma})");
            group.bench_function(BenchmarkId::new(name, isa), |b| {
                b.iter(|| adjusted.fill(centre, &mut stream, black_box(&mut out)));
            });
        }
        let adjusted = Adjusted::new(&base.clone().isa(isa), Width::public(1.9)).expect("a width");
        group.bench_function(BenchmarkId::new("adjusted, a centre a coordinate", isa), |b| {
            b.iter(|| adjusted.fill_centres(&centres, &mut stream, black_box(&mut out)));
        });
    }
}

fn bitslice(c: &mut Criterion) {
    let mut group = c.benchmark_group("bitslice");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.sample_size(20);
    group.warm_up_time(core::time::Duration::from_millis(200));
    group.measurement_time(core::time::Duration::from_millis(400));
    let with = |sigma: f64, precision: u32| Bitslice::builder().sigma(sigma).precision(precision);

    sampler::<i8>(&mut group, "sigma 2 p64 planes", &with(2.0, 64).form(Form::Planes));
    sampler::<i8>(&mut group, "sigma 2 p62 bytes", &with(2.0, 62).form(Form::Bytes));
    sampler::<i8>(&mut group, "sigma 2 p128 planes", &with(2.0, 128).form(Form::Planes));
    sampler::<i8>(&mut group, "sigma 2 p128 bytes", &with(2.0, 128).form(Form::Bytes));
    sampler::<i8>(&mut group, "sigma 3.19 p64 planes", &with(3.19, 64).form(Form::Planes));
    sampler::<i8>(&mut group, "sigma 10 p64 bytes", &with(10.0, 64).form(Form::Bytes));
    sampler::<i8>(&mut group, "sigma 10 p63 bytes", &with(10.0, 63).form(Form::Bytes));
    sampler::<i16>(&mut group, "sigma 34 p64 bytes", &with(34.0, 64).form(Form::Bytes));
    sampler::<i16>(&mut group, "sigma 215 p64 sum", &with(215.0, 64));
    sampler::<i16>(&mut group, "sigma 215 p64 direct", &with(215.0, 64).direct());
    sampler::<i16>(&mut group, "sigma 1000 p64 sum", &with(1000.0, 64));

    adjusted(&mut group);

    for sigma in [2.0, 215.0] {
        let normal = Normal::new(0.0, sigma).expect("a width");
        let mut stream = stream();
        let mut out = vec![0_i16; COUNT];
        group.bench_function(
            BenchmarkId::new(format!("rand_distr Normal rounded, sigma {sigma}"), "any"),
            |b| {
                b.iter(|| {
                    for x in &mut out {
                        let y: f64 = normal.sample(&mut stream);
                        *x = y.round_ties_even() as i16;
                    }
                    black_box(&mut out);
                });
            },
        );
    }
    group.finish();

    // The bound by the randomness alone: 65 bits a sample.
    let mut group = c.benchmark_group("stream");
    let mut bytes = vec![0; 65 * COUNT / 8];
    group.throughput(Throughput::Elements(COUNT as u64));
    let mut stream = stream();
    group.bench_function(BenchmarkId::new("65 bits a sample", Isa::detect()), |b| {
        b.iter(|| stream.fill(black_box(&mut bytes)));
    });
    group.finish();
}

criterion_group!(benches, bitslice);
criterion_main!(benches);
