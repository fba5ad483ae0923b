//! The pictures of docs/: a sampler's histogram, throughput by instruction set, proofs by their
//! columns, security by the dimensions. No background and middle tones, so that they can be read on
//! light and on dark pages.

mod histogram;
mod proofs;
mod security;
mod style;
mod throughput;

use std::path::Path;

use plotters::prelude::*;

use crate::record;
use style::{Area, Result, SIZE};

/// Draws all of them into `folder`.
pub fn draw(record: &Path, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let (_, record) = record::read(record)?;
    let picture = |name: &str, f: &dyn Fn(&Area) -> Result<()>| -> Result<()> {
        let path = folder.join(name);
        let area = SVGBackend::new(&path, SIZE).into_drawing_area();
        f(&area)?;
        area.present().map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(())
    };
    picture("histogram.svg", &histogram::draw)?;
    picture("throughput.svg", &|area| throughput::draw(area, &record))?;
    picture("proofs.svg", &proofs::draw)?;
    picture("security.svg", &security::draw)
}
