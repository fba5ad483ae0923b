//! The report on the ranges and norms that a proof shows, for scripts.

use serde_json::{Value, json};
use tautochrone_zk::Shows;
use tautochrone_zk::argument::{Claim, Claims, Ranges, RowNorm, RowRange};

/// The claims of a proof: `ranges` and `norms`, which are empty where there is no claim, and the
/// first column that they are about.
#[must_use]
pub fn json(shows: &Shows) -> Value {
    let Shows::Claims(slot, claims) = shows else { return json!({ "ranges": [], "norms": [] }) };
    let range = |&RowRange { first_row, rows, low, high }: &RowRange| json!({ "first_row": first_row, "rows": rows, "low": low, "high": high });
    let norm = |&RowNorm { first_row, rows, bound_squared, first_bit, bits }: &RowNorm| {
        json!({
            "first_row": first_row, "rows": rows, "bound_squared": bound_squared,
            "first_bit": first_bit, "bits": bits,
        })
    };
    let ranges: Vec<Value> = ranges(claims).flat_map(Ranges::parts).map(range).collect();
    let norms: Vec<Value> = self::ranges(claims).flat_map(Ranges::norms).map(norm).collect();
    json!({ "ranges": ranges, "norms": norms, "first_column": slot.layout().closed() })
}

fn ranges(claims: &Claims) -> impl Iterator<Item = &Ranges> {
    claims.claims().iter().filter_map(|claim| match claim {
        Claim::Ranges(ranges) => Some(ranges),
        _ => None,
    })
}
