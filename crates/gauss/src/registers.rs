//! [`instructions`]: the methods of vector registers that are one instruction each.

/// Implements methods on a newtype of a vector register, whose existence proves that its instructions are there, each as one
/// intrinsic on the register and its operands: `xor(b) = _mm256_xor_si256;`.
macro_rules! instructions {
    ($($method:ident($($operand:ident),*) = $intrinsic:expr;)*) => {$(
        #[inline(always)]
        fn $method(self $(, $operand: Self)*) -> Self {
            // SAFETY: a register exists only where its instructions do.
            Self(unsafe { $intrinsic(self.0 $(, $operand.0)*) })
        }
    )*};
}
pub(crate) use instructions;
