//! [`Sums`]: the statement and the witness of sums of columns.

use alloc::vec::Vec;

use tautochrone_gauss::float;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

use crate::blocks::{self, Blocks};
use crate::entry::{WitnessEntry, with_entry};
use crate::erase::{Secrets, debug_fields};
use crate::error::Error;
use crate::estimate::{self, Hardness};
use crate::io;
use crate::params::{BLOCK, CustomParams, Params, Security};
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::supported::check_wide;
use crate::witness::WitnessSource;
use crate::witness::columns::{self, read_columns};
use crate::words::{Word, with_t_word};

/// A column of the original statement and its coefficient.
pub type Term = (u64, i8);

/// A term of some sums: its column within a block, its coefficient, its sum, counted from the first
/// of them.
type LocalTerm = (usize, i8, usize);

/// The public matrix R, l x l', sparse.
///
/// ```
/// use tautochrone_zk::uses::Sums;
///
/// // The sum of columns 0 and 1, and column 2 less column 0.
/// let sums = Sums::new(3, vec![vec![(0, 1), (1, 1)], vec![(2, 1), (0, -1)]])?;
/// assert_eq!(sums.weight(), 2);
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sums {
    columns: u64,
    terms: Vec<Vec<Term>>,
    weight: u32,
}

impl Sums {
    /// Sums over a statement of `columns` columns; a column may occur in any number of them, and
    /// several times in one.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no sum, a term names a column that does not exist, or the
    /// coefficients of a sum exceed 127 in total, the largest weight that a statement has.
    pub fn new(columns: u64, sums: Vec<Vec<Term>>) -> Result<Self, Error> {
        let refuse = |name, got: u64, expected| Err(Error::parameter(name, got, expected));
        if sums.is_empty() {
            return refuse("number of sums", 0, "at least one");
        }
        if let Some(&(j, _)) = sums.iter().flatten().find(|&&(j, _)| j >= columns) {
            return refuse("column of a term", j, "a column of the statement");
        }
        let weights =
            sums.iter().map(|sum| sum.iter().map(|&(_, c)| u64::from(c.unsigned_abs())).sum());
        let weight: u64 = weights.max().unwrap_or_default();
        if !(1..=127).contains(&weight) {
            return refuse("sum of the absolute coefficients", weight, "1 to 127");
        }
        Ok(Self { columns, terms: sums, weight: weight as u32 })
    }

    /// Each column in exactly one of consecutive groups of `size`, with coefficient 1: totals of
    /// groups.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no sum, a term names a column that does not exist, or the
    /// coefficients of a sum exceed 127 in total.
    pub fn of_groups(columns: u64, size: u64) -> Result<Self, Error> {
        let size = size.max(1);
        let group = |first: u64| (first..columns.min(first + size)).map(|j| (j, 1)).collect();
        Self::new(columns, (0..columns).step_by(size as usize).map(group).collect())
    }

