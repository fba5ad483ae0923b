//! The trait against the methods that it stands for.

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_simd::Isa;

use super::Sampler;
use crate::bitslice::Bitslice;
use crate::facct::Facct;
use crate::ziggurat::{Options, Ziggurat};

/// Not a multiple of any block.
const COUNT: usize = 1237;

fn stream() -> Stream {
    Seed::from_bytes([9; 32]).stream(Label::new("sampler trait"), 0)
}

/// sigma, bound, instruction set and samples.
type Seen = (f64, u64, Isa, Vec<i64>);

fn through_the_trait(sampler: &dyn Sampler) -> Seen {
    let mut out = vec![0; COUNT];
    sampler.fill(&mut stream(), &mut out);
    (sampler.sigma(), sampler.bound(), sampler.isa(), out)
}

#[test]
fn the_trait_does_what_the_samplers_do() {
    for isa in Isa::all() {
        let mut out = vec![0; COUNT];
        let facct = Facct::new_on(isa, 3.3).unwrap();
        facct.fill(&mut stream(), &mut out);
        let seen = through_the_trait(&facct);
        assert_eq!(seen, (3.3, facct.bound(), isa, out.clone()));

        let bitslice = Bitslice::new_on(isa, 3.2).unwrap();
        bitslice.fill(&mut stream(), &mut out);
        let seen = through_the_trait(&bitslice);
        assert_eq!(seen, (3.2, bitslice.bound(), isa, out.clone()));

        let ziggurat = Ziggurat::new_on(isa, 3.1, Options::default()).unwrap();
        ziggurat.fill(&mut stream(), &mut out);
        let seen = through_the_trait(&ziggurat);
        assert_eq!(seen, (3.1, ziggurat.bound(), isa, out));
    }
}

/// `new` is `new_on` with the best instruction set, tiles aside, which no sampler uses, and, for the
/// ziggurat, with the default options.
#[test]
fn new_takes_the_best_instruction_set() {
    let best = Isa::detect_vectors();
    let same = |a: &dyn Sampler, b: &dyn Sampler| {
        assert_eq!(through_the_trait(a), through_the_trait(b));
        assert_eq!(a.isa(), best);
    };
    same(&Facct::new(5.5).unwrap(), &Facct::new_on(best, 5.5).unwrap());
    same(&Bitslice::new(5.5).unwrap(), &Bitslice::new_on(best, 5.5).unwrap());
    let ziggurat = Ziggurat::new_on(best, 5.5, Options::default()).unwrap();
    same(&Ziggurat::new(5.5).unwrap(), &ziggurat);
}
