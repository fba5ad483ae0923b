//! Inline assembly with `mulx`, `adcx` and `adox`.
//!
//! [`comba`]: columns, unrolled, as in bvt's kernels for FFA. [`rows`]: eight limbs of one factor
//! at a time, with two chains of carries: faster, and for every multiple of eight limbs.
//! [`low_product`]: low products of 16 limbs, by rows in one piece.
//! [`quotients`]: Montgomery's reduction.

/// Columns lo and hi += rdx times limb j at rcx: the lower half along the carry flag, the upper one
/// along the overflow flag, by way of rax and rbx.
macro_rules! term {
    ($j:literal $lo:ident $hi:ident) => {
        concat!(
            concat!("mulx rbx,rax,[rcx+8*", $j, "]\n"),
            concat!("adcx ", stringify!($lo), ",rax\n"),
            concat!("adox ", stringify!($hi), ",rbx\n"),
        )
    };
}

/// The terms of a row; the last one begins a column, to which both flags are added with `$zero`,
/// which `$clear` sets.
macro_rules! terms {
    ([$j:literal] $clear:literal $zero:literal $lo:ident $new:ident) => {
        concat!(
            concat!("mulx ", stringify!($new), ",rax,[rcx+8*", $j, "]\n"),
            concat!("adcx ", stringify!($lo), ",rax\n"),
            $clear,
            concat!("adcx ", stringify!($new), ",", $zero, "\n"),
            concat!("adox ", stringify!($new), ",", $zero, "\n"),
        )
    };
    (
        [$j:literal $($js:literal)+] $clear:literal $zero:literal
        $lo:ident $hi:ident $($more:ident)+
    ) => {
        concat!(term!($j $lo $hi), terms!([$($js)+] $clear $zero $hi $($more)+))
    };
}

pub(crate) mod comba;
pub(crate) mod low_product;
pub(crate) mod quotients;
pub(crate) mod rows;
