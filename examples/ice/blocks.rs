//! The cipher on whole blocks.

use tautochrone::ice::Ice;
use tautochrone_cli::Failure;

use super::args::Args;

/// The cipher: whole blocks in place, on all threads.
pub(crate) fn apply(ice: &Ice, decrypt: bool, bytes: &mut [u8]) {
    let (blocks, _tail) = bytes.as_chunks_mut();
    if decrypt { ice.decrypt_parallel(blocks) } else { ice.encrypt_parallel(blocks) }
}

pub(crate) fn cipher(args: &Args, key: &[u8]) -> Result<Ice, Failure> {
    Ice::new_on(args.common.isa(), args.level, key).map_err(Failure::new)
}
