//! [`Plan`]: the smallest parameters for a purpose, and their price.

use std::borrow::Cow;
use std::sync::Arc;

use tautochrone_zk::argument::{
    Claims, Coefficient, Family, FamilyShape, InstanceErrors, KeyRanges, Layout, Ranges, Relation,
    RowRange, Structure, UnknownPart,
};
use tautochrone_zk::{
    CustomParams, Error, Estimate, Goal, Hardness, Masks, Params, Preset, Security,
};
use tautochrone_zk_params::keys::Extended;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

// Rates of one thread of an AMD Zen 4 with AVX-512; docs/browser.md has their records.

/// Products a second of words of up to 32 bits, and of longer ones.
const PRODUCTS: [f64; 2] = [48.7e9, 21.7e9];
/// Products a second of A' S, with entries of -1, 0 and 1, and of a byte.
const COMMITTED: [f64; 2] = [80e9, 43e9];
/// Sums a second of T C, by a prover and by a verifier.
const CHALLENGED: [f64; 2] = [65e9, 80e9];
/// Seconds that a prover takes for an entry of S.
const ENTRY: f64 = 1.64e-9;
/// Seconds for an entry of messages, besides the claim that it is in a range.
const MESSAGE: f64 = 2.4e-9;
/// Seconds for the claim, by the most integers in the range.
const CLAIMED: [(i32, f64); 3] = [(2, 6.3e-9), (3, 10.3e-9), (5, 21.6e-9)];
/// Seconds for anything about public keys; for a secret or a carry of theirs, to prove and to
/// check.
const KEYS: [f64; 3] = [0.115, 253e-9, 40e-9];

/// The smallest secure parameters for a purpose, and what statement and proof cost under them.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Plan {
    /// log2 of the modulus.
    #[wasm_bindgen(readonly)]
    pub w: u32,
    /// Rows of A and T.
    #[wasm_bindgen(readonly)]
    pub r: u32,
    /// Columns of A, rows of S.
    #[wasm_bindgen(readonly)]
    pub v: u32,
    /// Columns of S and T, with the columns that mask a proof.
    #[wasm_bindgen(readonly)]
    pub l: f64,
    /// Attempts that a proof takes in the mean.
    #[wasm_bindgen(readonly)]
    pub attempts: f64,
    /// log2 of the norm 2 B that a valid proof shows for the columns of S.
    #[wasm_bindgen(readonly, js_name = log2Norm)]
    pub log2_norm: f64,
    /// Bits of security of the claim: classical core-SVP.
    #[wasm_bindgen(readonly, js_name = bindingBits)]
    pub binding_bits: f64,
    /// Bits of security of the secret.
    #[wasm_bindgen(readonly, js_name = hidingBits)]
    pub hiding_bits: f64,
    /// Bytes of the statement, that is of T.
    #[wasm_bindgen(readonly, js_name = statementBytes)]
    pub statement_bytes: f64,
    /// Bytes of a proof, on average.
    #[wasm_bindgen(readonly, js_name = proofBytes)]
    pub proof_bytes: f64,
    /// Seconds that T, a proof and its check take, on one thread of an AMD Zen 4 with AVX-512; none
    /// where nothing was measured.
    #[wasm_bindgen(readonly, getter_with_clone)]
    pub seconds: Option<Vec<f64>>,
}

/// A whole number of JavaScript.
fn whole(name: &'static str, number: f64) -> Result<u64, JsError> {
    if number.fract() == 0.0 && (1.0..=9_007_199_254_740_992.0).contains(&number) {
        return Ok(number as u64);
    }
    Err(JsError::new(&format!("{name}: expected a whole number from 1 on")))
}

#[wasm_bindgen]
impl Plan {
    /// A proof with a preset: knowledge of all columns of S, of so many, or as many as the preset
    /// is for.
    pub fn preset(name: &str, columns: Option<f64>) -> Result<Self, JsError> {
        let preset: Preset = name.parse()?;
        let custom = match columns {
            Some(columns) => preset.for_columns(whole("columns", columns)?),
            None => preset.custom(),
        };
        Ok(Self::of_knowledge(custom)?)
    }

    /// Knowledge of so many columns with entries up to a bound; T is published whole, or rounded.
    pub fn knowledge(columns: f64, bound: u32, whole_t: bool) -> Result<Self, JsError> {
        let goal = Goal { whole_t, ..Goal::new(bound, whole("columns", columns)?) };
        Ok(Self::of_knowledge(goal.optimise()?)?)
    }

    /// Knowledge of Gaussian columns, in at most 2^log2Proofs proofs about one of them.
    pub fn gaussian(
        columns: f64,
        #[wasm_bindgen(js_name = log2Proofs)] log2_proofs: u32,
    ) -> Result<Self, JsError> {
        let masks = Masks::Narrow { log2_proofs };
        let goal = Goal { masks, ..Goal::new(1, whole("columns", columns)?) };
        Ok(Self::of_knowledge(goal.optimise()?)?)
    }

    /// The claim that all entries of so many committed rows and columns are in a range, exactly.
    pub fn ranges(rows: u32, columns: f64, low: i32, high: i32) -> Result<Self, JsError> {
        let columns = whole("columns", columns)?;
        let ranges = Ranges::new(vec![RowRange { first_row: 0, rows, low, high }])?;
        let claims = Claims::from(ranges);
        let layout = Layout::new(rows, columns).with_slot(&claims)?;
        let bound = low.unsigned_abs().max(high.unsigned_abs());
        let params = layout.goal(bound).optimise()?.validate(Security::Required)?;
        let claimed = CLAIMED.iter().find(|(integers, _)| high - low < *integers);
        let entries = f64::from(rows) * columns as f64;
        let [commit, prove, check] = seconds(&params);
        let seconds =
            claimed.map(|(_, entry)| [commit, prove + entries * (MESSAGE + entry), check]);
        Ok(Self::of_claims(&params, &layout, &claims, seconds)?)
    }

