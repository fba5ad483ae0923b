//! Drivers that fail, machines without devices: each a process of its own, with a mock driver told
//! what to do.

use std::process::Command;

use tautochrone_kernels::emulation::MOCK_DRIVER;
use tautochrone_kernels::{Error, Gpu, Interface, Method};

/// Which interface, and which driver library, in a process of [`tell`].
const INTERFACE: &str = "TAUTOCHRONE_TEST_INTERFACE";
const DRIVER: &str = "TAUTOCHRONE_TEST_DRIVER";

/// In a process of [`tell`]: opens a device, uses it, and prints what came of it.
#[test]
#[ignore = "run by the other tests of this file"]
fn use_a_device() {
    match samples_and_product() {
        Ok((samples, product)) => println!("\nresult: {samples} samples, product {product}"),
        Err(error) => println!("\nresult: {error}"),
    }
}

/// 10 samples, and 6 * 7 by tiles where the device can.
fn samples_and_product() -> Result<(usize, u64), Error> {
    let driver = std::env::var_os(DRIVER).unwrap_or_else(|| MOCK_DRIVER.into());
    let interface = match std::env::var(INTERFACE).as_deref() {
        Ok("cust") => Interface::Cust,
        _ => Interface::Native,
    };
    let open = || Gpu::open_by(interface, driver.as_ref(), 0);
    let gpu = match open()?.with_method(Method::Tiled) {
        Err(Error::Capability { least: (8, 0), .. }) => open()?,
        result => result?,
    };
    let samples = gpu.sample_facct(3.0, 10, &[1; 32], 1)?.to_host()?.len();
    let (x, y) = (gpu.row_major(&[6_u64], 1, 1)?, gpu.row_major(&[7_u64], 1, 1)?);
    let product = gpu.matmul(&x, &y)?.entries().to_host()?[0];
    Ok((samples, product))
}

/// The output of a process with this variable, which is the same by every interface of this build.
fn tell(name: &str, value: &str) -> String {
    let by = |interface| {
        let output = Command::new(std::env::current_exe().expect("a path"))
            .args(["--exact", "use_a_device", "--ignored", "--nocapture"])
            .env(INTERFACE, interface)
            .env(name, value)
            .output()
            .expect("this program");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let line = text.lines().find_map(|line| line.strip_prefix("result: "));
        let errors = String::from_utf8_lossy(&output.stderr);
        line.unwrap_or_else(|| panic!("{interface}: {text}{errors}")).to_owned()
    };
    let native = by("native");
    if cfg!(feature = "cust") {
        assert_eq!(by("cust"), native, "{name}={value}");
    }
    native
}

const ALL: &str = "10 samples, product 42";

#[test]
fn machines() {
    assert_eq!(tell("TAUTOCHRONE_MOCK_DEVICES", "1"), ALL);
    assert_eq!(tell("TAUTOCHRONE_MOCK_DEVICES", "0"), Error::NoDevice.to_string());
    assert_eq!(tell("TAUTOCHRONE_MOCK_FAIL", "cuInit:100"), Error::NoDevice.to_string());
    assert_eq!(
        tell("TAUTOCHRONE_MOCK_CAPABILITY", "6"),
        Error::Capability { got: (6, 5), least: (7, 5) }.to_string()
    );
    assert_eq!(tell("TAUTOCHRONE_MOCK_CAPABILITY", "7"), ALL);
}

/// No library, a library that is no driver, and a file that is no library are errors and no panics.
#[test]
fn no_driver() {
    let missing = tell(DRIVER, "/nonexistent/libcuda.so.1");
    assert!(missing.starts_with("no CUDA driver: /nonexistent/libcuda.so.1: "), "{missing}");
    let text = tell(DRIVER, concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
    assert!(text.starts_with("no CUDA driver: ") && text.contains("README.md"), "{text}");
    // CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, whose name there is no driver to tell.
    let other = Error::Driver { call: "initialisation", code: 302, name: "unknown to the driver" };
    assert_eq!(tell(DRIVER, "libc.so.6"), other.to_string());
}

/// The planes of two entries of 8 bytes take 2 * 2 * 8 fragments of 512 bytes. Without memory for
/// them, the method is `Direct`.
#[test]
fn little_memory() {
    for largest in ["16384", "16383", "4096"] {
        assert_eq!(tell("TAUTOCHRONE_MOCK_LARGEST", largest), ALL, "{largest}");
    }
}

/// Codes that `cust` knows, that it does not, and that no driver has.
#[test]
fn every_call_can_fail() {
    for (function, call) in [
        ("cuInit", "initialisation"),
        ("cuDeviceGetCount", "counting devices"),
        ("cuDeviceGet", "choosing a device"),
        ("cuDeviceGetAttribute", "device attributes"),
        ("cuDeviceGetName", "the device's name"),
        ("cuDevicePrimaryCtxRetain", "creating a context"),
        ("cuStreamCreateWithPriority", "creating a stream"),
        ("cuCtxSetCurrent", "making the context current"),
        ("cuModuleLoadDataEx", "translating PTX"),
        ("cuModuleGetFunction", "finding a kernel"),
        ("cuMemAlloc_v2", "allocation"),
        ("cuMemsetD8_v2", "erasure"),
        ("cuMemcpyHtoD_v2", "upload"),
        ("cuMemcpyDtoH_v2", "download"),
        ("cuLaunchKernel", "launch"),
        ("cuFuncSetAttribute", "asking for shared memory"),
        ("cuStreamSynchronize", "kernel"),
    ] {
        for (code, name) in [
            (2, "CUDA_ERROR_OUT_OF_MEMORY"),
            (222, "unknown to the driver"),
            (4242, "unknown to the driver"),
        ] {
            assert_eq!(
                tell("TAUTOCHRONE_MOCK_FAIL", &format!("{function}:{code}")),
                Error::Driver { call, code, name }.to_string()
            );
        }
    }
}
