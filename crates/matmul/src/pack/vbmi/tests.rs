//! The packer against the one in plain Rust.

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Vbmi};

use super::*;
use crate::digits::{Digit, Encoding, Method};
use crate::error::Error;
use crate::kernel::tiles::{SHAPES, STEP};
use crate::layout::{Layout, Shape};
use crate::matrix::any::AnyMatrix;
use crate::pack::{Packer, Store};

/// Entries at the ends of `bits` bits and in between.
fn entries<T: Operand>(count: usize, bits: u32, from: fn(u64) -> T) -> Vec<T> {
    let ends = [0, u64::MAX, 1 << 63, u64::MAX >> 1];
    let entry = |i: usize| {
        let random = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let value = if i % 5 < 4 { ends[i % 5] } else { random };
        let signed = (value.cast_signed() >> (64 - bits)).cast_unsigned();
        from(if T::SIGNED { signed } else { value >> (64 - bits) })
    };
    (0..count).map(entry).collect()
}

/// Both packers give the same bytes and the same verdict.
fn compare<T: Operand>(token: Vbmi, layout: &Layout, view: Matrix<'_, T>) {
    let pack = |packer| -> Result<Vec<u8>, Error> {
        let mut store = Store::default();
        store.pack(packer, layout, AnyMatrix::new(view), false, false)?;
        Ok(store.panels(*layout, false).bytes.to_vec())
    };
    let (want, got) = (pack(Packer::Portable), pack(Packer::Vbmi(token)));
    assert!(want == got, "{view:?}, {layout:?}");
}

/// The same for one type, of panels for tiles.
fn check<T: Operand>(token: Vbmi, from: fn(u64) -> T) {
    let all = [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64];
    for bits in all.into_iter().filter(|&bits| bits <= T::BITS) {
        // Up to three groups of four panels, the last one not full.
        for (lines, terms) in
            [(1, 1), (16, 64), (17, 65), (15, 63), (33, 130), (5, 515), (64, 64), (149, 66)]
        {
            let data = entries(lines * terms, bits, from);
            let views = [
                Matrix::row_major(&data, lines, terms).unwrap(),
                Matrix::column_major(&data, lines, terms).unwrap(),
            ];
            for (view, side) in
                views.into_iter().flat_map(|view| [(view, Side::Left), (view, Side::Right)])
            {
                for (word, offsets, stated) in
                    [(64, true, bits), (64, false, bits), (32, true, bits), (64, true, bits - 1)]
                {
                    let view = view.with_bits(stated);
                    let encoding = Encoding::either(view.width(), word, offsets);
                    let layout = Layout::new(
                        SHAPES,
                        Method::Direct,
                        (256, Some(STEP)),
                        side,
                        encoding,
                        (lines, terms),
                    );
                    compare(token, &layout, view);
                }
            }
        }
    }
}

#[test]
fn both_packers_give_the_same_bytes() {
    let Some(token) = Isa::detect().vbmi() else { return };
    check::<u8>(token, |v| v as u8);
    check::<i8>(token, |v| v as i8);
    check::<u16>(token, |v| v as u16);
    check::<i16>(token, |v| v as i16);
    check::<u32>(token, |v| v as u32);
    check::<i32>(token, |v| v as i32);
    check::<u64>(token, |v| v);
    check::<i64>(token, |v| v as i64);
}

#[test]
fn a_tile_is_transposed() {
    if Isa::detect().avx512().is_none() {
        return;
    }
    let cell = |i: usize| -> [u8; 4] { (i as u32).to_le_bytes() };
    let mut tile: Vec<u8> = (0..256).flat_map(cell).collect();
    // SAFETY: AVX-512 was detected.
    unsafe { transpose(&mut tile) };
    let want: Vec<u8> = (0..256).flat_map(|i| cell(i % 16 * 16 + i / 16)).collect();
    assert_eq!(tile, want);
}

/// The same for panels for registers: bytes in cells of four, and whole words; several blocks, the
/// last of any length, and panels that are not full; entries that become digits as they are, and
/// others.
fn check_planes<T: Operand>(token: Vbmi, from: fn(u64) -> T) {
    for (digit, cell, height) in
        [(Digit::Byte, 4, 32), (Digit::Byte, 4, 12), (Digit::Double, 8, 16), (Digit::Double, 8, 10)]
    {
        let shape = Shape { lines: height, cell };
        for (lines, terms) in [(32, 64), (33, 131), (96, 257), (5, 9), (48, 512)] {
            let data = entries(lines * terms, T::BITS, from);
            let views = [
                Matrix::row_major(&data, lines, terms).unwrap(),
                Matrix::column_major(&data, lines, terms).unwrap(),
                Matrix::row_major(&data, lines, terms).unwrap().with_bits(7),
            ];
            for (view, (word, method, signed)) in views.into_iter().flat_map(|view| {
                let words = [(35, Method::Direct, false), (64, Method::Direct, false)];
                let others = [(64, Method::Winograd, false), (35, Method::Direct, true)];
                words.into_iter().chain(others).map(move |word| (view, word))
            }) {
                let encoding = Encoding::new(digit, signed, view.width(), word);
                let layout = Layout::new(
                    (shape, shape),
                    method,
                    (256, None),
                    Side::Left,
                    encoding,
                    (lines, terms),
                );
                compare(token, &layout, view);
            }
        }
    }
}

#[test]
fn panels_for_registers_are_the_same_bytes() {
    let Some(token) = Isa::detect().vbmi() else { return };
    check_planes::<i8>(token, |v| v as i8);
    check_planes::<u32>(token, |v| v as u32);
    check_planes::<i32>(token, |v| v as i32);
    check_planes::<u64>(token, |v| v);
    check_planes::<i64>(token, |v| v as i64);
}
