//! `counts KERNEL ISA TIMES`: runs a kernel on its amount of work so many times. benches/counts.sh
//! counts the instructions of that.

use std::error::Error;
use std::hint::black_box;

use tautochrone_ctr::{Label, Seed};
use tautochrone_gauss::bitslice::{Bitslice, Form};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::uniform;
use tautochrone_gauss::ziggurat::{Options, Ziggurat};
use tautochrone_ice::Ice;
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Width};
use tautochrone_simd::Isa;

/// Samples, or bytes, of one time.
const LEN: usize = 4096;
/// The shape of a product.
const ROWS: usize = 96;
const TERMS: usize = 256;
const COLUMNS: usize = 96;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kernel, isa, times] = &arguments[..] else { return Err("KERNEL ISA TIMES".into()) };
    let (isa, times): (Isa, usize) = (isa.parse()?, times.parse()?);
    let mut stream = Seed::from_bytes([1; 32]).stream_on(isa, Label::new("counts"), 0);
    let mut bytes = [0; LEN];
    let (mut words, mut halves, mut below) = ([0_i64; LEN], [0_i32; LEN], [0_u32; LEN]);
    match &kernel[..] {
        "ctr" => {
            for _ in 0..times {
                stream.fill(black_box(&mut bytes));
            }
        }
        "uniform below 1000003" => {
            for _ in 0..times {
                uniform::fill_below(&mut stream, 1_000_003, black_box(&mut below))?;
            }
        }
        "facct" => {
            let sampler = Facct::new_on(isa, 215.0)?;
            for _ in 0..times {
                sampler.fill_i32(&mut stream, black_box(&mut halves))?;
            }
        }
        "facct centres" => {
            let sampler = Facct::new_on(isa, 215.0)?;
            let centres: Vec<f64> = (0..LEN).map(|i| i as f64 / 3.0).collect();
            for _ in 0..times {
                sampler.fill_centres(&centres, &mut stream, black_box(&mut words))?;
            }
        }
        "bitslice planes" | "bitslice bytes" => {
            let form = if kernel.ends_with("planes") { Form::Planes } else { Form::Bytes };
            let sampler = Bitslice::builder().isa(isa).sigma(2.0).form(form).build()?;
            for _ in 0..times {
                sampler.fill(&mut stream, black_box(&mut halves));
            }
        }
        "ziggurat" => {
            let sampler = Ziggurat::new_on(isa, 215.0, Options::default())?;
            for _ in 0..times {
                sampler.fill(&mut stream, black_box(&mut words));
            }
        }
        "ice" => {
            let cipher = Ice::new_on(isa, 1, &[7; 8])?;
            let blocks = bytes.as_chunks_mut().0;
            for _ in 0..times {
                cipher.encrypt(black_box(blocks));
            }
        }
        "product 32 by 8 bits" => {
            let multiplier = Multiplier::new_on(isa);
            let (x, y) = ([0x1234_5678_u32; ROWS * TERMS], [77_i8; TERMS * COLUMNS]);
            let mut z = [0_u32; ROWS * COLUMNS];
            let (x, y) = (
                multiplier.pack_left(Matrix::row_major(&x, ROWS, TERMS)?, Width::signed(8))?,
                Matrix::column_major(&y, TERMS, COLUMNS)?,
            );
            for _ in 0..times {
                let z = MatrixMut::column_major(black_box(&mut z), ROWS, COLUMNS)?;
                multiplier.product(&x, y).add_to(z)?;
            }
        }
        _ => return Err("no such kernel".into()),
    }
    Ok(())
}
