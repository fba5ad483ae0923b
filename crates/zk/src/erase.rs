//! [`Secrets`]: entries of S, Y or Z, erased.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use tautochrone_zk_params::erase::erase;

/// Entries of S, Y or Z, or words of W, erased when dropped. `Zeroizing` would write them one
/// volatile byte after the other, a twentieth of a proof's time (benches/record, zk).
pub(crate) struct Secrets<T: Copy + Default + PartialEq = i8>(Vec<T>);

/// `Debug` of a type that holds secrets: its name, and nothing of these.
macro_rules! redacted {
    ($name:literal, $type:ty $(, $field:ident $(: $bound:path)?)?) => {
        impl$(<$field $(: $bound)?>)? core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!($name, "([REDACTED])"))
            }
        }
    };
}
pub(crate) use redacted;

/// `Debug` of a type with parts that are secret or long: its name, and these fields alone.
macro_rules! debug_fields {
    ($name:literal, $type:ty $(, $parameter:ident $(: $bound:path)?)?; $($field:ident),+) => {
        impl$(<$parameter $(: $bound)?>)? core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut fields = f.debug_struct($name);
                $(fields.field(stringify!($field), &self.$field);)+
                fields.finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use debug_fields;

impl<T: Copy + Default + PartialEq> Secrets<T> {
    pub(crate) fn zeros(len: usize) -> Self {
        Self(vec![T::default(); len])
    }

    pub(crate) const fn own(entries: Vec<T>) -> Self {
        Self(entries)
    }

    pub(crate) fn copy(entries: &[T]) -> Self {
        Self(entries.to_vec())
    }

    /// The entries, for whoever publishes them or erases them from now on.
    pub(crate) fn take(&mut self) -> Vec<T> {
        core::mem::take(&mut self.0)
    }

    /// Room for so many entries: those that were there, if they are as many, or zeros.
    pub(crate) fn of_len(&mut self, len: usize) -> &mut [T] {
        if self.len() != len {
            *self = Self::zeros(len);
        }
        self
    }

    /// Overwrites the entries, and what lies beyond their end.
    fn wipe(&mut self) {
        erase(&mut self.0);
    }
}

impl<T: Copy + Default + PartialEq> Default for Secrets<T> {
    /// None.
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy + Default + PartialEq> Deref for Secrets<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default + PartialEq> DerefMut for Secrets<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Default + PartialEq> Drop for Secrets<T> {
    fn drop(&mut self) {
        self.wipe();
        #[cfg(test)]
        tests::dropped(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::UsedSlots;
    use crate::cases::waived;
    use crate::matrix::PublicMatrix;
    use crate::params::{CustomParams, Params};
    use crate::preset::Preset;
    use crate::witness::{Witness, WitnessFile};
    use core::cell::Cell;

    thread_local! {
        /// Entries that were freed as zeros on this thread, and those that were freed as they were.
        static FREED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    }

    /// Called with the memory of secrets at the moment before it is freed.
    pub(super) fn dropped<T: Default + PartialEq>(memory: &[T]) {
        let zeros = memory.iter().filter(|&s| *s == T::default()).count();
        FREED.set((FREED.get().0 + zeros, FREED.get().1 + memory.len() - zeros));
    }

    /// How many entries of secrets `f` frees, all of them erased.
    fn erased(f: impl FnOnce()) -> usize {
        FREED.set((0, 0));
        f();
        let (erased, left) = FREED.get();
        assert_eq!(left, 0, "entries are freed as they were");
        erased
    }

    fn params() -> Params {
        waived(CustomParams { r: 8, v: 24, l: 300, n: Some(10), ..Preset::T4_128.custom() })
    }

    #[test]
    fn wiping_reaches_the_end_of_the_capacity() {
        let mut entries = Vec::with_capacity(100);
        entries.resize(100, -1);
        entries.truncate(30);
        let mut secrets = Secrets::own(entries);
        secrets.wipe();
        assert!(secrets.0.len() >= 100 && secrets.iter().all(|&s| s == 0));
    }

    #[test]
    fn secrets_are_wiped_when_dropped() {
        assert_eq!(erased(|| drop(Secrets::own(vec![-1; 100]))), 100);
        assert_eq!(erased(|| drop(Secrets::copy(&[1; 100]))), 100);
        let zeros = || {
            let mut secrets = Secrets::zeros(100);
            secrets.fill(1);
        };
        assert_eq!(erased(zeros), 100);
    }

    /// Names of claims are hashes of all wires.
    #[test]
    fn records_of_slots_are_wiped() {
        assert_eq!(erased(|| drop(UsedSlots::new(vec![[1; 32]; 3]))), 3);
    }

    /// Everything that takes over or reads a witness leaves nothing of it: also where it is
    /// refused, and in the buffer of groups of columns.
    #[test]
    fn whoever_holds_s_wipes_it() {
        let params = params();
        let count = 24 * 300;
        let own = || drop(Witness::new(&params, vec![1; count]).unwrap());
        assert_eq!(erased(own), count);
        assert_eq!(erased(|| drop(Witness::new(&params, vec![2; count]).unwrap_err())), count);
        // Stacked in words, then narrowed to bytes, and copied.
        let lwe = || drop(Witness::of_lwe(&params, &[1_i8; 16 * 300], &[1_i8; 8 * 300]).unwrap());
        assert_eq!(erased(lwe), 3 * count);
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let file = WitnessFile::new(&params, vec![1; count]).unwrap();
        assert_eq!(erased(|| drop(matrix.commit(&file, &mut Vec::new()).unwrap())), count);
    }
}
