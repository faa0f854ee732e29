//! Curves as SVG.

use plotters::prelude::*;

/// A named curve.
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) points: Vec<(u32, u64)>,
}

const SIZE: (u32, u32) = (900, 520);
/// One for each of as many curves as a chart here has.
const COLOURS: [RGBColor; 12] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(140, 86, 75),
    RGBColor(227, 119, 194),
    RGBColor(127, 127, 127),
    RGBColor(188, 189, 34),
    RGBColor(23, 190, 207),
    RGBColor(57, 59, 121),
    RGBColor(60, 60, 60),
];

/// Draws curves over a logarithmic scale. A count of 0, which has no place on it, is a hollow point on the
/// lowest line.
pub(super) fn log_scale(
    title: &str,
    x_name: &str,
    y_name: &str,
    curves: &[Curve],
) -> Result<String, String> {
    let mut svg = String::new();
    draw(&mut svg, title, x_name, y_name, curves).map_err(|why| why.to_string())?;
    Ok(svg)
}

/// Height at which counts of 0 are drawn.
const ZERO: f64 = 0.5;

fn draw(
    svg: &mut String,
    title: &str,
    x_name: &str,
    y_name: &str,
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let last = points().map(|&(x, _)| x).max().unwrap_or(1);
    let most = points().map(|&(_, y)| y).max().unwrap_or(1);
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(80)
        .build_cartesian_2d(0..last + 1, (ZERO..most as f64 * 2.0).log_scale())?;
    chart
        .configure_mesh()
        .x_desc(x_name)
        .y_desc(y_name)
        .y_label_formatter(&|y| format!("{y:.0}"))
        .light_line_style(WHITE)
        .draw()?;
    for (curve, &colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let height = |y: u64| if y == 0 { ZERO } else { y as f64 };
        let line = curve.points.iter().map(|&(x, y)| (x, height(y)));
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(2)))?
            .label(curve.name.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        chart.draw_series(curve.points.iter().map(|&(x, y)| {
            let style = if y == 0 { colour.stroke_width(1) } else { colour.filled() };
            Circle::new((x, height(y)), 3, style)
        }))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .border_style(BLACK)
        .background_style(WHITE)
        .draw()?;
    root.present()?;
    Ok(())
}

/// Draws the first side's win probability over the plies of a game.
pub(super) fn probabilities(title: &str, values: &[Option<f64>]) -> Result<String, String> {
    let mut svg = String::new();
    draw_probabilities(&mut svg, title, values).map_err(|why| why.to_string())?;
    Ok(svg)
}

fn draw_probabilities(
    svg: &mut String,
    title: &str,
    values: &[Option<f64>],
) -> Result<(), Box<dyn std::error::Error>> {
    let known = values.iter().enumerate().filter_map(|(ply, value)| Some((ply, (*value)?)));
    let root = SVGBackend::with_string(svg, (SIZE.0, SIZE.1 / 2)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut builder = ChartBuilder::on(&root);
    if !title.is_empty() {
        builder.caption(title, ("sans-serif", 18));
    }
    let mut chart = builder
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(0..values.len().max(2) - 1, 0.0..1.0)?;
    chart
        .configure_mesh()
        .x_desc("ply")
        .y_desc("win probability of the first side")
        .y_label_formatter(&|y| format!("{:.0} %", 100.0 * y))
        .light_line_style(WHITE)
        .draw()?;
    let even = [(0, 0.5), (values.len().max(2) - 1, 0.5)];
    chart.draw_series(LineSeries::new(even, BLACK.stroke_width(1)))?;
    chart.draw_series(LineSeries::new(known, COLOURS[0].stroke_width(2)))?;
    root.present()?;
    Ok(())
}

/// Draws what was foretold against what came, both 0 to 1; on the diagonal they are the same.
pub(super) fn reliability(title: &str, points: &[(f64, f64)]) -> Result<String, String> {
    let mut svg = String::new();
    draw_reliability(&mut svg, title, points).map_err(|why| why.to_string())?;
    Ok(svg)
}

fn draw_reliability(
    svg: &mut String,
    title: &str,
    points: &[(f64, f64)],
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (SIZE.1 / 2, SIZE.1 / 2)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 16))
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(52)
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    let percent = |share: &f64| format!("{:.0} %", 100.0 * share);
    chart
        .configure_mesh()
        .x_labels(5)
        .y_labels(5)
        .x_desc("foretold")
        .y_desc("won")
        .x_label_formatter(&percent)
        .y_label_formatter(&percent)
        .light_line_style(WHITE)
        .draw()?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], BLACK.stroke_width(1)))?;
    chart.draw_series(LineSeries::new(points.iter().copied(), COLOURS[0].stroke_width(2)))?;
    chart.draw_series(points.iter().map(|&at| Circle::new(at, 3, COLOURS[0].filled())))?;
    root.present()?;
    Ok(())
}

/// Elo of one player at a level, and its standard error.
pub(super) struct LevelPoint {
    pub(super) level: u64,
    pub(super) elo: f64,
    pub(super) stderr: f64,
}

/// Draws Elo over levels, a curve for each game, with bars of two standard errors.
pub(super) fn ladders(curves: &[(String, Vec<LevelPoint>)]) -> Result<String, String> {
    let mut svg = String::new();
    draw_ladders(&mut svg, curves).map_err(|why| why.to_string())?;
    Ok(svg)
}

fn draw_ladders(
    svg: &mut String,
    curves: &[(String, Vec<LevelPoint>)],
) -> Result<(), Box<dyn std::error::Error>> {
    let points = || curves.iter().flat_map(|(_, points)| points);
    let ends = |sign: f64| points().map(move |one| one.elo + sign * 2.0 * one.stderr);
    let (least, most) = (ends(-1.0).fold(0.0, f64::min), ends(1.0).fold(1.0, f64::max));
    let top = points().map(|one| one.level).max().unwrap_or(1) as f64;
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(70)
        .build_cartesian_2d(0.5..top + 0.5, least..most * 1.05)?;
    chart
        .configure_mesh()
        .x_desc("level")
        .x_labels(top as usize + 1)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_desc("Elo against level 1, +- 2 standard errors")
        .y_label_formatter(&|y| format!("{y:.0}"))
        .light_line_style(WHITE)
        .draw()?;
    for ((name, points), &colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let line = points.iter().map(|one| (one.level as f64, one.elo));
        chart
            .draw_series(LineSeries::new(line.clone(), colour.stroke_width(2)))?
            .label(name.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        chart.draw_series(line.map(|at| Circle::new(at, 3, colour.filled())))?;
        chart.draw_series(points.iter().map(|one| {
            let end = |sign: f64| (one.level as f64, one.elo + sign * 2.0 * one.stderr);
            PathElement::new([end(-1.0), end(1.0)], colour.stroke_width(1))
        }))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .border_style(BLACK)
        .background_style(WHITE)
        .draw()?;
    root.present()?;
    Ok(())
}
