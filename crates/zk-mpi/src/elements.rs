//! Elements of K between ranks.

use tautochrone_zk::argument::{ELEMENT_LEN, Element, decode_elements, encode_elements};
use tautochrone_zk::shard::Shard;
use zeroize::Zeroizing;

use crate::exchange::gather_columns;
use crate::{Comm, text};

/// Elements that rank 0 gathers at most at once: messages are shorter than 2^31 bytes.
const MAX_ELEMENTS: usize = 1 << 26;

/// The sum of every rank's elements at rank 0; elsewhere nothing. Reductions of MPI do not know the
/// field.
///
/// # Errors
/// At rank 0, if a rank sent other than as many elements as its own.
pub(crate) fn sum(comm: &Comm, own: &[Element]) -> Result<Zeroizing<Vec<Element>>, String> {
    let mut sums = Zeroizing::new(Vec::new());
    for own in own.chunks(MAX_ELEMENTS.div_ceil(comm.size())) {
        let parts = comm.gather(&encode_elements(own));
        sums.extend_from_slice(&add(&parts, if comm.is_root() { own.len() } else { 0 })?);
    }
    Ok(sums)
}

/// Every rank's elements at rank 0, in the order of all columns; elsewhere nothing.
///
/// # Errors
/// At rank 0, if the bytes of a rank are no elements.
pub(crate) fn gather(
    comm: &Comm,
    shards: &[Shard],
    own: &[Element],
) -> Result<Zeroizing<Vec<Element>>, String> {
    let all = gather_columns(comm, shards, &encode_elements(own));
    decode_elements(&all, all.len() / ELEMENT_LEN).map_err(text)
}

fn add(parts: &[Zeroizing<Vec<u8>>], count: usize) -> Result<Zeroizing<Vec<Element>>, String> {
    let mut sums = Zeroizing::new(vec![Element::ZERO; count]);
    for part in parts {
        let part = decode_elements(part, count).map_err(text)?;
        sums.iter_mut().zip(part.iter()).for_each(|(sum, &x)| *sum += x);
    }
    Ok(sums)
}
