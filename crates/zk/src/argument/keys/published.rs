//! T of dummy columns as a proof has it: rounded to multiples of 2^dT_x, in words of w - dT_x bits.

use alloc::vec::Vec;

use crate::keys::Extended;
use crate::rounded_off::RoundedOff;
use crate::rounding::Rounding;
use crate::words::{ModQ, Word, with_t_word};

/// Rounds columns of T: returns their published part, column after column, and the part that is
/// rounded off.
pub(super) fn publish(extended: &Extended, t: ModQ) -> (Vec<u8>, RoundedOff) {
    let (params, r) = (&extended.params, extended.params.r() as usize);
    let rounding = Rounding::new(params.w(), params.rounded_columns().round_t);
    let bytes = with_t_word!(params, W => {
        let t = W::of(&t).expect("words of T");
        let mut high = vec![W::default(); t.len()];
        rounding.high_all(t, &mut high);
        Word::pack(&high, r, params.last_width())
    });
    (bytes, RoundedOff::new(rounding, t))
}

/// The columns of T that are published so, multiples of 2^dT_x in words of w bits, as they
/// follow the columns of keys; `None` unless all padding is zero.
///
/// # Panics
/// Unless these are whole columns.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn widen(extended: &Extended, published: &[u8]) -> Option<Vec<u8>> {
    let (params, r) = (&extended.params, extended.params.r() as usize);
    let columns = published.len() / params.last_column_bytes();
    with_t_word!(params, W => {
        let mut words = vec![W::default(); columns * r];
        let clean = Word::unpack(published, r, params.last_width(), &mut words);
        for word in &mut words {
            *word = <W as Word>::from_u64(word.to_u64() << params.rounded_columns().round_t);
        }
        clean.then(|| Word::pack(&words, r, params.t_width()))
    })
}
