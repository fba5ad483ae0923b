//! Whole blocks of trials on AVX-512, while the keystream of the next one is encrypted: a core that
//! waits for the scalar decisions of doubtful trials has nothing better to do.
#![allow(unsafe_code)]

use bytemuck::cast_slice_mut;
use tautochrone_ctr::{FirstRound, Stream};
use tautochrone_simd::wipe;

use super::Ziggurat;
use super::block::{BLOCK, Block, SPARE};
use super::spread;
use super::words::{Ahead, Drawn};
use crate::keystream::{Both, Next, Paced, Register};
use crate::meanwhile::Nothing;

/// Blocks of samples from which on this is done. The first block's keystream is made by itself, and
/// there are two buffers to erase: at sigma 215 two blocks of samples take 1.15 of the time, eight
/// 1.02, 16 .99, 32 .95 and 128 .94 (Sapphire Rapids).
const LEAST: usize = 16;
/// Words of a register.
const LANES: usize = 8;
/// Registers of a block, with one for words left over from the block before.
const REGISTERS: usize = 1 + (2 * BLOCK + SPARE).div_ceil(LANES);

/// The words of a block, not erased by itself: first those left over, at the end of the first
/// register, then whole registers.
#[repr(C, align(64))]
struct Buffer {
    registers: [Register; REGISTERS],
    /// Words left over from the block before.
    left_over: usize,
}

impl Buffer {
    const fn new() -> Self {
        Self { registers: [[0; _]; REGISTERS], left_over: 0 }
    }

    fn words_mut(&mut self) -> &mut [u64] {
        cast_slice_mut(self.registers.as_flattened_mut())
    }

    /// The block's words.
    fn words(&mut self, count: usize) -> &[u64] {
        let start = LANES - self.left_over;
        &self.words_mut()[start..start + count]
    }

    /// Takes the words that lie behind the `count` of the block before; the registers that `count`
    /// words of this one need beyond them are to be made.
    fn follow(&mut self, before: &mut Self, count: usize) -> &mut [Register] {
        let made = LANES * before.needed(count);
        self.left_over = before.left_over + made - count;
        let left_over = &before.words_mut()[LANES + made - self.left_over..LANES + made];
        self.words_mut()[LANES - left_over.len()..LANES].copy_from_slice(left_over);
        self.missing(count)
    }

    /// Registers that `count` words need beyond those left over.
    const fn needed(&self, count: usize) -> usize {
        (count - self.left_over).div_ceil(LANES)
    }

    fn missing(&mut self, count: usize) -> &mut [Register] {
        let needed = self.needed(count);
        &mut self.registers[1..=needed]
    }
}

/// A word in the stream: a block of AES and 0 or 1, from where words are counted.
#[derive(Clone, Copy)]
struct Place {
    block: u128,
    word: usize,
}

impl Place {
    /// Where the stream stands, and the stream on the next block: the word before it, if there is
    /// one, is the first of `words`. `None`, and the stream stays, if it stands within a word.
    fn on_a_block(stream: &mut Stream, words: &mut [u64]) -> Option<Self> {
        let word = match stream.position() & 15 {
            0 => 0,
            8 => 1,
            _ => return None,
        };
        stream.fill_u64(&mut words[..word]);
        let block = stream.block()?.wrapping_sub(word as u128);
        Some(Self { block, word })
    }

    /// Moves the stream to `count` words behind this place.
    fn seek(self, stream: &mut Stream, count: usize) {
        let words = self.word + count;
        stream.seek_block(self.block.wrapping_add((words >> 1) as u128));
        let mut before = [0];
        stream.fill_u64(&mut before[..words & 1]);
        wipe(&mut before, 0);
    }
}

impl Ziggurat {
    /// Fills the front of `out` from whole blocks of trials, as long as one is sure to fit; returns
    /// how many samples those gave. `None`, and nothing is drawn, if there are few, or the stream
    /// or the CPU has not what it takes.
    pub(super) fn fill_beside(&self, stream: &mut Stream, out: &mut [i64]) -> Option<usize> {
        let token = (self.isa.avx512()?, self.isa.vaes()?);
        if out.len() < LEAST * BLOCK {
            return None;
        }
        let (mut now, mut next) = (Buffer::new(), Buffer::new());
        let done = self.whole_blocks(token, stream, [&mut now, &mut next], out);
        let (used, spare) = self.layout.draws(BLOCK);
        for buffer in [&mut now, &mut next] {
            wipe(buffer.registers[..=(used + spare).div_ceil(LANES)].as_flattened_mut(), 0);
        }
        done
    }

    fn whole_blocks(
        &self,
        token: Both,
        stream: &mut Stream,
        [mut now, mut next]: [&mut Buffer; 2],
        out: &mut [i64],
    ) -> Option<usize> {
        let (used, spare) = self.layout.draws(BLOCK);
        let count = used + spare;
        // As many blocks as are expected to be needed. The last words stay behind in a block that
        // is not begun.
        let blocks = self.layout.trials_for(out.len()) / BLOCK + 1;
        let mut word = [0];
        let start = Place::on_a_block(stream, &mut word)?;
        now.left_over = start.word;
        now.words_mut()[LANES - start.word..LANES].copy_from_slice(&word[..start.word]);
        wipe(&mut word, 0);
        let Some(registers) = stream.registers((count * blocks - start.word).div_ceil(LANES))
        else {
            start.seek(stream, 0);
            return None;
        };
        let mut first_round = FirstRound::new();
        // SAFETY: there are registers, so their features were detected.
        let mut keystream = unsafe { registers.beside_with(&mut first_round) };
        Next::new(token, &mut keystream, now.missing(count)).complete();

        let mut block = Block::new();
        let mut done = 0;
        let mut begun = 0;
        loop {
            begun += 1;
            let rest = &mut out[done..];
            let missing = next.follow(now, count);
            let (words, drawn) = now.words(count).split_at(used);
            // A register for each octet of words, and the rest beside the decisions.
            let (fours, missing) = missing.split_at_mut(used / LANES);
            let fours = fours.as_chunks_mut().0;
            let kernel = match (self.layout.words(), self.layout.wide) {
                (1, false) => spread::trials::<1, false>,
                (1, true) => spread::trials::<1, true>,
                _ => spread::trials::<2, true>,
            };
            kernel(token, &self.layout, &self.sides, words, &mut keystream, fours, &mut block);
            let mut meanwhile = Paced::new(Next::new(token, &mut keystream, missing));
            let mut source = Drawn::new(drawn);
            let stored = self.settle(words, BLOCK, &block, &mut source, &mut meanwhile, rest);
            if source.is_short() {
                // Once more, with the words that follow the block.
                start.seek(stream, begun * count);
                let mut source = Ahead::new(drawn, stream);
                done += self.settle(words, BLOCK, &block, &mut source, &mut Nothing, rest);
                break;
            }
            done += stored;
            if begun == blocks || out.len() - done < BLOCK {
                start.seek(stream, begun * count);
                break;
            }
            meanwhile.complete();
            core::mem::swap(&mut now, &mut next);
        }
        block.wipe();
        Some(done)
    }
}
