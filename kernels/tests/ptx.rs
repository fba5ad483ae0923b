//! Every kernel is an entry of the checked-in PTX; the reference is ChaCha20, Gaussian, and refuses
//! with typed errors.

use tautochrone_gauss::facct::Facct;
use tautochrone_kernels::reference::{Key, block, gaussian, matmul, uniform};
use tautochrone_kernels::{
    DIRECT_PTX, Entry, Error, Gpu, IMAD_PTX, Interface, Product, SAMPLE_PTX, SPLIT_PTX, TILED_PTX,
};

#[test]
fn every_kernel_is_an_entry() {
    fn products<P: Product>() {
        for (ptx, kind) in [(IMAD_PTX, "imad"), (DIRECT_PTX, "direct"), (TILED_PTX, "tiled")] {
            let name = format!("{kind}_{}", P::TYPES);
            assert!(ptx.contains(&format!(".entry {name}(")), "{name}");
        }
        for name in [<P::X as Entry>::TYPE, <P::Y as Entry>::TYPE] {
            assert!(SPLIT_PTX.contains(&format!(".entry split_{name}(")), "{name}");
        }
    }
    for name in ["facct", "uniform"] {
        assert!(SAMPLE_PTX.contains(&format!(".entry {name}(")), "{name}");
    }
    products::<(u8, u8)>();
    products::<(u16, i8)>();
    products::<(u16, u16)>();
    products::<(u32, i8)>();
    products::<(u32, i16)>();
    products::<(u32, u32)>();
    products::<(i8, i8)>();
    products::<(u64, i8)>();
    products::<(u64, i16)>();
    products::<(u64, i32)>();
    products::<(u64, u64)>();
    for signs in ["u8.u8", "u8.s8", "s8.s8"] {
        for ptx in [DIRECT_PTX, TILED_PTX] {
            assert!(ptx.contains(&format!("mma.sync.aligned.m16n8k32.row.col.s32.{signs}.s32")));
        }
    }
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
    let sampler = Facct::new(215.0).expect("in range");
    let (mut long, mut short) = (vec![0; 3000], vec![0; 1500]);
    gaussian(&sampler, &key, &mut long).expect("below the limit");
    gaussian(&sampler, &key, &mut short).expect("below the limit");
    assert_eq!(long[..1500], short);
    let (mut long, mut short) = (vec![0; 3000], vec![0; 1501]);
    uniform(&key, &mut long).expect("below the limit");
    uniform(&key, &mut short).expect("below the limit");
    assert_eq!(long[..1501], short);
}

#[test]
fn moments() {
    const COUNT: usize = 1 << 18;
    for sigma in [2.0, 215.0, 1e6, 2e9] {
        let mut out = vec![0; COUNT];
        let sampler = Facct::new(sigma).expect("in range");
        gaussian(&sampler, &Key::new(&[9; 32], 2), &mut out).expect("below the limit");
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

#[test]
fn products_refuse_wrong_shapes() {
    let refused = |entries, rows, columns| Err(Error::Entries { entries, rows, columns });
    assert_eq!(matmul(&[1, 2, 3], &[4, 5], (2, 2, 1)), refused(3, 2, 2));
    assert_eq!(matmul(&[1, 2, 3, 4], &[4, 5, 6], (2, 2, 1)), refused(3, 2, 1));
    assert_eq!(matmul(&[1], &[], (usize::MAX, 2, 0)), refused(1, usize::MAX, 2));
    assert_eq!(matmul(&[1], &[1], (1, 0, 1)), refused(1, 1, 0));
    let (rows, columns) = (usize::MAX, usize::MAX);
    assert_eq!(matmul(&[], &[], (rows, 0, columns)), Err(Error::Large { rows, columns }));
    assert_eq!(matmul(&[], &[], (2, 0, 3)), Ok(vec![0; 6]));
    assert_eq!(matmul(&[], &[1, 2], (0, 2, 1)), Ok(vec![]));
    assert_eq!(matmul(&[1, 2, 3, 4], &[5, 6], (2, 2, 1)), Ok(vec![17, 39]));
}

/// A build that has no way to call a driver has none: an error, and no panic.
#[test]
fn without_a_feature_there_is_no_driver() {
    for (interface, built, feature) in [
        (Interface::Native, cfg!(feature = "cuda"), "cuda"),
        (Interface::Cust, cfg!(feature = "cust"), "cust"),
    ] {
        let library = "/nonexistent/libcuda.so.1";
        let error = Gpu::open_by(interface, library.as_ref(), 0).expect_err("nothing to open");
        assert!(matches!(error, Error::NoDriver(_)));
        let text = error.to_string();
        let reason = if built {
            format!("{library}: ")
        } else {
            format!("this program was built without the feature `{feature}`")
        };
        assert!(text.starts_with(&format!("no CUDA driver: {reason}")), "{text}");
        assert_eq!(text.lines().count(), 1);
    }
    if !cfg!(feature = "cuda") {
        assert!(matches!(Gpu::open(), Err(Error::NoDriver(_))));
    }
}
