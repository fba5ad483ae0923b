//! Small instances of relations of both kinds, whose targets follow from messages.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use tautochrone_ctr::{Label, Seed};

use super::super::{Coefficient, Family, FamilyShape, InstanceErrors, Structure, UnknownPart};
use crate::argument::Relation;

/// Places and columns of an instance, and messages by columns of some height.
pub(in crate::argument) type Messages<'a> = ((u32, u32), (usize, &'a [i64]));

/// A coefficient other than 0 of a block of equations: which unknowns it is of, and what it is.
pub(super) type Term = (usize, Vec<i64>);

/// Instances in full: of each its targets, and terms by blocks of equations; polynomials of one
/// coefficient are integers.
#[derive(Clone)]
pub(in crate::argument) struct Toy {
    pub(in crate::argument) shape: FamilyShape,
    pub(in crate::argument) targets: Vec<Vec<i128>>,
    pub(in crate::argument) terms: Vec<Vec<Vec<Term>>>,
    /// Whether the matrices are said to be the same.
    pub(in crate::argument) common: bool,
}

const fn part(blocks: u32, low: i32, high: i32, is_shown: bool, variance: u64) -> UnknownPart {
    UnknownPart { blocks, low, high, is_shown, variance }
}

/// Instances of which errors are not committed, with n, blocks of equations and of secrets.
pub(in crate::argument) fn with_errors(
    structure: Structure,
    [n, rows, columns]: [u32; 3],
) -> FamilyShape {
    FamilyShape {
        name: "toys",
        n,
        parts: vec![part(columns, -1, 1, true, 666_667)],
        moduli: vec![97; rows as usize],
        errors: InstanceErrors::NotCommitted { low: -2, high: 1, structure },
    }
}

pub(in crate::argument) fn equations(n: u32) -> FamilyShape {
    let part = |blocks, low, high, is_shown| part(blocks, low, high, is_shown, 4_000_000);
    FamilyShape {
        name: "toy equations",
        n,
        parts: vec![part(2, -1, 1, true), part(1, -3, 3, true), part(1, -8, 7, false)],
        moduli: vec![12289, 7681],
        errors: carries_of(1),
    }
}

/// Carries of so many digits.
pub(super) const fn carries_of(carry_digits: u32) -> InstanceErrors {
    InstanceErrors::Committed { carry_digits, carry_variance: 1_000_000 }
}

/// Equations over the field of 2^127 - 1 elements.
pub(in crate::argument) fn wide_equations(n: u32) -> FamilyShape {
    let moduli = vec![1 << 64, (1 << 60) - 3];
    FamilyShape { moduli, errors: carries_of(2), ..equations(n) }
}

/// Numbers from -`bound` to `bound`.
fn numbers(label: &'static str, count: usize, bound: u64, index: u64) -> Vec<i64> {
    let mut words = vec![0; count];
    Seed::from_bytes([5; 32]).stream(Label::new(label), index).fill_u64(&mut words);
    let centred = |word| i128::from(word % (2 * bound + 1)) - i128::from(bound);
    words.into_iter().map(|word| centred(word) as i64).collect()
}

/// a b modulo X^n + 1, where b has n coefficients.
fn negacyclic(a: &[i64], b: &[i64]) -> Vec<i128> {
    let n = b.len();
    let mut all = vec![0; n];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let sign = if i + j < n { 1 } else { -1 };
            all[(i + j) % n] += sign * i128::from(a) * i128::from(b);
        }
    }
    all
}

/// Rows of A of a block of equations about so many unknowns.
pub(super) fn dense(n: usize, unknowns: usize, terms: &[Term]) -> Vec<Vec<i128>> {
    let mut rows = vec![vec![0; unknowns]; n];
    for (block, a) in terms {
        for y in 0..n {
            let unit: Vec<i64> = (0..n).map(|other| i64::from(other == y)).collect();
            for (row, x) in rows.iter_mut().zip(negacyclic(a, &unit)) {
                row[block * n + y] += x;
            }
        }
    }
    rows
}

/// The blocks of all parts of the unknowns and the range of honest ones, digits of carries last.
fn parts(shape: &FamilyShape) -> Vec<(u32, (i32, i32))> {
    let carries = (shape.moduli.len() as u32, (-9, 9));
    let digits = core::iter::repeat_n(carries, shape.carry_digits() as usize);
    shape.parts.iter().map(|part| (part.blocks, (part.low, part.high))).chain(digits).collect()
}

/// Unknowns and carries of an instance among messages.
fn unknowns(
    shape: &FamilyShape,
    instances: u64,
    index: usize,
    ((places, spread), (height, messages)): Messages<'_>,
) -> [Vec<i64>; 2] {
    let placement = shape.placement(instances, places, spread).unwrap();
    let (place, group) = (index % places as usize, index / places as usize);
    let of_group = &messages[height * group * spread as usize..];
    let of_part = |part| {
        let mut entries = vec![];
        placement.for_part(part, place, height, |_, at| entries.push(of_group[at]));
        entries
    };
    let entries: Vec<Vec<i64>> = (0..parts(shape).len()).map(of_part).collect();
    let (unknowns, digits) = entries.split_at(shape.carries());
    let carry = |i| digits.iter().rev().fold(0, |carry, digit| 16 * carry + digit[i]);
    [unknowns.concat(), (0..digits[0].len()).map(carry).collect()]
}

