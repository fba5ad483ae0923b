//! [`OnceLock`]: a cell that is filled once; the one of the standard library where there is one.

#[cfg(feature = "std")]
pub use std::sync::OnceLock;

#[cfg(not(feature = "std"))]
pub use without_std::OnceLock;

// Compiled by the tests, too.
#[cfg(any(test, not(feature = "std")))]
#[cfg_attr(feature = "std", allow(dead_code, unreachable_pub, reason = "for the tests alone"))]
mod without_std {
    use alloc::boxed::Box;

    use once_cell::race::OnceBox;

    /// As `std::sync::OnceLock`, but two threads may both compute the value, and one result is
    /// stored: there is nothing that a thread could wait with.
    #[derive(Clone, Debug)]
    pub struct OnceLock<T>(OnceBox<T>);

    impl<T> Default for OnceLock<T> {
        fn default() -> Self {
            Self::new()
        }
    }

    impl<T> OnceLock<T> {
        /// An empty cell.
        pub const fn new() -> Self {
            Self(OnceBox::new())
        }

        /// The stored value.
        pub fn get(&self) -> Option<&T> {
            self.0.get()
        }

        /// The stored value, made by `init` if there is none yet.
        pub fn get_or_init(&self, init: impl FnOnce() -> T) -> &T {
            self.0.get_or_init(|| Box::new(init()))
        }

        /// Stores `value`.
        ///
        /// # Errors
        /// The value itself if one is stored already.
        pub fn set(&self, value: T) -> Result<(), T> {
            self.0.set(Box::new(value)).map_err(|value| *value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_std::OnceLock;

    #[test]
    fn the_first_value_stays() {
        let once = OnceLock::default();
        assert_eq!(once.get(), None);
        assert_eq!(once.set(1), Ok(()));
        assert_eq!(once.set(2), Err(2));
        assert_eq!(once.get_or_init(|| 3), &1);
        assert_eq!(once.clone().get(), Some(&1));
        assert_eq!(OnceLock::new().get_or_init(|| 4), &4);
    }
}
