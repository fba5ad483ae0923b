//! Tests the examples in the READMEs of the crates, and those on the pages of docs/.

macro_rules! pages {
    ($($name:ident: $path:literal;)*) => {$(
        #[doc = include_str!(concat!("../", $path))]
        mod $name {}
    )*};
}
pages! {
    bignum: "crates/bignum/README.md";
    ctr: "crates/ctr/README.md";
    gauss: "crates/gauss/README.md";
    ice: "crates/ice/README.md";
    matmul: "crates/matmul/README.md";
    simd: "crates/simd/README.md";
    zk: "crates/zk/README.md";
    package: "src/README.md";

    game_files: "docs/game-files.md";
    powers: "docs/powers.md";
    products: "docs/products.md";
    sampling: "docs/sampling.md";
    tutorial: "docs/tutorial.md";
}
#[cfg(feature = "cuda")]
pages! {
    gpu: "docs/gpu.md";
    kernels: "kernels/README.md";
}
