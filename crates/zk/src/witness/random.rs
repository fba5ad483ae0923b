//! [`RandomWitness`]: S from a seed.

use tautochrone_ctr::{KeySize, Label, Seed, Stream};
use tautochrone_gauss::facct::Facct;
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

use super::uniform::Uniform;
use super::{WitnessSource, columns};
use crate::entry::parts_of;
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::rows::{Distribution, MAX_GROUPS, RowGroup};

/// A witness distributed as its parameters say, expanded from a secret seed block by block: for
/// trials and benchmarks of any length. Rows with nothing but a bound are uniform, too. Its
/// keys are of 128 bits for every lambda.
///
/// ```
/// use tautochrone_zk::{RandomWitness, Seed};
///
/// let witness = RandomWitness::new(Seed::from_os()?);
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Debug)]
pub struct RandomWitness {
    seed: Seed,
}

impl RandomWitness {
    const LABEL: Label<'static> = Label::new("tautochrone-zk/2 random witness");
    /// One for each group of rows, where they are several.
    const LABELS: [Label<'static>; MAX_GROUPS] = [
        Label::new("tautochrone-zk/2 random witness, rows 1"),
        Label::new("tautochrone-zk/2 random witness, rows 2"),
        Label::new("tautochrone-zk/2 random witness, rows 3"),
        Label::new("tautochrone-zk/2 random witness, rows 4"),
    ];

    /// The witness of this seed.
    #[must_use]
    pub const fn new(seed: Seed) -> Self {
        Self { seed }
    }

    /// Columns from block `first_block` on, by keys of this size.
    pub(crate) fn fill<T: Uniform>(
        &self,
        params: &Params,
        key_size: KeySize,
        first_block: u64,
        out: &mut [T],
    ) {
        let (v, b) = (params.v() as usize, params.b());
        let (block, isa) = (BLOCK as usize * v, Isa::detect_vectors());
        crate::parallel::for_chunks(out, block, |index, chunk| {
            let index = first_block.wrapping_add(index as u64);
            if let [RowGroup { distribution: Distribution::Uniform | Distribution::Any, .. }] =
                params.row_groups()
            {
                let stream = &mut self.seed.stream_with(isa, key_size, Self::LABEL, index);
                return T::fill_uniform(stream, b, chunk);
            }
            // A stream for each group of rows, whose entries are drawn together.
            let mut row = 0;
            for (label, group) in Self::LABELS.into_iter().zip(params.row_groups()) {
                let rows = group.rows as usize;
                let mut entries = Secrets::zeros(parts_of(chunk, v) * rows);
                let stream = &mut self.seed.stream_with(isa, key_size, label, index);
                fill_group(isa, stream, group, &mut entries);
                for (column, entries) in chunk.chunks_exact_mut(v).zip(entries.chunks_exact(rows)) {
                    column[row..row + rows].copy_from_slice(entries);
                }
                row += rows;
            }
        });
    }
}

impl WitnessSource for RandomWitness {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let width = params.entry_bytes();
        if width == 1 {
            self.fill(params, KeySize::Aes128, first_block, out);
        } else {
            let mut entries = Secrets::<i32>::zeros(parts_of(out, width));
            self.fill(params, KeySize::Aes128, first_block, &mut entries);
            columns::write(&entries, width, out);
        }
        Ok(())
    }
}

/// Entries of the group's distribution; uniform where only the bound is known.
///
/// # Constant time
/// In the entries, but for how many were beyond the bound and drawn again.
fn fill_group<T: Uniform>(isa: Isa, stream: &mut Stream, group: &RowGroup, out: &mut [T]) {
    let Distribution::Gaussian { micros } = group.distribution else {
        return T::fill_uniform(stream, group.bound, out);
    };
    // A standard deviation in range is at least 2.
    let sampler = Facct::new_on(isa, micros as f64 / 1e6).expect("the sampler takes it");
    let mut samples = Zeroizing::new(vec![0_i64; 4096]);
    let mut filled = 0;
    while filled < out.len() {
        sampler.fill(stream, &mut samples);
        for &sample in samples.iter() {
            let Some(place) = out.get_mut(filled) else { break };
            *place = T::truncate(sample as i32);
            filled += usize::from(declassify(sample.unsigned_abs() <= u64::from(group.bound)));
        }
    }
}
