//! How many lanes there are.

/// Runs an expression with `$lanes` and `$token` for the widest registers of an instruction set
/// that multiply 52 bits, else for one lane. With `L<F>` in the place of `L` over a field F that is
/// a parameter.
#[macro_export]
macro_rules! with_lanes {
    ($isa:expr, $lanes:ident<$field:ty>, $token:ident => $body:expr) => {{
        if let Some($token) = <$field as $crate::field::Field>::wide($isa) {
            type $lanes<F> = <F as $crate::field::Field>::Wide;
            $body
        } else {
            type $lanes<F> = $crate::field::ElementOf<F>;
            let $token = ();
            $body
        }
    }};
    ($isa:expr, $lanes:ident, $token:ident => $body:expr) => {
        $crate::with_lanes!($isa, Of<$crate::field::P61>, $token => {
            type $lanes = Of<$crate::field::P61>;
            $body
        })
    };
}
pub use with_lanes;
