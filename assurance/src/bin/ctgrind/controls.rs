//! Routines that leak on purpose.

use std::hint::black_box;

use tautochrone_assurance::{leaky, valgrind::secret_array};
use tautochrone_ctr::{Label, Seed};
use tautochrone_gauss::ziggurat::{Options, Ziggurat};
use tautochrone_simd::{Isa, declassify};

use crate::report::{Report, still_secret};

pub fn check(report: &mut Report) {
    let word = || secret_array([0xa5_u64])[0];
    report.leaky("control/branch", || {
        black_box(leaky::leaky_branch(word()));
    });
    report.leaky("control/index", || {
        black_box(leaky::leaky_index(&[7; 256], word() as u8));
    });
    report.leaky("control/compare", || {
        black_box(leaky::leaky_compare(&secret_array([1; 32]), &[1; 32]));
    });
    report.leaky("control/memcmp", || {
        let (a, b) = (secret_array([1_u8; 100]), black_box([1_u8; 100]));
        black_box(a[..] == b[..]);
    });
    vectors(report);
    report.clean("control/declassified", || {
        black_box(leaky::leaky_branch(declassify(word())));
    });
    // The one sampler that claims no constant time: a leak of real code.
    let sampler = Ziggurat::new_on(Isa::PORTABLE, 30.0, Options::default()).expect("a sampler");
    report.leaky("control/ziggurat", || {
        let seed = Seed::from_bytes(secret_array([3; 32]));
        let mut out = [0; 64];
        sampler.fill(&mut seed.stream(Label::new("ctgrind"), 0), &mut out);
        black_box(&out);
    });
}

/// Leaks that valgrind does not see: it knows neither AVX-512 nor reports divisions.
#[cfg(target_arch = "x86_64")]
fn vectors(report: &mut Report) {
    if !tautochrone_assurance::valgrind::traced() || Isa::detect().avx512().is_none() {
        return;
    }
    report.leaky("control/division", || {
        black_box(leaky::leaky_division(secret_array([5])[0], 3));
    });
    // Tiles, which the tracer emulates; the product is the known one.
    if Isa::detect().amx().is_some() {
        let (x, y) = ([[3_u8; 64]; 16], [[0xfe_u8; 64]; 16]);
        let product = || {
            let (x, y, mut z) = (secret_array(x), secret_array(y), [[0; 16]; 16]);
            // SAFETY: tiles were detected.
            unsafe { leaky::amx::multiply(&x, &y, &mut z) };
            still_secret(&z);
            z
        };
        report.clean("control/amx", || {
            let last = declassify(product()[15][15]);
            assert!(last == (64 * 3 * -2_i32) as u32, "the emulation multiplies");
        });
        report.leaky("control/amx, a sum branched on", || {
            black_box(leaky::leaky_branch(product()[2][3].into()));
        });
    }
    // SAFETY: AVX-512 F and BW were detected.
    unsafe {
        report.leaky("control/vector branch", || {
            black_box(leaky::vector::leaky_vector_branch(&secret_array([5; 8])));
        });
        report.leaky("control/vector index", || {
            let mut out = [0; 8];
            leaky::vector::leaky_vector_index(&[7; 256], &secret_array([5; 8]), &mut out);
            still_secret(&out);
        });
        report.leaky("control/vector division", || {
            let mut numbers = secret_array([5.0; 8]);
            leaky::vector::leaky_vector_division(&mut numbers);
            still_secret(&numbers);
        });
        report.clean("control/vector mask, not used", || {
            let mask = leaky::vector::leaky_vector_mask(&secret_array([5; 8]));
            still_secret(&[mask]);
        });
        report.leaky("control/vector mask, branched on", || {
            let mask = leaky::vector::leaky_vector_mask(&secret_array([5; 8]));
            black_box(leaky::leaky_branch(mask));
        });
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn vectors(_: &mut Report) {}
