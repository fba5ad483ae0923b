//! [`CircuitField`]: the fields that circuits are over, and what depends on which one it is.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::circuit::CircuitClaim;
use super::claims::Claim;
use super::digits::Radix;
use super::instance::Instance;
use super::request::Request;
use super::shard::ArgumentWorker;
use crate::error::Error;
use crate::field::{ElementOf, Field, Goldilocks, P61};
use crate::opening::{ColumnOpening, Opened, Opening};

/// A field that circuits may be over: [`P61`], which all other claims are over, or [`Goldilocks`].
#[allow(private_interfaces, reason = "the crate has all fields")]
pub trait CircuitField: Field {
    /// How its elements are written.
    #[doc(hidden)]
    const RADIX: Radix;

    /// A claim about a circuit over it.
    #[doc(hidden)]
    fn claim(claim: CircuitClaim<Self>) -> Claim;

    /// A claim over this field.
    #[doc(hidden)]
    fn instance(claim: &Claim) -> Option<&dyn Instance<Self>>;

    /// An answer to any request but for all places.
    ///
    /// # Errors
    /// [`Error::Shard`] for a request that no claim over this field makes; errors of reading S.
    #[doc(hidden)]
    fn answer(
        worker: &mut ArgumentWorker<'_, Self>,
        request: &Request<Self>,
    ) -> Result<Zeroizing<Vec<ElementOf<Self>>>, Error>;

    /// What a prover's challenge is bound to.
    #[doc(hidden)]
    fn opening(opening: ColumnOpening<Self>) -> Opening;

    /// The same for a verifier.
    #[doc(hidden)]
    fn opened(opening: ColumnOpening<Self>, values: Vec<ElementOf<Self>>) -> Opened;
}

#[allow(private_interfaces, reason = "the crate has all fields")]
impl CircuitField for P61 {
    const RADIX: Radix = Radix::WIDE;

    fn claim(claim: CircuitClaim) -> Claim {
        Claim::Circuit(claim)
    }

    fn instance(claim: &Claim) -> Option<&dyn Instance> {
        match claim {
            Claim::Fact(fact) => Some(fact),
            Claim::Ranges(ranges) => Some(ranges),
            Claim::Circuit(claim) => Some(claim),
            Claim::GoldilocksCircuit(_) => None,
            Claim::Relation(relation) => Some(relation),
        }
    }

    fn answer(
        worker: &mut ArgumentWorker<'_>,
        request: &Request,
    ) -> Result<Zeroizing<Vec<ElementOf<Self>>>, Error> {
        worker.answer_in_lanes(request)
    }

    fn opening(opening: ColumnOpening) -> Opening {
        Opening::P61(opening)
    }

    fn opened(opening: ColumnOpening, values: Vec<ElementOf<Self>>) -> Opened {
        Opened::P61(opening, values)
    }
}

#[allow(private_interfaces, reason = "the crate has all fields")]
impl CircuitField for Goldilocks {
    const RADIX: Radix = Radix::GOLDILOCKS;

    fn claim(claim: CircuitClaim<Self>) -> Claim {
        Claim::GoldilocksCircuit(claim)
    }

    fn instance(claim: &Claim) -> Option<&dyn Instance<Self>> {
        if let Claim::GoldilocksCircuit(claim) = claim { Some(claim) } else { None }
    }

    fn answer(
        worker: &mut ArgumentWorker<'_, Self>,
        request: &Request<Self>,
    ) -> Result<Zeroizing<Vec<ElementOf<Self>>>, Error> {
        worker.answer_one_by_one(request)
    }

    fn opening(opening: ColumnOpening<Self>) -> Opening {
        Opening::Goldilocks(opening)
    }

    fn opened(opening: ColumnOpening<Self>, values: Vec<ElementOf<Self>>) -> Opened {
        Opened::Goldilocks(opening, values)
    }
}

/// An expression for the field of a layout.
macro_rules! with_field {
    ($layout:expr, $field:ident => $body:expr) => {
        if $layout.is_over::<crate::field::Goldilocks>() {
            type $field = crate::field::Goldilocks;
            $body
        } else {
            type $field = crate::field::P61;
            $body
        }
    };
}
pub(super) use with_field;
