//! The checked-in PTX belongs to the checked-in sources, and the reference is ChaCha20.

use std::fmt::Write as _;

use sha2::Digest as _;
use tautochrone_gauss::facct::Facct;
use tautochrone_kernels::reference::{Key, block, gaussian, uniform};
use tautochrone_kernels::{IMAD_PTX, MATMUL_PTX, SAMPLE_PTX};

#[test]
fn stamp_is_fresh() {
    let mut hash = sha2::Sha256::new();
    for source in [
        include_str!("../cuda/dev.h"),
        include_str!("../cuda/imad.cu"),
        include_str!("../cuda/matmul.cu"),
        include_str!("../cuda/sample.cu"),
    ] {
        hash.update(source);
    }
    let mut text = String::new();
    for byte in hash.finalize() {
        write!(text, "{byte:02x}").expect("strings take everything");
    }
    assert_eq!(text, include_str!("../ptx/stamp").trim(), "sources changed: run kernels/regen.sh");
}

#[test]
fn every_kernel_is_an_entry() {
    for (ptx, names) in [
        (SAMPLE_PTX, &["facct", "uniform"][..]),
        (MATMUL_PTX, &["matmul8", "matmul16", "matmul32", "matmul64"]),
        (IMAD_PTX, &["imad8", "imad16", "imad32", "imad64"]),
    ] {
        for name in names {
            assert!(ptx.contains(&format!(".entry {name}(")), "{name}");
        }
    }
    assert!(MATMUL_PTX.contains("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32"));
}

/// RFC 8439, section 2.3.2.
#[test]
fn block_is_chacha20() {
    let key = core::array::from_fn(|i| i as u8);
    let key = Key::new(&key, 0x4a00_0000);
    let words = block(&key, 1, 0x0900_0000);
    assert_eq!(words[..4], [0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3]);
    assert_eq!(words[12..], [0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2]);
}

#[test]
fn prefixes_agree() {
    let key = Key::new(&[7; 32], 1);
    let sampler = Facct::try_new(215.0).expect("in range");
    let (mut long, mut short) = (vec![0; 3000], vec![0; 1500]);
    gaussian(&sampler, &key, &mut long);
    gaussian(&sampler, &key, &mut short);
    assert_eq!(long[..1500], short);
    let (mut long, mut short) = (vec![0; 3000], vec![0; 1501]);
    uniform(&key, &mut long);
    uniform(&key, &mut short);
    assert_eq!(long[..1501], short);
}

#[test]
fn moments() {
    const COUNT: usize = 1 << 18;
    for sigma in [2.0, 215.0, 1e6, 2e9] {
        let mut out = vec![0; COUNT];
        let sampler = Facct::try_new(sigma).expect("in range");
        gaussian(&sampler, &Key::new(&[9; 32], 2), &mut out);
        let n = COUNT as f64;
        let mean = out.iter().map(|&z| z as f64).sum::<f64>() / n;
        let square = out.iter().map(|&z| (z as f64 / sigma).powi(2)).sum::<f64>() / n;
        // Five standard errors: sigma / sqrt(n) of the mean, sqrt(2 / n) of the variance.
        assert!(mean.abs() < 5.0 * sigma / n.sqrt(), "mean {mean} at sigma {sigma}");
        assert!(
            (square - 1.0).abs() < 5.0 * (2.0 / n).sqrt(),
            "variance {square} at sigma {sigma}"
        );
    }
}
