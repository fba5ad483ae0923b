//! Results of a device against the reference, bit for bit, by every interface to the driver that
//! this build has. With the feature `emulation` the device is the mock driver, else a real one, and
//! the tests are ignored until asked for (`--ignored`).

use std::cell::Cell;
use std::fmt::Debug;

use proptest::prelude::*;
use tautochrone_gauss::facct::Facct;
use tautochrone_kernels::reference::{self, Key};
use tautochrone_kernels::{Entry, Error, Gpu, Interface, Method, Product};

thread_local! {
    /// The interface of the test that runs on this thread.
    static INTERFACE: Cell<Interface> = const { Cell::new(Interface::Native) };
}

/// Runs a test by every interface of this build.
fn by_each_interface(test: impl Fn()) {
    INTERFACE.set(Interface::Native);
    test();
    if cfg!(feature = "cust") {
        INTERFACE.set(Interface::Cust);
        test();
    }
}

fn natively(test: impl FnOnce()) {
    test();
}

fn open(ordinal: u32) -> Result<Gpu, Error> {
    Gpu::open_by(INTERFACE.get(), driver(), ordinal)
}

fn gpu() -> Gpu {
    open(0).expect("a device")
}

/// Every method that the device has.
fn methods() -> Vec<(Method, Gpu)> {
    let all = [Method::Tiled, Method::Direct, Method::Imad];
    let methods: Vec<_> =
        all.into_iter().filter_map(|m| Some((m, gpu().with_method(m).ok()?))).collect();
    assert_eq!(methods.len(), if gpu().capability() >= (8, 0) { 3 } else { 1 });
    methods
}

