//! Every pair of element types with every word, on every instruction set, against the definition.

use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Operand, Word, reference};
use tautochrone_simd::Isa;

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

/// Extremes of every width, and numbers between them.
fn elements<T: Element>(len: usize, mut state: u64) -> Vec<T> {
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        T::low(match state >> 61 {
            0 => u64::MAX,
            1 => 1 << 63 | 1 << 31 | 1 << 15 | 1 << 7,
            2 => 0x7fff_ffff_7fff_7f7f,
            _ => state >> 3 ^ state << 40,
        })
    };
    (0..len).map(next).collect()
}

fn agree<W: Word + Element, X: Element, Y: Element>() {
    // Beyond a tile in each direction, and a single row by a single column.
    for (m, k, n) in [(33, 65, 13), (1, 129, 1)] {
        let (x, y) = (elements::<X>(m * k, 1), elements::<Y>(k * n, 2));
        let x = Matrix::row_major(&x, m, k).expect("shape");
        let y = Matrix::column_major(&y, k, n).expect("shape");
        let start = elements::<W>(m * n, 3);
        let mut want = start.clone();
        reference::multiply_add(x, y, MatrixMut::column_major(&mut want, m, n).expect("shape"));
        for isa in Isa::all() {
            let mut got = start.clone();
            let z = MatrixMut::column_major(&mut got, m, n).expect("shape");
            Multiplier::new_on(isa).product(x, y).add_to(z).expect("shapes agree");
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
