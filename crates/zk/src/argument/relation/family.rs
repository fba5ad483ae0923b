//! [`Family`]: instances A_i x_i = t_i modulo q, or t_i - e_i with errors e_i that are not
//! committed, that one claim is about.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::placement::{MAX_PARTS, Placement};
use super::space::carry_bound;
use crate::argument::ranges::{MAX_WIDTH, Ranges, RowRange, check_integers};
use crate::error::Error;
use crate::field::P;

/// What the higher digit of a carry counts. Uniform carries of variance x have digits whose squares
/// add up to 16^2 / 12 + x / 16^2 on average, which is least for x = 75^2.
pub(super) const CARRY_BASE: i64 = 16;
/// Largest multiple of q that a target of a family is, where errors are committed.
const LARGEST_TARGET: u64 = 1 << 13;

/// Where errors are not committed: bounds on the entries of A, of A s, and of targets.
const MAX_ENTRY: u64 = 1 << 15;
const MAX_PRODUCT: u64 = 1 << 30;
const MAX_TARGET: u64 = 1 << 19;

/// Unknowns of which honest ones are in one range, in blocks of n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPart {
    /// How many blocks there are.
    pub blocks: u32,
    /// The least of them: 0 or less.
    pub low: i32,
    /// The largest: 0 or more.
    pub high: i32,
    /// Whether a proof shows the range, which then has 2 to 25 integers. Of others, such as digits
    /// of a message, it shows integers of any size.
    pub is_shown: bool,
    /// The variance of honest ones, in millionths, from which parameters follow.
    pub variance: u64,
}

impl UnknownPart {
    const fn largest(&self) -> u32 {
        largest(self.low, self.high)
    }
}

const fn largest(low: i32, high: i32) -> u32 {
    let (low, high) = (low.unsigned_abs(), high.unsigned_abs());
    if low > high { low } else { high }
}

/// How the entries of a matrix are given, which is what its products cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Structure {
    /// Rows of integers. Secrets are the rows of a matrix of n columns, so that A x is the product
    /// of two matrices; n = 1 for a vector.
    Plain,
    /// Rows of polynomials modulo X^n + 1, for a power n of two; secrets are polynomials.
    Ring,
}

/// What is known of the errors of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceErrors {
    /// They are not among the unknowns, and not committed to: a proof shows that t - A s + q k is
    /// in a range of 2 to 25 integers. The unknowns are one part, secrets, with a range that is
    /// shown; q is one modulus of up to 2^16, n is at most 2^12, and there are up to 2^14 blocks of
    /// secrets and of equations.
    NotCommitted {
        /// The least error: 0 or less.
        low: i32,
        /// The largest error: 0 or more.
        high: i32,
        /// What blocks of A are.
        structure: Structure,
    },
    /// They are unknowns as all others, or there are none: A x = t + q k. Of unknowns there are 1
    /// to 4 parts of up to 256 blocks, of equations as many blocks, each with a modulus of up to
    /// 2^64; n is at most 2^14.
    Committed {
        /// How many bytes hold a carry: 1, or 2, which are digits to the base 16 of no range. Where
        /// the standard deviation is up to 20, one does but for one instance of some thousand,
        /// which has another lift.
        carry_digits: u32,
        /// The variance of honest carries, in millionths. A polynomial with coefficients uniform
        /// modulo q times n unknowns with squares of mean x adds n x / 12; or of variance x, where
        /// targets have the product with their means added.
        carry_variance: u64,
    },
}

/// What all instances of a family have in common: polynomials modulo X^n + 1 over the integers, or
/// integers where n is 1.
///
/// Entry y of block b of the unknowns, all parts one after the other, is number b n + y. Equations
/// are numbered alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyShape {
    /// A name that no other family has.
    pub name: &'static str,
    /// n, a power of two.
    pub n: u32,
    /// The unknowns besides carries.
    pub parts: Vec<UnknownPart>,
    /// q of each block of the equations, from 2 on.
    pub moduli: Vec<u128>,
    /// What is known of errors.
    pub errors: InstanceErrors,
}

