//! The traits of the `cipher` crate: [`Ice`] of any level, and a type for each of the first levels,
//! whose keys have a length that the type says.

use cipher::consts::{U8, U16, U24, U32, U512};
use cipher::inout::{InOut, InOutBuf};
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, Key, KeyInit,
    KeySizeUser, ParBlocks, ParBlocksSizeUser,
};
use zeroize::ZeroizeOnDrop;

use crate::ice::Ice;

/// A cipher as a backend of 512 blocks, the most that the circuit takes at a time.
struct Backend<'a>(&'a Ice);

impl BlockSizeUser for Backend<'_> {
    type BlockSize = U8;
}

impl ParBlocksSizeUser for Backend<'_> {
    type ParBlocksSize = U512;
}

/// The blocks of a buffer, where they are to be: no copy is left behind.
fn in_place<'a>(buffer: InOutBuf<'_, 'a, Block<Ice>>) -> &'a mut [[u8; 8]] {
    Block::<Ice>::cast_slice_to_core_mut(buffer.into_out_with_copied_in())
}

macro_rules! backend {
    ($backend:ident, $block:ident, $par:ident, $tail:ident, $method:ident) => {
        impl $backend for Backend<'_> {
            fn $block(&self, mut block: InOut<'_, '_, Block<Self>>) {
                *block.get_out() = *block.get_in();
                self.0.$method(core::slice::from_mut(&mut block.get_out().0));
            }

            fn $par(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.0.$method(in_place(blocks.into_buf()));
            }

            fn $tail(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.0.$method(in_place(blocks));
            }
        }
    };
}

backend!(BlockCipherEncBackend, encrypt_block, encrypt_par_blocks, encrypt_tail_blocks, encrypt);
backend!(BlockCipherDecBackend, decrypt_block, decrypt_par_blocks, decrypt_tail_blocks, decrypt);

impl BlockSizeUser for Ice {
    type BlockSize = U8;
}

impl BlockCipherEncrypt for Ice {
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U8>) {
        f.call(&Backend(self));
    }
}

impl BlockCipherDecrypt for Ice {
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U8>) {
        f.call(&Backend(self));
    }
}

impl AlgorithmName for Ice {
    fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("ICE")
    }
}

impl ZeroizeOnDrop for Ice {}

macro_rules! level {
    ($(#[$doc:meta])* $name:ident, $level:literal, $key_size:ty, $text:literal) => {
        $(#[$doc])*
        pub struct $name(Ice);

        impl $name {
            /// The cipher as [`Ice`], with its bulk operations.
            #[must_use]
            pub const fn as_ice(&self) -> &Ice {
                &self.0
            }
        }

        impl KeySizeUser for $name {
            type KeySize = $key_size;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                Self(Ice::new($level, key).expect("the type gives the length of the key"))
            }
        }

        impl BlockSizeUser for $name {
            type BlockSize = U8;
        }

        impl BlockCipherEncrypt for $name {
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U8>) {
                self.0.encrypt_with_backend(f);
            }
        }

        impl BlockCipherDecrypt for $name {
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U8>) {
                self.0.decrypt_with_backend(f);
            }
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str($text)
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ZeroizeOnDrop for $name {}
    };
}

level! {
    /// Thin-ICE, level 0: 8 rounds, a key of 8 bytes.
    ThinIce, 0, U8, "Thin-ICE"
}
level! {
    /// ICE, level 1: 16 rounds, a key of 8 bytes.
    Ice1, 1, U8, "ICE-1"
}
level! {
    /// ICE-2: 32 rounds, a key of 16 bytes.
    Ice2, 2, U16, "ICE-2"
}
level! {
    /// ICE-3: 48 rounds, a key of 24 bytes.
    Ice3, 3, U24, "ICE-3"
}
level! {
    /// ICE-4: 64 rounds, a key of 32 bytes.
    Ice4, 4, U32, "ICE-4"
}
