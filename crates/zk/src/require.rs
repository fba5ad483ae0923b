//! [`Requirement`]: what a relying party wants a valid proof to show.

use core::fmt;
use core::ops::Range;
use core::str::FromStr;

use alloc::vec::Vec;

use crate::argument::{Claim, Claims, KeyRanges, Ranges, RowNorm, RowRange, Slot};
use crate::error::{Error, RequestProblem};
use crate::shows::Shows;

/// A claim that a relying party asks a proof to show. A proof file says itself what it is about,
/// and whoever made it chose that: valid alone does not mean that it shows what the reader needs.
/// So a verifier asks for it, and [`Shows::meets`] compares.
///
/// As text it is one of these, where rows are the rows of S that hold messages, `ROWS` from row 0
/// on or `FIRST+ROWS`:
///
/// | text | what has to be shown |
/// |---|---|
/// | `exact-keys:S:E` | every column of T is a key with secrets in \[-S, S\] and errors in \[-E, E\] |
/// | `range:ROWS:LOW:HIGH` | all entries of these rows are in \[LOW, HIGH\] |
/// | `norm:ROWS:SQUARED` | in every column the squares of the entries of these rows add up to at most SQUARED |
///
/// The last two are about the columns of messages, which are the last ones of T: a proof says how
/// many, and what masks it is in front. `:COLUMNS` behind them asks for that many columns at least;
/// without it there must be no others in front than those that mask this one list of claims.
///
/// ```
/// use tautochrone_zk::argument::KeyRanges;
/// use tautochrone_zk::{Requirement, Shows};
///
/// let required: Requirement = "exact-keys:2:2".parse()?;
/// // Ternary keys are more than that, and knowledge of some vectors is less.
/// assert!(Shows::Keys(KeyRanges::new(1, 1)?).meets(&required));
/// assert!(!Shows::Keys(KeyRanges::new(1, 3)?).meets(&required));
/// assert!(!Shows::Knowledge.meets(&required));
/// assert_eq!("range:512+8:-1:1".parse::<Requirement>()?.to_string(), "range:512+8:-1:1");
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    kind: Kind,
    /// How many columns of messages, at least; where this is absent, all but those that mask one
    /// list of claims.
    columns: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Keys are well formed, with entries of secrets and of errors up to these absolute values.
    ExactKeys { secret: u32, error: u32 },
    /// All entries of some rows are in a range.
    Range(RowRange),
    /// The squares of every column's entries in some rows add up to at most so much.
    Norm { first_row: u32, rows: u32, bound_squared: u64 },
}

impl From<Kind> for Requirement {
    fn from(kind: Kind) -> Self {
        Self { kind, columns: None }
    }
}

impl Requirement {
    /// The same of at least so many columns of messages; of keys, which are all columns, the same.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_columns(self, columns: u64) -> Self {
        match self.kind {
            Kind::ExactKeys { .. } => self,
            _ => Self { columns: Some(columns), ..self },
        }
    }
}

impl Shows {
    /// Whether a valid proof that shows this shows what is required. A tighter claim meets a looser
    /// requirement, and ranges meet one together if they cover its rows. Norms are met by the norm
    /// of more rows, or by ranges; ranges also by norms, which bound each entry.
    ///
    /// Facts, circuits and relations meet no requirement: whoever verifies them states the claim,
    /// and a valid proof is about that very one.
    #[must_use]
    pub fn meets(&self, required: &Requirement) -> bool {
        match (self, required.kind) {
            (Self::Keys(keys), Kind::ExactKeys { secret, error }) => {
                keys.secret_bound() <= secret && keys.error_bound() <= error
            }
            (Self::Claims(slot, claims), kind) => {
                let shows = |claim: &Claim| match claim {
                    Claim::Ranges(ranges) => ranges_meet(ranges, kind),
                    Claim::Fact(_)
                    | Claim::Circuit(_)
                    | Claim::GoldilocksCircuit(_)
                    | Claim::Relation(_) => false,
                };
                let of_columns = match required.columns {
                    Some(columns) => slot.layout().columns() >= columns,
                    None => is_of_all_columns(slot, claims),
                };
                of_columns && claims.claims().iter().any(shows)
            }
            _ => false,
        }
    }
}

