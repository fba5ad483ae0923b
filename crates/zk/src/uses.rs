//! What the proof is used for: batches of LWE samples, commitments to data, sums of columns.
//!
//! All three are statements T = A S like any other; this module builds their witnesses, derives
//! their statements and says what a valid proof means for them. In every case the bound that a
//! proof shows is the *relaxed* one: the prover knows, for each column t of T, an integer vector s'
//! with A s' = t and ||s'|| <= 2 B ([`Params::norm_bound_squared`] is B^2), far longer than the
//! honest column.
//!
//! # Commitments
//! Commitments to data: t_j = A (m_j, rho_j) mod q, with m_j a message of small integers and rho_j
//! uniform in [-b, b].
//!
//! ```
//! use tautochrone_zk::argument::Layout;
//! use tautochrone_zk::*;
//!
//! // Messages of 256 entries, ten of them.
//! let goal = Goal { message_rows: 256, ..Goal::new(1, 10) };
//! let params = goal.optimise()?.validate(Security::Required)?;
//! let a = PublicMatrix::new(&params, [1; 32]);
//! let witness = Layout::new(256, 10).witness(&a, &[1; 256 * 10], &Seed::from_os()?)?;
//! # Ok::<(), Error>(())
//! ```
//!
//! Column j of T commits to message j. It is *binding* by SIS: two openings of one column, both as
//! short as what the proof shows, give a solution of norm 4 B, whose cost [`Params::estimate`]
//! calls binding. It is *hiding* by LWE on the rows of rho alone, for all messages, even if the
//! attacker chooses them: [`Params::hiding_of_messages`] checks just that.
//!
//! A valid proof for the statement shows that the prover can open every column with ||(m',
//! rho')|| <= 2 B. An opening that is published, with entries in [-b, b], is checked by
//! [`PublicMatrix::opens`](crate::PublicMatrix::opens).
//!
//! # LWE keys
//! Batches of LWE samples: t_j = A' s_j + e_j mod q, one proof for all of them.
//!
//! As A = [A' | I_r], a statement *is* a batch of LWE samples: the first v - r rows of S are the
//! secrets, the last r rows the errors, and column j of T is the sample vector (a public key, say)
//! of secret j.
//!
//! **What a valid proof shows.** Somebody knows, for every j, *some* integer vectors s'_j and e'_j
//! with A' s'_j + e'_j = t_j mod q and ||(s'_j, e'_j)|| <= 2 B, and made the proof in this context.
//!
//! **What it does not show.** That the entries are at most b, or that t_j is well formed in any
//! other sense: the ball of radius 2 B holds such vectors for every t_j there is, and whoever
//! chooses the secrets may choose them as long as B allows. A prover that skips its own bound gets
//! keys accepted whose entries are all 127 where b = 1.
//! [`ExactKeys`](crate::argument::ExactKeys) shows, exactly, that keys are well formed, at the
//! price of one known linear combination of the entries of each. Nor does it show who made the
//! proof: whoever registers keys puts the owner's name into the context, so that a copied proof is
//! not valid for another owner, and learns on a channel of its own that it is the owner who hands
//! it in.
//!
//! # Sums of commitments (feature `committed`)
//! Sums of committed columns: T R = A (S R), for a public matrix R of small integers.
//!
//! T is linear in S, so whoever has a statement can add its columns, and whoever has the witness
//! can prove the result: a statement of its own with the same A, whose column k is the sum of c t_j
//! over the terms (j, c) of sum k.
//!
//! **What a valid proof of the sums shows.** The prover knows s'' with A s'' = sum of c t_j and
//! ||s''|| <= 2 B', with the B' of the sums' parameters. Together with a valid proof for T, s'' is
//! the sum of the openings of the columns, unless the prover can solve SIS with norm 2 weight B + 2
//! B': `Sums::binding`. The proof reveals nothing about S: the sums' statement is a function of
//! T, and its proof is zero-knowledge.

mod lwe;
#[cfg(feature = "committed")]
mod sums;
#[cfg(test)]
mod tests;

pub use lwe::check_keys;
#[cfg(feature = "committed")]
pub use sums::{SumWitness, Sums, Term};

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::entry::WitnessEntry;
use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::witness::WitnessSource;
use crate::witness::columns::read_columns;

/// Column `index` of a witness, to open it, **where no column holds pads that mask**: whoever sees
/// the pads of a column that masks a message of an argument knows what it hid. Columns of a
/// [`Layout`](crate::argument::Layout) are opened by
/// [`Layout::open`](crate::argument::Layout::open), which refuses such columns.
///
/// # Errors
/// [`Error::Parameter`] if there is no such column; what reading the witness gives.
#[doc(hidden)]
pub fn column_unchecked(
    params: &Params,
    witness: &dyn WitnessSource,
    index: u64,
) -> Result<Zeroizing<Vec<i32>>, Error> {
    column_of(params, witness, index)
}

/// The same in the entries that the source has.
#[expect(clippy::integer_division_remainder_used, reason = "indices of columns are public")]
pub(crate) fn column_of<T: WitnessEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    index: u64,
) -> Result<Zeroizing<Vec<T>>, Error> {
    Error::unless(index < params.l(), "column", index, "a column of the witness")?;
    let v = params.v() as usize;
    let block = index / u64::from(BLOCK);
    let mut columns = Zeroizing::new(vec![T::default(); v * params.block_columns(block) as usize]);
    read_columns(params, witness, block, &mut columns)?;
    let start = (index % u64::from(BLOCK)) as usize * v;
    Ok(Zeroizing::new(columns[start..start + v].to_vec()))
}
