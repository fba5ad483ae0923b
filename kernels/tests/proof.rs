//! Proofs made and checked on a device: the same bytes as from the reference, statements and
//! answers the same as the CPU's.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tautochrone_ctr::Seed;
use tautochrone_kernels::emulation::MOCK_DRIVER;
use tautochrone_kernels::{Gpu, Interface, Method, Reference};
use tautochrone_zk::device::{Device, DeviceCache, DeviceError, Left, Right, Sum};
use tautochrone_zk::{
    CustomParams, Error, Params, Preset, Prover, PublicMatrix, RandomWitness, Reason, Security,
    Statement, Verifier,
};

/// Toy dimensions, more columns than a group has.
fn params(custom: CustomParams) -> Params {
    let custom = CustomParams { r: 9, v: 24, l: 1030, n: Some(10), ..custom };
    custom.validate(Security::Waived).expect("valid")
}

fn gpu(interface: Interface) -> Gpu {
    Gpu::open_by(interface, MOCK_DRIVER.as_ref(), 0).expect("the mock driver")
}

fn commit(a: &PublicMatrix) -> (Statement, Vec<u8>) {
    let mut file = Vec::new();
    let statement = a.commit_and_hold(&witness(), &mut file).expect("a commitment");
    (statement, file)
}

fn witness() -> RandomWitness {
    RandomWitness::new(Seed::from_bytes([2; 32]))
}

fn prove(a: &PublicMatrix, statement: &Statement) -> Vec<u8> {
    let prover = Prover::new(a, statement).expect("waived").reproducible();
    let proved = prover.prove(b"context", &witness(), &Seed::from_bytes([3; 32])).expect("a proof");
    proved.proof
}

fn check(params: &Params) {
    let a = |device: Option<Arc<dyn Device>>| {
        let a = PublicMatrix::new(params, [1; 32]);
        match device {
            Some(device) => a.with_device(device),
            None => a,
        }
    };
    let cpu = a(None);
    let (statement, file) = commit(&cpu);
    let on_reference = a(Some(Arc::new(Reference)));
    let want = prove(&on_reference, &statement);
    assert_ne!(want, prove(&cpu, &statement), "two devices, one seed: independent Y");
    let native = gpu(Interface::Native);
    let mut gpus =
        vec![native, gpu(Interface::Native).with_method(Method::Imad).expect("any chip")];
    if cfg!(feature = "cust") {
        gpus.push(gpu(Interface::Cust));
    }
    for gpu in gpus {
        let on_gpu = a(Some(Arc::new(gpu)));
        assert_eq!(commit(&on_gpu), (statement.clone(), file.clone()));
        let proof = prove(&on_gpu, &statement);
        assert_eq!(proof, want);
        let mut wrong = proof.clone();
        let middle = wrong.len() / 2;
        wrong[middle] ^= 1;
        for a in [&cpu, &on_reference, &on_gpu] {
            let verify = |proof: &[u8]| {
                let verifier = Verifier::new(a, &statement).expect("its own A");
                verifier.with_file(&file).verify(b"context", proof)
            };
            verify(&proof).expect("valid");
            assert!(matches!(verify(&wrong), Err(Error::Invalid(_))));
        }
    }
}

/// T in words of 16 bits, which devices are given as 32.
#[test]
fn words_of_32_bits() {
    check(&params(Preset::T4_128.custom()));
}

#[test]
fn words_of_64_bits() {
    check(&params(Preset::B4_128.custom()));
}

#[test]
fn whole_t() {
    check(&params(CustomParams { round_t: Some(0), ..Preset::T4_128.custom() }));
}

/// Entries of more than a byte, whose products stay on the CPU while products of A and Y do not.
#[test]
fn wide_entries() {
    let custom = CustomParams { n: Some(10), ..CustomParams::new(44, 9, 24, 1030, 1000) };
    check(&custom.validate(Security::Waived).expect("valid"));
}

/// A request to a device.
#[derive(PartialEq)]
enum Step {
    Sample,
    Product,
}

/// The reference, after a function that may fail.
struct Watched<F>(F);

impl<F: Fn(Step) -> Result<(), DeviceError> + Send + Sync> Device for Watched<F> {
    fn sample(
        &self,
        sampler: &tautochrone_gauss::facct::Facct,
        key: &[u8; 32],
        out: &mut [i64],
    ) -> Result<(), DeviceError> {
        self.0(Step::Sample)?;
        Reference.sample(sampler, key, out)
    }

    fn multiply_add(
        &self,
        x: Left<'_>,
        y: Right<'_>,
        z: Sum<'_>,
        cache: Option<&DeviceCache>,
    ) -> Result<(), DeviceError> {
        self.0(Step::Product)?;
        Reference.multiply_add(x, y, z, cache)
    }
}

/// Contexts of a GPU belong to threads.
#[test]
fn devices_are_used_on_the_thread_of_the_caller() {
    let params = params(Preset::T4_128.custom());
    let caller = std::thread::current().id();
    let device = Arc::new(Watched(move |_| {
        assert_eq!(std::thread::current().id(), caller);
        Ok(())
    }));
    let a = PublicMatrix::new(&params, [1; 32]).with_device(device);
    let (statement, file) = commit(&a);
    let proof = prove(&a, &statement);
    let verifier = Verifier::new(&a, &statement).expect("its own A");
    verifier.with_file(&file).verify(b"context", &proof).expect("valid");
}

/// A device that fails at the n-th product.
fn broken(products: u32) -> Arc<dyn Device> {
    let left = AtomicU32::new(products);
    Arc::new(Watched(move |step| {
        if step == Step::Product && left.fetch_sub(1, Ordering::Relaxed) == 0 {
            return Err(Arc::new(tautochrone_kernels::Error::NoDevice) as DeviceError);
        }
        Ok(())
    }))
}

/// A verifier whose device fails has no answer; certainly not "valid".
#[test]
fn a_failing_device_proves_nothing() {
    let params = params(Preset::T4_128.custom());
    let expand = || PublicMatrix::new(&params, [1; 32]);
    let (statement, file) = commit(&expand());
    let proof = prove(&expand(), &statement);
    let verify = |products: u32| {
        let a = expand().with_device(broken(products));
        Verifier::new(&a, &statement)
            .expect("its own A")
            .with_file(&file)
            .verify(b"context", &proof)
    };
    // A Z, and T C in two groups of columns.
    for products in 0..3 {
        let error = verify(products);
        assert!(matches!(error, Err(Error::Device(_))), "{products}");
    }
    verify(3).expect("no failure");
    for products in 0..3 {
        let a = expand().with_device(broken(products));
        let prover = Prover::new(&a, &statement).expect("waived").reproducible();
        let result = prover.prove(b"context", &witness(), &Seed::from_bytes([3; 32]));
        assert!(matches!(result, Err(Error::Device(_))), "{products}");
    }
    let a = expand();
    let verifier = Verifier::new(&a, &statement).expect("its own A");
    let other = verifier.with_file(&file).verify(b"other", &proof);
    assert!(matches!(other, Err(Error::Invalid(Reason::OtherStatement))));
}
