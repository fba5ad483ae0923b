//! The command line of `matmul`.

use std::path::{Path, PathBuf};

use tautochrone_cli::{Failure, Seeded};

/// Computes Z = X Y mod 2^w at the speed of the machine, for words of 8, 16, 32 or 64 bits
///
/// Operands are random unless files are given: raw little-endian words, X row after row, Y and Z
/// column after column. With --x-bits or --y-bits an operand has signed entries of so many bits,
/// stored in the smallest type that fits (i8, i16, i32, i64), in files too; narrow operands are
/// multiplied faster.
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  matmul --w 64 --m 100 --k 3000 --n 3000 --y-bits 7 --check")]
pub(crate) struct Args {
    /// Bits of a word: 8, 16, 32 or 64
    #[arg(long, value_name = "BITS", default_value = "64", value_parser = parse_word)]
    pub(crate) w: u32,
    /// Rows of X and Z
    #[arg(long, default_value = "1024")]
    pub(crate) m: usize,
    /// Columns of X, rows of Y
    #[arg(long, default_value = "1024")]
    pub(crate) k: usize,
    /// Columns of Y and Z
    #[arg(long, default_value = "1024")]
    pub(crate) n: usize,
    /// Entries of X are signed numbers of so many bits [default: words]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) x_bits: Option<u32>,
    /// Entries of Y are signed numbers of so many bits [default: words]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) y_bits: Option<u32>,
    /// Read X from a file; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) x: Option<PathBuf>,
    /// Read Y from a file; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) y: Option<PathBuf>,
    /// Write Z to a file; `-` is stdout, which then has no report
    #[arg(long, value_name = "OUT|-")]
    pub(crate) z: Option<PathBuf>,
    /// Compare with the portable product
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) common: Seeded,
}

impl Args {
    /// Refuses two uses of stdin, and matrices of entries of so many bytes that exceed any memory.
    pub(crate) fn validate(&self, [x, y, z]: [usize; 3]) -> Result<(), Failure> {
        let standard = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
        if standard(&self.x) && standard(&self.y) {
            return Err(Failure::new("--x - and --y - would both read stdin; name a file for one"));
        }
        let Self { m, k, n, .. } = *self;
        let mut all = 0;
        for (name, rows, columns, size) in [("X", m, k, x), ("Y", k, n, y), ("Z", m, n, z)] {
            let bytes = rows.checked_mul(columns).and_then(|entries| entries.checked_mul(size));
            let Some(bytes) = bytes.filter(|&bytes| bytes <= isize::MAX as usize / 8) else {
                let problem = format!("{name}: a {rows} x {columns} matrix is too large");
                return Err(Failure::new(problem));
            };
            all += bytes;
        }
        // Allocators grant more memory than there is, and a program that uses it is killed.
        if memory().is_some_and(|memory| all as u64 > memory) {
            let problem =
                format!("X, Y and Z are {} MB, more than this machine's memory", all >> 20);
            return Err(Failure::new(problem));
        }
        Ok(())
    }
}

/// Bytes of memory and of swap space, where Linux tells.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let of = |name: &str| {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some((of("MemTotal:")? + of("SwapTotal:").unwrap_or(0)) << 10)
}

fn parse_word(text: &str) -> Result<u32, String> {
    match text {
        "8" => Ok(8),
        "16" => Ok(16),
        "32" => Ok(32),
        "64" => Ok(64),
        _ => Err("expected 8, 16, 32 or 64".into()),
    }
}
