//! The verifier for JavaScript. Its documentation is in `package/README.md`, its types are those
//! that wasm-bindgen writes from here.
//!
//! There is one thread and no entropy. A panic or a lack of memory is a trap, which JavaScript sees
//! as a `WebAssembly.RuntimeError`; the instance must not be used any more then.

mod source;

use tautochrone_zk::{Expansion, PublicMatrix, Security, Verifier, VerifyError};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use source::{Reader, Source};

/// Largest statement, in bytes, that is held in memory: it is read and hashed once only.
const HELD: u64 = 64 << 20;

/// A statement, against which any number of proofs are checked.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Statement {
    inner: tautochrone_zk::Statement,
    matrix: PublicMatrix,
    file: Reader,
}

#[wasm_bindgen]
impl Statement {
    /// Reads a statement, by pieces: one above 64 MiB is not held but read again with every proof.
    ///
    /// Throws an Error if it is no statement, or cannot be read, or if its parameters are insecure,
    /// unless those are accepted: whoever wrote the statement chose them, and a proof for weak ones
    /// shows nothing.
    #[wasm_bindgen(constructor)]
    pub fn new(source: Source, accept_insecure: bool) -> Result<Self, JsError> {
        let file = Reader::new(source)?;
        let security = if accept_insecure { Security::Waived } else { Security::Required };
        let held = tautochrone_zk::ReadAt::len(&file) <= HELD;
        let read =
            if held { tautochrone_zk::Statement::load } else { tautochrone_zk::Statement::read };
        let inner = read(&file, security)?;
        let params = inner.params();
        if params.expansion() == Expansion::Given {
            return Err(JsError::new(
                "the statement is about a matrix A' of its own, which this program does not take",
            ));
        }
        let matrix = PublicMatrix::new(params, *inner.seed_a());
        Ok(Self { inner, matrix, file })
    }

    /// Checks a proof. Returns nothing if it is valid, or else why it is not: it then shows nothing
    /// about this statement in this context.
    ///
    /// context: what the proof was made for. Throws an Error if there is no verdict: these are no
    /// bytes of a proof, or the statement cannot be read any more.
    pub fn verify(&self, context: &[u8], proof: &[u8]) -> Result<Option<String>, JsError> {
        let verifier = Verifier::new(&self.matrix, &self.inner)?;
        match verifier.verify_streaming(context, &self.file, proof) {
            Ok(()) => Ok(None),
            Err(VerifyError::Invalid(reason)) => Ok(Some(reason.to_string())),
            Err(VerifyError::NoVerdict(error)) => Err(error.into()),
        }
    }

    /// How many bytes are read of a statement of `size` bytes to check `proofs` proofs: for showing
    /// progress.
    #[wasm_bindgen(js_name = bytesRead)]
    pub fn bytes_read(size: f64, proofs: u32) -> f64 {
        if size <= HELD as f64 { size } else { size * (1.0 + f64::from(proofs)) }
    }

    /// Version of the file format and of the protocol.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> u16 {
        self.inner.params().version().into()
    }

    /// Bits of security that are claimed: 128 or 256.
    #[wasm_bindgen(getter)]
    pub fn lambda(&self) -> u32 {
        self.inner.params().lambda()
    }

    /// log2 of the modulus.
    #[wasm_bindgen(getter)]
    pub fn w(&self) -> u32 {
        self.inner.params().w()
    }

    /// Rows of A and T.
    #[wasm_bindgen(getter)]
    pub fn r(&self) -> u32 {
        self.inner.params().r()
    }

    /// Columns of A, rows of S.
    #[wasm_bindgen(getter)]
    pub fn v(&self) -> u32 {
        self.inner.params().v()
    }

    /// Columns of S and T.
    #[wasm_bindgen(getter)]
    pub fn l(&self) -> f64 {
        self.inner.params().l() as f64
    }

    /// Bound on the entries of an honest prover's S.
    #[wasm_bindgen(getter)]
    pub fn b(&self) -> u32 {
        self.inner.params().b()
    }

    /// log2 of the norm 2 B that a valid proof shows for the columns of S.
    #[wasm_bindgen(getter, js_name = log2Norm)]
    pub fn log2_norm(&self) -> f64 {
        self.inner.params().estimate().log2_4b - 1.0
    }

    /// Bits of security of binding, that is of the claim: classical core-SVP.
    #[wasm_bindgen(getter, js_name = bindingBits)]
    pub fn binding_bits(&self) -> f64 {
        self.inner.params().estimate().sis.classical
    }

    /// Bits of security of hiding, that is of the secret, if all rows of S are secret and honest.
    #[wasm_bindgen(getter, js_name = hidingBits)]
    pub fn hiding_bits(&self) -> f64 {
        self.inner.params().estimate().hiding().classical
    }

    /// Bytes of the longest proof: a longer file is none.
    #[wasm_bindgen(getter, js_name = maxProofBytes)]
    pub fn max_proof_bytes(&self) -> f64 {
        self.inner.params().max_proof_bytes() as f64
    }
}
