//! A centre for each coordinate.

use tautochrone_simd::vector::Mask;
use tautochrone_simd::{Token, declassify, vectorize};

use super::super::batch::{Batch, Coordinates, GROUP, GROUP_WORDS, Pending};
use super::super::setup::Table;
use super::Register;
use super::centres::Each;
use super::kernel::Kernel;
use super::keystream::{Keystream, Memory};

/// As [`super::portable::trials`], trial i around centre i: whether any decision was in doubt. The
/// rejected ones of these coordinates are pending.
pub(in crate::facct) fn coordinates<V: Register>(
    token: V::Token,
    table: &Table,
    which: Coordinates<'_>,
    centres: &Batch<f64>,
    words: &[u64],
    values: &mut Batch<i64>,
    pending: &mut Pending,
) -> bool {
    vectorize!(token, {
        let kernel = Kernel::<V>::new(token, table);
        match which {
            Coordinates::From(start) => {
                let mut indices = V::load(token, &[0, 1, 2, 3, 4, 5, 6, 7]);
                indices = indices.add(V::splat(token, start as u64));
                each(
                    &kernel,
                    centres,
                    words,
                    values,
                    pending,
                    #[inline(always)]
                    || {
                        let octet = indices;
                        indices = indices.add(V::splat(token, 8));
                        octet
                    },
                )
            }
            Coordinates::Listed(indices) => {
                let mut octets = indices.as_chunks::<8>().0.iter();
                each(
                    &kernel,
                    centres,
                    words,
                    values,
                    pending,
                    #[inline(always)]
                    || V::load(token, octets.next().expect("an index for each trial")),
                )
            }
        }
    })
}

/// The next eight indices come from `indices`.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
fn each<V: Register>(
    kernel: &Kernel<V>,
    centres: &Batch<f64>,
    words: &[u64],
    values: &mut Batch<i64>,
    pending: &mut Pending,
    mut indices: impl FnMut() -> V,
) -> bool {
    let token = kernel.token();
    let groups = words.len() / GROUP_WORDS;
    let mut keystream = Memory::new(token, words);
    let mut doubts = kernel.doubts();
    let mut centres = centres.as_chunks::<8>().0.as_chunks::<2>().0.iter().take(groups);
    let Some(first) = centres.next() else { return false };
    let mut open =
        kernel.open(keystream.group(), &mut keystream, Each::group(token, first), &mut doubts);
    let values: &mut Batch<u64> = bytemuck::cast_mut(values);
    for values in values.as_chunks_mut::<GROUP>().0.iter_mut().take(groups) {
        let [first, second] = if let Some(centres) = centres.next() {
            let group = keystream.group();
            let around = Each::group(token, centres);
            let (closed, next) = kernel.advance(&open, group, &mut keystream, around, &mut doubts);
            open = next;
            closed
        } else {
            kernel.close(&open, &mut doubts)
        };
        first.1.store(values);
        second.1.store(&mut values[8..]);
        pending.push_octet(indices(), declassify(first.0.bits()));
        pending.push_octet(indices(), declassify(second.0.bits()));
    }
    kernel.any(&doubts)
}
