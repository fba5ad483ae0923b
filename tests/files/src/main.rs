//! `files DIRECTORY`: statements and proofs of every kind for the tests of the verifier in
//! browsers, and what its pages hold: a sample, and the names of presets.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use tautochrone_zk::argument::{
    CircuitBuilder, CircuitClaim, Claims, ExactKeys, Fact, KeyRanges, Layout, Ranges, RowNorm,
    RowRange, Scalar,
};
use tautochrone_zk::{
    CustomParams, Goal, Masks, Params, Preset, Prover, PublicMatrix, RandomWitness, Security, Seed,
    Statement, Witness, WitnessSource,
};

const CONTEXT: &[u8] = b"for you";

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
        let witness = RandomWitness::new(Seed::from_os()?);
        let (a, statement) = commit(&directory, name, &params, &witness)?;
        let done = Prover::new(&a, &statement)?.prove(CONTEXT, &witness, &Seed::from_os()?)?;
        fs::write(directory.join(name).with_extension("lzp"), done.proof)?;
    }
    claims(&directory)?;
    keys(&directory)?;
    circuit(&directory)?;
    sample(&directory)?;
    // All that are secure.
    let names = Preset::NAMES.iter().copied().filter(|&name| name != Preset::Seed.name());
    Ok(fs::write(directory.join("presets"), names.collect::<Vec<_>>().join("\n"))?)
}

fn commit(
    directory: &Path,
    name: &str,
    params: &Params,
    witness: &dyn WitnessSource,
) -> Result<(PublicMatrix, Statement), Box<dyn Error>> {
    let a = PublicMatrix::new(params, [1; 32]);
    let mut file = Vec::new();
    let statement = a.commit_and_hold(witness, &mut file)?;
    fs::write(directory.join(name).with_extension("lzs"), file)?;
    Ok((a, statement))
}

/// Bits, a norm, and a sum of two columns: `exact`.
fn claims(directory: &Path) -> Result<(), Box<dyn Error>> {
    const BITS: u32 = 1024;
    const COLUMNS: u32 = 8;
    let bits = |first_row, rows| RowRange { first_row, rows, low: 0, high: 1 };
    let norm = RowNorm::at_most(BITS, 4, 20, BITS + 4);
    let ranges = Ranges::with_norms(vec![bits(0, BITS), bits(BITS + 4, norm.bits)], vec![norm])?;
    let powers = (0..8).map(|row| (row, 1 << row)).collect();
    let sum = Fact::sum(powers, vec![(0, 1), (1, 1)], 43)?;
    let claims = Claims::new(vec![ranges.clone().into(), sum.into()])?;
    let rows = BITS + 4 + norm.bits;
    let layout = Layout::new(rows, COLUMNS.into()).with_slot(&claims)?;
    let params = layout.goal(4).optimise()?.validate(Security::Required)?;
    let mut messages = vec![0; rows as usize * COLUMNS as usize];
    for (column, message) in messages.chunks_mut(rows as usize).enumerate() {
        let value = [42, 1, 0, 0, 0, 0, 0, 0][column];
        (0..8).for_each(|bit| message[bit] = value >> bit & 1);
        message[BITS as usize..][..4].copy_from_slice(&[1, -2, 3, -1]);
    }
    ranges.fill_slack(rows as usize, &mut messages)?;
    let a = PublicMatrix::new(&params, [1; 32]);
    let witness = layout.witness(&a, &messages, &Seed::from_os()?)?;
    let (a, statement) = commit(directory, "exact", &params, &witness)?;
    let (slot, seed) = (layout.slot(0)?, Seed::from_os()?);
    let done =
        Prover::new(&a, &statement)?.prove_claims(CONTEXT, &slot, &claims, &witness, &seed)?;
    fs::write(directory.join("exact.lzp"), done.proof)?;
    Ok(())
}

/// Eight ternary LWE keys: `keys`.
fn keys(directory: &Path) -> Result<(), Box<dyn Error>> {
    let params =
        Goal { key_hints: 1, ..Goal::new(1, 8) }.optimise()?.validate(Security::Required)?;
    let ternary = |rows: u32| (0..8 * rows).map(|i| (i % 3) as i8 - 1).collect::<Vec<i8>>();
    let (secrets, errors) = (ternary(params.v() - params.r()), ternary(params.r()));
    let witness = Witness::of_lwe(&params, &secrets, &errors)?;
    let (a, statement) = commit(directory, "keys", &params, &witness)?;
    let keys = ExactKeys::new(&a, &statement, KeyRanges::of(&params)?)?;
    let done = keys.prove(CONTEXT, &witness, &Seed::from_os()?)?;
    fs::write(directory.join("keys.lzp"), done.proof)?;
    Ok(())
}

/// Two factors of 2021: `circuit`.
fn circuit(directory: &Path) -> Result<(), Box<dyn Error>> {
    let mut builder = CircuitBuilder::new();
    let product = builder.public(Scalar::from(2021));
    let [x, y] = [43, 47].map(|factor| builder.secret(Scalar::from(factor)));
    builder.constrain(x, y, product);
    let (circuit, assignment) = builder.finish()?;
    let params = circuit.optimise()?.validate(Security::Required)?;
    let layout = circuit.layout(&params)?;
    let a = PublicMatrix::new(&params, [1; 32]);
    let witness = circuit.witness(&a, &assignment, &Seed::from_os()?)?;
    let (a, statement) = commit(directory, "circuit", &params, &witness)?;
    let (slot, seed) = (layout.slot(0)?, Seed::from_os()?);
    let claims: Claims = CircuitClaim::new(&circuit, &assignment.public)?.into();
    let done =
        Prover::new(&a, &statement)?.prove_claims(CONTEXT, &slot, &claims, &witness, &seed)?;
    fs::write(directory.join("circuit.lzp"), done.proof)?;
    Ok(())
}

/// The statement and the proof that a page offers to users without files: small, as S is Gaussian,
/// and the same in every build. Nothing is secret here.
fn sample(directory: &Path) -> Result<(), Box<dyn Error>> {
    let goal = Goal { masks: Masks::Narrow { log2_proofs: 0 }, ..Goal::new(1, 16) };
    let params = goal.optimise()?.validate(Security::Required)?;
    let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
    let (a, statement) = commit(directory, "sample", &params, &witness)?;
    let prover = Prover::new(&a, &statement)?.reproducible();
    let done = prover.prove(b"a sample", &witness, &Seed::from_bytes([3; 32]))?;
    fs::write(directory.join("sample.lzp"), done.proof)?;
    Ok(())
}
