//! The verifier for JavaScript. Its documentation is in `package/README.md`, its types are those
//! that wasm-bindgen writes from here.
//!
//! There is one thread and no entropy. A panic or a lack of memory is a trap, which JavaScript sees
//! as a `WebAssembly.RuntimeError`; the instance must not be used any more then.

mod source;

use tautochrone_zk::{Expansion, PublicMatrix, Requirement, Security, Verifier, VerifyError};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use source::{Reader, Source};

/// Largest statement, in bytes, that is held in memory: it is read and hashed once only.
const MAX_IN_MEMORY: u64 = 64 << 20;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/**
 * What a valid proof shows: that its author knew, for every column t of T, an integer vector s with
 * A s = t modulo 2^w and a norm of at most 2^log2Norm. It is frozen.
 */
export interface Shown {
    /** Columns of T. */
    readonly columns: number;
    /** log2 of the modulus. */
    readonly w: number;
    /** log2 of the norm 2 B. */
    readonly log2Norm: number;
    /** Bits of security of this claim: classical core-SVP. */
    readonly bindingBits: number;
}
";

#[wasm_bindgen]
extern "C" {
    /// An object with the fields of the interface above.
    #[wasm_bindgen(typescript_type = "Shown")]
    pub type Shown;

    #[wasm_bindgen(constructor, js_class = "Object")]
    fn new() -> Shown;
    #[wasm_bindgen(method, setter)]
    fn set_columns(this: &Shown, columns: f64);
    #[wasm_bindgen(method, setter)]
    fn set_w(this: &Shown, w: u32);
    #[wasm_bindgen(method, setter, js_name = log2Norm)]
    fn set_log2_norm(this: &Shown, log2_norm: f64);
    #[wasm_bindgen(method, setter, js_name = bindingBits)]
    fn set_binding_bits(this: &Shown, bits: f64);
    #[wasm_bindgen(js_namespace = Object)]
    fn freeze(object: Shown) -> Shown;

    /// An error that has a name.
    type Named;

    #[wasm_bindgen(constructor, js_class = "Error")]
    fn new(message: &str) -> Named;
    #[wasm_bindgen(method, setter)]
    fn set_name(this: &Named, name: &str);
}

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
        let held = tautochrone_zk::ReadAt::len(&file) <= MAX_IN_MEMORY;
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

    /// Checks a proof. Returns what it shows if it is valid, and throws otherwise.
    ///
    /// context: what the proof was made for. require: what it has to show besides, texts as the program
    /// `verify` has them, such as "range:1024:0:1": whoever made a proof chose what it is about. Throws
    /// an Error of the name InvalidProof, whose message says why, if the proof shows nothing about this
    /// statement in this context, or not what is required; another Error if there is no verdict: these
    /// are no bytes of a proof, a requirement is none, or the statement cannot be read any more.
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
        match verifier.verify_requiring(context, Some(&self.file), proof, &required) {
            Ok(_) => Ok(self.shown()),
            Err(VerifyError::Invalid(reason)) => {
                let error = Named::new(&reason.to_string());
                error.set_name("InvalidProof");
                Err(error.into())
            }
            Err(VerifyError::NoVerdict(error)) => Err(JsError::from(error).into()),
        }
    }

    fn shown(&self) -> Shown {
        let shown = Shown::new();
        shown.set_columns(self.l());
        shown.set_w(self.w());
        shown.set_log2_norm(self.log2_norm());
        shown.set_binding_bits(self.binding_bits());
        freeze(shown)
    }

    /// How many bytes are read of a statement of `size` bytes to check `proofs` proofs: for showing
    /// progress.
    #[wasm_bindgen(js_name = bytesRead)]
    pub fn bytes_read(size: f64, proofs: u32) -> f64 {
        if size <= MAX_IN_MEMORY as f64 { size } else { size * (1.0 + f64::from(proofs)) }
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
