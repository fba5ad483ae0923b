//! [`Point`]: eq(r, .) of a point r of the rows and columns of the messages, by blocks of rows,
//! groups of columns, and entries of a block.

use alloc::vec::Vec;

use super::family::FamilyShape;
use super::placement::Placement;
use crate::eq;
use crate::field::{ElementOf, Field, P61};

pub(super) struct Point<F: Field = P61> {
    placement: Placement,
    /// eq(r_1, .) of blocks of rows.
    pub(super) blocks: Vec<ElementOf<F>>,
    /// eq(r_2, .) of groups of columns.
    pub(super) groups: Vec<ElementOf<F>>,
    /// The variables of an entry of a block: of its row, then of its column.
    pub(super) variables: Vec<ElementOf<F>>,
    /// eq of these at entry y.
    pub(super) inner: Vec<ElementOf<F>>,
}

impl<F: Field> Point<F> {
    /// For a point of the rows and one of the columns, of which there are so many.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn new(
        placement: Placement,
        rows: &[ElementOf<F>],
        columns: &[ElementOf<F>],
        count: u64,
    ) -> Self {
        let (low, spread) = (placement.low(), placement.spread);
        let (of_entry, of_block) = rows.split_at(low.ilog2() as usize);
        let (of_column, of_group) = columns.split_at(spread.ilog2() as usize);
        let variables = [of_entry, of_column].concat();
        Self {
            blocks: eq::table(of_block, (placement.rows() / low) as usize),
            groups: eq::table(of_group, count.div_ceil(spread.into()) as usize),
            inner: eq::table(&variables, (low * spread) as usize),
            variables,
            placement,
        }
    }

    /// W of the blocks of equations of a place, at their carries, besides the weight of its group.
    pub(super) fn equations(&self, shape: &FamilyShape, place: usize) -> &[ElementOf<F>] {
        let first = self.placement.first_block(shape.carries(), place);
        &self.blocks[first..][..shape.moduli.len()]
    }

    /// The sum over all groups and instances of W of the group times f(place, instance, h), for the
    /// values h of the group's columns, in which f is linear: the instances of a place are as one
    /// where their matrices are.
    pub(super) fn form(
        &self,
        is_common: bool,
        together: usize,
        columns: &[ElementOf<F>],
        f: impl Fn(usize, u64, &[ElementOf<F>]) -> ElementOf<F> + Sync + Send,
    ) -> ElementOf<F> {
        let (placement, spread) = (&self.placement, self.placement.spread as usize);
        if !is_common {
            return self.sum(together, |group, place, instance| {
                self.groups[group] * f(place, instance, &columns[group * spread..][..spread])
            });
        }
        (0..placement.places as usize).fold(ElementOf::ZERO, |sum, place| {
            let mut all = vec![ElementOf::ZERO; spread];
            let groups = self.groups.iter().zip(columns.chunks(spread)).enumerate();
            for (group, (&weight, columns)) in groups {
                if placement.group(group).start + (place as u64) < placement.instances {
                    all.iter_mut().zip(columns).for_each(|(all, &h)| *all += weight * h);
                }
            }
            sum + f(place, 0, &all)
        })
    }

    /// The sum over all groups and instances of f(group, place, instance). One thread takes
    /// `together` groups.
    pub(super) fn sum(
        &self,
        together: usize,
        f: impl Fn(usize, usize, u64) -> ElementOf<F> + Sync + Send,
    ) -> ElementOf<F> {
        let (placement, groups) = (&self.placement, self.groups.len());
        let mut parts = vec![ElementOf::ZERO; groups.div_ceil(together)];
        crate::parallel::for_chunks(&mut parts, 1, |chunk, part| {
            for group in (chunk * together..groups).take(together) {
                for (place, instance) in placement.group(group).enumerate() {
                    if instance < placement.instances {
                        part[0] += f(group, place, instance);
                    }
                }
            }
        });
        parts.into_iter().fold(ElementOf::ZERO, |sum, part| sum + part)
    }
}
