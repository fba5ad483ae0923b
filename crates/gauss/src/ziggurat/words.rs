//! [`Words`]: where uniform words come from.

use tautochrone_ctr::Stream;

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

impl Words for Stream {
    fn fill(&mut self, out: &mut [u64]) {
        self.fill_u64(out);
    }
}

/// Any random number generator.
pub(super) struct Rng<'a, R: ?Sized>(pub(super) &'a mut R);

impl<R: rand::Rng + ?Sized> Words for Rng<'_, R> {
    fn fill(&mut self, out: &mut [u64]) {
        for word in out {
            *word = self.0.next_u64();
        }
    }
}

/// Words drawn ahead for the comparisons of a block, then the source itself.
pub(super) struct Ahead<'a, W> {
    drawn: &'a [u64],
    source: &'a mut W,
}

impl<'a, W> Ahead<'a, W> {
    pub(super) const fn new(drawn: &'a [u64], source: &'a mut W) -> Self {
        Self { drawn, source }
    }
}

impl<W: Words> Words for Ahead<'_, W> {
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
