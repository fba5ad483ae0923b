//! The constant-time samplers: the stream is secret, and with it every sample.

use rand::distr::Distribution;
use tautochrone_assurance::valgrind::{secret, secret_array};
#[cfg(tautochrone_ctgrind)]
use tautochrone_ctr::{Label, Seed};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Builder, Form, Kind, Width};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::{Buffered, Error, uniform};
use tautochrone_simd::Isa;

use crate::report::{Report, still_secret};
use crate::stream::secret_stream;

fn builder(isa: Isa, sigma: f64) -> Builder {
    Bitslice::builder().sigma(sigma).isa(isa)
}

pub fn check(report: &mut Report, isa: Isa) {
    // Circuits, byte look-ups, a sum of two.
    for (name, builder) in [
        ("preset", builder(isa, 2.0)),
        ("fine preset", builder(isa, 2.0).precision(128)),
        ("bytes", builder(isa, 34.0).form(Form::Bytes)),
        ("sum", builder(isa, 3000.0)),
        ("half", builder(isa, 2.0).kind(Kind::FoldedHalf)),
        ("bimodal", builder(isa, 2.0).kind(Kind::Bimodal)),
    ] {
        let name = format!("bitslice/{name}/{isa}");
        if !report.wants(&name) {
            continue;
        }
        let sampler = builder.build().expect("a sampler");
        report.clean(&name, || {
            let mut out = [0_i32; 700];
            sampler.fill(&mut secret_stream(isa), &mut out);
            still_secret(&out);
            let mut out = [0_i64; 100];
            sampler.fill(&mut secret_stream(isa), &mut out);
            still_secret(&out);
        });
    }
    let base = builder(isa, 2.0);
    adjusted(report, &isa.to_string(), isa, Adjusted::new);
    // The kernels of AVX-512 on lanes in memory.
    #[cfg(tautochrone_ctgrind)]
    if isa == Isa::PORTABLE {
        adjusted(report, "emulated", isa, Adjusted::new_emulated);
    }
    // One at a time: a table of one word, one of 128 bits, a sum, a centre.
    if report.wants("bitslice/single") {
        let builders = [builder(isa, 2.0), builder(isa, 2.0).precision(128), builder(isa, 3000.0)];
        let samplers = builders.map(|builder| builder.build().expect("a sampler"));
        report.clean(&format!("bitslice/single/{isa}"), || {
            let mut rng = secret_stream(isa);
            for sampler in &samplers {
                still_secret(&[(); 20].map(|()| -> i32 { sampler.sample(&mut rng) }));
            }
        });
    }
    report.clean(&format!("adjusted/single/{isa}"), || {
        let [centre] = secret_array([1.25]);
        let sampler = Adjusted::new(&base, Width::public(1.6)).expect("a sampler");
        let centred = sampler.at(centre).expect("a centre");
        let mut rng = secret_stream(isa);
        still_secret(&[(); 20].map(|()| -> i64 { centred.sample(&mut rng) }));
    });
    // In place, widened, from within a block; cells of 32 bits, of 64 bits, and half of them
    // rejected.
    report.clean(&format!("uniform/bits/{isa}"), || {
        let mut stream = secret_stream(isa);
        let (mut bytes, mut words, mut longs) = ([0_i8; 700], [0_u32; 700], [0_u64; 700]);
        uniform::fill_signed(&mut stream, 7, &mut bytes).expect("a width");
        still_secret(&bytes);
        uniform::fill_bits(&mut stream, 31, &mut words).expect("a width");
        still_secret(&words);
        uniform::fill_bits(&mut stream, 13, &mut longs).expect("a width");
        still_secret(&longs);
    });
    for n in [3, 1_000_000_007, (1 << 63) + 1] {
        report.clean(&format!("uniform/below {n}/{isa}"), || {
            let mut out = [0_u64; 700];
            uniform::fill_below(&mut secret_stream(isa), n, &mut out).expect("not empty");
            still_secret(&out);
        });
    }
    report.clean(&format!("uniform/range/{isa}"), || {
        let mut out = [0_i8; 700];
        uniform::fill_range(&mut secret_stream(isa), -1..=1, &mut out).expect("not empty");
        still_secret(&out);
    });
    for sigma in [2.0, 215.5, 1e9] {
        if !report.wants("facct/") {
            continue;
        }
        let sampler = Facct::new_on(isa, sigma).expect("a sampler");
        facct(report, &format!("{sigma}/{isa}"), &sampler, isa);
        // The kernel of AVX-512 on lanes in memory.
        #[cfg(tautochrone_ctgrind)]
        if isa == Isa::PORTABLE {
            let sampler = Facct::new_emulated(sigma).expect("a sampler");
            facct(report, &format!("{sigma}/emulated"), &sampler, isa);
        }
    }
    #[cfg(tautochrone_ctgrind)]
    if isa == Isa::PORTABLE {
        facct_leak(report);
    }
}

