//! What `serde_yaml` and `quick-xml` do with policies, next to the front ends of hookc.
//! `docs/decisions/0024-own-yaml-and-xml-readers.md` shows the output.

mod xml;
mod yaml;

use std::time::{Duration, Instant};

fn main() {
    yaml::cases();
    yaml::speed();
    xml::cases();
    xml::speed();
}

/// Milliseconds of the median of runs that take turns, for each side.
fn median<const N: usize>(sides: [&dyn Fn(); N]) -> [f64; N] {
    let mut times = [const { Vec::new() }; N];
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) || times[0].len() < 5 {
        for (side, times) in sides.iter().zip(&mut times) {
            let start = Instant::now();
            side();
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

/// A table of lines, each with what every side gave.
fn row(cells: &[&str]) {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('\n', " ").replace('|', "\\|")).collect();
    println!("| {} |", cells.join(" | "));
}

fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() > 90 {
        line.chars().take(87).chain("...".chars()).collect()
    } else {
        line.to_owned()
    }
}
