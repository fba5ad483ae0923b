//! [`EquationFamily`]: instances A_i x_i = t_i + q k_i, errors among the unknowns, that one claim
//! is about.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::argument::ranges::{MAX_WIDTH, Ranges, RowRange};
use crate::argument::relation::placement::{MAX_PARTS, Placement};
use crate::argument::relation::space::carry_bound;
use crate::error::Error;
use crate::field::P;

/// Most blocks of a part of the unknowns, or of the equations.
const MAX_BLOCKS: u64 = 1 << 8;
/// Largest n.
const MAX_N: u32 = 1 << 14;
/// Largest modulus.
const MAX_MODULUS: u128 = 1 << 64;
/// What the higher digit of a carry counts. Uniform carries of variance x have digits whose squares
/// add up to 16^2 / 12 + x / 16^2 on average, which is least for x = 75^2.
pub(super) const CARRY_BASE: i64 = 16;
/// Largest multiple of q that a target of a family is.
pub(super) const LARGEST_TARGET: u64 = 1 << 13;
/// Largest multiple of q that a lift adds to an entry of a target.
pub(super) const LARGEST_LIFT: i64 = 7;

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
        let (low, high) = (self.low.unsigned_abs(), self.high.unsigned_abs());
        if low > high { low } else { high }
    }
}

/// What all instances of a family have in common: polynomials modulo X^n + 1 over the integers, or
/// integers where n is 1.
///
/// Entry y of block b of the unknowns, all parts one after the other, is number b n + y.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquationShape {
    /// A name that no other family has.
    pub name: &'static str,
    /// n, a power of two up to 2^14.
    pub n: u32,
    /// The unknowns besides carries: 1 to 4 parts.
    pub parts: Vec<UnknownPart>,
    /// q of each block of the equations, from 2 to 2^64.
    pub moduli: Vec<u128>,
    /// How many bytes hold a carry: 1, or 2, which are digits to the base 16 of no range. Where the
    /// standard deviation is up to 20, one does but for one instance of some thousand, which has
    /// another lift.
    pub carry_digits: u32,
    /// The variance of honest carries, in millionths. A polynomial with coefficients uniform modulo
    /// q times n unknowns with squares of mean x adds n x / 12; or of variance x, where targets
    /// have the product with their means added.
    pub carry_variance: u64,
}

impl EquationShape {
    /// Unknowns of an instance besides carries.
    #[must_use]
    pub fn unknowns_len(&self) -> usize {
        self.blocks() as usize * self.n as usize
    }

    /// Blocks of unknowns besides carries.
    pub(super) fn blocks(&self) -> u32 {
        self.parts.iter().map(|part| part.blocks).sum()
    }

    /// Equations of an instance, each with a carry.
    pub(super) fn equations_len(&self) -> usize {
        self.moduli.len() * self.n as usize
    }

    /// Unknowns of an instance, digits of carries included.
    pub(in crate::argument::relation) fn all_unknowns(&self) -> u64 {
        self.unknowns_len() as u64 + self.equations_len() as u64 * u64::from(self.carry_digits)
    }

    /// The part behind all others: carries, or lower digits of these, before the part of the higher
    /// ones.
    pub(super) fn carries(&self) -> usize {
        self.parts.len()
    }

