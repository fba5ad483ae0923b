//! Blocks to planes of one kind of register and back.

use tautochrone_simd::vector::Vector;
use tautochrone_simd::{Token, vectorize, wipe};

use crate::circuit::{Keys, State, rounds};

/// Words in the widest register.
const MAX_LANES: usize = 8;

/// Encrypts or decrypts whole runs of 64 `LANES` blocks, the last one perhaps in part.
pub(super) fn run<V: Vector>(token: V::Token, keys: &Keys, decrypt: bool, blocks: &mut [[u8; 8]]) {
    vectorize!(token, run_inside::<V>(token, keys, decrypt, blocks));
}

#[inline(always)]
fn run_inside<V: Vector>(token: V::Token, keys: &Keys, decrypt: bool, blocks: &mut [[u8; 8]]) {
    let zero = V::zero(token);
    let mut words = [[0; MAX_LANES]; 64];
    let mut planes = [zero; 64];
    let mut state: State<V> = [[zero; 32]; 2];
    for blocks in blocks.chunks_mut(64 * V::LANES) {
        for (lane, blocks) in blocks.chunks(64).enumerate() {
            for (words, &block) in words.iter_mut().zip(blocks) {
                words[lane] = u64::from_be_bytes(block);
            }
        }
        for (plane, words) in planes.iter_mut().zip(&words) {
            *plane = V::load(token, words);
        }
        transpose(&mut planes);
        state.as_flattened_mut().copy_from_slice(&planes);
        rounds(keys, decrypt, &mut state);
        planes.copy_from_slice(state.as_flattened());
        transpose(&mut planes);
        for (plane, words) in planes.iter().zip(&mut words) {
            plane.store(words);
        }
        for (lane, blocks) in blocks.chunks_mut(64).enumerate() {
            for (words, block) in words.iter().zip(blocks) {
                *block = words[lane].to_be_bytes();
            }
        }
    }
    wipe(&mut words, [0; MAX_LANES]);
    wipe(&mut planes, zero);
    wipe(state.as_flattened_mut(), zero);
}

/// Transposes the 64 x 64 bit matrix in every lane: six rounds of exchanging off-diagonal squares
/// (Hacker's Delight, section 7-3).
#[inline(always)]
fn transpose<V: Vector>(rows: &mut [V; 64]) {
    exchange::<V, 32>(rows, 0x0000_0000_ffff_ffff);
    exchange::<V, 16>(rows, 0x0000_ffff_0000_ffff);
    exchange::<V, 8>(rows, 0x00ff_00ff_00ff_00ff);
    exchange::<V, 4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<V, 2>(rows, 0x3333_3333_3333_3333);
    exchange::<V, 1>(rows, 0x5555_5555_5555_5555);
}

/// Exchanges the off-diagonal squares of `SIZE` x `SIZE` bits.
#[inline(always)]
fn exchange<V: Vector, const SIZE: u32>(rows: &mut [V; 64], mask: u64) {
    let size = SIZE as usize;
    let mask = V::splat(rows[0].token(), mask);
    // The rows whose number has a 0 in the place of `size`, and the rows with a 1.
    for rows in rows.chunks_exact_mut(2 * size) {
        let (zeros, ones) = rows.split_at_mut(size);
        for (zero, one) in zeros.iter_mut().zip(ones) {
            let swap = zero.shr::<SIZE>().xor(*one).and(mask);
            *one = one.xor(swap);
            *zero = zero.xor(swap.shl::<SIZE>());
        }
    }
}
