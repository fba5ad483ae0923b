//! [`Request`]: what workers are asked about their columns, and how it travels; and [`Masks`],
//! which they are asked for first.

use alloc::vec::Vec;

use zeroize::{Zeroize, Zeroizing};

use super::layout::{Layout, Slot};
use crate::eq;
use crate::error::{Error, ShardProblem};
use crate::field::{ElementOf, Field, P61};
use crate::opening::transcript;
use crate::sum_check::dot;

/// Weights of the columns of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Columns<F: Field = P61> {
    /// eq(r, j) for all columns j.
    Point(Vec<ElementOf<F>>),
    /// g_j of some columns j, in ascending order.
    Some(Vec<(u64, ElementOf<F>)>),
}

impl<F: Field> Columns<F> {
    /// The weights of the `count` columns from `first` on.
    pub(super) fn dense(&self, first: u64, count: usize) -> Vec<ElementOf<F>> {
        let end = first + count as u64;
        match self {
            Self::Point(point) => eq::table(point, end as usize).split_off(first as usize),
            Self::Some(weights) => {
                let mut dense = vec![ElementOf::ZERO; count];
                for &(column, weight) in weights {
                    if (first..end).contains(&column) {
                        dense[(column - first) as usize] = weight;
                    }
                }
                dense
            }
        }
    }
}

/// A request to all workers. Public, except for a mask, which is not printed and is erased when
/// dropped.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request<F: Field = P61> {
    /// The masks in each column in front of the messages: gamma, and of a column that holds digits
    /// of masks beta and its places. Once, before all others.
    Masks,
    /// The rounds of a claim begin, with these challenges, and a mask in the table, which is
    /// secret: the columns' part of the first one.
    Begin {
        /// Its place in the list.
        claim: u32,
        /// tau, and what the claim draws besides.
        challenges: Vec<ElementOf<F>>,
        /// beta'.
        mask: ElementOf<F>,
    },
    /// The challenge of a round: the columns' part of the next one.
    Bind(ElementOf<F>),
    /// The challenge of the last round for the rows: the value of each column of messages.
    BindLast(ElementOf<F>),
    /// For each of these weights of columns, the weighted sum of all columns of messages, and
    /// behind it the sum of their beta.
    Columns(Vec<Columns<F>>),
    /// phi_1 of each column, for a point of the rows.
    Values(Vec<ElementOf<F>>),
    /// All places of the columns of messages, column after column, beta behind each.
    Places,
}

impl<F: Field> core::fmt::Debug for Request<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Masks => "Masks",
            Self::Begin { .. } => "Begin([REDACTED])",
            Self::Bind(_) => "Bind",
            Self::BindLast(_) => "BindLast",
            Self::Columns(_) => "Columns",
            Self::Values(_) => "Values",
            Self::Places => "Places",
        })
    }
}

impl<F: Field> Drop for Request<F> {
    fn drop(&mut self) {
        if let Self::Begin { mask, .. } = self {
            mask.zeroize();
        }
    }
}

/// How the answers to a request become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// All have one length, and are added up.
    Sum,
    /// One follows the other, in the order of the columns.
    Concatenate,
}

impl<F: Field> Request<F> {
    /// The use of the answers.
    #[must_use]
    pub const fn combine(&self) -> Combine {
        match self {
            Self::Begin { .. } | Self::Bind(_) | Self::Columns(_) => Combine::Sum,
            Self::Masks | Self::BindLast(_) | Self::Values(_) | Self::Places => {
                Combine::Concatenate
            }
        }
    }

