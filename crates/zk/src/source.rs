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
    /// As the operating system says; [`io::ErrorKind::UnexpectedEof`] beyond the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Whether there are no bytes at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ReadAt for [u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let part = usize::try_from(offset)
            .ok()
            .and_then(|start| self.get(start..start.checked_add(buffer.len())?))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(part);
        Ok(())
    }
}

impl<R: ReadAt + ?Sized> ReadAt for &R {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, buffer)
    }
}

impl ReadAt for Vec<u8> {
    fn len(&self) -> u64 {
        ReadAt::len(self.as_slice())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_at(offset, buffer)
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