/// Tests that need a device: the mock driver's in an emulation, else they are ignored.
macro_rules! on_device {
    ($run:ident: $($(#[$attribute:meta])* fn $name:ident() $body:block)*) => {$(
        $(#[$attribute])*
        #[test]
        #[cfg_attr(not(feature = "emulation"), ignore = "needs a GPU; run with --ignored")]
        fn $name() {
            $run(|| $body);
        }
    )*};
}

on_device! { by_each_interface:
    fn opens() {
        let gpu = gpu();
        assert!(!gpu.name().is_empty());
        assert!(gpu.capability() >= (7, 5));
        let seconds = gpu.time(|| gpu.zeros::<u64>(10).map(drop)).expect("events");
        assert!(seconds >= 0.0);
    }

    fn devices_are_counted() {
        let result = open(1000);
        assert!(matches!(result, Err(Error::Ordinal { got: 1000, .. })), "{result:?}");
    }

    fn memory_keeps_what_it_is_given() {
        let gpu = gpu();
        for len in [0, 1, 5, 4096, 5000] {
            let sent: Vec<u16> = (0..len).map(|i| 3 * i).collect();
            let memory = gpu.upload(&sent).expect("memory");
            assert_eq!(memory.len(), sent.len());
            assert_eq!(*memory.to_host().expect("readable"), sent);
            assert_eq!(*gpu.zeros::<u16>(sent.len()).expect("memory").to_host().expect("readable"), vec![0; sent.len()]);
        }
        let wrong = gpu.zeros::<u8>(3).expect("memory").copy_to(&mut [0; 4]);
        assert_eq!(wrong, Err(Error::Entries { entries: 4, rows: 3, columns: 1 }));
    }

    fn demands_beyond_memory_are_errors() {
        let gpu = gpu();
        for len in [1 << 50, usize::MAX / 8, usize::MAX] {
            let error = gpu.zeros::<u64>(len).expect_err("more than there is");
            assert!(matches!(error, Error::Driver { call: "allocation", .. }), "{error}");
        }
        let key = Key::new(&[1; 32], 1);
        assert_eq!(
            gpu.uniform(&key, (1 << 35) + 1).expect_err("too many"),
            Error::Count { got: (1 << 35) + 1, most: 1 << 35 }
        );
        assert_eq!(
            gpu.sample_facct(3.0, (1 << 37) + 1, &[1; 32], 1).expect_err("too many"),
            Error::Count { got: (1 << 37) + 1, most: 1 << 37 }
        );
        assert!(matches!(gpu.sample_facct(1.0, 1, &[1; 32], 1), Err(Error::Sampler(_))));
        assert!(matches!(gpu.sample_facct(f64::NAN, 1, &[1; 32], 1), Err(Error::Sampler(_))));
    }

    fn uniform_is_the_reference() {
        let gpu = gpu();
        let key = Key::new(&core::array::from_fn(|i| 3 * i as u8), 0x0123_4567_89ab_cdef);
        for count in [0, 1, 7, 8, 9, 1023, 1024, 1025, 5000] {
            let mut want = vec![0; count];
            reference::uniform(&key, &mut want).expect("below the limit");
            assert_eq!(*gpu.uniform(&key, count).expect("a device").to_host().expect("readable"), want, "{count} words");
        }
    }

    fn gaussian_is_the_reference() {
        let gpu = gpu();
        let bytes = core::array::from_fn(|i| 5 * i as u8);
        for sigma in [2.0, 2.5, 3.7, 215.0, 1e6, 2e9, 4_294_967_295.5] {
            let sampler = Facct::new(sigma).expect("in range");
            for count in [0, 1, 31, 33, 1023, 1024, 1025, 2049, 20_000] {
                let mut want = vec![i64::MIN; count];
                reference::gaussian(&sampler, &Key::new(&bytes, 77), &mut want).expect("below the limit");
                let got = gpu.sample_facct(sigma, count, &bytes, 77).expect("a device");
                assert_eq!(*got.to_host().expect("readable"), want, "{count} samples of sigma {sigma}");
            }
        }
    }

}

// The results of kernels, whoever starts them.
on_device! { natively:
    /// Sums of products of the largest bytes, beyond a whole span of 8192 terms.
    fn longest_carries() {
        let methods = methods();
        let k = 8192 + 33;
        check::<u64, u64>(&methods, (2, k, 1), |_| u64::MAX);
        check::<u64, i32>(&methods, (1, k, 2), |_| 0x7f7f_7f7f_7f7f_7f7f);
        check::<u64, i32>(&methods, (1, k, 1), |i| if i < k { u64::MAX } else { 0x8080_8080_8080_8080 });
        check::<u64, i8>(&methods, (1, k, 1), |i| if i < k { u64::MAX } else { 0x80 });
        check::<u32, u32>(&methods, (1, k, 1), |_| u64::MAX);
    }

    /// Whole spans, and sums that lie in more than one warp.
    fn spans_add_up() {
        check::<u64, u64>(&methods()[..1], (17, 2 * 8192, 33), any);
    }

    /// More than a block, its edges, and lines that are read four entries at a time.
    fn blocks_and_edges() {
        for shape in [(129, 64, 65), (64, 32, 64), (65, 36, 33), (1, 100, 70), (257, 65, 1), (16, 1, 257)] {
            check_all(shape, any);
        }
    }

    /// More rows of tiles than run side by side, in more than one column of tiles.
    fn groups_of_tiles() {
        check::<u8, u8>(&methods()[..1], (1100, 3, 300), any);
        check::<u32, u32>(&methods()[..1], (1100, 3, 140), any);
        check::<u64, u64>(&methods()[..1], (1100, 3, 70), any);
    }

}

on_device! { by_each_interface:
    /// The memory that is stored for the next product.
    fn large_products() {
        let gpu = [(Method::Tiled, gpu().with_method(Method::Tiled).expect("mma"))];
        for shape in [(256, 256, 256), (255, 256, 256), (257, 300, 260)] {
            check::<u32, i8>(&gpu, shape, any);
        }
    }

    fn empty_products() {
        for shape in [(0, 3, 2), (2, 3, 0), (2, 0, 3), (0, 0, 0)] {
            check_all(shape, |i| i as u64);
        }
    }

    fn products_refuse_wrong_shapes() {
        let gpu = gpu();
        let (x, y) = (gpu.zero_matrix::<u32>(2, 3).expect("memory"), gpu.zero_matrix::<u32>(2, 4).expect("memory"));
        let want = Error::Shape { x: (2, 3), y: (2, 4), z: None };
        assert_eq!(want.to_string(), "no product of 2 x 3 by 2 x 4");
        assert_eq!(gpu.matmul(&x, &y).expect_err("3 != 2"), want);
        let y = y.transposed();
        let mut z = gpu.zero_matrix::<u32>(4, 4).expect("memory");
        let want = Error::Shape { x: (2, 3), y: (4, 2), z: Some((4, 4)) };
        assert_eq!(gpu.matmul_add(&x, &y, &mut z).expect_err("3 != 4"), want);
        let wrong = gpu.row_major(&[1_u8; 5], 2, 3).expect_err("5 != 6");
        assert_eq!(wrong, Error::Entries { entries: 5, rows: 2, columns: 3 });
        let wrong = gpu.row_major::<u8>(&[], usize::MAX, 2).expect_err("overflow");
        assert_eq!(wrong, Error::Entries { entries: 0, rows: usize::MAX, columns: 2 });
        // Shapes without entries, and a product that no memory holds.
        let x = gpu.row_major::<u64>(&[], usize::MAX, 0).expect("no entries");
        let y = gpu.row_major::<u64>(&[], 0, usize::MAX).expect("no entries");
        let (rows, columns) = (usize::MAX, usize::MAX);
        assert_eq!(gpu.matmul(&x, &y).expect_err("2^128 entries"), Error::Large { rows, columns });
        let y = gpu.row_major::<u64>(&[], 0, 0).expect("no entries");
        assert_eq!(gpu.matmul(&x, &y).expect_err("2^64 rows"), Error::Large { rows, columns: 0 });
    }

    fn devices_are_used_from_threads() {
        let gpu = gpu();
        let key = Key::new(&[4; 32], 0);
        let mut want = vec![0; 100];
        reference::uniform(&key, &mut want).expect("below the limit");
        let made = std::thread::scope(|scope| {
            let work = || gpu.uniform(&key, 100).expect("a device");
            [scope.spawn(work), scope.spawn(work)].map(|thread| thread.join().expect("no panic"))
        });
        // Two products that need the same workspace.
        let tiled = [(Method::Tiled, self::gpu().with_method(Method::Tiled).unwrap_or_else(|_| self::gpu()))];
        std::thread::scope(|scope| {
            for n in [20, 30] {
                let tiled = &tiled;
                scope.spawn(move || check::<u32, u32>(tiled, (n, n, n), any));
            }
        });
        // Dropped on a thread that made neither.
        for memory in made {
            assert_eq!(*memory.to_host().expect("readable"), want);
        }
    }
}

/// Any entries.
fn any(i: usize) -> u64 {
    (i as u64 + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(31)
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
}

fn driver() -> &'static std::path::Path {
    #[cfg(feature = "emulation")]
    return tautochrone_kernels::emulation::MOCK_DRIVER.as_ref();
    #[cfg(not(feature = "emulation"))]
    return "libcuda.so.1".as_ref();
}

/// Entries cut from 64 bits, and as the reference extends them.
trait Cut: Entry + Debug + PartialEq {
    fn cut(word: u64) -> Self;
    fn extend(self) -> u64;
}

macro_rules! cut {
    ($($type:ty)*) => {$(
        impl Cut for $type {
            fn cut(word: u64) -> Self {
                word as Self
            }
            fn extend(self) -> u64 {
                self as u64
            }
        }
    )*};
}
cut!(u8 u16 u32 u64 i8 i16 i32);

/// X Y, row-major or column-major at every place, by some methods; and Z += X Y.
fn check<X: Cut, Y: Cut>(
    methods: &[(Method, Gpu)],
    shape: (usize, usize, usize),
    entry: impl Fn(usize) -> u64,
) where
    (X, Y): Product<X = X, Y = Y, Z: Cut>,
{
    type Z<X, Y> = <(X, Y) as Product>::Z;
    let (m, k, n) = shape;
    let x: Vec<X> = (0..m * k).map(|i| X::cut(entry(i))).collect();
    let y: Vec<Y> = (0..k * n).map(|i| Y::cut(entry(i + m * k))).collect();
    let wide = |i: usize| x[i].extend();
    let want = reference::matmul(
        &(0..m * k).map(wide).collect::<Vec<_>>(),
        &y.iter().map(|y| y.extend()).collect::<Vec<_>>(),
        shape,
    );
    let want = want.expect("shapes agree");
    let cut: Vec<Z<X, Y>> = want.iter().map(|&z| Cut::cut(z)).collect();
    let transposed = |entries: &[X]| -> Vec<X> {
        (0..k).flat_map(|j| (0..m).map(move |i| entries[i * k + j])).collect()
    };
    for (method, gpu) in methods {
        let name = format!("{method:?} {} {shape:?}", <(X, Y) as Product>::TYPES);
        let rows = gpu.row_major(&x, m, k).expect("memory");
        let columns = gpu.column_major(&y, k, n).expect("memory");
        let z = gpu.matmul(&rows, &columns).expect("a device");
        assert_eq!(*z.entries().to_host().expect("readable"), cut, "{name}");

        let rows = gpu.column_major(&transposed(&x), m, k).expect("memory");
        let start: Vec<Z<X, Y>> = (0..m * n).map(|i| Cut::cut(entry(i))).collect();
        let mut z = gpu.column_major(&start, m, n).expect("memory");
        gpu.matmul_add(&rows, &columns, &mut z).expect("a device");
        let sum = |i: usize| Cut::cut(want[i % m * n + i / m].wrapping_add(entry(i)));
        let sums: Vec<Z<X, Y>> = (0..m * n).map(sum).collect();
        assert_eq!(*z.entries().to_host().expect("readable"), sums, "{name}, added");
    }
}

fn check_all(shape: (usize, usize, usize), entry: impl Fn(usize) -> u64 + Copy) {
    let methods = methods();
    check::<u8, u8>(&methods, shape, entry);
    check::<u16, i8>(&methods, shape, entry);
    check::<u16, u16>(&methods, shape, entry);
    check::<u32, i8>(&methods, shape, entry);
    check::<u32, i16>(&methods, shape, entry);
    check::<u32, u32>(&methods, shape, entry);
    check::<i8, i8>(&methods, shape, entry);
    check::<u64, i8>(&methods, shape, entry);
    check::<u64, i16>(&methods, shape, entry);
    check::<u64, i32>(&methods, shape, entry);
    check::<u64, u64>(&methods, shape, entry);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    #[cfg_attr(not(feature = "emulation"), ignore = "needs a GPU; run with --ignored")]
    fn products_are_the_reference(m in 1_usize..40, n in 1_usize..20, k in 1_usize..70, seed: u64) {
        by_each_interface(|| check_all((m, k, n), |i| any(i ^ seed as usize)));
    }
}
