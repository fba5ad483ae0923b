//! `files DIRECTORY`: statements and proofs for the tests of the verifier.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use tautochrone_zk::{CustomParams, Preset, Prover, PublicMatrix, RandomWitness, Security, Seed};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(std::env::args_os().nth(1).ok_or("files DIRECTORY")?);
    let toy = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
    // Above 300 MB, so that it is not held: still few rows, so that it is quick.
    let long = CustomParams { n: Some(16), l: 23 << 18, ..CustomParams::new(29, 24, 72, 40, 1) };
    for (name, custom, security) in [
        ("secure", Preset::T4_128.custom(), Security::Required),
        ("other", Preset::T1_128.custom(), Security::Required),
        ("toy", toy, Security::Waived),
        ("long", long, Security::Waived),
    ] {
        let params = custom.validate(security)?;
        let a = PublicMatrix::new(&params, [1; 32]);
        let witness = RandomWitness::new(Seed::from_os()?);
        let mut file = Vec::new();
        let statement = a.commit_and_hold(&witness, &mut file)?;
        let prover = Prover::new(&a, &statement)?;
        let done = prover.prove(b"for you", &witness, &Seed::from_os()?)?;
        fs::write(directory.join(name).with_extension("lzs"), file)?;
        fs::write(directory.join(name).with_extension("lzp"), done.proof.to_bytes(&params))?;
    }
    Ok(())
}
