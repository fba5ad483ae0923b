//! [`Words`]: where uniform words come from.

use crate::source::Source;

/// A source of uniform words.
pub(super) trait Words {
    /// The next words.
    fn fill(&mut self, out: &mut [u64]);

    /// The next word.
    fn word(&mut self) -> u64 {
        let mut word = [0];
        self.fill(&mut word);
        word[0]
    }
}

impl<S: Source + ?Sized> Words for S {
    fn fill(&mut self, out: &mut [u64]) {
        self.fill_u64(out);
    }
}

/// Words drawn ahead for the comparisons of a block, then the source itself.
pub(super) struct Ahead<'a, W: ?Sized> {
    drawn: &'a [u64],
    source: &'a mut W,
}

impl<'a, W: ?Sized> Ahead<'a, W> {
    pub(super) const fn new(drawn: &'a [u64], source: &'a mut W) -> Self {
        Self { drawn, source }
    }
}

impl<W: Words + ?Sized> Words for Ahead<'_, W> {
    fn fill(&mut self, out: &mut [u64]) {
        for word in out {
            *word = self.word();
        }
    }

    #[inline]
    fn word(&mut self) -> u64 {
        match self.drawn.split_first() {
            Some((&word, rest)) => {
                self.drawn = rest;
                word
            }
            None => self.source.word(),
        }
    }
}
