//! ICE: key and blocks are secret.

use tautochrone_assurance::valgrind::secret;
use tautochrone_ice::Ice;
use tautochrone_simd::Isa;

use crate::{Report, still_secret};

pub fn check(report: &mut Report, isa: Isa) {
    for level in [0, 1, 2] {
        report.clean(&format!("ice/{level}/{isa}"), || {
            let key = secret(vec![0x5a; 8 * usize::from(level).max(1)]);
            let ice = Ice::new_on(isa, level, &key).expect("a key");
            // Scalar, one batch of the narrowest kernel, and ragged.
            for count in [1, 64, 700] {
                let mut blocks = secret(vec![[7; 8]; count]);
                ice.encrypt(&mut blocks);
                still_secret(&blocks);
                ice.decrypt(&mut blocks);
                still_secret(&blocks);
            }
        });
    }
}
