//! Products at w = 32 with entries -1, 0, 1 in the protocol's shapes: T = A S by lookups (S
//! secret), T C by tables and S C by lookups or tables (C public), each next to the same product
//! multiplied.

use criterion::{Criterion, Throughput};
use tautochrone::matmul::{
    Error, Matrix, MatrixMut, Multiplier, PackedLeft, Ternary, Threads, Width,
};
use tautochrone::simd::Isa;

type Routine =
    fn(&Multiplier, Matrix<'_, u32>, Matrix<'_, i8>, MatrixMut<'_, u32>) -> Result<(), Error>;

/// By a secret ternary matrix.
const LOOKUPS: Routine = |multiplier, x, y, z| multiplier.product(x, Ternary::secret(y)?).add_to(z);

/// By a public ternary matrix.
const TABLES: Routine =
    |multiplier, x, y, z| multiplier.product(x, Ternary::public_vartime(y)?).add_to(z);

/// By a matrix that is said to have entries of two bits.
const MULTIPLIED: Routine = |multiplier, x, y, z| multiplier.product(x, y.with_bits(2)).add_to(z);

pub(super) fn bench(c: &mut Criterion) {
    let words = crate::entries::entries(1088 * 4096, 32, |v| v as u32);
    let signs = crate::entries::entries(1600 * 1024, 32, |v| v.rem_euclid(3) as i8 - 1);
    let of_a = Matrix::row_major(&words[..1088 * 1600], 1088, 1600).expect("shape");
    let s = Matrix::column_major(&signs, 1600, 1024).expect("shape");
    let t = Matrix::column_major(&words, 1088, 4096).expect("shape");
    let of_c = Matrix::column_major(&signs[..4096 * 142], 4096, 142).expect("shape");
    narrow(c, &signs);
    products(c, "A-S-1088x1600x1024", of_a, s, LOOKUPS, "lookups");
    products(c, "T-C-1088x4096x142", t, of_c, TABLES, "tables");
}

fn products(
    c: &mut Criterion,
    parameter: &str,
    x: Matrix<'_, u32>,
    y: Matrix<'_, i8>,
    routine: Routine,
    name: &str,
) {
    let (m, k, n) = (x.rows(), x.columns(), y.columns());
    let mut want = vec![0; m * n];
    let z = MatrixMut::column_major(&mut want, m, n).expect("shape");
    MULTIPLIED(&Multiplier::new(), x, y, z).expect("shapes agree");
    for (name, routine) in [(name, routine), ("multiplied", MULTIPLIED)] {
        let mut group = c.benchmark_group(format!("ternary/{parameter}-{name}"));
        group.throughput(Throughput::Elements((m * k * n) as u64));
        for isa in Isa::all() {
            let multiplier = Multiplier::new_on(isa).with_threads(Threads::One);
            let mut z = vec![0; m * n];
            let run = |z: &mut [u32]| {
                let z = MatrixMut::column_major(z, m, n).expect("shape");
                routine(&multiplier, x, y, z).expect("shapes agree");
            };
            run(&mut z);
            assert!(z == want, "wrong product");
            group.bench_function(isa.name(), |b| b.iter(|| run(&mut z)));
        }
        group.finish();
    }
}

/// S C for a group of columns of S and some of C, S prepared before, as a prover has it.
fn narrow(c: &mut Criterion, signs: &[i8]) {
    let (m, k) = (2688, 512);
    let s = Matrix::column_major(&signs[..m * k], m, k).expect("shape").with_bits(2);
    for n in [8, 16, 64, 142] {
        let of_c = Matrix::column_major(&signs[..k * n], k, n).expect("shape").with_bits(2);
        for name in ["narrow", "multiplied"] {
            let mut group = c.benchmark_group(format!("ternary/S-C-{m}x{k}x{n}-{name}"));
            group.throughput(Throughput::Elements((m * k * n) as u64));
            for isa in Isa::all() {
                let multiplier = Multiplier::new_on(isa).with_threads(Threads::One);
                let looked_up = multiplier.pack_narrow(s, 1).expect("narrow");
                let packed: PackedLeft<u32> =
                    multiplier.pack_left(s, Width::signed(2)).expect("two bits");
                let run = |z: &mut [u32]| {
                    let z = MatrixMut::column_major(z, m, n).expect("shape");
                    match name {
                        "narrow" => {
                            let of_c = Ternary::public_vartime(of_c).expect("ternary");
                            multiplier.product(&looked_up, of_c).add_to(z)
                        }
                        _ => multiplier.product(&packed, of_c).add_to(z),
                    }
                    .expect("shapes agree");
                };
                let mut z = vec![0; m * n];
                run(&mut z);
                let sum = |i, j| {
                    let terms = (0..k).map(|t| signs[t * m + i] * signs[j * k + t]);
                    terms.map(i32::from).sum::<i32>().cast_unsigned()
                };
                assert!((0..n).all(|j| z[j * m + 17 * j] == sum(17 * j, j)), "wrong product");
                group.bench_function(isa.name(), |b| b.iter(|| run(&mut z)));
            }
            group.finish();
        }
    }
}