/// Whether the columns in front of the messages belong to one slot for these claims and no more: a
/// proof about fewer columns of T than there are says nothing of the others, and its file says how
/// many they are.
fn is_of_all_columns(slot: &Slot, claims: &Claims) -> bool {
    let layout = slot.layout();
    let least = layout.without_slots().with_slot(claims);
    least.is_ok_and(|least| least == *layout)
}

fn ranges_meet(ranges: &Ranges, required: Kind) -> bool {
    match required {
        Kind::Range(wanted) => {
            let [low, high] = [wanted.low, wanted.high].map(i64::from);
            entries(ranges, wanted.all())
                .is_some_and(|parts| parts.iter().all(|p| low <= p.low && p.high <= high))
        }
        Kind::Norm { first_row, rows, bound_squared } => {
            let wanted = rows_of(first_row, rows);
            let covers = |norm: &RowNorm| {
                let rows = rows_of(norm.first_row, norm.rows);
                rows.start <= wanted.start && wanted.end <= rows.end
            };
            let tight = |norm: &RowNorm| norm.bound_squared <= bound_squared && covers(norm);
            let squares = |parts: Vec<Entries>| parts.iter().map(Entries::squares).sum::<u128>();
            ranges.norms().iter().any(tight)
                || entries(ranges, wanted.clone())
                    .is_some_and(|parts| squares(parts) <= bound_squared.into())
        }
        Kind::ExactKeys { .. } => false,
    }
}

/// The consequence of a proof of this claim.
impl From<&KeyRanges> for Requirement {
    fn from(keys: &KeyRanges) -> Self {
        Kind::ExactKeys { secret: keys.secret_bound(), error: keys.error_bound() }.into()
    }
}

/// The consequence of a claim with this range.
impl From<RowRange> for Requirement {
    fn from(range: RowRange) -> Self {
        Kind::Range(range).into()
    }
}

/// The consequence of a claim with this norm.
impl From<RowNorm> for Requirement {
    fn from(RowNorm { first_row, rows, bound_squared, .. }: RowNorm) -> Self {
        Kind::Norm { first_row, rows, bound_squared }.into()
    }
}

/// Consecutive rows, and what is shown of each of their entries.
struct Entries {
    rows: u64,
    low: i64,
    high: i64,
}

impl Entries {
    /// The most that the squares of a column add up to.
    fn squares(&self) -> u128 {
        let largest = u128::from(self.low.unsigned_abs().max(self.high.unsigned_abs()));
        // Less than 2^32 rows, and beta < 2^31.
        u128::from(self.rows) * largest * largest
    }
}

const fn rows_of(first_row: u32, rows: u32) -> Range<u64> {
    first_row as u64..first_row as u64 + rows as u64
}

/// The range of single entries of these rows that follows from a claim; `None` if it says nothing
/// of one of them.
fn entries(ranges: &Ranges, rows: Range<u64>) -> Option<Vec<Entries>> {
    let of_range = |part: &RowRange| (part.all(), i64::from(part.low), i64::from(part.high));
    let of_norm = |norm: &RowNorm| {
        let largest = norm.bound_squared.isqrt().cast_signed();
        (rows_of(norm.first_row, norm.rows), -largest, largest)
    };
    let parts = ranges.parts().iter().map(of_range);
    let known: Vec<_> = parts.chain(ranges.norms().iter().map(of_norm)).collect();
    let mut found = Vec::new();
    let mut row = rows.start;
    // A step ends where a part does, so there are no more of them than parts.
    while row < rows.end {
        let mut here: Option<(u64, i64, i64)> = None;
        for (part, low, high) in known.iter().filter(|(part, ..)| part.contains(&row)) {
            let (end, least, most) = here.unwrap_or((rows.end, *low, *high));
            here = Some((end.min(part.end), least.max(*low), most.min(*high)));
        }
        let (end, low, high) = here?;
        found.push(Entries { rows: end - row, low, high });
        row = end;
    }
    Some(found)
}

