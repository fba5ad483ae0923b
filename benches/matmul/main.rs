//! Products modulo 2^w, packing included, one thread, next to nalgebra, ndarray, and a loop that
//! the compiler vectorises.
//!
//! `cargo bench --bench matmul -- 'square/w64'`. Ids: `object/parameter/isa`; throughput in
//! multiply-adds ("elements").
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(
    unsafe_code,
    reason = "calls of functions compiled for AVX2 and AVX-512, proved by their tokens"
)]

mod entries;
mod ternary;

use std::num::Wrapping;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use entries::entries;
use tautochrone::matmul::{Matrix, MatrixMut, Multiplier, Operand, Threads, Word, Workspace};
use tautochrone::simd::Isa;
use tautochrone_benches::few_samples;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A product to be timed; X row-major, Y column-major.
struct Product<'a, X, Y> {
    x: &'a [X],
    y: &'a [Y],
    bits: (u32, u32),
    shape: (usize, usize, usize),
}

impl<X: Operand, Y: Operand> Product<'_, X, Y> {
    fn run<W: Word>(&self, multiplier: Multiplier, workspace: &mut Workspace, z: &mut [W]) {
        let (m, k, n) = self.shape;
        let x = Matrix::row_major(self.x, m, k).expect("shape").with_bits(self.bits.0);
        let y = Matrix::column_major(self.y, k, n).expect("shape").with_bits(self.bits.1);
        let z = MatrixMut::column_major(z, m, n).expect("shape");
        multiplier.product(x, y).in_workspace(workspace).write_to(z).expect("shapes agree");
    }

    /// Every tier; a few entries of the result are compared with their definition.
    fn bench<W: Word>(&self, c: &mut Criterion, id: &str, pool: Option<&rayon::ThreadPool>) {
        let (m, k, n) = self.shape;
        let mut group = c.benchmark_group(id);
        group.throughput(Throughput::Elements((m * k * n) as u64));
        let mut workspace = Workspace::new();
        let mut z = vec![W::default(); m * n];
        for isa in Isa::all() {
            let threads = if pool.is_some() { Threads::Ambient } else { Threads::One };
            let multiplier = Multiplier::new_on(isa).with_threads(threads);
            group.bench_function(isa.name(), |b| {
                let mut run = || match pool {
                    Some(pool) => pool.install(|| self.run(multiplier, &mut workspace, &mut z)),
                    None => self.run(multiplier, &mut workspace, &mut z),
                };
                run();
                b.iter(run);
                self.check(&z);
            });
        }
        group.finish();
    }

    /// Entries on a diagonal against the sum that defines them.
    fn check<W: Word>(&self, z: &[W]) {
        let (m, k, n) = self.shape;
        for (i, j) in (0..m.min(n)).step_by(37).map(|d| (m - 1 - d, d)) {
            let sum = (0..k).fold(0u64, |sum, t| {
                let product = self.x[i * k + t].widen().wrapping_mul(self.y[j * k + t].widen());
                sum.wrapping_add(product)
            });
            assert!(z[j * m + i] == W::truncate(sum), "wrong product");
        }
    }
}

