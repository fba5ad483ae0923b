//! [`Builder`]: the requested parameters, and whether they are possible.

use tautochrone_simd::Isa;

use super::alias::AliasTable;
use super::bytes::Bytes;
use super::cumulative::Cumulative;
use super::kernel::Kernel;
use super::kind::{Form, Kind};
use super::presets::Preset;
use super::sampler::Bitslice;
use crate::error::Error;
use crate::exact::{Half, Pmf, Variance, reach};
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;

/// Widest table (in values) that a full Gaussian uses before it becomes a sum.
const WIDEST_DIRECT: usize = 512;

impl Bitslice {
    /// A full Gaussian of 64 bits unless told otherwise.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The full Gaussian of this sigma at 64 bits, on the best instruction set.
    ///
    /// # Errors
    /// [`Error::Sigma`] for a width that is no positive number or that this precision cannot serve.
    pub fn new(sigma: f64) -> Result<Self, Error> {
        Self::builder().sigma(sigma).build()
    }

    /// As [`Self::new`], on a chosen instruction set; the output is the same on all of them.
    ///
    /// # Errors
    /// [`Error::Sigma`] for a width that is no positive number or that this precision cannot serve.
    pub fn new_on(isa: Isa, sigma: f64) -> Result<Self, Error> {
        Self::builder().sigma(sigma).isa(isa).build()
    }
}

/// Parameters of a [`Bitslice`].
///
/// ```
/// use tautochrone_gauss::bitslice::{Bitslice, Kind};
///
/// let sampler = Bitslice::builder().sigma(2.0).precision(128).kind(Kind::FoldedHalf).build()?;
/// assert!(sampler.precision() >= 128);
/// # Ok::<(), tautochrone_gauss::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    variance: Result<Variance, Error>,
    precision: u32,
    bits: Option<u32>,
    tail: Option<f64>,
    kind: Kind,
    form: Option<Form>,
    direct: bool,
    isa: Option<Isa>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            variance: Variance::from_sigma(f64::NAN),
            precision: 64,
            bits: None,
            tail: None,
            kind: Kind::Full,
            form: None,
            direct: false,
            isa: None,
        }
    }
}

impl Builder {
    /// The width, read as the decimal it prints as ([`Variance::from_sigma`]).
    #[must_use]
    pub fn sigma(mut self, sigma: f64) -> Self {
        self.variance = Variance::from_sigma(sigma);
        self
    }

    /// The squared width, exactly.
    #[must_use]
    pub fn variance(mut self, variance: Variance) -> Self {
        self.variance = Ok(variance);
        self
    }

    /// P, 32 to 128 bits; 64 if not given. The byte form rounds it up to whole bytes.
    #[must_use]
    pub const fn precision(mut self, bits: u32) -> Self {
        self.precision = bits;
        self
    }

    /// Demands that magnitudes fit this many bits.
    #[must_use]
    pub const fn bits(mut self, bits: u32) -> Self {
        self.bits = Some(bits);
        self
    }

    /// Demands that samples reach `tail` sigma.
    #[must_use]
    pub const fn tail(mut self, tail: f64) -> Self {
        self.tail = Some(tail);
        self
    }

    /// Which distribution; the full Gaussian if not given.
    #[must_use]
    pub const fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Forces a layout of the random bits; by default the faster one for the distribution.
    #[must_use]
    pub const fn form(mut self, form: Form) -> Self {
        self.form = Some(form);
        self
    }

    /// One table, however wide the distribution: no sum of two narrower ones.
    #[must_use]
    pub const fn direct(mut self) -> Self {
        self.direct = true;
        self
    }

    /// The instruction set; the best of the CPU if not given. The samples do not depend on it.
    #[must_use]
    pub const fn isa(mut self, isa: Isa) -> Self {
        self.isa = Some(isa);
        self
    }