impl FromStr for Requirement {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text).ok_or(Error::Request(RequestProblem::Requirement))
    }
}

/// `None` also for what no proof can meet: no rows, bounds of 0 on keys, ranges without 0.
fn parse(text: &str) -> Option<Requirement> {
    let fields: Vec<&str> = text.split(':').collect();
    let rows = |text: &str| {
        let (first, rows) = text.split_once('+').unwrap_or(("0", text));
        let (first_row, rows) = (number(first)?, number(rows)?);
        (rows > 0).then_some((first_row, rows))
    };
    match fields[..] {
        ["exact-keys", secret, error] => {
            let (secret, error) = (number(secret)?, number(error)?);
            (secret > 0 && error > 0).then_some(Kind::ExactKeys { secret, error }.into())
        }
        ["range", of, low, high, ref columns @ ..] => {
            let ((first_row, rows), low, high) = (rows(of)?, number(low)?, number(high)?);
            let range = RowRange { first_row, rows, low, high };
            let required = of_columns(range.into(), columns)?;
            (low <= 0 && high >= 0).then_some(required)
        }
        ["norm", of, squared, ref columns @ ..] => {
            let ((first_row, rows), bound_squared) = (rows(of)?, number(squared)?);
            of_columns(Kind::Norm { first_row, rows, bound_squared }.into(), columns)
        }
        _ => None,
    }
}

/// With a number of columns behind it, or none.
fn of_columns(required: Requirement, fields: &[&str]) -> Option<Requirement> {
    match fields {
        [] => Some(required),
        [columns] => Some(required.of_columns(number(columns).filter(|&columns| columns > 0)?)),
        _ => None,
    }
}

