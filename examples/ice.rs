//! Encrypts and decrypts files with ICE as game engines do: whole blocks, each by itself; the last size mod 8 bytes as they
//! are.
//!
//! `cargo run --release --example ice -- decrypt --game csgo --in weapon_ak47.ctx --out weapon_ak47.txt`

#[path = "support/cli.rs"]
mod cli;
#[path = "support/files.rs"]
mod files;
#[path = "support/games.rs"]
mod games;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use cli::{Answer, Common, Failure, say};
use files::Files;
use games::Keys;
use tautochrone::ice::Ice;

/// Encrypts or decrypts files with the block cipher ICE
///
/// ICE is for compatibility with programs that use it, not for new designs: blocks of 64 bits, each encrypted by itself.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  ice decrypt --game csgo --in a.ctx --out a.txt\n  ice decrypt --find-key --in scripts --ext txt\n  ice encrypt --level 2 --key 00112233445566778899aabbccddeeff --in a.txt --in-place\n  ice bench --level 1 --bytes 16777216"
)]
struct Args {
    /// What to do
    #[arg(value_parser = ["encrypt", "decrypt", "bench"], required_unless_present = "list_games")]
    action: Option<String>,
    /// Level: 0 is Thin-ICE, n has 16 n rounds [default: 0, as game files]
    #[arg(long, value_name = "N", default_value_t = 0)]
    level: u8,
    #[command(flatten)]
    keys: Keys,
    /// Show the published keys
    #[arg(long)]
    list_games: bool,
    #[command(flatten)]
    files: Files,
    /// bench: bytes
    #[arg(long, value_name = "B", default_value_t = 1 << 24, value_parser = clap::value_parser!(u64).range(8..=1 << 34))]
    bytes: u64,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    cli::run(|args: Args| {
        args.common.start_threads()?;
        match args.action.as_deref() {
            _ if args.list_games => games::list(),
            Some("bench") => bench(&args),
            Some("encrypt") => each_file(&args, false),
            _ => each_file(&args, true),
        }
    })
}

/// The cipher: whole blocks in place, on all threads.
fn apply(ice: &Ice, decrypt: bool, bytes: &mut [u8]) {
    let (blocks, _tail) = bytes.as_chunks_mut();
    if decrypt { ice.decrypt_parallel(blocks) } else { ice.encrypt_parallel(blocks) }
}

fn cipher(args: &Args, key: &[u8]) -> Result<Ice, Failure> {
    Ice::new_on(args.common.isa, args.level, key).map_err(Failure::new)
}

fn each_file(args: &Args, decrypt: bool) -> Result<Answer, Failure> {
    if args.keys.find_key && (!decrypt || args.level != 0) {
        return Err(Failure::new("--find-key decrypts at level 0"));
    }
    let ice = args.keys.key()?.map(|key| cipher(args, &key)).transpose()?;
    let inputs = args.files.inputs()?;
    let mut sum = Sum::default();
    let (mut unknown, mut failed) = (0, 0);
    for path in &inputs {
        match file(args, ice.as_ref(), decrypt, path, &mut sum) {
            Ok(true) => {}
            Ok(false) => {
                eprintln!("{}: no published key gives text", path.display());
                unknown += 1;
            }
            // A search looks at every file that it can.
            Err(failure) if args.keys.find_key && inputs.len() > 1 => {
                eprintln!("{failure}");
                failed += 1;
            }
            Err(failure) => return Err(failure),
        }
    }
    if failed > 0 {
        return Err(Failure::new(format!("{failed} of {} files failed, see above", inputs.len())));
    }
    if !args.files.to_stdout() && unknown < inputs.len() {
        report(args, &sum)?;
    }
    Ok(if unknown == 0 { Answer::Yes } else { Answer::No })
}

/// Encrypts or decrypts a file; without a cipher by the key that is found, false if there is none.
fn file(
    args: &Args,
    ice: Option<&Ice>,
    decrypt: bool,
    path: &Path,
    sum: &mut Sum,
) -> Result<bool, Failure> {
    let mut bytes = cli::read(path)?;
    let found = match ice {
        Some(_) => None,
        None => games::find(&bytes, |key| cipher(args, key))?,
    };
    let Some(ice) = ice.or(found.as_ref().map(|(_, ice)| ice)) else { return Ok(false) };
    let start = Instant::now();
    apply(ice, decrypt, &mut bytes);
    sum.seconds += start.elapsed().as_secs_f64();
    sum.bytes += bytes.len() as u64;
    args.files.write(path, &bytes)?;
    if let Some((name, _)) = found
        && !args.common.json
        && !args.files.to_stdout()
    {
        say(format_args!("{}: key of {name}", path.display()))?;
    }
    Ok(true)
}

fn bench(args: &Args) -> Result<Answer, Failure> {
    let ice = cipher(args, &vec![7; Ice::key_length(args.level)])?;
    let mut bytes = vec![0; args.bytes as usize];
    apply(&ice, false, &mut bytes);
    let start = Instant::now();
    apply(&ice, false, &mut bytes);
    report(args, &Sum { bytes: args.bytes, seconds: start.elapsed().as_secs_f64() })?;
    Ok(Answer::Yes)
}

/// What has been done.
#[derive(Default)]
struct Sum {
    bytes: u64,
    seconds: f64,
}

fn report(args: &Args, &Sum { bytes, seconds }: &Sum) -> Result<(), Failure> {
    let (rate, isa) = (bytes as f64 / seconds.max(1e-9), args.common.isa);
    if args.common.json {
        return say(serde_json::json!({
            "level": args.level, "bytes": bytes, "bytes_per_second": rate, "isa": isa.name(),
        }));
    }
    say(format_args!("{bytes} bytes, level {}, {:.1} MB/s ({isa})", args.level, rate / 1e6))
}
