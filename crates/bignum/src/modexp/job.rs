//! One exponentiation of a batch.

/// One exponentiation.
///
/// ```
/// use tautochrone_bignum::{Job, Method, modexp_batch};
/// use tautochrone_simd::Isa;
///
/// let job = Job { base: &[3], exponent: &[5], modulus: &[48] };
/// for power in modexp_batch(Isa::detect(), Method::Barrett, &[job, job]) {
///     assert_eq!(power?[..], [3]);
/// }
/// # Ok::<(), tautochrone_bignum::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Any n-limb number.
    pub base: &'a [u64],
    /// A number of any width.
    pub exponent: &'a [u64],
    /// An n-limb number, not zero.
    pub modulus: &'a [u64],
}

impl core::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Job").field("limbs", &self.modulus.len()).finish_non_exhaustive()
    }
}
