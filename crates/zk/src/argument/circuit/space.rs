//! [`CircuitSpace`]: where the wires of a circuit, and pads, are in S.

use alloc::vec::Vec;

use tautochrone_ctr::{Label, Seed};
use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use super::super::field::{ELEMENT_LEN, uniform_residue};
use super::super::opening::LinearForm;
use super::super::supported::check_supported;
use super::constraints::{Assignment, Circuit};
use super::digits::{self, DIGIT_BOUND, DIGITS};
use super::shape::Shape;
use super::witness::CircuitWitness;
use crate::erase::Secrets;
use crate::error::Error;
use crate::estimate::Hardness;
use crate::hash::Hasher;
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Goal, Params, Security};
use crate::uses::commitment::MessageSpace;

/// Rows of S that the digits of an element of K take.
const ELEMENT_ROWS: u32 = 3 * DIGITS;
/// Rows of the pads of a column: kappa_j, gamma_j and beta_j in K.
pub const CIRCUIT_PAD_ROWS: u32 = 3 * ELEMENT_ROWS;
/// Bound on the randomness. A larger one hides with fewer rows and makes Z longer: of 3 to 127, this
/// one is within two percent of the best for 2^10 to 2^20 wires, and two bytes of 256 are rejected
/// when it is drawn.
const RANDOMNESS_BOUND: u32 = 63;
/// Largest mu_1 that is tried.
const MAX_ROW_ROUNDS: u32 = 13;

/// A circuit's wires in the columns of S: 2^mu_1 - 1 elements of F in each, of [`DIGITS`] rows, then
/// [`CIRCUIT_PAD_ROWS`] rows of pads, all with digits in [-[`DIGIT_BOUND`], [`DIGIT_BOUND`]]; then
/// randomness. Wire k is element k mod (2^mu_1 - 1) of column floor(k / (2^mu_1 - 1)).
///
/// **One T serves one circuit with one list of public inputs**: its pads are used up by proofs of
/// this claim, of which there may be any number.
#[derive(Clone, Copy, Debug)]
pub struct CircuitSpace {
    shape: Shape,
    hiding: Hardness,
}

impl CircuitSpace {
    /// The parameters for which statement and proof together are shortest, with 128 bits of
    /// security.
    ///
    /// # Errors
    /// [`Error::NoParameters`] if there are none for so many wires.
    pub fn optimise(circuit: &Circuit) -> Result<CustomParams, Error> {
        let wires = u64::from(circuit.secret_wires());
        let mut shapes = Vec::new();
        for log2 in 1..=MAX_ROW_ROUNDS {
            let elements = (1 << log2) - 1;
            let shape = Shape::least(circuit, elements);
            shapes.push(shape);
            if shape.columns > wires.div_ceil(elements.into()) {
                // More elements a column only make it longer.
                break;
            }
        }
        // The more elements a column has, the shorter T is, and the longer Z.
        let mut best: Option<(u128, CustomParams)> = None;
        let mut failure = Error::NoParameters { w: 64, b: DIGIT_BOUND, l: wires };
        for shape in shapes.into_iter().rev() {
            let digit_rows = Self::rows(&shape);
            let goal = Goal { digit_rows, ..Goal::new(RANDOMNESS_BOUND, shape.columns) };
            match goal.optimise() {
                Ok(custom) => {
                    let params = custom.validate(Security::Waived)?;
                    let argument = ELEMENT_LEN as u64 * (shape.columns + shape.sent() as u64);
                    let proof = params.expected_proof_bytes() + argument;
                    let bytes = params.statement_bytes() + u128::from(proof);
                    if best.is_some_and(|(least, _)| least <= bytes) {
                        break;
                    }
                    best = Some((bytes, custom));
                }
                Err(error) => failure = error,
            }
        }
        best.map(|(_, custom)| custom).ok_or(failure)
    }

    /// The space of a circuit under these parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the parameters are not of version 2 with lambda = 128, if the first
    /// rows of S are not digits of 2^mu_1 - 1 elements and pads, or there are too few columns for
    /// the wires or the pads; unless waived, [`Error::Insecure`] as [`MessageSpace::new`].
    pub fn new(params: &Params, circuit: &Circuit, security: Security) -> Result<Self, Error> {
        let shape = Self::shape(params, circuit)?;
        let rows = Self::rows(&shape);
        let hiding = MessageSpace::new(params, rows, security)?.hiding();
        Ok(Self { shape, hiding })
    }

