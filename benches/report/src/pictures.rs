//! The pictures of docs/: a sampler's histogram, throughput by instruction set, proofs by their columns, security by the
//! dimensions. No background and middle tones, so that they can be read on light and on dark pages.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;
use tautochrone::ctr::{Label, Seed};
use tautochrone::gauss::facct::Facct;
use tautochrone::simd::Isa;
use tautochrone::zk::estimate;
use tautochrone::zk::{
    Goal, Params, Preset, Prover, PublicMatrix, RandomWitness, Security, Verifier,
};

use crate::record::{self, Record, TIERS};

const GREY: RGBColor = RGBColor(128, 132, 140);
const COLOURS: [RGBColor; 4] =
    [RGBColor(66, 133, 212), RGBColor(224, 122, 52), RGBColor(64, 160, 96), RGBColor(176, 88, 190)];
const SIZE: (u32, u32) = (900, 460);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Result<T> = std::result::Result<T, Box<dyn Error>>;

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
    picture("histogram.svg", &histogram)?;
    picture("throughput.svg", &|area| throughput(area, &record))?;
    picture("proofs.svg", &proofs)?;
    picture("security.svg", &security)
}

fn text(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&GREY)
}

/// 10^9 FACCT samples of sigma = 215 against 1 / (sigma sqrt(2 pi)) exp(-x^2 / (2 sigma^2)), on a logarithmic scale.
fn histogram(area: &Area) -> Result<()> {
    const SIGMA: f64 = 215.0;
    const SAMPLES: usize = 1_000_000_000;
    const CELL: i64 = 25;
    let sampler = Facct::new_on(Isa::detect(), SIGMA)?;
    let mut stream = Seed::from_bytes([1; 32]).stream(Label::new("histogram"), 0);
    let mut buffer = vec![0_i64; 1 << 15];
    let mut counts = std::collections::BTreeMap::<i64, u64>::new();
    let mut drawn = 0;
    while drawn < SAMPLES {
        sampler.fill(&mut stream, &mut buffer);
        for x in &buffer {
            *counts.entry((x + CELL / 2).div_euclid(CELL)).or_default() += 1;
        }
        drawn += buffer.len();
    }
    let range = -1500.0..1500.0;
    let mut chart = ChartBuilder::on(area)
        .caption("FACCT, sigma = 215: 10^9 samples and the ideal", text(20))
        .margin(12)
        .margin_right(28)
        .x_label_area_size(40)
        .y_label_area_size(70)
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
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(text(14))
        .border_style(TRANSPARENT)
        .draw()?;
    Ok(())
}

/// (name, id with `{best}` for the instruction set, id of the peer)
const PARTS: [(&str, &str, &str); 7] = [
    (
        "AES-CTR / block function",
        "keystream/AES-128/{best}",
        "keystream/AES-128/peer: aes encrypt_blocks alone",
    ),
    (
        "FACCT / rounded Normal",
        "facct/sigma=215/{best}",
        "facct/sigma=1e6/peer: rand_distr Normal + round, ChaCha12",
    ),
    (
        "bit-sliced / rounded Normal",
        "bitslice/sigma 2 p64 planes/{best}",
        "bitslice/rand_distr Normal rounded, sigma 2/any",
    ),
    (
        "Ziggurat / rounded Normal",
        "ziggurat/sigma=215,m=512/{best}",
        "ziggurat/sigma=215/peer: rand_distr Normal + round, ChaCha12",
    ),
    ("product mod 2^32 / nalgebra", "square/w32-1024/{best}", "square/w32-1024/nalgebra"),
    ("product mod 2^64 / nalgebra", "square/w64-1024/{best}", "square/w64-1024/nalgebra"),
    ("ICE / icefast", "encrypt/1-8192/{best}", "encrypt/1-8192/icefast"),
];

/// Speed relative to the peer in the same run, one bar for each instruction set.
fn throughput(area: &Area, record: &Record) -> Result<()> {
    let tiers = ["portable", "avx2", "avx512", "amx"];
    debug_assert!(tiers.iter().all(|tier| TIERS.contains(tier)));
    let mut chart = ChartBuilder::on(area)
        .caption("Speed relative to a peer (= 1) in the same run, one thread", text(20))
        .margin(12)
        .margin_right(28)
        .x_label_area_size(40)
        .y_label_area_size(220)
        .build_cartesian_2d((0.1_f64..100.0).log_scale(), 0.0..PARTS.len() as f64)?;
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
    for (row, (name, id, peer)) in PARTS.iter().rev().enumerate() {
        let peer = record::find(record, peer)?;
        let at = chart.backend_coord(&(0.1, row as f64 + 0.5));
        area.draw(&Text::new(*name, (14, at.1 - 7), text(14)))?;
        for (k, tier) in tiers.iter().enumerate() {
            let Some(m) = record.get(&id.replace("{best}", tier)) else { continue };
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
        [(1.0, 0.0), (1.0, PARTS.len() as f64)],
        GREY.stroke_width(2),
    )])?;
    Ok(())
}

