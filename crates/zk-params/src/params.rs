//! [`Params`]: validated parameters, the only way to a statement.

mod custom;
mod goal;
mod header;
mod longer;
mod narrow;
mod optimise;
mod range;
mod rounded_columns;
mod security;
pub mod sigma;

pub use custom::CustomParams;
pub use goal::Goal;
pub use optimise::Search;
pub use security::Entries;
pub use sigma::{alpha, ternary_factor};

use crate::codec;
use crate::error::Error;
use crate::estimate::Estimate;
use crate::format;
use crate::rounding::Rounding;
use crate::rows::{RowGroup, RowGroups};
use crate::suite::{Challenge, Expansion, HashSuite, Masks};
use crate::words::packing;
use once_cell::race::OnceBox;
use tautochrone_ctr::KeySize;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;
use tautochrone_zk_field::field::{Field as _, P127};

/// Columns in a block: the unit of streaming, of hashing T and of sharing work.
pub const BLOCK: u32 = 256;

/// Blocks that are read and multiplied together: 1024 columns, so that products run at full speed.
pub const GROUP: u64 = 4;

/// Whether parameters that [`Params::check_security`] refuses are acceptable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Refuse them.
    Required,
    /// Go on: the caller has said in so many words that no security is needed (tests, comparisons).
    Waived,
}

/// Validated parameters of a statement.
///
/// Every value of this type satisfies: lambda 128 or 256, w from 25 to 64 (from 17 on where not all
/// masks are wide), r < v <= 2^20, n <= 1024,
/// b <= 2^20, b l < 2^31 (S C fits 32-bit integers), sigma in [2, 2^32), 4 B < 2^(w-1) (soundness
/// over Z_q), at most 2^28 words of A', roundings that leave six bits of W and two of T; and with
/// binary challenges a whole T and b <= 127. Whether it is *secure* is told by
/// [`Params::check_security`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    lambda: u32,
    w: u32,
    r: u32,
    v: u32,
    l: u64,
    n: u32,
    groups: RowGroups,
    sigma: u64,
    norm_bound_squared: u128,
    /// F^2.
    frobenius_squared: u128,
    /// d.
    round_w: u32,
    /// dT.
    round_t: u32,
    /// How many rounded columns a column of T is the sum of, at most.
    residual_weight: u32,
    /// The last columns of T, where these alone are rounded.
    last: sigma::RoundedColumns,
    challenge: Challenge,
    masks: Masks,
    expansion: Expansion,
    /// Of rows of messages, with mixed masks.
    wide: narrow::WideMasks,
    derived: Derived,
}

/// Values that follow from the other fields, or from how they were chosen: two [`Params`] are equal
/// whether or not they agree in it.
#[derive(Clone)]
struct Derived {
    /// Computed when it is first asked for.
    estimate: OnceBox<Estimate>,
    security: Security,
}

impl Derived {
    const fn new(security: Security) -> Self {
        Self { estimate: OnceBox::new(), security }
    }
}

/// As it was chosen: what follows from other fields may not have been asked for.
impl core::fmt::Debug for Derived {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.security.fmt(f)
    }
}

