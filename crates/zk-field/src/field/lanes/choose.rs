//! How many lanes there are.

/// Runs an expression with `$lanes` and `$token` for the widest registers of an instruction set
/// that multiply 52 bits, else for one lane.
#[macro_export]
macro_rules! with_lanes {
    ($isa:expr, $lanes:ident, $token:ident => $body:expr) => {{
        let isa: tautochrone_simd::Isa = $isa;
        #[cfg(target_arch = "x86_64")]
        let result = {
            use tautochrone_simd::Ifma;
            use tautochrone_simd::vector::U64x8;
            if let Some($token) = isa.ifma() {
                type $lanes = $crate::field::Wide<U64x8<Ifma>>;
                $body
            } else {
                type $lanes = $crate::field::Element;
                let $token = ();
                $body
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        let result = {
            let (_, $token) = (isa, ());
            type $lanes = $crate::field::Element;
            $body
        };
        result
    }};
}
pub use with_lanes;
