//! The rayon pool, or the calling thread.

#[cfg(feature = "rayon")]
use alloc::vec::Vec;
#[cfg(feature = "rayon")]
use std::sync::Mutex;

/// Calls `f` with the index of each part, and with the part.
pub(crate) fn for_each<T: Send>(
    mut parts: impl Iterator<Item = T>,
    parallel: bool,
    f: impl Fn(usize, T) + Sync,
) {
    for_each_dyn(&mut parts, parallel, &f);
}

/// The same, compiled once for all iterators over parts of a type, and all functions of them.
fn for_each_dyn<T: Send>(
    parts: &mut dyn Iterator<Item = T>,
    parallel: bool,
    f: &(dyn Fn(usize, T) + Sync),
) {
    #[cfg(feature = "rayon")]
    if parallel {
        let parts: Vec<_> = parts.map(|part| Mutex::new(Some(part))).collect();
        let part = |i: usize| parts[i].lock().expect("nothing panics while it is held").take();
        return for_each_index(parts.len(), &|i| f(i, part(i).expect("taken once")));
    }
    let _ = parallel;
    for (i, part) in parts.enumerate() {
        f(i, part);
    }
}

/// Calls f(0), f(1), .., f(count - 1) on threads of the pool, whose code is compiled once for all
/// functions.
#[cfg(feature = "rayon")]
fn for_each_index(count: usize, f: &(dyn Fn(usize) + Sync)) {
    use rayon::prelude::*;
    (0..count).into_par_iter().for_each(f);
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
