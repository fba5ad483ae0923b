//! Inline assembly with `mulx`, `adcx` and `adox`.
//!
//! [`comba`]: columns, unrolled, as in bvt's kernels for FFA. [`rows`]: eight limbs of one factor
//! at a time, with two chains of carries: faster, and for every multiple of eight limbs.
//! [`low_product`]: low products of 16 limbs, by rows in one piece.
//! [`quotients`]: Montgomery's reduction. [`chains`]: sums and differences.

pub(crate) mod chains;
pub(crate) mod comba;
pub(crate) mod low_product;
pub(crate) mod quotients;
pub(crate) mod rows;
