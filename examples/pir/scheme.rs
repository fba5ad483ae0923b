//! The scheme: Regev encryption of a unit vector, multiplied by the file.
//!
//! The file is a matrix D of bytes, a column for each block. A is public, m x n, and the hint is H
//! = D A. A client that wants column j draws s and e and sends u = A s + e + 2^24 (unit vector j);
//! the answer D u = H s + D e + 2^24 (column j) modulo 2^32 shows the column in its top bytes to
//! who knows s, as long as D e stays below 2^23. Bytes count as -128 to 127, which are the same
//! modulo 256, so that the product is a narrow one and its noise small.
//!
//! To the server, u is a sample of LWE: m samples for the secret s of n entries. Each query has a
//! new s and e.

use tautochrone_cli::Failure;
use tautochrone_ctr::{Label, Seed};
use tautochrone_gauss::{facct::Facct, float, uniform};
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
use tautochrone_simd::Isa;
use tautochrone_zk::Hardness;
use tautochrone_zk::internals::estimate::{lwe_dual_hybrid, lwe_primal, uniform_sd};
use zeroize::Zeroizing;

/// Standard deviation of s and e.
const SIGMA: f64 = 6.4;
/// Bits that recovering s must cost, and that a wrong byte must be unlikely.
const SECURITY: f64 = 128.0;
const CORRECTNESS: f64 = 40.0;
/// Rows of A at a time.
const CHUNK: usize = 1024;

/// Shape of D, and dimension of the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Bytes of a block.
    pub(crate) rows: u32,
    /// Blocks; the samples that a query gives away.
    pub(crate) columns: u32,
    /// n.
    pub(crate) secret: u32,
}

impl Shape {
    /// The smallest secret that is secure for a file of so many bytes.
    pub(crate) fn new(bytes: u64, rows: u32) -> Result<Self, Failure> {
        let columns = bytes.div_ceil(u64::from(rows));
        let columns = u32::try_from(columns).ok().filter(|&columns| is_exact(rows, columns));
        let columns = columns.ok_or_else(|| {
            let problem = format!("a file of {bytes} bytes has too many blocks of {rows} bytes");
            Failure::new(format!("{problem}: their noise would hide them; take larger blocks"))
        })?;
        let is_secure = |n: &u32| security(*n, columns).classical >= SECURITY;
        let secret = (512..).step_by(64).find(is_secure).expect("security grows with n");
        Ok(Self { rows, columns, secret })
    }

    /// log2 of the operations that recovering a query's secret costs, classically.
    pub(crate) fn security(self) -> f64 {
        security(self.secret, self.columns).classical
    }
}

/// The cheaper of the two attacks; for the one that knows uniform entries only, by a narrower
/// range.
fn security(secret: u32, samples: u32) -> Hardness {
    let range = (1..=127).take_while(|&b| uniform_sd(b) <= SIGMA).last();
    let range = range.expect("sigma is above 1");
    lwe_primal(secret, samples, 32.0, SIGMA).min(lwe_dual_hybrid(secret, samples, 32.0, range))
}

/// Whether all bytes of a block are right but with probability 2^-40. An entry of D e is
/// sub-Gaussian with parameter 128 sigma sqrt(m), so it reaches 2^23 with probability at most
/// 2 exp(-2^46 / (2 (128 sigma)^2 m)).
fn is_exact(rows: u32, columns: u32) -> bool {
    let noise = 128.0 * SIGMA;
    let exponent = (1_u64 << 45) as f64 / (noise * noise * f64::from(columns));
    exponent * std::f64::consts::LOG2_E >= CORRECTNESS + 1.0 + float::log2(f64::from(rows))
}

/// Rows `first..` of A, row after row.
fn rows_of_a(shape: Shape, seed: &[u8; 32], first: usize, isa: Isa) -> Result<Vec<u32>, Failure> {
    let n = shape.secret as usize;
    let rows = CHUNK.min(shape.columns as usize - first);
    let mut a = vec![0; rows * n];
    let index = (first / CHUNK) as u64;
    let mut stream = Seed::from_bytes(*seed).stream_on(isa, Label::new("pir: A"), index);
    uniform::fill_bits(&mut stream, 32, &mut a).map_err(Failure::new)?;
    Ok(a)
}

/// The file as a matrix: whole columns.
fn matrix(shape: Shape, bytes: &[u8]) -> Result<Matrix<'_, i8>, Failure> {
    let (rows, columns) = (shape.rows as usize, shape.columns as usize);
    // The same bits: these are numbers modulo 256.
    let entries = bytemuck::cast_slice(bytes);
    Matrix::column_major(entries, rows, columns).map_err(Failure::new)
}

