//! The rayon pool, or the calling thread.

/// Calls `f` with the index and the elements of each chunk of `size`; the last may be shorter.
pub(crate) fn for_each_chunk<T: Send>(
    data: &mut [T],
    size: usize,
    parallel: bool,
    f: impl Fn(usize, &mut [T]) + Sync,
) {
    #[cfg(feature = "rayon")]
    if parallel {
        use rayon::prelude::*;
        data.par_chunks_mut(size).enumerate().for_each(|(i, chunk)| f(i, chunk));
        return;
    }
    let _ = parallel;
    for (i, chunk) in data.chunks_mut(size).enumerate() {
        f(i, chunk);
    }
}

/// The same for chunks of two slices, each of its own size, that go together; the last of both may
/// be shorter.
pub(crate) fn for_both_chunks<T: Send, U: Send>(
    (left, left_size): (&mut [T], usize),
    (right, right_size): (&mut [U], usize),
    parallel: bool,
    f: impl Fn(usize, &mut [T], &mut [U]) + Sync,
) {
    #[cfg(feature = "rayon")]
    if parallel {
        use rayon::prelude::*;
        let right = right.par_chunks_mut(right_size);
        let both = left.par_chunks_mut(left_size).zip(right);
        both.enumerate().for_each(|(i, (left, right))| f(i, left, right));
        return;
    }
    let _ = parallel;
    let both = left.chunks_mut(left_size).zip(right.chunks_mut(right_size));
    for (i, (left, right)) in both.enumerate() {
        f(i, left, right);
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
