//! Uses every part, by the facade and by the part's own crate, which must be the same; and what
//! each feature adds.

use std::error::Error;

use tautochrone::ctr::{Label, Seed};

fn main() -> Result<(), Box<dyn Error>> {
    // Types of the facade and of the parts are the same.
    let isa: tautochrone_simd::Isa = tautochrone::simd::Isa::detect();
    let seed: tautochrone_ctr::Seed = Seed::from_bytes([7; 32]);
    let mut stream: tautochrone_ctr::Stream = seed.stream_on(isa, Label::new("dependent"), 0);

    let sampler: tautochrone_gauss::facct::Facct = tautochrone::gauss::facct::Facct::new(3.2)?;
    let mut samples = [0_i64; 1000];
    sampler.fill(&mut stream, &mut samples);
    assert!(samples.iter().all(|x| x.abs() < 45));

    let ice: tautochrone_ice::Ice = tautochrone::ice::Ice::new(0, b"8 bytes.")?;
    let mut blocks = [[1; 8]; 9];
    ice.encrypt(&mut blocks);
    ice.decrypt(&mut blocks);
    assert_eq!(blocks, [[1; 8]; 9]);

    let engine: tautochrone_bignum::Barrett = tautochrone::bignum::Barrett::new(&[10])?;
    let mut power = [0];
    engine.pow(&mut power, &[3], &[3])?;
    assert_eq!(power, [7]);

    products()?;
    proofs(&seed)?;
    gpu()?;
    println!("{isa}: every part works");
    Ok(())
}

fn products() -> Result<(), tautochrone_matmul::Error> {
    use tautochrone::matmul::{Matrix, MatrixMut, Multiplier};
    let x = [1_u32, 2, 3, 4];
    let mut z = [0_u32; 4];
    let x: tautochrone_matmul::Matrix<u32> = Matrix::row_major(&x, 2, 2)?;
    let multiplier = Multiplier::new();
    multiplier.product(x, x).write_to(MatrixMut::row_major(&mut z, 2, 2)?)?;
    assert_eq!(z, [7, 10, 15, 22]);
    #[cfg(feature = "nalgebra")]
    {
        let mut z = nalgebra::DMatrix::<u32>::zeros(2, 2);
        multiplier.product(x, x).write_to(MatrixMut::from(&mut z))?;
        assert_eq!(z, nalgebra::DMatrix::from_row_slice(2, 2, &[7, 10, 15, 22]));
    }
    #[cfg(feature = "ndarray")]
    {
        let mut z = ndarray::Array2::<u32>::zeros((2, 2));
        multiplier.product(x, x).write_to(MatrixMut::try_from(&mut z)?)?;
        assert_eq!(z, ndarray::arr2(&[[7, 10], [15, 22]]));
    }
    Ok(())
}

fn proofs(seed: &Seed) -> Result<(), Box<dyn Error>> {
    use tautochrone::zk::*;
    let custom = CustomParams { l: 40, v: 96, r: 32, n: Some(16), ..Preset::T4_128.custom() };
    #[cfg(feature = "serde")]
    let custom: CustomParams = serde_json::from_str(&serde_json::to_string(&custom)?)?;
    let params: tautochrone_zk::Params = custom.validate(Security::Waived)?;
    let a = PublicMatrix::new(&params, [1; 32]);
    let witness = RandomWitness::new(Seed::from_os()?);
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file)?;
    let proof = Prover::new(&a, &statement)?.prove(b"dependent", &witness, seed)?.proof;
    let statement = Statement::load(&file, Security::Waived)?;
    Verifier::new(&a, &statement)?.verify(b"dependent", &proof)?;
    Ok(())
}

/// A machine without a driver or a device is no error of the program.
#[cfg(feature = "cuda")]
fn gpu() -> Result<(), tautochrone::kernels::Error> {
    use tautochrone::kernels::{Error, Gpu};
    match Gpu::open() {
        Ok(gpu) => println!("{}", gpu.name()),
        Err(e @ (Error::NoDriver(_) | Error::NoDevice)) => println!("{e}"),
        Err(e) => return Err(e),
    }
    Ok(())
}

#[cfg(not(feature = "cuda"))]
fn gpu() -> Result<(), Box<dyn Error>> {
    Ok(())
}
