//! Colours, axes and legends that the pictures have in common.

use std::error::Error;

use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::{CoordTranslate, Shift};
use plotters::prelude::*;

pub(super) const GREY: RGBColor = RGBColor(128, 132, 140);
pub(super) const COLOURS: [RGBColor; 4] =
    [RGBColor(66, 133, 212), RGBColor(224, 122, 52), RGBColor(64, 160, 96), RGBColor(176, 88, 190)];
pub(super) const SIZE: (u32, u32) = (900, 460);

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Result<T> = std::result::Result<T, Box<dyn Error>>;

pub(super) fn text(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&GREY)
}

pub(super) type Line<'a> = (&'a str, Vec<(f64, f64)>);

/// A picture or a part of one, before its axes: caption and its size, width of the labels of y.
pub(super) fn frame<'a, 'b>(
    area: &'a Area<'b>,
    (caption, size): (&str, u32),
    labels: u32,
) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut chart = ChartBuilder::on(area);
    chart
        .caption(caption, text(size))
        .margin(12)
        .margin_right(28)
        .x_label_area_size(40)
        .y_label_area_size(labels);
    chart
}

/// The names of what was drawn.
pub(super) fn legend<'a, C: CoordTranslate>(
    chart: &mut ChartContext<'a, SVGBackend<'a>, C>,
    position: SeriesLabelPosition,
) -> Result<()> {
    chart
        .configure_series_labels()
        .position(position)
        .label_font(text(14))
        .border_style(TRANSPARENT)
        .draw()?;
    Ok(())
}

/// Axes, curves and their names.
pub(super) fn curves<'a, Y>(
    chart: &mut ChartContext<
        'a,
        SVGBackend<'a>,
        Cartesian2d<plotters::coord::types::RangedCoordf64, Y>,
    >,
    x: &str,
    lines: &[Line],
) -> Result<()>
where
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GREY.mix(0.25))
        .axis_style(GREY)
        .label_style(text(14))
        .x_desc(x)
        .x_labels(8)
        .x_label_formatter(&|x: &f64| format!("{x:.0}"))
        .y_label_formatter(&|y: &f64| y.to_string())
        .draw()?;
    for (k, (name, points)) in lines.iter().enumerate() {
        let colour = COLOURS[k];
        chart
            .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
    }
    legend(chart, SeriesLabelPosition::UpperLeft)
}