impl FamilyShape {
    /// Unknowns of an instance besides carries.
    #[must_use]
    pub fn unknowns_len(&self) -> usize {
        self.blocks() as usize * self.n as usize
    }

    /// Equations of an instance, each with a carry.
    #[must_use]
    pub fn equations_len(&self) -> usize {
        self.moduli.len() * self.n as usize
    }

    /// Blocks of unknowns besides carries.
    pub(super) fn blocks(&self) -> u32 {
        self.parts.iter().map(|part| part.blocks).sum()
    }

    pub(super) const fn commits_to_errors(&self) -> bool {
        matches!(self.errors, InstanceErrors::Committed { .. })
    }

    /// The range of what is missing from an equation.
    pub(super) const fn error_range(&self) -> (i32, i32) {
        match self.errors {
            InstanceErrors::NotCommitted { low, high, .. } => (low, high),
            InstanceErrors::Committed { .. } => (0, 0),
        }
    }

    /// Whether A consists of integers, where errors are not committed.
    pub(super) const fn is_plain(&self) -> bool {
        matches!(self.errors, InstanceErrors::NotCommitted { structure: Structure::Plain, .. })
    }

    /// Entries in a row of blocks of A, each of which one row of the equations multiplies a secret
    /// with, where errors are not committed.
    pub(super) fn row_len(&self) -> usize {
        if self.is_plain() { self.blocks() as usize } else { self.unknowns_len() }
    }

    pub(super) const fn carry_digits(&self) -> u32 {
        match self.errors {
            InstanceErrors::NotCommitted { .. } => 1,
            InstanceErrors::Committed { carry_digits, .. } => carry_digits,
        }
    }

    /// Unknowns of an instance, digits of carries included.
    pub(super) fn all_unknowns(&self) -> u64 {
        self.unknowns_len() as u64 + self.equations_len() as u64 * u64::from(self.carry_digits())
    }

    /// The part behind all others: carries, or lower digits of these, before the part of the higher
    /// ones.
    pub(super) fn carries(&self) -> usize {
        self.parts.len()
    }