/// Centres, widths and stream are secret; which trials were rejected is all that is revealed. A
/// base of few values, whose thresholds are looked up, and one of many.
fn adjusted(
    report: &mut Report,
    name: &str,
    isa: Isa,
    new: impl Fn(&Builder, Width) -> Result<Adjusted, Error>,
) {
    for (kind, sigma) in [("centre", 2.0), ("wide centre", 20.0)] {
        report.clean(&format!("adjusted/{kind}/{name}"), || {
            let sampler = new(&builder(isa, sigma), Width::public(0.8 * sigma)).expect("a sampler");
            let [centre] = secret_array([1.25]);
            let mut out = [0_i32; 100];
            sampler.fill(centre, &mut secret_stream(isa), &mut out).expect("a centre");
            still_secret(&out);
            let mut out = [0_i64; 1100];
            sampler.fill(centre, &mut secret_stream(isa), &mut out).expect("a centre");
            still_secret(&out);
        });
    }
    report.clean(&format!("adjusted/width/{name}"), || {
        let [inverse] = secret_array([1.0 / 1.7]);
        let sampler = new(&builder(isa, 2.0), Width::scaled(inverse, 1.3)).expect("a sampler");
        let centres = secret((0..1100_i32).map(|i| f64::from(i) * 0.37 - 200.0).collect());
        let mut out = [0_i32; 100];
        sampler.fill_centres(&centres[..100], &mut secret_stream(isa), &mut out).expect("centres");
        still_secret(&out);
        let mut out = [0_i64; 1100];
        sampler.fill_centres(&centres, &mut secret_stream(isa), &mut out).expect("centres");
        still_secret(&out);
    });
}

/// Centres and stream are secret; which trials were rejected, and that none was in doubt, is all
/// that is revealed.
fn facct(report: &mut Report, name: &str, sampler: &Facct, isa: Isa) {
    report.clean(&format!("facct/{name}"), || {
        let mut out = [0; 300];
        sampler.fill(&mut secret_stream(isa), &mut out);
        still_secret(&out);
        let mut out = [0; 30];
        if sampler.fill_i32(&mut secret_stream(isa), &mut out).is_ok() {
            still_secret(&out);
        }
    });
    report.clean(&format!("facct/single/{name}"), || {
        let [centre] = secret_array([1.25]);
        let centred = sampler.at(centre).expect("a centre");
        let mut rng = secret_stream(isa);
        still_secret(&[(); 20].map(|()| -> i64 { sampler.sample(&mut rng) }));
        still_secret(&[(); 20].map(|()| -> i64 { centred.sample(&mut rng) }));
        let buffered = Buffered::<_, i64>::new(&centred).expect("any sampler");
        still_secret(&[(); 20].map(|()| buffered.sample(&mut rng)));
    });
    report.clean(&format!("facct/centres/{name}"), || {
        let centres = secret((0..300_i32).map(|i| f64::from(i) * 0.37 - 20.0).collect());
        let mut out = [0; 300];
        sampler.fill_centres(&centres, &mut secret_stream(isa), &mut out).expect("centres");
        still_secret(&out);
        sampler.fill_centred(centres[7], &mut secret_stream(isa), &mut out).expect("a centre");
        still_secret(&out);
    });
    // Whole batches are tried again.
    if sampler.sigma() > 2.0 {
        return;
    }
    report.clean(&format!("facct/many/{name}"), || {
        let centres = secret((0..6000_i32).map(|i| f64::from(i) * 0.37 - 20.0).collect());
        let mut out = vec![0; 6000];
        sampler.fill_centres(&centres, &mut secret_stream(isa), &mut out).expect("centres");
        still_secret(&out);
        sampler.fill(&mut secret_stream(isa), &mut out);
        still_secret(&out);
    });
}

/// The same with a branch on a sample, and with one on a centre's neighbour: the emulation keeps
/// track of secrets, through floating point too.
#[cfg(tautochrone_ctgrind)]
fn facct_leak(report: &mut Report) {
    use std::hint::black_box;

    use tautochrone_assurance::leaky;

    let sampler = Facct::new_emulated(215.5).expect("a sampler");
    report.leaky("facct/emulated/leak of a sample", || {
        let mut out = [0; 16];
        sampler.fill(&mut secret_stream(Isa::PORTABLE), &mut out);
        black_box(leaky::leaky_branch(out[0] as u64));
    });
    // The stream is public, so the output depends on the centres alone.
    report.leaky("facct/emulated/leak of a centre", || {
        let mut out = [0; 16];
        let mut public = Seed::from_bytes([7; 32]).stream(Label::new("ctgrind"), 1);
        let centres = secret(vec![0.37; 16]);
        sampler.fill_centres(&centres, &mut public, &mut out).expect("centres");
        black_box(leaky::leaky_branch(out[0] as u64));
    });
}
