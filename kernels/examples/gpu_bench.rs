//! Timings of the kernels on a GPU, one line each; every result is compared with the reference
//! first.
//!
//! `kernels/bench-gpu.sh` builds it, carries it to a machine with a GPU and runs it there.

use std::process::ExitCode;
use std::time::Instant;

use tautochrone_gauss::facct::Facct;
use tautochrone_kernels::reference::{self, Key};
use tautochrone_kernels::{DeviceMatrix, DeviceVec, Entry, Error, Gpu, Method, Product};

/// Timed runs of each kernel, after one that is not timed; the median counts.
const RUNS: usize = 9;

/// (m, k, n) of products of m x k by k x n in a proof by the preset T4-128.
/// A is r x v, S v x l, C l x n.
const OF_PROOFS: &[(usize, usize, usize)] =
    &[(1240, 2704, 4096), (2704, 4096, 142), (1240, 4096, 142), (1240, 2704, 142)];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Error> {
    let gpu = Gpu::open()?;
    // `--quick` is for the mock driver, where nothing that is timed means anything.
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (major, minor) = gpu.capability();
    println!("device: {}, compute capability {major}.{minor}", gpu.name());
    println!("{:<34} {:>16} {:>16} {:>9}", "kernel", "device only", "with the copy", "success");
    let count = if quick { 5000 } else { 1 << 28 };
    uniform(&gpu, count)?;
    for sigma in [215.0, 1e6, 2e9] {
        gaussian(&gpu, sigma, count)?;
    }
    // The least of the sizes below 4096 at which `Tiled` is faster than `Direct` is where `Gpu`
    // should change over.
    let sizes: &[usize] = if quick { &[33] } else { &[128, 256, 512, 1024, 1536, 2048, 4096] };
    // The last is what the others are compared with.
    let mut methods = Vec::new();
    for method in [Method::Tiled, Method::Direct, Method::Imad] {
        match Gpu::open()?.with_method(method) {
            Ok(gpu) => methods.push((method, gpu)),
            Err(Error::Capability { .. }) => println!("{method:?}: not on this device"),
            Err(error) => return Err(error),
        }
    }
    // The products of a proof: A S, S C and T C of the preset T4-128, and Y of one attempt.
    let of_proofs = if quick { &[(9, 24, 33)][..] } else { OF_PROOFS };
    for &shape in of_proofs {
        product::<u32, i8>(&methods, shape, |i| i as u32, |i| i as i8)?;
        product::<u32, i16>(&methods, shape, |i| i as u32, |i| i as i16)?;
        product::<i8, i8>(&methods, shape, |i| i as i8, |i| i as i8)?;
    }
    for &size in sizes {
        let size = (size, size, size);
        product::<u32, u32>(&methods, size, |i| i as u32, |i| i as u32)?;
        product::<u32, i8>(&methods, size, |i| i as u32, |i| i as i8)?;
        product::<u32, i16>(&methods, size, |i| i as u32, |i| i as i16)?;
        product::<u64, u64>(&methods, size, |i| i, |i| i)?;
        product::<u64, i8>(&methods, size, |i| i, |i| i as i8)?;
        product::<u64, i32>(&methods, size, |i| i, |i| i as i32)?;
        product::<i8, i8>(&methods, size, |i| i as i8, |i| i as i8)?;
        product::<u8, u8>(&methods, size, |i| i as u8, |i| i as u8)?;
        product::<u16, u16>(&methods, size, |i| i as u16, |i| i as u16)?;
    }
    Ok(())
}

