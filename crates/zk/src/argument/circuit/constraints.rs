//! [`Circuit`]: rank-1 constraints over F, and whether they hold.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::eq::SPAN;
use crate::error::Error;
use crate::field::{ElementOf, Field as _, Goldilocks, P61, SmallField};
use crate::hash::{Digest, Hasher};
use crate::opening::transcript;
use crate::scalar::ScalarOf;

/// Most constraints, and most wires, of a circuit.
pub(super) const MAX_CIRCUIT: usize = 1 << 26;
/// Most coefficients of one of the three matrices of a circuit.
const MAX_ENTRIES: usize = 1 << 28;

/// A sum of wires times coefficients: wire 0 is the constant 1, then come the public inputs, then
/// the secret wires.
pub(super) type Row<F> = [(u32, ScalarOf<F>)];

/// Sorts terms by wires, with one coefficient, the sum, for each.
pub(super) fn sort<F: SmallField>(terms: &mut Vec<(u32, ScalarOf<F>)>) {
    terms.sort_unstable_by_key(|&(wire, _)| wire);
    terms.dedup_by(|(wire, x), (kept, sum)| {
        let same = wire == kept;
        if same {
            *sum += *x;
        }
        same
    });
}

/// No wire, of a row that has not just one.
const NO_WIRE: u32 = u32::MAX;

/// One of the three matrices, row after row. In a row, wires ascend and no coefficient is 0.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Matrix<F: SmallField> {
    /// Where each row ends: of matrices that a circuit takes, all fit.
    ends: Vec<u32>,
    entries: Vec<(u32, ScalarOf<F>)>,
}

impl<F: SmallField> Matrix<F> {
    /// Appends a row in which wires ascend, without coefficients that are 0.
    pub(super) fn push(&mut self, row: &Row<F>) {
        self.entries.extend(row.iter().filter(|(_, coefficient)| *coefficient != ScalarOf::ZERO));
        self.ends.push(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
    }

    pub(super) const fn rows(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn row(&self, index: usize) -> &Row<F> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[index] as usize]
    }

    /// A row without the wires before `first`, which come first.
    pub(super) fn row_from(&self, index: usize, first: usize) -> &Row<F> {
        let mut row = self.row(index);
        while let [(wire, _), rest @ ..] = row
            && (*wire as usize) < first
        {
            row = rest;
        }
        row
    }

    /// The sum over a row of coefficient times value, for values of some words below p each.
    #[inline(always)]
    pub(super) fn row_sum<const N: usize>(
        row: &Row<F>,
        value: impl Fn(usize) -> [u64; N],
    ) -> [u64; N] {
        if let [(wire, x)] = *row
            && x == ScalarOf::ONE
        {
            return value(wire as usize);
        }
        let mut sums = [F::Sum::default(); N];
        for (chunk, entries) in row.chunks(31).enumerate() {
            if chunk > 0 {
                sums = sums.map(|sum| {
                    let mut rest = F::Sum::default();
                    F::add_word(&mut rest, F::reduce(sum));
                    rest
                });
            }
            for &(wire, x) in entries {
                let words = value(wire as usize);
                for (sum, word) in sums.iter_mut().zip(words) {
                    match x.value() {
                        1 => F::add_word(sum, word),
                        x if x == F::P - 1 => F::add_word(sum, F::P - word),
                        x => F::add_product(sum, word, x),
                    }
                }
            }
        }
        sums.map(F::reduce)
    }

    pub(super) const fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Renumbers the wires, whose order stays.
    pub(super) fn map_wires(&mut self, f: impl Fn(u32) -> u32) {
        for (wire, _) in &mut self.entries {
            *wire = f(*wire);
        }
    }

    fn hash(&self, mut hasher: Hasher) -> Hasher {
        hasher = hasher.number(self.entries.len() as u64);
        hasher.words(self.ends.iter().map(|&end| end as u64));
        hasher.begin_field(12 * self.entries.len() as u64);
        let mut buffer = Vec::with_capacity(12 << 10);
        for entries in self.entries.chunks(1 << 10) {
            buffer.clear();
            for (wire, coefficient) in entries {
                buffer.extend(wire.to_le_bytes());
                buffer.extend(coefficient.value().to_le_bytes());
            }
            hasher.update(&buffer);
        }
        hasher
    }
}

/// The coefficients of all wires of the three matrices that are not secret. Constants are often the
/// same, row after row, and in the same rows of chunk after chunk: one product for the weights of
/// many, which are summed up once for each set of rows.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Known<F: SmallField> {
    pub(super) groups: Vec<Group<F>>,
    /// Sets of rows, from the first row of a chunk on.
    pub(super) sets: Vec<Vec<u8>>,
}

/// Rows of a matrix in one chunk of [`SPAN`] constraints, with one coefficient of one wire.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Group<F: SmallField> {
    pub(super) matrix: u8,
    pub(super) chunk: u32,
    pub(super) wire: u32,
    /// The index of the set of rows.
    pub(super) set: u32,
    pub(super) coefficient: ScalarOf<F>,
}

