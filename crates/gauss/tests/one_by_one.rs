//! Samples one by one, through the trait and from any generator: samples that a buffer hands out,
//! and what a generator with the bytes of a stream gives. `battery` has the distributions of
//! samples that are drawn directly.

use rand::distr::Distribution as _;
use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Width};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::{Options, Ziggurat};
use tautochrone_gauss::{Buffered, Error, Generator, Sampler, Source};
use tautochrone_simd::Isa;

/// Not a multiple of any block.
const COUNT: usize = 1237;

fn stream(index: u64) -> Stream {
    Seed::from_bytes([12; 32]).stream(Label::new("one by one"), index)
}

/// Two fills agree, the first from a stream and the other from a generator, on samples and on what
/// they read. The generator is a stream as well, which the second fill does not know.
fn agree<T: Default + Copy + PartialEq + core::fmt::Debug>(
    fill: impl Fn(&mut dyn Source, &mut [T]),
    other_fill: impl Fn(&mut dyn Source, &mut [T]),
) {
    for len in [0, 1, 13, COUNT, 5000] {
        let (mut want, mut got) = (vec![T::default(); len], vec![T::default(); len]);
        let (mut stream, mut other) = (stream(len as u64), stream(len as u64));
        fill(&mut stream, &mut want);
        other_fill(&mut Generator::new(&mut other), &mut got);
        assert_eq!(got, want, "{len}");
        assert_eq!(other.position(), stream.position(), "{len}");
    }
}

#[test]
fn generators_with_the_bytes_of_a_stream_give_its_samples() {
    fn same<T: Default + Copy + PartialEq + core::fmt::Debug>(
        fill: impl Fn(&mut dyn Source, &mut [T]),
    ) {
        agree(&fill, &fill);
    }
    let facct = Facct::new(215.5).unwrap();
    same(|source, out| facct.fill(source, out));
    same(|source, out| facct.fill_i32(source, out).unwrap());
    same(|source, out| facct.fill_centred(-3.7, source, out).unwrap());
    let centres: Vec<f64> = (0..5000_u32).map(|i| f64::from(i) * 0.37).collect();
    same(|source, out| facct.fill_centres(&centres[..out.len()], source, out).unwrap());

    let bitslice = Bitslice::new(3.19).unwrap();
    same::<i32>(|source, out| bitslice.fill(source, out));
    same::<i8>(|source, out| bitslice.try_fill(source, out).unwrap());
    let ziggurat = Ziggurat::new(10.0).unwrap();
    same(|source, out| ziggurat.fill(source, out));

    let adjusted = Adjusted::new(&Bitslice::builder().sigma(2.0), Width::public(1.6)).unwrap();
    same::<i64>(|source, out| _ = adjusted.fill(0.3, source, out).unwrap());
    same::<i32>(|source, out| {
        adjusted.fill_centres(&centres[..out.len()], source, out).unwrap();
    });
}

/// The trait does what the methods of the same names do, on every instruction set.
#[test]
fn the_trait_does_what_the_samplers_do() {
    fn same(
        sampler: &dyn Sampler,
        want: (f64, u64, Isa),
        fill: impl Fn(&mut dyn Source, &mut [i64]),
    ) {
        assert_eq!((sampler.sigma(), sampler.bound(), sampler.isa()), want);
        agree(fill, |source, out| sampler.fill(source, out));
        agree(|s, out| sampler.fill(s, out), |source, out| (&sampler).fill(source, out));
    }
    for isa in Isa::all() {
        let facct = Facct::new_on(isa, 3.3).unwrap();
        same(&facct, (3.3, facct.bound(), isa), |s, out| facct.fill(s, out));
        let (mu, bound) = (1e6 + 0.3, 1_000_001 + facct.bound());
        let centred = facct.at(mu).unwrap();
        same(&centred, (3.3, bound, isa), |s, out| facct.fill_centred(mu, s, out).unwrap());
        let bitslice = Bitslice::new_on(isa, 3.2).unwrap();
        same(&bitslice, (3.2, bitslice.bound(), isa), |s, out| bitslice.fill(s, out));
        let ziggurat = Ziggurat::new_on(isa, 3.1, Options::default()).unwrap();
        same(&ziggurat, (3.1, ziggurat.bound(), isa), |s, out| ziggurat.fill(s, out));
    }
}

