//! The measurements, for people and for programs.

use std::fmt::Write;

use serde::Serialize;

use super::measure::percentile;

/// The figures; their JSON is the interface.
#[derive(Serialize)]
pub(super) struct Report {
    hooks: usize,
    events: usize,
    decide_ns: Percentiles,
    floor_ns: Middle,
    ratio: f64,
    bytes_per_hook: f64,
    load_ms: f64,
    /// Mean bytes of an event.
    #[serde(skip)]
    event_bytes: usize,
}

#[derive(Serialize)]
struct Percentiles {
    p50: f64,
    p99: f64,
}

#[derive(Serialize)]
struct Middle {
    p50: f64,
}

impl Report {
    /// From sorted samples in nanoseconds. Without hooks there are no bytes per hook (`null`).
    pub(super) fn new(
        hooks: usize,
        events: usize,
        event_bytes: usize,
        decide: &[f64],
        floor: &[f64],
        module_bytes: usize,
        load_ms: f64,
    ) -> Self {
        let (decide50, floor50) = (percentile(decide, 50), percentile(floor, 50));
        Self {
            hooks,
            events,
            decide_ns: Percentiles { p50: round(decide50, 1), p99: round(percentile(decide, 99), 1) },
            floor_ns: Middle { p50: round(floor50, 1) },
            ratio: round(decide50 / floor50, 3),
            bytes_per_hook: round(module_bytes as f64 / hooks as f64, 1),
            load_ms: round(load_ms, 4),
            event_bytes: event_bytes / events.max(1),
        }
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let Self { hooks, events, event_bytes, load_ms, ratio, .. } = self;
        let each = if self.hooks == 0 { "-".to_owned() } else { self.bytes_per_hook.to_string() };
        let (p50, p99, floor) = (self.decide_ns.p50, self.decide_ns.p99, self.floor_ns.p50);
        let rows = [
            ("hooks", format!("{hooks}, {each} bytes each (stripped), loaded in {load_ms} ms")),
            ("events", format!("{events}, {event_bytes} bytes on average")),
            ("deciding", format!("p50 {p50} ns, p99 {p99} ns, from bytes to the hooks that match")),
            ("floor", format!("p50 {floor} ns, for checking UTF-8 and JSON only")),
            ("ratio", format!("{ratio} of the floor")),
        ];
        for (name, value) in rows {
            let _ = writeln!(text, "{name:<10}{value}");
        }
        text
    }
}

fn round(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}
