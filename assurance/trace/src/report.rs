//! The findings, and the instructions that were executed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use crate::propagate::Leak;

/// Findings by address, with how often each occurred.
#[derive(Default)]
pub struct Report {
    found: BTreeMap<(u64, Leak), (u64, String)>,
    pub total: u64,
}

impl Report {
    pub fn add(&mut self, address: u64, leak: Leak, instruction: &dyn std::fmt::Display) {
        self.total += 1;
        let entry = self.found.entry((address, leak));
        entry.or_insert_with(|| (0, instruction.to_string())).0 += 1;
    }

    /// Writes what was found to a file, with names and lines of the source from `addr2line`, which
    /// comes with binutils. Addresses are less `base`, as in the program's file.
    pub fn write(&self, program: &str, base: u64, path: &Path) -> io::Result<()> {
        let mut file = fs::File::create(path)?;
        let addresses: Vec<_> = self
            .found
            .keys()
            .map(|&(address, _)| format!("{:#x}", address.wrapping_sub(base)))
            .collect();
        let mut places = vec![String::new(); addresses.len()];
        if !addresses.is_empty()
            && let Ok(output) =
                Command::new("addr2line").args(["-pfiCs", "-e", program]).args(&addresses).output()
        {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let mut index = 0;
            for line in text.lines() {
                if line.starts_with(" (inlined by)") {
                    if let Some(place) = places.get_mut(index - 1) {
                        *place += line;
                    }
                } else if let Some(place) = places.get_mut(index) {
                    place.push_str(line);
                    index += 1;
                }
            }
        }
        for ((((_, leak), (count, text)), address), place) in
            self.found.iter().zip(&addresses).zip(&places)
        {
            writeln!(file, "{leak:?} {count} times at {address}: {text}\n    {place}")?;
        }
        Ok(())
    }
}
