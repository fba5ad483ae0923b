//! Routines that leak on purpose.

use std::hint::black_box;

use tautochrone_assurance::{leaky, valgrind::secret_array};
use tautochrone_ctr::{Label, Seed};
use tautochrone_gauss::ziggurat::{Options, Ziggurat};
use tautochrone_simd::{Isa, declassify};

use crate::report::Report;

pub fn check(report: &mut Report) {
    let [word] = secret_array([0xa5_u64]);
    report.leaky("control/branch", || {
        black_box(leaky::leaky_branch(word));
    });
    report.leaky("control/index", || {
        black_box(leaky::leaky_index(&[7; 256], word as u8));
    });
    report.leaky("control/compare", || {
        black_box(leaky::leaky_compare(&secret_array([1; 32]), &[1; 32]));
    });
    report.clean("control/declassified", || {
        black_box(leaky::leaky_branch(declassify(word)));
    });
    // The one sampler that claims no constant time: a leak of real code.
    report.leaky("control/ziggurat", || {
        let sampler = Ziggurat::new_on(Isa::PORTABLE, 30.0, Options::default()).expect("a sampler");
        let seed = Seed::from_bytes(secret_array([3; 32]));
        let mut out = [0; 64];
        sampler.fill(&mut seed.stream(Label::new("ctgrind"), 0), &mut out);
        black_box(&out);
    });
}
