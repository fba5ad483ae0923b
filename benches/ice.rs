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
use tautochrone_benches::bench;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Blocks: one and two (latency), 64 KiB, 10 and 20 thousand (80 and 160 kB), 16 MiB.
const BLOCKS: [usize; 6] = [1, 2, 8192, 10_000, 20_000, 1 << 21];
/// The least number of blocks that are also done on all threads.
const PARALLEL: usize = 10_000;

fn data(blocks: usize) -> Vec<[u8; 8]> {
    (0..blocks as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()).collect()
}

fn bulk(c: &mut Criterion) {
    let key = *b"tautochrone bead";
    for level in [0, 1, 2] {
        let key = &key[..Ice::key_length(level)];
        let peer = icefast::Ice::new(level.into(), key);
        for count in BLOCKS {
            let bytes = Throughput::Bytes(8 * count as u64);
            let mut blocks = data(count);
            let mut ours = |direction, ice: &Ice, f: fn(&Ice, &mut [[u8; 8]])| {
                let group = format!("{direction}/{level}-{count}");
                bench(c, &group, ice.isa().name(), bytes.clone(), || f(ice, &mut blocks));
            };
            for isa in Isa::all() {
                let ice = Ice::new_on(isa, level, key).expect("a good key");
                let (mut check, mut want) = (data(1), data(1));
                ice.encrypt(&mut check);
                peer.encrypt(want.as_flattened_mut());
                assert_eq!(check, want, "the same cipher");
                ours("encrypt", &ice, Ice::encrypt);
                ours("decrypt", &ice, Ice::decrypt);
            }
            if count >= PARALLEL {
                let ice = Ice::new(level, key).expect("a good key");
                ours("encrypt-parallel", &ice, Ice::encrypt_parallel);
                ours("decrypt-parallel", &ice, Ice::decrypt_parallel);
            }
            let mut theirs = |direction, f: fn(&icefast::Ice, &mut [u8])| {
                let group = format!("{direction}/{level}-{count}");
                bench(c, &group, "icefast", bytes.clone(), || f(&peer, blocks.as_flattened_mut()));
            };
            theirs("encrypt", icefast::Ice::encrypt);
            theirs("decrypt", icefast::Ice::decrypt);
            if count >= PARALLEL {
                theirs("encrypt-parallel", icefast::Ice::encrypt_par);
                theirs("decrypt-parallel", icefast::Ice::decrypt_par);
            }
        }
    }
}

fn key_setup(c: &mut Criterion) {
    for level in [0, 1, 2] {
        let key = &[7; 16][..Ice::key_length(level)];
        let (group, one) = (format!("key/{level}"), Throughput::Elements(1));
        for isa in Isa::all() {
            bench(c, &group, isa.name(), one.clone(), || Ice::new_on(isa, level, key));
        }
        bench(c, &group, "icefast", one, || icefast::Ice::new(level.into(), key));
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
