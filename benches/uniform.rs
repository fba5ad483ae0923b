//! Keystream bytes and uniform numbers per second. Ids: `keystream/key/isa`,
//! `uniform/distribution/isa`, and peers.

use std::hint::black_box;

use aes::cipher::{BlockCipherEncrypt, KeyInit};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tautochrone::ctr::{KeySize, Label, Seed, Stream};
use tautochrone::gauss::uniform;
use tautochrone::simd::Isa;

const BYTES: usize = 8192;

fn keystream(c: &mut Criterion) {
    let mut group = c.benchmark_group("keystream");
    group.throughput(Throughput::Bytes(BYTES as u64));
    let mut out = vec![0_u8; BYTES];
    for (size, key) in [(KeySize::Aes128, &[7_u8; 32][..16]), (KeySize::Aes256, &[7; 32][..])] {
        let name = format!("AES-{}", 8 * size.bytes());
        let mut want = vec![0; BYTES];
        Stream::new_on(Isa::PORTABLE, size, key, 0).fill(&mut want);
        // The block function alone, over blocks that are there already: what no counter mode can
        // beat.
        let blocks = aes::Block::cast_slice_from_core_mut(out.as_chunks_mut().0);
        if size == KeySize::Aes128 {
            let aes = aes::Aes128::new_from_slice(key).expect("16 bytes");
            group.bench_function(format!("{name}/peer: aes encrypt_blocks alone"), |b| {
                b.iter(|| aes.encrypt_blocks(black_box(blocks)));
            });
        } else {
            let aes = aes::Aes256::new_from_slice(key).expect("32 bytes");
            group.bench_function(format!("{name}/peer: aes encrypt_blocks alone"), |b| {
                b.iter(|| aes.encrypt_blocks(black_box(blocks)));
            });
        }
        for isa in Isa::all() {
            Stream::new_on(isa, size, key, 0).fill(&mut out);
            assert_eq!(out, want, "{isa}");
            let mut stream = Stream::new_on(isa, size, key, 0);
            group.bench_function(format!("{name}/{isa}"), |b| {
                b.iter(|| stream.fill(black_box(&mut out)));
            });
        }
    }
    group.finish();
}

/// Numbers per second into outputs that the second-level cache holds, and the keystream's own speed
/// there.
fn numbers(c: &mut Criterion) {
    const N: usize = 8192;
    let mut group = c.benchmark_group("uniform");
    for isa in Isa::all() {
        let seed = Seed::from_bytes([1; 32]);
        let fresh = |index| seed.stream_on(isa, Label::new("uniform bench"), index);
        let mut stream = fresh(0);
        let mut bytes = vec![0_i8; N];
        let mut words = vec![0_i32; N];
        let mut plain = vec![0_u32; N];
        let mut longs = vec![0_u64; N];
        group.throughput(Throughput::Elements(N as u64));
        group.bench_function(format!("all 64 bits: the stream alone, u64/{isa}"), |b| {
            b.iter(|| stream.fill_u64(black_box(&mut longs)));
        });
        group.bench_function(format!("signed 7 bits, i8/{isa}"), |b| {
            b.iter(|| uniform::fill_signed(&mut stream, 7, black_box(&mut bytes)));
        });
        group.bench_function(format!("signed 20 bits, i32/{isa}"), |b| {
            b.iter(|| uniform::fill_signed(&mut stream, 20, black_box(&mut words)));
        });
        group.bench_function(format!("60 bits, u64/{isa}"), |b| {
            b.iter(|| uniform::fill_bits(&mut stream, 60, black_box(&mut longs)));
        });
        group.bench_function(format!("20 bits, u64/{isa}"), |b| {
            b.iter(|| uniform::fill_bits(&mut stream, 20, black_box(&mut longs)));
        });
        for n in [8_380_417, 1_000_000_007, (1 << 60) - 93] {
            // Rejected cells of four bytes would leave a stream where cells of eight bytes straddle
            // its blocks.
            let mut stream = fresh(n);
            uniform::fill_below(&mut stream, n, &mut longs).expect("not empty");
            assert!(longs.iter().all(|&x| x < n));
            group.bench_function(format!("below {n}/{isa}"), |b| {
                b.iter(|| uniform::fill_below(&mut stream, n, black_box(&mut longs)));
            });
            if n < 1 << 32 {
                group.bench_function(format!("below {n}, u32/{isa}"), |b| {
                    b.iter(|| uniform::fill_below(&mut stream, n, black_box(&mut plain)));
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, keystream, numbers);
criterion_main!(benches);
