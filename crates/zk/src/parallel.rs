//! The ways in which work is spread over threads. Results never depend on the number of threads.

/// f(0), f(1), .., f(count - 1), or the first error.
#[cfg(feature = "rayon")]
pub(crate) fn try_map<T: Send, E: Send>(
    count: u64,
    f: impl Fn(u64) -> Result<T, E> + Sync + Send,
) -> Result<Vec<T>, E> {
    use rayon::prelude::*;
    // An indexed iterator, so that the order is kept; counts fit usize on the 64-bit machines this runs on.
    (0..count as usize).into_par_iter().map(|i| f(i as u64)).collect()
}

/// f(0), f(1), .., f(count - 1), or the first error.
#[cfg(not(feature = "rayon"))]
pub(crate) fn try_map<T, E>(count: u64, f: impl Fn(u64) -> Result<T, E>) -> Result<Vec<T>, E> {
    (0..count).map(f).collect()
}

/// Calls f(index, chunk) for each chunk of `size` elements.
#[cfg(feature = "rayon")]
pub(crate) fn for_chunks<T: Send>(
    data: &mut [T],
    size: usize,
    f: impl Fn(usize, &mut [T]) + Sync + Send,
) {
    use rayon::prelude::*;
    data.par_chunks_mut(size).enumerate().for_each(|(index, chunk)| f(index, chunk));
}

/// Calls f(index, chunk) for each chunk of `size` elements.
#[cfg(not(feature = "rayon"))]
pub(crate) fn for_chunks<T>(data: &mut [T], size: usize, f: impl Fn(usize, &mut [T])) {
    data.chunks_mut(size).enumerate().for_each(|(index, chunk)| f(index, chunk));
}

/// f(index, chunk) of each chunk of `size` elements, or the first error.
#[cfg(feature = "rayon")]
pub(crate) fn try_map_chunks<T: Send, U: Send, E: Send>(
    data: &mut [T],
    size: usize,
    f: impl Fn(usize, &mut [T]) -> Result<U, E> + Sync + Send,
) -> Result<Vec<U>, E> {
    use rayon::prelude::*;
    data.par_chunks_mut(size).enumerate().map(|(index, chunk)| f(index, chunk)).collect()
}

/// f(index, chunk) of each chunk of `size` elements, or the first error.
#[cfg(not(feature = "rayon"))]
pub(crate) fn try_map_chunks<T, U, E>(
    data: &mut [T],
    size: usize,
    f: impl Fn(usize, &mut [T]) -> Result<U, E>,
) -> Result<Vec<U>, E> {
    data.chunks_mut(size).enumerate().map(|(index, chunk)| f(index, chunk)).collect()
}
