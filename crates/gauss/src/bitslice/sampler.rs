//! [`Bitslice`]: the sampler of blocks.

use alloc::vec::Vec;

use num_bigint::BigUint;
use tautochrone_simd::Isa;

use super::cumulative::Cumulative;
use super::kernel::Kernel;
use super::kind::{Form, Kind};
use super::lanes::Scratch;
use crate::element::{Sample, WideSample};
use crate::error::Error;
use crate::exact::{Distance, Half, Ideal, Pmf, Variance};
use crate::sampler::by_own_methods;
use crate::source::Source;

/// A constant-time sampler of a discrete Gaussian distribution. See the [module
/// documentation](super).
///
/// ```
/// use tautochrone_ctr::{Label, Seed};
/// use tautochrone_gauss::bitslice::Bitslice;
///
/// let mut stream = Seed::from_os()?.stream(Label::new("my errors"), 0);
/// let mut errors = [0_i8; 1000];
/// Bitslice::new(3.19)?.try_fill(&mut stream, &mut errors)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bitslice {
    pub(super) isa: Isa,
    pub(super) variance: Variance,
    /// The table's distribution; the base of the sum if there is a factor.
    pub(super) pmf: Pmf,
    /// k of the sum x1 + k x2.
    pub(super) factor: Option<u32>,
    pub(super) kind: Kind,
    /// The table of single samples.
    pub(super) cumulative: Cumulative,
    pub(super) kernel: Kernel,
}

impl Bitslice {
    /// sigma, rounded.
    #[must_use]
    pub fn sigma(&self) -> f64 {
        self.variance.sigma()
    }

    /// Which distribution.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// P of the table: at least what was asked for.
    #[must_use]
    pub fn precision(&self) -> u32 {
        self.pmf.precision()
    }

    /// Layout of the random bits.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.kernel.form()
    }

    /// k if samples are sums x1 + k x2.
    #[must_use]
    pub const fn factor(&self) -> Option<u32> {
        self.factor
    }

    /// The integer table (of the base, if samples are sums).
    #[must_use]
    pub const fn pmf(&self) -> &Pmf {
        &self.pmf
    }

    /// The instruction set in use.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.isa
    }

    /// Largest absolute value of a sample.
    #[must_use]
    pub fn bound(&self) -> u64 {
        let z = self.pmf.masses().len() as u64 - 1;
        let k = self.factor.map_or(0, u64::from);
        z * (1 + k) + u64::from(self.kind() == Kind::Bimodal)
    }

    /// Distance of the sampled distribution from the ideal one, computed exactly. Seconds for a sum
    /// of large tables.
    ///
    /// For signed kinds this is the distance of the distribution itself: signs are exact.
    #[must_use]
    pub fn distance(&self) -> Distance {
        let Some(k) = self.factor else { return self.pmf.distance() };
        // Masses of x1 + k x2 in units of 2^-(2P + 2), the full distribution's units being
        // 2^-(P + 1); then folded.
        let p = self.pmf.masses();
        let n = p.len() as i64;
        let full = |z: i64| BigUint::from(p[z.unsigned_abs() as usize]) << u32::from(z == 0);
        let full: Vec<BigUint> = (1 - n..n).map(full).collect();
        let mut sum = alloc::vec![BigUint::ZERO; self.bound() as usize + 1];
        for (x1, p1) in (1 - n..n).zip(&full) {
            for (x2, p2) in (1 - n..n).zip(&full) {
                sum[(x1 + i64::from(k) * x2).unsigned_abs() as usize] += p1 * p2;
            }
        }
        let bits = 2 * self.precision() + 2;
        let ideal = Ideal::new(&self.variance, Half::Folded, 2 * bits + 80);
        Distance::between(&sum, bits, &ideal)
    }

    /// Fills `out` with independent samples: whole blocks of 512 are drawn, the last one cut.
    ///
    /// # Constant time
    /// In the source and `out`. Variable in `out.len()` and the parameters, which are public.
    pub fn fill<T: WideSample>(&self, source: &mut dyn Source, out: &mut [T]) {
        self.fill_with(source, &mut Scratch::new(), out);
    }

    /// As [`Self::fill`], also into `i8` and `i16`.
    ///
    /// # Errors
    /// [`Error::Output`] if [`Self::bound`] does not fit; nothing is drawn then.
    pub fn try_fill<T: Sample>(&self, source: &mut dyn Source, out: &mut [T]) -> Result<(), Error> {
        self.check::<T>()?;
        self.fill_with(source, &mut Scratch::new(), out);
        Ok(())
    }

    fn check<T: Sample>(&self) -> Result<(), Error> {
        Error::check_output(self.bound(), T::LIMIT, || self.sigma())
    }
}

by_own_methods!(Bitslice);