/// A number without the plus sign that Rust would accept.
fn number<T: FromStr>(text: &str) -> Option<T> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = |f: &mut fmt::Formatter<'_>, kind, first_row, rows| match first_row {
            0 => write!(f, "{kind}:{rows}"),
            _ => write!(f, "{kind}:{first_row}+{rows}"),
        };
        match self.kind {
            Kind::ExactKeys { secret, error } => write!(f, "exact-keys:{secret}:{error}")?,
            Kind::Range(RowRange { first_row, rows, low, high }) => {
                start(f, "range", first_row, rows)?;
                write!(f, ":{low}:{high}")?;
            }
            Kind::Norm { first_row, rows, bound_squared } => {
                start(f, "norm", first_row, rows)?;
                write!(f, ":{bound_squared}")?;
            }
        }
        self.columns.map_or(Ok(()), |columns| write!(f, ":{columns}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Layout;

    /// Of two lists of requirements, with spaces between them, a claim meets the first.
    fn check(shown: &Shows, met: &str, unmet: &str) {
        for (list, is_met) in [(met, true), (unmet, false)] {
            for text in list.split(' ') {
                assert_eq!(shown.meets(&text.parse().unwrap()), is_met, "{text}");
            }
        }
    }

    fn shown(ranges: Ranges) -> Shows {
        let claims = Claims::from(ranges);
        let layout = Layout::new(1 << 10, 100).with_slot(&claims).unwrap();
        Shows::Claims(layout.slot(0).unwrap(), claims)
    }

    /// A claim about the last column alone, with more columns in front than masks need.
    #[test]
    fn columns_in_front_are_no_more_than_masks_need() {
        let bits = RowRange { first_row: 0, rows: 8, low: 0, high: 1 };
        let claims = Claims::from(Ranges::new(vec![bits]).unwrap());
        let required: Requirement = "range:8:0:1".parse().unwrap();
        // Over either field.
        for new in [Layout::of_large_integers, Layout::new] {
            let slot = new(8, 100).with_slot(&claims).unwrap().slot(0).unwrap();
            assert!(Shows::Claims(slot, claims.clone()).meets(&required));
        }
        let layout = Layout::new(8, 100).with_slot(&claims).unwrap();
        let more = layout.clone().with_slot(&claims).unwrap();
        let slot = more.slot(0).unwrap();
        let shown = Shows::Claims(slot, claims);
        assert!(!shown.meets(&required));
        assert!(shown.meets(&required.of_columns(100)) && !shown.meets(&required.of_columns(101)));
        assert_eq!(required.of_columns(100), "range:8:0:1:100".parse().unwrap());
    }

    #[test]
    fn a_tighter_claim_meets_a_looser_requirement() {
        let range = |first_row, rows, low, high| RowRange { first_row, rows, low, high };
        let parts = vec![range(0, 100, 0, 1), range(100, 20, -1, 1), range(130, 10, -3, 0)];
        check(
            &shown(Ranges::new(parts).unwrap()),
            "range:100:0:1 range:100:-1:1 range:7+93:0:16 range:120:-1:1 range:99+21:-1:1 \
             range:130+10:-3:0 norm:120:120 norm:90+20:20 norm:130+10:90",
            "range:100:0:0 range:101:0:1 range:120:0:1 range:121:-1:1 range:119+2:-1:1 \
             range:125+1:-9:9 range:110+30:-9:9 range:130+10:-2:0 range:139+2:-9:9 \
             range:4294967295+4294967295:-9:9 norm:120:119 norm:121:999999 norm:130+10:89 \
             exact-keys:8:8",
        );
    }

    #[test]
    fn norms_bound_entries_and_fewer_rows() {
        let bits = RowRange { first_row: 20, rows: 7, low: 0, high: 1 };
        let trits = RowRange { first_row: 4, rows: 6, low: -1, high: 1 };
        let norm = RowNorm::at_most(0, 20, 101, 20);
        // The range bounds norm:4+6:6, and is tighter than the norm of 20 rows.
        check(
            &shown(Ranges::with_norms(vec![trits, bits], vec![norm]).unwrap()),
            "norm:20:101 norm:3+10:102 norm:4+6:6 range:20:-10:10 range:4+6:-1:1 range:27:-10:10",
            "norm:20:100 norm:4+6:5 norm:21:200 range:20:-9:10 range:3+7:-1:1",
        );
    }

    /// Rows of messages are asked for, too; keys have none.
    #[test]
    fn keys_meet_what_is_asked_of_both_bounds() {
        check(
            &Shows::Keys(KeyRanges::new(1, 2).unwrap()),
            "exact-keys:1:2 exact-keys:8:2 exact-keys:20:20",
            "exact-keys:1:1 exact-keys:2:1 range:1:-1:1 norm:1:1",
        );
        let wide = Shows::Keys(KeyRanges::new(2, 1).unwrap());
        check(&wide, "exact-keys:2:1", "exact-keys:1:8");
        assert!(!Shows::Knowledge.meets(&"exact-keys:8:8".parse().unwrap()));
    }

    #[test]
    fn text_and_back() {
        let texts = "exact-keys:1:2 range:1024:0:1 range:512+8:-1:1 norm:1024:15476 \
                     norm:1+1:18446744073709551615 range:512+8:-1:1:4096 \
                     norm:1024:15476:18446744073709551615";
        for text in texts.split(' ') {
            assert_eq!(text.parse::<Requirement>().unwrap().to_string(), text);
        }
        // Between semicolons, among them an empty one and one that begins with a space.
        let none = ";exact-keys;exact-keys:1;exact-keys:1:1:1;exact-keys:0:1;exact-keys:1:0;\
                    exact-keys:-1:1;exact-keys:+1:1;range:0:0:1;range:8:1:2;range:8:-2:-1;\
                    range:8:0;range:8+:0:1;range:+8:0:1;range:1+2+3:0:1;range:4294967296:0:1;\
                    norm:8:-1;norm:8:124.4;norm:0:1;norm:1:1:0;norm:1:1:2:3;range:8:0:1:;\
                    range:8:0:1:+2;knowledge; range:8:0:1";
        for text in none.split(';') {
            assert_error!(
                text.parse::<Requirement>(),
                Error::Request(RequestProblem::Requirement),
                "{text}"
            );
        }
    }
}