/// `new` is `new_on` with the best instruction set, tiles aside, which no sampler uses, and, for
/// the ziggurat, with the default options.
#[test]
fn new_takes_the_best_instruction_set() {
    let best = Isa::detect_vectors();
    let ziggurat = Ziggurat::new_on(best, 5.5, Options::default()).unwrap();
    let samplers: [[&dyn Sampler; 2]; 3] = [
        [&Facct::new(5.5).unwrap(), &Facct::new_on(best, 5.5).unwrap()],
        [&Bitslice::new(5.5).unwrap(), &Bitslice::new_on(best, 5.5).unwrap()],
        [&Ziggurat::new(5.5).unwrap(), &ziggurat],
    ];
    for [new, on] in samplers {
        assert_eq!((new.sigma(), new.bound(), new.isa()), (on.sigma(), on.bound(), best));
        agree(|s, out| new.fill(s, out), |source, out| on.fill(source, out));
    }
}

#[test]
fn a_buffer_hands_out_batches() {
    let facct = Facct::new(215.5).unwrap();
    let samplers: [&dyn Sampler; 4] = [
        &facct,
        &facct.at(0.7).unwrap(),
        &Bitslice::new(3.19).unwrap(),
        &Ziggurat::new(10.0).unwrap(),
    ];
    for sampler in samplers {
        let mut rng = stream(1);
        let mut want = Vec::new();
        for _ in 0..3 {
            let mut batch = [0; 1024];
            sampler.fill(&mut rng, &mut batch);
            want.extend(batch);
        }
        let buffered = Buffered::<_, i64>::new(sampler).unwrap();
        let mut rng = stream(1);
        let got: Vec<i64> = (0..COUNT).map(|_| buffered.sample(&mut rng)).collect();
        assert_eq!(got, want[..COUNT]);
        let buffered = Buffered::<_, i32>::new(sampler).unwrap();
        let got: Vec<i32> = buffered.sample_iter(stream(1)).take(COUNT).collect();
        assert!(got.iter().zip(&want).all(|(&g, &w)| i64::from(g) == w));
    }
}

#[test]
fn what_does_not_fit_32_bits_is_refused() {
    let facct = Facct::new(1e9).unwrap();
    assert!(matches!(Buffered::<_, i32>::new(&facct), Err(Error::Output { .. })));
    assert!(Buffered::<_, i64>::new(&facct).is_ok());
    let facct = Facct::new(1e6).unwrap();
    let limit = i32::MAX as f64 - facct.bound() as f64;
    for (mu, fits) in [
        (limit - 0.5, true),
        (limit, false),
        (1.0 - limit, true),
        (0.5 - limit, false),
        (-limit, false),
    ] {
        let centred = facct.at(mu).unwrap();
        assert_eq!(centred.check_i32().is_ok(), fits, "{mu}");
        assert_eq!(Buffered::<_, i32>::new(&centred).is_ok(), fits, "{mu}");
    }
    assert!(matches!(facct.at(f64::NAN), Err(Error::Centre { .. })));
}

/// Secrets are not printed.
#[test]
fn nothing_secret_is_printed() {
    let facct = Facct::new(3.0).unwrap();
    let centred = facct.at(0.123_456).unwrap();
    let buffered = Buffered::<_, i64>::new(&centred).unwrap();
    let _ = buffered.sample(&mut stream(0));
    for text in [format!("{centred:?}"), format!("{buffered:?}")] {
        assert!(!text.contains("123456") && text.ends_with(", .. }"), "{text}");
    }
}
