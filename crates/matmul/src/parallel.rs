//! The rayon pool, or the calling thread.

#[cfg(feature = "rayon")]
use alloc::vec::Vec;

/// Calls `f` with the index and the elements of each chunk of `size`; the last may be shorter.
pub(crate) fn for_each_chunk<T: Send>(
    data: &mut [T],
    size: usize,
    parallel: bool,
    f: impl Fn(usize, &mut [T]) + Sync,
) {
    // Compiled once for both ways.
    let f: &(dyn Fn(usize, &mut [T]) + Sync) = &f;
    #[cfg(feature = "rayon")]
    if parallel {
        let chunks: Vec<_> = data.chunks_mut(size).map(Task::new).collect();
        return for_each(chunks.len(), &|i| f(i, chunks[i].take()));
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
    let f: &OfBoth<'_, T, U> = &f;
    let both = left.chunks_mut(left_size).zip(right.chunks_mut(right_size));
    #[cfg(feature = "rayon")]
    if parallel {
        let both: Vec<_> = both.map(Task::new).collect();
        return for_each(both.len(), &|i| {
            let (left, right) = both[i].take();
            f(i, left, right);
        });
    }
    let _ = parallel;
    for (i, (left, right)) in both.enumerate() {
        f(i, left, right);
    }
}

/// The call for two chunks.
type OfBoth<'a, T, U> = dyn Fn(usize, &mut [T], &mut [U]) + Sync + 'a;

/// Calls f(0), f(1), .., f(count - 1) on threads of the pool, whose code is compiled once for all
/// functions.
#[cfg(feature = "rayon")]
fn for_each(count: usize, f: &(dyn Fn(usize) + Sync)) {
    use rayon::prelude::*;
    (0..count).into_par_iter().for_each(f);
}

/// The input of one call.
#[cfg(feature = "rayon")]
struct Task<T>(std::sync::Mutex<Option<T>>);

#[cfg(feature = "rayon")]
impl<T> Task<T> {
    const fn new(value: T) -> Self {
        Self(std::sync::Mutex::new(Some(value)))
    }

    fn take(&self) -> T {
        self.0.lock().expect("nothing panics while it is held").take().expect("taken once")
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
