//! Products: every entry of both operands and of the result is secret.

use tautochrone_assurance::valgrind::{secret, traced};
use tautochrone_matmul::{
    Error, Matrix, MatrixMut, Multiplier, Operand, Ternary, Way, Width, Word,
};
use tautochrone_simd::Isa;

use crate::report::{Report, still_secret};

/// Ragged, so that every edge of a kernel is visited.
const M: usize = 19;
const K: usize = 70;
const N: usize = 13;

fn entries<T: TryFrom<i64> + Default>(count: usize, bits: u32) -> Vec<T> {
    let range = 1_i64 << (bits - 1).min(30);
    let entry = |i: usize| {
        (i as i64).wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64).rem_euclid(2 * range) - range
    };
    secret((0..count).map(|i| T::try_from(entry(i)).unwrap_or_default()).collect())
}

/// The ways to form a product. Under the tracer, which takes microseconds for an instruction, only
/// the ones that the tier below does not have.
fn ways(isa: Isa, of: impl Fn(&Multiplier) -> Vec<Way>) -> Vec<Way> {
    let all = of(&Multiplier::new_on(isa));
    let below = Isa::all().take_while(|&tier| tier != isa).last().filter(|_| traced());
    let known = below.map_or_else(Vec::new, |below| of(&Multiplier::new_on(below)));
    let new: Vec<Way> = all.iter().copied().filter(|way| !known.contains(way)).collect();
    if new.is_empty() { all[..1].to_vec() } else { new }
}

fn product<W: Word, X, Y>(report: &mut Report, isa: Isa, name: &str, x_bits: u32, y_bits: u32)
where
    X: Operand + TryFrom<i64> + Default,
    Y: Operand + TryFrom<i64> + Default,
{
    let multiplier = Multiplier::new_on(isa);
    report.clean(&format!("matmul/{name}/{isa}"), || {
        let (x, y) = (entries::<X>(M * K, x_bits), entries::<Y>(K * N, y_bits));
        let mut z = secret(vec![W::default(); M * N]);
        let x = Matrix::row_major(&x, M, K).expect("a matrix").with_bits(x_bits);
        let y = Matrix::column_major(&y, K, N).expect("a matrix").with_bits(y_bits);
        for way in ways(isa, |by| by.product::<W>(x, y).ways()) {
            let by = multiplier.by(way);
            let view = MatrixMut::column_major(&mut z, M, N).expect("a matrix");
            by.product(x, y).add_to(view).expect("shapes agree");
            let packed = by.pack_left_compact::<W, X>(x, Width::signed(y_bits)).expect("bits");
            let view = MatrixMut::column_major(&mut z, M, N).expect("a matrix");
            by.product(&packed, y).write_to(view).expect("shapes agree");
            still_secret(&z);
        }
    });
}

