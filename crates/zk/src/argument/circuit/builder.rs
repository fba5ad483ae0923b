//! [`CircuitBuilder`]: a circuit and its wires' values, gate by gate.

use alloc::vec::Vec;
use core::ops::{Add, Deref, DerefMut, Mul, Neg, Sub};

use zeroize::Zeroizing;

use super::constraints::{Assignment, Circuit, Matrix, Row, sort};
use crate::erase::debug_fields;
use crate::error::Error;
use crate::field::{P61, SmallField};
use crate::scalar::ScalarOf;

/// A wire of a [`CircuitBuilder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire(u32);

/// The constant 1. Numbers of public wires follow, and then secret wires, as in a circuit.
const ONE: u32 = 0;
/// The bit of a wire's number that says that it is a secret one.
const SECRET: u32 = 1 << 31;

/// A sum of wires times coefficients, and a constant.
///
/// ```
/// use tautochrone_zk::argument::{CircuitBuilder, Combination, Scalar};
///
/// let mut builder = CircuitBuilder::new();
/// let x = builder.secret(Scalar::from(5));
/// let sum = Combination::from(x) * Scalar::from(3) - Scalar::ONE.into();
/// assert_eq!(builder.value(&sum).value(), 14);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Combination<F: SmallField = P61> {
    /// One for each wire, in ascending order.
    terms: Terms<F>,
}

/// Up to two terms have no memory of their own, which most combinations are spared.
#[derive(Clone, Debug)]
enum Terms<F: SmallField> {
    Few(usize, [(u32, ScalarOf<F>); 2]),
    Many(Vec<(u32, ScalarOf<F>)>),
}

impl<F: SmallField> Default for Terms<F> {
    fn default() -> Self {
        Self::Few(0, [(ONE, ScalarOf::ZERO); 2])
    }
}

impl<F: SmallField> Terms<F> {
    fn push(&mut self, term: (u32, ScalarOf<F>)) {
        match self {
            Self::Few(2, terms) => *self = Self::Many([&terms[..], &[term]].concat()),
            Self::Few(count, terms) => {
                terms[*count] = term;
                *count += 1;
            }
            Self::Many(terms) => terms.push(term),
        }
    }
}

impl<F: SmallField> Deref for Terms<F> {
    type Target = Row<F>;
    fn deref(&self) -> &Row<F> {
        match self {
            Self::Few(count, terms) => &terms[..*count],
            Self::Many(terms) => terms,
        }
    }
}

impl<F: SmallField> DerefMut for Terms<F> {
    fn deref_mut(&mut self) -> &mut Row<F> {
        match self {
            Self::Few(count, terms) => &mut terms[..*count],
            Self::Many(terms) => terms,
        }
    }
}

impl<F: SmallField> Combination<F> {
    fn of(mut terms: Vec<(u32, ScalarOf<F>)>) -> Self {
        sort(&mut terms);
        Self { terms: Terms::Many(terms) }
    }

    fn term(wire: u32, coefficient: ScalarOf<F>) -> Self {
        Self { terms: Terms::Few(1, [(wire, coefficient); 2]) }
    }
}

impl<F: SmallField> From<Wire> for Combination<F> {
    fn from(wire: Wire) -> Self {
        Self::term(wire.0, ScalarOf::ONE)
    }
}

impl<F: SmallField> From<ScalarOf<F>> for Combination<F> {
    fn from(constant: ScalarOf<F>) -> Self {
        Self::term(ONE, constant)
    }
}

impl<F: SmallField> Add for Combination<F> {
    type Output = Self;
    fn add(mut self, mut other: Self) -> Self {
        if self.terms.len() < other.terms.len() {
            core::mem::swap(&mut self, &mut other);
        }
        if let Terms::Many(_) = other.terms {
            return Self::of([&self.terms[..], &other.terms[..]].concat());
        }
        for &(wire, x) in &*other.terms {
            let place = self.terms.partition_point(|&(other, _)| other < wire);
            match self.terms.get_mut(place) {
                Some((same, sum)) if *same == wire => *sum += x,
                _ => {
                    self.terms.push((wire, x));
                    self.terms[place..].rotate_right(1);
                }
            }
        }
        self
    }
}

