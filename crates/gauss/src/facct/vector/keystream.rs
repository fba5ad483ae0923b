//! [`Keystream`]: where the random words of trials come from.

use tautochrone_simd::vector::Vector;

use super::super::batch::Group;

/// Where the four registers of each group come from.
pub(in crate::facct) trait Keystream<V> {
    /// The next ones.
    fn group(&mut self) -> [V; 4];

    /// Called with steps 1 to 8 of the work on a group, in order: a keystream makes the registers
    /// of the next group meanwhile. Work on `first` and `second` that comes before is done before
    /// it, later work on them after it.
    #[inline(always)]
    fn step(&mut self, step: usize, first: &mut [V; 2], second: &mut [V; 2]) {
        let _ = (step, first, second);
    }
}

/// From memory.
pub(super) struct Memory<'a, V: Vector> {
    token: V::Token,
    groups: &'a [Group],
}

impl<'a, V: Vector> Memory<'a, V> {
    #[inline(always)]
    pub(super) fn new(token: V::Token, words: &'a [u64]) -> Self {
        Self { token, groups: words.as_chunks().0 }
    }
}

impl<V: Vector> Keystream<V> for Memory<'_, V> {
    #[inline(always)]
    fn group(&mut self) -> [V; 4] {
        let (group, rest) = self.groups.split_first().expect("words for every group");
        self.groups = rest;
        let token = self.token;
        let register = group.as_chunks::<8>().0;
        [
            V::load(token, &register[0]),
            V::load(token, &register[1]),
            V::load(token, &register[2]),
            V::load(token, &register[3]),
        ]
    }
}
