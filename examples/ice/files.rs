//! Which files a program reads and where it writes: files and directories, one output, outputs next
//! to inputs, or in place.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tautochrone_cli::{Failure, Output, Privacy, place};

/// Flags for inputs and outputs; `#[command(flatten)]` it.
#[derive(Debug, clap::Args)]
pub(crate) struct Files {
    /// Input file, or directory of files; may be given several times; `-` is stdin
    #[arg(long = "in", value_name = "FILE")]
    input: Vec<PathBuf>,
    /// Output file, for a single input; `-` is stdout
    #[arg(long, value_name = "OUT|-", conflicts_with_all = ["ext", "in_place"])]
    out: Option<PathBuf>,
    /// Write each output next to its input, with this extension; files in a directory that have it
    /// already are outputs and passed over
    #[arg(long, value_name = "EXT", conflicts_with = "in_place")]
    ext: Option<String>,
    /// Replace each input, at once or not at all; follows symbolic links, keeps permissions
    #[arg(long)]
    in_place: bool,
}

impl Files {
    /// Every file to read, once; fails unless each has a place to be written to.
    pub(crate) fn inputs(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut inputs = Vec::new();
        for input in &self.input {
            collect(input, self.ext.as_deref(), &mut inputs)?;
        }
        if inputs.is_empty() {
            return Err(Failure::new("no input: --in FILE"));
        }
        if self.out.is_none() && self.ext.is_none() && !self.in_place {
            return Err(Failure::new("where to? --out FILE, --ext EXT or --in-place"));
        }
        if self.out.is_some() && inputs.len() > 1 {
            return Err(Failure::new(format!(
                "--out is for one input, there are {}",
                inputs.len()
            )));
        }
        if inputs.iter().any(|input| input == Path::new("-")) && self.out.is_none() {
            return Err(Failure::new("stdin needs --out"));
        }
        if let Some(ext) = &self.ext
            && ext.contains(std::path::is_separator)
        {
            return Err(Failure::new(format!("--ext {ext}: expected an extension, such as txt")));
        }
        self.distinct(inputs)
    }

    /// Each file once however many names it was given by: to replace it twice would undo or double
    /// the work on it. No two may have the same output, and none the path of an input, which would
    /// be lost.
    fn distinct(&self, mut inputs: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
        let mut seen = HashSet::new();
        if self.in_place {
            inputs.retain(|path| seen.insert(place(path)));
        }
        if let Some(ext) = &self.ext {
            let places: HashSet<PathBuf> = inputs.iter().map(|path| place(path)).collect();
            for path in &inputs {
                let output = path.with_extension(ext);
                if places.contains(&place(&output)) {
                    let what = format!("{} is an input, too", output.display());
                    return Err(Failure::file(path, what));
                }
                if !seen.insert(place(&output)) {
                    let what = format!("another input has the same name with .{ext}");
                    return Err(Failure::file(path, what));
                }
            }
        }
        Ok(inputs)
    }

    /// Writes what an input became.
    pub(crate) fn write(&self, input: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(out) = &self.out {
            return Output::write_whole(out, Privacy::Public, bytes);
        }
        if let Some(ext) = &self.ext {
            return Output::write_whole(&input.with_extension(ext), Privacy::Public, bytes);
        }
        Output::replace(input, bytes)
    }

    /// Whether the output goes to stdout, and nothing else may.
    pub(crate) fn to_stdout(&self) -> bool {
        self.out.as_deref() == Some(Path::new("-"))
    }
}

/// A file; or the regular files below a directory, in order, but for files that have the extension
/// of outputs. A symbolic link to a directory is not followed.
fn collect(path: &Path, ext: Option<&str>, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if path.is_symlink() || !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(|e| Failure::file(path, e))?;
    let entries: Result<Vec<_>, _> = entries.map(|entry| entry.map(|e| e.path())).collect();
    let mut entries = entries.map_err(|e| Failure::file(path, e))?;
    entries.sort();
    for entry in entries {
        // A file that cannot be examined is an error when it is read.
        let special = entry.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
        let is_output =
            ext.is_some_and(|ext| !entry.is_dir() && entry.with_extension(ext) == entry);
        if special || is_output || entry.is_symlink() && entry.is_dir() {
            continue;
        }
        collect(&entry, ext, files)?;
    }
    Ok(())
}
