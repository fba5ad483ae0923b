//! [`Prover::prove_circuit`]: two masked sum-checks, their ends, then a proof that is bound to them.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::super::ends::Secrets;
use super::super::field::Element;
use super::super::images;
use super::super::opening::{ColumnOpening, LinearForm};
use super::super::scalar::Scalar;
use super::super::sum_check::{dot, masked};
use super::super::tables::{bind, inner};
use super::super::transcript::Transcript;
use super::CircuitProof;
use super::claim::{self, Course, Ends, Sent};
use super::constraints::Circuit;
use super::digits::{self, DIGITS};
use super::instance::Instance;
use super::rounds::Outer;
use super::shape::Shape;
use super::tables;
use crate::entry::with_entry;
use crate::error::Error;
use crate::hash::Digest;
use crate::params::Params;
use crate::proof::Proof;
use crate::prover::Prover;
use crate::shard::range::Shard;
use crate::statement::Statement;
use crate::witness::WitnessSource;
use crate::witness::columns::SourceEntry;

/// A proof about a circuit, and how many attempts it took.
#[derive(Debug)]
pub struct ProvedCircuit {
    /// The proof.
    pub proof: CircuitProof,
    /// Attempts, the accepted one included: a geometric variable of mean
    /// [`Params::rho`](crate::Params::rho).
    pub attempts: u32,
}

impl Prover<'_> {
    /// Proves knowledge of the witness as [`Self::prove`] does, and that its wires satisfy a circuit
    /// with these public inputs, and reveals nothing else: if all proofs about these columns are of
    /// this circuit and these public inputs. Any number of them are safe, whatever their context and
    /// seed.
    ///
    /// Memory: as [`Self::prove`], and 24 bytes times three for each constraint and times two for
    /// each wire. S is read once more.
    ///
    /// # Errors
    /// As [`Self::prove`]; [`Error::FalseFact`] if a constraint does not hold; [`Error::Parameter`]
    /// as [`CircuitSpace::new`](super::CircuitSpace::new), or if there are more or fewer public
    /// inputs than the circuit's.
    ///
    /// # Constant time
    /// In the witness, but for whether the constraints hold of it.
    pub fn prove_circuit(
        &self,
        context: &[u8],
        circuit: &Circuit,
        public: &[Scalar],
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<ProvedCircuit, Error> {
        let instance = Instance::alone(self.statement().params(), circuit, public)?;
        let sent = argue(self.statement(), witness, &instance)?;
        let proved = self.prove_opening(context, witness, seed, Some(&sent.opening))?;
        let proof = sent.into_proof(Vec::new(), proved.proof);
        Ok(ProvedCircuit { proof, attempts: proved.attempts })
    }
}

/// All that is sent before Y.
///
/// # Errors
/// Those of reading the witness; [`Error::FalseFact`] if a constraint does not hold.
pub(super) fn argue(
    statement: &Statement,
    witness: &dyn WitnessSource,
    instance: &Instance<'_>,
) -> Result<CircuitArgument, Error> {
    let (params, shape) = (statement.params(), instance.shape);
    let columns = with_entry!(params, T => Columns::read::<T>(params, witness, shape))?;
    let tables = columns.products(instance);
    if !declassify(tables.hold(instance.circuit.constraints())) {
        return Err(Error::FalseFact);
    }
    let start = claim::begin(statement, instance);
    Ok(Rounds::play(columns, tables, instance, start).send(Rounds::values))
}

/// What S holds. Secret.
pub(super) struct Columns {
    shape: Shape,
    /// All elements, behind those of the circuit's wires, too: they count in phi.
    pub(super) wires: Zeroizing<Vec<Scalar>>,
    kappa: Zeroizing<Vec<Element>>,
    gamma: Zeroizing<Vec<Element>>,
    pub(super) beta: Zeroizing<Vec<Element>>,
}

impl Columns {
    /// # Errors
    /// Those of reading S.
    pub(super) fn read<T: SourceEntry>(
        params: &Params,
        witness: &dyn WitnessSource,
        shape: Shape,
    ) -> Result<Self, Error> {
        let (v, height) = (params.v() as usize, shape.elements as usize);
        let mut wires = Zeroizing::new(vec![Scalar::ZERO; params.l() as usize * height]);
        let pads = shape.pads();
        let forms: [LinearForm; 3] = [pads.kappa(), pads.gamma(), pads.beta()];
        let see = |start: usize, entries: &[T]| {
            #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
            let count = entries.len() / v;
            let wires = &mut wires[height * start..height * (start + count)];
            crate::parallel::for_chunks(wires, height, |j, out| {
                let column = &entries[v * j..v * (j + 1)];
                for (out, digits) in out.iter_mut().zip(column.chunks_exact(DIGITS as usize)) {
                    *out = digits::value(digits);
                }
            });
        };
        let [kappa, gamma, beta] =
            images::read(params, witness, Shard::whole(params), &forms, see)?;
        Ok(Self { shape, wires, kappa, gamma, beta })
    }

