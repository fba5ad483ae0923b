//! Discrete Gaussians: calls of `tautochrone-gauss`.

use tautochrone_gauss::Error;
use tautochrone_gauss::bitslice::{Bitslice, Sample};
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
    guard(|| unsafe { fill(sampler, stream, out, len, |z| z as i8) })
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
    guard(|| unsafe { fill(sampler, stream, out, len, |z| z as i16) })
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
    guard(|| unsafe { fill(sampler, stream, out, len, |z| z as i32) })
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
    guard(|| {
        // SAFETY: the caller's promise.
        let (sampler, stream, out) = unsafe { operands(sampler, stream, out, len)? };
        sampler.any().fill(stream, out);
        Ok(())
    })
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
        let ((sampler, stream, out), centres) = unsafe {
            (operands(sampler, stream, out, len)?, memory::input(centres, len, "centres")?)
        };
        let Kind::Facct(facct) = sampler else {
            return Err(Failure::parameter("only samplers after FACCT take centres"));
        };
        Ok(facct.fill_centres(centres, stream, out)?)
    })
}

/// The references that a call fills an array with.
///
/// # Safety
/// As [`memory::reference`], [`memory::exclusive`] and [`memory::output`].
unsafe fn operands<'a, T>(
    sampler: *const Sampler,
    stream: *mut Stream,
    out: *mut T,
    len: usize,
) -> Result<(&'a Kind, &'a mut tautochrone_ctr::Stream, &'a mut [T]), Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        let sampler = memory::reference(sampler, "sampler")?;
        let stream = memory::exclusive(stream, "stream")?;
        Ok((&sampler.0, stream.inner(), memory::output(out, len, "out")?))
    }
}

/// Samples of a width below 64 bits, `cut` to it.
///
/// # Safety
/// As [`operands`].
unsafe fn fill<T: Sample>(
    sampler: *const Sampler,
    stream: *mut Stream,
    out: *mut T,
    len: usize,
    cut: fn(i64) -> T,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let (sampler, stream, out) = unsafe { operands(sampler, stream, out, len)? };
    if let Kind::Bitslice(sampler) = sampler {
        return Ok(sampler.try_fill(stream, out)?);
    }
    let sampler = sampler.any();
    let (sigma, bound, limit) = (sampler.sigma(), sampler.bound(), T::LIMIT);
    if bound > limit {
        return Err(Error::Output { sigma, bound, limit }.into());
    }
    let mut wide = Zeroizing::new(vec![0; len]);
    sampler.fill(stream, &mut wide);
    out.iter_mut().zip(wide.iter()).for_each(|(out, &z)| *out = cut(z));
    Ok(())
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
