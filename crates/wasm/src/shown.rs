//! [`Shown`]: the claim of a valid proof, for JavaScript.

use tautochrone_zk::argument::Claim;
use tautochrone_zk::{Error, Params, Requirement, Security, Shows};
use tautochrone_zk_params::keys::Extended;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::set;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * The claim of a valid proof. Its author knew, for every column t of T, an integer vector s with A
 * s = t modulo 2^w and a norm of at most 2^log2Norm; and exactly, the claim of `text`. It is
 * frozen.
 */
export interface Shown {
    /** The kind of the proof: of knowledge alone, of claims about messages, of well formed keys. */
    readonly kind: "knowledge" | "claims" | "keys";
    /** The claim in one sentence. */
    readonly text: string;
    /** Requirements that it meets, as `verify` takes them; sums and openings meet none. */
    readonly requirements: readonly string[];
    /** Columns of T. */
    readonly columns: number;
    /** The first of them that the claim is about; the columns in front of it mask the proof. */
    readonly firstColumn: number;
    /** log2 of the modulus. */
    readonly w: number;
    /** log2 of the norm 2 B. */
    readonly log2Norm: number;
    /** Bits of security of this claim: classical core-SVP. */
    readonly bindingBits: number;
    /** Bits of security of the secret, if the rest of S is secret and honest. */
    readonly hidingBits: number;
    /** Whether all parameters are secure; always, unless insecure ones were accepted. */
    readonly secure: boolean;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// An object with the fields of the interface above.
    #[wasm_bindgen(typescript_type = "Shown")]
    pub type Shown;

    #[wasm_bindgen(constructor, js_class = "Object")]
    fn new() -> Shown;
    #[wasm_bindgen(js_namespace = Object)]
    fn freeze(object: Shown) -> Shown;
    #[wasm_bindgen(js_namespace = Object, js_name = freeze)]
    fn freeze_texts(texts: Vec<String>) -> JsValue;
}

impl Shown {
    /// The claims of a proof about this statement that is valid.
    pub(crate) fn of(shows: &Shows, params: &Params) -> Result<Self, Error> {
        let estimate = params.estimate();
        let mut secure = params.check_security().is_ok();
        let (mut first_column, mut log2_4b) = (0, estimate.log2_4b);
        let (kind, binding, hiding) = match shows {
            Shows::Claims(slot, _) => {
                let layout = slot.layout();
                first_column = layout.closed();
                // A verifier is told how well messages are hidden, not refused.
                let waived = params.clone().judged(Security::Waived)?;
                ("claims", estimate.binding, layout.hiding(&waived)?)
            }
            Shows::Keys(claim) => {
                let keys = Extended::of(params, claim, Security::Waived)?;
                secure &=
                    keys.params.check_security().is_ok() && keys.require_hiding(claim).is_ok();
                let estimate = keys.estimate(claim);
                log2_4b = estimate.log2_4b;
                ("keys", estimate.binding, estimate.hiding_with_hints)
            }
            _ => ("knowledge", estimate.binding, estimate.hiding),
        };
        let required = requirements(shows).iter().map(ToString::to_string).collect();
        let fields: [(&str, JsValue); 10] = [
            ("kind", kind.into()),
            ("text", shows.to_string().into()),
            ("requirements", freeze_texts(required)),
            ("columns", (params.l() as f64).into()),
            ("firstColumn", (first_column as f64).into()),
            ("w", params.w().into()),
            ("log2Norm", (log2_4b - 1.0).into()),
            ("bindingBits", binding.classical.into()),
            ("hidingBits", hiding.classical.into()),
            ("secure", secure.into()),
        ];
        let object = Self::new();
        for (name, value) in &fields {
            set(&object, name, value);
        }
        Ok(freeze(object))
    }
}

/// The tightest requirements that a claim meets.
fn requirements(shows: &Shows) -> Vec<Requirement> {
    match shows {
        Shows::Keys(keys) => vec![keys.into()],
        Shows::Claims(slot, claims) => {
            let ranges = claims.claims().iter().filter_map(|claim| match claim {
                Claim::Ranges(ranges) => Some(ranges),
                _ => None,
            });
            let of = |required: Requirement| required.of_columns(slot.layout().columns());
            ranges
                .flat_map(|ranges| {
                    let parts = ranges.parts().iter().map(move |&part| of(part.into()));
                    parts.chain(ranges.norms().iter().map(move |&norm| of(norm.into())))
                })
                .collect()
        }
        _ => Vec::new(),
    }
}
