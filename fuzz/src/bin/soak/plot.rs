//! Samples as a picture: memory and decisions a second over time.

use std::fmt::Write as _;

use crate::sample::Sample;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 160.0;
const LEFT: f64 = 90.0;
const TOP: f64 = 40.0;
/// Points of a curve: more cannot be seen.
const POINTS: usize = 450;

/// Two charts below one another.
pub(crate) fn svg(samples: &[Sample]) -> String {
    let step = (samples.len() / POINTS).max(1);
    let seconds = samples.last().map_or(1.0, |last| last.at.as_secs_f64()).max(1.0);
    let thin: Vec<&Sample> = samples.iter().step_by(step).collect();
    let memory: Vec<(f64, f64)> =
        thin.iter().map(|one| (one.at.as_secs_f64(), (one.resident >> 10) as f64 / 1024.0)).collect();
    let rate = thin.windows(2).map(|pair| {
        let time = (pair[1].at - pair[0].at).as_secs_f64().max(0.001);
        (pair[1].at.as_secs_f64(), (pair[1].decisions - pair[0].decisions) as f64 / time)
    });
    let rate: Vec<(f64, f64)> = rate.collect();
    let (wide, high) = (WIDTH + LEFT + 30.0, 2.0 * (HEIGHT + 2.0 * TOP));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    chart(&mut out, TOP, "resident memory (MiB)", &memory, seconds);
    chart(&mut out, 3.0 * TOP + HEIGHT, "events a second", &rate, seconds);
    out.push_str("</svg>\n");
    out
}

fn chart(out: &mut String, top: f64, title: &str, points: &[(f64, f64)], seconds: f64) {
    let most = points.iter().map(|point| point.1).fold(1.0, f64::max) * 1.1;
    let bottom = top + HEIGHT;
    let _ = writeln!(out, "<text x=\"{LEFT}\" y=\"{}\">{title}</text>", top - 12.0);
    for part in [0.0, 0.5, 1.0] {
        let y = bottom - HEIGHT * part;
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ccc\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{:.0}</text><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{:.1} min</text>",
            LEFT + WIDTH,
            LEFT - 8.0,
            y + 4.0,
            most * part,
            LEFT + WIDTH * part,
            bottom + 18.0,
            seconds * part / 60.0
        );
    }
    let line: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{:.1},{:.1}", LEFT + WIDTH * x / seconds, bottom - HEIGHT * y / most))
        .collect();
    let _ = writeln!(
        out,
        "<polyline fill=\"none\" stroke=\"#06c\" stroke-width=\"1.5\" points=\"{}\"/>",
        line.join(" ")
    );
}
