//! Inputs: files, stdin, and limits on their lengths.

use std::fmt::Display;
use std::io::{self, Read};
use std::path::Path;

use tautochrone_zk::{FileSource, Params};

use crate::failure::Failure;

/// Most bytes of an input that is data: 1 GiB.
pub const DATA: u64 = 1 << 30;
/// Most bytes of an input that stands for an option, such as a number or a key: 1 MiB.
pub const OPTION: u64 = 1 << 20;

/// Reads a whole input of at most `most` bytes; `-` is stdin. Of a longer file nothing is read, and
/// of a device or pipe without end one byte more.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let known = |path: &Path| path.metadata().ok().filter(std::fs::Metadata::is_file);
    let known = if path == Path::new("-") { None } else { known(path) };
    if known.is_none_or(|file| file.len() <= most) {
        let bytes = read_start(path, most).map_err(|e| about_input(path, &e))?;
        if bytes.len() as u64 <= most {
            return Ok(bytes);
        }
    }
    Err(about_input(path, &format_args!("has over {most} bytes, the most that is read here")))
}

/// Reads an input that must have `len` bytes, and no more than one byte beyond them however long it
/// is; `-` is stdin.
pub fn read_exactly(path: &Path, len: usize, what: impl Display) -> Result<Vec<u8>, Failure> {
    let bytes = read_start(path, len as u64).map_err(|e| about_input(path, &e))?;
    if bytes.len() == len {
        return Ok(bytes);
    }
    let got = if bytes.len() > len { "more".to_owned() } else { bytes.len().to_string() };
    Err(about_input(path, &format!("expected {len} bytes ({what}), found {got}")))
}

/// The text of an input, without the byte-order mark that some editors write.
pub fn text(bytes: &[u8]) -> Result<&str, &'static str> {
    str::from_utf8(without_mark(bytes)?).map_err(|_| "is not UTF-8; expected a text")
}

/// The same of a text in which bytes that are not UTF-8 concern some lines alone.
pub fn without_mark(bytes: &[u8]) -> Result<&[u8], &'static str> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("is UTF-16 by its byte-order mark; expected UTF-8");
    }
    Ok(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes))
}

/// Reads a proof, and no more than one byte beyond the longest with these parameters however long
/// it is: longer text is refused when it is parsed. `-` is stdin.
pub fn read_proof(path: &Path, params: &Params) -> io::Result<Vec<u8>> {
    read_start(path, params.max_file_bytes())
}

/// The first `most` bytes of an input, and one more if there is one.
fn read_start(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = most.saturating_add(1);
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        let file = std::fs::File::open(path)?;
        // So that it does not grow, which would leave copies of what may be secret.
        bytes.try_reserve_exact(file.metadata()?.len().min(most) as usize + 1)?;
        file.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// An error about a file, or about stdin.
pub fn about_input(path: &Path, e: &dyn Display) -> Failure {
    if path == Path::new("-") {
        Failure::new(format!("stdin: {e}"))
    } else {
        Failure::file(path, e)
    }
}

/// Opens a regular file for reading at any offset; stdin is none.
pub fn open(path: &Path) -> Result<FileSource, Failure> {
    if path == Path::new("-") {
        let problem = "is read at any offset; expected the name of a regular file";
        return Err(about_input(path, &problem));
    }
    let file = std::fs::File::open(path).map_err(|e| Failure::file(path, e))?;
    FileSource::new(file).map_err(|e| Failure::file(path, e))
}
