//! The variable [`ENVIRONMENT`]: a cap on the tiers for one run of a program.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::tier::{HIGHEST, IsaError, TIER_NAMES};

/// Name of the environment variable that caps the tiers: any of [`TIER_NAMES`], or `auto`.
pub const ENVIRONMENT: &str = "TAUTOCHRONE_ISA";

/// Index of the highest tier that the environment allows, as it was at the first call.
pub(crate) fn cap() -> u8 {
    /// The cap plus one; 0 before the first call.
    static CACHE: AtomicU8 = AtomicU8::new(0);
    match CACHE.load(Ordering::Relaxed) {
        0 => {
            // Unknown values are for `check` to find.
            let cap = value().and_then(|name| index(name.as_ref()).ok()).unwrap_or(HIGHEST);
            CACHE.store(cap + 1, Ordering::Relaxed);
            cap
        }
        cap => cap - 1,
    }
}

pub(crate) fn check() -> Result<(), IsaError> {
    value().map_or(Ok(()), |name| index(name.as_ref()).map(drop))
}

/// The cap of that name. Empty means none, as for many variables.
fn index(name: &str) -> Result<u8, IsaError> {
    if matches!(name, "" | "auto") {
        return Ok(HIGHEST);
    }
    let index = TIER_NAMES.iter().position(|&tier| tier == name);
    index.map(|index| index as u8).ok_or(IsaError::Unknown)
}

#[cfg(any(unix, windows))]
fn value() -> Option<std::string::String> {
    // A value that is no Unicode becomes an unknown name.
    Some(std::env::var_os(ENVIRONMENT)?.to_string_lossy().into_owned())
}

/// Without an operating system there is no environment.
#[cfg(not(any(unix, windows)))]
fn value() -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tier_is_a_cap_and_nothing_else_is() {
        for (i, name) in TIER_NAMES.iter().enumerate() {
            assert_eq!(index(name), Ok(i as u8));
        }
        for none in ["", "auto"] {
            assert_eq!(index(none), Ok(HIGHEST));
        }
        for unknown in ["sse9", "AVX2", " avx2", "avx2 ", "\u{fffd}"] {
            assert_eq!(index(unknown), Err(IsaError::Unknown));
        }
    }
}
