//! Y, which hides M, and the random bits of the rejection step: both from one key, which no two
//! attempts share.

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::facct::Facct;
use zeroize::{Zeroize, Zeroizing};

use crate::device::Attached;
use crate::erase::Secrets;
use crate::error::Error;
use crate::hash::{Digest, Hasher};
use crate::matrix::PublicMatrix;
use crate::params::Params;

const LABEL_Y: Label = Label::new("tautochrone-zk/2 Y");
/// Of the rows of messages, with mixed masks.
const LABEL_MESSAGES: Label = Label::new("tautochrone-zk/2 Y of messages");
const LABEL_DEVICE: Label = Label::new("tautochrone-zk/2 Y of a device");
const LABEL_U: Label = Label::new("tautochrone-zk/2 rejection");

/// The key H("Y", seed, D, H(S), attempt, fresh entropy) of an attempt; entropy only if there is
/// some. `s_digest` is H("witness", hashes of the blocks of S). With an argument it is H("Y with
/// argument", seed, D, H(S), attempt, D_end, fresh entropy): two arguments, or one and none, have
/// two challenges for one W.
pub(super) fn key(
    params: &Params,
    seed: &Seed,
    [digest, s_digest]: [&Digest; 2],
    argument: Option<&Digest>,
    attempt: u32,
    entropy: Option<&Seed>,
) -> Seed {
    let tag = if argument.is_some() { "Y with argument" } else { "Y" };
    let mut hasher = Hasher::new(params.hash(), tag)
        .field(seed.expose())
        .field(digest.as_bytes())
        .field(s_digest.as_bytes())
        .number(attempt.into());
    if let Some(state) = argument {
        hasher = hasher.field(state.as_bytes());
    }
    if let Some(entropy) = entropy {
        hasher = hasher.field(entropy.expose());
    }
    let mut key = hasher.finish_key();
    let seed = Seed::from_bytes(key);
    key.zeroize();
    seed
}

/// Y <- D_sigma^{v x n}; column j from stream j, or all of it from a device under a key that
/// nothing else uses. With mixed masks `of_messages` samples the first rows, from streams of their
/// own; then no device does. In the memory of `former` if that is as long.
pub(super) fn sample_y(
    matrix: &PublicMatrix,
    (sampler, of_messages): (&Facct, Option<&Facct>),
    key: &Seed,
    former: Secrets<i64>,
) -> Result<Secrets<i64>, Error> {
    let params = &matrix.params;
    let mut y = former;
    y.of_len(params.response_entries());
    if let (Some(Attached { device, .. }), None) = (&matrix.device, of_messages) {
        let mut bytes = Zeroizing::new([0; 32]);
        stream(matrix, key, LABEL_DEVICE, 0).fill(&mut *bytes);
        device.sample(sampler, &bytes, &mut y).map_err(Error::Device)?;
        return Ok(y);
    }
    crate::parallel::for_chunks(&mut y, params.v() as usize, |j, column| {
        let (messages, column) = column.split_at_mut(params.message_mask_rows() as usize);
        if let Some(sampler) = of_messages {
            sampler.fill(&mut stream(matrix, key, LABEL_MESSAGES, j as u64), messages);
        }
        sampler.fill(&mut stream(matrix, key, LABEL_Y, j as u64), column);
    });
    Ok(y)
}

/// The random bits of the rejection step.
pub(super) fn uniform(matrix: &PublicMatrix, key: &Seed) -> Zeroizing<[u8; 16]> {
    let mut uniform = Zeroizing::new([0; 16]);
    stream(matrix, key, LABEL_U, 0).fill(&mut *uniform);
    uniform
}

fn stream(matrix: &PublicMatrix, key: &Seed, label: Label, index: u64) -> Stream {
    key.stream_with(matrix.isa, matrix.params.key_size(), label, index)
}