const _: () = assert!(SPAN - 1 <= u8::MAX as usize, "a byte is a row of a chunk");

impl<F: SmallField> Known<F> {
    fn new(matrices: &[Matrix<F>; 3], public: u32) -> Self {
        let (mut groups, mut entries) = (Vec::new(), Vec::new());
        let (mut rows_of_group, mut sets) = (Vec::new(), BTreeMap::new());
        for (matrix, rows) in (0..).zip(matrices) {
            for (chunk, first) in (0..).zip((0..rows.rows()).step_by(SPAN)) {
                let span = first..rows.rows().min(first + SPAN);
                for (row, index) in (0..=u8::MAX).zip(span) {
                    let wires = rows.row(index).iter().take_while(|(wire, _)| *wire <= public);
                    entries.extend(wires.map(|&(wire, x)| (wire, x.value(), row)));
                }
                entries.sort_unstable();
                for of_group in entries.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
                    let (wire, coefficient, _) = of_group[0];
                    let coefficient = ScalarOf::of_residue(coefficient);
                    rows_of_group.clear();
                    rows_of_group.extend(of_group.iter().map(|&(.., row)| row));
                    let next = sets.len() as u32;
                    let set = sets.get(&rows_of_group).copied().unwrap_or_else(|| {
                        sets.insert(rows_of_group.clone(), next);
                        next
                    });
                    groups.push(Group { matrix, chunk, wire, set, coefficient });
                }
                entries.clear();
            }
        }
        let mut sets: Vec<(Vec<u8>, u32)> = sets.into_iter().collect();
        sets.sort_unstable_by_key(|&(_, index)| index);
        Self { groups, sets: sets.into_iter().map(|(rows, _)| rows).collect() }
    }
}

/// A rank-1 constraint system over F = Z / p, where p = 2^61 - 1 unless `F` says otherwise: for
/// every constraint, `(A z) (B z) = C z` for z = (1, public inputs, secret wires). Made by a
/// [`CircuitBuilder`](super::CircuitBuilder) or read from a file
/// ([`CircuitFile`](super::CircuitFile)). Cheap to clone; what proofs and checks need of a circuit
/// is computed when it is made, so that who checks many proofs keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct Circuit<F: SmallField = P61> {
    public: u32,
    secret: u32,
    /// A, B and C.
    pub(super) matrices: Arc<[Matrix<F>; 3]>,
    /// The secret wire of each row of a matrix that has one, with coefficient 1; else no wire.
    single: Arc<[Vec<u32>; 3]>,
    /// Coefficients of all wires that are not secret.
    pub(super) known: Arc<Known<F>>,
    digest: Digest,
}

impl<F: SmallField> core::fmt::Debug for Circuit<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Circuit")
            .field("constraints", &self.constraints())
            .field("public", &self.public)
            .field("secret", &self.secret)
            .finish_non_exhaustive()
    }
}

impl<F: SmallField> Circuit<F> {
    /// # Errors
    /// [`Error::Parameter`] if there is no constraint or no secret wire, or there are too many of
    /// them or of coefficients, or a constraint names a wire that there is not.
    pub(super) fn new(public: u32, secret: u32, matrices: [Matrix<F>; 3]) -> Result<Self, Error> {
        let constraints = matrices[0].rows();
        let holds = (1..=MAX_CIRCUIT).contains(&constraints);
        Error::unless(holds, "constraints", constraints as u64, "1 to 2^26")?;
        let wires = 1 + u64::from(public) + u64::from(secret);
        let expected = "at least one secret one, and at most 2^26 in all";
        Error::unless(secret > 0 && wires <= MAX_CIRCUIT as u64, "wires", wires, expected)?;
        for matrix in &matrices {
            let count = matrix.entries.len();
            Error::unless(count <= MAX_ENTRIES, "coefficients", count as u64, "at most 2^28")?;
            let largest = matrix.entries.iter().map(|&(wire, _)| wire).max();
            if let Some(wire) = largest.filter(|&wire| u64::from(wire) >= wires) {
                return Err(Error::parameter("wire", wire, "a wire of the circuit"));
            }
        }
        let start =
            transcript::circuit(F::P == Goldilocks::P).number(public.into()).number(secret.into());
        let start = start.number(constraints as u64);
        let digest = matrices.iter().fold(start, |hasher, matrix| matrix.hash(hasher)).finish();
        let single = matrices.each_ref().map(|matrix| {
            let row = |index| match *matrix.row_from(index, 1 + public as usize) {
                [(wire, x)] if x == ScalarOf::ONE => wire,
                _ => NO_WIRE,
            };
            (0..constraints).map(row).collect()
        });
        let known = Known::new(&matrices, public).into();
        let (matrices, single) = (matrices.into(), Arc::new(single));
        Ok(Self { public, secret, matrices, single, known, digest })
    }

    /// Constraints.
    #[doc(hidden)]
    #[must_use]
    pub fn constraints(&self) -> usize {
        self.matrices[0].rows()
    }

