//! ICE: key and blocks are secret.

use tautochrone_assurance::valgrind::secret;
use tautochrone_ice::Ice;
use tautochrone_simd::Isa;

use crate::report::{Report, still_secret};

pub fn check(report: &mut Report, isa: Isa) {
    for level in [0, 1, 2] {
        let key = || secret(vec![0x5a; 8 * usize::from(level).max(1)]);
        report.clean(&format!("ice/{level}/{isa}"), || {
            // Scalar, one batch of the narrowest kernel, and ragged.
            both_ways(&Ice::new_on(isa, level, &key()).expect("a key"), &[1, 64, 700]);
        });
        if isa != Isa::PORTABLE {
            continue;
        }
        // The kernels for GFNI on emulated registers: lanes, and a group that is padded, not full,
        // or overlaps another, after full ones.
        #[cfg(tautochrone_ctgrind)]
        for (wide, name) in [(false, "narrow"), (true, "wide")] {
            report.clean(&format!("ice/{level}/emulated-{name}"), || {
                let ice = Ice::new_emulated(wide, level, &key()).expect("a key");
                both_ways(&ice, &[1, 2, 3, 4, 5, 12, 32, 150, 224]);
            });
        }
    }
}

fn both_ways(ice: &Ice, counts: &[usize]) {
    for &count in counts {
        let mut blocks = secret(vec![[7; 8]; count]);
        ice.encrypt(&mut blocks);
        still_secret(&blocks);
        ice.decrypt(&mut blocks);
        still_secret(&blocks);
    }
}
