//! Small instances of relations of both kinds, whose targets follow from messages.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use tautochrone_ctr::{Label, Seed};

use super::super::placement::Placement;
use super::super::{
    Coefficient, EquationFamily, EquationShape, Family, FamilyShape, Structure, UnknownPart,
};
use crate::argument::Relation;

/// Places and columns of an instance, and messages by columns of some height.
pub(in crate::argument) type Messages<'a> = ((u32, u32), (usize, &'a [i64]));

/// A coefficient other than 0 of a block of equations: which unknowns it is of, and what it is.
pub(super) type Term = (usize, Vec<i64>);

/// Blocks of a part of the unknowns, and the range of honest ones.
type Part = (u32, (i32, i32));

/// What all instances have in common.
#[derive(Clone)]
pub(in crate::argument) enum Shape {
    WithErrors(FamilyShape),
    Equations(EquationShape),
}

/// Instances in full: of each its targets, and terms by blocks of equations; polynomials of one
/// coefficient are integers.
#[derive(Clone)]
pub(in crate::argument) struct Toy {
    pub(in crate::argument) shape: Shape,
    pub(in crate::argument) targets: Vec<Vec<i128>>,
    pub(in crate::argument) terms: Vec<Vec<Vec<Term>>>,
    /// Whether the matrices are said to be the same.
    pub(in crate::argument) common: bool,
}

pub(in crate::argument) fn shape(
    structure: Structure,
    [n, rows, columns]: [u32; 3],
) -> FamilyShape {
    FamilyShape {
        name: "toys",
        modulus: 97,
        structure,
        n,
        rows,
        columns,
        secrets: (-1, 1),
        errors: (-2, 1),
        secret_variance: 666_667,
    }
}

pub(in crate::argument) fn equations(n: u32) -> EquationShape {
    let part = |blocks, low, high, is_shown| UnknownPart {
        blocks,
        low,
        high,
        is_shown,
        variance: 4_000_000,
    };
    EquationShape {
        name: "toy equations",
        n,
        parts: vec![part(2, -1, 1, true), part(1, -3, 3, true), part(1, -8, 7, false)],
        moduli: vec![12289, 7681],
        carry_digits: 1,
        carry_variance: 1_000_000,
    }
}

