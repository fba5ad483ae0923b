//! The histogram as an SVG picture: a bar for each row, and the ideal distribution as a line
//! through its middle.

use std::error::Error;

use plotters::prelude::*;

use super::histogram::{Row, top};

const SIZE: (u32, u32) = (800, 400);
const BARS: RGBColor = RGBColor(91, 141, 184);
const CURVE: RGBColor = RGBColor(192, 57, 43);

/// The picture; `span` is how many values a row has.
pub(crate) fn svg(rows: &[Row], span: u64, title: &str) -> Result<String, Box<dyn Error>> {
    let mut out = String::new();
    let area = SVGBackend::with_string(&mut out, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let (first, width) = (rows.first().map_or(0.0, |row| row.first as f64), span as f64);
    // A bar stands over the values of its row: for single values, around each.
    let left = |row: &Row| row.first as f64 - 0.5;
    let end = first - 0.5 + width * rows.len().max(1) as f64;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(64)
        .build_cartesian_2d(first - 0.5..end, 0.0..1.05 * top(rows))?;
    let values = if span == 1 { "share of the samples" } else { "share of the samples, by rows" };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("sample")
        .x_label_formatter(&|x: &f64| format!("{x:.0}"))
        .y_desc(values)
        .y_label_formatter(&|y: &f64| format!("{y:.3}"))
        .draw()?;
    chart
        .draw_series(rows.iter().map(|row| {
            let (from, to) = (left(row) + 0.05 * width, left(row) + 0.95 * width);
            Rectangle::new([(from, 0.0), (to, row.share)], BARS.filled())
        }))?
        .label("samples")
        .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], BARS.filled()));
    let points = rows.iter().map(|row| (left(row) + width / 2.0, row.ideal));
    chart
        .draw_series(LineSeries::new(points, CURVE.stroke_width(2)))?
        .label("ideal")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 12, y)], CURVE.stroke_width(2)));
    chart.configure_series_labels().border_style(TRANSPARENT).draw()?;
    area.present()?;
    drop((chart, area));
    Ok(out)
}
