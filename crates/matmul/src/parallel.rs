//! The rayon pool, or the calling thread.

/// Calls `f` with the index and the bytes of each chunk of `size` bytes.
pub(crate) fn for_chunks(
    bytes: &mut [u8],
    size: usize,
    parallel: bool,
    f: impl Fn(usize, &mut [u8]) + Sync,
) {
    if size == 0 {
        return;
    }
    #[cfg(feature = "rayon")]
    if parallel {
        use rayon::prelude::*;
        bytes.par_chunks_exact_mut(size).enumerate().for_each(|(i, chunk)| f(i, chunk));
        return;
    }
    let _ = parallel;
    for (i, chunk) in bytes.chunks_exact_mut(size).enumerate() {
        f(i, chunk);
    }
}

/// Calls `f` with the index and the elements of each chunk of `size`, which divides the length.
pub(crate) fn for_each_chunk<T: Send>(
    data: &mut [T],
    size: usize,
    parallel: bool,
    f: impl Fn(usize, &mut [T]) + Sync,
) {
    #[cfg(feature = "rayon")]
    if parallel {
        use rayon::prelude::*;
        data.par_chunks_exact_mut(size).enumerate().for_each(|(i, chunk)| f(i, chunk));
        return;
    }
    let _ = parallel;
    for (i, chunk) in data.chunks_exact_mut(size).enumerate() {
        f(i, chunk);
    }
}

/// Calls both, perhaps at the same time.
pub(crate) fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    rayon::join(a, b);
    #[cfg(not(feature = "rayon"))]
    {
        a();
        b();
    }
}

/// Threads of the ambient pool.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}
