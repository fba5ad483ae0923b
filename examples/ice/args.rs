//! The command line of `ice`.

use super::files::Files;
use super::games::Keys;
use tautochrone_cli::Common;

/// Encrypts or decrypts files with the block cipher ICE
///
/// ICE is for compatibility with programs that use it, not for new designs: blocks of 64 bits, each
/// encrypted by itself. The last 1 to 7 bytes of a file whose size is no multiple of 8 are not
/// encrypted: they stay in clear, as in the files of games. A file is read as a whole, and may have
/// up to 1 GiB.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  ice decrypt --game csgo --in a.ctx --out a.txt\n  ice decrypt --find-key --in scripts --ext txt\n  ice encrypt --level 2 --key 00112233445566778899aabbccddeeff --in a.txt --in-place\n  ice bench --level 1 --bytes 16777216"
)]
pub(crate) struct Args {
    /// The task
    #[arg(value_parser = ["encrypt", "decrypt", "bench"], required_unless_present = "list_games")]
    pub(crate) action: Option<String>,
    /// Level: 0 is Thin-ICE, n has 16 n rounds [default: 0, as game files]
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) level: u8,
    #[command(flatten)]
    pub(crate) keys: Keys,
    /// Show the published keys
    #[arg(long)]
    pub(crate) list_games: bool,
    #[command(flatten)]
    pub(crate) files: Files,
    /// bench: bytes
    #[arg(long, value_name = "B", default_value_t = 1 << 24, value_parser = clap::value_parser!(u64).range(8..=1 << 34))]
    pub(crate) bytes: u64,
    #[command(flatten)]
    pub(crate) common: Common,
}
