//! Elements of K in the files of proofs.

use alloc::vec::Vec;

use crate::error::{Fault, Reason};
use crate::field::{ElementOf, Field};

/// The next `count` elements of a file, and what is behind them.
///
/// # Errors
/// [`Reason::Content`]; [`Reason::Content`].
pub(crate) fn split_elements<F: Field>(
    body: &[u8],
    count: usize,
) -> Result<(Vec<ElementOf<F>>, &[u8]), Reason> {
    let (elements, rest) =
        body.split_at_checked(F::ELEMENT_LEN * count).ok_or(Reason::Content(Fault::Encoding))?;
    let mut decoded = Vec::with_capacity(count);
    for (index, bytes) in (0..).zip(elements.chunks_exact(F::ELEMENT_LEN)) {
        let (element, is_reduced) = ElementOf::from_slice(bytes);
        decoded.push(
            is_reduced.then_some(element).ok_or(Reason::Content(Fault::FieldElement { index }))?,
        );
    }
    Ok((decoded, rest))
}
