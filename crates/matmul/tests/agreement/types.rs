//! Every pair of element types with every word, on every instruction set, against the definition.

use tautochrone_matmul::{Matrix, Multiplier, Operand, Word};
use tautochrone_simd::Isa;

use crate::{added, defined, fill};

/// An element from the low bits of a word.
trait Element: Operand {
    fn low(word: u64) -> Self;
}

macro_rules! element {
    ($($t:ty)*) => {$(
        impl Element for $t {
            fn low(word: u64) -> Self {
                word as Self
            }
        }
    )*};
}

element!(u8 u16 u32 u64 i8 i16 i32 i64);

fn agree<W: Word + Element, X: Element, Y: Element>() {
    // Beyond a tile in each direction, and a single row by a single column.
    for (m, k, n) in [(33, 65, 13), (1, 129, 1)] {
        let (x, y) = (fill(m * k, 1, X::low), fill(k * n, 2, Y::low));
        let x = Matrix::row_major(&x, m, k).expect("shape");
        let y = Matrix::column_major(&y, k, n).expect("shape");
        let start = fill(m * n, 3, W::low);
        let want = defined(&start, x, y);
        for isa in Isa::all() {
            let got = added(Multiplier::new_on(isa), &start, x, y);
            let types = [W::BITS, X::BITS, Y::BITS];
            assert!(got == want, "{isa}, {types:?}, signed {} {}", X::SIGNED, Y::SIGNED);
        }
    }
}

macro_rules! pairs {
    ($($name:ident: $w:ty,)*) => {$(
        #[test]
        fn $name() {
            pairs!(@left $w: u8 u16 u32 u64 i8 i16 i32 i64);
        }
    )*};
    (@left $w:ty: $($x:ty)*) => {$(
        pairs!(@right $w, $x: u8 u16 u32 u64 i8 i16 i32 i64);
    )*};
    (@right $w:ty, $x:ty: $($y:ty)*) => {$( agree::<$w, $x, $y>(); )*};
}

pairs! {
    words_of_8_bits: u8,
    words_of_16_bits: u16,
    words_of_32_bits: u32,
    words_of_64_bits: u64,
}
