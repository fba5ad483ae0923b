//! The known answers of builds with the standard library, by a build without it.

use std::error::Error;

use no_std::{answers, small};
use tautochrone_zk::{CustomParams, Preset};

const KNOWN: &str = include_str!("../../../tests/kat/proofs.json");

fn main() -> Result<(), Box<dyn Error>> {
    let cases = [
        small(Preset::T4_128),
        CustomParams { round_t: Some(0), ..small(Preset::T4_128) },
        small(Preset::B4_128),
        small(Preset::T4_256),
    ];
    for custom in &cases {
        for answer in answers(custom)? {
            assert!(KNOWN.contains(&answer), "without `std`: {answer} is not in tests/kat");
        }
    }
    println!("no_std: {} known answers", 2 * cases.len());
    Ok(())
}
