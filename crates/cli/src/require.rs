//! `--require SPEC`: requirements on a proof, for programs that read from its file what it shows.

use tautochrone_zk::{Requirement, Shows};

/// The requirements of a relying party; `#[command(flatten)]` it.
#[derive(Debug, clap::Args)]
pub struct RequireArgs {
    /// Claim that a proof has to show in addition to knowledge of short preimages; may be repeated.
    /// Without it a valid proof may show knowledge alone, as its maker chose. `exact-keys:S:E`:
    /// every column of T is a key with secrets in [-S, S] and errors in [-E, E].
    /// `range:ROWS:LOW:HIGH`: the entries of the first ROWS rows of S, or from row FIRST on with
    /// `FIRST+ROWS`, are in [LOW, HIGH]. `norm:ROWS:SQUARED`: the squares of these entries of a
    /// column add up to at most SQUARED. Both are about the last columns of T, at least COLUMNS of
    /// them with `:COLUMNS` behind. A tighter claim meets a looser requirement
    #[arg(long, value_name = "SPEC")]
    pub require: Vec<Requirement>,
}

impl RequireArgs {
    /// The requirement that a valid proof of this claim does not meet.
    #[must_use]
    pub fn unmet(&self, shown: &Shows) -> Vec<Requirement> {
        self.require.iter().filter(|required| !shown.meets(required)).copied().collect()
    }
}

/// Why a valid proof is not accepted that does not show these.
#[must_use]
pub fn reason(unmet: &[Requirement]) -> String {
    let unmet: Vec<String> = unmet.iter().map(Requirement::to_string).collect();
    format!("a valid proof, but it does not show {}", unmet.join(" and "))
}
