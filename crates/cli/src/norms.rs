//! What is said of the norms that a proof shows.

use tautochrone_zk::argument::RowNorm;

/// For people.
#[must_use]
pub fn text(norm: &RowNorm) -> String {
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

/// For scripts.
#[must_use]
pub fn json(norm: &RowNorm) -> serde_json::Value {
    let &RowNorm { first_row, rows, bound_squared, first_bit, bits } = norm;
    serde_json::json!({
        "first_row": first_row, "rows": rows, "bound_squared": bound_squared,
        "first_bit": first_bit, "bits": bits,
    })
}