    /// The number and the entries of each part, of all unknowns besides carries.
    pub(super) fn split<'a, T>(
        &'a self,
        unknowns: &'a [T],
    ) -> impl Iterator<Item = (usize, &'a UnknownPart, &'a [T])> {
        let mut rest = unknowns;
        self.parts.iter().enumerate().map(move |(index, part)| {
            let (of_part, others) = rest.split_at((part.blocks * self.n) as usize);
            rest = others;
            (index, part, of_part)
        })
    }

    /// The largest modulus.
    fn modulus(&self) -> u128 {
        self.moduli.iter().max().copied().unwrap_or_default()
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let (n, parts, blocks, modulus) = match self.errors {
            InstanceErrors::NotCommitted { low, high, .. } => {
                check_integers(low, high)?;
                (
                    (1 << 12, "a power of 2 up to 2^12"),
                    (1, "1"),
                    (1 << 14, "1 to 2^14"),
                    (1 << 16, "2 to 2^16, one for all"),
                )
            }
            InstanceErrors::Committed { carry_digits, .. } => {
                let holds = (1..=2).contains(&carry_digits);
                Error::unless(holds, "digits of a carry", carry_digits, "1 or 2")?;
                (
                    (1 << 14, "a power of 2 up to 2^14"),
                    (4, "1 to 4"),
                    (1 << 8, "1 to 256"),
                    (1 << 64, "2 to 2^64"),
                )
            }
        };
        let holds = self.n.is_power_of_two() && self.n <= n.0;
        Error::unless(holds, "n of instances", self.n, n.1)?;
        let count = self.parts.len() as u64;
        Error::unless((1..=parts.0).contains(&count), "parts of the unknowns", count, parts.1)?;
        let of_parts = self.parts.iter().map(|part| part.blocks.into());
        for count in of_parts.chain([self.moduli.len() as u64]) {
            let holds = (1..=blocks.0).contains(&count);
            Error::unless(holds, "blocks of instances", count, blocks.1)?;
        }
        for part in &self.parts {
            let width = i64::from(part.high) - i64::from(part.low) + 1;
            let most = if part.is_shown { MAX_WIDTH } else { 255 };
            let fits = (2..=i64::from(most)).contains(&width) && part.largest() <= 127;
            if part.low > 0 || part.high < 0 || !fits {
                let expected =
                    "0 among them, and 2 to 25 in all, or bytes where they are not shown";
                let width = width.unsigned_abs();
                return Err(Error::parameter("integers of a range", width, expected));
            }
        }
        Error::unless(self.parts.iter().any(|part| part.is_shown), "ranges", 0_u32, "at least 1")?;
        let other = |q: u128| !self.commits_to_errors() && q != self.moduli[0];
        let refused = |q: &&u128| !(2..=modulus.0).contains(*q) || other(**q);
        if let Some(&q) = self.moduli.iter().find(refused) {
            return Err(Error::parameter("q of instances", (q >> 1) as u64, modulus.1));
        }
        let holds = self.commits_to_errors() || self.largest_product() <= MAX_PRODUCT;
        let expected = "so small that A s is below 2^30";
        Error::unless(holds, "terms of instances", self.row_len() as u64, expected)
    }

    /// Where the unknowns are.
    pub(super) fn placement(
        &self,
        instances: u64,
        places: u32,
        spread: u32,
    ) -> Result<Placement, Error> {
        let mut blocks = [0; MAX_PARTS];
        for (out, part) in blocks.iter_mut().zip(&self.parts) {
            *out = part.blocks;
        }
        let carries = self.carries();
        blocks[carries..carries + self.carry_digits() as usize].fill(self.moduli.len() as u32);
        Placement::new(self.n, blocks, instances, places, spread)
    }

    /// The ranges that are shown of the messages, or of the table that has errors in the place of
    /// carries.
    pub(super) fn ranges(&self, placement: &Placement) -> Result<Ranges, Error> {
        let shown = self.parts.iter().enumerate().filter(|(_, part)| part.is_shown);
        let shown = shown.map(|(index, part)| (index, (part.low, part.high)));
        let errors = (!self.commits_to_errors()).then(|| (self.carries(), self.error_range()));
        let range = |(index, (low, high))| {
            let first_row = placement.first_row(index);
            let rows = placement.first_row(index + 1) - first_row;
            RowRange { first_row, rows, low, high }
        };
        Ranges::new(shown.chain(errors).map(range).collect())
    }

    /// A bound on the entries of A s, where errors are not committed.
    fn largest_product(&self) -> u64 {
        MAX_ENTRY * u64::from(self.parts[0].largest()) * self.row_len() as u64
    }

    /// Largest multiple of q that a lift adds to an entry of a target.
    pub(super) const fn largest_lift(&self) -> i64 {
        if self.commits_to_errors() { 7 } else { 15 }
    }

    /// A bound on the targets of a family for this modulus.
    pub(super) fn largest_target(&self, modulus: u128) -> u128 {
        if self.commits_to_errors() {
            modulus * u128::from(LARGEST_TARGET)
        } else {
            MAX_TARGET.into()
        }
    }

    /// A bound on |A x - t - q k|, or |t - A s + q k| and an error, over the integers, for entries
    /// of A of absolute value at most q, or 2^15, of t as [`Self::largest_target`] says, in a lift,
    /// and x and k as they are extracted: at most `norm` where no range says more.
    pub(super) fn largest_difference(&self, norm: u128) -> u128 {
        let modulus = self.modulus();
        let lift = u128::from(self.largest_lift().unsigned_abs());
        let of_targets = self.largest_target(modulus) + modulus * lift;
        let digits = if self.carry_digits() > 1 { 1 + CARRY_BASE.unsigned_abs() } else { 1 };
        let carries = norm.saturating_mul(digits.into()).saturating_mul(modulus);
        let of_unknowns = if self.commits_to_errors() {
            let of_part = |part: &UnknownPart| {
                let each = if part.is_shown { part.largest().into() } else { norm };
                each.saturating_mul((part.blocks * self.n).into())
            };
            let all = self.parts.iter().map(of_part).fold(0, u128::saturating_add);
            all.saturating_mul(modulus)
        } else {
            let (low, high) = self.error_range();
            u128::from(self.largest_product()) + u128::from(largest(low, high))
        };
        carries.saturating_add(of_unknowns).saturating_add(of_targets)
    }

    /// Whether the field of 2^61 - 1 elements is too small where 2 B is 2^37. Parameters have B
    /// about 2^30 to 2^36, and others are refused.
    pub(super) fn is_wide(&self) -> bool {
        self.commits_to_errors() && self.largest_difference(1 << 37) >= P.into()
    }

    /// The variance of carries in a lift, or of their higher digit; and of the lower one.
    fn variances_of_carries(&self, lift: u8) -> (f64, f64) {
        let most = if lift > 0 { self.largest_lift() } else { 0 };
        let squares = ((2 * most + 1).pow(2) - 1) as f64;
        let variance = match self.errors {
            // (A s + e - t) / q is uniform but for s, of which A has entries uniform in
            // [-q/2, q/2).
            InstanceErrors::NotCommitted { .. } => {
                self.parts[0].variance as f64 * 1e-6 * self.row_len() as f64 / 12.0
            }
            InstanceErrors::Committed { carry_variance, .. } => carry_variance as f64 * 1e-6,
        };
        let variance = variance + squares / 12.0;
        if self.carry_digits() == 1 {
            return (variance, 0.0);
        }
        let squared = CARRY_BASE.pow(2) as f64;
        (variance / squared + 1.0 / 12.0, squared / 12.0)
    }

    /// The bound on honest unknowns and carries.
    pub(super) fn message_bound(&self, lift: u8) -> u32 {
        let carries = carry_bound(self.variances_of_carries(lift).0);
        let lower = if self.carry_digits() > 1 { CARRY_BASE as u32 >> 1 } else { 0 };
        self.parts.iter().map(UnknownPart::largest).fold(carries.max(lower), u32::max)
    }

    /// The squared norm of the unknowns of an instance on average, and how many there are besides
    /// carries.
    pub(super) fn norm_squared(&self, lift: u8) -> (f64, f64) {
        let of_part =
            |part: &UnknownPart| f64::from(part.blocks * self.n) * part.variance as f64 * 1e-6;
        let of_parts: f64 = self.parts.iter().map(of_part).sum();
        let (higher, lower) = self.variances_of_carries(lift);
        let carries = self.equations_len() as f64 * (higher + lower);
        (of_parts + carries, self.unknowns_len() as f64)
    }
}

