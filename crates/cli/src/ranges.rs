//! The report on the claims that a proof shows.

use serde_json::Value;
use tautochrone_zk::argument::{Claim, Claims, Ranges, RowNorm, RowRange, Slot};

/// For people: each range, then each norm, then each fact.
#[must_use]
pub fn text(claims: &Claims) -> Vec<String> {
    let facts = claims.claims().iter().filter_map(|claim| match claim {
        Claim::Fact(fact) => Some(fact.to_string()),
        _ => None,
    });
    parts(claims).map(rows).chain(norms(claims).map(norm)).chain(facts).collect()
}

/// The same, with the columns of T that they are about.
#[must_use]
pub fn sentence(slot: &Slot, claims: &Claims) -> String {
    let (first, l) = (slot.layout().closed(), slot.layout().all_columns());
    format!("{}, in columns {first} to {} of T", text(claims).join(", "), l - 1)
}

fn parts(claims: &Claims) -> impl Iterator<Item = &RowRange> {
    ranges(claims).flat_map(Ranges::parts)
}

fn norms(claims: &Claims) -> impl Iterator<Item = &RowNorm> {
    ranges(claims).flat_map(Ranges::norms)
}

fn ranges(claims: &Claims) -> impl Iterator<Item = &Ranges> {
    claims.claims().iter().filter_map(|claim| match claim {
        Claim::Ranges(ranges) => Some(ranges),
        _ => None,
    })
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
pub fn json(claims: Option<&Claims>) -> (Value, Value) {
    let range = |&RowRange { first_row, rows, low, high }: &RowRange| serde_json::json!({ "first_row": first_row, "rows": rows, "low": low, "high": high });
    let norm = |&RowNorm { first_row, rows, bound_squared, first_bit, bits }: &RowNorm| {
        serde_json::json!({
            "first_row": first_row, "rows": rows, "bound_squared": bound_squared,
            "first_bit": first_bit, "bits": bits,
        })
    };
    let parts = claims.into_iter().flat_map(parts).map(range).collect();
    (parts, claims.into_iter().flat_map(norms).map(norm).collect())
}
