//! Discrete Gaussians: calls of `tautochrone-gauss`.

use tautochrone_gauss::Error;
use tautochrone_gauss::bitslice::Bitslice;
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::Ziggurat;
use zeroize::Zeroizing;

use crate::memory;
use crate::status::{Failure, Status, guard, shield};
use crate::stream::Stream;

/// A sampler of a discrete Gaussian: P(z) proportional to exp(-z^2 / (2 sigma^2)). It does not
/// change: threads may share it, each with a stream of its own.
#[derive(Debug)]
pub struct Sampler(Kind);

#[derive(Debug)]
enum Kind {
    Facct(Box<Facct>),
    Bitslice(Bitslice),
    Ziggurat(Ziggurat),
}

const _: () = {
    const fn shared<T: Sync>() {}
    shared::<Sampler>();
};

/// Makes a sampler after FACCT: any real sigma from 2 to below 2^32, any centre; within 2^-100 of
/// the discrete Gaussian; constant time in the samples. Puts a handle at `out`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_sampler_new_facct(
    sigma: f64,
    out: *mut *mut Sampler,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe {
        memory::create(out, || Ok(Sampler(Kind::Facct(Box::new(Facct::new(sigma)?)))))
    })
}

/// Makes a bit-sliced sampler: sigma from about 0.15 to 10^5, probabilities of `precision` bits (32
/// to 128); constant time in the samples; the fastest for small sigma. Puts a handle at `out`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_sampler_new_bitslice(
    sigma: f64,
    precision: u32,
    out: *mut *mut Sampler,
) -> Status {
    let make = || Bitslice::builder().sigma(sigma).precision(precision).build();
    // SAFETY: the caller's promise.
    guard(|| unsafe { memory::create(out, || Ok(Sampler(Kind::Bitslice(make()?)))) })
}

/// Makes a Ziggurat: sigma from 1/2 to 2^40, exact to the last bit, cut at ceil(13 sigma). NOT
/// constant time: only where nobody can time the calls, or samples are public. Puts a handle at
/// `out`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_sampler_new_ziggurat(
    sigma: f64,
    out: *mut *mut Sampler,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { memory::create(out, || Ok(Sampler(Kind::Ziggurat(Ziggurat::new(sigma)?)))) })
}

/// Frees a sampler. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tautochrone_sampler_free(sampler: *mut Sampler) {
    // SAFETY: the caller's promise.
    shield((), || unsafe { memory::free(sampler) });
}

/// The largest absolute value of a sample (around 0); 0 for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tautochrone_sampler_bound(sampler: *const Sampler) -> u64 {
    // SAFETY: the caller's promise.
    shield(0, || unsafe { memory::reference(sampler, "sampler") }.map_or(0, |s| s.0.any().bound()))
}

/// Fills `out` with `len` independent samples of 8 bits.
///
/// TAUTOCHRONE_STATUS_PARAMETER if the bound does not fit. The same stream gives the same samples
/// of every width, and the same as Rust's `fill` of one array of this length. After an error `out`
/// holds zeros.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_sampler_fill_i8(
    sampler: *const Sampler,
    stream: *mut Stream,
    out: *mut i8,
    len: usize,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { fill(sampler, stream, out, len) })
}

/// As tautochrone_sampler_fill_i8, of 16 bits.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_sampler_fill_i16(
    sampler: *const Sampler,
    stream: *mut Stream,
    out: *mut i16,
    len: usize,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { fill(sampler, stream, out, len) })
}

/// As tautochrone_sampler_fill_i8, of 32 bits.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_sampler_fill_i32(
    sampler: *const Sampler,
    stream: *mut Stream,
    out: *mut i32,
    len: usize,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { fill(sampler, stream, out, len) })
}

/// As tautochrone_sampler_fill_i8, of 64 bits.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_sampler_fill_i64(
    sampler: *const Sampler,
    stream: *mut Stream,
    out: *mut i64,
    len: usize,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { fill(sampler, stream, out, len) })
}

/// Fills out[i] with a sample around centres[i], for `len` of them: P(z) proportional to exp(-(z -
/// centre)^2 / (2 sigma^2)), |centre| < 2^51.
///
/// For samplers after FACCT alone; TAUTOCHRONE_STATUS_PARAMETER for others. Constant time in
/// centres and samples. The arrays may not overlap. After an error `out` holds zeros.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_sampler_fill_centres(
    sampler: *const Sampler,
    stream: *mut Stream,
    centres: *const f64,
    out: *mut i64,
    len: usize,
) -> Status {
    guard(|| {
        memory::disjoint((centres.cast(), len, 8, "centres"), (out.cast(), len, 8, "out"))?;
        // SAFETY: the caller's promise; the arrays are apart.
        let (sampler, stream, centres, out) = unsafe {
            (
                memory::reference(sampler, "sampler")?,
                memory::exclusive(stream, "stream")?,
                memory::input(centres, len, "centres")?,
                memory::output(out, len, "out")?,
            )
        };
        let Kind::Facct(facct) = &sampler.0 else {
            return Err(Failure::parameter("only samplers after FACCT take centres"));
        };
        Ok(facct.fill_centres(centres, stream.inner(), out)?)
    })
}

/// The common part of all widths.
///
/// # Safety
/// As [`memory::reference`], [`memory::exclusive`] and [`memory::output`].
unsafe fn fill<T: Width>(
    sampler: *const Sampler,
    stream: *mut Stream,
    out: *mut T,
    len: usize,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let (sampler, stream, out) = unsafe {
        (
            memory::reference(sampler, "sampler")?,
            memory::exclusive(stream, "stream")?,
            memory::output(out, len, "out")?,
        )
    };
    Ok(T::draw(&sampler.0, stream.inner(), out)?)
}

impl Kind {
    fn any(&self) -> &dyn tautochrone_gauss::Sampler {
        match self {
            Self::Facct(sampler) => sampler.as_ref(),
            Self::Bitslice(sampler) => sampler,
            Self::Ziggurat(sampler) => sampler,
        }
    }
}

/// A type that samples are written as.
trait Width: Sized {
    fn draw(
        sampler: &Kind,
        stream: &mut tautochrone_ctr::Stream,
        out: &mut [Self],
    ) -> Result<(), Error>;
}

impl Width for i64 {
    fn draw(
        sampler: &Kind,
        stream: &mut tautochrone_ctr::Stream,
        out: &mut [Self],
    ) -> Result<(), Error> {
        sampler.any().fill(stream, out);
        Ok(())
    }
}

macro_rules! narrow {
    ($($t:ident)*) => {$(
        impl Width for $t {
            fn draw(
                sampler: &Kind,
                stream: &mut tautochrone_ctr::Stream,
                out: &mut [Self],
            ) -> Result<(), Error> {
                if let Kind::Bitslice(sampler) = sampler {
                    return sampler.try_fill(stream, out);
                }
                let sampler = sampler.any();
                let (sigma, bound) = (sampler.sigma(), sampler.bound());
                let limit = $t::MAX.unsigned_abs().into();
                if bound > limit {
                    return Err(Error::Output { sigma, bound, limit });
                }
                let mut wide = Zeroizing::new(vec![0; out.len()]);
                sampler.fill(stream, &mut wide);
                out.iter_mut().zip(wide.iter()).for_each(|(out, &z)| *out = z as $t);
                Ok(())
            }
        }
    )*};
}
narrow! { i8 i16 i32 }