    /// Public inputs, the constant 1 not counted.
    #[doc(hidden)]
    #[must_use]
    pub const fn public_inputs(&self) -> u32 {
        self.public
    }

    /// Secret wires: those that are committed.
    #[doc(hidden)]
    #[must_use]
    pub const fn secret_wires(&self) -> u32 {
        self.secret
    }

    /// Coefficients of the three matrices that are not 0.
    pub(super) fn coefficients(&self) -> usize {
        let [a, b, c] = &*self.matrices;
        a.entries() + b.entries() + c.entries()
    }

    /// A hash of the three matrices, which names the circuit.
    #[must_use]
    pub const fn digest(&self) -> &Digest {
        &self.digest
    }

    /// A, B and C by rows of wires and coefficients.
    #[cfg(test)]
    pub(in crate::argument) fn rows(&self) -> [Vec<Vec<(usize, i128)>>; 3] {
        let row =
            |row: &Row<F>| row.iter().map(|&(wire, x)| (wire as usize, x.value().into())).collect();
        [0, 1, 2].map(|matrix: usize| {
            (0..self.constraints()).map(|index| row(self.matrices[matrix].row(index))).collect()
        })
    }

    /// Of some rows of a matrix, without public wires: the wire of each that has just one, with
    /// coefficient 1, or else the row.
    pub(super) fn secret_rows(
        &self,
        matrix: usize,
        rows: core::ops::Range<usize>,
    ) -> impl Iterator<Item = Result<usize, &Row<F>>> {
        let (first, of_matrix) = (self.first_secret() as usize, &self.matrices[matrix]);
        rows.clone().zip(&self.single[matrix][rows]).map(move |(row, &wire)| {
            if wire == NO_WIRE { Err(of_matrix.row_from(row, first)) } else { Ok(wire as usize) }
        })
    }

    /// The first secret wire's number.
    pub(super) const fn first_secret(&self) -> u32 {
        1 + self.public
    }

    /// The value of wire `wire` for a wire that is public.
    pub(super) fn public_value(public: &[ScalarOf<F>], wire: u32) -> ScalarOf<F> {
        wire.checked_sub(1).map_or(ScalarOf::ONE, |index| public[index as usize])
    }

    /// z: 1, public inputs, secret wires.
    pub(super) fn values(
        public: &[ScalarOf<F>],
        secret: impl ExactSizeIterator<Item = ScalarOf<F>>,
    ) -> Zeroizing<Vec<ScalarOf<F>>> {
        let mut values = Zeroizing::new(Vec::with_capacity(1 + public.len() + secret.len()));
        values.push(ScalarOf::ONE);
        values.extend_from_slice(public);
        values.extend(secret);
        values
    }

    /// A z, B z or C z at one constraint.
    ///
    /// # Constant time
    /// In z.
    pub(super) fn product(&self, matrix: usize, index: usize, z: &[ScalarOf<F>]) -> ScalarOf<F> {
        let row = self.matrices[matrix].row(index);
        let [sum] = Matrix::<F>::row_sum(row, |wire| [z[wire].value()]);
        ScalarOf::of_residue(sum)
    }

    /// The first constraint that does not hold of an assignment.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it has another number of wires.
    ///
    /// # Constant time
    /// But for the answer.
    pub fn first_violation(&self, assignment: &Assignment<F>) -> Result<Option<usize>, Error> {
        self.check(assignment)?;
        let z = Self::values(&assignment.public, assignment.secret.iter().copied());
        let holds = |&index: &usize| {
            let [a, b, c] = [0, 1, 2].map(|matrix| self.product(matrix, index, &z));
            tautochrone_simd::declassify(ElementOf::from(a * b - c).is_zero())
        };
        Ok((0..self.constraints()).find(|index| !holds(index)))
    }

    /// # Errors
    /// [`Error::Parameter`] if an assignment has another number of wires.
    pub(super) fn check(&self, assignment: &Assignment<F>) -> Result<(), Error> {
        self.check_public(&assignment.public)?;
        let expected = "as many as the circuit has";
        let holds = assignment.secret.len() as u64 == u64::from(self.secret);
        Error::unless(holds, "secret wires", assignment.secret.len() as u64, expected)
    }

    /// # Errors
    /// [`Error::Parameter`] if these are not as many as the circuit has public inputs.
    pub(super) fn check_public(&self, public: &[ScalarOf<F>]) -> Result<(), Error> {
        let expected = "as many as the circuit has";
        let holds = public.len() as u64 == u64::from(self.public);
        Error::unless(holds, "public inputs", public.len() as u64, expected)
    }
}

/// The values of all wires but the constant 1. Secret wires are erased when dropped, and not
/// printed.
#[derive(Clone)]
pub struct Assignment<F: SmallField = P61> {
    /// Public inputs.
    pub public: Vec<ScalarOf<F>>,
    /// Secret wires.
    pub secret: Zeroizing<Vec<ScalarOf<F>>>,
}

impl<F: SmallField> core::fmt::Debug for Assignment<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Assignment").field("public", &self.public.len()).finish_non_exhaustive()
    }
}
