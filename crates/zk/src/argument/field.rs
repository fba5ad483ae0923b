//! [`ArgumentField`] and [`CircuitField`]: the fields that arguments are over, and what depends on
//! which one it is.

use alloc::vec::Vec;

use super::circuit::CircuitClaim;
use super::claims::Claim;
use super::digits::{Digits, Radix};
use super::linear::Instance;
use crate::field::{ElementOf, Field, Goldilocks, P61, P127, SmallField};
use crate::opening::{ColumnOpening, Opened, Opening};

/// A field that claims may be over: [`P61`], nearly always; `P127`, where integers are too large
/// for it; or [`Goldilocks`], for circuits.
#[allow(private_interfaces, private_bounds, reason = "the crate has all fields")]
pub trait ArgumentField: Field<Word: Digits> {
    /// How elements of F are written in pads beside messages of integers.
    #[doc(hidden)]
    const PADS: Radix;

    /// Whether ranges and relations may be over it: what answers them is compiled for no other field.
    #[doc(hidden)]
    const HAS_RANGES: bool;

    /// A claim over this field, if it may be.
    #[doc(hidden)]
    fn instance(claim: &Claim) -> Option<&dyn Instance<Self>>;

    /// What a prover's challenge is bound to.
    #[doc(hidden)]
    fn opening(opening: ColumnOpening<Self>) -> Opening;

    /// The same for a verifier.
    #[doc(hidden)]
    fn opened(opening: ColumnOpening<Self>, values: Vec<ElementOf<Self>>) -> Opened;
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

#[allow(private_interfaces, reason = "the crate has all fields")]
impl ArgumentField for P61 {
    const PADS: Radix = Radix::SMALL;
    const HAS_RANGES: bool = true;

    fn instance(claim: &Claim) -> Option<&dyn Instance> {
        match claim {
            Claim::Fact(fact) => Some(fact),
            Claim::Ranges(ranges) => Some(ranges),
            Claim::Circuit(claim) => Some(claim),
            Claim::GoldilocksCircuit(_) => None,
            Claim::Relation(relation) => Some(relation),
        }
    }

    fn opening(opening: ColumnOpening) -> Opening {
        Opening::P61(opening)
    }

    fn opened(opening: ColumnOpening, values: Vec<ElementOf<Self>>) -> Opened {
        Opened::P61(opening, values)
    }
}

#[allow(private_interfaces, reason = "the crate has all fields")]
impl CircuitField for P61 {
    const RADIX: Radix = Radix::WIDE;

    fn claim(claim: CircuitClaim) -> Claim {
        Claim::Circuit(claim)
    }
}

#[allow(private_interfaces, reason = "the crate has all fields")]
impl ArgumentField for P127 {
    const PADS: Radix = Radix::P127;
    const HAS_RANGES: bool = true;

    fn instance(claim: &Claim) -> Option<&dyn Instance<Self>> {
        match claim {
            Claim::Fact(fact) => Some(fact),
            Claim::Ranges(ranges) => Some(ranges),
            Claim::Relation(relation) => Some(relation),
            _ => None,
        }
    }

    fn opening(opening: ColumnOpening<Self>) -> Opening {
        Opening::P127(opening)
    }

    fn opened(opening: ColumnOpening<Self>, values: Vec<ElementOf<Self>>) -> Opened {
        Opened::P127(opening, values)
    }
}

#[allow(private_interfaces, reason = "the crate has all fields")]
impl ArgumentField for Goldilocks {
    const PADS: Radix = Radix::GOLDILOCKS;
    const HAS_RANGES: bool = false;

    fn instance(claim: &Claim) -> Option<&dyn Instance<Self>> {
        if let Claim::GoldilocksCircuit(claim) = claim { Some(claim) } else { None }
    }

    fn opening(opening: ColumnOpening<Self>) -> Opening {
        Opening::Goldilocks(opening)
    }

    fn opened(opening: ColumnOpening<Self>, values: Vec<ElementOf<Self>>) -> Opened {
        Opened::Goldilocks(opening, values)
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
