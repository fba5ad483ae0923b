//! Speed of every part relative to a baseline, by instruction set.

use plotters::prelude::*;

use super::style::{Area, COLOURS, GREY, Result, frame, text};
use crate::record::{self, Record, TIERS};
use crate::results::ROWS;

/// The names that big numbers have for their part of an instruction set.
const OF_BIG_NUMBERS: (&str, &str) = ("avx512", "ifma");

/// Speed relative to the peer in the same run, one bar for each instruction set.
pub fn draw(area: &Area, record: &Record) -> Result<()> {
    let tiers = ["portable", "avx2", "avx512", "amx"];
    debug_assert!(tiers.iter().all(|tier| TIERS.contains(tier)));
    // (name, id, id of the peer)
    let parts: Vec<_> =
        ROWS.iter().filter_map(|row| Some((row.drawn?, row.id, row.peer?.1))).collect();
    let caption = "Speed relative to a peer (= 1) in the same run, one thread";
    let mut chart = frame(area, (caption, 20), 220)
        .build_cartesian_2d((0.1_f64..100.0).log_scale(), 0.0..parts.len() as f64)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GREY.mix(0.25))
        .axis_style(GREY)
        .label_style(text(14))
        .disable_y_mesh()
        .y_labels(0)
        .x_desc("times the peer's speed")
        .x_label_formatter(&|x: &f64| x.to_string())
        .draw()?;
    for (row, (name, id, peer)) in parts.iter().rev().enumerate() {
        let peer = record::find(record, peer)?;
        let at = chart.backend_coord(&(0.1, row as f64 + 0.5));
        area.draw(&Text::new(*name, (14, at.1 - 7), text(14)))?;
        for (k, tier) in tiers.iter().enumerate() {
            let measured = |tier: &str| record.get(&id.replace("{best}", tier));
            let (usual, other) = OF_BIG_NUMBERS;
            let other = || (*tier == usual).then_some(other);
            let Some(m) = measured(tier).or_else(|| measured(other()?)) else { continue };
            let top = row as f64 + 0.88 - 0.2 * k as f64;
            chart.draw_series([Rectangle::new(
                [(0.1, top), (m.rate() / peer.rate(), top - 0.17)],
                COLOURS[k].filled(),
            )])?;
        }
    }
    for (k, tier) in
        tiers.iter().enumerate().filter(|(_, tier)| record.keys().any(|id| id.ends_with(**tier)))
    {
        let x = 700;
        let y = 60 + 20 * k as i32;
        area.draw(&Rectangle::new([(x, y), (x + 14, y + 10)], COLOURS[k].filled()))?;
        area.draw(&Text::new(*tier, (x + 20, y - 2), text(14)))?;
    }
    chart.draw_series([PathElement::new(
        [(1.0, 0.0), (1.0, parts.len() as f64)],
        GREY.stroke_width(2),
    )])?;
    Ok(())
}
