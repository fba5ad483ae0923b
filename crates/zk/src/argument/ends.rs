//! What a masked sum-check over the entries of S comes down to: two equations between the values of
//! the columns, and what is sent for them.

use alloc::vec::Vec;

use tautochrone_simd::{declassify, declassify_slice};

use super::field::Element;
use super::sum_check::dot;

/// What is sent between the rounds and rho.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    /// v = sum over j of eq(r_2, j) phi_1(s_j).
    pub(super) value: Element,
    /// X_1 = sum over j of w_j phi_1(s_j).
    pub(super) weighted_values: Element,
    /// X_2 = sum over j of eq(r_2, j) gamma_j.
    pub(super) gammas: Element,
    /// Y_1 = sum over j of w_j kappa_j.
    pub(super) weighted_kappas: Element,
    /// Y_2 = sum over j of eq(r_2, j) kappa_j.
    pub(super) kappas: Element,
}

/// What is secret of each column.
#[derive(Clone, Copy)]
pub(super) struct Secrets<'a> {
    pub(super) kappa: &'a [Element],
    pub(super) gamma: &'a [Element],
    /// phi_1(s_j).
    pub(super) images: &'a [Element],
}

impl Secrets<'_> {
    /// What is sent, v being known, for the weights eq(r_2, j) and w_j.
    ///
    /// # Constant time
    /// In the secrets.
    pub(super) fn ends(self, value: Element, [eq, w]: [&[Element]; 2]) -> Ends {
        declassify(Ends {
            value,
            weighted_values: dot(w, self.images),
            gammas: dot(eq, self.gamma),
            weighted_kappas: dot(w, self.kappa),
            kappas: dot(eq, self.kappa),
        })
    }

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

impl Ends {
    pub(super) const COUNT: usize = 5;

    pub(super) const fn to_array(self) -> [Element; Self::COUNT] {
        [self.value, self.weighted_values, self.gammas, self.weighted_kappas, self.kappas]
    }

    pub(super) const fn from_array(elements: [Element; Self::COUNT]) -> Self {
        let [value, weighted_values, gammas, weighted_kappas, kappas] = elements;
        Self { value, weighted_values, gammas, weighted_kappas, kappas }
    }

    /// Whether sum over j of eq(r_2, j) y_j = Y_2 + rho v + rho^2 X_2 and sum over j of w_j y_j =
    /// Y_1 + rho X_1 + rho^2 Lambda.
    pub(super) fn hold(
        &self,
        rho: Element,
        lambda: Element,
        values: &[Element],
        [eq, w]: [&[Element]; 2],
    ) -> bool {
        let Self { value, weighted_values, gammas, weighted_kappas, kappas } = *self;
        dot(eq, values) == kappas + rho * (value + rho * gammas)
            && dot(w, values) == weighted_kappas + rho * (weighted_values + rho * lambda)
    }
}