    /// As bytes between machines: never none of them.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let element = |element: &ElementOf<F>| transcript::encode(core::slice::from_ref(element));
        let mut bytes = Zeroizing::new(Vec::new());
        match self {
            Self::Begin { claim, challenges, mask } => {
                bytes.reserve_exact(5 + F::ELEMENT_LEN * (1 + challenges.len()));
                bytes.push(0);
                bytes.extend(claim.to_le_bytes());
                bytes.extend(mask.to_bytes());
                bytes.extend_from_slice(&transcript::encode(challenges));
            }
            Self::Bind(r) => *bytes = [&[1], &element(r)[..]].concat(),
            Self::BindLast(r) => *bytes = [&[2], &element(r)[..]].concat(),
            Self::Columns(columns) => {
                bytes.push(3);
                for columns in columns {
                    columns.write(&mut bytes);
                }
            }
            Self::Values(point) => *bytes = [&[4], &transcript::encode(point)[..]].concat(),
            Self::Places => bytes.push(5),
            Self::Masks => bytes.push(6),
        }
        bytes
    }

    /// # Errors
    /// [`Error::Shard`] if they are no such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let problem = || Error::Shard(ShardProblem::Elements);
        let (&kind, mut rest) = bytes.split_first().ok_or_else(problem)?;
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let all = |bytes: &[u8]| transcript::decode(bytes, bytes.len() / F::ELEMENT_LEN);
        match (kind, rest.len()) {
            (0, _) => {
                let (claim, rest) = rest.split_first_chunk().ok_or_else(problem)?;
                let (mask, rest) = rest.split_at_checked(F::ELEMENT_LEN).ok_or_else(problem)?;
                let claim = u32::from_le_bytes(*claim);
                Ok(Self::Begin { claim, challenges: all(rest)?.to_vec(), mask: all(mask)?[0] })
            }
            (1, _) => Ok(Self::Bind(transcript::decode(rest, 1)?[0])),
            (2, _) => Ok(Self::BindLast(transcript::decode(rest, 1)?[0])),
            (3, _) => {
                let mut columns = Vec::new();
                while !rest.is_empty() {
                    columns.push(Columns::read(&mut rest)?);
                }
                Ok(Self::Columns(columns))
            }
            (4, _) => Ok(Self::Values(all(rest)?.to_vec())),
            (5, 0) => Ok(Self::Places),
            (6, 0) => Ok(Self::Masks),
            _ => Err(problem()),
        }
    }
}

impl<F: Field> Columns<F> {
    /// # Errors
    /// [`Error::Shard`] if a point has other variables than the columns of a layout, or a column is
    /// none of them.
    pub(super) fn check(&self, layout: &Layout) -> Result<(), Error> {
        let columns = layout.columns();
        let fits = match self {
            Self::Point(point) => {
                let variables = columns.checked_next_power_of_two().map_or(64, u64::ilog2);
                point.len() == variables as usize
            }
            Self::Some(weights) => weights.iter().all(|&(column, _)| column < columns),
        };
        if fits { Ok(()) } else { Err(Error::Shard(ShardProblem::Elements)) }
    }

    /// Whether places are given, how many weights there are, then each, behind its place.
    fn write(&self, out: &mut Vec<u8>) {
        let (kind, count) = match self {
            Self::Point(point) => (0, point.len()),
            Self::Some(weights) => (1, weights.len()),
        };
        out.push(kind);
        out.extend((count as u64).to_le_bytes());
        match self {
            Self::Point(point) => out.extend_from_slice(&transcript::encode(point)),
            Self::Some(weights) => {
                for (column, weight) in weights {
                    out.extend(column.to_le_bytes());
                    out.extend(weight.to_bytes());
                }
            }
        }
    }

    /// # Errors
    /// [`Error::Shard`] if there are no such bytes in front.
    fn read(bytes: &mut &[u8]) -> Result<Self, Error> {
        let problem = || Error::Shard(ShardProblem::Elements);
        let (&kind, rest) = bytes.split_first().ok_or_else(problem)?;
        let (count, rest) = rest.split_first_chunk().ok_or_else(problem)?;
        let count = usize::try_from(u64::from_le_bytes(*count)).unwrap_or(usize::MAX);
        let each = if kind == 0 { F::ELEMENT_LEN } else { 8 + F::ELEMENT_LEN };
        let (weights, rest) =
            rest.split_at_checked(count.saturating_mul(each)).ok_or_else(problem)?;
        *bytes = rest;
        match kind {
            0 => Ok(Self::Point(transcript::decode(weights, count)?.to_vec())),
            1 => {
                let read = |bytes: &[u8]| {
                    let (column, weight) = bytes.split_first_chunk().expect("eight bytes");
                    Ok((u64::from_le_bytes(*column), transcript::decode(weight, 1)?[0]))
                };
                let weights: Result<Vec<_>, Error> = weights.chunks_exact(each).map(read).collect();
                Ok(Self::Some(weights?))
            }
            _ => Err(problem()),
        }
    }
}

