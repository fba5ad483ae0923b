//! The parameters of a statement with more columns than another one has, or fewer.

use super::{CustomParams, Params};
use crate::error::{Error, RequestProblem};
use crate::params::Security;
use crate::rows::{Distribution, RowGroup};
use crate::suite::{Challenge, Masks};

impl Params {
    /// The same w, r, v, rows, dT and A for `l` columns, so that a column of S has the same column
    /// of T. F^2 is what it is by default, and sigma what it is for the rho of these parameters; n
    /// differs from the default by as much as here, and d from floor(log2 sigma), too. With mixed
    /// masks sigma is at least the sigma of these parameters, so that proofs of both statements
    /// share their number. It is no wider for more columns: hints of a column show it by a *row* of
    /// C, whose norm does not depend on l. No bound of more columns is smaller than here. Ternary
    /// challenges.
    ///
    /// # Errors
    /// [`Error::Request`] if so many columns would make 4 B larger than q / 2, have smaller bounds
    /// than these parameters, or have other parameters out of range; [`Error::Parameter`] if there
    /// are four groups of rows and the last is not uniform.
    #[doc(hidden)]
    pub fn with_columns(&self, l: u64) -> Result<CustomParams, Error> {
        debug_assert_eq!(self.challenge, Challenge::Ternary, "checked by the caller");
        let uniform = |group: &RowGroup| group.distribution == Distribution::Uniform;
        let (b, given) = match self.row_groups() {
            [given @ .., last] if uniform(last) => (last.bound, given),
            given => (1, given),
        };
        let (count, expected) = (given.len() as u64, "at most three, and uniform rows");
        Error::unless(count <= 3, "groups of rows", count, expected)?;
        let custom = CustomParams {
            n: Some(self.n),
            groups: core::array::from_fn(|i| given.get(i).copied()),
            round_t: Some(self.round_t),
            residual_weight: Some(self.residual_weight),
            expansion: self.expansion,
            rho: (self.masks == Masks::Wide).then(|| self.rho()),
            masks: self.masks,
            ..CustomParams::new(self.w, self.r, self.v, l, b)
        };
        let none = Error::Request(RequestProblem::NoParameters { w: self.w, b: self.b(), l });
        let default = custom.validate(Security::Waived).map_err(|_| none.clone())?.sigma();
        let sigma = if self.masks == Masks::Wide { default } else { default.max(self.sigma) };
        let round_w = (self.round_w + sigma.ilog2()).saturating_sub(self.sigma.ilog2());
        let custom = CustomParams { round_w: Some(round_w), ..custom };
        let given = (self.masks != Masks::Wide).then_some(sigma);
        let custom = CustomParams { sigma: given, ..custom };
        let longer = custom.validate(Security::Waived).map_err(|_| none.clone())?;
        let bounds = |p: &Self| [p.norm_bound_squared, p.wide.norm_bound_squared];
        let covers = bounds(&longer).into_iter().zip(bounds(self)).all(|(b, own)| b >= own);
        if covers || l < self.l { Ok(custom) } else { Err(none) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Goal;
    use crate::params::tests::name;
    use crate::rejection::Rho;

    #[test]
    fn columns_alone_change() {
        let goal = Goal { message_rows: 8 * 7 + 72, message_bound: Some(99), ..Goal::new(63, 300) };
        let custom = goal.optimise().unwrap();
        let params = custom.validate(Security::Required).unwrap();
        let former = CustomParams { rho: Some(3), round_w: None, ..custom };
        let former = former.validate(Security::Waived).unwrap();
        assert_eq!((params.rejection_rho(), former.rejection_rho()), (Rho::Two, Rho::Three));
        for l in [1, 2, 256, 300, 301, 310] {
            let other = params.with_columns(l).unwrap().validate(Security::Waived).unwrap();
            // A narrower sigma has a rho of 3, and so has what follows from it.
            let of_former = former.with_columns(l).unwrap().validate(Security::Waived).unwrap();
            assert_eq!(of_former.sigma(), other.needed_sigma());
            assert_eq!((other.rejection_rho(), of_former.rejection_rho()), (Rho::Two, Rho::Three));
            let same = |params: &Params| {
                let Params { w, r, v, round_t, expansion, .. } = *params;
                (w, r, v, round_t, expansion, params.groups)
            };
            assert!(same(&other) == same(&params));
            let fresh = CustomParams { l, round_w: None, ..custom };
            let fresh = fresh.validate(Security::Waived).unwrap();
            assert_eq!((other.l(), other.n(), other.sigma()), (l, fresh.n(), fresh.sigma()));
            let over = |params: &Params| params.round_w() - params.sigma().ilog2();
            assert_eq!(over(&other), over(&params));
            // And back.
            assert_eq!(
                other.with_columns(300).unwrap().validate(Security::Waived).unwrap(),
                params
            );
        }
        let group = |rows, distribution| RowGroup { rows, bound: 9, distribution };
        let any = group(2, Distribution::Any);
        let custom = CustomParams::new(32, 8, 40, 20, 1);
        let groups = [Some(any), Some(any), Some(any)];
        let four = CustomParams { groups, ..custom }.validate(Security::Waived).unwrap();
        let longer = four.with_columns(30).unwrap().validate(Security::Waived).unwrap();
        assert!(longer.row_groups() == four.row_groups());
        let errors = group(8, Distribution::Gaussian { micros: 2_000_000 });
        let groups = [Some(any), Some(group(30, Distribution::Uniform)), Some(errors)];
        let three = CustomParams { groups, ..custom }.validate(Security::Waived).unwrap();
        let longer = three.with_columns(30).unwrap().validate(Security::Waived).unwrap();
        assert!(longer.row_groups() == three.row_groups());
        // A header may have four, none of them uniform.
        let groups = crate::rows::RowGroups::new(&[any, any, group(28, Distribution::Any), errors]);
        let four = Params { groups: groups.unwrap(), ..four };
        assert_eq!(name(four.with_columns(30)), "groups of rows");
    }
}
