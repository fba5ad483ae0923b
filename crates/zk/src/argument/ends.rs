//! What is secret of each column in the proof of a circuit.

use alloc::vec::Vec;

use tautochrone_simd::declassify_slice;

use super::field::Element;

/// What is secret of each column.
#[derive(Clone, Copy)]
pub(super) struct Secrets<'a> {
    pub(super) kappa: &'a [Element],
    pub(super) gamma: &'a [Element],
    /// phi_1(s_j).
    pub(super) images: &'a [Element],
}

impl Secrets<'_> {
    /// y_j = val(kappa_j) + rho phi_1(s_j) + rho^2 val(gamma_j).
    ///
    /// # Constant time
    /// In the secrets.
    pub(super) fn values(self, rho: Element) -> Vec<Element> {
        let pairs = self.kappa.iter().zip(self.images).zip(self.gamma);
        let values: Vec<Element> =
            pairs.map(|((&kappa, &image), &gamma)| kappa + rho * (image + rho * gamma)).collect();
        declassify_slice(&values);
        values
    }
}
