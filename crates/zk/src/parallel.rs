//! The ways in which work is spread over threads. Results never depend on the number of threads.
//!
//! Where there is one, it is the caller's own, which has in its caches what it works on next, and
//! not a thread of a pool. So it is without the feature `rayon`.

use alloc::vec::Vec;
use core::marker::PhantomData;
#[cfg(feature = "rayon")]
use core::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "std")]
use std::sync::{Mutex, PoisonError};

/// f(0), f(1), .., f(count - 1), or the first error: calls that are left out come after it. Of one
/// type for all functions with such results, as [`for_each`].
pub(crate) fn try_map<T: Send, E: Send>(
    count: usize,
    f: &(dyn Fn(usize) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    #[cfg(not(feature = "rayon"))]
    return (0..count).map(f).collect();
    #[cfg(feature = "rayon")]
    {
        // The index of a call that has failed, in the end the least: rayon itself chooses the error
        // of the thread that comes first. Whichever it is meanwhile, what is left out comes after
        // it.
        let failed = AtomicUsize::new(usize::MAX);
        let results: Vec<Task<Option<Result<T, E>>>> =
            (0..count).map(|_| Task::new(None)).collect();
        for_each(count, &|i| {
            if i < failed.load(Ordering::Relaxed) {
                let result = f(i);
                if result.is_err() {
                    failed.fetch_min(i, Ordering::Relaxed);
                }
                results[i].set(Some(result));
            }
        });
        results.iter().filter_map(Task::take).collect()
    }
}

/// Calls f(index, chunk) for each chunk of `size` elements.
pub(crate) fn for_chunks<T: Send>(
    data: &mut [T],
    size: usize,
    f: impl Fn(usize, &mut [T]) + Sync + Send,
) {
    #[cfg(not(feature = "rayon"))]
    data.chunks_mut(size).enumerate().for_each(|(index, chunk)| f(index, chunk));
    #[cfg(feature = "rayon")]
    for_tasks(data, size, &f);
}

/// As [`for_chunks`], of one type for all functions, as [`for_each`].
#[cfg(feature = "rayon")]
fn for_tasks<T: Send>(data: &mut [T], size: usize, f: &(dyn Fn(usize, &mut [T]) + Sync)) {
    let chunks: Vec<_> = data.chunks_mut(size).map(Task::new).collect();
    for_each(chunks.len(), &|i| f(i, chunks[i].take()));
}

/// f(index, chunk) of each chunk of `size` elements, or the first error.
pub(crate) fn try_map_chunks<T: Send, U: Send, E: Send>(
    data: &mut [T],
    size: usize,
    f: impl Fn(usize, &mut [T]) -> Result<U, E> + Sync + Send,
) -> Result<Vec<U>, E> {
    #[cfg(not(feature = "rayon"))]
    return data.chunks_mut(size).enumerate().map(|(index, chunk)| f(index, chunk)).collect();
    #[cfg(feature = "rayon")]
    {
        let chunks: Vec<_> = data.chunks_mut(size).map(Task::new).collect();
        try_map(chunks.len(), &|i| f(i, chunks[i].take()))
    }
}

/// Calls f(0), f(1), .., f(count - 1). Of one type for all functions, so that the pool's own code
/// and what it calls are compiled once.
#[cfg(feature = "rayon")]
fn for_each(count: usize, f: &(dyn Fn(usize) + Sync)) {
    use rayon::prelude::*;
    if threads() == 1 {
        (0..count).for_each(f);
    } else {
        (0..count).into_par_iter().for_each(f);
    }
}

/// The input or output of one call.
#[cfg(feature = "rayon")]
struct Task<T>(Mutex<Option<T>>);

#[cfg(feature = "rayon")]
impl<T> Task<T> {
    const fn new(value: T) -> Self {
        Self(Mutex::new(Some(value)))
    }

    fn take(&self) -> T {
        self.0.lock().expect("nothing panics while it is held").take().expect("taken once")
    }

    fn set(&self, value: T) {
        *self.0.lock().expect("nothing panics while it is held") = Some(value);
    }
}

/// Runs `f` on a thread of the ambient pool if that has several. Work that `f` spreads over threads
/// then begins on this one: a caller from outside would be put to sleep, and woken, for each part.
pub(crate) fn inside<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    #[cfg(not(feature = "rayon"))]
    return f();
    #[cfg(feature = "rayon")]
    {
        let (mut f, mut result) = (Some(f), None);
        run_inside(&mut || result = f.take().map(|f| f()));
        result.expect("called once")
    }
}

