//! A sampler's histogram against the ideal curve.

use std::collections::BTreeMap;

use plotters::prelude::*;
use tautochrone::ctr::{Label, Seed};
use tautochrone::gauss::facct::Facct;
use tautochrone::simd::Isa;

use super::style::{Area, COLOURS, GREY, Result, frame, legend, text};

/// 10^9 FACCT samples of sigma = 215 against 1 / (sigma sqrt(2 pi)) exp(-x^2 / (2 sigma^2)), on a
/// logarithmic scale.
pub fn draw(area: &Area) -> Result<()> {
    const SIGMA: f64 = 215.0;
    const SAMPLES: usize = 1_000_000_000;
    const CELL: i64 = 25;
    let sampler = Facct::new_on(Isa::detect(), SIGMA)?;
    let mut stream = Seed::from_bytes([1; 32]).stream(Label::new("histogram"), 0);
    let mut buffer = vec![0_i64; 1 << 15];
    let mut counts = BTreeMap::<i64, u64>::new();
    let mut drawn = 0;
    while drawn < SAMPLES {
        sampler.fill(&mut stream, &mut buffer);
        for x in &buffer {
            *counts.entry((x + CELL / 2).div_euclid(CELL)).or_default() += 1;
        }
        drawn += buffer.len();
    }
    let range = -1500.0..1500.0;
    let mut chart = frame(area, ("FACCT, sigma = 215: 10^9 samples and the ideal", 20), 70)
        .build_cartesian_2d(range.clone(), (1e-12..1e-2).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GREY.mix(0.25))
        .axis_style(GREY)
        .label_style(text(14))
        .x_desc("sample")
        .x_label_formatter(&|x: &f64| format!("{x:.0}"))
        .y_desc("probability of a value")
        .y_label_formatter(&|y: &f64| format!("1e{:.0}", y.log10()))
        .draw()?;
    let density = |x: f64| {
        (-x * x / (2.0 * SIGMA * SIGMA)).exp() / (SIGMA * (2.0 * std::f64::consts::PI).sqrt())
    };
    chart
        .draw_series(LineSeries::new(
            (-300..=300).map(|k| (5.0 * f64::from(k), density(5.0 * f64::from(k)))),
            COLOURS[1].stroke_width(2),
        ))?
        .label("ideal")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], COLOURS[1].stroke_width(2)));
    chart
        .draw_series(counts.iter().map(|(&cell, &count)| {
            Circle::new(
                ((cell * CELL) as f64, count as f64 / (drawn as f64 * CELL as f64)),
                3,
                COLOURS[0].filled(),
            )
        }))?
        .label("samples, in cells of 25")
        .legend(|(x, y)| Circle::new((x + 10, y), 3, COLOURS[0].filled()));
    legend(&mut chart, SeriesLabelPosition::UpperRight)
}
