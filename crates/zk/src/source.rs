//! Random access to long inputs: files, memory, anything that can be read at an offset.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::fs::File;

use crate::io;

/// Bytes of known length that several threads may read at once.
pub trait ReadAt: Sync {
    /// Length in bytes.
    fn len(&self) -> u64;

    /// Fills `buffer` from `offset` on.
    ///
    /// # Errors
    /// Errors of the operating system; [`io::ErrorKind::UnexpectedEof`] beyond the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// The `len` bytes from `offset` on, if they lie in memory, so that nobody has to copy them:
    /// `None` by default.
    ///
    /// Bytes are checked before they are used, so they must not change while they are
    /// borrowed: a file that is mapped into memory and that others may write is to be read by
    /// [`Self::read_at`] alone.
    #[doc(hidden)]
    fn in_memory(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let _ = (offset, len);
        None
    }

    /// Whether there are no bytes at all.
    #[doc(hidden)]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ReadAt for [u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let part = self.in_memory(offset, buffer.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(part);
        Ok(())
    }

    fn in_memory(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let start = usize::try_from(offset).ok()?;
        self.get(start..start.checked_add(len)?)
    }
}

impl<R: ReadAt + ?Sized> ReadAt for &R {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, buffer)
    }

    fn in_memory(&self, offset: u64, len: usize) -> Option<&[u8]> {
        (**self).in_memory(offset, len)
    }
}

impl ReadAt for Vec<u8> {
    fn len(&self) -> u64 {
        ReadAt::len(self.as_slice())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_at(offset, buffer)
    }

    fn in_memory(&self, offset: u64, len: usize) -> Option<&[u8]> {
        self.as_slice().in_memory(offset, len)
    }
}

/// A file, and behind it bytes in memory.
pub(crate) struct Appended<'a> {
    pub(crate) file: &'a dyn ReadAt,
    pub(crate) more: &'a [u8],
}

impl ReadAt for Appended<'_> {
    fn len(&self) -> u64 {
        self.file.len() + self.more.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let len = self.file.len();
        let of_file = len.saturating_sub(offset).min(buffer.len() as u64) as usize;
        let (first, rest) = buffer.split_at_mut(of_file);
        if !first.is_empty() {
            self.file.read_at(offset, first)?;
        }
        if rest.is_empty() { Ok(()) } else { self.more.read_at(offset.max(len) - len, rest) }
    }

    fn in_memory(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let of_file = self.file.len();
        match offset.checked_sub(of_file) {
            Some(offset) => self.more.in_memory(offset, len),
            None if len as u64 <= of_file - offset => self.file.in_memory(offset, len),
            None => None,
        }
    }
}

/// A file and the length it had when it was opened.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct FileSource {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
    len: u64,
}

#[cfg(feature = "std")]
impl FileSource {
    /// Takes over an open file.
    ///
    /// # Errors
    /// If its length cannot be determined; [`io::ErrorKind::InvalidInput`] if it is not a regular
    /// file.
    pub fn new(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Ok(Self { file, len: metadata.len() })
    }
}

#[cfg(feature = "std")]
impl ReadAt for FileSource {
    fn len(&self) -> u64 {
        self.len
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(not(unix))]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self.file.lock().map_err(|_| io::ErrorKind::Other)?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_follow_the_file() {
        let (file, more) = (vec![1, 2, 3, 4, 5], [6, 7, 8]);
        let all = Appended { file: &file, more: &more };
        assert_eq!(all.len(), 8);
        for start in 0..=8 {
            for end in start..=8 {
                let mut bytes = vec![0; end - start];
                all.read_at(start as u64, &mut bytes).unwrap();
                assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8][start..end]);
                // They lie together, unless some are the file's and some are not.
                let together = (end <= 5 || start >= 5).then_some(&bytes[..]);
                assert_eq!(all.in_memory(start as u64, bytes.len()), together);
            }
            assert!(all.read_at(start as u64, &mut vec![0; 9 - start]).is_err());
            assert_eq!(all.in_memory(start as u64, 9 - start), None);
        }
    }
}
