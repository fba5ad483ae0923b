//! Dummy columns: keys like the others, but with pads, which mask what is sent. A proof has their T
//! rounded to multiples of 2^dT_x, in words of w - dT_x bits.

use alloc::sync::Arc;
use alloc::vec::Vec;

use tautochrone_ctr::{Label, Seed};
use zeroize::Zeroizing;

use super::ExactKeys;
use crate::argument::digits::Radix;
use crate::commit;
use crate::erase::Secrets;
use crate::error::Error;
use crate::field::{Element, Field as _, P61};
use crate::hash::{Digest, Hasher};
use crate::keys::Extended;
use crate::matrix::with_engine;
use crate::opening::LinearForm;
use crate::rounded_off::RoundedOff;
use crate::rounding::Rounding;
use crate::witness::Uniform;
use crate::words::{ModQ, Word, with_t_word};

/// Dummy columns of secrets, pads and errors. They are a function of S, T and the claim: others
/// would be another T for the same keys, with other hints. Secret.
pub(super) struct Dummies {
    entries: Secrets,
    height: usize,
}

const SECRETS: Label<'static> = Label::new("tautochrone-zk/2 dummy keys, secrets");
const DIGITS: Label<'static> = Label::new("tautochrone-zk/2 dummy keys, digits");
const MASKS: Label<'static> = Label::new("tautochrone-zk/2 dummy keys, masks");
const ERRORS: Label<'static> = Label::new("tautochrone-zk/2 dummy keys, errors");

impl Dummies {
    /// Those under the key H("dummy keys", H(S), digest of claim and T): column j from stream j of
    /// a label each for secrets uniform in [-b_s, b_s], digits uniform in [-b', b'], the three
    /// residues of gamma, of 24 bytes each, and errors uniform in [-b_e, b_e].
    ///
    /// # Constant time
    /// In the columns: only how many bytes were skipped shows.
    pub(super) fn draw(keys: &ExactKeys<'_>, s_digest: &Digest) -> Self {
        let (params, pads) = (keys.statement.params(), keys.extended.pads);
        let hasher = Hasher::new(params.hash(), "dummy keys").field(s_digest.as_bytes());
        let key = Zeroizing::new(hasher.field(keys.claim_digest().as_bytes()).finish_key());
        let seed = Seed::from_bytes(*key);
        let (isa, size) = (keys.matrix.isa, params.key_size());
        let (k, uniform) = ((params.v() - params.r()) as usize, pads.uniform as usize);
        let height = params.v() as usize + pads.rows() as usize;
        let mut entries = Secrets::zeros(height * pads.columns as usize);
        crate::parallel::for_chunks(&mut entries, height, |j, column| {
            let stream = |label| seed.stream_with(isa, size, label, j as u64);
            let (secrets, rest) = column.split_at_mut(k);
            let (random, rest) = rest.split_at_mut(uniform);
            let (masks, errors) = rest.split_at_mut(3 * pads.digits as usize);
            i8::fill_uniform(&mut stream(SECRETS), keys.claim.secret_bound(), secrets);
            i8::fill_uniform(&mut stream(DIGITS), pads.bound, random);
            i8::fill_uniform(&mut stream(ERRORS), keys.claim.error_bound(), errors);
            let radix = Radix::of(pads.bound, pads.digits);
            let (mut stream, mut bytes) = (stream(MASKS), Zeroizing::new([0; 24]));
            for residue in masks.chunks_exact_mut(pads.digits as usize) {
                stream.fill(&mut *bytes);
                radix.write::<P61>(P61::uniform_residue(&*bytes), residue);
            }
        });
        Self { entries, height }
    }

    /// These columns with their columns of T.
    pub(super) fn commit(self, keys: &ExactKeys<'_>) -> Result<Committed, Error> {
        let matrix = &keys.matrix;
        let (_, [t, _]) =
            with_engine!(matrix, engine => commit::multiply(matrix, engine, &self.entries))?;
        let (published, rounded_off) = publish(&keys.extended, t);
        let rounded_off = Arc::new(rounded_off);
        Ok(Committed { dummies: self, published, rounded_off, r: keys.statement.params().r() })
    }

    pub(super) fn columns(&self) -> &[i8] {
        &self.entries
    }

    /// The same columns with some rows of pads of 0: what they would not mask.
    #[cfg(test)]
    pub(super) fn blank(&mut self, k: usize, rows: core::ops::Range<usize>) {
        for column in self.entries.chunks_exact_mut(self.height) {
            column[k + rows.start..k + rows.end].fill(0);
        }
    }
}

/// Dummy columns whose columns of T are published. Secret but for these.
pub(super) struct Committed {
    pub(super) dummies: Dummies,
    /// Their columns of T as a proof has them.
    pub(super) published: Vec<u8>,
    pub(super) rounded_off: Arc<RoundedOff>,
    /// Rows of T.
    r: u32,
}

impl Committed {
    /// The values of a form at the preimages of the published columns of T: dummy columns whose
    /// errors are less by what is rounded off T.
    pub(super) fn at(&self, form: &LinearForm) -> Zeroizing<Vec<Element>> {
        let Dummies { entries, height } = &self.dummies;
        let (_, errors) = form.split(*height as u32 - self.r);
        let columns = entries.chunks_exact(*height);
        let mut values = Zeroizing::new(Vec::with_capacity(columns.len()));
        let mut low = Secrets::zeros(self.rounded_off.len());
        self.rounded_off.read(0, &mut low, |low| low);
        let columns = columns.zip(low.chunks_exact(self.r as usize));
        values.extend(columns.map(|(column, low)| form.at(column) - errors.at(low)));
        values
    }
}

/// Rounds columns of T: returns their published part, column after column, and the part that is
/// rounded off.
fn publish(extended: &Extended, t: ModQ) -> (Vec<u8>, RoundedOff) {
    let (params, r) = (&extended.params, extended.params.r() as usize);
    let rounding = Rounding::new(params.w(), params.rounded_columns().round_t);
    let bytes = with_t_word!(params, W => {
        let t = W::of(&t).expect("words of T");
        let mut high = vec![W::default(); t.len()];
        rounding.high_all(t, &mut high);
        Word::pack(&high, r, params.last_width())
    });
    (bytes, RoundedOff::new(rounding, t))
}

/// The columns of T that are published so, multiples of 2^dT_x in words of w bits, as they
/// follow the columns of keys; `None` unless all padding is zero.
///
/// # Panics
/// Unless these are whole columns.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn widen(extended: &Extended, published: &[u8]) -> Option<Vec<u8>> {
    let (params, r) = (&extended.params, extended.params.r() as usize);
    let columns = published.len() / params.last_column_bytes();
    with_t_word!(params, W => {
        let mut words = vec![W::default(); columns * r];
        let clean = Word::unpack(published, r, params.last_width(), &mut words);
        for word in &mut words {
            *word = <W as Word>::from_u64(word.to_u64() << params.rounded_columns().round_t);
        }
        clean.then(|| Word::pack(&words, r, params.t_width()))
    })
}
