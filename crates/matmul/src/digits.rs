//! Entries as digits.
//!
//! A kernel multiplies *digits* of `D` = 1, 2, 4 or 8 bytes. An entry `x` becomes `l` digits
//! `x_0 .. x_{l-1}` and a constant offset `o`, the same for every entry of the matrix, with
//!
//! `x = o + sum_j x_j 2^{8 D j}   (mod 2^w)`.
//!
//! Products of digits whose weight `2^{8 D (i + j)}` is a multiple of `2^w` vanish and are never
//! formed: entries of few bits have few digits, which is why products of narrow types are faster.
//! With `X = X' + o_X`, `Y = Y' + o_Y`, entry by entry,
//!
//! `X Y = X' Y' + o_Y rowsum(X) + o_X colsum(Y) - k o_X o_Y`,
//!
//! so offsets cost one sum per row and column. They exist because the instructions take digits of a
//! given sign: `vpdpbusd` multiplies an unsigned byte of X by a signed byte of Y, `udot` two
//! unsigned bytes, `vpmaddwd` two signed 16-bit halves. Every digit is a byte string of
//! `(x + add) xor flip`: `add` makes a narrow signed entry non-negative (or carries balanced digits
//! through), `flip` subtracts half the radix from each digit and so makes it signed.
//!
//! The tiles of AMX multiply bytes of either sign, so that the operand chooses: see
//! [`Encoding::either`].

use crate::width::Width;

/// The digits of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Digit {
    /// Bytes, unsigned in X and signed in Y, or unsigned in both, or, for tiles, of either sign;
    /// exact 32-bit sums.
    Byte,
    /// Signed 16-bit halves; 32-bit sums modulo `2^32`.
    Half,
    /// The 32-bit word itself; sums modulo `2^32`.
    Word,
    /// The 64-bit word itself; sums modulo `2^64`.
    Double,
}

impl Digit {
    /// Bytes of a digit.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Half => 2,
            Self::Word => 4,
            Self::Double => 8,
        }
    }

    /// Bits of a digit.
    pub(crate) const fn bits(self) -> u32 {
        8 * self.bytes() as u32
    }

    /// Digits of an entry of `bits` bits, no more than a word of `word` bits has.
    pub(crate) fn count(self, bits: u32, word: u32) -> usize {
        bits.min(word).div_ceil(self.bits()) as usize
    }

    /// Products of digits that do not vanish modulo `2^word`, for entries of widths `x` and `y`.
    pub(crate) fn products(self, x: Width, y: Width, word: u32) -> usize {
        let count = |bits| self.count(bits, word);
        (0..count(x.bits)).map(|i| count(y.bits).min(count(word) - i)).sum()
    }

    /// The longest sum that 32-bit lanes hold exactly, for entries of widths `x` and `y`; no limit
    /// where the lanes wrap as the word does.
    #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
    pub(crate) fn exact_depth(self, x: Width, y: Width, word: u32) -> usize {
        // |digit| <= 2^this: the entry itself if it is a single signed digit, else half the radix.
        let size = |width: Width| (width.bits - u32::from(width.signed)).min(15);
        let products = self.count(x.bits, word).min(self.count(y.bits, word));
        let product = match self {
            Self::Double => return usize::MAX,
            _ if word <= 32 => return usize::MAX,
            Self::Byte => return Self::exact_terms_of_bytes(products, word),
            Self::Half => 1u64 << (size(x) + size(y)),
            Self::Word => return 0,
        };
        (i32::MAX as u64 / (product * products as u64)) as usize
    }

    /// The same for byte digits, where each term adds at most so many products to a sum.
    #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
    pub(crate) const fn exact_terms_of_bytes(products: usize, word: u32) -> usize {
        if word <= 32 { usize::MAX } else { i32::MAX as usize / (255 * 255 * products) }
    }
}

/// How sums of products of digits are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// Term by term.
    Direct,
    /// Two terms by one multiplication (Winograd 1968, A New Algorithm for Inner Product): with `s`
    /// over pairs of terms,
    ///
    /// `sum_s x_s y_s + x'_s y'_s = sum_s (x_s + y'_s) (x'_s + y_s) - sum_s x_s x'_s - sum_s y_s
    /// y'_s`.
    ///
    /// The last two sums belong to a row and to a column. Digits must hold the whole word, so that
    /// they may wrap.
    Winograd,
    /// Term by term, for words of one byte: seven bits of X by bytes, whose sums of two then fit 16
    /// bits, and its top bit by the lowest bit of Y, `x y = (x mod 128) y + 128 (x_7 y_0 mod 2)
    /// (mod 2^8)`.
    TopBit,
}

