//! Products by a secret matrix of entries -1, 0, 1: [`Multiplier::multiply_add_ternary`].

#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
mod tiles;

use crate::error::Error;
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::Multiplier;

/// Bits of an entry of Y, sign included.
const BITS: u32 = 2;

impl Multiplier {
    /// Z += X Y mod 2^32 for Y with entries in {-1, 0, 1}.
    ///
    /// X is m x k, best row-major; Y k x n, best column-major; Z m x n. On AVX-512, three terms are looked up in registers by
    /// one instruction, which takes half of the time of [`Multiplier::multiply_add`] where columns are many; elsewhere, and
    /// where there is AMX, this is that function. (Other entries of Y give a wrong sum.)
    ///
    /// # Errors
    /// [`Error::Shape`].
    ///
    /// # Constant time
    /// In all entries. Copies and sums of them are erased.
    pub fn multiply_add_ternary(
        &self,
        x: Matrix<'_, u32>,
        y: Matrix<'_, i8>,
        z: MatrixMut<'_, u32>,
    ) -> Result<(), Error> {
        #[cfg(target_arch = "x86_64")]
        if let (Some(avx512), None) = (self.isa().avx512(), self.isa().amx()) {
            return self.by_lookups(x, y, z, |tile| crate::kernel::lookup::multiply(avx512, tile));
        }
        self.multiply_add(x, y.with_bits(BITS), z)
    }

    /// [`Multiplier::multiply_add_ternary`] with AVX-512 in plain Rust, for tools that do not know it.
    ///
    /// # Errors
    /// As there.
    #[cfg(any(test, tautochrone_ctgrind))]
    pub fn multiply_add_ternary_emulated(
        &self,
        x: Matrix<'_, u32>,
        y: Matrix<'_, i8>,
        z: MatrixMut<'_, u32>,
    ) -> Result<(), Error> {
        self.by_lookups(x, y, z, crate::kernel::lookup::multiply_emulated)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::reference;

    #[test]
    fn the_emulation_agrees_with_the_definition() {
        for (m, k, n) in [(1, 1, 1), (5, 4, 17), (33, 97, 65), (64, 192, 64)] {
            let x: Vec<u32> = (1..=(m * k) as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
            let y: Vec<i8> = (0..k * n).map(|i| (i * i % 3) as i8 - 1).collect();
            let x = Matrix::row_major(&x, m, k).expect("shape");
            let y = Matrix::column_major(&y, k, n).expect("shape");
            let start: Vec<u32> = (0..(m + 1) * n).map(|i| u32::MAX / (i as u32 + 1)).collect();
            let (mut want, mut got) = (start.clone(), start);
            let strided = |z| MatrixMut::strided(z, m, n, m + 1).expect("shape");
            reference::multiply_add(x, y, strided(&mut want));
            let multiplier = Multiplier::new();
            multiplier
                .multiply_add_ternary_emulated(x, y, strided(&mut got))
                .expect("shapes agree");
            assert!(got == want, "{m} x {k} x {n}");
        }
    }
}
