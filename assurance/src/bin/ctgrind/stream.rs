//! AES-CTR: key, first counter and output are secret.

use std::hint::black_box;

use tautochrone_assurance::valgrind::secret_array;
use tautochrone_ctr::{KeySize, Label, Seed, Stream};
use tautochrone_simd::Isa;

use crate::report::{Report, still_secret};

/// A stream whose seed is secret.
pub fn secret_stream(isa: Isa) -> Stream {
    Seed::from_bytes(secret_array([0x5a; 32])).stream_on(isa, Label::new("ctgrind"), 7)
}

pub fn check(report: &mut Report, isa: Isa) {
    for size in [KeySize::Aes128, KeySize::Aes256] {
        report.clean(&format!("ctr/{size:?}/{isa}"), || {
            let key = secret_array([9; 32]);
            let [start] = secret_array([u128::MAX - 5]);
            let mut stream = Stream::new_on(isa, size, &key[..size.bytes()], start);
            // Whole batches, single blocks, odd tails.
            for len in [5000, 16, 1, 30] {
                let mut out = vec![0; len];
                stream.fill(&mut out);
                still_secret(&out);
            }
            let mut words = [0; 9];
            stream.fill_u64(&mut words);
            black_box(&words);
            stream.seek_block(3);
            stream.fill(&mut [0; 40]);
        });
    }
    report.clean(&format!("ctr/seed/{isa}"), || {
        let mut out = [0; 64];
        secret_stream(isa).fill(&mut out);
        still_secret(&out);
    });
}