impl Method {
    /// Whether digits of a width may be multiplied by this method for words of `word` bits.
    pub(crate) const fn takes(self, digit: Digit, word: u32) -> bool {
        match self {
            Self::Direct => true,
            Self::Winograd => digit.bits() >= word,
            Self::TopBit => matches!(digit, Digit::Byte) && word <= 8,
        }
    }
}

/// How entries of one matrix become digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encoding {
    pub(crate) digit: Digit,
    /// Digits per entry.
    pub(crate) count: usize,
    /// Added to the entry, modulo `2^64`.
    pub(crate) add: u64,
    /// Then exclusive-or-ed.
    pub(crate) flip: u64,
    /// The offset `o`, modulo `2^64`.
    pub(crate) offset: u64,
    /// Whether digits are signed, for instructions that multiply digits of either sign.
    pub(crate) signed: bool,
}

impl Encoding {
    /// For entries of `width` into digits that are signed or not, modulo `2^word`.
    pub(crate) fn new(digit: Digit, digits_signed: bool, width: Width, word: u32) -> Self {
        let Width { bits, signed } = width;
        let count = digit.count(bits, word);
        if count == 1 && (digit.bits() >= word || !signed && bits < digit.bits()) {
            // One digit that holds the whole word, or an entry that is non-negative as a digit of
            // either sign.
            return Self { digit, count, add: 0, flip: 0, offset: 0, signed: digits_signed };
        }
        // Half the radix in each of the first `count` digits.
        let half = |count: usize| {
            (0..count).fold(0u64, |sum, j| sum | 1 << (digit.bits() * (j as u32 + 1) - 1))
        };
        let flip = if digits_signed { half(count) } else { 0 };
        let full = count == digit.count(word, word);
        let add = match (full, signed) {
            (true, _) => flip,
            (false, true) => 1 << (digit.bits() * count as u32 - 1),
            (false, false) => 0,
        };
        // digits = entry + add - flip.
        Self { digit, count, add, flip, offset: flip.wrapping_sub(add), signed: digits_signed }
    }

    /// For entries of `width` into l bytes, all signed or all not, modulo `2^word`:
    ///
    /// | entries | digits | value of the digits |
    /// |---|---|---|
    /// | whole words, or unsigned | bytes | the entry modulo `2^{8 l}` |
    /// | signed, one digit | the byte, signed | the entry |
    /// | signed, of at most `8 l - 1` bits | balanced, in [-128, 128) | the entry |
    /// | signed, of `8 l` bits, l > 1 | bytes of `x + 2^{8 l - 1}` | the entry plus `2^{8 l - 1}` |
    ///
    /// Balanced digits of l bytes hold [-128 (256^l - 1) / 255, 127 (256^l - 1) / 255], more than
    /// half of the range of the last row, which has an offset and saves a digit: it is taken only
    /// with `offsets`.
    pub(crate) fn either(width: Width, word: u32, offsets: bool) -> Self {
        let Width { bits, signed } = width;
        let digit = Digit::Byte;
        let count = digit.count(bits, word);
        let balanced = !signed || count == 1 || bits < digit.bits() * count as u32;
        let count = if offsets || balanced { count } else { digit.count(bits + 1, word) };
        let whole = count == digit.count(word, word);
        let top = 1u64 << (digit.bits() * count as u32 - 1);
        let (add, flip, offset, signed) = if whole || !signed {
            (0, 0, 0, false)
        } else if count == 1 {
            (0, 0, 0, true)
        } else if bits < digit.bits() * count as u32 {
            let half = 0x8080_8080_8080_8080 & (top << 1).wrapping_sub(1);
            (half, half, 0, true)
        } else {
            (top, 0, u64::wrapping_neg(top), false)
        };
        Self { digit, count, add, flip, offset, signed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_that_vanish_are_not_counted() {
        let products =
            |digit: Digit, x, y, word| digit.products(Width::signed(x), Width::signed(y), word);
        assert_eq!(products(Digit::Byte, 64, 64, 64), 36);
        assert_eq!(products(Digit::Byte, 32, 32, 32), 10);
        assert_eq!(products(Digit::Byte, 64, 7, 64), 8);
        assert_eq!(products(Digit::Byte, 64, 37, 64), 30);
        assert_eq!(products(Digit::Double, 64, 7, 64), 1);
    }

    #[test]
    fn byte_sums_are_exact_for_at_least_4096_terms() {
        assert!(Digit::Byte.exact_depth(Width::unsigned(64), Width::unsigned(64), 64) >= 4096);
    }
}
