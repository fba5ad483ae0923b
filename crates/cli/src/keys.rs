//! The report on keys that are well formed, exactly.

use tautochrone_zk::Estimate;
use tautochrone_zk::argument::KeyRanges;

/// Their security once the proof is published.
#[must_use]
pub fn hiding(claim: &KeyRanges, estimate: &Estimate) -> String {
    let hints = match claim.hints() {
        1 => "1 hint".to_owned(),
        hints => format!("{hints} hints"),
    };
    let [with, without] =
        [estimate.hiding_with_hints, estimate.hiding].map(|hardness| hardness.classical);
    format!("hiding {with:.1} bits if LWE is hard with {hints} a key known ({without:.1} without)")
}

/// For scripts.
#[must_use]
pub fn json(claim: &KeyRanges, estimate: &Estimate) -> serde_json::Value {
    serde_json::json!({
        "secret_bound": claim.secret_bound(), "error_bound": claim.error_bound(),
        "hints": claim.hints(), "binding_bits": estimate.binding.classical,
        "hiding_bits_with_hints": estimate.hiding_with_hints.classical,
    })
}