impl<F: SmallField> Neg for Combination<F> {
    type Output = Self;
    fn neg(mut self) -> Self {
        self.terms.iter_mut().for_each(|(_, x)| *x = -*x);
        self
    }
}

impl<F: SmallField> Sub for Combination<F> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<F: SmallField> Mul<ScalarOf<F>> for Combination<F> {
    type Output = Self;
    fn mul(mut self, scalar: ScalarOf<F>) -> Self {
        self.terms.iter_mut().for_each(|(_, x)| *x = *x * scalar);
        self
    }
}

/// Builds a circuit gate by gate and computes the values of its wires as it goes.
///
/// The circuit must not depend on values: a verifier builds it with the same calls, zeros in the
/// place of the secrets, and ignores the values. The public inputs it takes from elsewhere.
///
/// ```
/// use tautochrone_zk::argument::{CircuitBuilder, Scalar};
///
/// // A root of x^3 + x + 5 = 35, which is 3.
/// let build = |x: u32| {
///     let mut builder = CircuitBuilder::new();
///     let result = builder.public(Scalar::from(35));
///     let x = builder.secret(Scalar::from(x));
///     let square = builder.product(x, x);
///     let cube = builder.product(square, x);
///     let five = Scalar::from(5);
///     builder.equal(builder.sum(&[cube, x]) + five.into(), result);
///     builder.finish()
/// };
/// let (circuit, assignment) = build(3)?;
/// assert_eq!(circuit.first_violation(&assignment)?, None);
/// let (same, wrong) = build(0)?;
/// assert_eq!(same, circuit);
/// assert_eq!(circuit.first_violation(&wrong)?, Some(2));
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Default)]
pub struct CircuitBuilder<F: SmallField = P61> {
    public: Vec<ScalarOf<F>>,
    secret: Zeroizing<Vec<ScalarOf<F>>>,
    constraints: usize,
    matrices: [Matrix<F>; 3],
    /// What would be built again.
    known: Option<Circuit<F>>,
}

debug_fields!("CircuitBuilder", CircuitBuilder<F>, F: SmallField; constraints);

impl CircuitBuilder {
    /// No wires and no constraints. [`Default::default`] is the same over any field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<F: SmallField> CircuitBuilder<F> {
    /// For an assignment of a circuit that the same calls have built before: it is kept, and
    /// only values are computed.
    ///
    /// ```
    /// use tautochrone_zk::argument::{CircuitBuilder, Scalar};
    ///
    /// let build = |mut builder: CircuitBuilder, x: u32| {
    ///     let x = builder.secret(Scalar::from(x));
    ///     let square = builder.product(x, x);
    ///     let result = builder.public(builder.value(&square.into()));
    ///     builder.equal(square, result);
    ///     builder.finish()
    /// };
    /// let (circuit, _) = build(CircuitBuilder::new(), 0)?;
    /// let (same, assignment) = build(CircuitBuilder::again(&circuit), 3)?;
    /// assert_eq!(same, circuit);
    /// assert_eq!(assignment.public, [Scalar::from(9)]);
    /// # Ok::<(), tautochrone_zk::Error>(())
    /// ```
    #[must_use]
    pub fn again(circuit: &Circuit<F>) -> Self {
        let known = Some(circuit.clone());
        Self { known, ..Self::default() }
    }

    /// A public input with this value.
    ///
    /// # Panics
    /// After 2^30 of them.
    pub fn public(&mut self, value: ScalarOf<F>) -> Wire {
        let index = u32::try_from(self.public.len()).expect("wires fit memory");
        assert!(index < 1 << 30, "public inputs are countable");
        self.public.push(value);
        Wire(1 + index)
    }

    /// A secret wire with this value, and no constraint yet.
    ///
    /// # Panics
    /// After 2^30 of them.
    pub fn secret(&mut self, value: ScalarOf<F>) -> Wire {
        let index = u32::try_from(self.secret.len()).expect("wires fit memory");
        assert!(index < 1 << 30, "secret wires are countable");
        if self.secret.len() == self.secret.capacity() {
            // A vector that grows by itself would leave its former memory as it was.
            let mut longer = Zeroizing::new(Vec::with_capacity(2 * self.secret.len() + 64));
            longer.extend_from_slice(&self.secret);
            self.secret = longer;
        }
        self.secret.push(value);
        Wire(SECRET | index)
    }

