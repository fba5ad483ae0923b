//! ICE on one thread and on all, beside the crate `icefast` (tables, variable time).
//!
//! `cargo bench --bench ice`; with `RUSTFLAGS=-Ctarget-cpu=native CARGO_TARGET_DIR=target/native`
//! for icefast at its best (ours does not depend on it). Ids:
//! `direction/level-blocks/implementation`; throughput in bytes. One and two blocks, 10 and 20
//! thousand (8 and 16 x 10k bytes), serial and parallel, are the cases of icefast's own benches.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tautochrone::ice::Ice;
use tautochrone::simd::Isa;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Blocks: one and two (latency), 64 KiB, 10 and 20 thousand (80 and 160 kB), 16 MiB.
const BLOCKS: [usize; 6] = [1, 2, 8192, 10_000, 20_000, 1 << 21];

fn data(blocks: usize) -> Vec<[u8; 8]> {
    (0..blocks as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()).collect()
}

fn bulk(c: &mut Criterion) {
    let key = *b"tautochrone bead";
    for level in [0, 1, 2] {
        let key = &key[..Ice::key_length(level)];
        let peer = icefast::Ice::new(level.into(), key);
        for count in BLOCKS {
            let mut blocks = data(count);
            for decrypt in [false, true] {
                let direction = if decrypt { "decrypt" } else { "encrypt" };
                let mut group = c.benchmark_group(format!("{direction}/{level}-{count}"));
                group.throughput(Throughput::Bytes(8 * count as u64));
                for isa in Isa::all() {
                    let ice = Ice::new_on(isa, level, key).expect("a good key");
                    let mut check = data(1);
                    ice.encrypt(&mut check);
                    let mut want = data(1);
                    peer.encrypt(want.as_flattened_mut());
                    assert_eq!(check, want, "the same cipher");
                    group.bench_function(isa.name(), |b| {
                        b.iter(|| {
                            if decrypt {
                                ice.decrypt(&mut blocks);
                            } else {
                                ice.encrypt(&mut blocks);
                            }
                        });
                    });
                }
                group.bench_function("icefast", |b| {
                    b.iter(|| {
                        let bytes = blocks.as_flattened_mut();
                        if decrypt { peer.decrypt(bytes) } else { peer.encrypt(bytes) }
                    });
                });
                group.finish();
            }
            if count < 10_000 {
                continue;
            }
            let ice = Ice::new(level, key).expect("a good key");
            for decrypt in [false, true] {
                let direction = if decrypt { "decrypt" } else { "encrypt" };
                let mut group = c.benchmark_group(format!("{direction}-parallel/{level}-{count}"));
                group.throughput(Throughput::Bytes(8 * count as u64));
                group.bench_function(ice.isa().name(), |b| {
                    b.iter(|| {
                        if decrypt {
                            ice.decrypt_parallel(&mut blocks);
                        } else {
                            ice.encrypt_parallel(&mut blocks);
                        }
                    });
                });
                group.bench_function("icefast", |b| {
                    b.iter(|| {
                        let bytes = blocks.as_flattened_mut();
                        if decrypt { peer.decrypt_par(bytes) } else { peer.encrypt_par(bytes) }
                    });
                });
                group.finish();
            }
        }
    }
}

fn key_setup(c: &mut Criterion) {
    for level in [0, 1, 2] {
        let key = &[7; 16][..Ice::key_length(level)];
        let mut group = c.benchmark_group(format!("key/{level}"));
        group.throughput(Throughput::Elements(1));
        for isa in Isa::all() {
            group.bench_function(isa.name(), |b| b.iter(|| Ice::new_on(isa, level, key)));
        }
        group.bench_function("icefast", |b| b.iter(|| icefast::Ice::new(level.into(), key)));
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(100))
        .measurement_time(std::time::Duration::from_millis(400));
    targets = bulk, key_setup
}
criterion_main!(benches);
