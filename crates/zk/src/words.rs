//! Words of w bits, and matrices of them: one code for w = 32 and w = 64.

/// A word of w bits.
pub(crate) trait Word: Copy + Default + Send + Sync {
    const BYTES: usize;
    fn from_bytes(bytes: &[u8]) -> Self;
    fn put_bytes(self, out: &mut [u8]);
    fn from_i64(x: i64) -> Self;
    /// The words of a matrix, if they are of this type.
    fn of(matrix: &ModQ) -> Option<&[Self]>;
    fn wrap(words: Vec<Self>) -> ModQ;
}

macro_rules! word {
    ($t:ty, $variant:ident) => {
        impl Word for $t {
            const BYTES: usize = size_of::<$t>();
            #[inline]
            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("a word's bytes"))
            }
            #[inline]
            fn put_bytes(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }
            #[inline]
            fn from_i64(x: i64) -> Self {
                x as Self
            }
            fn of(matrix: &ModQ) -> Option<&[Self]> {
                if let ModQ::$variant(words) = matrix { Some(words) } else { None }
            }
            fn wrap(words: Vec<Self>) -> ModQ {
                ModQ::$variant(words)
            }
        }
    };
}

word!(u32, W32);
word!(u64, W64);

/// A public matrix modulo q = 2^w, column after column.
#[derive(Clone, PartialEq, Eq)]
pub enum ModQ {
    /// w = 32.
    W32(Vec<u32>),
    /// w = 64.
    W64(Vec<u64>),
}

/// Too long to be printed.
impl core::fmt::Debug for ModQ {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (name, len) = match self {
            Self::W32(words) => ("W32", words.len()),
            Self::W64(words) => ("W64", words.len()),
        };
        write!(f, "{name}({len} words)")
    }
}

/// Words as little-endian bytes.
pub(crate) fn to_bytes<W: Word>(words: &[W]) -> Vec<u8> {
    let mut bytes = vec![0; words.len() * W::BYTES];
    for (word, out) in words.iter().zip(bytes.chunks_exact_mut(W::BYTES)) {
        word.put_bytes(out);
    }
    bytes
}
