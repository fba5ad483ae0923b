//! Reading and writing: `std::io` where there is a standard library, elsewhere the few of its names
//! that this crate uses, with the same meaning.
//!
//! Code that uses the names listed here compiles with and without the feature `std`.

#[cfg(feature = "std")]
pub use std::io::{Error, ErrorKind, Result, Write};

#[cfg(not(feature = "std"))]
pub use without_std::{Error, ErrorKind, Result, Write};

// Compiled by the tests, too.
#[cfg(any(test, not(feature = "std")))]
#[cfg_attr(feature = "std", allow(dead_code, unreachable_pub, reason = "for the tests alone"))]
mod without_std {
    use alloc::vec::Vec;

    /// Why reading or writing failed: the kind of failure, and no more.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
    #[non_exhaustive]
    pub enum ErrorKind {
        /// The data ended too early.
        #[error("unexpected end of file")]
        UnexpectedEof,
        /// The data are not what they should be.
        #[error("invalid data")]
        InvalidData,
        /// A sink took no more bytes.
        #[error("write zero")]
        WriteZero,
        /// Anything else.
        #[error("other error")]
        Other,
    }

    /// A kind of failure.
    pub type Error = ErrorKind;

    /// The result of reading and writing.
    pub type Result<T> = core::result::Result<T, Error>;

    /// A sink of bytes.
    pub trait Write {
        /// Writes all of them.
        ///
        /// # Errors
        /// The sink's own; then a part may have been written.
        fn write_all(&mut self, bytes: &[u8]) -> Result<()>;
    }

    impl Write for Vec<u8> {
        fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
            self.extend_from_slice(bytes);
            Ok(())
        }
    }

    impl<W: Write + ?Sized> Write for &mut W {
        fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
            (**self).write_all(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_std::{ErrorKind, Write};

    /// The same texts as of the standard library.
    #[test]
    fn kinds_are_named_as_in_std() {
        for (ours, std) in [
            (ErrorKind::UnexpectedEof, std::io::ErrorKind::UnexpectedEof),
            (ErrorKind::InvalidData, std::io::ErrorKind::InvalidData),
            (ErrorKind::WriteZero, std::io::ErrorKind::WriteZero),
            (ErrorKind::Other, std::io::ErrorKind::Other),
        ] {
            assert_eq!(ours.to_string(), std::io::Error::from(std).to_string());
        }
    }

    #[test]
    fn vectors_are_sinks() {
        let mut sink = vec![1];
        Write::write_all(&mut &mut sink, &[2, 3]).unwrap();
        assert_eq!(sink, [1, 2, 3]);
    }
}
