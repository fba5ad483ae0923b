//! The operations on registers that the kernels need.

use tautochrone_simd::vector::{Bytes, Gf2p8, LookUpBytes, OrderedLogic};

/// Registers of a block in each 128 bits, for [`lanes`](super::lanes).
pub(crate) trait LaneRegister: Gf2p8 + Bytes + OrderedLogic {}
impl<V: Gf2p8 + Bytes + OrderedLogic> LaneRegister for V {}

/// Eight lanes, for [`wide`](super::wide).
pub(crate) trait WideRegister: Gf2p8 + Bytes + LookUpBytes {
    /// The entries of the table at the indices that the low six bits of every byte say.
    #[inline(always)]
    fn look_up_in(self, table: &Table) -> Self {
        self.look_up(Self::load_bytes(self.token(), &table.0))
    }
}
impl<V: Gf2p8 + Bytes + LookUpBytes> WideRegister for V {}

/// Sixty-four bytes for a look-up.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Table(pub(super) [u8; 64]);
