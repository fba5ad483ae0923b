//! The verifier for JavaScript. Its documentation is in `package/README.md`, its types are those
//! that wasm-bindgen writes from here.
//!
//! There is one thread and no entropy. A panic or a lack of memory is a trap, which JavaScript sees
//! as a `WebAssembly.RuntimeError`; the instance must not be used any more then.

mod plan;
mod shown;
mod source;

use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use tautochrone_zk::{Error, Expansion, PublicMatrix, ReadAt, Requirement, Security, Verifier};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use shown::Shown;
use source::{Reader, Source};

/// Largest statement, in bytes, that is held in memory: it is read and hashed once only.
const MAX_IN_MEMORY: u64 = 64 << 20;

#[wasm_bindgen]
extern "C" {
    /// Sets a property of an object.
    #[wasm_bindgen(js_namespace = Reflect)]
    fn set(object: &JsValue, name: &str, value: &JsValue) -> bool;
}

/// The negative verdict.
fn invalid(reason: &str) -> JsValue {
    let error = JsError::new(reason).into();
    set(&error, "name", &"InvalidProof".into());
    error
}

/// A statement, against which any number of proofs are checked.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Statement {
    inner: tautochrone_zk::Statement,
    matrix: PublicMatrix,
    file: Reader,
    /// Whether the parameters are secure; always, unless insecure ones were accepted.
    #[wasm_bindgen(readonly)]
    pub secure: bool,
    /// Bits of security that are claimed: 128 or 256.
    #[wasm_bindgen(readonly)]
    pub lambda: u32,
    /// log2 of the modulus.
    #[wasm_bindgen(readonly)]
    pub w: u32,
    /// Rows of A and T.
    #[wasm_bindgen(readonly)]
    pub r: u32,
    /// Columns of A, rows of S.
    #[wasm_bindgen(readonly)]
    pub v: u32,
    /// Columns of S and T.
    #[wasm_bindgen(readonly)]
    pub l: f64,
    /// Bound on the entries of an honest prover's S.
    #[wasm_bindgen(readonly)]
    pub b: u32,
    /// log2 of the norm 2 B that a valid proof shows for the columns of S.
    #[wasm_bindgen(readonly, js_name = log2Norm)]
    pub log2_norm: f64,
    /// Bits of security of binding, that is of the claim: classical core-SVP.
    #[wasm_bindgen(readonly, js_name = bindingBits)]
    pub binding_bits: f64,
    /// Bits of security of hiding, that is of the secret, if all rows of S are secret and honest.
    #[wasm_bindgen(readonly, js_name = hidingBits)]
    pub hiding_bits: f64,
    /// Bytes of the longest proof of any kind: a longer file is none.
    #[wasm_bindgen(readonly, js_name = maxProofBytes)]
    pub max_proof_bytes: f64,
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
        let held = file.len() <= MAX_IN_MEMORY;
        let read =
            if held { tautochrone_zk::Statement::load } else { tautochrone_zk::Statement::read };
        let inner = read(&file, security)?;
        let params = inner.params();
        if params.expansion() == Expansion::Given {
            return Err(JsError::new(
                "the statement is about a matrix A' of its own, which this program does not take",
            ));
        }
        let (matrix, estimate) = (PublicMatrix::new(params, *inner.seed_a()), params.estimate());
        Ok(Self {
            secure: params.check_security().is_ok(),
            lambda: params.lambda(),
            w: params.w(),
            r: params.r(),
            v: params.v(),
            l: params.l() as f64,
            b: params.b(),
            log2_norm: estimate.log2_4b - 1.0,
            binding_bits: estimate.binding.classical,
            hiding_bits: estimate.hiding.classical,
            max_proof_bytes: params.max_file_bytes() as f64,
            inner,
            matrix,
            file,
        })
    }

    /// Checks a proof. Returns its claim if it is valid, and throws otherwise.
    ///
    /// context: what the proof was made for. require: what it has to show besides, texts as the
    /// program `verify` has them, such as "range:1024:0:1": whoever made a proof chose what it is
    /// about. Throws an Error of the name InvalidProof, whose message says why, if the proof shows
    /// nothing about this statement in this context, or is valid and does not show all that is
    /// required: then the error's `requirement` is the first that is not met. Another Error means
    /// that there is no verdict: these are no bytes of a proof, a requirement is none, the proof is
    /// about a circuit or public keys, or the statement cannot be read any more.
    pub fn verify(
        &self,
        context: &[u8],
        proof: &[u8],
        require: Option<Vec<String>>,
    ) -> Result<Shown, JsValue> {
        let require = require.unwrap_or_default();
        let required: Result<Vec<Requirement>, _> =
            require.iter().map(|text| text.parse()).collect();
        let required = required.map_err(JsError::from)?;
        let verifier = Verifier::new(&self.matrix, &self.inner).map_err(JsError::from)?;
        let shows = match verifier.with_file(&self.file).verify_file(context, proof, &[]) {
            Ok(shows) => shows,
            Err(Error::Invalid(reason)) => return Err(invalid(&reason.to_string())),
            Err(error) => return Err(JsError::from(error).into()),
        };
        if let Some(unmet) = required.iter().find(|required| !shows.meets(required)) {
            let error = invalid(&format!("it does not show {unmet}, but {shows}"));
            set(&error, "requirement", &unmet.to_string().into());
            return Err(error);
        }
        Ok(Shown::of(&shows, self.inner.params()).map_err(JsError::from)?)
    }

    /// SHA-256 of the statement's file in hexadecimal, as the program `sha256sum` has it; reads all
    /// of it once more.
    pub fn sha256(&self) -> Result<String, JsError> {
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        let mut at = 0;
        while at < self.file.len() {
            let next = (self.file.len() - at).min(buffer.len() as u64) as usize;
            self.file.read_at(at, &mut buffer[..next])?;
            hasher.update(&buffer[..next]);
            at += next as u64;
        }
        let mut text = String::new();
        for byte in hasher.finalize() {
            write!(text, "{byte:02x}")?;
        }
        Ok(text)
    }

    /// How many bytes are read of a statement of `size` bytes to check `proofs` proofs: for showing
    /// progress.
    #[wasm_bindgen(js_name = bytesRead)]
    pub fn bytes_read(size: f64, proofs: u32) -> f64 {
        if size <= MAX_IN_MEMORY as f64 { size } else { size * (1.0 + f64::from(proofs)) }
    }
}
