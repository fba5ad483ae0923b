//! Tests the examples in the READMEs of the crates.

macro_rules! readmes {
    ($($name:ident: $path:literal;)*) => {$(
        #[doc = include_str!(concat!("../", $path, "/README.md"))]
        mod $name {}
    )*};
}
readmes! {
    bignum: "crates/bignum";
    ctr: "crates/ctr";
    gauss: "crates/gauss";
    ice: "crates/ice";
    matmul: "crates/matmul";
    simd: "crates/simd";
    zk: "crates/zk";
}
#[cfg(feature = "cuda")]
readmes! {
    kernels: "kernels";
}