    /// Builds the sampler, in milliseconds.
    ///
    /// # Errors
    /// [`Error::Sigma`] for a width that is no positive number or that this precision cannot serve;
    /// [`Error::Precision`] outside 32..=128; [`Error::Bits`] and [`Error::Tail`] if the demands of
    /// [`Self::bits`] and [`Self::tail`] are not met; [`Error::NoCircuit`] if [`Form::Planes`] is
    /// asked for a distribution that is no [`Preset`].
    pub fn build(&self) -> Result<Bitslice, Error> {
        let variance = self.variance.clone()?;
        let isa = self.isa.unwrap_or_else(Isa::detect_vectors);
        let (base, factor) = self.split(&variance)?;
        let half = self.kind.half();
        let asked = Pmf::new(&base, half, self.precision).map_err(|error| match error {
            // The limit of a table is not the limit of sums.
            Error::Sigma { got, least, .. } => Error::Sigma { got, least, limit: self.limit() },
            error => error,
        })?;
        let preset = Preset::find(&asked);
        // Measured: circuits of a few hundred operations are near byte look-ups with AVX-512 VBMI
        // and ahead of them elsewhere; larger ones are behind, so that none is generated for them.
        let form = self.form.unwrap_or(if preset.is_some() { Form::Planes } else { Form::Bytes });
        let (pmf, kernel) = match form {
            Form::Planes => {
                let preset = preset.ok_or(Error::NoCircuit {
                    sigma: variance.sigma(),
                    precision: self.precision,
                })?;
                let kernel = Kernel::planes(preset, &asked, self.kind);
                (asked, kernel)
            }
            Form::Bytes => {
                let pmf = Self::whole_bytes(asked, &base, half)?;
                let (slot_bits, _) = Bytes::shape(pmf.masses().len(), pmf.precision());
                let table = AliasTable::identity(&pmf, slot_bits);
                let kernel = Kernel::bytes(&pmf, &table, self.kind);
                (pmf, kernel)
            }
        };
        let cumulative = Cumulative::new(&pmf);
        let sampler = Bitslice { isa, variance, pmf, factor, kind: self.kind, cumulative, kernel };
        self.check(&sampler)?;
        Ok(sampler)
    }

    /// The distribution at the precision that whole threshold bytes give.
    fn whole_bytes(asked: Pmf, base: &Variance, half: Half) -> Result<Pmf, Error> {
        let mut pmf = asked;
        loop {
            let (_, precision) = Bytes::shape(pmf.masses().len(), pmf.precision());
            // 128 bits hold no more: the threshold's lowest byte is then partly unused.
            let precision = precision.min(128);
            if precision == pmf.precision() {
                return Ok(pmf);
            }
            // A finer table may have a longer tail, hence more slots: at most one more round.
            pmf = Pmf::new(base, half, precision)?;
        }
    }

    /// Variance of the table and, for a sum, its factor k.
    fn split(&self, variance: &Variance) -> Result<(Variance, Option<u32>), Error> {
        let sigma = variance.sigma();
        let narrow = sigma * reach(f64::from(self.bits_in_range())) <= WIDEST_DIRECT as f64;
        if !self.may_be_a_sum() || narrow {
            return Ok((variance.clone(), None));
        }
        let limit = self.limit();
        if sigma >= limit {
            let least = Pmf::smallest_sigma(self.bits_in_range());
            return Err(Error::Sigma { got: sigma, least, limit });
        }
        let k = (sigma / self.least_quotient() - 1.0).sqrt().floor() as u32;
        Ok((variance.divided_by(1 + u64::from(k) * u64::from(k)), Some(k)))
    }

    fn may_be_a_sum(&self) -> bool {
        self.kind == Kind::Full && !self.direct
    }

    /// P; the construction of the table reports one that is out of range.
    fn bits_in_range(&self) -> u32 {
        self.precision.clamp(32, 128)
    }

    /// The lower bound of sigma / (1 + k^2): sqrt(P ln 2 / 2 pi^2).
    fn least_quotient(&self) -> f64 {
        let precision = f64::from(self.bits_in_range());
        (precision * core::f64::consts::LN_2 / 2.0).sqrt() / core::f64::consts::PI
    }

    /// First sigma that is too large for any sampler.
    fn limit(&self) -> f64 {
        let widest = Pmf::largest_sigma(self.bits_in_range());
        if self.may_be_a_sum() { (widest * widest / self.least_quotient()).floor() } else { widest }
    }

    /// The demands on the support.
    fn check(&self, sampler: &Bitslice) -> Result<(), Error> {
        let (bound, sigma, precision) = (sampler.bound(), sampler.sigma(), sampler.precision());
        let needed = bound.ilog2() + 1;
        if let Some(bits) = self.bits
            && bits < needed
        {
            return Err(Error::Bits { bits, needed, sigma, precision });
        }
        if let Some(tail) = self.tail {
            let reached = bound as f64 / sigma;
            if tail.is_nan() || tail > reached {
                // exp(-t^2 / 2) = 2^-P.
                let needed = (tail * tail / (2.0 * core::f64::consts::LN_2)).ceil() + 4.0;
                return Err(Error::Tail { tail, reached, precision, needed });
            }
        }
        Ok(())
    }
}
