//! For which parameters there are arguments.

use crate::error::Error;
use crate::params::Params;
use crate::suite::Version;

/// # Errors
/// [`Error::Parameter`] unless arguments are offered for these parameters.
pub(super) fn check_supported(params: &Params) -> Result<(), Error> {
    if params.version() != Version::Two {
        let expected = "2: arguments need compact proofs";
        return Err(Error::parameter("version", u16::from(params.version()), expected));
    }
    if params.lambda() != 128 {
        let expected = "128: the field of arguments has 183 bits";
        return Err(Error::parameter("lambda", params.lambda(), expected));
    }
    Ok(())
}
