//! The `sample` example: every sampler, its outputs, its refusals.
#![allow(clippy::disallowed_methods, reason = "an oracle")]

use tautochrone_testkit::examples::SEED;

use crate::folder::Folder;

fn sample(args: &str) -> String {
    format!("sample {args} --seed {SEED}")
}

/// Mean and standard deviation of every distribution, within six standard deviations of their
/// estimates from 10^6 samples.
#[test]
fn moments_are_those_of_the_distribution() {
    let dir = &Folder::new();
    let half = |sigma: f64| {
        // |X|: mean and deviation by summation.
        let rho = |z: u32| (-(f64::from(z) / sigma).powi(2) / 2.0).exp();
        let weight = |z| if z == 0 { 1.0 } else { 2.0 * rho(z) };
        let sum = |power| (0..100).map(|z| weight(z) * f64::from(z).powi(power)).sum::<f64>();
        let mean = sum(1) / sum(0);
        (mean, (sum(2) / sum(0) - mean * mean).sqrt())
    };
    let (half_mean, half_sd) = half(2.0);
    let uniform_sd = ((1_u64 << 40) as f64 - 1.0).sqrt() / 12.0_f64.sqrt();
    for (args, mean, sd) in [
        ("uniform --bits 20", 524_287.5, uniform_sd),
        ("facct --sigma 215", 0.0, 215.0),
        ("facct --sigma 1e6 --mu=-3.7", -3.7, 1e6),
        ("bitslice --sigma 2 --bits 5", 0.0, 2.0),
        ("bitslice --sigma 1.9 --mu 0.5", 0.5, 1.9),
        ("bitslice --sigma 2 --kind half", half_mean, half_sd),
        ("ziggurat --sigma 10", 0.0, 10.0),
        ("ziggurat --sigma 10 --rectangles 63 --factor 1 --omega 106", 0.0, 10.0),
    ] {
        let answer = dir.json(sample(&format!("--sampler {args}")));
        let number = |name: &str| answer[name].as_f64().expect("a number");
        assert!((number("mean") - mean).abs() < 6.0 * sd / 1e3, "{args}: {answer}");
        assert!((number("sd") / sd - 1.0).abs() < 6.0 / 2e6_f64.sqrt(), "{args}: {answer}");
        assert_eq!(answer["constant_time"], !args.starts_with("ziggurat"));
        assert!(number("setup_seconds") > 0.0 || args.starts_with("uniform"), "{answer}");
        let (median, best) = (number("samples_per_second"), number("best_samples_per_second"));
        assert!(0.0 < median && median <= best, "{args}: {answer}");
    }
}

/// The same seed gives the same file on every instruction set; a histogram has its lines.
#[test]
fn files_repeat_and_histograms_show() {
    let dir = &Folder::new();
    let line = "--sampler facct --sigma 3.3 --count 1000 --out";
    for (isa, name) in [("portable", "a"), ("auto", "b")] {
        dir.ok(sample(&format!("{line} {name} --isa {isa}")));
    }
    let read = |name: &str| dir.read(name);
    assert_eq!(read("a").len(), 8000);
    assert_eq!(read("a"), read("b"));
    let text = dir.ok(sample("--sampler bitslice --sigma 2 --histogram --plot picture.svg"));
    let picture = String::from_utf8(read("picture.svg")).expect("UTF-8");
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"), "{picture}");
    assert!(picture.contains("sigma 2, centre 0") && picture.matches("<rect").count() > 15);
    // Both axes say what they show, and the curves what they are.
    for text in ["\nsample\n", "share of the samples", "\nsamples\n", "\nideal\n", "\n0.100\n"] {
        assert!(picture.contains(text), "{text}: {picture}");
    }
    // The input of another program has the samples and nothing else.
    assert_eq!(dir.output(sample(&format!("{line} -"))).stdout, read("a"));
    assert!(text.lines().count() > 15 && text.contains("######"), "{text}");
}

/// The cost of a sample: a bit-sliced one 65 bits at P = 64, for every value; a trial of an
/// adjusted one 8 bytes of its own.
#[test]
fn costs_are_told() {
    let dir = &Folder::new();
    let cost = |args: &str| {
        let answer = dir.json(sample(&format!("--sampler {args} --count 655360")));
        let bytes = answer["random_bytes_per_sample"].as_f64().expect("a number");
        (bytes, answer["acceptance"].as_f64())
    };
    assert_eq!(cost("bitslice --sigma 2"), (8.125, None));
    assert_eq!(cost("uniform --bits 20").1, None);
    let (bytes, acceptance) = cost("bitslice --sigma 1.9 --mu 0.5");
    let acceptance = acceptance.expect("adjusting rejects");
    assert!((0.78..0.81).contains(&acceptance), "{acceptance}");
    assert!((bytes * acceptance - 17.0).abs() < 0.1, "{bytes}");
}

#[test]
fn refusals_say_what_would_work() {
    let dir = &Folder::new();
    for (args, hint) in [
        ("facct", "--sigma"),
        ("facct --sigma 1", "2"),
        ("facct --sigma NaN", "NaN"),
        ("bitslice --sigma=-1", "-1"),
        ("uniform --bits 64", "1 to 63"),
        ("uniform --sigma 2", "uniform"),
        ("ziggurat --sigma 2 --mu 1", "facct or bitslice"),
        ("facct --sigma 2 --bits 9", "uniform or bitslice"),
        ("facct --sigma -3", "sigma is -3"),
        ("facct --sigma 2 --plot -", "needs a file name"),
        ("facct --sigma 2 --plot x.png", "ends in .svg"),
        ("facct --sigma 2 --out - --json", "a file name"),
        ("facct --sigma 2 --out - --histogram", "a file name"),
        ("facct --sigma 2 --rectangles 9", "ziggurat"),
        ("facct --sigma 2 --out z.svg --plot ./z.svg", "both name it"),
        ("facct --sigma inf", "inf"),
        ("facct --sigma 4294967296", "below 4294967296"),
        ("facct --sigma 2 --mu NaN", "a centre must be a number"),
        ("facct --sigma 2 --mu -1e300", "a centre must be a number"),
        ("bitslice --sigma 1.5 --mu inf", "a centre must be a number"),
        ("bitslice --sigma 0.3 --mu 0.5", "between 0.4"),
        ("bitslice --sigma 0.1", "from 0.107 to below 123912"),
        ("bitslice --sigma 0.1 --kind half", "below 431"),
        ("bitslice --sigma 1e-300", "sigma is 1e-300; "),
        ("bitslice --sigma 1e18", "sigma is 1e18; "),
        ("ziggurat --sigma 0.49", "0.5"),
        ("ziggurat --sigma 2 --rectangles 0", "1 to 65536"),
        ("ziggurat --sigma 2 --factor 256", "255"),
        ("ziggurat --sigma 2 --omega 129", "between 53 and 128"),
        ("facct --sigma 2 --omega 106", "ziggurat"),
        ("nobody", "possible values"),
    ] {
        dir.refuses(sample(&format!("--sampler {args}")), hint);
    }
}
