//! [`Layout`]: which rows of S hold elements of F, and which hold pads.

use tautochrone_ctr::{Label, Seed};
use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use super::super::field::uniform_residue;
use super::super::opening::LinearForm;
use super::super::scalar::Scalar;
use super::super::supported::check_supported;
use super::digits::{self, DIGIT_BOUND, DIGITS};
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::Params;

/// Rows of S that the digits of an element of K take.
const ELEMENT_ROWS: u32 = 3 * DIGITS;
/// Rows of the pads of a column in one slot: kappa_j, gamma_j and beta_j in K.
pub const CIRCUIT_PAD_ROWS: u32 = 3 * ELEMENT_ROWS;
/// Most slots of pads. With up to 14 of them the number of rows tells how many they are:
/// `8 (2^m - 1) + 72 k` is equal for two pairs (m, k) only if the m differ by a multiple of 6, as
/// `2^m` modulo 9 tells, and the k then by one of `7 2^m`.
pub const MAX_INPUT_SLOTS: u32 = 8;

/// Elements of F and slots of pads in every column: the first rows of S.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// 2^mu_1 - 1.
    pub(super) elements: u32,
    /// At least one.
    pub(super) slots: u32,
}

impl Layout {
    const PADS: Label<'static> = Label::new("tautochrone-zk/2 circuit pads");

    /// What the first group of rows says.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless challenges are ternary, lambda = 128, and the first
    /// rows of S are digits of 2^mu_1 - 1 elements and at most `most` slots of pads.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn of(params: &Params, most: u32) -> Result<Self, Error> {
        check_supported(params)?;
        let group = params.row_groups()[0];
        let fits = |slots: &u32| {
            let rows = group.rows.checked_sub(CIRCUIT_PAD_ROWS * slots);
            rows.is_some_and(|rows| rows % DIGITS == 0 && (rows / DIGITS + 1).is_power_of_two())
        };
        let whole = (1..=most).find(fits).filter(|slots| group.rows > CIRCUIT_PAD_ROWS * slots);
        let Some(slots) = whole else {
            let expected = if most == 1 {
                "8 (2^m - 1) + 72: digits of elements and of pads"
            } else {
                "8 (2^m - 1) + 72 k: digits of elements and k slots of pads, 1 to 8"
            };
            return Err(Error::parameter("rows of the first group", group.rows, expected));
        };
        if group.bound < DIGIT_BOUND {
            return Err(Error::parameter("b of rows of digits", group.bound, "at least 99"));
        }
        if group.rows > params.z_rows() {
            let expected = "rows that A' is multiplied with";
            return Err(Error::parameter("rows of the first group", group.rows, expected));
        }
        Ok(Self { elements: (group.rows - CIRCUIT_PAD_ROWS * slots) / DIGITS, slots })
    }

    /// Rows of digits.
    pub(super) const fn rows(self) -> u32 {
        DIGITS * self.elements + CIRCUIT_PAD_ROWS * self.slots
    }

    /// These rows of `columns` columns: the elements one after the other, 0 behind them, and pads
    /// from a key's streams, one a column. Secret.
    ///
    /// # Constant time
    /// In the elements.
    pub(super) fn draw(
        self,
        params: &Params,
        key: &Seed,
        columns: u64,
        values: &[Scalar],
    ) -> Secrets {
        let (rows, digits) = (self.rows() as usize, DIGITS as usize);
        let elements = self.elements as usize;
        let mut entries = Secrets::zeros(rows * columns as usize);
        let isa = Isa::detect_vectors();
        crate::parallel::for_chunks(&mut entries, rows, |j, column| {
            let (wires, pads) = column.split_at_mut(elements * digits);
            let start = values.len().min(elements * j);
            for (wire, out) in values[start..].iter().zip(wires.chunks_exact_mut(digits)) {
                digits::write(wire.value(), out);
            }
            let mut stream = key.stream_with(isa, params.key_size(), Self::PADS, j as u64);
            let mut bytes = Zeroizing::new([0; 24]);
            for out in pads.chunks_exact_mut(digits) {
                stream.fill(&mut *bytes);
                digits::write(uniform_residue(&bytes), out);
            }
        });
        entries
    }
}

/// The rows of the pads of one slot behind `elements` elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pads {
    first_row: u32,
}

impl Pads {
    pub(super) const fn behind(elements: u32, slot: u32) -> Self {
        Self { first_row: DIGITS * elements + CIRCUIT_PAD_ROWS * slot }
    }

    /// The first row.
    pub(super) const fn first_row(self) -> u32 {
        self.first_row
    }

    fn element(self, index: u32) -> LinearForm {
        let first = self.first_row + ELEMENT_ROWS * index;
        LinearForm::new((first..).zip(digits::weights()).collect())
    }

    /// val(kappa_j).
    pub(super) fn kappa(self) -> LinearForm {
        self.element(0)
    }

    /// val(gamma_j).
    pub(super) fn gamma(self) -> LinearForm {
        self.element(1)
    }

    /// val(beta_j).
    pub(super) fn beta(self) -> LinearForm {
        self.element(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{CustomParams, Security};
    use crate::rows::{Distribution, RowGroup};

    fn of(rows: u32, most: u32) -> Option<Layout> {
        let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
        let groups = [Some(group), None, None];
        let custom = CustomParams { groups, ..CustomParams::new(40, 8, rows + 24, 300, 1) };
        Layout::of(&custom.validate(Security::Waived).unwrap(), most).ok()
    }

    /// The number of rows says how many elements and slots there are.
    #[test]
    fn rows_have_one_layout() {
        for slots in 1..=MAX_INPUT_SLOTS {
            for m in 1..=10 {
                let layout = Layout { elements: (1 << m) - 1, slots };
                assert_eq!(of(layout.rows(), MAX_INPUT_SLOTS), Some(layout));
                assert_eq!(of(layout.rows(), slots), Some(layout));
                assert_eq!(of(layout.rows() + 4, MAX_INPUT_SLOTS), None);
                if slots > 1 {
                    assert_eq!(of(layout.rows(), slots - 1), None);
                }
            }
        }
        // No element at all; a slot too many; 5 elements.
        for rows in [72, 144, 8 + 72 * 9, 40 + 72] {
            assert_eq!(of(rows, MAX_INPUT_SLOTS), None, "{rows}");
        }
    }
}
