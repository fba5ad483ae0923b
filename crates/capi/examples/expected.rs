//! The answers that `tests/all.c` compares with: `expected DIRECTORY` writes statements, proofs,
//! and what the Rust crates draw and multiply for the same seeds, as little-endian numbers.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use tautochrone_ctr::{Label, Seed};
use tautochrone_gauss::bitslice::Bitslice;
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::Ziggurat;
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier};
use tautochrone_zk::{
    CustomParams, Params, Preset, Prover, PublicMatrix, RandomWitness, Security, Statement,
};

const SAMPLES: usize = 10_007;
const CONTEXT: &[u8] = b"for you";

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(std::env::args_os().nth(1).ok_or("expected DIRECTORY")?);
    let write = |name: &str, bytes: Vec<u8>| fs::write(directory.join(name), bytes);
    let stream = |index| {
        let mut seed = [0; 32];
        (0..).zip(&mut seed).for_each(|(i, byte)| *byte = i);
        Seed::from_bytes(seed).stream(Label::new("tests of C"), index)
    };

    let mut bytes = vec![0; 1000];
    stream(0).fill(&mut bytes);
    write("keystream", bytes)?;

    let mut samples = vec![0; SAMPLES];
    Facct::new(3.2)?.fill(&mut stream(1), &mut samples);
    write("facct", words(&samples, i64::to_le_bytes))?;
    Bitslice::builder().sigma(3.19).precision(64).build()?.fill(&mut stream(2), &mut samples);
    write("bitslice", words(&samples, i64::to_le_bytes))?;
    Ziggurat::new(5.0)?.fill(&mut stream(3), &mut samples);
    write("ziggurat", words(&samples, i64::to_le_bytes))?;
    let centres: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.75 - 300.0).collect();
    let mut around = vec![0; centres.len()];
    Facct::new(40.0)?.fill_centres(&centres, &mut stream(4), &mut around)?;
    write("centres", words(&around, i64::to_le_bytes))?;

    // Z = X Y, X 37 x 53 of bytes, row-major, Y 53 x 29 of words, column-major.
    let (mut x, mut y) = (vec![0; 37 * 53], vec![0; 8 * 53 * 29]);
    stream(5).fill(&mut x);
    stream(6).fill(&mut y);
    let x: Vec<i8> = x.iter().map(|&x| x.cast_signed()).collect();
    let y: Vec<u64> = y.as_chunks().0.iter().map(|&y| u64::from_le_bytes(y)).collect();
    let y32: Vec<u32> = y.iter().map(|&y| y as u32).collect();
    let (mut z, mut z32) = (vec![0; 37 * 29], vec![0; 37 * 29]);
    let (x, y) = (Matrix::row_major(&x, 37, 53)?, Matrix::column_major(&y, 53, 29)?);
    let y32 = Matrix::column_major(&y32, 53, 29)?;
    let multiplier = Multiplier::new();
    multiplier.product(x, y).write_to(MatrixMut::<u64>::row_major(&mut z, 37, 29)?)?;
    multiplier.product(x, y32).write_to(MatrixMut::<u32>::row_major(&mut z32, 37, 29)?)?;
    write("product64", words(&z, u64::to_le_bytes))?;
    write("product32", words(&z32, u32::to_le_bytes))?;

    let secure = Preset::T1_128.params(Security::Required)?;
    let toy = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
    for (name, params) in [("secure", secure), ("toy", toy.validate(Security::Waived)?)] {
        let (statement, proof) = prove(&params)?;
        write(&format!("{name}.lzs"), statement)?;
        write(&format!("{name}.lzp"), proof)?;
    }
    Ok(())
}

fn words<T: Copy, const N: usize>(words: &[T], bytes: fn(T) -> [u8; N]) -> Vec<u8> {
    words.iter().flat_map(|&word| bytes(word)).collect()
}

fn prove(params: &Params) -> Result<(Vec<u8>, Vec<u8>), tautochrone_zk::Error> {
    let a = PublicMatrix::new(params, [1; 32]);
    let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
    let mut file = Vec::new();
    let statement: Statement = a.commit_and_hold(&witness, &mut file)?;
    let proved = Prover::new(&a, &statement)?.prove(CONTEXT, &witness, &Seed::from_os()?)?;
    Ok((file, proved.proof))
}