/// Median seconds of runs: the device's own clock, and the host's with the copy back.
fn measure<T: Entry>(
    gpu: &Gpu,
    out: &mut DeviceVec<T>,
    mut work: impl FnMut(&mut DeviceVec<T>) -> Result<(), Error>,
) -> Result<(f64, f64), Error> {
    let mut host = vec![T::default(); out.len()];
    work(out)?;
    let (mut device, mut total) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        device.push(gpu.time(|| work(out))?);
        out.copy_to(&mut host)?;
        total.push(start.elapsed().as_secs_f64());
    }
    Ok((median(device), median(total)))
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn line(name: &str, unit: &str, work: f64, (device, total): (f64, f64), success: f64) {
    let rate = |seconds: f64| format!("{:.2} {unit}", work / seconds);
    println!("{name:<34} {:>16} {:>16} {success:>9.3}", rate(device), rate(total));
}

fn uniform(gpu: &Gpu, count: usize) -> Result<(), Error> {
    let key = Key::new(&[1; 32], 0);
    let mut out = gpu.zeros(count)?;
    let seconds = measure(gpu, &mut out, |out| gpu.fill_uniform(&key, out))?;
    let mut want = vec![0; 4096];
    reference::uniform(&key, &mut want)?;
    assert_eq!(out.to_host()?[..4096], want, "uniform words differ from the reference");
    line("uniform, 64-bit words", "G/s", count as f64 / 1e9, seconds, 1.0);
    Ok(())
}

fn gaussian(gpu: &Gpu, sigma: f64, count: usize) -> Result<(), Error> {
    /// No sample: beyond the support of every sigma.
    const NONE: i64 = i64::MIN;
    let (sampler, key) = (Facct::new(sigma)?, Key::new(&[2; 32], 0));
    let mut out = gpu.upload(&vec![NONE; count])?;
    let seconds = measure(gpu, &mut out, |out| gpu.fill_gaussian(&sampler, &key, out))?;
    let host = out.to_host()?;
    let mut want = vec![0; 4096];
    reference::gaussian(&sampler, &key, &mut want)?;
    assert_eq!(host[..4096], want, "samples differ from the reference");
    let filled = host.iter().filter(|&&z| z != NONE).count();
    let name = format!("facct, sigma {sigma:e}, 64-bit samples");
    line(&name, "G/s", count as f64 / 1e9, seconds, filled as f64 / count as f64);
    Ok(())
}

/// One line for each method; all must agree with the last, which the tests compare with the
/// reference.
fn product<X: Entry, Y: Entry>(
    methods: &[(Method, Gpu)],
    (m, k, n): (usize, usize, usize),
    x: impl Fn(u64) -> X,
    y: impl Fn(u64) -> Y,
) -> Result<(), Error>
where
    (X, Y): Product<X = X, Y = Y>,
    <(X, Y) as Product>::Z: PartialEq + core::fmt::Debug,
{
    // Any entries: the multiplier is odd and large, so all bytes vary.
    let entry = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x: Vec<X> = (0..m * k).map(|i| x(entry(i))).collect();
    let y: Vec<Y> = (0..k * n).map(|i| y(entry(i + m * k))).collect();
    let Some((_, last)) = methods.last() else { return Ok(()) };
    let x = last.row_major(&x, m, k)?;
    let y = last.column_major(&y, k, n)?;
    let want = last.matmul(&x, &y)?.entries().to_host()?;
    for (method, gpu) in methods {
        let mut z: DeviceMatrix<_> = gpu.zero_matrix(m, n)?;
        gpu.matmul_add(&x, &y, &mut z)?;
        assert!(*want == *z.entries().to_host()?, "{method:?} differs");
        let mut device = Vec::new();
        for _ in 0..RUNS {
            device.push(gpu.time(|| gpu.matmul_add(&x, &y, &mut z))?);
        }
        let start = Instant::now();
        gpu.matmul(&x, &y)?.entries().to_host()?;
        let elapsed = start.elapsed().as_secs_f64();
        let name = format!("{method:?} {}, {m} x {k} x {n}", <(X, Y) as Product>::TYPES);
        line(&name, "TMAC/s", (m * k * n) as f64 / 1e12, (median(device), elapsed), 1.0);
    }
    Ok(())
}
