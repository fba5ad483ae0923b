//! Models of what `crates/zk/src/sync.rs` offers.

pub(crate) use shuttle::sync::atomic::{AtomicUsize, Ordering};

use shuttle::sync::Mutex;
use shuttle::sync::atomic::AtomicBool;

/// As `std::sync::OnceLock`: whoever comes to [`OnceLock::get_or_init`] while a value is computed
/// waits for it, the thread that computes it too.
pub(crate) struct OnceLock<T> {
    value: std::sync::OnceLock<T>,
    stored: AtomicBool,
    computing: Mutex<()>,
}

impl<T> OnceLock<T> {
    pub(crate) fn new() -> Self {
        Self {
            value: std::sync::OnceLock::new(),
            stored: AtomicBool::new(false),
            computing: Mutex::new(()),
        }
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.stored.load(Ordering::SeqCst).then(|| self.value.get().expect("it was stored"))
    }

    pub(crate) fn get_or_init(&self, init: impl FnOnce() -> T) -> &T {
        if let Some(value) = self.get() {
            return value;
        }
        let computing = self.computing.lock().expect("nothing panics");
        if self.get().is_none() {
            assert!(self.value.set(init()).is_ok(), "one computes at a time");
            self.stored.store(true, Ordering::SeqCst);
        }
        drop(computing);
        self.get().expect("it was stored")
    }
}
