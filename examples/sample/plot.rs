//! The histogram as an SVG picture: a bar for each row, and the ideal distribution as a line
//! through its middle.

use std::fmt::Write as _;

use crate::histogram::{Row, top};

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 400.0;
/// Room for the title above, and for the values below.
const MARGIN: f64 = 40.0;
/// Values written below the bars, about.
const LABELS: usize = 8;

pub(crate) fn svg(rows: &[Row], title: &str) -> String {
    let step = (WIDTH - 2.0 * MARGIN) / rows.len().max(1) as f64;
    let scale = (HEIGHT - 2.0 * MARGIN) / top(rows);
    let (left, bottom) = (|i: usize| MARGIN + step * i as f64, HEIGHT - MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"24\" font-size=\"15\">{title}</text>\n",
        WIDTH / 2.0
    );
    let mut curve = String::new();
    for (i, row) in rows.iter().enumerate() {
        let (height, middle) = (row.share * scale, left(i) + step / 2.0);
        _ = writeln!(
            out,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{height:.2}\" fill=\"#5b8db8\"/>",
            left(i) + 0.05 * step,
            bottom - height,
            0.9 * step,
        );
        if i % rows.len().div_ceil(LABELS) == 0 {
            let (first, y) = (row.first, bottom + 20.0);
            _ = writeln!(out, "<text x=\"{middle:.2}\" y=\"{y}\">{first}</text>");
        }
        _ = write!(curve, "{middle:.2},{:.2} ", bottom - row.ideal * scale);
    }
    _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"2\"/>\n</svg>",
        curve.trim_end()
    );
    out
}