/// Adds a product to a Z that is public, so that the secrets in it then come from the operands,
/// and again.
fn twice(mut multiply_add: impl FnMut(MatrixMut<'_, u32>)) {
    let mut z = vec![0_u32; M * N];
    for _ in 0..2 {
        multiply_add(MatrixMut::column_major(&mut z, M, N).expect("a matrix"));
        still_secret(&z);
    }
}

/// Products by a public matrix of entries -1, 0, 1; the other operand is secret.
fn ternary(report: &mut Report, isa: Isa) {
    let multiplier = Multiplier::new_on(isa);
    let y: Vec<i8> = (0..K * N).map(|i| (i * i % 3) as i8 - 1).collect();
    let y = Matrix::column_major(&y, K, N).expect("a matrix");
    let y = Ternary::public_vartime(y).expect("ternary");
    report.clean(&format!("matmul/ternary/{isa}"), || {
        let x = entries::<u32>(M * K, 32);
        let x = Matrix::column_major(&x, M, K).expect("a matrix");
        for way in ways(isa, |by| by.product::<u32>(x, y).ways()) {
            twice(|z| multiplier.by(way).product(x, y).add_to(z).expect("shapes agree"));
        }
    });
    report.clean(&format!("matmul/narrow-ternary/{isa}"), || {
        let x = entries::<i8>(M * K, 2);
        let x = Matrix::column_major(&x, M, K).expect("a matrix");
        let x = multiplier.pack_narrow(x, 2).expect("narrow");
        twice(|z| multiplier.product(&x, y).add_to(z).expect("shapes agree"));
    });
}

/// Products by a secret matrix of entries -1, 0, 1: both operands are secret.
fn lookups(report: &mut Report, name: &str, isa: Isa, multiply_add: Lookups) {
    let multiplier = Multiplier::new_on(isa);
    report.clean(&format!("matmul/lookups/{name}"), || {
        let x = entries::<u32>(M * K, 32);
        let y = secret((0..K * N).map(|i| (i * i % 3) as i8 - 1).collect::<Vec<_>>());
        let x = Matrix::row_major(&x, M, K).expect("a matrix");
        let y = Matrix::column_major(&y, K, N).expect("a matrix");
        let y = Ternary::secret(y).expect("ternary");
        twice(|z| multiply_add(&multiplier, x, y, z).expect("shapes agree"));
    });
}

type Lookups =
    fn(&Multiplier, Matrix<'_, u32>, Ternary<'_>, MatrixMut<'_, u32>) -> Result<(), Error>;

/// The kernel for AVX-512 on lanes in memory; and a branch on its result: the emulation keeps track
/// of secrets.
#[cfg(tautochrone_ctgrind)]
fn emulated_lookups(report: &mut Report, isa: Isa) {
    lookups(report, "emulated", isa, Multiplier::add_ternary_emulated);
    let y: Vec<i8> = (0..K * N).map(|i| (i * i % 3) as i8 - 1).collect();
    let y = Matrix::column_major(&y, K, N).expect("a matrix");
    let y = Ternary::public_vartime(y).expect("ternary");
    for bound in [1, 2] {
        report.clean(&format!("matmul/narrow-ternary/emulated/{bound}"), || {
            let x = entries::<i8>(M * K, bound.into());
            let x = Matrix::column_major(&x, M, K).expect("a matrix");
            let x = tautochrone_matmul::PackedNarrow::emulated(x, bound).expect("small");
            let multiplier = Multiplier::new_on(isa);
            twice(|z| multiplier.product(&x, y).add_to(z).expect("shapes agree"));
        });
    }
    report.leaky("matmul/lookups/emulated/leak", || {
        let y = secret(vec![1_i8; K]);
        let x = Matrix::row_major(&[7_u32; K], 1, K).expect("a matrix");
        let y = Matrix::column_major(&y, K, 1).expect("a matrix");
        let y = Ternary::secret(y).expect("ternary");
        let mut z = [0_u32];
        let view = MatrixMut::column_major(&mut z, 1, 1).expect("a matrix");
        let multiplier = Multiplier::new_on(isa);
        multiplier.add_ternary_emulated(x, y, view).expect("shapes agree");
        std::hint::black_box(tautochrone_assurance::leaky::leaky_branch(z[0].into()));
    });
}

pub fn check(report: &mut Report, isa: Isa) {
    product::<u8, i8, i8>(report, isa, "8x8=8", 8, 8);
    product::<u16, i16, i8>(report, isa, "16x8=16", 16, 8);
    product::<u32, i8, i8>(report, isa, "8x2=32", 8, 2);
    product::<u32, i32, i8>(report, isa, "32x2=32", 32, 2);
    product::<u32, i32, i32>(report, isa, "32x32=32", 32, 32);
    product::<u32, u32, i64>(report, isa, "32x37=32", 32, 37);
    product::<u64, i8, i8>(report, isa, "8x8=64", 8, 8);
    product::<u64, i64, i8>(report, isa, "64x2=64", 64, 2);
    product::<u64, i64, i64>(report, isa, "64x64=64", 64, 64);
    ternary(report, isa);
    lookups(report, &isa.to_string(), isa, |by, x, y, mut z| {
        let ways = by.product::<u32>(x, y).ways();
        ways.into_iter().try_for_each(|way| by.by(way).product(x, y).add_to(z.reborrow()))
    });
    #[cfg(tautochrone_ctgrind)]
    if isa == Isa::PORTABLE {
        emulated_lookups(report, isa);
    }
}
