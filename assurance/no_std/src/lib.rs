//! Commits, proves, verifies, and refuses an altered proof, without the standard library.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use tautochrone_zk::io::{ErrorKind, Result as IoResult};
use tautochrone_zk::{
    CustomParams, Error, Preset, Prover, PublicMatrix, RandomWitness, ReadAt, Security, Seed,
    Statement, Verifier,
};

/// A statement in a memory of its own, as flash is: [`ReadAt`] of somebody else.
struct Flash(Vec<u8>);

impl ReadAt for Flash {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> IoResult<()> {
        let start = usize::try_from(offset).map_err(|_| ErrorKind::UnexpectedEof)?;
        let end = start.saturating_add(buffer.len());
        let part = self.0.get(start..end).ok_or(ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(part);
        Ok(())
    }
}

/// The lines of `tests/kat/proofs.json` about a statement and a proof of 600 columns, made from the
/// seeds of the known answers.
///
/// # Errors
/// The answer of the library.
///
/// # Panics
/// If an altered proof, or a statement that ends too early, is accepted.
pub fn answers(custom: &CustomParams) -> Result<[String; 2], Error> {
    let params = custom.validate(Security::Waived)?;
    let a = PublicMatrix::new(&params, [1; 32]);
    let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness, &mut file)?;
    let prover = Prover::new(&a, &statement)?.reproducible();
    let mut proof =
        prover.prove(b"golden", &witness, &Seed::from_bytes([3; 32]))?.proof;
    let answers = [
        format!("\"statement_blake3\": \"{}\"", blake3::hash(&file).to_hex()),
        format!("\"proof_blake3\": \"{}\"", blake3::hash(&proof).to_hex()),
    ];

    let short = Flash(file[..file.len() - 1].to_vec());
    let flash = Flash(file);
    let read = Statement::read(&flash, Security::Waived)?;
    let a = PublicMatrix::new(read.params(), *read.seed_a());
    let verifier = Verifier::new(&a, &read)?;
    verifier.with_file(&flash).verify(b"golden", &proof)?;
    Statement::load(&flash, Security::Waived)?;
    assert!(Statement::load(&short, Security::Waived).is_err());
    let last = proof.len() / 2;
    proof[last] ^= 1;
    assert!(verifier.with_file(&flash).verify(b"golden", &proof).is_err());
    Ok(answers)
}

/// 600 columns with the other parameters of a preset.
#[must_use]
pub fn small(preset: Preset) -> CustomParams {
    CustomParams { r: 48, v: 200, l: 600, n: Some(20), ..preset.custom() }
}
