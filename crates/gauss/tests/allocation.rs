//! A fill of any length allocates nothing: a sampler computes its tables when it
//! is made. Above all the square root of big integers that gives sigma, which costs as much as two
//! thousand samples.

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Form, Width};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::{Options, Ziggurat};
use tautochrone_gauss::{Generator, Sampler};
use tautochrone_simd::Isa;
use tautochrone_testkit::allocations::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Lengths below, at and above the blocks of every sampler.
const LENGTHS: [usize; 4] = [1, 512, 1237, 8192];

fn stream() -> Stream {
    Seed::from_bytes([12; 32]).stream(Label::new("allocation"), 0)
}

/// `fill` at every length, from a stream that has been drawn from before.
fn allocates_nothing<T: Default + Clone>(
    what: &str,
    isa: Isa,
    mut fill: impl FnMut(&mut Stream, &mut [T]),
) {
    let mut stream = stream();
    for len in LENGTHS {
        let mut out = vec![T::default(); len];
        fill(&mut stream, &mut out);
        let count = allocations(|| fill(&mut stream, &mut out));
        assert_eq!(count, 0, "{what} of {len} samples on {isa}");
    }
}

#[test]
fn bit_sliced_fills_allocate_nothing() {
    for isa in Isa::all() {
        for (sigma, precision, form) in [
            (2.0, 64, Form::Planes),
            (2.0, 62, Form::Bytes),
            (2.0, 128, Form::Planes),
            (3.19, 64, Form::Planes),
            (10.0, 64, Form::Bytes),
        ] {
            let builder = Bitslice::builder().sigma(sigma).precision(precision).form(form);
            let sampler = builder.isa(isa).build().expect("an available distribution");
            let what = format!("sigma {sigma}, {precision} bits, {form:?}");
            allocates_nothing::<i8>(&what, isa, |stream, out| {
                sampler.try_fill(stream, out).expect("the samples fit");
            });
            allocates_nothing::<i8>(&what, isa, |stream, out| {
                sampler.try_fill(&mut Generator::new(stream), out).expect("the samples fit");
            });
            allocates_nothing::<i64>(&what, isa, |stream, out| sampler.fill(stream, out));
            assert_eq!(allocations(|| sampler.check_i32().expect("the samples fit")), 0);
        }
        let builder = Bitslice::builder().sigma(215.0).precision(64).isa(isa);
        let sum = builder.build().expect("an available distribution");
        allocates_nothing::<i16>("a sum", isa, |stream, out| {
            sum.try_fill(stream, out).expect("the samples fit");
        });
    }
}

#[test]
fn other_fills_allocate_nothing() {
    let base = Bitslice::builder().sigma(2.0).precision(64);
    for isa in Isa::all() {
        let facct = Facct::new_on(isa, 1e6).expect("a width");
        allocates_nothing("FACCT", isa, |stream, out| facct.fill(stream, out));
        allocates_nothing("FACCT", isa, |stream, out| {
            facct.fill_i32(stream, out).expect("the samples fit");
        });
        let adjusted = Adjusted::new(&base.clone().isa(isa), Width::public(1.9)).expect("a width");
        allocates_nothing::<i32>("adjusted", isa, |stream, out| {
            adjusted.fill(0.5, stream, out).expect("a centre");
        });
        let ziggurat = Ziggurat::new_on(isa, 10.0, Options::default()).expect("a width");
        allocates_nothing("Ziggurat", isa, |stream, out| ziggurat.fill(stream, out));
    }
}
