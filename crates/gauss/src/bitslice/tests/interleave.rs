//! Interleaved fills: the samples, and the place in the stream, of fills from memory.

use tautochrone_ctr::KeySize;

use super::*;

/// Every form, widths of slot and alias that have kernels of their own, and sums.
fn samplers() -> Vec<Builder> {
    let sigma = |s: f64| Bitslice::builder().sigma(s);
    vec![
        sigma(2.0),
        sigma(2.0).precision(128),
        sigma(2.0).precision(62).form(Form::Bytes),
        sigma(2.0).precision(128).form(Form::Bytes),
        sigma(2.0).kind(Kind::UnfoldedHalf).form(Form::Bytes),
        sigma(10.0),
        sigma(17.0).precision(100),
        sigma(34.0),
        sigma(215.0).direct(),
        sigma(215.0),
        sigma(215.0).precision(128),
        sigma(3e4),
    ]
}

/// Where fills begin: on a block, within one, and so that the low half of the counter wraps in a
/// long fill, but not in a short one.
fn streams(isa: Isa) -> Vec<Stream> {
    let stream = |start| Stream::new_on(isa, KeySize::Aes128, &[7; 16], start);
    let mut all = vec![stream(9), stream(1 << 70), stream(9), stream((1 << 64) - 4000)];
    all[1].fill(&mut [0; 48]);
    all[2].fill(&mut [0; 7]);
    all
}

#[test]
fn samples_and_places_in_the_stream_are_those_of_memory() {
    for builder in samplers() {
        let portable = builder.clone().isa(Isa::PORTABLE).build().unwrap();
        for isa in Isa::all().skip(1) {
            let sampler = builder.clone().isa(isa).build().unwrap();
            for (ours, theirs) in streams(isa).iter_mut().zip(&mut streams(Isa::PORTABLE)) {
                for blocks in [1, 3, 4, 7, 8, 9, 30] {
                    for len in [blocks * BLOCK - 1, blocks * BLOCK, blocks * BLOCK + 1] {
                        let (mut got, mut want) = (vec![0_i32; len], vec![0; len]);
                        sampler.fill(ours, &mut got);
                        portable.fill(theirs, &mut want);
                        assert!(got == want, "{isa}, {len} samples of {builder:?}");
                        assert_eq!(ours.position(), theirs.position(), "{isa} {len} {builder:?}");
                    }
                }
            }
        }
    }
}

/// A generator that is no stream has no registers, and gives the same samples.
#[test]
fn a_generator_of_the_same_bytes_gives_the_same_samples() {
    for builder in samplers() {
        let sampler = builder.build().unwrap();
        let (mut got, mut want) = (vec![0_i32; 9 * BLOCK], vec![0; 9 * BLOCK]);
        sampler.fill(&mut stream(3), &mut got);
        sampler.fill_from(&mut stream(3), &mut want);
        assert!(got == want, "{builder:?}");
    }
}