/// A coefficient of an equation: what a block of unknowns is multiplied with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficient<'a> {
    /// An integer.
    Integer(i64),
    /// A polynomial of n coefficients, the lowest first.
    Polynomial(&'a [i64]),
    /// Of all blocks at once, as families have them of which errors are not committed, and no
    /// others: integers, or the coefficients of polynomials.
    Row(&'a [i16]),
}

/// Instances of one shape, q another one in each block of equations: the public part, which a
/// verifier has as well. Coefficients are centred, in [-q/2, q/2), so that carries are small.
pub trait Family: Send + Sync {
    /// What the instances have in common.
    fn shape(&self) -> FamilyShape;

    /// How many instances there are.
    fn instances(&self) -> u64;

    /// Whether A_i is the same for all instances, which are then worked with at once. The claim and
    /// its proof are the same either way.
    fn is_common(&self) -> bool {
        false
    }

    /// Bytes that all instances have in common, such as a public key that all are encrypted under:
    /// none where errors are not committed.
    fn header(&self) -> Cow<'_, [u8]> {
        (&[][..]).into()
    }

    /// Bytes from which, with the header's bytes, A_i and t_i follow as integers, in the way that
    /// the name of the shape says: no other A_i and t_i have them.
    fn encoding(&self, instance: u64) -> Cow<'_, [u8]>;

    /// Block `row` of t_i: of absolute value at most 2^13 q, or 2^19 where errors are not
    /// committed. A multiple of q may be added to an entry of which carries are smaller then.
    fn target(&self, instance: u64, row: usize, out: &mut [i128]);

    /// Calls see(block, coefficient) for the coefficients other than 0 of block `row` of the
    /// equations, which are at most q in absolute value, once for each block of unknowns at most;
    /// or once with all of them, where errors are not committed.
    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>));
}
