//! [`Bits`]: a register of lanes, one bit each, and what the circuits do with it.

/// Lanes of a block: every backend works on whole blocks, so that all consume the same random bits.
pub(super) const BLOCK: usize = 512;
/// One bit of each lane of a block: lane l is bit l % 8 of byte l / 8.
pub(super) type Plane = [u8; BLOCK / 8];

/// Erases secrets at the speed of `memset`, which the barrier keeps the compiler from dropping.
pub(super) fn erase<T: zeroize::DefaultIsZeroes>(secrets: &mut [T]) {
    secrets.fill(T::default());
    zeroize::optimization_barrier(secrets);
}

/// A register holding part of a [`Plane`]. Its existence proves that its instructions are there: only `load` makes one,
/// and takes the token.
pub(super) trait Bits: Copy {
    /// Proof that the CPU has this register's instructions.
    type Token: Copy;
    /// Registers that make a plane.
    const PARTS: usize;

    fn load(token: Self::Token, plane: &Plane, part: usize) -> Self;
    fn store(self, plane: &mut Plane, part: usize);
    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    /// !self & b.
    fn andnot(self, b: Self) -> Self;
    fn ones(self) -> Self;

    #[inline(always)]
    fn zero(self) -> Self {
        self.xor(self)
    }

    /// The function with truth table IMM (bit 4a + 2b + c).
    fn lut3<const IMM: i32>(a: Self, b: Self, c: Self) -> Self;
}