/// H = D A, row after row.
pub(crate) fn hint(
    shape: Shape,
    seed: &[u8; 32],
    file: &[u8],
    isa: Isa,
) -> Result<Vec<u32>, Failure> {
    let (rows, n) = (shape.rows as usize, shape.secret as usize);
    let d = matrix(shape, file)?;
    let multiplier = Multiplier::new_on(isa);
    let mut h = vec![0; rows * n];
    for first in (0..shape.columns as usize).step_by(CHUNK) {
        let a = rows_of_a(shape, seed, first, isa)?;
        let a = Matrix::row_major(&a, a.len() / n, n).map_err(Failure::new)?;
        let d = d.columns_in(first..first + a.rows());
        let h = MatrixMut::row_major(&mut h, rows, n).map_err(Failure::new)?;
        multiplier.product(d, a).add_to(h).map_err(Failure::new)?;
    }
    Ok(h)
}

/// The secret of a query, by its seed.
fn secret(shape: Shape, seed: &Seed, isa: Isa) -> Result<Zeroizing<Vec<i32>>, Failure> {
    let mut s = Zeroizing::new(vec![0; shape.secret as usize]);
    let mut stream = seed.stream_on(isa, Label::new("pir: secret"), 0);
    let sampler = Facct::new_on(isa, SIGMA).map_err(Failure::new)?;
    sampler.fill_i32(&mut stream, &mut s).map_err(Failure::new)?;
    Ok(s)
}

/// u = A s + e + 2^24 (unit vector `index`). Time and addresses do not depend on the index.
pub(crate) fn query(
    shape: Shape,
    seed_a: &[u8; 32],
    seed: &Seed,
    index: u32,
    isa: Isa,
) -> Result<Vec<u32>, Failure> {
    let n = shape.secret as usize;
    let s = secret(shape, seed, isa)?;
    let s = Matrix::column_major(&s, n, 1).map_err(Failure::new)?;
    let mut e = Zeroizing::new(vec![0_i32; shape.columns as usize]);
    let mut stream = seed.stream_on(isa, Label::new("pir: errors"), 0);
    let sampler = Facct::new_on(isa, SIGMA).map_err(Failure::new)?;
    sampler.fill_i32(&mut stream, &mut e).map_err(Failure::new)?;
    let mut u: Vec<u32> = e.iter().map(|e| e.cast_unsigned()).collect();
    let multiplier = Multiplier::new_on(isa);
    for (chunk, u) in u.chunks_mut(CHUNK).enumerate() {
        let a = rows_of_a(shape, seed_a, chunk * CHUNK, isa)?;
        let a = Matrix::row_major(&a, u.len(), n).map_err(Failure::new)?;
        let u = MatrixMut::column_major(u, a.rows(), 1).map_err(Failure::new)?;
        multiplier.product(a, s).add_to(u).map_err(Failure::new)?;
    }
    for (j, u) in (0..).zip(&mut u) {
        *u = u.wrapping_add(u32::from(j == index) << 24);
    }
    Ok(u)
}

/// D u.
pub(crate) fn answer(shape: Shape, file: &[u8], u: &[u32], isa: Isa) -> Result<Vec<u32>, Failure> {
    let (rows, columns) = (shape.rows as usize, shape.columns as usize);
    let mut answer = vec![0; rows];
    let u = Matrix::column_major(u, columns, 1).map_err(Failure::new)?;
    let z = MatrixMut::column_major(&mut answer, rows, 1).map_err(Failure::new)?;
    Multiplier::new_on(isa).product(matrix(shape, file)?, u).write_to(z).map_err(Failure::new)?;
    Ok(answer)
}

/// The top bytes of D u - H s, rounded.
pub(crate) fn recover(
    shape: Shape,
    h: &[u32],
    seed: &Seed,
    answer: &[u32],
    isa: Isa,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let (rows, n) = (shape.rows as usize, shape.secret as usize);
    let s = secret(shape, seed, isa)?;
    let mut mask = Zeroizing::new(vec![0; rows]);
    let h = Matrix::row_major(h, rows, n).map_err(Failure::new)?;
    let s = Matrix::column_major(&s, n, 1).map_err(Failure::new)?;
    let view = MatrixMut::column_major(&mut mask, rows, 1).map_err(Failure::new)?;
    Multiplier::new_on(isa).product(h, s).write_to(view).map_err(Failure::new)?;
    let byte = |(answer, mask): (&u32, &u32)| {
        (answer.wrapping_sub(*mask).wrapping_add(1 << 23) >> 24) as u8
    };
    Ok(Zeroizing::new(answer.iter().zip(&*mask).map(byte).collect()))
}
