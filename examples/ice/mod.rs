//! Encrypts and decrypts files with ICE as game engines do: whole blocks, each by itself. The last
//! 1 to 7 bytes of a file whose size is no multiple of 8 stay in clear.
//!
//! `cargo run --release --example ice -- decrypt --game csgo --in weapon_ak47.ctx --out
//! weapon_ak47.txt`

mod args;
mod files;
mod games;
mod report;
mod text;

use std::path::Path;
use std::time::Instant;

use args::Args;
use report::Done;
use tautochrone::ice::Ice;
use tautochrone_cli::{Answer, Failure, say};

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| match args.action.as_deref() {
        _ if args.list_games => games::list(&args.common),
        Some("bench") => report::bench(&args),
        Some("encrypt") => each_file(&args, false),
        _ => each_file(&args, true),
    })
}

fn each_file(args: &Args, decrypt: bool) -> Result<Answer, Failure> {
    if args.keys.find_key && (!decrypt || args.level != 0) {
        return Err(Failure::new("--find-key decrypts at level 0"));
    }
    let ice = args.keys.key()?.map(|key| cipher(args, &key)).transpose()?;
    let inputs = args.files.inputs()?;
    let mut done = Done::default();
    let (mut unknown, mut failed) = (0, 0);
    // A search says on the way what it finds, so each of its files is work of its own.
    if ice.is_some() {
        args.common.busy(if decrypt { "decrypting" } else { "encrypting" });
    }
    for path in &inputs {
        match file(args, ice.as_ref(), decrypt, path, &mut done) {
            Ok(Ok(Some(game))) if !args.common.json && !args.files.to_stdout() => {
                say(format_args!("{}: key of {game}", path.display()))?;
            }
            Ok(Ok(_)) => {}
            Ok(Err(reason)) => {
                tautochrone_cli::warn(format_args!("{}: {reason}", path.display()));
                unknown += 1;
            }
            // A file that fails, fails alone.
            Err(failure) if inputs.len() > 1 => {
                tautochrone_cli::warn(failure);
                failed += 1;
            }
            Err(failure) => return Err(failure),
        }
    }
    if args.common.json || !args.files.to_stdout() && unknown + failed < inputs.len() {
        report::report(args, &done)?;
    }
    if failed > 0 {
        return Err(Failure::new(format!("{failed} of {} files failed, see above", inputs.len())));
    }
    Ok(if unknown == 0 { Answer::Yes } else { Answer::No })
}

/// Encrypts or decrypts a file; without a cipher by the key that is found, whose game it returns,
/// or the reason why there is none.
fn file(
    args: &Args,
    ice: Option<&Ice>,
    decrypt: bool,
    path: &Path,
    done: &mut Done,
) -> Result<Result<Option<&'static str>, String>, Failure> {
    if ice.is_none() {
        args.common.busy("trying keys");
    }
    let mut bytes = tautochrone_cli::read(path, tautochrone_cli::DATA)?;
    let found;
    let (game, ice) = match ice {
        Some(ice) => (None, ice),
        None => match games::find(&bytes, |key| cipher(args, key))? {
            Ok((game, ice)) => {
                found = ice;
                (Some(game), &found)
            }
            Err(reason) => return Ok(Err(reason)),
        },
    };
    let start = Instant::now();
    apply(ice, decrypt, &mut bytes);
    done.seconds += start.elapsed().as_secs_f64();
    done.bytes += bytes.len() as u64;
    args.files.write(path, &bytes)?;
    Ok(Ok(game))
}

/// The cipher of a key.
fn cipher(args: &Args, key: &[u8]) -> Result<Ice, Failure> {
    Ice::new_on(args.common.isa(), args.level, key).map_err(Failure::new)
}

/// Whole blocks in place, on all threads.
fn apply(ice: &Ice, decrypt: bool, bytes: &mut [u8]) {
    let (blocks, _tail) = bytes.as_chunks_mut();
    if decrypt { ice.decrypt_parallel(blocks) } else { ice.encrypt_parallel(blocks) }
}