    /// The value of a combination.
    ///
    /// # Constant time
    /// In the values of the wires.
    #[must_use]
    pub fn value(&self, combination: &Combination<F>) -> ScalarOf<F> {
        let term = |&(wire, x): &(u32, ScalarOf<F>)| match wire {
            ONE => x,
            wire if wire & SECRET != 0 => x * self.secret[(wire & !SECRET) as usize],
            wire => x * self.public[wire as usize - 1],
        };
        combination.terms.iter().map(term).fold(ScalarOf::ZERO, |sum, x| sum + x)
    }

    /// The sum of wires.
    #[must_use]
    pub fn sum(&self, wires: &[Wire]) -> Combination<F> {
        Combination::of(wires.iter().map(|wire| (wire.0, ScalarOf::ONE)).collect())
    }

    /// Demands a b = c. Nothing is checked before a proof is made.
    pub fn constrain(
        &mut self,
        a: impl Into<Combination<F>>,
        b: impl Into<Combination<F>>,
        c: impl Into<Combination<F>>,
    ) {
        self.constraints += 1;
        if self.known.is_none() {
            let [of_a, of_b, of_c] = &mut self.matrices;
            of_a.push(&a.into().terms);
            of_b.push(&b.into().terms);
            of_c.push(&c.into().terms);
        }
    }

    /// Demands a = b.
    pub fn equal(&mut self, a: impl Into<Combination<F>>, b: impl Into<Combination<F>>) {
        self.constrain(a, ScalarOf::ONE, b);
    }

    /// A new secret wire that is a b: one constraint.
    pub fn product(&mut self, a: impl Into<Combination<F>>, b: impl Into<Combination<F>>) -> Wire {
        let (a, b) = (a.into(), b.into());
        let wire = self.secret(self.value(&a) * self.value(&b));
        self.constrain(a, b, wire);
        wire
    }

    /// A new secret wire with this bit, which is 0 or 1: one constraint.
    pub fn bit(&mut self, bit: bool) -> Wire {
        let wire = self.secret(ScalarOf::from(bit));
        let complement = Combination::from(ScalarOf::ONE) - wire.into();
        self.constrain(wire, complement, ScalarOf::ZERO);
        wire
    }

    /// The lowest `count` bits of a, which is demanded to have no others: `count` + 1 constraints.
    ///
    /// # Panics
    /// If `count` is not 1 to 60: more bits would fit several residues.
    pub fn bits(&mut self, a: impl Into<Combination<F>>, count: usize) -> Vec<Wire> {
        assert!((1..=60).contains(&count), "1 to 60 bits");
        let a = a.into();
        let value = self.value(&a).value();
        let bits: Vec<Wire> = (0..count).map(|i| self.bit(value >> i & 1 == 1)).collect();
        self.equal(self.number(&bits), a);
        bits
    }

    /// sum over i of 2^i times a wire, for at most 60 of them.
    ///
    /// # Panics
    /// If they are more.
    #[must_use]
    pub fn number(&self, bits: &[Wire]) -> Combination<F> {
        assert!(bits.len() <= 60, "at most 60 bits");
        let terms = bits.iter().enumerate();
        Combination::of(terms.map(|(i, bit)| (bit.0, ScalarOf::of_residue(1 << i))).collect())
    }

    /// The circuit, and the values of its wires.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no constraint or no secret wire, or too many of them, or
    /// not as many as the circuit has that was built [before](Self::again).
    pub fn finish(self) -> Result<(Circuit<F>, Assignment<F>), Error> {
        let Self { public, secret, constraints, mut matrices, known } = self;
        let assignment = Assignment { public, secret };
        if let Some(circuit) = known {
            let expected = "as many as the circuit has";
            let holds = constraints == circuit.constraints();
            Error::unless(holds, "constraints", constraints as u64, expected)?;
            circuit.check(&assignment)?;
            return Ok((circuit, assignment));
        }
        let (public, secret) = (assignment.public.len() as u32, assignment.secret.len() as u32);
        for matrix in &mut matrices {
            matrix.map_wires(|wire| match wire & SECRET {
                0 => wire,
                _ => (1 + public).saturating_add(wire & !SECRET),
            });
        }
        Ok((Circuit::new(public, secret, matrices)?, assignment))
    }
}
