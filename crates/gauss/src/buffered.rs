//! [`Buffered`]: samples one by one, drawn in batches.

use core::cell::RefCell;
use core::marker::PhantomData;

use rand::Rng;
use rand::distr::Distribution;
use tautochrone_simd::wipe;

use crate::element::{Sample, WideSample};
use crate::error::Error;
use crate::sampler::Sampler;
use crate::source::Generator;

/// Samples of a batch: 8 KiB.
const BATCH: usize = 1024;

/// A [`Sampler`] as a [`rand::distr::Distribution`] over `i64` or `i32`, at nearly the speed of
/// whole fills: it draws a batch of samples and hands them out one by one.
///
/// A batch comes from the generator of the call that found the former one used up. So use one
/// generator with one of these, and a new one of these where a generator is seeded again;
/// [`Distribution::sample_iter`] makes an iterator that owns both. Samples that are left are erased
/// on drop.
///
/// ```
/// use rand::distr::Distribution;
/// use tautochrone_ctr::{Label, Seed};
/// use tautochrone_gauss::Buffered;
/// use tautochrone_gauss::facct::Facct;
///
/// let facct = Facct::new(1e6)?;
/// // Any `CryptoRng`.
/// let mut rng = Seed::from_bytes([7; 32]).stream(Label::new("noise"), 0);
/// let noise = Buffered::<_, i32>::new(&facct)?;
/// let z = noise.sample(&mut rng);
/// assert!(u64::from(z.unsigned_abs()) <= facct.bound());
/// let more: Vec<i32> = noise.sample_iter(rng).take(1000).collect();
/// assert_ne!(more[0], more[1]);
/// # Ok::<(), tautochrone_gauss::Error>(())
/// ```
///
/// # Constant time
/// As the sampler, if the generator is; how many samples are left is public. (A generator that is
/// no [`rand::CryptoRng`] is for simulations: [`Distribution`] takes any, and the caller answers.)
pub struct Buffered<S, T> {
    sampler: S,
    batch: RefCell<Batch>,
    sample: PhantomData<fn() -> T>,
}

struct Batch {
    samples: [i64; BATCH],
    /// Samples handed out.
    used: usize,
}

impl<S: Sampler, T: WideSample> Buffered<S, T> {
    /// The sampler, with an empty batch.
    ///
    /// # Errors
    /// For `i32` [`Error::Output`] or [`Error::Centre`](crate::Error::Centre) if samples may not
    /// fit; none for `i64`.
    pub fn new(sampler: S) -> Result<Self, Error> {
        if T::LIMIT < i64::LIMIT {
            sampler.check_i32()?;
        }
        let batch = RefCell::new(Batch { samples: [0; BATCH], used: BATCH });
        Ok(Self { sampler, batch, sample: PhantomData })
    }
}

impl Batch {
    #[cold]
    #[inline(never)]
    fn refill<S: Sampler, R: Rng + ?Sized>(&mut self, sampler: &S, rng: &mut R) {
        sampler.fill(&mut Generator(rng), &mut self.samples);
        self.used = 0;
    }
}

impl<S: Sampler, T: WideSample> Distribution<T> for Buffered<S, T> {
    /// The next sample.
    ///
    /// # Panics
    /// If `rng` itself draws from this value.
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> T {
        let mut batch = self.batch.borrow_mut();
        if batch.used >= BATCH {
            batch.refill(&self.sampler, rng);
        }
        let used = batch.used;
        batch.used += 1;
        T::cut(batch.samples[used])
    }
}

impl<S, T> Drop for Buffered<S, T> {
    fn drop(&mut self) {
        wipe(&mut self.batch.get_mut().samples, 0);
    }
}

/// Samples are not printed.
impl<S: core::fmt::Debug, T> core::fmt::Debug for Buffered<S, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Buffered").field("sampler", &self.sampler).finish_non_exhaustive()
    }
}
