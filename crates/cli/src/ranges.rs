//! What is said of the ranges and norms that a proof shows.

use serde_json::Value;
use tautochrone_zk::argument::{Ranges, RowNorm, RowRange};

/// For people: each range, then each norm.
#[must_use]
pub fn text(ranges: &Ranges) -> Vec<String> {
    ranges.parts().iter().map(rows).chain(ranges.norms().iter().map(norm)).collect()
}

fn rows(&RowRange { first_row, rows, low, high }: &RowRange) -> String {
    format!("rows {first_row} to {} in [{low}, {high}]", first_row + (rows - 1))
}

fn norm(norm: &RowNorm) -> String {
    let &RowNorm { first_row, rows, bound_squared, first_bit, bits } = norm;
    let last = first_row + (rows - 1);
    let bound = (bound_squared as f64).sqrt();
    if bits == 0 {
        return format!("rows {first_row} to {last} of norm {bound:.1} (squared: {bound_squared})");
    }
    let end = first_bit + (bits - 1);
    format!(
        "rows {first_row} to {last} of norm at most {bound:.1} (squared: {bound_squared}; the rest in rows {first_bit} to {end})"
    )
}

/// For scripts: the ranges, and the norms; both are empty where there is no claim.
#[must_use]
pub fn json(ranges: Option<&Ranges>) -> (Value, Value) {
    let range = |&RowRange { first_row, rows, low, high }: &RowRange| serde_json::json!({ "first_row": first_row, "rows": rows, "low": low, "high": high });
    let norm = |&RowNorm { first_row, rows, bound_squared, first_bit, bits }: &RowNorm| {
        serde_json::json!({
            "first_row": first_row, "rows": rows, "bound_squared": bound_squared,
            "first_bit": first_bit, "bits": bits,
        })
    };
    let parts = ranges.into_iter().flat_map(Ranges::parts).map(range).collect();
    (parts, ranges.into_iter().flat_map(Ranges::norms).map(norm).collect())
}