/// As [`inside`], of one type for all functions, as [`for_each`].
#[cfg(feature = "rayon")]
fn run_inside(f: &mut (dyn FnMut() + Send)) {
    if threads() == 1 {
        f();
    } else {
        rayon::scope(|_| f());
    }
}

/// Threads of the ambient pool, or the caller's.
pub(crate) fn threads() -> usize {
    #[cfg(not(feature = "rayon"))]
    return 1;
    #[cfg(feature = "rayon")]
    rayon::current_num_threads()
}

/// Buffers of tasks, which hand them on to each other: as many as there are tasks at one time,
/// behind a lock, so that without the standard library each task has a new one.
pub(crate) struct Pool<T>(#[cfg(feature = "std")] Mutex<Vec<T>>, PhantomData<fn() -> T>);

impl<T> Default for Pool<T> {
    /// Without buffers.
    fn default() -> Self {
        Self(
            #[cfg(feature = "std")]
            Mutex::default(),
            PhantomData,
        )
    }
}

impl<T> Pool<T> {
    /// Calls `f` with the buffer of a task that has ended, or a new one.
    #[cfg_attr(not(feature = "std"), expect(clippy::unused_self, reason = "nothing is behind it"))]
    pub(crate) fn with<R>(&self, new: impl FnOnce() -> T, f: impl FnOnce(&mut T) -> R) -> R {
        #[cfg(feature = "std")]
        let new = || self.each(Vec::pop).unwrap_or_else(new);
        let mut buffer = new();
        let result = f(&mut buffer);
        #[cfg(feature = "std")]
        self.each(|buffers| buffers.push(buffer));
        result
    }

    /// Calls `f` with the buffers that no task has.
    #[cfg(feature = "std")]
    fn each<R>(&self, f: impl FnOnce(&mut Vec<T>) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "rayon")]
    #[test]
    fn inside_is_a_thread_of_a_pool_of_several() {
        let index = inside(rayon::current_thread_index);
        assert_eq!(index.is_some(), rayon::current_num_threads() > 1);
    }

    #[test]
    fn the_first_error_is_returned() {
        let slow_first = |i: usize| {
            if i == 3 {
                std::thread::sleep(core::time::Duration::from_millis(20));
            }
            if i < 3 { Ok(i) } else { Err(i) }
        };
        let run = || {
            let chunks = try_map_chunks(&mut [0; 64], 1, |i, _| slow_first(i));
            (try_map(64, &slow_first), chunks)
        };
        #[cfg(feature = "rayon")]
        for threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(run), (Err(3), Err(3)), "{threads} threads");
        }
        #[cfg(not(feature = "rayon"))]
        assert_eq!(run(), (Err(3), Err(3)));
        assert_eq!(try_map(9, &|i| Ok::<_, ()>(2 * i)), Ok((0..9).map(|i| 2 * i).collect()));
    }

    /// One task after another takes the same memory; a task within another has its own.
    #[cfg(feature = "std")]
    #[test]
    fn buffers_are_used_again() {
        let pool = Pool::default();
        let first = pool.with(
            || vec![0; 100],
            |bytes| {
                bytes.fill(1);
                bytes.as_ptr()
            },
        );
        pool.with(Vec::new, |bytes| {
            assert_eq!((bytes.as_ptr(), &bytes[..]), (first, &[1; 100][..]));
            pool.with(Vec::new, |within| assert_eq!(within.len(), 0));
        });
        assert_eq!(pool.each(|buffers| buffers.len()), 2);
    }
}
