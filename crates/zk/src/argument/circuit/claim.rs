//! [`CircuitClaim`]: that places of the messages are wires which satisfy a circuit. A sum-check
//! over the constraints leaves one linear claim about the places, and one about the masks of its
//! messages.

use alloc::boxed::Box;
use alloc::vec::Vec;

use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

use super::constraints::Circuit;
use super::rounds::Outer;
use super::weights::{DUMMIES, Wires};
use crate::argument::field::CircuitField;
use crate::argument::layout::Layout;
use crate::argument::linear::{Definition, Instance, LinearClaim, Rounds, Sent, Turn};
use crate::argument::protocol::check_length;
use crate::argument::request::Request;
use crate::eq::{self, Halves};
use crate::error::Error;
use crate::field::{ElementOf, P61, SmallField};
use crate::hash::Digest;
use crate::opening::transcript::Transcript;
use crate::params::Params;
use crate::scalar::ScalarOf;
use crate::sum_check::dot;

/// Labels of messages and challenges.
const TAU: &str = "tau";
const ROUND: &str = "constraint round";
const POINT: &str = "r_x";
const PRODUCTS: &str = "products";
const ALPHA: &str = "alpha";

/// Messages of a round: the coefficients of 1, X^2 and X^3.
const MESSAGES: usize = 3;
/// v_A, v_B and v_C.
const ENDS: usize = 3;
/// mu_x of the largest circuit, dummies included.
const MAX_ROUNDS: usize = 27;
const _: () =
    assert!(super::constraints::MAX_CIRCUIT + DUMMIES <= 1 << MAX_ROUNDS, "so many rounds suffice");
/// Masks that suffice for a claim about any circuit.
pub(super) const MAX_MASKS: u32 = (MESSAGES * MAX_ROUNDS + ENDS) as u32;

/// The claim that places of the messages are the secret wires of a circuit with these public
/// inputs, and satisfy it. Place i is row i mod R of column floor(i / R) of messages of R rows.
///
/// A file of a proof names the circuit by its digest alone; whoever verifies has to know it.
#[derive(Clone, Debug)]
pub struct CircuitClaim<F: SmallField = P61> {
    pub(in crate::argument) digest: Digest,
    circuit: Option<Circuit<F>>,
    pub(in crate::argument) public: Vec<ScalarOf<F>>,
    /// The places of the first secret wires.
    pub(in crate::argument) inputs: Vec<u64>,
    /// The place of the first wire behind these; the others follow it.
    pub(in crate::argument) first: u64,
}

/// The digest stands for the circuit.
impl<F: SmallField> PartialEq for CircuitClaim<F> {
    fn eq(&self, other: &Self) -> bool {
        let Self { digest, public, inputs, first, .. } = self;
        (digest, public, inputs, first)
            == (&other.digest, &other.public, &other.inputs, &other.first)
    }
}

impl<F: SmallField> Eq for CircuitClaim<F> {}

impl<F: SmallField> core::fmt::Display for CircuitClaim<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { digest, public, inputs, .. } = self;
        let (public, inputs) = (public.len(), inputs.len());
        let name = &digest.as_bytes()[..8];
        f.write_str("wires satisfy circuit ")?;
        name.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, ".. with {public} public inputs, {inputs} of them values at places of their own")
    }
}

impl<F: SmallField> CircuitClaim<F> {
    /// That all secret wires are the first places of the messages, one after the other, as in a
    /// [`Circuit::layout`](super::Circuit::layout).
    ///
    /// # Errors
    /// [`Error::Parameter`] if the circuit has another number of public inputs.
    pub fn new(circuit: &Circuit<F>, public: &[ScalarOf<F>]) -> Result<Self, Error> {
        Self::with_inputs(circuit, public, Vec::new(), 0)
    }

    /// That the first secret wires are these places, in any order, and the others the places from
    /// `first` on.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the circuit has another number of public inputs, or fewer secret
    /// wires than there are inputs.
    pub(in crate::argument) fn with_inputs(
        circuit: &Circuit<F>,
        public: &[ScalarOf<F>],
        inputs: Vec<u64>,
        first: u64,
    ) -> Result<Self, Error> {
        circuit.check_public(public)?;
        let count = inputs.len() as u64;
        let expected = "at most the secret wires of the circuit";
        Error::unless(count <= circuit.secret_wires().into(), "inputs", count, expected)?;
        let named = Self::named(*circuit.digest(), public.to_vec(), inputs, first);
        Ok(Self { circuit: Some(circuit.clone()), ..named })
    }

    /// The claim as a file has it.
    pub(in crate::argument) const fn named(
        digest: Digest,
        public: Vec<ScalarOf<F>>,
        inputs: Vec<u64>,
        first: u64,
    ) -> Self {
        Self { digest, circuit: None, public, inputs, first }
    }

    /// The place of a secret wire.
    pub(super) fn place(&self, wire: usize) -> usize {
        match wire.checked_sub(self.inputs.len()) {
            None => self.inputs[wire] as usize,
            Some(index) => self.first as usize + index,
        }
    }

    /// mu_x: variables of the constraints, dummies included; 0 if the circuit is not known.
    fn rounds(&self) -> usize {
        let constraints = |circuit: &Circuit<F>| circuit.constraints() + DUMMIES;
        self.circuit.as_ref().map_or(0, |c| constraints(c).next_power_of_two().ilog2() as usize)
    }

    /// tau, and the rounds for the constraints before the first one.
    fn begin(&self, mut transcript: Transcript) -> (Vec<ElementOf<F>>, Rounds<F>) {
        let tau = (0..self.rounds()).map(|_| transcript.challenge(TAU)).collect();
        (tau, Rounds::new(transcript, [ROUND, POINT]))
    }

