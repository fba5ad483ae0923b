//! Checks of proofs: calls of `tautochrone-zk`.

use core::ffi::{CStr, c_char};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use tautochrone_zk::{
    self as zk, Expansion, FileSource, Params, PublicMatrix, ReadAt as _, Requirement, Security,
};

use crate::memory;
use crate::status::{Failure, Status, Verdict, guard, shield};
use crate::threads;

/// A flag: go on although a statement's parameters are insecure. Whoever wrote the statement chose
/// them, and a proof then shows little or nothing.
pub const ACCEPT_INSECURE: u32 = 1;

/// Largest statement file, in bytes, that is held in memory: it is read and hashed once only.
const MAX_IN_MEMORY: u64 = 64 << 20;

/// A statement, against which any number of proofs are checked. It does not change: threads may
/// share it.
#[derive(Debug)]
pub struct Statement {
    inner: zk::Statement,
    matrix: PublicMatrix,
    /// Where T is read from, if it is not held.
    file: Option<FileSource>,
}

const _: () = {
    const fn shared<T: Sync>() {}
    shared::<Statement>();
};

/// The parameters of a statement T = A S modulo 2^w, and their security.
#[repr(C)]
#[derive(Debug)]
pub struct Parameters {
    /// Bits of security that are claimed: 128 or 256.
    pub lambda: u32,
    /// log2 of the modulus.
    pub w: u32,
    /// Rows of A and T.
    pub r: u32,
    /// Columns of A, rows of S.
    pub v: u32,
    /// Columns of S and T.
    pub l: u64,
    /// Bound on the entries of an honest prover's S.
    pub b: u32,
    /// Bits rounded off T.
    pub round_t: u32,
    /// log2 of the norm 2 B that a valid proof shows for the columns of S.
    pub log2_norm: f64,
    /// Bits of security of binding, that is of the claim: classical core-SVP.
    pub binding_bits: f64,
    /// Bits of security of hiding, that is of the secret, if all rows of S are secret and honest.
    pub hiding_bits: f64,
    /// Bytes of the longest proof.
    pub max_proof_bytes: u64,
    /// Bytes of the statement's file.
    pub statement_bytes: u64,
}

impl Parameters {
    pub(crate) fn of(params: &Params) -> Self {
        let estimate = params.estimate();
        Self {
            lambda: params.lambda(),
            w: params.w(),
            r: params.r(),
            v: params.v(),
            l: params.l(),
            b: params.b(),
            round_t: params.round_t(),
            log2_norm: estimate.log2_4b - 1.0,
            binding_bits: estimate.binding.classical,
            hiding_bits: estimate.hiding.classical,
            max_proof_bytes: params.max_proof_bytes(),
            statement_bytes: u64::try_from(params.statement_bytes()).unwrap_or(u64::MAX),
        }
    }
}

/// Reads a statement from memory, and puts a handle of it at `out`. The bytes are not needed any
/// more afterwards.
///
/// flags: 0 or TAUTOCHRONE_ACCEPT_INSECURE. TAUTOCHRONE_STATUS_MALFORMED,
/// TAUTOCHRONE_STATUS_INSECURE. Memory is allocated in proportion to the statement, except for A:
/// at most 2 GiB, and as much once more where it is packed for products. A lack of memory ends the
/// process.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_statement_new(
    bytes: *const u8,
    len: usize,
    flags: u32,
    out: *mut *mut Statement,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        unsafe {
            memory::create(out, || {
                let bytes = memory::input(bytes, len, "bytes")?;
                let security = security(flags)?;
                threads::install(|| Statement::new(zk::Statement::load(&bytes, security)?, None))
            })
        }
    })
}

/// Opens and reads a statement file, and puts a handle of it at `out`.
///
/// A file above 64 MiB does not stay in memory but is read again, block by block, with every proof;
/// it is an error if it has changed. flags: as of tautochrone_statement_new. TAUTOCHRONE_STATUS_IO,
/// too.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_statement_open(
    path: *const c_char,
    flags: u32,
    out: *mut *mut Statement,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        unsafe {
            memory::create(out, || {
                let path = memory::string(path, "path")?;
                let security = security(flags)?;
                let file = open(path)?;
                let file = FileSource::new(file).map_err(about(path))?;
                threads::install(|| {
                    if file.len() <= MAX_IN_MEMORY {
                        Statement::new(zk::Statement::load(&file, security)?, None)
                    } else {
                        Statement::new(zk::Statement::read(&file, security)?, Some(file))
                    }
                })
            })
        }
    })
}

/// Frees a statement. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tautochrone_statement_free(statement: *mut Statement) {
    // SAFETY: the caller's promise.
    shield((), || unsafe { memory::free(statement) });
}

/// Writes the statement's parameters and their security to `out`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_statement_parameters(
    statement: *const Statement,
    out: *mut Parameters,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise; all-zero bytes are a `Parameters`.
        let (statement, out) =
            unsafe { (memory::reference(statement, "statement")?, memory::output(out, 1, "out")?) };
        out[0] = Parameters::of(statement.inner.params());
        Ok(())
    })
}

