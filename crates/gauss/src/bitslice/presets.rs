//! Generated straight-line circuits for the most common widths.
//!
//! The crate `tautochrone-gauss-synth` makes the files, and a test of it compares them. They are
//! circuits of folded halves, which full and half samplers share.

use tautochrone_simd::vector::Logic;

use super::alias::AliasTable;
use super::lanes::Plane;
use crate::exact::{Half, Pmf, Variance};

/// The function `circuit` of a generated table: every value is the function with a truth table of
/// three others, of which numbers are inputs. Input i is `r(i)`, output b goes to `o(b, _)`.
macro_rules! circuit {
    (
        $($name:ident = $table:literal($a:tt, $b:tt, $c:tt);)*
        => $($output:literal: $value:tt,)*
    ) => {
        #[inline(always)]
        pub(super) fn circuit<V: tautochrone_simd::vector::Logic>(
            mut r: impl FnMut(usize) -> V,
            mut o: impl FnMut(usize, V),
        ) {
            $(let $name = V::lut3::<$table>(
                circuit!(@ r $a),
                circuit!(@ r $b),
                circuit!(@ r $c),
            );)*
            $(o($output, circuit!(@ r $value));)*
        }
    };
    (@ $r:ident $input:literal) => { $r($input) };
    (@ $r:ident $name:ident) => { $name };
}

macro_rules! presets {
    ($($(#[$doc:meta])* $name:ident, $module:ident, $sigma:literal, $precision:literal, $variant:literal;)*) => {
        $(#[rustfmt::skip] mod $module;)*

        /// A distribution with generated code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Preset {
            $($(#[$doc])* $name,)*
        }

        impl Preset {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// sigma, exactly as this decimal.
            #[must_use]
            pub const fn sigma(self) -> f64 {
                match self { $(Self::$name => $sigma,)* }
            }

            /// P.
            #[must_use]
            pub const fn precision(self) -> u32 {
                match self { $(Self::$name => $precision,)* }
            }

            /// Which of the equivalent alias tables has the smallest circuit.
            const fn variant(self) -> u64 {
                match self { $(Self::$name => $variant,)* }
            }

            /// The value planes of these random planes, in the register at byte `start`.
            /// `before(i)` is called before plane i is read: once for each of the last planes,
            /// those after the slot's bits, in their order.
            #[inline(always)]
            pub(super) fn run<V: Logic>(
                self,
                token: V::Token,
                random: &[Plane],
                start: usize,
                mut before: impl FnMut(usize),
                o: impl FnMut(usize, V),
            ) {
                match self {
                    $(Self::$name => {
                        // One check of the length here, none in the circuit.
                        let random = random.first_chunk::<$precision>().expect("P random planes");
                        $module::circuit(
                            #[inline(always)]
                            |i| {
                                before(i);
                                V::load_bytes(token, &random[i][start..])
                            },
                            o,
                        );
                    })*
                }
            }
        }
    };
}

presets! {
    /// sigma 2, 64 bits.
    Sigma2, sigma_2_p64, 2.0, 64, 8;
    /// sigma 2, 128 bits.
    Sigma2Fine, sigma_2_p128, 2.0, 128, 2;
    /// sigma 3.19, 64 bits.
    Sigma3, sigma_3_19_p64, 3.19, 64, 14;
}

impl Preset {
    /// The preset of this distribution, if there is one.
    pub(super) fn find(pmf: &Pmf) -> Option<Self> {
        Self::ALL.iter().copied().find(|preset| {
            pmf.half() == Half::Folded
                && pmf.precision() == preset.precision()
                && Variance::from_sigma(preset.sigma()).is_ok_and(|v| v == *pmf.variance())
        })
    }

    /// The alias table that its circuit computes.
    #[must_use]
    pub fn table(self) -> AliasTable {
        let pmf = Variance::from_sigma(self.sigma())
            .and_then(|variance| Pmf::new(&variance, Half::Folded, self.precision()))
            .expect("presets are distributions that have tables");
        AliasTable::pure_first(&pmf, self.variant())
    }
}
