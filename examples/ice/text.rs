//! Evidence that bytes are text in UTF-8 or UTF-16, of any language.
//!
//! The evidence is a likelihood ratio: the probability of the bytes as text, by a model, over that
//! of uniform bytes. The probabilities of a model add up to at most 1, however well it describes
//! text, so uniform bytes reach a ratio of t with probability at most 1/t (Markov's inequality).
//! A wrong key gives that: different blocks become independent uniform ones.

use std::collections::HashMap;

use tautochrone::gauss::float;

/// log2 of the ratio that bytes must exceed, so that one of `keys` wrong keys reaches it with at
/// most the given probability. There are three encodings, and a character of UTF-8 that is cut off
/// at the end is left out, which multiplies the sum of probabilities by less than 4/3.
pub(crate) fn threshold(keys: usize, probability: f64) -> f64 {
    float::log2(4.0 * keys as f64 / probability)
}

/// log2 of the likelihood ratio, in the encoding in which it is greatest.
pub(crate) fn evidence(bytes: &[u8]) -> f64 {
    utf8(bytes).max(utf16(bytes, u16::from_le_bytes)).max(utf16(bytes, u16::from_be_bytes))
}

pub(crate) fn utf8(bytes: &[u8]) -> f64 {
    let mut model = Model::default();
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        chunk.valid().chars().for_each(|c| model.see(Some(c), c.len_utf8()));
        let is_cut = str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none());
        if chunks.peek().is_some() || !is_cut {
            chunk.invalid().iter().for_each(|_| model.see(None, 1));
        }
    }
    model.evidence
}

pub(crate) fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> f64 {
    let mut model = Model::default();
    for c in char::decode_utf16(bytes.as_chunks().0.iter().map(|&bytes| unit(bytes))) {
        model.see(c.as_ref().ok().copied(), c.map_or(2, |c| 2 * c.len_utf16()));
    }
    model.evidence
}

/// Text whose characters come from few pages of Unicode: the next one is from a page with the
/// probability that a Pólya urn gives, and there one of all with equal probability, but for ASCII.
#[derive(Default)]
struct Model {
    /// Characters so far, of each page and in all.
    pages: HashMap<u32, f64>,
    characters: f64,
    evidence: f64,
}

impl Model {
    /// Takes a character that is encoded in so many bytes; `None` is no character.
    fn see(&mut self, c: Option<char>, bytes: usize) {
        /// Weight of what has not been seen against one character that has.
        const NEW: f64 = 0.5;
        let uniform = 0.5_f64.powi(8 * bytes as i32);
        let is_text = |c: &char| !c.is_control() || ['\t', '\n', '\r'].contains(c);
        // The page, the probability within it, and that before anything is seen.
        let (page, within, before) = match c.filter(is_text) {
            // Bytes that text does not have, but some files of text do: no evidence of it.
            None => (u32::MAX, uniform, uniform / 16.0),
            Some(mark @ '\u{feff}') => (mark.into(), 1.0, 1.0 / 16.0),
            Some(c @ ..='\x7f') => {
                let weight = match c {
                    ' ' => 16.0,
                    '\t' | '\n' | '\r' | '"' => 8.0,
                    'a'..='z' | '0'..='9' => 2.0,
                    _ => 1.0,
                };
                // The sum of all weights.
                (0, weight / 177.0, weight / 177.0 / 2.0)
            }
            Some(c) => {
                let (page, size) = match u32::from(c) {
                    // Kana; Chinese characters; Hangul.
                    0x3000..0x3100 => (0x3000, 0x100),
                    0x4e00..0xa000 => (0x4e00, 0x5200),
                    0xac00..0xd800 => (0xac00, 0x2c00),
                    c => (c & !0x7f, 0x80),
                };
                let before =
                    if c <= '\u{ffff}' { 1.0 / (4 << 16) as f64 } else { 1.0 / (8 << 20) as f64 };
                (page, 1.0 / f64::from(size), before)
            }
        };
        let count = self.pages.entry(page).or_default();
        let probability = (*count * within + NEW * before) / (self.characters + NEW);
        self.evidence += float::log2(probability / uniform);
        *count += 1.0;
        self.characters += 1.0;
    }
}