    pub(in crate::argument::relation) fn check(&self) -> Result<(), Error> {
        let holds = self.n.is_power_of_two() && self.n <= MAX_N;
        Error::unless(holds, "n of instances", self.n, "a power of 2 up to 2^14")?;
        let holds = (1..=2).contains(&self.carry_digits);
        Error::unless(holds, "digits of a carry", self.carry_digits, "1 or 2")?;
        let parts = self.parts.len() as u64;
        let holds = (1..MAX_PARTS as u64 - 1).contains(&parts);
        Error::unless(holds, "parts of the unknowns", parts, "1 to 4")?;
        let blocks = self.parts.iter().map(|part| part.blocks.into());
        for blocks in blocks.chain([self.moduli.len() as u64]) {
            let holds = (1..=MAX_BLOCKS).contains(&blocks);
            Error::unless(holds, "blocks of instances", blocks, "1 to 256")?;
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
        if let Some(&q) = self.moduli.iter().find(|q| !(2..=MAX_MODULUS).contains(*q)) {
            let expected = "2 to 2^64";
            return Err(Error::parameter("q of instances", (q >> 1) as u64, expected));
        }
        Ok(())
    }

    /// Where the unknowns are.
    pub(in crate::argument::relation) fn placement(
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
        blocks[carries..carries + self.carry_digits as usize].fill(self.moduli.len() as u32);
        Placement::new(self.n, blocks, instances, places, spread)
    }

    /// The ranges that are shown of the messages.
    pub(in crate::argument::relation) fn ranges(
        &self,
        placement: &Placement,
    ) -> Result<Ranges, Error> {
        let shown = self.parts.iter().enumerate().filter(|(_, part)| part.is_shown);
        let range = |(index, part): (usize, &UnknownPart)| {
            let first_row = placement.first_row(index);
            let rows = placement.first_row(index + 1) - first_row;
            RowRange { first_row, rows, low: part.low, high: part.high }
        };
        Ranges::new(shown.map(range).collect())
    }

    /// A bound on |A x - t - q k| over the integers, for entries of A of absolute value at most q,
    /// of t of at most 2^13 q, a lift, and x and k as they are extracted: at most `norm` where no
    /// range says more.
    pub(in crate::argument::relation) fn largest_difference(&self, norm: u128) -> u128 {
        let of_part = |part: &UnknownPart| {
            let each = if part.is_shown { part.largest().into() } else { norm };
            each.saturating_mul((part.blocks * self.n).into())
        };
        let digits = if self.carry_digits > 1 { 1 + CARRY_BASE.unsigned_abs() } else { 1 };
        let carry = norm.saturating_mul(digits.into());
        let all = self.parts.iter().map(of_part).fold(carry, u128::saturating_add);
        let of_target = LARGEST_TARGET + LARGEST_LIFT.unsigned_abs();
        let largest = self.moduli.iter().max().copied().unwrap_or_default();
        all.saturating_add(of_target.into()).saturating_mul(largest)
    }

    /// Whether the field of 2^61 - 1 elements is too small where 2 B is 2^37. Parameters have B
    /// about 2^30 to 2^36, and others are refused.
    pub(in crate::argument::relation) fn is_wide(&self) -> bool {
        self.largest_difference(1 << 37) >= P.into()
    }

    /// The variance of carries in a lift, or of their higher digit; and of the lower one.
    fn variances_of_carries(&self, lift: u8) -> (f64, f64) {
        let squares = if lift > 0 { ((2 * LARGEST_LIFT + 1).pow(2) - 1) as f64 } else { 0.0 };
        let variance = self.carry_variance as f64 * 1e-6 + squares / 12.0;
        if self.carry_digits == 1 {
            return (variance, 0.0);
        }
        let squared = CARRY_BASE.pow(2) as f64;
        (variance / squared + 1.0 / 12.0, squared / 12.0)
    }

    /// The bound on honest unknowns and carries.
    pub(in crate::argument::relation) fn message_bound(&self, lift: u8) -> u32 {
        let carries = carry_bound(self.variances_of_carries(lift).0);
        let lower = if self.carry_digits > 1 { CARRY_BASE as u32 >> 1 } else { 0 };
        self.parts.iter().map(UnknownPart::largest).fold(carries.max(lower), u32::max)
    }

    /// The squared norm of the unknowns of an instance on average, and how many there are.
    pub(in crate::argument::relation) fn norm_squared(&self, lift: u8) -> (f64, f64) {
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
}

/// Instances A_i x_i = t_i modulo q of one shape, q another one in each block of equations: the
/// public part, which a verifier has as well. Coefficients are centred, in [-q/2, q/2), so that
/// carries are small.
pub trait EquationFamily: Send + Sync {
    /// What the instances have in common.
    fn shape(&self) -> EquationShape;

    /// How many instances there are.
    fn instances(&self) -> u64;

    /// Whether A_i is the same for all instances, which are then worked with at once. The claim and
    /// its proof are the same either way.
    fn is_common(&self) -> bool {
        false
    }

    /// Bytes that all instances have in common, such as a public key that all are encrypted under.
    fn header(&self) -> Cow<'_, [u8]>;

    /// Bytes from which, with the header's bytes, A_i and t_i follow as integers, in the way that
    /// the name of the shape says: no other A_i and t_i have them.
    fn encoding(&self, instance: u64) -> Cow<'_, [u8]>;

    /// Block `row` of t_i: of absolute value at most 2^13 q. A multiple of q may be added to an
    /// entry of which carries are smaller then.
    fn target(&self, instance: u64, row: usize, out: &mut [i128]);

    /// Calls see(block, coefficient) for the coefficients other than 0 of block `row` of the
    /// equations, which are at most q in absolute value, once for each block of unknowns at most.
    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>));
}
