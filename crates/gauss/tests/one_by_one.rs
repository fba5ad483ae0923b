//! Samples one by one and from any generator: samples drawn directly, samples that a buffer hands
//! out, and what a generator with the bytes of a stream gives.

use core::convert::Infallible;

use rand::distr::Distribution as _;
use rand::{CryptoRng, TryCryptoRng, TryRng};
use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Kind, Width};
use tautochrone_gauss::exact::Variance;
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::Ziggurat;
use tautochrone_gauss::{Buffered, Error, Sampler};
use tautochrone_testkit::{Battery, Distribution};

/// Not a multiple of any block.
const COUNT: usize = 1237;

fn stream(index: u64) -> Stream {
    Seed::from_bytes([12; 32]).stream(Label::new("one by one"), index)
}

/// A generator that is no [`Stream`] but gives the bytes of one.
struct Other(Stream);

impl TryRng for Other {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(out)
    }
}

impl TryCryptoRng for Other {}

/// Both forms of a method agree, on samples and on what they read.
fn agree<T: Default + Copy + PartialEq + core::fmt::Debug>(
    from_stream: impl Fn(&mut Stream, &mut [T]),
    from_generator: impl Fn(&mut Other, &mut [T]),
) {
    for len in [0, 1, 13, COUNT, 5000] {
        let (mut want, mut got) = (vec![T::default(); len], vec![T::default(); len]);
        let (mut stream, mut other) = (stream(len as u64), Other(stream(len as u64)));
        from_stream(&mut stream, &mut want);
        from_generator(&mut other, &mut got);
        assert_eq!(got, want, "{len}");
        assert_eq!(other.0.position(), stream.position(), "{len}");
    }
}

#[test]
fn generators_with_the_bytes_of_a_stream_give_its_samples() {
    let facct = Facct::new(215.5).unwrap();
    agree(|s, out| facct.fill(s, out), |g, out| facct.fill_from(g, out));
    let centred = facct.at(-3.7).unwrap();
    agree(|s, out| centred.fill(s, out), |g, out| centred.fill_from(g, out));
    let centres: Vec<f64> = (0..5000_u32).map(|i| f64::from(i) * 0.37).collect();
    agree(
        |s, out| facct.fill_centres(&centres[..out.len()], s, out).unwrap(),
        |g, out| facct.fill_centres_from(&centres[..out.len()], g, out).unwrap(),
    );

    let bitslice = Bitslice::new(3.19).unwrap();
    agree::<i32>(|s, out| bitslice.fill(s, out), |g, out| bitslice.fill_from(g, out));
    agree::<i8>(
        |s, out| bitslice.try_fill(s, out).unwrap(),
        |g, out| bitslice.try_fill_from(g, out).unwrap(),
    );
    let ziggurat = Ziggurat::new(10.0).unwrap();
    agree(|s, out| ziggurat.fill(s, out), |g, out| ziggurat.fill_from(g, out));

    let adjusted = Adjusted::new(&Bitslice::builder().sigma(2.0), Width::public(1.6)).unwrap();
    agree::<i64>(
        |s, out| _ = adjusted.fill(0.3, s, out).unwrap(),
        |g, out| _ = adjusted.fill_from(0.3, g, out).unwrap(),
    );
    agree::<i32>(
        |s, out| _ = adjusted.fill_centres(&centres[..out.len()], s, out).unwrap(),
        |g, out| _ = adjusted.fill_centres_from(&centres[..out.len()], g, out).unwrap(),
    );
}

/// 32 bits are the 64; a sampler around a centre is `fill_centred`.
#[test]
fn all_forms_have_the_same_samples() {
    let facct = Facct::new(1e6).unwrap();
    let centred = facct.at(1e6 + 0.3).unwrap();
    let (mut wide, mut narrow, mut other) = (vec![0; COUNT], vec![0; COUNT], vec![0; COUNT]);
    facct.fill(&mut stream(0), &mut wide);
    facct.fill_i32(&mut stream(0), &mut narrow).unwrap();
    assert!(wide.iter().zip(&narrow).all(|(&w, &n)| w == i64::from(n)));
    facct.fill_centred(1e6 + 0.3, &mut stream(0), &mut wide).unwrap();
    Sampler::fill(&centred, &mut stream(0), &mut other);
    assert_eq!(other, wide);
    Sampler::fill_from(&&centred, &mut stream(0), &mut other);
    assert_eq!(other, wide);
    assert!(wide.iter().all(|z| z.unsigned_abs() <= centred.bound()));
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
            sampler.fill_from(&mut rng, &mut batch);
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

/// Each sample directly from a generator.
fn accepts(want: Distribution, mut draw: impl FnMut(&mut dyn CryptoRng) -> i64) {
    let mut rng = stream(7);
    Battery::new(want).run(1 << 18, |out| out.fill_with(|| draw(&mut rng))).assert_accepts();
}

#[test]
fn single_samples_have_the_distribution() {
    for sigma in [2.0, 215.5, 1e9] {
        let facct = Facct::new(sigma).unwrap();
        accepts(Distribution::full(sigma, 0.0), |mut rng| facct.sample(&mut rng));
        let centred = facct.at(-3.7).unwrap();
        accepts(Distribution::full(sigma, -3.7), |mut rng| centred.sample(&mut rng));
        let ziggurat = Ziggurat::new(sigma).unwrap();
        accepts(Distribution::full(sigma, 0.0), |mut rng| ziggurat.sample(&mut rng));
    }
}

/// Widths below 2, rational variances and every precision, without generated code.
#[test]
fn narrow_samples_have_the_distribution() {
    let variances = [(1, 4), (1, 1), (9, 5), (7, 3)];
    for (numerator, denominator) in variances {
        for precision in [64, 128] {
            let variance = Variance::ratio(numerator, denominator).unwrap();
            let sigma = variance.sigma();
            let bitslice =
                Bitslice::builder().variance(variance).precision(precision).build().unwrap();
            assert_eq!(bitslice.kind(), Kind::Full);
            let full = || Distribution::full(sigma, 0.0);
            accepts(full(), |mut rng| bitslice.sample(&mut rng));
            let mut stream = stream(precision.into());
            Battery::new(full())
                .run(1 << 20, |out| bitslice.fill(&mut stream, out))
                .assert_accepts();
        }
    }
}