macro_rules! square {
    ($name:ident, $w:ty, $parameter:literal) => {
        /// Whole words next to the peers, on one thread and on two.
        fn $name(c: &mut Criterion) {
            for size in [1024, 2048] {
                let x = entries(size * size, 64, |v| v as $w);
                let y = entries(size * size, 64, |v| (v >> 7) as $w);
                let bits = (<$w>::BITS, <$w>::BITS);
                let product = Product { x: &x, y: &y, bits, shape: (size, size, size) };
                let id = concat!("square/", $parameter);
                product.bench::<$w>(c, &format!("{id}-{size}"), None);
                let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
                product.bench::<$w>(c, &format!("{id}-{size}-2threads"), Some(&two));
            }
            let size = 1024;
            let mut group = c.benchmark_group(format!("square/{}-{size}", $parameter));
            group.throughput(Throughput::Elements((size * size * size) as u64));
            let x = entries(size * size, 64, |v| Wrapping(v as $w));
            let y = entries(size * size, 64, |v| Wrapping((v >> 7) as $w));
            let a = nalgebra::DMatrix::from_row_slice(size, size, &x);
            let b = nalgebra::DMatrix::from_column_slice(size, size, &y);
            let mut z = nalgebra::DMatrix::from_element(size, size, Wrapping(0 as $w));
            group.bench_function("nalgebra", |bench| bench.iter(|| a.mul_to(&b, &mut z)));
            let (p, q) = (a.as_slice(), b.as_slice());
            let mut out = vec![Wrapping(0 as $w); size * size];
            for isa in Isa::all().filter(|isa| ["avx2", "avx512"].contains(&isa.name())) {
                group.bench_function(format!("loop compiled for {isa}"), |bench| {
                    bench.iter(|| vectorised(isa, p, q, &mut out, size));
                });
            }
            group.finish();

            // ndarray's generic product is so slow that 256^3 must do.
            let size = 256;
            let mut group = c.benchmark_group(format!("square/{}-{size}", $parameter));
            group.throughput(Throughput::Elements((size * size * size) as u64));
            let a = ndarray::Array2::from_shape_vec((size, size), x[..size * size].to_vec());
            let b = ndarray::Array2::from_shape_vec((size, size), y[..size * size].to_vec());
            let (a, b) = (a.expect("shape"), b.expect("shape"));
            group.bench_function("ndarray", |bench| bench.iter(|| a.dot(&b)));
            group.finish();
        }
    };
}

square!(w8, u8, "w8");
square!(w16, u16, "w16");
square!(w32, u32, "w32");
square!(w64, u64, "w64");

/// A word for the loop.
trait Plain: Copy + core::ops::AddAssign + core::ops::Mul<Output = Self> + Default {}
impl<T: Copy + core::ops::AddAssign + core::ops::Mul<Output = T> + Default> Plain for T {}

/// Column-major j-k-i loop, whose inner loop the compiler vectorises for the instruction set.
fn vectorised<T: Plain>(isa: Isa, x: &[T], y: &[T], z: &mut [T], size: usize) {
    #[inline(always)]
    fn body<T: Plain>(x: &[T], y: &[T], z: &mut [T], size: usize) {
        for (z, y) in z.chunks_exact_mut(size).zip(y.chunks_exact(size)) {
            z.fill(T::default());
            for (x, y) in x.chunks_exact(size).zip(y) {
                for (z, x) in z.iter_mut().zip(x) {
                    *z += *x * *y;
                }
            }
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn avx512<T: Plain>(x: &[T], y: &[T], z: &mut [T], size: usize) {
            body(x, y, z, size);
        }
        #[target_feature(enable = "avx2")]
        fn avx2<T: Plain>(x: &[T], y: &[T], z: &mut [T], size: usize) {
            body(x, y, z, size);
        }
        if isa.avx512().is_some() {
            // SAFETY: the token proves AVX-512 F, BW, DQ, VL.
            return unsafe { avx512(x, y, z, size) };
        }
        if isa.avx2().is_some() {
            // SAFETY: the token proves AVX2.
            return unsafe { avx2(x, y, z, size) };
        }
    }
    body(x, y, z, size);
}

/// The protocol's products at w = 64, and their narrow forms.
fn protocol(c: &mut Criterion) {
    let (r, v, n) = (100, 3000, 100);
    let words = entries(r * v, 64, |v| v as u64);
    let s = entries(v * v, 7, |v| v as i8);
    let ternary = entries(v * n, 2, |v| (v | 1) as i8);
    let z = entries(v * n, 37, |v| v);

    let product = Product { x: &words, y: &s, bits: (64, 7), shape: (r, v, v) };
    product.bench::<u64>(c, "protocol/A-S-100x3000x3000", None);
    let product = Product { x: &s, y: &ternary, bits: (7, 2), shape: (v, v, n) };
    product.bench::<u64>(c, "protocol/S-C-3000x3000x100", None);
    let product = Product { x: &words, y: &z, bits: (64, 37), shape: (r, v, n) };
    product.bench::<u64>(c, "protocol/A-Z-100x3000x100", None);
    let product = Product { x: &words, y: &ternary, bits: (64, 2), shape: (r, v, n) };
    product.bench::<u64>(c, "protocol/T-C-100x3000x100", None);
}

criterion_group! { name = benches; config = few_samples(); targets = w8, w16, w32, w64, protocol, ternary::bench }
criterion_main!(benches);
