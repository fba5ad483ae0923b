//! [`ArgumentField`] and [`CircuitField`]: the fields that arguments are over, and what depends on
//! which one it is.

use super::circuit::CircuitClaim;
use super::claims::Claim;
use super::digits::{Digits, Radix};
use super::linear::Instance;
use crate::field::{Field, Goldilocks, P61, P127, SmallField};

/// A field that claims may be over: [`P61`], nearly always; `P127`, where integers are too large
/// for it; or [`Goldilocks`], for circuits.
#[allow(private_interfaces, private_bounds, reason = "the crate has all fields")]
pub trait ArgumentField: Field<Word: Digits> {
    /// How elements of F are written in pads beside messages of integers.
    #[doc(hidden)]
    const PADS: Radix;

    /// Whether ranges and relations may be over it: what answers them is compiled for no other
    /// field.
    #[doc(hidden)]
    const HAS_RANGES: bool;

    /// A claim over this field, if it may be.
    #[doc(hidden)]
    fn instance(claim: &Claim) -> Option<&dyn Instance<Self>>;
}

/// A field that circuits may be over.
#[allow(private_interfaces, reason = "the crate has all fields")]
pub trait CircuitField: ArgumentField + SmallField {
    /// How its elements are written.
    #[doc(hidden)]
    const RADIX: Radix;

    /// A claim about a circuit over it.
    #[doc(hidden)]
    fn claim(claim: CircuitClaim<Self>) -> Claim;
}

/// A field, the claims that may be over it, and the others.
macro_rules! argument_field {
    ($field:ident, $pads:expr, has_ranges: $has_ranges:literal, $($claim:ident)|+; $($no:ident)|+) => {
        #[allow(private_interfaces, reason = "the crate has all fields")]
        impl ArgumentField for $field {
            const PADS: Radix = $pads;
            const HAS_RANGES: bool = $has_ranges;

            fn instance(claim: &Claim) -> Option<&dyn Instance<Self>> {
                match claim {
                    $(Claim::$claim(claim) => Some(claim),)+
                    $(Claim::$no(_))|+ => None,
                }
            }
        }
    };
}

argument_field!(P61, Radix::SMALL, has_ranges: true,
    Fact | Ranges | Circuit | Relation; GoldilocksCircuit);
argument_field!(P127, Radix::P127, has_ranges: true,
    Fact | Ranges | Relation; Circuit | GoldilocksCircuit);
argument_field!(Goldilocks, Radix::GOLDILOCKS, has_ranges: false,
    GoldilocksCircuit; Fact | Ranges | Circuit | Relation);

#[allow(private_interfaces, reason = "the crate has all fields")]
impl CircuitField for P61 {
    const RADIX: Radix = Radix::WIDE;

    fn claim(claim: CircuitClaim) -> Claim {
        Claim::Circuit(claim)
    }
}

#[allow(private_interfaces, reason = "the crate has all fields")]
impl CircuitField for Goldilocks {
    const RADIX: Radix = Radix::GOLDILOCKS;

    fn claim(claim: CircuitClaim<Self>) -> Claim {
        Claim::GoldilocksCircuit(claim)
    }
}

/// An expression for the field of a layout.
macro_rules! with_field {
    ($layout:expr, $field:ident => $body:expr) => {
        match $layout.p() {
            p if p == crate::argument::field::p::<crate::field::Goldilocks>() => {
                type $field = crate::field::Goldilocks;
                $body
            }
            p if p == crate::argument::field::p::<crate::field::P127>() => {
                type $field = crate::field::P127;
                $body
            }
            _ => {
                type $field = crate::field::P61;
                $body
            }
        }
    };
}
pub(super) use with_field;

/// p.
pub(super) fn p<F: Field>() -> u128 {
    F::P.into()
}