    /// The shape that the rows and columns of a statement imply.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn shape(params: &Params, circuit: &Circuit) -> Result<Shape, Error> {
        check_supported(params)?;
        let group = params.row_groups()[0];
        let elements = group.rows.saturating_sub(CIRCUIT_PAD_ROWS) / DIGITS;
        let whole = group.rows == DIGITS * elements + CIRCUIT_PAD_ROWS;
        if !whole || elements == 0 || !(elements + 1).is_power_of_two() {
            let expected = "8 (2^m - 1) + 72: digits of elements and of pads";
            return Err(Error::parameter("rows of the first group", group.rows, expected));
        }
        if group.bound < DIGIT_BOUND {
            return Err(Error::parameter("b of rows of digits", group.bound, "at least 99"));
        }
        if group.rows > params.z_rows() {
            let expected = "rows that A' is multiplied with";
            return Err(Error::parameter("rows of the first group", group.rows, expected));
        }
        let shape = Shape::new(circuit, elements, params.l());
        if !shape.has_columns(circuit) {
            let expected = "so many that all wires have elements and all messages pads: see \
                            CircuitSpace::optimise";
            return Err(Error::parameter("l", params.l(), expected));
        }
        Ok(shape)
    }

    /// Rows of digits.
    const fn rows(shape: &Shape) -> u32 {
        DIGITS * shape.elements + CIRCUIT_PAD_ROWS
    }

    /// What it costs to tell the wires in two commitments apart.
    #[must_use]
    pub const fn hiding(&self) -> Hardness {
        self.hiding
    }

    /// Elements of F in a column: 2^mu_1 - 1.
    #[must_use]
    pub const fn elements(&self) -> u32 {
        self.shape.elements
    }

    /// The witness of an assignment for statements over `matrix`, with pads and randomness from a
    /// key H("circuit witness", seed, statement header, circuit, public inputs, secret wires): a
    /// seed gives other pads for every claim.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the assignment has another number of wires than the circuit, or the
    /// circuit is not the one of this space; [`Error::FalseFact`] if a constraint does not hold.
    ///
    /// # Constant time
    /// In the secret wires, but for the first constraint that does not hold.
    pub fn witness(
        &self,
        matrix: &PublicMatrix,
        circuit: &Circuit,
        assignment: &Assignment,
        seed: &Seed,
    ) -> Result<CircuitWitness, Error> {
        let params = &matrix.params;
        let shape = Self::shape(params, circuit)?;
        if shape != self.shape {
            return Err(Error::parameter("l", params.l(), "as many columns as the space has"));
        }
        if circuit.first_violation(assignment)?.is_some() {
            return Err(Error::FalseFact);
        }
        let Assignment { public, secret } = assignment;
        let mut hasher = Hasher::new(params.domain(), "circuit witness")
            .field(seed.expose())
            .field(&params.header(&matrix.id).hashed_bytes())
            .field(circuit.digest().as_bytes());
        for scalars in [public, &**secret] {
            hasher.begin_field(8 * scalars.len() as u64);
            for scalar in scalars {
                hasher.update(&scalar.value().to_le_bytes());
            }
        }
        let key = Seed::from_bytes(*Zeroizing::new(hasher.finish_key()));
        let (rows, l) = (Self::rows(&shape) as usize, params.l() as usize);
        let mut entries = Secrets::zeros(rows * l);
        let (elements, digits) = (shape.elements as usize, DIGITS as usize);
        let isa = Isa::detect_vectors();
        crate::parallel::for_chunks(&mut entries, rows, |j, column| {
            let (wires, pads) = column.split_at_mut(elements * digits);
            let start = secret.len().min(elements * j);
            for (wire, out) in secret[start..].iter().zip(wires.chunks_exact_mut(digits)) {
                digits::write(wire.value(), out);
            }
            let mut stream = key.stream_with(isa, params.key_size(), Self::PADS, j as u64);
            let mut bytes = Zeroizing::new([0; 24]);
            for out in pads.chunks_exact_mut(digits) {
                stream.fill(&mut *bytes);
                digits::write(uniform_residue(&bytes), out);
            }
        });
        CircuitWitness::new(params, rows as u32, entries, key)
    }

    const PADS: Label<'static> = Label::new("tautochrone-zk/2 circuit pads");
}

/// The rows of the pads behind `elements` elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pads {
    first_row: u32,
}

impl Pads {
    pub(super) const fn behind(elements: u32) -> Self {
        Self { first_row: DIGITS * elements }
    }

    /// The first row.
    pub(super) const fn first_row(self) -> u32 {
        self.first_row
    }

    fn element(self, index: u32) -> LinearForm {
        let first = self.first_row + ELEMENT_ROWS * index;
        LinearForm::new((first..).zip(digits::weights()).collect())
    }

    /// val(kappa_j).
    pub(super) fn kappa(self) -> LinearForm {
        self.element(0)
    }

    /// val(gamma_j).
    pub(super) fn gamma(self) -> LinearForm {
        self.element(1)
    }

    /// val(beta_j).
    pub(super) fn beta(self) -> LinearForm {
        self.element(2)
    }
}
