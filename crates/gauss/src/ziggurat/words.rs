//! [`Words`]: where uniform words come from.

use tautochrone_ctr::Stream;

use crate::source::Source;

/// A source of uniform words.
pub(super) trait Words {
    /// The next words.
    fn fill(&mut self, out: &mut [u64]);

    /// The stream that this is, if it is one.
    fn stream(&mut self) -> Option<&mut Stream> {
        None
    }

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

    fn stream(&mut self) -> Option<&mut Stream> {
        Source::stream(self)
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

/// Words drawn ahead, and no others: zeros in their place, and word of it.
#[cfg(target_arch = "x86_64")]
pub(super) struct Drawn<'a> {
    drawn: &'a [u64],
    short: bool,
}

#[cfg(target_arch = "x86_64")]
impl<'a> Drawn<'a> {
    pub(super) const fn new(drawn: &'a [u64]) -> Self {
        Self { drawn, short: false }
    }

    /// Whether more words were asked for than there were: what was decided by them means nothing.
    pub(super) const fn is_short(&self) -> bool {
        self.short
    }
}

#[cfg(target_arch = "x86_64")]
impl Words for Drawn<'_> {
    fn fill(&mut self, out: &mut [u64]) {
        for word in out {
            *word = self.word();
        }
    }

    #[inline]
    fn word(&mut self) -> u64 {
        let next = self.drawn.split_off_first();
        self.short |= next.is_none();
        next.copied().unwrap_or(0)
    }
}