/// Terms of an instance with uniform polynomials.
fn terms(shape: &FamilyShape, instance: u64) -> Vec<Vec<Term>> {
    let polynomial = |row: u64, len: usize, q: u128| {
        let q = q.min(u64::MAX.into()) as u64;
        numbers("test: matrices", len, (q - 1) / 2, 8 * instance + row)
    };
    if !shape.commits_to_errors() {
        let len = if shape.is_plain() { 1 } else { shape.n as usize };
        let row = |(row, &q): (u64, &u128)| {
            let all = polynomial(row, shape.row_len(), q);
            all.chunks(len).map(<[i64]>::to_vec).enumerate().collect()
        };
        return (0..).zip(&shape.moduli).map(row).collect();
    }
    let q = &shape.moduli;
    let [a, b, c] =
        [(0, q[0]), (1, q[1]), (2, q[1])].map(|(row, q)| polynomial(row, shape.n as usize, q));
    vec![vec![(0, a), (2, vec![1]), (3, vec![500])], vec![(0, b), (1, c), (2, vec![-7])]]
}

impl Toy {
    /// Instances of which any messages of `height` rows have some errors in range.
    pub(in crate::argument) fn of_messages(
        shape: FamilyShape,
        instances: u64,
        at: Messages<'_>,
    ) -> Self {
        let terms = (0..instances).map(|instance| terms(&shape, instance)).collect();
        Self { shape, targets: vec![], terms, common: false }.with_targets(at)
    }

    /// Instances of random unknowns, in these places and columns, and the unknowns; all with the
    /// matrix of the first one if they have it in common.
    pub(super) fn random(
        shape: &FamilyShape,
        instances: u64,
        common: bool,
        (places, spread): (u32, u32),
    ) -> (Self, Vec<i8>) {
        let placement = shape.placement(instances, places, spread).unwrap();
        let (height, columns) = (placement.rows() as usize, placement.columns() as usize);
        let rows_of = |(blocks, range): (u32, _)| {
            core::iter::repeat_n(range, (places * blocks * placement.low()) as usize)
        };
        let ranges: Vec<(i32, i32)> = parts(shape).into_iter().flat_map(rows_of).collect();
        let mut messages = numbers("test: unknowns", height * columns, 1 << 20, 0);
        for (entry, &(low, high)) in messages.iter_mut().zip(ranges.iter().cycle()) {
            *entry = i64::from(low) + entry.rem_euclid(i64::from(high - low) + 1);
        }
        let at = ((places, spread), (height, &messages[..]));
        let mut toy = Self::of_messages(shape.clone(), instances, at);
        if common {
            let first = toy.terms[0].clone();
            toy.terms.fill(first);
            toy = toy.with_targets(at);
        }
        let unknowns = |index| unknowns(shape, instances, index, at)[0].clone();
        let unknowns = (0..instances as usize).flat_map(unknowns);
        (Self { common, ..toy }, unknowns.map(|x| x as i8).collect())
    }

    fn with_targets(mut self, at: Messages<'_>) -> Self {
        let (n, moduli) = (self.shape.n as usize, &self.shape.moduli);
        let (low, high) = self.shape.error_range();
        let error = |index: usize| i128::from(low) + (index as i128) % i128::from(high - low + 1);
        let instances = self.terms.len() as u64;
        let targets = |(index, rows): (usize, &Vec<Vec<Term>>)| {
            let [unknowns, carries] = unknowns(&self.shape, instances, index, at);
            let mut targets = vec![];
            for (terms, &q) in rows.iter().zip(moduli) {
                let mut sum = vec![0; n];
                for (block, a) in terms {
                    let product = negacyclic(a, &unknowns[block * n..][..n]);
                    sum.iter_mut().zip(product).for_each(|(sum, x)| *sum += x);
                }
                for x in sum {
                    let row = targets.len();
                    let carry = q as i128 * i128::from(carries[row]);
                    targets.push(x - carry + error(row + index));
                }
            }
            targets
        };
        self.targets = self.terms.iter().enumerate().map(targets).collect();
        self
    }

    pub(in crate::argument) fn relation(&self, places: u32, spread: u32) -> Relation {
        self.lifted(places, spread, 0)
    }

    pub(super) fn lifted(&self, places: u32, spread: u32, lift: u8) -> Relation {
        Relation::new(Arc::new(self.clone()), places, spread, lift).unwrap()
    }
}

impl Family for Toy {
    fn shape(&self) -> FamilyShape {
        self.shape.clone()
    }

    fn instances(&self) -> u64 {
        self.terms.len() as u64
    }

    fn is_common(&self) -> bool {
        self.common
    }

    fn header(&self) -> Cow<'_, [u8]> {
        b"toys"[..].into()
    }

    fn encoding(&self, instance: u64) -> Cow<'_, [u8]> {
        let mut numbers = self.targets[instance as usize].clone();
        for (block, a) in self.terms[instance as usize].iter().flatten() {
            numbers.push(*block as i128);
            numbers.extend(a.iter().map(|&a| i128::from(a)));
        }
        let words: Vec<[u8; 16]> = numbers.into_iter().map(i128::to_le_bytes).collect();
        words.concat().into()
    }

    fn target(&self, instance: u64, row: usize, out: &mut [i128]) {
        let targets = self.targets[instance as usize].chunks(out.len()).nth(row).unwrap();
        out.copy_from_slice(targets);
    }

    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>)) {
        let terms = &self.terms[instance as usize][row];
        if !self.shape.commits_to_errors() {
            let entries = terms.iter().flat_map(|(_, a)| a).map(|&a| a as i16);
            return see(0, Coefficient::Row(&entries.collect::<Vec<_>>()));
        }
        for (block, a) in terms {
            match a[..] {
                [a] if self.shape.n > 1 => see(*block, Coefficient::Integer(a)),
                _ => see(*block, Coefficient::Polynomial(a)),
            }
        }
    }
}
