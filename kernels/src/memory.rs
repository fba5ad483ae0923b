//! [`DeviceVec`] and [`DeviceMatrix`]: entries in the memory of a device.

use core::marker::PhantomData;

use zeroize::Zeroizing;

use crate::Error;
use crate::driver::{Device, Memory};
use crate::kernel::Entry;

/// Entries in the memory of a device; erased when dropped.
pub struct DeviceVec<T> {
    /// `None` if there are no entries: the driver has no empty allocations.
    memory: Option<Box<dyn Memory>>,
    len: usize,
    entry: PhantomData<T>,
}

impl<T> core::fmt::Debug for DeviceVec<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DeviceVec").field("len", &self.len).finish_non_exhaustive()
    }
}

impl<T: Entry> DeviceVec<T> {
    pub(crate) fn upload(device: &dyn Device, entries: &[T]) -> Result<Self, Error> {
        let memory = (!entries.is_empty()).then(|| device.upload(bytes(entries))).transpose()?;
        Ok(Self { memory, len: entries.len(), entry: PhantomData })
    }

    pub(crate) fn zeros(device: &dyn Device, len: usize) -> Result<Self, Error> {
        let bytes = len.saturating_mul(size_of::<T>());
        let memory = (len > 0).then(|| device.zeroed(bytes)).transpose()?;
        Ok(Self { memory, len, entry: PhantomData })
    }

    /// How many entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device's address of the first entry, if there is one.
    pub(crate) fn address(&self) -> Option<u64> {
        self.memory.as_ref().map(|memory| memory.address())
    }

    /// Copies the entries back.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn to_host(&self) -> Result<Zeroizing<Vec<T>>, Error> {
        let mut out = Zeroizing::new(vec![T::default(); self.len]);
        self.copy_to(&mut out)?;
        Ok(out)
    }

    /// Copies the entries to `out`.
    ///
    /// # Errors
    /// [`Error::Entries`] unless the lengths agree; [`Error::Driver`].
    pub fn copy_to(&self, out: &mut [T]) -> Result<(), Error> {
        if out.len() != self.len {
            return Err(Error::Entries { entries: out.len(), rows: self.len, columns: 1 });
        }
        self.memory.as_ref().map_or(Ok(()), |memory| memory.download(bytes_mut(out)))
    }

    /// The entries as a matrix, row after row.
    ///
    /// # Errors
    /// [`Error::Entries`] unless there are rows * columns of them.
    pub fn into_row_major(self, rows: usize, columns: usize) -> Result<DeviceMatrix<T>, Error> {
        if rows.checked_mul(columns) != Some(self.len) {
            return Err(Error::Entries { entries: self.len, rows, columns });
        }
        Ok(DeviceMatrix { entries: self, rows, columns, strides: [columns as u64, 1] })
    }
}

/// A matrix in the memory of a device, row-major or column-major; erased when dropped.
#[derive(Debug)]
pub struct DeviceMatrix<T> {
    entries: DeviceVec<T>,
    rows: usize,
    columns: usize,
    /// Strides of rows and of columns.
    strides: [u64; 2],
}

impl<T: Entry> DeviceMatrix<T> {
    /// Rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The same memory as the transposed matrix: row-major becomes column-major.
    #[must_use]
    pub fn transposed(self) -> Self {
        let [row, column] = self.strides;
        Self { rows: self.columns, columns: self.rows, strides: [column, row], ..self }
    }

    /// Entries from one row to the next, and from one column to the next.
    pub(crate) fn strides(&self) -> [u64; 2] {
        self.strides
    }

    /// The entries as they lie in memory.
    #[must_use]
    pub fn entries(&self) -> &DeviceVec<T> {
        &self.entries
    }
}

#[allow(unsafe_code)]
fn bytes<T: Entry>(entries: &[T]) -> &[u8] {
    // SAFETY: entries are integers: no padding, and every byte is initialised.
    unsafe { core::slice::from_raw_parts(entries.as_ptr().cast(), size_of_val(entries)) }
}

#[allow(unsafe_code)]
fn bytes_mut<T: Entry>(entries: &mut [T]) -> &mut [u8] {
    // SAFETY: entries are integers: no padding, and any bytes make one.
    unsafe { core::slice::from_raw_parts_mut(entries.as_mut_ptr().cast(), size_of_val(entries)) }
}
