//! Tests the code of the READMEs and pages that are no crate's own documentation.

macro_rules! pages {
    ($($name:ident: $path:literal;)*) => {$(
        #[doc = include_str!(concat!("../", $path))]
        mod $name {}
    )*};
}
pages! {
    readme: "README.md";
    keys: "docs/keys.md";
    tutorial: "docs/tutorial.md";
}
