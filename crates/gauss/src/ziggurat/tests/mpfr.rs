//! Partitions and comparisons against GNU MPFR: `tests/kat/ziggurat.json`, written by
//! `tests/kat/ziggurat.py`.

use super::exact::check_point;
use super::*;
use num_bigint::BigInt;
use serde_json::Value;

#[test]
fn partitions_and_all_levels_agree_with_mpfr() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/kat/ziggurat.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut points = 0;
    for case in file["cases"].as_array().unwrap() {
        let sigma = case["sigma"].as_f64().unwrap();
        let corners: Vec<u64> =
            case["corners"].as_array().unwrap().iter().map(|x| x.as_u64().unwrap()).collect();
        let partition = Partition::new(sigma, corners.len() - 1).unwrap();
        let area = alloc::format!("{:016x}", partition.area().to_bits());
        assert_eq!(area, case["area"], "the area that the file is for, sigma {sigma}");
        assert!(partition.corners() == corners, "corners, sigma {sigma}");

        for point in case["points"].as_array().unwrap() {
            let (i, x) = (point[0].as_u64().unwrap() as usize, point[1].as_u64().unwrap());
            let p = BigInt::parse_bytes(point[2].as_str().unwrap().as_bytes(), 16).unwrap();
            check_point(&partition, (i, x), &p);
            points += 1;
        }
    }
    assert!(points > 50, "{points}");
}