/// Checks a proof in memory.
///
/// context: the purpose that the proof was made for, any bytes; null if context_len is 0. A valid
/// proof shows that its author knew, for every column t of T, an integer vector s with A s = t
/// modulo 2^w and a norm of at most 2 B (see log2_norm). On all threads of RAYON_NUM_THREADS.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_statement_verify(
    statement: *const Statement,
    context: *const u8,
    context_len: usize,
    proof: *const u8,
    proof_len: usize,
) -> Verdict {
    let status = guard(|| {
        // SAFETY: the caller's promise, for all three.
        let (statement, context, proof) = unsafe {
            (
                memory::reference(statement, "statement")?,
                memory::input(context, context_len, "context")?,
                memory::input(proof, proof_len, "proof")?,
            )
        };
        statement.verify(context, proof, &[])
    });
    Verdict { status }
}

/// As tautochrone_statement_verify, and checks that the proof shows everything that is required: a
/// proof says itself what it shows, and its maker chose that.
///
/// require: requirements as the program `verify` takes them, separated by spaces, for example
/// "range:1024:0:1", "norm:1024:15476" or "exact-keys:1:1". TAUTOCHRONE_STATUS_INVALID, too, if a
/// valid proof shows less; TAUTOCHRONE_STATUS_PARAMETER if one is no requirement, or there is none.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_statement_verify_requiring(
    statement: *const Statement,
    context: *const u8,
    context_len: usize,
    require: *const c_char,
    proof: *const u8,
    proof_len: usize,
) -> Verdict {
    let status = guard(|| {
        // SAFETY: the caller's promise, for all four.
        let (statement, context, require, proof) = unsafe {
            (
                memory::reference(statement, "statement")?,
                memory::input(context, context_len, "context")?,
                memory::string(require, "require")?,
                memory::input(proof, proof_len, "proof")?,
            )
        };
        // Neither an empty text is a requirement, nor one that is not UTF-8.
        let text = require.to_str().unwrap_or_default();
        let required: Result<Vec<_>, _> = match text.trim_ascii() {
            "" => text.parse().map(|required| vec![required]),
            text => text.split_whitespace().map(str::parse).collect(),
        };
        let required = required?;
        statement.verify(context, proof, &required)
    });
    Verdict { status }
}

/// As tautochrone_statement_verify, of a proof file.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_statement_verify_file(
    statement: *const Statement,
    context: *const u8,
    context_len: usize,
    path: *const c_char,
) -> Verdict {
    let status = guard(|| {
        // SAFETY: the caller's promise, for all three.
        let (statement, context, path) = unsafe {
            (
                memory::reference(statement, "statement")?,
                memory::input(context, context_len, "context")?,
                memory::string(path, "path")?,
            )
        };
        // One byte more than any proof of this statement tells that a file is none.
        let params = statement.inner.params();
        let most = params.max_file_bytes() + 1;
        let mut proof = Vec::new();
        open(path)?.take(most).read_to_end(&mut proof).map_err(about(path))?;
        statement.verify(context, &proof, &[])
    });
    Verdict { status }
}

impl Statement {
    fn new(statement: zk::Statement, file: Option<FileSource>) -> Result<Self, Failure> {
        let params = statement.params();
        if params.expansion() == Expansion::Given {
            return Err(Failure::parameter(
                "the statement is about a matrix A' of its own, which this library does not take",
            ));
        }
        let matrix = PublicMatrix::new(params, *statement.seed_a());
        Ok(Self { inner: statement, matrix, file })
    }

    fn verify(
        &self,
        context: &[u8],
        proof: &[u8],
        required: &[Requirement],
    ) -> Result<(), Failure> {
        threads::install(|| {
            let mut verifier = zk::Verifier::new(&self.matrix, &self.inner)?;
            if let Some(file) = &self.file {
                verifier = verifier.with_file(file);
            }
            verifier.verify_file(context, proof, required)?;
            Ok(())
        })
    }
}

fn security(flags: u32) -> Result<Security, Failure> {
    match flags {
        0 => Ok(Security::Required),
        ACCEPT_INSECURE => Ok(Security::Waived),
        _ => Err(Failure::parameter(format_args!(
            "flags are {flags}; expected 0 or {ACCEPT_INSECURE} (accept insecure parameters)"
        ))),
    }
}

fn open(path: &CStr) -> Result<File, Failure> {
    File::open(path_of(path)?).map_err(about(path))
}

fn about(path: &CStr) -> impl Fn(std::io::Error) -> Failure {
    move |e| Failure::new(Status::Io, format_args!("{}: {e}", path.to_string_lossy()))
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "elsewhere a path may fail")]
fn path_of(path: &CStr) -> Result<PathBuf, Failure> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(path.to_bytes()).into())
}

#[cfg(not(unix))]
fn path_of(path: &CStr) -> Result<PathBuf, Failure> {
    path.to_str().map(Into::into).map_err(|_| Failure::parameter("path is not UTF-8"))
}
