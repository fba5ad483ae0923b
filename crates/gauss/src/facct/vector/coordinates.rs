//! A centre for each coordinate: batches of trials, and which of them are to be tried again.

use tautochrone_simd::vector::Mask;
use tautochrone_simd::{Token, declassify, vectorize};

use super::super::batch::{Accepted, Batch, GROUP, GROUP_WORDS, MAX_GROUPS, SAMPLES, Scratch};
use super::super::pending::{Next, Pending};
use super::super::setup::Table;
use super::Register;
use super::centres::Each;
use super::kernel::Kernel;
use super::keystream::{Keystream, Memory};

/// As [`super::portable::trials`], trial i around centre i: whether any decision was in doubt.
pub(in crate::facct) fn coordinates<V: Register>(
    token: V::Token,
    table: &Table,
    centres: &Batch<f64>,
    words: &[u64],
    values: &mut Batch<i64>,
    accepted: &mut Accepted,
) -> bool {
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    let groups = words.len() / GROUP_WORDS;
    vectorize!(token, {
        let mut accepted = accepted.as_chunks_mut::<2>().0.iter_mut();
        each::<V>(
            &Kernel::new(token, table),
            centres,
            Memory::new(token, words),
            groups,
            values,
            #[inline(always)]
            |bits| {
                if let Some(accepted) = accepted.next() {
                    *accepted = [bits[0] as u8, bits[1] as u8];
                }
            },
        )
    })
}

/// The trials of `groups` groups around as many centres; hands `accepted` the bits of each group's
/// octets. Whether any decision was in doubt.
#[inline(always)]
fn each<V: Register>(
    kernel: &Kernel<V>,
    centres: &Batch<f64>,
    mut keystream: Memory<'_, V>,
    groups: usize,
    values: &mut Batch<i64>,
    mut accepted: impl FnMut([u32; 2]),
) -> bool {
    let token = kernel.token();
    let mut doubts = kernel.doubts();
    let values: &mut Batch<u64> = bytemuck::cast_mut(values);
    let mut centres = centres.as_chunks::<8>().0.as_chunks::<2>().0.iter().take(groups);
    let Some(first) = centres.next() else { return false };
    let mut open =
        kernel.open(keystream.group(), &mut keystream, Each::group(token, first), &mut doubts);
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
        accepted([declassify(first.0.bits()), declassify(second.0.bits())]);
    }
    kernel.any(&doubts)
}

/// The next batch, if it is a whole one and every decision is certain; else the batch is still to
/// be done. Whether it is done.
pub(in crate::facct) fn whole<V: Register>(
    token: V::Token,
    table: &Table,
    centres: &[f64],
    words: &[u64],
    pending: &mut Pending,
    scratch: &mut Scratch,
    out: &mut [i64],
) -> bool {
    vectorize!(token, {
        let (kernel, words) = (Kernel::<V>::new(token, table), Memory::new(token, words));
        match pending.next(out.len()) {
            Next::First(SAMPLES) => first(&kernel, words, centres, pending, out),
            Next::Again(SAMPLES) => again(&kernel, words, centres, pending, scratch, out),
            _ => false,
        }
    })
}

/// The first trials of a batch of coordinates; whether every decision was certain.
#[inline(always)]
fn first<V: Register>(
    kernel: &Kernel<V>,
    keystream: Memory<'_, V>,
    centres: &[f64],
    pending: &mut Pending,
    out: &mut [i64],
) -> bool {
    let (start, len) = (pending.start, pending.len);
    let centres = centres[start..].first_chunk().expect("a whole batch");
    let out = out[start..].first_chunk_mut().expect("a whole batch");
    let token = kernel.token();
    let eight = V::splat(token, 8);
    let mut indices = V::load(token, &[0, 1, 2, 3, 4, 5, 6, 7]);
    indices = indices.add(V::splat(token, start as u64));
    let doubt = each(
        kernel,
        centres,
        keystream,
        MAX_GROUPS,
        out,
        #[inline(always)]
        |[low, high]| {
            pending.push(indices, low);
            indices = indices.add(eight);
            pending.push(indices, high);
            indices = indices.add(eight);
        },
    );
    if doubt {
        pending.len = len;
    } else {
        pending.start += SAMPLES;
    }
    !doubt
}

/// Another trial of a batch of rejected coordinates; whether every decision was certain.
#[inline(always)]
fn again<V: Register>(
    kernel: &Kernel<V>,
    keystream: Memory<'_, V>,
    centres: &[f64],
    pending: &mut Pending,
    scratch: &mut Scratch,
    out: &mut [i64],
) -> bool {
    let (token, len) = (kernel.token(), pending.len);
    let indices = pending.take_last();
    scratch.gather(centres, &indices);
    let mut octets = indices.as_chunks::<8>().0.as_chunks::<2>().0.iter();
    let doubt = each(
        kernel,
        &scratch.centres,
        keystream,
        MAX_GROUPS,
        &mut scratch.samples,
        #[inline(always)]
        |[low, high]| {
            if let Some([first, second]) = octets.next() {
                pending.push(V::load(token, first), low);
                pending.push(V::load(token, second), high);
            }
        },
    );
    if doubt {
        pending.put_back(len, &indices);
    } else {
        scratch.scatter(&indices, out);
    }
    !doubt
}
