//! Encrypts and decrypts files with ICE as game engines do: whole blocks, each by itself; the last size mod 8 bytes as they
//! are.
//!
//! `cargo run --release --example ice -- decrypt --game csgo --in weapon_ak47.ctx --out weapon_ak47.txt`

#[path = "support/cli.rs"]
mod cli;
#[path = "support/games.rs"]
mod games;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use cli::{Answer, Common, Failure, Output, Privacy, say};
use games::GAMES;
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
    /// Key in hexadecimal: 8 bytes a level, 8 for level 0
    #[arg(long, value_name = "HEX", conflicts_with_all = ["key_text", "game", "find_key"])]
    key: Option<String>,
    /// Key as text
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["game", "find_key"])]
    key_text: Option<String>,
    /// The published key of a game (see --list-games)
    #[arg(long, value_name = "NAME", conflicts_with = "find_key")]
    game: Option<String>,
    /// Try all published keys on each file; take the one that gives text, go on after files with none
    #[arg(long)]
    find_key: bool,
    /// Show the published keys
    #[arg(long)]
    list_games: bool,
    /// Input file, or directory of files; may be given several times; `-` is stdin
    #[arg(long = "in", value_name = "FILE")]
    input: Vec<PathBuf>,
    /// Output file, for a single input; `-` is stdout
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ext", "in_place"])]
    out: Option<PathBuf>,
    /// Write each output beside its input, with this extension
    #[arg(long, value_name = "EXT", conflicts_with = "in_place")]
    ext: Option<String>,
    /// Replace each input, at once or not at all; follows symbolic links, keeps permissions
    #[arg(long)]
    in_place: bool,
    /// bench: bytes
    #[arg(long, value_name = "B", default_value_t = 1 << 24, value_parser = clap::value_parser!(u64).range(8..=1 << 34))]
    bytes: u64,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    cli::run(|args: Args| {
        args.common.start_threads()?;
        if args.list_games {
            for (name, key, title) in GAMES {
                say(format_args!("{name:<20} {key}  {title}"))?;
            }
            return Ok(Answer::Yes);
        }
        match args.action.as_deref() {
            Some("bench") => bench(&args),
            Some("encrypt") => files(&args, false),
            _ => files(&args, true),
        }
    })
}

fn cipher(args: &Args, key: &[u8]) -> Result<Ice, Failure> {
    Ice::new_on(args.common.isa, args.level, key).map_err(Failure::new)
}

/// The key that the options name; `None` with --find-key.
fn key(args: &Args) -> Result<Option<Ice>, Failure> {
    if args.find_key {
        return Ok(None);
    }
    let bytes = match (&args.key, &args.key_text, &args.game) {
        (Some(text), ..) => hex::decode(text)
            .map_err(|_| Failure::new("--key is not hexadecimal: expected two digits a byte"))?,
        (_, Some(text), _) => text.clone().into_bytes(),
        (.., Some(game)) => {
            let found = GAMES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(game));
            let (_, key, _) = found.ok_or_else(|| {
                Failure::new(format!("no published key for game {game}; --list-games shows all"))
            })?;
            key.as_bytes().to_vec()
        }
        _ => return Err(Failure::new("which key? --key, --key-text, --game or --find-key")),
    };
    cipher(args, &bytes).map(Some)
}

fn apply(ice: &Ice, decrypt: bool, bytes: &mut [u8]) {
    let (blocks, _tail) = bytes.as_chunks_mut();
    if decrypt { ice.decrypt_parallel(blocks) } else { ice.encrypt_parallel(blocks) }
}

fn files(args: &Args, decrypt: bool) -> Result<Answer, Failure> {
    if args.find_key && (!decrypt || args.level != 0) {
        return Err(Failure::new("--find-key decrypts at level 0"));
    }
    let ice = key(args)?;
    let mut inputs = Vec::new();
    for input in &args.input {
        collect(input, &mut inputs)?;
    }
    if inputs.is_empty() {
        return Err(Failure::new("no input: --in FILE"));
    }
    if args.out.is_none() && args.ext.is_none() && !args.in_place {
        return Err(Failure::new("where to? --out FILE, --ext EXT or --in-place"));
    }
    if args.out.is_some() && inputs.len() > 1 {
        return Err(Failure::new(format!("--out is for one input, there are {}", inputs.len())));
    }
    if inputs.iter().any(|input| input == Path::new("-")) && args.out.is_none() {
        return Err(Failure::new("stdin needs --out"));
    }
    let inputs = distinct(args, inputs)?;
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
            Err(failure) if args.find_key && inputs.len() > 1 => {
                eprintln!("{failure}");
                failed += 1;
            }
            Err(failure) => return Err(failure),
        }
    }
    if failed > 0 {
        return Err(Failure::new(format!("{failed} of {} files failed, see above", inputs.len())));
    }
    // With the output on stdout, nothing else goes there.
    if args.out.as_deref() != Some(Path::new("-")) && unknown < inputs.len() {
        report(args, sum.bytes, sum.seconds)?;
    }
    Ok(if unknown == 0 { Answer::Yes } else { Answer::No })
}

