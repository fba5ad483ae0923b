//! `record CRITERION-FOLDER DATE`: every measurement as one Markdown record on standard output.
//! `check NAMES`: whether all that the README and the pictures show is among these benches, a name a
//! line. `readme RECORD README`: the README's table of results from a record. `pictures RECORD
//! FOLDER`: the pictures of docs/, from a record and from measurements made on the spot.
#![allow(clippy::disallowed_methods, reason = "numbers for the eye")]

mod pictures;
mod readme;
mod record;
mod results;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use record::Measurement;

fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["record", folder, date] => print!("{}", record::write(Path::new(folder), date)?),
        ["check", names] => check(Path::new(names))?,
        ["readme", record, readme] => readme::update(Path::new(record), Path::new(readme))?,
        ["pictures", record, folder] => pictures::draw(Path::new(record), Path::new(folder))?,
        _ => {
            return Err(
                "usage: record CRITERION-FOLDER DATE | check NAMES | readme RECORD README | \
             pictures RECORD FOLDER"
                    .into(),
            );
        }
    }
    Ok(())
}

/// Renamed benches are found before they are measured.
fn check(names: &Path) -> Result<(), Box<dyn Error>> {
    let measured = Measurement { nanoseconds: 1.0, amount: 1.0, bytes: false };
    let names = std::fs::read_to_string(names)?;
    let record = names.lines().map(|name| (name.to_owned(), measured)).collect();
    readme::table("", &record).map(drop)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("report: {error}");
            ExitCode::from(2)
        }
    }
}
