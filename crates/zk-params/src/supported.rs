//! For which parameters there are arguments.

use crate::error::Error;
use crate::params::Params;
use crate::suite::{Challenge, Masks};

/// Whether arguments are offered.
///
/// # Errors
/// [`Error::Parameter`] unless arguments are offered for these parameters.
pub fn check_supported(params: &Params) -> Result<(), Error> {
    let ternary = params.challenge() == Challenge::Ternary;
    let expected = "0 (ternary): arguments are not offered with binary ones";
    Error::unless(ternary, "challenge", 1_u32, expected)?;
    let (lambda, expected) = (params.lambda(), "128: the field of arguments has 183 bits");
    Error::unless(lambda == 128, "lambda", lambda, expected)?;
    check_messages(params)
}

/// Whether messages may be committed to.
///
/// # Errors
/// [`Error::Parameter`] if all rows have narrow masks.
pub fn check_messages(params: &Params) -> Result<(), Error> {
    match params.masks() {
        Masks::Mixed { .. } => Ok(()),
        _ => check_wide(params),
    }
}

/// Whether what shows more than knowledge of S, or needs messages, may be offered.
///
/// # Errors
/// [`Error::Parameter`] if any rows have narrow masks, which hide Gaussians alone.
pub fn check_wide(params: &Params) -> Result<(), Error> {
    let expected = "0 (wide): with narrow ones there are proofs of knowledge alone, and with mixed \
                    ones of claims about messages";
    let got = if matches!(params.masks(), Masks::Mixed { .. }) { 2_u32 } else { 1 };
    Error::unless(params.masks() == Masks::Wide, "masks", got, expected)
}
