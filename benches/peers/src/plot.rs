//! Cost against number of hooks, both logarithmic, as SVG.

use std::fmt::Write;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 520.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 210.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 50.0;

/// Lines of `(hooks, microseconds)`; the engine called hookc is drawn thick,
/// the floor dashed.
pub fn svg(lines: &[(String, Vec<(f64, f64)>)]) -> String {
    let all = || lines.iter().flat_map(|(_, points)| points);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let low = all().map(of).fold(f64::INFINITY, f64::min).log10().floor();
        let high = all().map(of).fold(0.0, f64::max).log10().ceil();
        (low, high.max(low + 1.0))
    };
    let (xs, ys) = (range(|point| point.0), range(|point| point.1));
    let place = |(x, y): (f64, f64)| {
        let across = (x.log10() - xs.0) / (xs.1 - xs.0) * (WIDTH - LEFT - RIGHT) + LEFT;
        let up = (y.log10() - ys.0) / (ys.1 - ys.0) * (HEIGHT - TOP - BOTTOM);
        (across, HEIGHT - BOTTOM - up)
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    grid(&mut text, xs, ys, &place);
    let mut labels: Vec<(f64, String, String)> = Vec::new();
    for (n, (name, points)) in lines.iter().enumerate() {
        let color = format!("hsl({}, 65%, 42%)", n * 360 / lines.len().max(1));
        let path: Vec<String> =
            points.iter().map(|p| place(*p)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (width, dash) = match name.as_str() {
            "hookc" => (4.0, ""),
            name if name.starts_with("floor") => (1.5, " stroke-dasharray=\"5 4\""),
            _ => (1.5, ""),
        };
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{dash}/>",
            path.join(" ")
        );
        if let Some((x, y)) = points.last().map(|p| place(*p)) {
            let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
            labels.push((y, name.clone(), color));
        }
    }
    names(&mut text, labels);
    text + "</svg>\n"
}

fn grid(text: &mut String, xs: (f64, f64), ys: (f64, f64), place: &dyn Fn((f64, f64)) -> (f64, f64)) {
    for step in xs.0 as i32..=xs.1 as i32 {
        let (x, y) = place((10f64.powi(step), 10f64.powf(ys.0)));
        let (_, top) = place((10f64.powi(step), 10f64.powf(ys.1)));
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{x:.1}\" y2=\"{top:.1}\" stroke=\"#ddd\"/>"
        );
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y + 18.0,
            10f64.powi(step)
        );
    }
    for step in ys.0 as i32..=ys.1 as i32 {
        let (x, y) = place((10f64.powf(xs.0), 10f64.powi(step)));
        let (right, _) = place((10f64.powf(xs.1), 10f64.powi(step)));
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>"
        );
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            x - 8.0,
            y + 4.0,
            10f64.powi(step)
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">hooks</text>",
        (WIDTH - RIGHT + LEFT) / 2.0,
        HEIGHT - 10.0
    );
    let _ = writeln!(text, "<text x=\"10\" y=\"18\">microseconds per decision, from bytes</text>");
}

/// Names at the ends of their lines, moved apart.
fn names(text: &mut String, mut labels: Vec<(f64, String, String)>) {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = TOP;
    for (y, name, color) in labels {
        let y = y.max(free);
        free = y + 15.0;
        let _ = writeln!(
            text,
            "<text x=\"{:.0}\" y=\"{:.1}\" fill=\"{color}\">{name}</text>",
            WIDTH - RIGHT + 12.0,
            y + 4.0
        );
    }
}
