//! The definition of the GPU kernels, which is code for the CPU: the key and everything made from
//! it, and both operands.

use tautochrone_assurance::valgrind::{secret, secret_array};
use tautochrone_gauss::facct::Facct;
use tautochrone_kernels::reference::{self, Key};

use crate::report::{Report, still_secret};

pub fn check(report: &mut Report) {
    report.clean("kernels/reference/uniform", || {
        let key = Key::new(&secret_array([5; 32]), 1);
        let mut out = vec![0; 100];
        reference::uniform(&key, &mut out).expect("few");
        still_secret(&out);
    });
    for sigma in [2.0, 215.0, 4_294_967_295.0] {
        report.clean(&format!("kernels/reference/gaussian/{sigma}"), || {
            let sampler = Facct::new(sigma).expect("a width");
            let key = Key::new(&secret_array([6; 32]), 2);
            let mut out = vec![0; 1500];
            reference::gaussian(&sampler, &key, &mut out).expect("few");
            still_secret(&out);
        });
    }
    report.clean("kernels/reference/matmul", || {
        let (x, y) = (secret(vec![3; 5 * 7]), secret(vec![u64::MAX; 7 * 2]));
        still_secret(&reference::matmul(&x, &y, (5, 7, 2)).expect("shapes agree"));
    });
}
