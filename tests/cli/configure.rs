//! The `configure` example: what it reports and what it writes.

use std::process::Command;

use tautochrone::gauss::exact::{Half, Variance};
use tautochrone_gauss_synth::Configuration;

use crate::folder::Folder;

#[test]
fn reports_are_the_library_s() {
    let answer = Folder::new().json("configure --sigma 2 --variants 16");
    let variance = Variance::from_sigma(2.0).expect("a width");
    let made = Configuration::new(&variance, Half::Folded, 64, 16).expect("a circuit");
    assert_eq!(answer["operations"], made.circuit().ops().len());
    assert_eq!(answer["random_bits"], 64);
    assert_eq!(answer["values"], 19);
    let d = made.distance();
    for (name, want) in [
        ("log2_statistical_distance", d.log2_statistical),
        ("log2_renyi", d.log2_renyi),
        ("log2_tail", d.log2_tail),
    ] {
        // Decimal and back may move the last bit.
        let got = answer[name].as_f64().expect("a number");
        assert!((got - want).abs() < 1e-9, "{name}: {got}, not {want}");
    }
}

/// The file compiles on its own and computes the circuit.
#[test]
fn the_written_source_is_the_circuit() {
    let dir = &Folder::new();
    dir.ok("configure --sigma 1.5 --precision 32 --variants 1 --out sampler.rs");

    let variance = Variance::from_sigma(1.5).expect("a width");
    let made = Configuration::new(&variance, Half::Folded, 32, 1).expect("a distribution");
    let source = dir.text("sampler.rs");
    assert_eq!(source, made.source());

    // Knuth's 64-bit linear congruence, upper bits folded down: the same words on both sides.
    let mut state = 1_u64;
    let words: Vec<u64> = (0..32)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state ^ state >> 29
        })
        .collect();
    let main = format!(
        "mod sampler;\nfn main() {{ println!(\"{{:?}}\", sampler::circuit(&{words:?})); }}\n"
    );
    dir.write("main.rs", main);
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc)
        .args(["--edition", "2024", "-D", "warnings", "-o", "program", "main.rs"])
        .current_dir(dir)
        .output()
        .expect("rustc runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(dir.join("program")).output().expect("the program runs");
    let want = format!("{:?}\n", made.circuit().evaluate(&words));
    assert_eq!(String::from_utf8_lossy(&run.stdout), want);
}