/// Bytes of a proof a column for 2^6 to 2^18 ternary columns (w = 32 binds no more), and the time to prove and to check as measured here.
fn proofs(area: &Area) -> Result<()> {
    let params = |log2_l: u32| -> Result<Params> {
        let goal = Goal::new(32, 1, 1 << log2_l);
        Ok(goal.optimise()?.validate(Security::Required)?)
    };
    let mut sizes = Vec::new();
    for log2_l in 6..=18 {
        let params = params(log2_l)?;
        sizes.push((
            f64::from(log2_l),
            params.expected_proof_bytes() as f64 / 1e6,
            params.t_bytes() as f64 / 1e6,
        ));
    }
    let (mut prove, mut verify) = (Vec::new(), Vec::new());
    for log2_l in 6..=15 {
        let params = params(log2_l)?;
        let a = PublicMatrix::expand(Isa::detect(), &params, [1; 32]);
        let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
        let mut file = Vec::new();
        let statement = a.commit(&witness, &mut file)?;
        let prover = Prover::new(&a, &statement, Security::Required)?;
        let (mut attempts, mut proving, mut checking) = (0, 0.0, 0.0);
        const RUNS: u64 = 5;
        for run in 0..RUNS {
            let start = Instant::now();
            let proved = prover.prove(&run.to_le_bytes(), &witness, &Seed::from_bytes([3; 32]))?;
            proving += start.elapsed().as_secs_f64();
            attempts += proved.attempts;
            let bytes = proved.proof.to_bytes(&params);
            let start = Instant::now();
            Verifier::new(&a, &statement).verify(&run.to_le_bytes(), &file, &bytes)?;
            checking += start.elapsed().as_secs_f64();
        }
        // Three attempts are the mean.
        prove.push((f64::from(log2_l), 3.0 * proving / f64::from(attempts) * 1e3));
        verify.push((f64::from(log2_l), checking / RUNS as f64 * 1e3));
    }
    let (left, right) = area.split_horizontally(450);
    lines(
        &left,
        "Megabytes",
        "log2 of the number of columns",
        6.0..18.0,
        0.1..10_000.0,
        &[
            ("proof", sizes.iter().map(|&(x, y, _)| (x, y)).collect()),
            ("statement (T)", sizes.iter().map(|&(x, _, y)| (x, y)).collect()),
        ],
    )?;
    lines(
        &right,
        "Milliseconds, all threads",
        "log2 of the number of columns",
        6.0..15.0,
        1.0..1000.0,
        &[("prove, three attempts", prove), ("verify", verify)],
    )
}

type Line<'a> = (&'a str, Vec<(f64, f64)>);

/// Measured points, joined, on a logarithmic scale.
fn lines(
    area: &Area,
    caption: &str,
    x: &str,
    xs: std::ops::Range<f64>,
    ys: std::ops::Range<f64>,
    lines: &[Line],
) -> Result<()> {
    let mut chart = frame(area, caption).build_cartesian_2d(xs, ys.log_scale())?;
    curves(&mut chart, x, lines)?;
    for (k, (_, points)) in lines.iter().enumerate() {
        chart.draw_series(points.iter().map(|&p| Circle::new(p, 3, COLOURS[k].filled())))?;
    }
    Ok(())
}

/// Bits of security, with the line at 128.
fn bits(
    area: &Area,
    caption: &str,
    x: &str,
    xs: std::ops::Range<f64>,
    lines: &[Line],
) -> Result<()> {
    let mut chart = frame(area, caption).build_cartesian_2d(xs.clone(), 0.0..260.0)?;
    curves(&mut chart, x, lines)?;
    let required = PathElement::new([(xs.start, 128.0), (xs.end, 128.0)], GREY.stroke_width(2));
    chart.draw_series([required])?;
    Ok(())
}

/// Half of a picture, before its axes.
fn frame<'a, 'b>(area: &'a Area<'b>, caption: &str) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut chart = ChartBuilder::on(area);
    chart
        .caption(caption, text(18))
        .margin(12)
        .margin_right(28)
        .x_label_area_size(40)
        .y_label_area_size(60);
    chart
}

/// Axes, curves and their names.
fn curves<'a, Y>(
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
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(text(14))
        .border_style(TRANSPARENT)
        .draw()?;
    Ok(())
}

/// Bits of binding by r, and of hiding by v - r, around the preset T4-128.
fn security(area: &Area) -> Result<()> {
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
        "Binding (T4-128 has r = 1088)",
        "r",
        600.0..1600.0,
        &[("SIS", binding.collect())],
    )?;
    bits(
        &right,
        "Hiding (T4-128 has v - r = 1600)",
        "v - r",
        800.0..2200.0,
        &[
            ("LWE, primal", hiding.iter().map(|&(x, y, _)| (x, y)).collect()),
            ("LWE, dual-hybrid", hiding.iter().map(|&(x, _, y)| (x, y)).collect()),
        ],
    )
}
