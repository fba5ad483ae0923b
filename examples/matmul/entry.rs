//! Matrix entries: their form in files, and random ones.

use std::path::PathBuf;

use tautochrone::ctr::{Label, Seed};
use tautochrone::matmul::Operand;

use tautochrone_cli::Failure;

/// An entry with its file form.
pub(crate) trait Entry: Operand {
    fn from_bytes(bytes: &[u8]) -> Self;
    fn to_bytes(self) -> Vec<u8>;
    fn from_i64(value: i64) -> Self;
}

macro_rules! entry {
    ($($t:ty)*) => {$(
        impl Entry for $t {
            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("an entry's bytes"))
            }
            fn to_bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn from_i64(value: i64) -> Self {
                value as Self
            }
        }
    )*};
}

entry!(u8 u16 u32 u64 i8 i16 i32 i64);

/// Zeros, or the reason why there is no memory for them.
pub(crate) fn allocate<T: Entry>(len: usize) -> Result<Vec<T>, Failure> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(Failure::new)?;
    values.resize(len, T::default());
    Ok(values)
}

/// The entries of a file, or random ones of `bits` bits.
pub(crate) fn operand<T: Entry>(
    file: Option<&PathBuf>,
    (rows, columns): (usize, usize),
    bits: Option<u32>,
    seed: &Seed,
    label: Label,
) -> Result<Vec<T>, Failure> {
    let down = 64 - bits.unwrap_or(64);
    let size = size_of::<T>();
    if let Some(path) = file {
        let what = format!("a {rows} x {columns} matrix of {size}-byte entries");
        let bytes = tautochrone_cli::read_exactly(path, rows * columns * size, what)?;
        let values: Vec<T> = bytes.chunks_exact(size).map(T::from_bytes).collect();
        let fits = |value: &T| {
            let wide = value.widen() as i64;
            bits.is_none() || wide << down >> down == wide
        };
        return match values.iter().position(|value| !fits(value)) {
            None => Ok(values),
            Some(at) => Err(Failure::file(
                path,
                format_args!("entry {at} does not fit {} signed bits", 64 - down),
            )),
        };
    }
    let mut values = allocate(rows * columns)?;
    let mut stream = seed.stream(label, 0);
    let mut words = [0; 1024];
    for values in values.chunks_mut(words.len()) {
        stream.fill_u64(&mut words);
        for (value, word) in values.iter_mut().zip(words) {
            *value = T::from_i64(word as i64 >> down);
        }
    }
    Ok(values)
}
