//! [`MessageSpace`]: messages over randomness.

use tautochrone_ctr::Seed;

use crate::erase::redacted;
use crate::error::{Error, WitnessProblem};
use crate::estimate::Hardness;
use crate::params::{BLOCK, Params, Security};
use crate::suite::Masks;
use crate::supported::check_wide;
use crate::witness::{
    RandomWitness, Uniform, WitnessSource, check_bound, check_bytes, check_messages, read_widened,
};

/// How many rows of S hold a message; the v - rows below are uniform.
///
/// ```
/// use tautochrone_zk::uses::MessageSpace;
/// use tautochrone_zk::{Goal, Security, Seed};
///
/// // Messages of 256 entries, ten of them.
/// let goal = Goal { message_rows: 256, ..Goal::new(1, 10) };
/// let params = goal.optimise()?.validate(Security::Required)?;
/// let space = MessageSpace::new(&params, 256, Security::Required)?;
/// let messages = vec![1; 256 * 10];
/// let witness = space.witness(&params, &messages, Seed::from_os()?)?;
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MessageSpace {
    rows: u32,
    hiding: Hardness,
}

impl MessageSpace {
    /// Messages of `rows` entries under these parameters. [`Goal::message_rows`] finds parameters
    /// for them.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no row, fewer than r + 1 rows are left, or masks are
    /// narrow; unless waived, [`Error::Insecure`] if recovering the message from its commitment
    /// (LWE with secrets of v - r - rows entries) or opening it otherwise costs too little.
    ///
    /// [`Goal::message_rows`]: crate::Goal::message_rows
    pub fn new(params: &Params, rows: u32, security: Security) -> Result<Self, Error> {
        match params.masks() {
            Masks::Mixed { .. } if params.message_mask_rows() != rows => {
                let expected = "the rows of the groups of messages, where masks are mixed";
                return Err(Error::parameter("message rows", rows, expected));
            }
            Masks::Mixed { .. } => (),
            _ => check_wide(params)?,
        }
        let Some(hiding) = params.hiding_beside(rows).filter(|_| rows > 0) else {
            let expected = "at least 1 and less than v - r, so that randomness is left";
            return Err(Error::parameter("message rows", rows, expected));
        };
        if security == Security::Required {
            params.check_security()?;
            let attack = "recovering a message from its commitment (LWE, breaks hiding)";
            params.require(attack, hiding)?;
        }
        Ok(Self { rows, hiding })
    }

    /// The cost of telling the messages in two commitments apart.
    #[must_use]
    pub const fn hiding(&self) -> Hardness {
        self.hiding
    }

    /// The witness of `messages` (rows x l, column after column, entries in [-b, b]) with
    /// randomness from `seed`.
    ///
    /// A seed is for one list of messages. Under two, t - t' = A (m - m', 0) would have no
    /// randomness left and give the difference away.
    ///
    /// # Errors
    /// [`Error::Witness`].
    pub fn witness<'a>(
        &self,
        params: &Params,
        messages: &'a [i8],
        seed: Seed,
    ) -> Result<Messages<'a>, Error> {
        let expected = u64::from(self.rows) * params.l();
        check_messages(messages.len() as u64, expected)?;
        check_bound(self.rows, params.b(), 0, messages)?;
        Ok(Messages {
            rows: self.rows as usize,
            entries: messages,
            randomness: RandomWitness::new(seed),
        })
    }

    /// The message in an opened column.
    #[doc(hidden)]
    #[must_use]
    pub fn message<'a, T>(&self, column: &'a [T]) -> &'a [T] {
        &column[..self.rows as usize]
    }
}

/// Messages over their randomness, as a witness; made by [`MessageSpace::witness`].
pub struct Messages<'a> {
    rows: usize,
    entries: &'a [i8],
    randomness: RandomWitness,
}

redacted!("Messages", Messages<'_>);

impl Messages<'_> {
    fn read<T: Uniform + From<i8>>(
        &self,
        params: &Params,
        first_block: u64,
        out: &mut [T],
    ) -> Result<(), Error> {
        let (v, rows) = (params.v() as usize, self.rows);
        let start = first_block.saturating_mul(u64::from(BLOCK)).saturating_mul(rows as u64);
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let end = start.saturating_add((out.len() / v * rows) as u64);
        let messages = self.entries.get(start as usize..end as usize).filter(|_| rows < v);
        let Some(messages) = messages else {
            return Err(Error::Witness(WitnessProblem::Messages {
                got: self.entries.len() as u64,
                expected: end,
            }));
        };
        self.randomness.fill(params, params.key_size(), first_block, out);
        for (column, message) in out.chunks_exact_mut(v).zip(messages.chunks_exact(rows)) {
            for (entry, &message) in column.iter_mut().zip(message) {
                *entry = message.into();
            }
        }
        Ok(())
    }
}

impl WitnessSource for Messages<'_> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        check_bytes(params)?;
        self.read(params, first_block, out)
    }

    fn read_wide_columns(
        &self,
        params: &Params,
        first_block: u64,
        out: &mut [i32],
    ) -> Result<(), Error> {
        if params.entry_bytes() > 1 {
            return self.read(params, first_block, out);
        }
        // The same randomness as bytes have.
        read_widened(out, |bytes| self.read_columns(params, first_block, bytes))
    }
}