    /// A z, B z and C z at all constraints.
    pub(super) fn products(&self, instance: &Instance<'_>) -> Products {
        let Instance { circuit, public, shape, .. } = *instance;
        let wires = 0..circuit.secret_wires() as usize;
        let mut secret = Zeroizing::new(Vec::with_capacity(wires.len()));
        secret.extend(wires.map(|wire| self.wires[instance.element(wire)]));
        let mut tables = [(); 3].map(|()| Zeroizing::new(vec![Element::ZERO; shape.constraints]));
        for (matrix, table) in tables.iter_mut().enumerate() {
            let (rows, dummies) = table.split_at_mut(circuit.constraints());
            crate::parallel::for_chunks(rows, 1 << 10, |chunk, out| {
                for (index, out) in (chunk << 10..).zip(out) {
                    *out = circuit.product(matrix, index, public, &secret).into();
                }
            });
            let values = tables::dummies(&self.beta[self.shape.masks()..]);
            dummies.iter_mut().zip(values).for_each(|(out, value)| *out = value[matrix]);
        }
        Products(tables)
    }
}

/// A z, B z and C z at all constraints. Secret.
pub(super) struct Products([Zeroizing<Vec<Element>>; 3]);

impl Products {
    /// Whether the first `count` constraints hold.
    fn hold(&self, count: usize) -> bool {
        let [a, b, c] = &self.0;
        let triples = a.iter().zip(b.iter()).zip(c.iter()).take(count);
        // Elements of F.
        triples.fold(true, |all, ((&a, &b), &c)| all & (a * b - c).is_zero())
    }
}

/// The rounds as they were played.
pub(super) struct Rounds {
    /// D_0.
    start: Digest,
    pub(super) course: Course,
    kappa: Zeroizing<Vec<Element>>,
    gamma: Zeroizing<Vec<Element>>,
    /// phi_1(s_j). Secret.
    images: Zeroizing<Vec<Element>>,
    pub(super) sent: Sent,
}

/// All that is sent for a claim before Y.
pub(super) struct CircuitArgument {
    start: Digest,
    pub(super) sent: Sent,
    pub(super) values: Vec<Element>,
    pub(super) opening: ColumnOpening,
}

impl CircuitArgument {
    /// With the columns of T of new wires, where others were committed before.
    pub(super) fn into_proof(self, columns: Vec<u8>, proof: Proof) -> CircuitProof {
        let Self { start, sent, values, .. } = self;
        CircuitProof { start, columns, sent, values, proof }
    }
}

impl Rounds {
    pub(super) fn play(
        columns: Columns,
        tables: Products,
        instance: &Instance<'_>,
        transcript: Transcript,
    ) -> Self {
        let Columns { shape, wires, kappa, gamma, beta } = columns;
        let start = *transcript.state();
        let mut course = Course::begin(transcript, shape);
        let masks = &gamma[shape.masks()..];
        let mut rounds = Outer::new(tables.0, &course.tau);
        let mut outer = Vec::with_capacity(shape.outer_messages());
        for _ in 0..shape.outer_rounds {
            let messages = masked(rounds.coefficients(), &masks[outer.len()..]);
            rounds.bind(course.outer_round(&messages));
            outer.extend(messages);
        }
        let products = declassify(rounds.values());
        drop(rounds);
        course.products(&products);
        let (bound, _) = tables::bound(instance, &course);
        let mut coefficients = Zeroizing::new(bound);
        let mut table = Zeroizing::new(vec![Element::ZERO; shape.places()]);
        shape.table(&wires, &beta, &mut table);
        let mut inner_messages = Vec::new();
        let mut images = Zeroizing::new(Vec::new());
        for round in 0..shape.inner_rounds() {
            if round == shape.row_rounds {
                images.clone_from(&table);
            }
            let pads = &masks[outer.len() + inner_messages.len()..];
            let messages = masked(inner(&coefficients, &table), pads);
            let r = course.inner_round(&messages);
            coefficients = bind(&coefficients, r);
            table = bind(&table, r);
            inner_messages.extend(messages);
        }
        let value = declassify(table[0]);
        let chi = course.chi(value);
        let (eq, w) = (course.column_weights(), course.pad_weights(chi));
        let weighted = |values: &[Element]| dot(&w, &values[shape.masks()..]);
        let ends =
            declassify([weighted(&images), dot(&eq, &gamma), weighted(&kappa), dot(&eq, &kappa)]);
        let ends = Ends::from_array(ends);
        let sent = Sent { outer, products, inner: inner_messages, value, ends };
        Self { start, course, kappa, gamma, images, sent }
    }

    /// y_j = phi(s_j).
    pub(super) fn values(&self, rho: Element) -> Vec<Element> {
        let Self { kappa, gamma, images, .. } = self;
        Secrets { kappa, gamma, images }.values(rho)
    }

    /// val(gamma_j), val(kappa_j), and what replaces phi_1(s_j), for provers that cheat.
    #[cfg(test)]
    pub(super) fn gamma(&self) -> &[Element] {
        &self.gamma
    }

    #[cfg(test)]
    pub(super) fn kappa(&self) -> &[Element] {
        &self.kappa
    }

    #[cfg(test)]
    pub(super) fn set_images(&mut self, images: Vec<Element>) {
        self.images = Zeroizing::new(images);
    }

    /// Sends the ends, and after rho the values.
    pub(super) fn send(
        mut self,
        values: impl FnOnce(&Self, Element) -> Vec<Element>,
    ) -> CircuitArgument {
        let rho = self.course.rho(&self.sent.ends);
        let values = values(&self, rho);
        self.course.finish(&values);
        let opening = ColumnOpening::new(*self.course.transcript.state(), self.course.form(rho));
        let Self { start, sent, .. } = self;
        CircuitArgument { start, sent, values, opening }
    }
}