/// Elements that may be secret.
pub type Elements<F = P61> = Zeroizing<Vec<ElementOf<F>>>;

/// Asks all workers, and combines what they answer.
pub type Ask<'a, F = P61> = dyn FnMut(&Request<F>) -> Result<Elements<F>, Error> + 'a;

/// The masks of a slot: gamma of the columns in front of the messages, and the places of F_1 and
/// its beta. Secret.
pub(super) struct Masks<F: Field> {
    pub(super) gamma: Zeroizing<Vec<ElementOf<F>>>,
    pub(super) beta: Zeroizing<Vec<ElementOf<F>>>,
    pub(super) places: Zeroizing<Vec<ElementOf<F>>>,
}

impl<F: Field> Masks<F> {
    /// The masks that are the answer to [`Request::Masks`], of as many elements.
    pub(super) fn of(slot: &Slot, answer: &[ElementOf<F>]) -> Self {
        let (closed, held) = (slot.layout().closed(), slot.holding_columns());
        // Vectors that grow leave copies behind.
        let lens = [closed as usize, held, held * slot.layout().rows() as usize];
        let [gamma, beta, places] = lens.map(|len| Zeroizing::new(Vec::with_capacity(len)));
        let mut masks = Self { gamma, beta, places };
        let mut rest = answer;
        for column in 0..closed {
            let (of_column, others) = rest.split_at(slot.masks_in(column));
            masks.gamma.push(of_column[0]);
            if let [_, beta, places @ ..] = of_column {
                masks.beta.push(*beta);
                masks.places.extend(places);
            }
            rest = others;
        }
        masks
    }

    /// The elements of K that the places are.
    pub(super) fn elements(&self, slot: &Slot) -> Zeroizing<Vec<ElementOf<F>>> {
        let weights = slot.layout().mask_weights();
        let places = self.places.chunks_exact(weights.len());
        Zeroizing::new(places.take(slot.masks() as usize).map(|x| dot(&weights, x)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Element;

    /// A request with a mask is not copied where it would not be erased.
    #[test]
    fn bytes_of_masks_do_not_move() {
        for count in [0, 1, 3, 50] {
            let challenges = (0..count).map(Element::from).collect();
            let bytes = Request::Begin { claim: 7, challenges, mask: Element::from(9) }.to_bytes();
            assert_eq!((bytes.len(), bytes.capacity()), (29 + 24 * count as usize, bytes.len()));
        }
    }

    /// Every request travels, and bytes that are cut or longer are none.
    #[test]
    fn requests_travel() {
        let elements = |count: i64| (0..count).map(|i| (i - 2).into()).collect::<Vec<Element>>();
        let some = vec![(3, Element::from(-1)), (1 << 40, Element::monomial(5, 2))];
        let columns = vec![Columns::Point(elements(4)), Columns::Some(some), Columns::Some(vec![])];
        let begin = Request::Begin { claim: 7, challenges: elements(3), mask: Element::from(9) };
        // Whether fewer elements, or parts, are another request.
        for (request, has_prefixes) in [
            (begin, true),
            (Request::Bind(Element::from(8)), false),
            (Request::BindLast(Element::from(8)), false),
            (Request::Columns(columns), true),
            (Request::Values(elements(5)), true),
            (Request::Places, false),
            (Request::Masks, false),
        ] {
            let bytes = request.to_bytes();
            assert_eq!(Request::from_bytes(&bytes).unwrap(), request);
            for end in 0..bytes.len() {
                match <Request>::from_bytes(&bytes[..end]) {
                    Ok(other) => {
                        assert!(has_prefixes);
                        assert_eq!(other.to_bytes()[..], bytes[..end]);
                    }
                    Err(error) => {
                        assert!(matches!(error, Error::Shard(ShardProblem::Elements)), "{error}");
                    }
                }
            }
            assert!(<Request>::from_bytes(&[&bytes[..], &[0]].concat()).is_err(), "{request:?}");
        }
        let endless = [&[3, 1][..], &u64::MAX.to_le_bytes(), &[0; 64]].concat();
        assert!(<Request>::from_bytes(&endless).is_err() && <Request>::from_bytes(&[7]).is_err());
        let other_kind = [&[3, 2][..], &[0; 8]].concat();
        assert!(<Request>::from_bytes(&other_kind).is_err());
    }
}