impl PartialEq for Derived {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Derived {}

/// Fields as methods.
macro_rules! getters {
    ($($(#[$meta:meta])* $field:ident: $type:ty;)*) => {
        $(
            $(#[$meta])*
            #[must_use]
            pub const fn $field(&self) -> $type {
                self.$field
            }
        )*
    };
}

impl Params {
    getters! {
        /// lambda: bits that binding, hiding, the challenge, the hash and the rejection step
        /// provide, where [`Self::check_security`] accepts them.
        lambda: u32;
        /// w: q = 2^w.
        w: u32;
        /// r: rows of A and T.
        r: u32;
        /// v: columns of A, rows of S and Z.
        v: u32;
        /// l: columns of S and T.
        l: u64;
        /// n: columns of C and Z.
        n: u32;
        /// dT: the bits that are rounded off T before it is published; 0 where it is published
        /// whole.
        round_t: u32;
        /// Where A' comes from.
        expansion: Expansion;
        /// sigma: standard deviation parameter of Y, and with wide masks of Z; with mixed masks, of
        /// the Gaussian rows of Y.
        sigma: u64;
        /// Whether Y hides any S, or a Gaussian one in so many proofs.
        masks: Masks;
        /// B^2: the largest squared Euclidean norm of a column of (Z_1, E) that a verifier accepts;
        /// with mixed masks without the rows of messages.
        norm_bound_squared: u128;
    }
    /// b: the honest prover's bound on |s_ij|, the largest of all rows. The verifier does not
    /// enforce it: what a proof shows is the relaxed bound `||s'|| <= 2 B`.
    #[must_use]
    pub fn b(&self) -> u32 {
        self.groups.bound()
    }
    /// The rows of S, from the first to the last, by what is known of their entries.
    #[must_use]
    pub fn row_groups(&self) -> &[RowGroup] {
        self.groups.as_slice()
    }
    /// Bytes of an entry of S, in a file and as a source delivers it: 1 where no b exceeds 127, 2
    /// up to 32767, 4 above.
    #[must_use]
    pub fn entry_bytes(&self) -> usize {
        match self.b() {
            ..=127 => 1,
            128..=32767 => 2,
            _ => 4,
        }
    }
    /// Bytes of a statement file: its header and T.
    #[must_use]
    pub const fn statement_bytes(&self) -> u128 {
        self.statement_header_len() as u128 + self.t_bytes()
    }
    /// Expected bytes of a proof: coefficients and hints at their entropy plus the encoding's
    /// overhead, and the header.
    #[must_use]
    pub fn expected_proof_bytes(&self) -> u64 {
        let header = format::proof_header_len(self.hash()) as f64;
        let bytes = |rows: u32, bits: f64| f64::from(rows) * f64::from(self.n) * bits / 8.0;
        let parts = self.z_parts().into_iter().filter(|&(rows, _)| rows > 0);
        let z: f64 = parts.map(|(rows, sigma)| bytes(rows, codec::expected_bits(sigma))).sum();
        let hints = bytes(self.r, codec::hints::expected_bits(self.hint_variance()));
        (z + hints + header).round() as u64
    }
    /// Bytes of the longest file of a proof of any kind.
    #[must_use]
    pub fn max_file_bytes(&self) -> u64 {
        self.max_argument_bytes().max(self.max_key_bytes())
    }
}

/// What `tautochrone-zk` needs besides.
#[doc(hidden)]
impl Params {
    getters! {
        /// F^2: the largest `||S||_F^2` that a prover accepts; with mixed masks of the rows of
        /// messages. A public bound from which sigma, or sigma_m, follows, and which never depends
        /// on the witness.
        frobenius_squared: u128;
        /// d: the bits that are rounded off W before it is hashed.
        round_w: u32;
        /// The rounded-off part of a column of T is at most this times 2^(dT-1), in every entry: 1,
        /// or the weight of the sums of columns that it consists of.
        residual_weight: u32;
        /// Distribution of the challenge.
        challenge: Challenge;
    }
    /// The squared norms that a prover accepts of the rows with wide masks, and of those with
    /// narrow ones, which hide nothing that is shorter than Gaussians.
    pub fn square_ranges(&self) -> [core::ops::RangeInclusive<u128>; 2] {
        let wide = 0..=self.frobenius_squared;
        let least = |groups: &RowGroups| groups.least_frobenius_squared(self.l);
        match self.masks {
            Masks::Wide => [wide, 0..=0],
            Masks::Narrow { .. } => [0..=0, least(&self.groups)..=self.frobenius_squared],
            Masks::Mixed { .. } => {
                let last = RowGroups::new(&[self.groups.last()]).expect("one group");
                [wide, least(&last)..=last.frobenius_squared(self.l)]
            }
        }
    }
    /// The largest `||S||_F^2` that the bounds of the rows allow.
    pub fn largest_frobenius_squared(&self) -> u128 {
        self.groups.largest_frobenius_squared(self.l)
    }
    /// Whether F^2 is less than what the bounds of the rows allow, so that it has to be checked, or
    /// masks are narrow.
    pub fn bounds_squares(&self) -> bool {
        self.masks != Masks::Wide || self.frobenius_squared() < self.largest_frobenius_squared()
    }
    /// Bytes of S in a file: v l entries.
    pub fn witness_bytes(&self) -> u128 {
        u128::from(self.v) * u128::from(self.l) * self.entry_bytes() as u128
    }
    /// sigma_Z: what Z has a standard deviation of, at most, in rows with narrow masks; sigma with
    /// wide ones.
    pub fn sigma_z(&self) -> u64 {
        match self.masks {
            Masks::Wide => self.sigma,
            _ => narrow::sigma_z(self.sigma, self.l, self.groups.micros()),
        }
    }
    /// k_m: how many rows, the first ones, have masks of their own width, with mixed masks; else 0.
    pub const fn message_mask_rows(&self) -> u32 {
        self.wide.rows
    }
    /// sigma_m: standard deviation of Y, and of Z, in the rows of messages, with mixed masks; else
    /// 0.
    pub const fn sigma_m(&self) -> u64 {
        self.wide.sigma
    }
    /// The rows that rejection decides by, from the first on: all with wide masks, the rows of
    /// messages with mixed ones, none with narrow ones.
    pub const fn rejection_rows(&self) -> u32 {
        match self.masks {
            Masks::Wide => self.v,
            Masks::Narrow { .. } => 0,
            Masks::Mixed { .. } => self.wide.rows,
        }
    }
    /// sigma of the rows that rejection decides by.
    pub const fn rejection_sigma(&self) -> u64 {
        match self.masks {
            Masks::Mixed { .. } => self.wide.sigma,
            _ => self.sigma,
        }
    }
    /// Rows of Z in a proof, from the first on, and their standard deviation: of messages with
    /// mixed masks, then of the others.
    pub fn z_parts(&self) -> [(u32, u64); 2] {
        let narrow::WideMasks { rows, sigma, .. } = self.wide;
        [(rows, sigma), (self.z_rows() - rows, self.sigma_z())]
    }
    /// Attempts before a prover gives up. With wide masks an honest one needs more than 1024 with
    /// probability (1 - 1/rho)^1024, which is 2^-1024 for rho = 2 and 2^-599 for rho = 3. With
    /// narrow ones nothing is rejected, an attempt fails with probability below 2^-60, and each is
    /// one of the 2^Lp proofs: whoever alters T could choose how many fail.
    pub const fn max_attempts(&self) -> u32 {
        match self.masks {
            Masks::Wide | Masks::Mixed { .. } => 1024,
            Masks::Narrow { .. } => 1,
        }
    }
    /// The same of the rows of messages: B_m^2 with mixed masks, else B^2.
    pub const fn message_norm_bound_squared(&self) -> u128 {
        match self.masks {
            Masks::Mixed { .. } => self.wide.norm_bound_squared,
            _ => self.norm_bound_squared,
        }
    }
    /// The largest absolute value of any entry of Z that a verifier accepts: 14 sigma_Z, or 14
    /// sigma_m in rows of messages with mixed masks.
    pub fn entry_bound(&self) -> u64 {
        14 * self.sigma_z().max(self.wide.sigma)
    }
    /// Columns of A', and rows of Z in a proof: v - r.
    pub const fn z_rows(&self) -> u32 {
        self.v - self.r
    }
    /// Hash function: BLAKE3, or SHA-3 where 256 bits are claimed.
    pub const fn hash(&self) -> HashSuite {
        if self.lambda > 128 { HashSuite::Sha3 } else { HashSuite::Blake3 }
    }
    /// Blocks of [`BLOCK`] columns in S and T, the last one possibly short.
    pub const fn blocks(&self) -> u64 {
        self.l.div_ceil(BLOCK as u64)
    }
    /// Columns of block `index`.
    pub const fn block_columns(&self, index: u64) -> u32 {
        let rest = self.l - index * BLOCK as u64;
        if rest < BLOCK as u64 { rest as u32 } else { BLOCK }
    }
    /// Bytes of an A' that is given.
    pub const fn given_bytes(&self) -> u64 {
        self.r as u64 * self.z_rows() as u64 * self.w.div_ceil(8) as u64
    }
    /// AES keys of streams whose secrecy lambda speaks of.
    pub const fn key_size(&self) -> KeySize {
        if self.lambda > 128 { KeySize::Aes256 } else { KeySize::Aes128 }
    }
    /// Entries of Y, M and all of Z: v n.
    pub const fn response_entries(&self) -> usize {
        self.v as usize * self.n as usize
    }
    /// Entries of Z in a proof.
    pub const fn z_entries(&self) -> usize {
        self.z_rows() as usize * self.n as usize
    }
    /// Entries of W, and hints in a proof: r n.
    pub const fn w_entries(&self) -> usize {
        self.r as usize * self.n as usize
    }
    /// How W is rounded.
    pub const fn rounding_of_w(&self) -> Rounding {
        Rounding::new(self.w, self.round_w)
    }
    /// How T is rounded.
    pub const fn rounding_of_t(&self) -> Rounding {
        Rounding::new(self.w, self.round_t)
    }
    /// Bits of a word of T as it is published: w - dT.
    pub const fn t_width(&self) -> u32 {
        self.w - self.round_t
    }
    /// Bytes of a column of T in a statement.
    pub const fn column_bytes(&self) -> usize {
        packing::column_bytes(self.r as usize, self.t_width())
    }
    /// Bytes of T in a statement.
    pub const fn t_bytes(&self) -> u128 {
        self.l as u128 * self.column_bytes() as u128
    }
    /// Bytes of a statement file before T.
    pub const fn statement_header_len(&self) -> usize {
        format::STATEMENT_HEADER_LEN
    }
    /// Bytes of the longest proof file that the encodings can produce: header, digests, and every
    /// coefficient and hint at its longest code. A longer file is malformed, so a reader need not
    /// read beyond one byte more.
    pub fn max_proof_bytes(&self) -> u64 {
        let parts = self.z_parts().into_iter().filter(|&(rows, _)| rows > 0);
        let part = |(rows, sigma)| codec::most_bytes(u64::from(rows) * u64::from(self.n), sigma);
        let lengths = if self.wide.rows > 0 { format::Z_LENGTH_LEN as u64 } else { 0 };
        let z = lengths + parts.map(part).sum::<u64>();
        let hints = codec::hints::most_bytes(self.w_entries() as u64);
        format::proof_header_len(self.hash()) as u64 + z + hints
    }
    /// Bytes of the longest file of a proof of claims: the bytes of
    /// [`max_proof_bytes`](Self::max_proof_bytes), D_0, less than 2^24 for the claims, and 32 for
    /// each column and each message, as elements of the larger field take.
    pub fn max_argument_bytes(&self) -> u64 {
        let elements = MAX_MESSAGES + self.l();
        let claim = (format::CLAIMS_START_LEN + format::MAX_CLAIMS_LEN) as u64;
        self.max_proof_bytes() + claim + P127::ELEMENT_LEN as u64 * elements
    }
    /// The variance of a hint, as a fraction.
    pub fn hint_variance(&self) -> [u128; 2] {
        self.rounded().hint_variance()
    }
    /// # Errors
    /// [`Error::Parameter`] if honest proofs have hints that are not encoded.
    pub fn check_hints(&self) -> Result<(), Error> {
        let expected = "so many that (sigma^2 + l 4^round_t / 24) / 4^round_w + 1 / 6, the \
                        variance of a hint, is at most 4";
        Error::unless(self.rounded().hints_fit(), "round_w", self.round_w, expected)
    }
    /// Whether hints have 13 standard deviations, with masks of any width.
    fn rounds_moderately(&self) -> bool {
        self.rounded_at_most().narrow_hints_fit()
    }
    fn rounded(&self) -> sigma::Rounded {
        let Self { l, round_w, round_t, residual_weight: weight, last, .. } = *self;
        let l = if self.masks == Masks::Wide { l } else { 2 * narrow::column_squared(l) };
        sigma::Rounded { sigma: self.sigma_z(), l, round_w, round_t, weight, last }
    }
    /// With the bound on the norm of a column of C.
    fn rounded_at_most(&self) -> sigma::Rounded {
        sigma::Rounded { l: 2 * narrow::column_squared(self.l), ..self.rounded() }
    }
    /// Whether a proof notices what is rounded off T. Sums of columns have the dT of these.
    fn notices_rounding(&self) -> bool {
        let most = sigma::unnoticed_rounding(self.sigma_z(), self.l);
        self.residual_weight == 1 && self.round_t > most
    }
    /// B^2 by default. Where roundings are noticed nearly all of a column may belong to E, and
    /// kappa is the factor for r entries: a longer one has probability below 2^-63 (docs/sizes.md).
    fn default_norm_bound_squared(&self) -> u128 {
        let Self { r, n, .. } = *self;
        let k = self.v - r - self.wide.rows;
        if self.notices_rounding() {
            let factor = sigma::small_kappa_squared(r, n);
            return self.rounded_at_most().norm_bound_squared([r, k], factor);
        }
        self.rounded().norm_bound_squared([r, k], sigma::kappa_squared(r + k, n))
    }
}

/// Elements that are sent besides the values of columns: for each of 256 claims at most 26 a
/// variable of at most 2^20 rows and 2^31 columns, and one; two a variable of the rows; X.
const MAX_MESSAGES: u64 = 256 * (26 * (20 + 31) + 1) + 2 * 20 + 1;

/// lambda + 2: columns of the challenge for which all columns are extracted from statements that a
/// prover chooses, however many they are (docs/protocol.md, section 11).
const fn default_n(lambda: u32) -> u32 {
    lambda + 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{ParameterError, Weakness};

    #[test]
    fn blocks_cover_the_columns() {
        for l in [1, 255, 256, 257, 4096] {
            let custom = CustomParams::new(29, 1240, 2704, l, 1);
            let p = custom.validate(Security::Waived).unwrap();
            assert_eq!((0..p.blocks()).map(|i| u64::from(p.block_columns(i))).sum::<u64>(), l);
        }
    }

    /// The name of the parameter that is refused.
    pub(super) fn name<T>(result: Result<T, Error>) -> &'static str {
        match result.err() {
            Some(Error::Parameter(ParameterError { name, .. })) => name,
            other => panic!("{other:?}"),
        }
    }

    /// Why parameters are not secure.
    pub(super) fn weakness<T>(result: Result<T, Error>) -> Weakness {
        match result.err() {
            Some(Error::Insecure(weakness)) => weakness,
            other => panic!("{other:?}"),
        }
    }
}