    /// The claim that so many LWE keys, columns of T, have secrets and errors up to a bound,
    /// exactly.
    pub fn keys(keys: f64, bound: u32) -> Result<Self, JsError> {
        let goal = Goal { key_hints: 1, ..Goal::new(bound, whole("keys", keys)?) };
        let params = goal.optimise()?.validate(Security::Required)?;
        let claim = KeyRanges::new(bound, bound)?;
        let extended = Extended::of(&params, &claim, Security::Required)?;
        let estimate = extended.estimate(&claim);
        let bytes = extended.expected_proof_bytes();
        Ok(Self::new(&params, &estimate, estimate.hiding_with_hints, bytes, None))
    }

    /// The claim that somebody has the secrets of so many keys of ML-KEM-512, 768 or 1024, exactly.
    #[wasm_bindgen(js_name = mlKem)]
    pub fn ml_kem(set: u32, keys: f64) -> Result<Self, JsError> {
        let keys = MlKem::new(set, whole("keys", keys)?)?;
        let unknowns = (keys.shape.unknowns_len() + keys.shape.equations_len()) as f64;
        let unknowns = unknowns * keys.number as f64;
        let (relation, custom) = Relation::optimise(Arc::new(keys), 0)?;
        let params = custom.validate(Security::Required)?;
        let layout = relation.layout()?;
        let ([start, prove, check], [_, _, plain]) = (KEYS, seconds(&params));
        // Commitments are among what was measured.
        let seconds = [0.0, start + prove * unknowns, plain.max(start / 8.0 + check * unknowns)];
        Ok(Self::of_claims(&params, &layout, &Claims::from(relation), Some(seconds))?)
    }
}

impl Plan {
    fn new(
        params: &Params,
        estimate: &Estimate,
        hiding: Hardness,
        proof_bytes: u64,
        seconds: Option<[f64; 3]>,
    ) -> Self {
        Self {
            w: params.w(),
            r: params.r(),
            v: params.v(),
            l: params.l() as f64,
            attempts: f64::from(params.rho()),
            log2_norm: estimate.log2_4b - 1.0,
            binding_bits: estimate.binding.classical,
            hiding_bits: hiding.classical,
            statement_bytes: params.statement_bytes() as f64,
            proof_bytes: proof_bytes as f64,
            seconds: seconds.map(Into::into),
        }
    }

    fn of_knowledge(custom: CustomParams) -> Result<Self, Error> {
        let params = custom.validate(Security::Required)?;
        let (estimate, bytes) = (params.estimate(), params.expected_proof_bytes());
        Ok(Self::new(&params, &estimate, estimate.hiding, bytes, Some(seconds(&params))))
    }

    fn of_claims(
        params: &Params,
        layout: &Layout,
        claims: &Claims,
        seconds: Option<[f64; 3]>,
    ) -> Result<Self, Error> {
        let bytes = claims.expected_proof_bytes(params, &layout.slot(0)?);
        Ok(Self::new(params, &params.estimate(), layout.hiding(params)?, bytes, seconds))
    }
}

/// The seconds of a plain proof: T = A S; A Y in every attempt, T C for the hints, and all else
/// that reads S; A Z and T C.
fn seconds(params: &Params) -> [f64; 3] {
    let [rows, secrets, challenges] =
        [params.r(), params.v() - params.r(), params.n()].map(f64::from);
    let columns = params.l() as f64;
    let product = rows * secrets * challenges / PRODUCTS[usize::from(params.w() > 32)];
    let [prover, verifier] = CHALLENGED.map(|rate| rows * columns * challenges / rate);
    let commit = rows * secrets * columns / COMMITTED[usize::from(params.b() > 1)];
    let entries = f64::from(params.v()) * columns;
    let prove = f64::from(params.rho()) * product + prover + entries * ENTRY;
    [commit, prove, product + verifier]
}

/// A list is hashed, key by key.
const MAX_KEYS: u64 = 1 << 20;

/// Keys of which nothing is known but how many they are, and of which set.
struct MlKem {
    shape: FamilyShape,
    number: u64,
}

impl MlKem {
    /// FIPS 203: k and eta_1.
    fn new(set: u32, number: u64) -> Result<Self, JsError> {
        let (name, rank, bound) = match set {
            512 => ("ML-KEM-512", 2, 3),
            768 => ("ML-KEM-768", 3, 2),
            1024 => ("ML-KEM-1024", 4, 2),
            _ => return Err(JsError::new("set: expected 512, 768 or 1024")),
        };
        if number > MAX_KEYS {
            return Err(JsError::new("keys: expected at most 2^20"));
        }
        let (low, high) = (-bound, bound);
        let variance = 500_000 * u64::from(i32::unsigned_abs(bound));
        let secrets = UnknownPart { blocks: rank, low, high, is_shown: true, variance };
        let shape = FamilyShape {
            name,
            n: 256,
            parts: vec![secrets],
            moduli: vec![3329; rank as usize],
            errors: InstanceErrors::NotCommitted { low, high, structure: Structure::Ring },
        };
        Ok(Self { shape, number })
    }
}

impl Family for MlKem {
    fn shape(&self) -> FamilyShape {
        self.shape.clone()
    }

    fn instances(&self) -> u64 {
        self.number
    }

    fn encoding(&self, _: u64) -> Cow<'_, [u8]> {
        Cow::Borrowed(&[])
    }

    fn target(&self, _: u64, _: usize, out: &mut [i128]) {
        out.fill(0);
    }

    fn row(&self, _: u64, _: usize, _: &mut dyn FnMut(usize, Coefficient<'_>)) {}
}
