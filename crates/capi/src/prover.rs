//! Provers: calls of `tautochrone-zk`.

use core::ffi::c_char;

use tautochrone_zk::{CustomParams, Params, Preset, Prover, PublicMatrix, Security, Seed, Witness};

use crate::memory;
use crate::proof::Parameters;
use crate::status::{Failure, Status, guard};
use crate::threads;

/// Writes the parameters of a preset to `out`: the lengths of everything that tautochrone_prove
/// takes and makes.
///
/// preset: the name of one, as "T4-128"; `columns`: the columns of S and T, or 0 for as many as the
/// preset has. TAUTOCHRONE_STATUS_PARAMETER, TAUTOCHRONE_STATUS_INSECURE: more columns than the
/// preset is secure for.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_preset_parameters(
    preset: *const c_char,
    columns: u64,
    out: *mut Parameters,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise; all-zero bytes are a `Parameters`.
        let out = unsafe { memory::output(out, 1, "out")? };
        // SAFETY: the caller's promise.
        out[0] = Parameters::of(&unsafe { parameters(preset, columns)? });
        Ok(())
    })
}

/// Makes a statement T = A S for a secret S, and a proof that its maker knows S, which shows
/// nothing else of it. The seed of A and all else that is random are the operating system's
/// entropy.
///
/// preset, columns: as of tautochrone_preset_parameters, which says how long everything is.
/// witness: S, v l entries in [-b, b], column after column. context: the purpose of the proof, any
/// bytes; null if context_len is 0. statement: exactly statement_bytes. proof: at least
/// max_proof_bytes: the first `written` are the proof, the others zero. No array may overlap
/// another. With an error, statement and proof are zeros or as they were. Constant time in the
/// witness, but for the number of attempts, which is independent of it. TAUTOCHRONE_STATUS_ENTROPY,
/// too. On all threads of RAYON_NUM_THREADS.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_prove(
    preset: *const c_char,
    columns: u64,
    witness: *const i8,
    witness_len: usize,
    context: *const u8,
    context_len: usize,
    statement: *mut u8,
    statement_len: usize,
    proof: *mut u8,
    proof_len: usize,
    written: *mut usize,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise, for all three.
        let (params, witness, context) = unsafe {
            (
                parameters(preset, columns)?,
                memory::input(witness, witness_len, "witness")?,
                memory::input(context, context_len, "context")?,
            )
        };
        expect("statement", statement_len, params.statement_bytes(), "")?;
        if (proof_len as u64) < params.max_proof_bytes() {
            expect("proof", proof_len, params.max_proof_bytes().into(), "at least ")?;
        }
        // Before the outputs become references: they may be nothing else's memory.
        let arrays = [
            (witness.as_ptr().cast(), witness_len, 1, "witness"),
            (context.as_ptr().cast(), context_len, 1, "context"),
            (statement.cast_const().cast(), statement_len, 1, "statement"),
            (proof.cast_const().cast(), proof_len, 1, "proof"),
            (written.cast_const().cast(), 1, size_of::<usize>(), "written"),
        ];
        for (i, one) in arrays.iter().enumerate() {
            arrays[..i].iter().try_for_each(|other| memory::disjoint(*one, *other))?;
        }

        // SAFETY: the caller's promise; the three are disjoint.
        let (statement, proof, written) = unsafe {
            (
                memory::output(statement, statement_len, "statement")?,
                memory::output(proof, proof_len, "proof")?,
                memory::output(written, 1, "written")?,
            )
        };

        let seed = Seed::from_os()?;
        let witness = Witness::new(&params, witness.to_vec())?;
        let mut seed_a = [0; 32];
        Seed::from_os()?
            .stream(tautochrone_ctr::Label::new("capi: seed of A"), 0)
            .fill(&mut seed_a);
        let (file, bytes) = threads::install(|| {
            let a = PublicMatrix::new(&params, seed_a);
            let mut file = Vec::with_capacity(statement_len);
            let made = a.commit_and_hold(&witness, &mut file)?;
            let proved = Prover::new(&a, &made)?.prove(context, &witness, &seed)?;
            Ok((file, proved.proof))
        })?;
        statement.copy_from_slice(&file);
        proof[..bytes.len()].copy_from_slice(&bytes);
        written[0] = bytes.len();
        Ok(())
    })
}

/// The parameters of a preset with so many columns, or its own if that is 0.
///
/// # Safety
/// As [`memory::string`], for `preset`.
unsafe fn parameters(preset: *const c_char, columns: u64) -> Result<Params, Failure> {
    // SAFETY: the caller's promise.
    let name = unsafe { memory::string(preset, "preset")? };
    let name = name.to_str().map_err(|_| Failure::parameter("preset is not UTF-8"))?;
    let custom = name.parse::<Preset>()?.custom();
    let l = if columns == 0 { custom.l } else { columns };
    Ok(CustomParams { l, ..custom }.validate(Security::Required)?)
}

fn expect(name: &str, got: usize, wanted: u128, least: &str) -> Result<(), Failure> {
    if got as u128 == wanted {
        return Ok(());
    }
    let message = format_args!("{name} has {got} bytes; expected {least}{wanted}");
    Err(Failure::new(Status::Array, message))
}