    /// The columns that sum `index` is of, if there is one.
    pub(crate) fn terms_of(&self, index: u64) -> impl Iterator<Item = u64> + '_ {
        let sum = usize::try_from(index).ok().and_then(|index| self.terms.get(index));
        sum.into_iter().flatten().filter(|&&(_, c)| c != 0).map(|&(column, _)| column)
    }

    /// The largest total of absolute coefficients in a sum.
    #[must_use]
    pub const fn weight(&self) -> u32 {
        self.weight
    }

    /// The parameters of the sums' statement: the same A (w, r, v), b' = weight b, l' sums, n
    /// recomputed, sigma for the default rho.
    ///
    /// # Errors
    /// [`Error::Parameter`] or [`Error::Insecure`]. A longer B' needs a larger r, and perhaps w =
    /// 64: choose the parameters of the first statement for the bound and the number of its sums
    /// ([`Goal`](crate::Goal)).
    pub fn params(&self, params: &Params, security: Security) -> Result<Params, Error> {
        let expected = "the number of columns that the sums were made for";
        Error::unless(params.l() == self.columns, "l", params.l(), expected)?;
        check_wide(params)?;
        let (l, b) = (self.terms.len() as u64, self.weight * params.b());
        let rounded = params.round_t() > 0;
        let bound = u128::from(b) * u128::from(b) * u128::from(params.v());
        let custom = CustomParams {
            lambda: params.lambda(),
            expansion: params.expansion(),
            // The sums' entries are no longer uniform: of them the bound alone is used.
            frobenius_squared: Some(bound * u128::from(l)),
            rho: Some(params.rho()),
            round_t: Some(params.round_t()),
            residual_weight: rounded.then_some(self.weight * params.residual_weight()),
            ..CustomParams::new(params.w(), params.r(), params.v(), l, b)
        };
        custom.validate(security)
    }

    /// The cost of a prover whose sums are *not* the sums of its columns: SIS with norm 2 weight
    /// B + 2 B', which is free from q on.
    #[must_use]
    pub fn binding(&self, params: &Params, sums: &Params) -> Hardness {
        let b = |p: &Params| (p.norm_bound_squared() as f64).sqrt();
        let norm = 2.0 * f64::from(self.weight) * b(params) + 2.0 * b(sums);
        let (log2_norm, log2_q) = (float::log2(norm), f64::from(params.w()));
        if log2_norm >= log2_q {
            // (q, 0, .., 0): the columns' sum may wrap around.
            return Hardness::of_block(estimate::MIN_BLOCK);
        }
        estimate::sis(f64::from(params.r()) * log2_q, params.v(), log2_norm)
    }

    /// Writes the sums' statement file, T R mod q, from the file of the first statement: anybody
    /// can, without a secret.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Parameter`] if the parameters do not belong together;
    /// [`Error::Malformed`] if T in the file is not the first statement's.
    pub fn statement(
        &self,
        original: &Statement,
        file: &dyn ReadAt,
        sums: &Params,
        sink: &mut dyn io::Write,
    ) -> Result<Statement, Error> {
        let params = original.params();
        self.check(params, sums)?;
        let io = Error::io("statement");
        sink.write_all(&sums.header(original.matrix_id())).map_err(io)?;
        let mut hashes = Vec::new();
        for block in 0..sums.blocks() {
            let bytes = with_t_word!(params, W => {
                self.sum_block::<W>(original, file, block, sums.block_columns(block) as usize)?
            });
            hashes.push(blocks::block_hash(sums, block, &bytes));
            sink.write_all(&bytes).map_err(io)?;
        }
        Ok(Statement::new(sums.clone(), *original.matrix_id(), hashes))
    }

    /// Block `block` of T R, which has this number of columns. Rounded columns are added as they
    /// are, and the sum is not rounded again: it is a multiple of 2^dT as they are.
    fn sum_block<W: Word>(
        &self,
        original: &Statement,
        file: &dyn ReadAt,
        block: u64,
        columns: usize,
    ) -> Result<Vec<u8>, Error> {
        let params = original.params();
        let (r, width) = (params.r() as usize, params.t_width());
        let blocks = Blocks::new(file, params);
        let mut sums = vec![W::default(); r * columns];
        for (of_t, terms) in self.by_block(block, columns)? {
            let mut t = vec![W::default(); r * params.block_columns(of_t) as usize];
            let hash = &original.block_hashes()[of_t as usize..][..1];
            blocks.read_words(of_t, hash, &mut t)?;
            for (j, c, k) in terms {
                let pairs = sums[k * r..(k + 1) * r].iter_mut().zip(&t[j * r..]);
                for (sum, t) in pairs {
                    let term = t.to_u64().wrapping_mul(i64::from(c).cast_unsigned());
                    let total = sum.to_u64().wrapping_add(term) & (u64::MAX >> (64 - width));
                    *sum = W::from_u64(total);
                }
            }
        }
        Ok(Word::pack(&sums, r, width))
    }

    /// The witness of the sums, S R, read from S as it is needed.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the parameters do not belong together.
    pub fn witness<'a>(
        &'a self,
        params: &'a Params,
        sums: &Params,
        source: &'a dyn WitnessSource,
    ) -> Result<SumWitness<'a>, Error> {
        self.check(params, sums)?;
        Ok(SumWitness { sums: self, params, source })
    }

    /// The terms of `count` sums from block `first` on by the blocks of columns that they name, in
    /// order, so that every block is read once.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are not so many.
    #[expect(clippy::integer_division_remainder_used, reason = "indices of columns are public")]
    fn by_block(&self, first: u64, count: usize) -> Result<Vec<(u64, Vec<LocalTerm>)>, Error> {
        let first = first.saturating_mul(u64::from(BLOCK)) as usize;
        let end = first.saturating_add(count);
        let sums = self.terms.get(first..end).ok_or_else(|| {
            let expected = "as many as columns are asked for";
            Error::parameter("number of sums", self.terms.len() as u64, expected)
        })?;
        let sums = sums.iter().enumerate();
        let mut terms: Vec<(u64, i8, usize)> =
            sums.flat_map(|(k, sum)| sum.iter().map(move |&(j, c)| (j, c, k))).collect();
        terms.sort_unstable();
        let blocks = terms.chunk_by(|x, y| x.0 / u64::from(BLOCK) == y.0 / u64::from(BLOCK));
        let within = |j: u64| (j % u64::from(BLOCK)) as usize;
        Ok(blocks
            .map(|terms| {
                let local = terms.iter().map(|&(j, c, k)| (within(j), c, k)).collect();
                (terms[0].0 / u64::from(BLOCK), local)
            })
            .collect())
    }

    fn check(&self, params: &Params, sums: &Params) -> Result<(), Error> {
        let holds = *sums == self.params(params, Security::Waived)?;
        let expected = "the parameters that Sums::params gives for this statement";
        Error::unless(holds, "l of the sums", sums.l(), expected)
    }
}

/// S R as a witness: made by [`Sums::witness`].
pub struct SumWitness<'a> {
    sums: &'a Sums,
    params: &'a Params,
    source: &'a dyn WitnessSource,
}

debug_fields!("SumWitness", SumWitness<'_>; sums);

impl SumWitness<'_> {
    /// Reads each block of S that the wanted sums need once, in order.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    fn add_up<S: WitnessEntry>(&self, first_block: u64, out: &mut [i32]) -> Result<(), Error> {
        let v = self.params.v() as usize;
        let mut buffer = Secrets::<S>::zeros(v * BLOCK as usize);
        for (block, terms) in self.sums.by_block(first_block, out.len() / v)? {
            let columns = &mut buffer[..v * self.params.block_columns(block) as usize];
            read_columns(self.params, self.source, block, columns)?;
            for (j, c, k) in terms {
                // |sum| <= weight b: nothing wraps.
                let sum = &mut out[k * v..(k + 1) * v];
                for (sum, &s) in sum.iter_mut().zip(&columns[j * v..(j + 1) * v]) {
                    let s: i32 = s.into();
                    *sum = sum.wrapping_add(s.wrapping_mul(c.into()));
                }
            }
        }
        Ok(())
    }
}

impl WitnessSource for SumWitness<'_> {
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    fn read_columns(&self, sums: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let width = sums.entry_bytes();
        let mut entries = Secrets::zeros(out.len() / width);
        with_entry!(self.params, S => self.add_up::<S>(first_block, &mut entries))?;
        columns::write(&entries, width, out);
        Ok(())
    }
}