    pub(in crate::argument) fn known(&self) -> &Circuit<F> {
        self.circuit.as_ref().expect("claims are checked, of circuits that are known")
    }

    /// z, with the wires that are in the places of the messages, `height` elements a column.
    /// Secret.
    fn values(&self, rows: u32, places: &[ElementOf<F>]) -> Zeroizing<Vec<ScalarOf<F>>> {
        let (rows, count) = (rows as usize, self.known().secret_wires() as usize);
        let wires = (0..count).map(|wire| {
            let place = self.place(wire);
            #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
            let [residue, ..] = places[place + place / rows].coefficients();
            ScalarOf::of_residue(residue)
        });
        Circuit::values(&self.public, wires)
    }

    /// A z, B z and C z at all constraints.
    fn products(&self, z: &[ScalarOf<F>]) -> [Zeroizing<Vec<u64>>; 3] {
        let circuit = self.known();
        core::array::from_fn(|matrix| {
            let mut table = Zeroizing::new(vec![0; circuit.constraints()]);
            crate::parallel::for_chunks(&mut table, 1 << 10, |chunk, out| {
                for (index, out) in (chunk << 10..).zip(out) {
                    *out = circuit.product(matrix, index, z).value();
                }
            });
            table
        })
    }
}

/// A z, B z and C z at the dummies, given the masks beta'.
fn dummies<F: SmallField>(beta: &[ElementOf<F>]) -> [[ElementOf<F>; DUMMIES]; 3] {
    let (zero, one) = (ElementOf::ZERO, ElementOf::one());
    [[beta[0], zero, beta[2]], [zero, beta[1], one], [zero, zero, beta[2]]]
}

impl<F: SmallField> Definition for CircuitClaim<F> {
    /// The circuit's digest; public inputs; inputs, and the place of the first other wire.
    fn end(&self, layout: &Layout) -> (u64, u64) {
        let wires = self.circuit.as_ref().map_or(0, |circuit| u64::from(circuit.secret_wires()));
        let others = wires.saturating_sub(self.inputs.len() as u64);
        let end = if others > 0 { self.first.saturating_add(others) } else { 0 };
        let places = self.inputs.iter().map(|&input| input.saturating_add(1));
        (0, places.fold(end, u64::max).div_ceil(u64::from(layout.rows()).max(1)))
    }

    /// Equations modulo p, and no more.
    fn check(&self, _: &Params, _: &Layout) -> Result<(), Error> {
        if self.circuit.is_some() { Ok(()) } else { Err(Error::StatedByOthers) }
    }

    /// The messages, each with its mask, and v_A, v_B and v_C, which beta'_0, beta'_1 and beta'_2
    /// mask.
    fn sent(&self, _: &Layout) -> usize {
        MESSAGES * self.rounds() + ENDS
    }
}

impl<F: CircuitField> Instance<F> for CircuitClaim<F> {
    fn argue(&self, turn: Turn<'_, F>) -> Result<Vec<ElementOf<F>>, Error> {
        let Turn { transcript, masks, layout, ask, .. } = turn;
        let places = ask(&Request::Places)?;
        check_length(&places, (u64::from(layout.rows()) + 1) * layout.columns())?;
        let z = self.values(layout.rows(), &places);
        drop(places);
        let (of_messages, beta) = masks.split_at(MESSAGES * self.rounds());
        let tables = self.products(&z);
        drop(z);
        let (tau, mut rounds) = self.begin(transcript);
        let mut outer = Outer::new(Isa::detect_vectors(), tables, dummies(beta), &tau);
        for _ in 0..self.rounds() {
            outer.bind(rounds.send(&outer.coefficients(), of_messages));
        }
        let mut sent = rounds.messages;
        sent.extend(declassify(outer.values()));
        Ok(sent)
    }

    /// That (A + alpha B + alpha^2 C) z is as was sent at r_x, and the last claim about the masks
    /// of the messages: sum over k of w_k gamma'_k = sum over k of w_k m_k - eq(tau, r_x) (v_A
    /// v_B - v_C).
    fn replay(&self, transcript: &mut Transcript, sent: Sent<'_, F>) -> Vec<LinearClaim<'_, F>> {
        let (circuit, first_mask) = (self.known(), sent.first_mask);
        let (messages, products) = sent.elements.split_at(MESSAGES * self.rounds());
        let (tau, mut rounds) = self.begin(transcript.clone());
        rounds.replay(messages, MESSAGES);
        let (w, _) = rounds.weights(MESSAGES);
        let (a, b, c) = (products[0], products[1], products[2]);
        let last = dot(&w, messages) - eq::at(&tau, &rounds.point) * (a * b - c);
        let rows = Halves::new(&rounds.point, circuit.constraints() + DUMMIES);
        *transcript = rounds.transcript;
        transcript.absorb(PRODUCTS, products);
        let alpha = transcript.challenge(ALPHA);
        let scales = [ElementOf::one(), alpha, alpha * alpha];
        let dummies = [0, 1, 2].map(|dummy| rows.at(circuit.constraints() + dummy));
        // 1 in the last dummy of B.
        let known = circuit.known.sum(&rows, scales, &self.public) + dummies[2] * alpha;
        let beta = first_mask + messages.len();
        let of_beta = [dummies[0], dummies[1] * alpha, dummies[2] * (ElementOf::one() + scales[2])];
        let masks = (beta..).zip(of_beta).collect();
        let wires = Wires { claim: self, circuit, rows, scales };
        let value = a + alpha * b + scales[2] * c - known;
        let (products, wires) = (Vec::new(), Box::new(wires));
        let of_products = LinearClaim { value, products, others: Some(wires), masks };
        vec![of_products, LinearClaim::of_masks(last, first_mask, w)]
    }
}
