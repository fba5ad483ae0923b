//! Sizes of AES: its block and its keys.

/// Bytes of a block.
pub(crate) const BLOCK: usize = 16;

/// The size of a stream's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum KeySize {
    /// 16 bytes, 10 rounds.
    Aes128 = 16,
    /// 32 bytes, 14 rounds.
    Aes256 = 32,
}

impl KeySize {
    /// Bytes of a key.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self as usize
    }
}
