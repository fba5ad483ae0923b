//! [`Placement`]: where the unknowns of an instance are in the messages.
//!
//! Either g instances, in *places* of their own, are in one column, or one is spread over c
//! columns, by the high bits of y. Unknowns come in parts of so many blocks of n, such as secrets
//! and carries. With n' = n / c and y = h n' + z, unknown y of block b of a part is in column h of
//! the instance and in row
//!
//! ```text
//! (g (blocks of the parts before) + place (blocks of the part) + b) n' + z
//! ```
//!
//! so that every part has rows of its own, blocks are aligned, and weights eq(r, .) of a block are
//! a scalar times weights that all blocks have in common. In the table of the first sum-check the
//! error of a row stands where its carry is in the messages.

use core::ops::Range;

use crate::argument::layout::Layout;
use crate::erase::Secrets;
use crate::error::Error;
use crate::witness::check_messages;

/// Rows of messages that are offered.
const MAX_ROWS: u64 = 1 << 16;
/// Most parts of the unknowns, carries among them.
pub(super) const MAX_PARTS: usize = 6;

/// Where the unknowns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    n: u32,
    /// Blocks of each part.
    blocks: [u32; MAX_PARTS],
    /// N.
    pub(super) instances: u64,
    /// g.
    pub(super) places: u32,
    /// c.
    pub(super) spread: u32,
}

impl Placement {
    /// # Errors
    /// [`Error::Parameter`] unless one of g and c is 1, c is a power of two up to n, and the
    /// columns have at most 2^16 rows.
    pub(super) fn new(
        n: u32,
        blocks: [u32; MAX_PARTS],
        instances: u64,
        places: u32,
        spread: u32,
    ) -> Result<Self, Error> {
        Error::unless(instances > 0, "instances", 0_u32, "at least 1")?;
        if places == 0 || (places > 1 && spread > 1) {
            return Err(Error::parameter("instances of a column", places, "1 where one is spread"));
        }
        if !spread.is_power_of_two() || spread > n {
            return Err(Error::parameter("columns of an instance", spread, "a power of 2 up to n"));
        }
        let placement = Self { n, blocks, instances, places, spread };
        let blocks: u64 = blocks.into_iter().map(u64::from).sum();
        let rows = u64::from(places).saturating_mul(blocks.saturating_mul(placement.low().into()));
        if rows > MAX_ROWS || instances.checked_mul(spread.into()).is_none_or(|l| l >> 32 > 0) {
            return Err(Error::parameter("rows of a column", rows, "at most 2^16"));
        }
        Ok(placement)
    }

    /// n'.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) const fn low(&self) -> u32 {
        self.n / self.spread
    }

    /// Columns of messages.
    pub(super) const fn columns(&self) -> u64 {
        self.instances.div_ceil(self.places as u64) * self.spread as u64
    }

    /// Blocks of an instance in front of a part.
    fn before(&self, part: usize) -> u32 {
        self.blocks[..part].iter().sum()
    }

    /// Rows of messages in front of a part.
    pub(super) fn first_row(&self, part: usize) -> u32 {
        self.places * self.before(part) * self.low()
    }

    /// Rows of messages.
    pub(super) fn rows(&self) -> u32 {
        self.first_row(MAX_PARTS)
    }

    /// The number of a group of columns' first instance; one a place.
    pub(super) fn group(&self, index: usize) -> Range<u64> {
        let first = index as u64 * u64::from(self.places);
        first..first + u64::from(self.places)
    }

    /// Blocks in front of a part of the instance in a place.
    pub(super) fn first_block(&self, part: usize, place: usize) -> usize {
        self.places as usize * self.before(part) as usize + place * self.blocks[part] as usize
    }

    /// The messages: f(instance, unknowns, put) is called with the `each` unknowns of every
    /// instance, and calls put(part, entries) for each part.
    ///
    /// # Errors
    /// [`Error::Witness`] if there are not so many unknowns; errors of `f`.
    pub(super) fn messages(
        &self,
        unknowns: &[i8],
        each: usize,
        f: impl Fn(u64, &[i8], &mut dyn FnMut(usize, &[i8])) -> Result<(), Error> + Sync + Send,
    ) -> Result<Secrets, Error> {
        check_messages(unknowns.len() as u64, self.instances * each as u64)?;
        let height = self.rows() as usize;
        let mut messages = Secrets::zeros(height * self.columns() as usize);
        let group_len = height * self.spread as usize;
        crate::parallel::try_map_chunks(&mut messages, group_len, |group, out| {
            for (place, instance) in self.group(group).enumerate() {
                if instance >= self.instances {
                    break;
                }
                let unknowns = &unknowns[each * instance as usize..][..each];
                f(instance, unknowns, &mut |part, entries| {
                    self.for_part(part, place, height, |i, at| out[at] = entries[i]);
                })?;
            }
            Ok::<(), Error>(())
        })?;
        Ok(messages)
    }

    /// Calls f(index, place) for the entries of a part of the instance in a place, in their order,
    /// in a group of columns of `height` rows each. A loop, as adapters of iterators would branch
    /// on what they have not filled in.
    pub(super) fn for_part(
        &self,
        part: usize,
        place: usize,
        height: usize,
        mut f: impl FnMut(usize, usize),
    ) {
        let (low, spread) = (self.low() as usize, self.spread as usize);
        let (first, mut index) = (self.first_block(part, place), 0);
        for block in first..first + self.blocks[part] as usize {
            for h in 0..spread {
                for z in 0..low {
                    f(index, h * height + block * low + z);
                    index += 1;
                }
            }
        }
    }
}

/// How many instances are in a column, and over how many columns one is spread, where they have so
/// many unknowns.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn places(layout: &Layout, unknowns: u64) -> Result<(u32, u32), Error> {
    let (rows, whole) = (u64::from(layout.rows()), unknowns);
    let fits = |a: u64, b: u64| u32::try_from(a / b.max(1)).ok().filter(|_| a.is_multiple_of(b));
    let (places, spread) =
        if rows < whole { (Some(1), fits(whole, rows)) } else { (fits(rows, whole), Some(1)) };
    match (places, spread) {
        (Some(places), Some(spread)) => Ok((places, spread)),
        _ => Err(Error::parameter("rows of messages", rows, "unknowns of instances")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_out_of_range_are_refused() {
        let blocks = [3, 2, 0, 1, 0, 0];
        let of = |instances, places, spread| Placement::new(8, blocks, instances, places, spread);
        assert!(of(7, 3, 1).is_ok() && of(7, 1, 8).is_ok());
        for (places, spread) in [(0, 1), (2, 2), (1, 3), (1, 16), (5000, 1)] {
            assert!(of(7, places, spread).is_err(), "{places} {spread}");
        }
        assert!(of(0, 1, 1).is_err());
        assert!(of(1 << 32, 1, 1).is_err());
    }
}
