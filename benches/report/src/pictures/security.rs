//! Security by the dimensions, around a preset.

use plotters::prelude::*;
use tautochrone::zk::internals::estimate;
use tautochrone::zk::{Preset, Security};

use super::style::{Area, GREY, Line, Result, curves, frame};

/// Bits of binding by r, and of hiding by v - r, around the preset T4-128.
pub fn draw(area: &Area) -> Result<()> {
    let preset = Preset::T4_128.params(Security::Required)?;
    let log2_4b = preset.estimate().log2_4b;
    let binding = (600..=1600).step_by(50).map(|r: u32| {
        (f64::from(r), estimate::sis(f64::from(r * preset.w()), preset.v(), log2_4b).classical)
    });
    let hiding = (800..=2200).step_by(50).map(|k: u32| {
        let primal =
            estimate::lwe_primal(k, preset.r(), f64::from(preset.w()), estimate::uniform_sd(1));
        let dual = estimate::lwe_dual_hybrid(k, preset.r(), f64::from(preset.w()), 1);
        (f64::from(k), primal.classical, dual.classical)
    });
    let hiding: Vec<(f64, f64, f64)> = hiding.collect();
    let (left, right) = area.split_horizontally(450);
    bits(
        &left,
        &format!("Binding (T4-128 has r = {})", preset.r()),
        "r",
        600.0..1600.0,
        &[("SIS", binding.collect())],
    )?;
    bits(
        &right,
        &format!("Hiding (T4-128 has v - r = {})", preset.v() - preset.r()),
        "v - r",
        800.0..2200.0,
        &[
            ("LWE, primal", hiding.iter().map(|&(x, y, _)| (x, y)).collect()),
            ("LWE, dual-hybrid", hiding.iter().map(|&(x, _, y)| (x, y)).collect()),
        ],
    )
}

/// Bits of security, with the line at 128.
fn bits(
    area: &Area,
    caption: &str,
    x: &str,
    xs: std::ops::Range<f64>,
    lines: &[Line],
) -> Result<()> {
    let mut chart = frame(area, (caption, 18), 60).build_cartesian_2d(xs.clone(), 0.0..260.0)?;
    curves(&mut chart, x, lines)?;
    let required = PathElement::new([(xs.start, 128.0), (xs.end, 128.0)], GREY.stroke_width(2));
    chart.draw_series([required])?;
    Ok(())
}
