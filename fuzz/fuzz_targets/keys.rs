#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tautochrone_fuzz::keys(data));