/// What has been done.
#[derive(Default)]
struct Sum {
    bytes: u64,
    seconds: f64,
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
    let found = if ice.is_none() { find(args, &bytes)? } else { None };
    let (name, ice) = match (&found, ice) {
        (Some((name, ice)), _) => (Some(*name), ice),
        (None, Some(ice)) => (None, ice),
        (None, None) => return Ok(false),
    };
    let start = Instant::now();
    apply(ice, decrypt, &mut bytes);
    sum.seconds += start.elapsed().as_secs_f64();
    sum.bytes += bytes.len() as u64;
    write(args, path, &bytes)?;
    if let Some(name) = name
        && !args.common.json
        && args.out.as_deref() != Some(Path::new("-"))
    {
        say(format_args!("{}: key of {name}", path.display()))?;
    }
    Ok(true)
}

/// The inputs, each file once however many names it was given by: to replace it twice would undo or double the cipher. No
/// two may have the same output.
fn distinct(args: &Args, mut inputs: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    let mut seen = HashSet::new();
    if args.in_place {
        inputs.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    }
    if let Some(ext) = &args.ext {
        for path in &inputs {
            if !seen.insert(path.with_extension(ext)) {
                return Err(Failure::file(
                    path,
                    format!("another input has the same name with .{ext}"),
                ));
            }
        }
    }
    Ok(inputs)
}

/// Regular files below a path, in order; a symbolic link to a directory is not followed.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if path.is_symlink() || !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(|e| Failure::file(path, e))?;
    let entries: Result<Vec<_>, _> = entries.map(|entry| entry.map(|e| e.path())).collect();
    let mut entries = entries.map_err(|e| Failure::file(path, e))?;
    entries.sort();
    for entry in entries {
        if entry.is_symlink() && entry.is_dir() {
            continue;
        }
        collect(&entry, files)?;
    }
    Ok(())
}

fn write(args: &Args, input: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(out) = &args.out {
        return Output::write_whole(out, Privacy::Public, bytes);
    }
    if let Some(ext) = &args.ext {
        return Output::write_whole(&input.with_extension(ext), Privacy::Public, bytes);
    }
    Output::replace(input, bytes)
}

/// The published key under which the first bytes look most like text, if they do.
fn find(args: &Args, bytes: &[u8]) -> Result<Option<(&'static str, Ice)>, Failure> {
    /// Share of characters that text has: letters, digits, punctuation, white space.
    const TEXT: f64 = 0.9;
    let sample = &bytes[..bytes.len().min(4096) / 8 * 8];
    let mut best: Option<(f64, &str, Ice)> = None;
    for (name, key, _) in GAMES {
        let ice = cipher(args, key.as_bytes())?;
        let mut plain = sample.to_vec();
        apply(&ice, true, &mut plain);
        let is_text = |byte: &&u8| matches!(**byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
        let score = plain.iter().filter(is_text).count() as f64 / plain.len().max(1) as f64;
        if best.as_ref().is_none_or(|(least, ..)| score > *least) {
            best = Some((score, name, ice));
        }
    }
    Ok(best.filter(|(score, ..)| *score >= TEXT).map(|(_, name, ice)| (name, ice)))
}

fn bench(args: &Args) -> Result<Answer, Failure> {
    let ice = cipher(args, &vec![7; Ice::key_length(args.level)])?;
    let mut bytes = vec![0; args.bytes as usize];
    apply(&ice, false, &mut bytes);
    let start = Instant::now();
    apply(&ice, false, &mut bytes);
    report(args, args.bytes, start.elapsed().as_secs_f64())?;
    Ok(Answer::Yes)
}

fn report(args: &Args, bytes: u64, seconds: f64) -> Result<(), Failure> {
    let rate = bytes as f64 / seconds.max(1e-9);
    if args.common.json {
        return say(serde_json::json!({
            "level": args.level, "bytes": bytes, "bytes_per_second": rate, "isa": args.common.isa.name(),
        }));
    }
    say(format_args!(
        "{bytes} bytes, level {}, {:.1} MB/s ({})",
        args.level,
        rate / 1e6,
        args.common.isa
    ))
}