/// Equations over the field of 2^127 - 1 elements.
pub(in crate::argument) fn wide_equations(n: u32) -> EquationShape {
    EquationShape { moduli: vec![1 << 64, (1 << 60) - 3], carry_digits: 2, ..equations(n) }
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

impl Shape {
    pub(super) fn n(&self) -> usize {
        match self {
            Self::WithErrors(shape) => shape.n as usize,
            Self::Equations(shape) => shape.n as usize,
        }
    }

    /// q of each block of equations.
    fn moduli(&self) -> Vec<i128> {
        match self {
            Self::WithErrors(shape) => vec![shape.modulus.into(); shape.rows as usize],
            Self::Equations(shape) => shape.moduli.iter().map(|&q| q as i128).collect(),
        }
    }

    /// The parts of the unknowns, then digits of carries, the lowest first; and where these begin.
    fn parts(&self) -> (Vec<Part>, usize) {
        let carries = (self.moduli().len() as u32, (-9, 9));
        match self {
            Self::WithErrors(shape) => (vec![(shape.columns, shape.secrets), carries], 1),
            Self::Equations(shape) => {
                let parts = shape.parts.iter().map(|part| (part.blocks, (part.low, part.high)));
                let digits = core::iter::repeat_n(carries, shape.carry_digits as usize);
                (parts.chain(digits).collect(), shape.parts.len())
            }
        }
    }

    fn placement(&self, instances: u64, places: u32, spread: u32) -> Placement {
        match self {
            Self::WithErrors(shape) => shape.placement(instances, places, spread),
            Self::Equations(shape) => shape.placement(instances, places, spread),
        }
        .unwrap()
    }

    /// Unknowns and carries of an instance among messages.
    fn unknowns(
        &self,
        instances: u64,
        index: usize,
        ((places, spread), (height, messages)): Messages<'_>,
    ) -> [Vec<i64>; 2] {
        let placement = self.placement(instances, places, spread);
        let (place, group) = (index % places as usize, index / places as usize);
        let of_group = &messages[height * group * spread as usize..];
        let (parts, carries) = self.parts();
        let of_part = |(part, &(count, _)): (usize, &(u32, _))| {
            let mut entries = vec![];
            let first = placement.first_block(part, place);
            placement.for_entries(first, count, height, |_, at| entries.push(of_group[at]));
            entries
        };
        let entries: Vec<Vec<i64>> = parts.iter().enumerate().map(of_part).collect();
        let (unknowns, digits) = entries.split_at(carries);
        let carry = |i| digits.iter().rev().fold(0, |carry, digit| 16 * carry + digit[i]);
        [unknowns.concat(), (0..digits[0].len()).map(carry).collect()]
    }

    /// Terms of an instance with uniform polynomials.
    fn terms(&self, instance: u64) -> Vec<Vec<Term>> {
        let polynomial = |row: u64, len: usize, q: u64| {
            numbers("test: matrices", len, (q - 1) / 2, 8 * instance + row)
        };
        match self {
            Self::WithErrors(shape) => {
                let len = shape.row_len() / shape.columns as usize;
                let row = |row: u64| {
                    let all = polynomial(row, shape.row_len(), shape.modulus.into());
                    all.chunks(len).map(<[i64]>::to_vec).enumerate().collect()
                };
                (0..shape.rows.into()).map(row).collect()
            }
            Self::Equations(shape) => {
                let q = [0, 1].map(|row| shape.moduli[row].min(u64::MAX.into()) as u64);
                let [a, b, c] = [(0, q[0]), (1, q[1]), (2, q[1])]
                    .map(|(row, q)| polynomial(row, shape.n as usize, q));
                vec![
                    vec![(0, a), (2, vec![1]), (3, vec![500])],
                    vec![(0, b), (1, c), (2, vec![-7])],
                ]
            }
        }
    }
}

impl Toy {
    /// Instances of which any messages of `height` rows have some errors in range.
    pub(in crate::argument) fn of_messages(shape: Shape, instances: u64, at: Messages<'_>) -> Self {
        let terms = (0..instances).map(|instance| shape.terms(instance)).collect();
        Self { shape, targets: vec![], terms, common: false }.with_targets(at)
    }

    /// Instances of random unknowns, in these places and columns, and the unknowns; all with the
    /// matrix of the first one if they have it in common.
    pub(super) fn random(
        shape: &Shape,
        instances: u64,
        common: bool,
        (places, spread): (u32, u32),
    ) -> (Self, Vec<i8>) {
        let placement = shape.placement(instances, places, spread);
        let (height, columns) = (placement.rows() as usize, placement.columns() as usize);
        let rows_of = |&(blocks, range): &(u32, _)| {
            core::iter::repeat_n(range, (places * blocks * placement.low()) as usize)
        };
        let ranges: Vec<(i32, i32)> = shape.parts().0.iter().flat_map(rows_of).collect();
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
        let unknowns = |index| shape.unknowns(instances, index, at)[0].clone();
        let unknowns = (0..instances as usize).flat_map(unknowns);
        (Self { common, ..toy }, unknowns.map(|x| x as i8).collect())
    }

    fn with_targets(mut self, at: Messages<'_>) -> Self {
        let (n, moduli) = (self.shape.n(), self.shape.moduli());
        let error = |index: usize| match &self.shape {
            Shape::WithErrors(FamilyShape { errors: (low, high), .. }) => {
                i128::from(*low) + (index as i128) % i128::from(high - low + 1)
            }
            Shape::Equations(_) => 0,
        };
        let instances = self.terms.len() as u64;
        let targets = |(index, rows): (usize, &Vec<Vec<Term>>)| {
            let [unknowns, carries] = self.shape.unknowns(instances, index, at);
            let mut targets = vec![];
            for (terms, &q) in rows.iter().zip(&moduli) {
                let mut sum = vec![0; n];
                for (block, a) in terms {
                    let product = negacyclic(a, &unknowns[block * n..][..n]);
                    sum.iter_mut().zip(product).for_each(|(sum, x)| *sum += x);
                }
                for x in sum {
                    let row = targets.len();
                    targets.push(x - q * i128::from(carries[row]) + error(row + index));
                }
            }
            targets
        };
        self.targets = self.terms.iter().enumerate().map(targets).collect();
        self
    }

    /// What names an instance.
    fn bytes(&self, instance: u64) -> Cow<'_, [u8]> {
        let targets = self.targets[instance as usize].iter().copied();
        let terms = self.terms[instance as usize].iter().flatten();
        let terms = terms.flat_map(|(block, a)| [&[*block as i64], &a[..]].concat());
        targets.chain(terms.map(i128::from)).flat_map(i128::to_le_bytes).collect()
    }

    pub(in crate::argument) fn relation(&self, places: u32, spread: u32) -> Relation {
        self.lifted(places, spread, 0)
    }

    /// In a lift, where there are some.
    pub(super) fn lifted(&self, places: u32, spread: u32, lift: u8) -> Relation {
        let toy = Arc::new(self.clone());
        match self.shape {
            Shape::WithErrors(_) => Relation::new(toy, places, spread),
            Shape::Equations(_) => Relation::equations(toy, places, spread, lift),
        }
        .unwrap()
    }
}

impl Family for Toy {
    fn shape(&self) -> FamilyShape {
        let Shape::WithErrors(shape) = self.shape else { panic!("of the other kind") };
        shape
    }

    fn instances(&self) -> u64 {
        self.terms.len() as u64
    }

    fn is_common(&self) -> bool {
        self.common
    }

    fn encoding(&self, instance: u64) -> Cow<'_, [u8]> {
        self.bytes(instance)
    }

    fn target(&self, instance: u64, out: &mut [i32]) {
        let targets = &self.targets[instance as usize];
        out.iter_mut().zip(targets).for_each(|(out, &t)| *out = t as i32);
    }

    fn rows(&self, instance: u64, see: &mut dyn FnMut(usize, &[i16])) {
        for (row, terms) in self.terms[instance as usize].iter().enumerate() {
            let entries = terms.iter().flat_map(|(_, a)| a).map(|&a| a as i16);
            see(row, &entries.collect::<Vec<_>>());
        }
    }
}

impl EquationFamily for Toy {
    fn shape(&self) -> EquationShape {
        let Shape::Equations(shape) = &self.shape else { panic!("of the other kind") };
        shape.clone()
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
        self.bytes(instance)
    }

    fn target(&self, instance: u64, row: usize, out: &mut [i128]) {
        let targets = self.targets[instance as usize].chunks(out.len()).nth(row).unwrap();
        out.copy_from_slice(targets);
    }

    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>)) {
        for (block, a) in &self.terms[instance as usize][row] {
            match a[..] {
                [a] if self.shape.n() > 1 => see(*block, Coefficient::Integer(a)),
                _ => see(*block, Coefficient::Polynomial(a)),
            }
        }
    }
}
